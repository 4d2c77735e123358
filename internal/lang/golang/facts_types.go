package golang

import (
	"go/ast"
	"go/token"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// typeSpec binds a type. What is neither struct nor interface says in the Def's
// Type what it is made of, and has a scope for its methods' sake.
func (f *goFacts) typeSpec(s *ast.TypeSpec) {
	if s.Type == nil {
		return
	}
	if s.Assign.IsValid() && s.TypeParams == nil {
		ref := f.typeExpr(s.Type)
		if def := f.bind(s.Name, code.DefAlias, f.visible(f.g.pos(s.Name))); def != nil {
			def.Type = ref
		}
		return
	}
	scope := f.openAt(code.TypeScope, s.Name.Name, f.g.pos(s.Name), s)
	f.Symbol(scope, f.at(f.g.pos(s.Name)))
	f.typeParams(s.TypeParams)
	var made code.Ref
	switch t := s.Type.(type) {
	case *ast.StructType:
		f.members(t.Fields, true)
	case *ast.InterfaceType:
		f.members(t.Methods, false)
	default:
		made = f.typeExpr(t)
	}
	f.CloseScope()
	if def := f.bind(s.Name, code.DefType, f.visible(f.g.pos(s.Name))); def != nil {
		def.Type, def.Scope = made, scope
	}
}

// members binds the fields of a struct or the methods of an interface. What is
// embedded is a base, and in a struct a field too. Types are looked up where the
// names of fields mean nothing.
func (f *goFacts) members(list *ast.FieldList, fields bool) {
	scope := f.Scope
	around := scope
	if f.Scopes[scope].Kind == code.SpaceScope {
		around = f.Scopes[scope].Parent
	}
	for _, m := range f.g.fields(list) {
		if fn, ok := m.expr.(*ast.FuncType); ok && m.id != nil && m.at.Tag == nil && isMethod(m, fn) {
			f.abstract(m.id, fn)
			continue
		}
		if m.id == nil && isTypeSet(m.expr) {
			f.typeExpr(m.expr)
			continue
		}
		f.Scope = around
		ref := f.typeExpr(m.expr)
		f.Scope = scope
		id := m.id
		if id == nil {
			f.Scopes[scope].Bases = append(f.Scopes[scope].Bases, code.Base{Type: ref, Embeds: true})
			if !fields {
				continue
			}
			id = &ast.Ident{Name: embeddedName(m.expr), NamePos: f.g.pos(m.expr)}
		}
		if def := f.bind(id, code.DefField, 0); def != nil {
			def.Type = ref
		}
	}
}

// isMethod tells "Close() error" in an interface from the field "Close func() error"
// in a struct: the keyword is missing.
func isMethod(m goField, fn *ast.FuncType) bool {
	return !fn.Func.IsValid() && len(m.at.Names) == 1
}

// isTypeSet reports whether an embedded type is a set of types, which has no methods.
func isTypeSet(t ast.Expr) bool {
	switch x := t.(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.UnaryExpr:
		return x.Op == token.TILDE
	}
	return false
}

// abstract binds a method that an interface asks for.
func (f *goFacts) abstract(id *ast.Ident, t *ast.FuncType) {
	scope := f.openAt(code.FuncScope, id.Name, f.g.pos(id), t)
	f.Symbol(scope, f.at(f.g.pos(id)))
	f.signature(scope, t)
	f.CloseScope()
	if def := f.bind(id, code.DefFunc, 0); def != nil {
		def.Scope, def.Abstract = scope, true
	}
}

// typeExpr returns the type that an expression is; 0 where nothing is known of it.
func (f *goFacts) typeExpr(x ast.Expr) code.Ref {
	if x == nil || f.Depth > core.MaxFactDepth {
		return 0
	}
	f.Depth++
	defer func() { f.Depth-- }()
	switch x := x.(type) {
	case *ast.Ident:
		return f.Name(x.Name, f.at(f.g.pos(x)))
	case *ast.SelectorExpr:
		return f.Select(f.typeExpr(x.X), x.Sel.Name, f.at(x.Sel.Pos()))
	case *ast.StarExpr:
		return f.typeExpr(x.X)
	case *ast.ParenExpr:
		return f.typeExpr(x.X)
	case *ast.IndexExpr:
		return f.Group(code.OpApply, f.typeExpr(x.X), []code.Ref{f.typeExpr(x.Index)})
	case *ast.IndexListExpr:
		args := make([]code.Ref, len(x.Indices))
		for i, a := range x.Indices {
			args[i] = f.typeExpr(a)
		}
		return f.Group(code.OpApply, f.typeExpr(x.X), args)
	case *ast.BinaryExpr: // a union
		return f.Either(f.typeExpr(x.X), f.typeExpr(x.Y))
	case *ast.UnaryExpr: // ~T
		return f.typeExpr(x.X)
	default:
		return f.madeType(x)
	}
}

// madeType is [goFacts.typeExpr] of a type without a name.
func (f *goFacts) madeType(x ast.Expr) code.Ref {
	switch x := x.(type) {
	case *ast.ArrayType:
		if x.Len != nil {
			f.use(x.Len)
		}
		return f.Group(code.OpList, f.typeExpr(x.Elt), nil)
	case *ast.Ellipsis:
		return f.Group(code.OpList, f.typeExpr(x.Elt), nil)
	case *ast.ChanType:
		return f.Group(code.OpApply, f.Literal("chan"), []code.Ref{f.typeExpr(x.Value)})
	case *ast.MapType:
		key := f.typeExpr(x.Key)
		return f.Group(code.OpMap, f.typeExpr(x.Value), []code.Ref{key})
	case *ast.FuncType:
		return f.funcType(x)
	case *ast.StructType:
		return f.object(x, x.Fields, true)
	case *ast.InterfaceType:
		return f.object(x, x.Methods, false)
	}
	return 0
}

// made is a new value of a type.
func (f *goFacts) made(typ code.Ref) code.Ref {
	switch t := f.Exprs[typ]; t.Op {
	case code.OpName, code.OpSelect:
		return f.Apply(code.OpMake, typ)
	case code.OpApply:
		if f.Exprs[t.X].Op != code.OpLit { // no channel
			return f.Apply(code.OpMake, typ)
		}
	default: // a list, a map
	}
	return f.Apply(code.OpAs, typ)
}

// object is a struct or interface without a name; 0 for an empty one.
func (f *goFacts) object(n ast.Node, members *ast.FieldList, fields bool) code.Ref {
	if members == nil || len(members.List) == 0 {
		return 0
	}
	scope := f.openAt(code.SpaceScope, "", f.g.pos(n), n)
	f.members(members, fields)
	f.CloseScope()
	return f.ScopeExpr(code.OpObject, scope)
}

// funcType is the type of a function.
func (f *goFacts) funcType(t *ast.FuncType) code.Ref {
	params := f.fieldTypes(t.Params)
	return f.Group(code.OpFuncType, f.tuple(f.fieldTypes(t.Results)), params)
}

// fieldTypes returns the types of a list of parameters, one for each name.
func (f *goFacts) fieldTypes(fields *ast.FieldList) []code.Ref {
	list := f.g.fields(fields)
	refs := make([]code.Ref, len(list))
	for i, r := range list {
		if i > 0 && r.at == list[i-1].at { // a, b T
			refs[i] = refs[i-1]
			continue
		}
		refs[i] = f.typeExpr(r.expr)
	}
	return refs
}

// tuple is the type of a function's results: a tuple where there are several.
func (f *goFacts) tuple(refs []code.Ref) code.Ref {
	switch len(refs) {
	case 0:
		return 0
	case 1:
		return refs[0]
	}
	return f.Group(code.OpTuple, 0, refs)
}
