package golang

import (
	"go/ast"
	"go/token"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

func (f *factReader) stmts(list []ast.Stmt) {
	for _, s := range list {
		f.stmt(s)
	}
}

// stmt reads a statement.
func (f *factReader) stmt(s ast.Stmt) {
	if s == nil || f.Depth > core.MaxFactDepth {
		return
	}
	f.Depth++
	defer func() { f.Depth-- }()
	switch s := s.(type) {
	case *ast.ExprStmt:
		f.use(s.X)
	case *ast.AssignStmt:
		f.assign(s)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			f.general(d)
		}
	case *ast.GoStmt:
		f.expr(s.Call)
	case *ast.DeferStmt:
		f.expr(s.Call)
	case *ast.SendStmt:
		f.use(s.Chan)
		f.use(s.Value)
	case *ast.IncDecStmt:
		f.use(s.X)
	case *ast.ReturnStmt:
		for _, x := range s.Results {
			f.use(x)
		}
	case *ast.LabeledStmt:
		f.stmt(s.Stmt)
	default:
		f.block(s)
	}
}

// block reads a statement that has blocks.
func (f *factReader) block(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		f.within(s, s.List)
	case *ast.IfStmt:
		f.ifStmt(s)
	case *ast.ForStmt:
		f.openAt(code.BlockScope, "", f.g.pos(s), s)
		f.stmt(s.Init)
		f.use(s.Cond)
		f.stmt(s.Post)
		f.within(s.Body, s.Body.List)
		f.CloseScope()
	case *ast.RangeStmt:
		f.rangeStmt(s)
	case *ast.SwitchStmt:
		f.openAt(code.BlockScope, "", f.g.pos(s), s)
		f.stmt(s.Init)
		f.use(s.Tag)
		for _, c := range s.Body.List {
			if c, ok := c.(*ast.CaseClause); ok {
				for _, x := range c.List {
					f.use(x)
				}
				f.within(c, c.Body)
			}
		}
		f.CloseScope()
	case *ast.TypeSwitchStmt:
		f.typeSwitch(s)
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			if c, ok := c.(*ast.CommClause); ok {
				f.openAt(code.BlockScope, "", f.g.pos(c), c)
				f.stmt(c.Comm)
				f.stmts(c.Body)
				f.CloseScope()
			}
		}
	}
}

// within reads statements in a new scope if they bind a name.
func (f *factReader) within(n ast.Node, list []ast.Stmt) {
	if !declares(list) {
		f.stmts(list)
		return
	}
	f.openAt(code.BlockScope, "", f.g.pos(n), n)
	f.stmts(list)
	f.CloseScope()
}

// declares reports whether one of the statements binds a name.
func declares(list []ast.Stmt) bool {
	for _, s := range list {
		if l, ok := s.(*ast.LabeledStmt); ok {
			s = l.Stmt
		}
		switch s := s.(type) {
		case *ast.DeclStmt:
			return true
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				return true
			}
		}
	}
	return false
}

func (f *factReader) ifStmt(s *ast.IfStmt) {
	if s.Init != nil {
		f.openAt(code.BlockScope, "", f.g.pos(s), s)
		defer f.CloseScope()
		f.stmt(s.Init)
	}
	f.use(s.Cond)
	f.within(s.Body, s.Body.List)
	f.stmt(s.Else)
}

// assign binds the names that := declares. A variable assigned with = keeps its declared type.
func (f *factReader) assign(s *ast.AssignStmt) {
	if s.Tok != token.DEFINE {
		for _, x := range s.Rhs {
			f.use(x)
		}
		for _, x := range s.Lhs {
			f.use(x)
		}
		return
	}
	values := f.assigned(len(s.Lhs), s.Rhs)
	for i, x := range s.Lhs {
		id, ok := x.(*ast.Ident)
		if !ok || f.inScope(id.Name) {
			continue
		}
		if def := f.bind(id, code.DefVar, f.at(f.g.endPos(s))); def != nil {
			def.Value = values[i]
		}
	}
}

// inScope reports whether the innermost scope already binds a name, which := then does not
// declare.
func (f *factReader) inScope(name string) bool {
	for i := range f.Scopes[f.Scope].Defs {
		if f.Scopes[f.Scope].Defs[i].Name == name {
			return true
		}
	}
	return false
}

func (f *factReader) rangeStmt(s *ast.RangeStmt) {
	source := f.expr(s.X)
	f.openAt(code.BlockScope, "", f.g.pos(s), s)
	defer f.CloseScope()
	for i, x := range []ast.Expr{s.Key, s.Value} {
		id, ok := x.(*ast.Ident)
		switch {
		case x == nil:
		case s.Tok != token.DEFINE || !ok:
			f.use(x)
		default:
			op := []code.Op{code.OpKey, code.OpElem}[i]
			if def := f.bind(id, code.DefVar, f.at(f.g.pos(s.Body))); def != nil {
				def.Value = f.Apply(op, source)
			}
		}
	}
	f.within(s.Body, s.Body.List)
}

// typeSwitch reads "switch v := x.(type)": in a case with one type v has that type.
func (f *factReader) typeSwitch(s *ast.TypeSwitchStmt) {
	f.openAt(code.BlockScope, "", f.g.pos(s), s)
	defer f.CloseScope()
	f.stmt(s.Init)
	id, subject := switched(s.Assign)
	value := f.expr(subject)
	for _, c := range s.Body.List {
		c, ok := c.(*ast.CaseClause)
		if !ok {
			continue
		}
		types := make([]code.Ref, len(c.List))
		for i, t := range c.List {
			types[i] = f.typeExpr(t)
		}
		f.openAt(code.BlockScope, "", f.g.pos(c), c)
		if def := f.bind(id, code.DefVar, f.at(c.Colon)); def != nil {
			if len(types) == 1 && !isNil(c.List[0]) {
				def.Type = types[0]
			} else {
				def.Value = value
			}
		}
		f.stmts(c.Body)
		f.CloseScope()
	}
}

// switched splits "v := x.(type)"; id is nil if there is no v.
func switched(s ast.Stmt) (id *ast.Ident, subject ast.Expr) {
	var x ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		x = s.X
	case *ast.AssignStmt:
		if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
			id, _ = s.Lhs[0].(*ast.Ident)
			x = s.Rhs[0]
		}
	}
	if assert, ok := x.(*ast.TypeAssertExpr); ok {
		return id, assert.X
	}
	return id, x
}

func isNil(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "nil"
}
