package golang

import (
	"go/ast"
	"go/token"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// factReader reads the facts of a Go file from its syntax tree.
type factReader struct {
	*core.FactBuilder
	g *reader
}

// facts returns a reader of the file's facts; nil if they are not requested.
func (g *reader) facts() *factReader {
	if g.Parts&core.Facts == 0 {
		return nil
	}
	return &factReader{core.NewFactBuilder(g.Reader), g}
}

// declarations reads top-level declarations.
func (f *factReader) declarations(list []ast.Decl) {
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

// end ends the facts.
func (f *factReader) end() {
	if f != nil {
		f.End()
	}
}

// at returns the offset of a position in the file.
func (f *factReader) at(p token.Pos) int { return f.g.offset(p) }

// bind binds an identifier, visible from the offset from; it returns nil for a blank one.
func (f *factReader) bind(id *ast.Ident, kind code.DefKind, from int) *code.Def {
	if id == nil || id.Name == "_" || id.Name == "" {
		return nil
	}
	return f.Define(code.Def{
		Name: id.Name, Kind: kind, Pos: int32(from), Line: int32(f.g.line(f.g.pos(id))), Exported: ast.IsExported(id.Name),
	})
}

// openAt opens the scope of a node; see [core.FactBuilder.OpenScope].
func (f *factReader) openAt(kind code.ScopeKind, name string, from token.Pos, n ast.Node) int32 {
	return f.OpenScope(kind, name, f.at(from), f.at(f.g.endPos(n)))
}

// function reads a function or method. The scope of a method refers to its receiver type.
func (f *factReader) function(d *ast.FuncDecl) {
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

// receiver binds the receiver of a method as its first parameter, and the type parameters that
// it names.
func (f *factReader) receiver(scope int32, d *ast.FuncDecl) {
	if len(d.Recv.List) == 0 {
		return
	}
	at := d.Recv.List[0]
	typ := f.typeExpr(at.Type)
	self := field{"", at.Type, at, nil}
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

// signature binds type parameters, parameters and named results, and records the result types.
// Parameter names are not visible in the types: "func open(file file)".
func (f *factReader) signature(scope int32, t *ast.FuncType) {
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

// param binds a parameter. An unnamed one keeps its position. The type of a variadic one is
// that of its elements.
func (f *factReader) param(p field, typ code.Ref, from int) {
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
func (f *factReader) typeParams(list *ast.FieldList) {
	for _, p := range f.g.fields(list) {
		if def := f.bind(p.id, code.DefTypeParam, 0); def != nil {
			def.Type = f.typeExpr(p.expr)
		}
	}
}

// body reads the body of a function.
func (f *factReader) body(scope int32, body *ast.BlockStmt) {
	if body == nil {
		return
	}
	f.Scopes[scope].Body = true
	f.stmts(body.List)
}

// general reads an import, type, constant or variable declaration, at the top level or in a
// function.
func (f *factReader) general(d *ast.GenDecl) {
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

// valueSpec binds the names of s; their type and values are in from.
func (f *factReader) valueSpec(s, from *ast.ValueSpec) {
	var typ code.Ref
	if from.Type != nil {
		typ = f.typeExpr(from.Type)
	}
	values := f.assigned(len(s.Names), from.Values)
	for i, id := range s.Names {
		if id.Name == "_" && typ != 0 && values[i] != 0 { // it says what the value implements
			f.Define(code.Def{Name: id.Name, Kind: code.DefVar, Type: typ, Value: values[i], Pos: int32(f.visible(f.g.endPos(s))), Line: int32(f.g.line(f.g.pos(id)))})
			continue
		}
		if def := f.bind(id, code.DefVar, f.visible(f.g.endPos(s))); def != nil {
			def.Type, def.Value = typ, values[i]
		}
	}
}

// visible returns the offset from which a name declared before p is visible: 0 at the top
// level.
func (f *factReader) visible(p token.Pos) int {
	if f.Scope == 0 {
		return 0
	}
	return f.at(p)
}

// assigned returns the value of each of n names: one value each, or the elements of a single
// one.
func (f *factReader) assigned(n int, values []ast.Expr) []code.Ref {
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

// hasOK reports whether an expression assigned to two names gives a value and a bool.
func hasOK(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.IndexExpr, *ast.TypeAssertExpr:
		return true
	case *ast.UnaryExpr:
		return x.Op == token.ARROW
	}
	return false
}
