package golang

import (
	"go/ast"
	"go/token"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// goFacts reads the facts of a Go file off its syntax tree.
type goFacts struct {
	*core.FactBuilder
	g *goReader
}

// facts begins the facts of the file; nil where nobody asks for them.
func (g *goReader) facts() *goFacts {
	if g.File.Facts == nil {
		return nil
	}
	return &goFacts{core.NewFactBuilder(g.Reader), g}
}

// declarations reads top-level declarations.
func (f *goFacts) declarations(list []ast.Decl) {
	if f == nil {
		return
	}
	for _, d := range list {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f.function(d)
		case *ast.GenDecl:
			f.general(d)
		}
	}
}

// at is the offset of a position in the file's text.
func (f *goFacts) at(p token.Pos) int { return f.g.offset(p) }

// bind binds the name of an identifier, which can be used from an offset on; nil
// for a blank one.
func (f *goFacts) bind(id *ast.Ident, kind code.DefKind, from int) *code.Def {
	if id == nil || id.Name == "_" || id.Name == "" {
		return nil
	}
	return f.Define(code.Def{
		Name: id.Name, Kind: kind, Pos: int32(from), Line: int32(f.g.line(f.g.pos(id))), Exported: ast.IsExported(id.Name),
	})
}

// openAt begins the scope of a node; see [core.FactBuilder.OpenScope].
func (f *goFacts) openAt(kind code.ScopeKind, name string, from token.Pos, n ast.Node) int32 {
	return f.OpenScope(kind, name, f.at(from), f.at(f.g.endPos(n)))
}

// function reads a function or method, which says in its scope whose it is.
func (f *goFacts) function(d *ast.FuncDecl) {
	scope := f.openAt(code.FuncScope, d.Name.Name, f.g.pos(d.Name), d)
	f.Symbol(scope, f.at(f.g.pos(d.Name)))
	if d.Recv != nil {
		f.receiver(scope, d)
	}
	f.signature(scope, d.Type)
	f.body(scope, d.Body)
	f.CloseScope()
	if def := f.bind(d.Name, code.DefFunc, 0); def != nil {
		def.Scope = scope
	}
}

// receiver binds what a method is called on, always as the first parameter, and the
// type parameters that it names.
func (f *goFacts) receiver(scope int32, d *ast.FuncDecl) {
	if len(d.Recv.List) == 0 {
		return
	}
	at := d.Recv.List[0]
	typ := f.typeExpr(at.Type)
	self := goField{"", at.Type, at, nil}
	if len(at.Names) > 0 {
		self.name, self.id = at.Names[0].Name, at.Names[0]
	}
	f.param(self, typ, f.at(f.g.endPos(d.Type)))
	for _, id := range receiverParams(at.Type) {
		f.bind(id, code.DefTypeParam, 0)
	}
	f.Scopes[scope].Owner = typ
}

// receiverParams returns the T of "func (s *Set[T])".
func receiverParams(t ast.Expr) []*ast.Ident {
	var list []ast.Expr
	switch x := ast.Unparen(t).(type) {
	case *ast.StarExpr:
		return receiverParams(x.X)
	case *ast.IndexExpr:
		list = []ast.Expr{x.Index}
	case *ast.IndexListExpr:
		list = x.Indices
	}
	var out []*ast.Ident
	for _, x := range list {
		if id, ok := x.(*ast.Ident); ok {
			out = append(out, id)
		}
	}
	return out
}

// signature binds type parameters, parameters and named results of a function,
// and notes what it returns. Names of parameters mean nothing in the types beside
// them: "func open(file file)".
func (f *goFacts) signature(scope int32, t *ast.FuncType) {
	f.typeParams(t.TypeParams)
	from := f.at(f.g.endPos(t))
	params, results := f.fieldTypes(t.Params), f.fieldTypes(t.Results)
	for i, p := range f.g.fields(t.Params) {
		f.param(p, params[i], from)
	}
	for i, r := range f.g.fields(t.Results) {
		if def := f.bind(r.id, code.DefVar, from); def != nil {
			def.Type = results[i]
		}
	}
	f.Scopes[scope].Result = f.tuple(results)
}

// param binds a parameter; one without a name keeps its place. The type of one
// that takes any number is that of each.
func (f *goFacts) param(p goField, typ code.Ref, from int) {
	_, variadic := p.expr.(*ast.Ellipsis)
	if variadic {
		typ = f.Exprs[typ].X
	}
	d := code.Def{Name: p.name, Kind: code.DefParam, Type: typ, Variadic: variadic, Pos: int32(from)}
	if p.name == "_" {
		d.Name = ""
	}
	d.Line = int32(f.g.line(f.g.pos(p.at)))
	if p.id != nil {
		d.Line = int32(f.g.line(f.g.pos(p.id)))
	}
	f.Define(d)
}

// typeParams binds type parameters with their constraints.
func (f *goFacts) typeParams(list *ast.FieldList) {
	for _, p := range f.g.fields(list) {
		if def := f.bind(p.id, code.DefTypeParam, 0); def != nil {
			def.Type = f.typeExpr(p.expr)
		}
	}
}

// body reads what a function does.
func (f *goFacts) body(scope int32, body *ast.BlockStmt) {
	if body == nil {
		return
	}
	f.Scopes[scope].Body = true
	f.stmts(body.List)
}

// general reads an import, type, constant or variable declaration, at the top or
// in a function.
func (f *goFacts) general(d *ast.GenDecl) {
	var last *ast.ValueSpec
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			f.typeSpec(s)
		case *ast.ValueSpec:
			from := s
			if d.Tok == token.CONST && len(s.Values) == 0 && s.Type == nil && last != nil {
				from = last
			}
			last = from
			f.valueSpec(s, from)
		}
	}
}

// valueSpec binds the names of s; their type and values stand in from.
func (f *goFacts) valueSpec(s, from *ast.ValueSpec) {
	var typ code.Ref
	if from.Type != nil {
		typ = f.typeExpr(from.Type)
	}
	values := f.assigned(len(s.Names), from.Values)
	for i, id := range s.Names {
		if def := f.bind(id, code.DefVar, f.visible(f.g.endPos(s))); def != nil {
			def.Type, def.Value = typ, values[i]
		}
	}
}

// visible is the offset from which on a name declared before p can be used: what
// is declared at the top can be used everywhere.
func (f *goFacts) visible(p token.Pos) int {
	if f.Scope == 0 {
		return 0
	}
	return f.at(p)
}

// assigned returns what each of n names is set to by a list of values: one each,
// or the parts of the only one.
func (f *goFacts) assigned(n int, values []ast.Expr) []code.Ref {
	out := make([]code.Ref, max(n, len(values)))
	if len(values) == 1 && n > 1 {
		source := f.expr(values[0])
		if n == 2 && hasOK(values[0]) {
			out[0], out[1] = source, f.Literal("bool")
			return out
		}
		for i := range n {
			out[i] = f.Part(source, i)
		}
		return out
	}
	for i, x := range values {
		out[i] = f.expr(x)
	}
	return out
}

// hasOK reports whether an expression that two names are set to gives a value and
// whether it is there.
func hasOK(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.IndexExpr, *ast.TypeAssertExpr:
		return true
	case *ast.UnaryExpr:
		return x.Op == token.ARROW
	}
	return false
}
