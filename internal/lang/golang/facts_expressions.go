package golang

import (
	"go/ast"
	"go/token"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// expr returns the expression of x; 0 if nothing is known of it. All calls in it are read.
func (f *factReader) expr(x ast.Expr) code.Ref {
	if x == nil || f.Depth > core.MaxFactDepth {
		return 0
	}
	f.Depth++
	defer func() { f.Depth-- }()
	switch x := x.(type) {
	case *ast.Ident:
		return f.identifier(x)
	case *ast.SelectorExpr:
		return f.Select(f.expr(x.X), x.Sel.Name, f.at(x.Sel.Pos()))
	case *ast.CallExpr:
		return f.callExpr(x)
	case *ast.ParenExpr:
		return f.expr(x.X)
	case *ast.StarExpr:
		return f.expr(x.X)
	case *ast.UnaryExpr:
		return f.unary(x)
	case *ast.BinaryExpr:
		return f.binary(x)
	case *ast.BasicLit:
		return f.Literal(basicTypes[x.Kind])
	case *ast.CompositeLit:
		return f.composite(x, 0)
	case *ast.FuncLit:
		return f.closure(x)
	default:
		return f.part(x)
	}
}

// basicTypes maps literals to their types.
var basicTypes = map[token.Token]string{
	token.INT: "int", token.FLOAT: "float64", token.IMAG: "complex128", token.CHAR: "rune", token.STRING: "string",
}

// part is like [factReader.expr] for an element, a type assertion or a type.
func (f *factReader) part(x ast.Expr) code.Ref {
	switch x := x.(type) {
	case *ast.IndexExpr:
		source := f.expr(x.X)
		return f.Group(code.OpIndex, source, []code.Ref{f.expr(x.Index)})
	case *ast.IndexListExpr:
		source := f.expr(x.X)
		args := make([]code.Ref, len(x.Indices))
		for i, a := range x.Indices {
			args[i] = f.typeExpr(a)
		}
		return f.Group(code.OpApply, source, args)
	case *ast.SliceExpr:
		f.use(x.Low)
		f.use(x.High)
		f.use(x.Max)
		return f.expr(x.X)
	case *ast.TypeAssertExpr:
		f.use(x.X)
		if x.Type == nil {
			return 0
		}
		return f.Apply(code.OpAs, f.typeExpr(x.Type))
	case *ast.KeyValueExpr: // in broken text
		f.use(x.Key)
		return f.expr(x.Value)
	}
	return f.typeLiteral(x)
}

// use reads an expression whose value is not used.
func (f *factReader) use(x ast.Expr) {
	if id, ok := x.(*ast.Ident); ok {
		if id.Name != "_" {
			f.Mention(id.Name, f.at(f.g.pos(id)))
		}
		return
	}
	f.expr(x)
}

// identifier returns the expression of a name; predeclared constants are literals.
func (f *factReader) identifier(x *ast.Ident) code.Ref {
	switch x.Name {
	case "_", "nil":
		return 0
	case "true", "false":
		if !f.bound(x.Name) {
			return f.Literal("bool")
		}
	case "iota":
		if !f.bound(x.Name) {
			return f.Literal("int")
		}
	}
	return f.Name(x.Name, f.at(f.g.pos(x)))
}

// bound reports whether the file binds a name in the current scope.
func (f *factReader) bound(name string) bool {
	for s := f.Scope; s > 0; s = f.Scopes[s].Parent {
		for i := range f.Scopes[s].Defs {
			if f.Scopes[s].Defs[i].Name == name {
				return true
			}
		}
	}
	for i := range f.File.Symbols {
		if f.File.Symbols[i].Name == name {
			return true
		}
	}
	return false
}

func (f *factReader) unary(x *ast.UnaryExpr) code.Ref {
	switch x.Op {
	case token.ARROW:
		return f.Apply(code.OpElem, f.expr(x.X))
	case token.NOT:
		f.use(x.X)
		return f.Literal("bool")
	default:
		return f.expr(x.X)
	}
}

// binary returns the result of an operation on two values of one type. Long concatenations
// nest to the left; these are read without recursion.
func (f *factReader) binary(x *ast.BinaryExpr) code.Ref {
	logical := false
	var first, last ast.Expr
	for {
		switch x.Op {
		case token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			logical = true
		default: // the operands' type
		}
		if last != nil {
			f.use(last)
		}
		last = x.Y
		left, ok := x.X.(*ast.BinaryExpr)
		if !ok {
			first = x.X
			break
		}
		x = left
	}
	if logical {
		f.use(first)
		f.use(last)
		return f.Literal("bool")
	}
	if _, ok := first.(*ast.BasicLit); ok { // 5 * time.Second
		return f.expr(last)
	}
	f.use(last)
	return f.expr(first)
}

// composite returns the value of T{...}; elided is the type implied by the enclosing literal.
func (f *factReader) composite(x *ast.CompositeLit, elided code.Ref) code.Ref {
	typ := elided
	if x.Type != nil {
		typ = f.typeExpr(x.Type)
	}
	var elem, key code.Ref
	if t := f.Exprs[typ]; t.Op == code.OpList || t.Op == code.OpMap {
		elem = t.X
		if len(t.Args) == 1 {
			key = t.Args[0]
		}
	}
	for _, e := range x.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			f.element(kv.Key, key)
			e = kv.Value
		}
		f.element(e, elem)
	}
	return f.newValue(typ)
}

