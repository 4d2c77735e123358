package golang

import (
	"bytes"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// flowReader reads the control flow of functions.
type flowReader struct {
	*reader
	out     *code.Bodies
	inline  []code.Stmt // the closures in the current statement that are arguments
	nesting int         // of functions
	plain   bool        // the current function has no function literal
}

// declaration reads the functions of a declaration.
func (f *flowReader) declaration(d ast.Decl) {
	if fn, ok := d.(*ast.FuncDecl); ok {
		if fn.Body != nil && (f.Parts&core.Calls != 0 || isErrorMethod(fn) || f.matters(fn.Body)) {
			f.function(d, fn.Body, code.Use{}, "")
		}
		return
	}
	f.each(d, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if ok {
			f.function(lit, lit.Body, code.Use{Kind: code.UseAssigned}, "")
		}
		return !ok
	})
}

// isErrorMethod reports whether a function says what the text of an error is, or which error it wraps. Its body is kept
// whole.
func isErrorMethod(n ast.Node) bool {
	fn, ok := n.(*ast.FuncDecl)
	return ok && fn.Recv != nil && (fn.Name.Name == "Error" || fn.Name.Name == "Unwrap") && len(fn.Type.Params.List) == 0
}

// matters reports whether a body may end with an error, decides something, or changes a field.
func (f *flowReader) matters(block *ast.BlockStmt) bool {
	found := len(block.List) == 1
	f.each(block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SwitchStmt, *ast.TypeSwitchStmt:
			found = true
		case *ast.ReturnStmt:
			if len(n.Results) > 0 {
				name, _ := errorOf(n.Results[len(n.Results)-1])
				found = found || name != ""
			}
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok {
				found = found || code.MayFail(baseName(call.Fun))
			}
		case *ast.AssignStmt:
			found = found || changes(n)
		case *ast.IncDecStmt:
			found = found || isField(n.X)
		}
		return !found
	})
	return found
}

// changes reports whether an assignment changes a field, or may be that of a state machine.
func changes(n *ast.AssignStmt) bool {
	return n.Tok == token.ASSIGN && len(n.Rhs) == 1 && isPlain(n.Rhs[0]) || n.Tok != token.DEFINE && slices.ContainsFunc(n.Lhs, isField)
}

// isField reports whether x is a field or an element of one.
func isField(x ast.Expr) bool {
	for {
		switch of := ast.Unparen(x).(type) {
		case *ast.SelectorExpr:
			return true
		case *ast.IndexExpr:
			x = of.X
		case *ast.StarExpr:
			x = of.X
		default:
			return false
		}
	}
}

// function reads the body of a function.
func (f *flowReader) function(n ast.Node, block *ast.BlockStmt, use code.Use, name string) {
	if use.Kind == code.UseArgument && f.nesting > 0 {
		s := code.Stmt{Op: code.StmtClosure, Text: use.Of, Body: f.block(block), Line: f.line(f.pos(n))}
		if f.Parts&core.Calls != 0 {
			s.Params = paramNames(n)
		}
		f.inline = append(f.inline, s)
		return
	}
	f.nesting++
	defer func() { f.nesting-- }()
	if f.nesting == 1 {
		from := f.offset(block.Pos())
		f.plain = !bytes.Contains(f.Source[from:max(from, f.offset(block.End()))], []byte("func"))
	}
	body := code.Body{In: f.Enclosing(f.offset(f.pos(n))), Name: name, Use: use, Line: f.line(f.pos(n))}
	at := len(f.out.Functions)
	f.out.Functions = append(f.out.Functions, code.Body{})
	body.Stmts = f.block(block)
	switch {
	case f.Parts&core.Calls != 0:
		body.Params, body.End, body.At = paramNames(n), f.line(block.End()), f.offset(f.pos(n))
		if f.Parts&core.Whole != 0 && f.nesting == 1 {
			body.Outline = f.outline(block)
		}
	case !isErrorMethod(n):
		body.Prune()
	}
	f.out.Functions[at] = body
}

// paramNames returns the names of the parameters of a function.
func paramNames(n ast.Node) []string {
	var list *ast.FieldList
	switch n := n.(type) {
	case *ast.FuncDecl:
		list = n.Type.Params
	case *ast.FuncLit:
		list = n.Type.Params
	default:
		return nil
	}
	var out []string
	for _, p := range list.List {
		for _, name := range p.Names {
			out = append(out, name.Name)
		}
	}
	return out
}

func (f *flowReader) block(b *ast.BlockStmt) []code.Stmt {
	if b == nil {
		return nil
	}
	return f.list(b.List)
}

func (f *flowReader) list(list []ast.Stmt) []code.Stmt {
	var out []code.Stmt
	around := f.inline
	defer func() { f.inline = around }()
	for i, n := range list {
		f.inline = nil
		read := f.statement(n)
		read = append(f.inline, read...)
		if last := len(out) - 1; i > 0 && last >= 0 && len(read) > 0 {
			f.where(list[i-1], &out[last], &read[0])
			core.KeepWhere(&out[last], &read[0])
		}
		out = append(out, read...)
	}
	return slices.Clone(out) // without room for more
}

// statement reads one statement.
func (f *flowReader) statement(n ast.Stmt) []code.Stmt {
	if n == nil {
		return nil
	}
	f.Meter().Add(1)
	switch n := n.(type) {
	case *ast.BlockStmt:
		return f.block(n)
	case *ast.LabeledStmt:
		return f.labelled(n)
	case *ast.IfStmt:
		return f.branch(n)
	case *ast.ForStmt:
		out := f.statement(n.Init)
		s := code.Stmt{Op: code.StmtLoop, Line: f.line(f.pos(n)), Body: f.block(n.Body)}
		switch {
		case n.Init != nil || n.Post != nil:
			s.Text = srctext.ClipBody(srctext.OneLine(f.between(n.For+3, n.Body)))
			s.Body = append(s.Body, f.statement(n.Post)...)
			out = nil
		case n.Cond != nil:
			c := f.cond(n.Cond)
			s.Cond = &c
		}
		return append(out, s)
	case *ast.RangeStmt:
		f.closures(n.X, code.Use{Kind: code.UseOther})
		text := srctext.ClipBody(srctext.OneLine(f.between(n.For+3, n.Body)))
		return []code.Stmt{{Op: code.StmtLoop, Line: f.line(f.pos(n)), Text: text, Body: f.block(n.Body)}}
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return f.choice(n)
	}
	return f.simple(n)
}

// between returns the text from a position to a block.
func (f *flowReader) between(from token.Pos, block *ast.BlockStmt) string {
	return f.Head(f.offset(from), f.offset(f.pos(block)), "")
}

func (f *flowReader) labelled(n *ast.LabeledStmt) []code.Stmt {
	out := f.statement(n.Stmt)
	if last := len(out) - 1; last >= 0 && (out[last].Op == code.StmtLoop || out[last].Op == code.StmtSwitch || out[last].Op == code.StmtSelect) {
		out[last].Label = n.Label.Name
		return out
	}
	return append([]code.Stmt{{Op: code.StmtUnknown, Line: f.line(f.pos(n))}}, out...) // goto may lead here
}

// simple reads a statement without statements of its own.
func (f *flowReader) simple(n ast.Stmt) []code.Stmt {
	line := f.line(f.pos(n))
	switch n := n.(type) {
	case *ast.ReturnStmt:
		return f.returned(n)
	case *ast.BranchStmt:
		s := code.Stmt{Line: line}
		if n.Label != nil {
			s.Text = n.Label.Name
		}
		switch n.Tok {
		case token.BREAK:
			s.Op = code.StmtBreak
		case token.CONTINUE:
			s.Op = code.StmtNext
		case token.GOTO:
			s.Op = code.StmtReturn
		default:
			return nil
		}
		return []code.Stmt{s}
	case *ast.ExprStmt:
		f.closures(n.X, code.Use{Kind: code.UseOther})
		if call, ok := n.X.(*ast.CallExpr); ok {
			return f.called(call, line)
		}
	case *ast.AssignStmt:
		return f.assignment(n, line)
	case *ast.IncDecStmt:
		return []code.Stmt{{Op: code.StmtAssign, Text: srctext.OneLine(f.text(n.X)), Line: line}}
	case *ast.DeclStmt:
		return f.declared(n, line)
	case *ast.GoStmt:
		f.closures(n.Call, code.Use{Kind: code.UseArgument, Of: "go"})
	case *ast.DeferStmt:
		f.closures(n.Call, code.Use{Kind: code.UseArgument, Of: "defer"})
	case *ast.SendStmt:
		f.closures(n.Value, code.Use{Kind: code.UseOther})
	}
	return nil
}