// element reads an element of a composite literal; typ is its type if it has none of its own.
func (f *factReader) element(x ast.Expr, typ code.Ref) {
	if lit, ok := x.(*ast.CompositeLit); ok && lit.Type == nil {
		f.Depth++
		if f.Depth < core.MaxFactDepth {
			f.composite(lit, typ)
		}
		f.Depth--
		return
	}
	f.use(x)
}

// closure returns a function literal.
func (f *factReader) closure(x *ast.FuncLit) code.Ref {
	scope := f.openAt(code.FuncScope, "", f.g.pos(x), x)
	f.signature(scope, x.Type)
	f.body(scope, x.Body)
	f.CloseScope()
	return f.ScopeExpr(code.OpFunc, scope)
}

// callExpr returns the result of a call or a conversion.
func (f *factReader) callExpr(x *ast.CallExpr) code.Ref {
	fun := ast.Unparen(x.Fun)
	switch t := fun.(type) {
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.InterfaceType, *ast.StructType, *ast.StarExpr:
		f.arguments(x.Args)
		return f.Apply(code.OpAs, f.typeExpr(fun))
	case *ast.Ident:
		if builtins[t.Name] && !f.bound(t.Name) {
			return f.builtin(t, x.Args)
		}
	}
	callee := f.expr(fun)
	return f.Call(code.OpCall, callee, f.arguments(x.Args), f.calledAt(fun, x))
}

func (f *factReader) arguments(list []ast.Expr) []code.Ref {
	if len(list) == 0 {
		return nil
	}
	out := make([]code.Ref, len(list))
	for i, a := range list {
		out[i] = f.expr(a)
	}
	return out
}

// calledAt returns the offset of the called name.
func (f *factReader) calledAt(fun ast.Expr, x *ast.CallExpr) int {
	switch t := fun.(type) {
	case *ast.IndexExpr:
		return f.calledAt(t.X, x)
	case *ast.IndexListExpr:
		return f.calledAt(t.X, x)
	case *ast.Ident:
		return f.at(f.g.pos(t))
	case *ast.SelectorExpr:
		return f.at(t.Sel.Pos())
	case *ast.FuncLit:
		return f.at(f.g.pos(t))
	}
	return f.at(x.Lparen)
}

// builtin returns the result of a call of a built-in function or of a conversion to a
// predeclared type. Another file of the package may declare a function with the name; names
// for which this is common are read as calls.
func (f *factReader) builtin(fun *ast.Ident, args []ast.Expr) code.Ref {
	switch fun.Name {
	case "new", "make":
		if len(args) == 0 {
			return 0
		}
		f.arguments(args[1:])
		if fun.Name == "new" && neverType(args[0]) { // new(expr), Go 1.26
			return f.expr(args[0])
		}
		return f.newValue(f.typeExpr(args[0]))
	case "append":
		refs := f.arguments(args)
		return f.Either(refs[:min(1, len(refs))]...)
	case "len", "cap":
		f.arguments(args)
		return f.Literal("int")
	case "min", "max", "clear", "copy", "close", "delete", "print", "println":
		callee := f.Name(fun.Name, f.at(f.g.pos(fun)))
		return f.Call(code.OpCall, callee, f.arguments(args), f.at(f.g.pos(fun)))
	case "panic", "recover", "real", "imag", "complex", "any":
		f.arguments(args)
		return 0
	default:
		f.arguments(args)
		return f.Literal(fun.Name)
	}
}

// neverType reports whether an expression cannot be a type.
func neverType(x ast.Expr) bool {
	switch x.(type) {
	case *ast.BasicLit, *ast.CallExpr, *ast.CompositeLit, *ast.BinaryExpr, *ast.UnaryExpr, *ast.FuncLit:
		return true
	}
	return false
}