// called reads a call whose result is not used.
func (f *flowReader) called(n *ast.CallExpr, line int) []code.Stmt {
	name := srctext.OneLine(f.textStart(n.Fun, srctext.MaxReceiver))
	if name == "panic" && len(n.Args) == 1 {
		exit := &code.Exit{Kind: code.Panics, Error: name, Value: f.value(n.Args[0], 0)}
		return []code.Stmt{{Op: code.StmtError, Exit: exit, Line: line}}
	}
	if _, method := n.Fun.(*ast.SelectorExpr); method && f.Parts&core.Calls == 0 && !core.MayNeverReturn[name[strings.LastIndexByte(name, '.')+1:]] {
		return nil
	}
	v := f.value(n, 0)
	s := code.Stmt{Op: code.StmtCall, Text: name, Value: &v, Line: line}
	if f.Parts&core.Calls != 0 {
		s.Source = f.source([]ast.Expr{n})
	}
	return []code.Stmt{s}
}

func (f *flowReader) assignment(n *ast.AssignStmt, line int) []code.Stmt {
	var names []string
	for _, x := range n.Lhs {
		names = append(names, srctext.OneLine(f.textStart(x, srctext.MaxReceiver)))
	}
	s := code.Stmt{Op: code.StmtAssign, Text: strings.Join(names, ", "), Line: line}
	for _, x := range n.Rhs {
		f.closures(x, code.Use{Kind: code.UseAssigned, Of: s.Text})
	}
	if len(n.Rhs) == 1 && (isPlain(n.Rhs[0]) || f.Parts&core.Calls != 0) && len(n.Lhs) == 1 && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) {
		v := f.value(n.Rhs[0], 0)
		s.Value = &v
		if f.Parts&core.Calls != 0 {
			s.Source = f.source(n.Rhs)
		}
	}
	if n.Tok == token.ADD_ASSIGN && f.Parts&core.Calls != 0 {
		s.Adds, s.Source = true, f.source(n.Rhs)
	}
	if len(n.Rhs) == 1 && len(n.Lhs) == 1 {
		s.Exit = f.newError(n.Rhs[0])
	}
	return []code.Stmt{s}
}

// newError returns the error that an expression creates; nil if it creates none.
func (f *flowReader) newError(x ast.Expr) *code.Exit {
	made := ast.Unparen(x)
	if u, ok := made.(*ast.UnaryExpr); ok && u.Op == token.AND {
		made = u.X
	}
	switch made.(type) {
	case *ast.CallExpr, *ast.CompositeLit:
	default:
		return nil
	}
	_, of := errorOf(x)
	if of == nil {
		return nil
	}
	return &code.Exit{Kind: code.Fails, Error: srctext.OneLine(f.text(of)), Value: f.value(x, 0)}
}

func (f *flowReader) declared(n *ast.DeclStmt, line int) []code.Stmt {
	d, ok := n.Decl.(*ast.GenDecl)
	if !ok {
		return nil
	}
	var out []code.Stmt
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for i, id := range v.Names {
			s := code.Stmt{Op: code.StmtAssign, Text: id.Name, Line: line}
			if i < len(v.Values) {
				f.closures(v.Values[i], code.Use{Kind: code.UseAssigned, Of: id.Name})
			}
			if i < len(v.Values) && (isPlain(v.Values[i]) || f.Parts&core.Calls != 0) {
				value := f.value(v.Values[i], 0)
				s.Value = &value
				if f.Parts&core.Calls != 0 {
					s.Source = f.source(v.Values[i : i+1])
				}
			}
			out = append(out, s)
		}
	}
	return out
}

// closures reads the function literals in an expression; use is that of the expression.
func (f *flowReader) closures(x ast.Expr, use code.Use) {
	if x == nil || f.plain {
		return
	}
	f.each(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			name := ""
			if use.Kind == code.UseAssigned {
				name = use.Of
			}
			f.function(n, n.Body, use, name)
			return false
		case *ast.CallExpr:
			if n == x && (use.Of == "go" || use.Of == "defer") {
				return true
			}
			f.arguments(n)
			if _, invoked := ast.Unparen(n.Fun).(*ast.FuncLit); !invoked {
				f.closures(n.Fun, code.Use{Kind: code.UseOther})
				return false
			}
			f.closures(n.Fun, code.Use{Kind: code.UseOther})
			return false
		}
		return true
	})
}

func (f *flowReader) arguments(n *ast.CallExpr) {
	for _, a := range n.Args {
		f.closures(a, code.Use{Kind: code.UseArgument, Of: srctext.OneLine(f.textStart(n.Fun, srctext.MaxReceiver))})
	}
}

// isPlain reports whether an expression is a text or a name.
func isPlain(x ast.Expr) bool {
	switch x.(type) {
	case *ast.BasicLit, *ast.Ident, *ast.SelectorExpr:
		return true
	}
	return false
}

// where notes at an if statement the assignment n right before it.
func (f *flowReader) where(n ast.Stmt, assign, s *code.Stmt) {
	if a, ok := n.(*ast.AssignStmt); ok && core.SetWhere(assign, s) {
		s.Label = core.WhereText(f.text(a))
	}
}

// branch reads an if statement.
func (f *flowReader) branch(n *ast.IfStmt) []code.Stmt {
	out := f.statement(n.Init)
	f.closures(n.Cond, code.Use{Kind: code.UseOther})
	cond := f.cond(n.Cond)
	s := code.Stmt{Op: code.StmtIf, Cond: &cond, Line: f.line(f.pos(n)), Body: f.block(n.Body), Else: f.statement(n.Else)}
	if len(out) > 0 {
		f.where(n.Init, &out[len(out)-1], &s)
	}
	return append(out, s)
}

// choice reads a switch or select.
func (f *flowReader) choice(statement ast.Stmt) []code.Stmt {
	var out []code.Stmt
	var body *ast.BlockStmt
	s := code.Stmt{Op: code.StmtSwitch, Line: f.line(f.pos(statement))}
	switch n := statement.(type) {
	case *ast.SwitchStmt:
		out, body = f.statement(n.Init), n.Body
		if n.Tag != nil {
			f.closures(n.Tag, code.Use{Kind: code.UseOther})
			s.Text = srctext.ClipBody(srctext.OneLine(f.text(n.Tag)))
		}
	case *ast.TypeSwitchStmt:
		out, body = f.statement(n.Init), n.Body
		s.Text = srctext.OneLine(f.text(n.Assign))
		if _, of, ok := strings.Cut(s.Text, ":= "); ok {
			s.Text = of
		}
	case *ast.SelectStmt:
		s.Op, body = code.StmtSelect, n.Body
	}
	for _, clause := range body.List {
		s.Arms = append(s.Arms, f.arm(clause, s.Text == ""))
	}
	return append(out, s)
}

func (f *flowReader) arm(clause ast.Stmt, isCondition bool) code.Arm {
	var a code.Arm
	switch n := clause.(type) {
	case *ast.CaseClause:
		a.Default = n.List == nil
		for _, x := range n.List {
			if isCondition {
				a.Conds = append(a.Conds, f.cond(x))
			} else {
				a.Labels = append(a.Labels, srctext.ClipBody(srctext.OneLine(f.text(x))))
			}
		}
		a.Body = f.list(n.Body)
		if len(n.Body) > 0 {
			last, ok := n.Body[len(n.Body)-1].(*ast.BranchStmt)
			a.Falls = ok && last.Tok == token.FALLTHROUGH
		}
	case *ast.CommClause:
		a.Default = n.Comm == nil
		if n.Comm != nil {
			text := srctext.OneLine(f.text(n.Comm))
			a.Conds = append(a.Conds, core.Atom(text))
		}
		a.Body = f.list(n.Body)
	}
	return a
}

// cond reads a condition.
func (f *flowReader) cond(x ast.Expr) code.Cond {
	switch x := ast.Unparen(x).(type) {
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			op := code.CondAnd
			if x.Op == token.LOR {
				op = code.CondOr
			}
			return core.Joined(op, f.cond(x.X), f.cond(x.Y))
		}
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return core.Not(f.cond(x.X))
		}
	}
	return core.Atom(f.textStart(ast.Unparen(x), 2*srctext.MaxBodyText))
}
