package golang

import (
	"go/ast"
	"go/token"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// typeSpec binds a type. A type that is neither struct nor interface has its underlying type
// in Def.Type, and a scope for its methods.
func (f *factReader) typeSpec(s *ast.TypeSpec) {
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

// members binds the fields of a struct or the methods of an interface. An embedded type is a
// base, and in a struct also a field. Types are resolved outside the scope of the fields.
func (f *factReader) members(list *ast.FieldList, fields bool) {
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

// isMethod reports whether m is a method "Close() error" in an interface, not a field "Close
// func() error" in a struct: it lacks the keyword.
func isMethod(m field, fn *ast.FuncType) bool {
	return !fn.Func.IsValid() && len(m.at.Names) == 1
}

// isTypeSet reports whether an embedded type is a type set, which has no methods.
func isTypeSet(t ast.Expr) bool {
	switch x := t.(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.UnaryExpr:
		return x.Op == token.TILDE
	}
	return false
}

// abstract binds an interface method.
func (f *factReader) abstract(id *ast.Ident, t *ast.FuncType) {
	scope := f.openAt(code.FuncScope, id.Name, f.g.pos(id), t)
	f.Symbol(scope, f.at(f.g.pos(id)))
	f.signature(scope, t)
	f.CloseScope()
	if def := f.bind(id, code.DefFunc, 0); def != nil {
		def.Scope, def.Abstract = scope, true
	}
}

// typeExpr returns the type that an expression denotes; 0 if nothing is known of it.
func (f *factReader) typeExpr(x ast.Expr) code.Ref {
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
		return f.typeLiteral(x)
	}
}

// typeLiteral is like [factReader.typeExpr] for a type literal.
func (f *factReader) typeLiteral(x ast.Expr) code.Ref {
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

// newValue returns a new value of a type.
func (f *factReader) newValue(typ code.Ref) code.Ref {
	switch t := f.Exprs[typ]; t.Op {
	case code.OpName, code.OpSelect:
		return f.Apply(code.OpMake, typ)
	case code.OpApply:
		if f.Exprs[t.X].Op != code.OpLit { // not a channel
			return f.Apply(code.OpMake, typ)
		}
	default: // a list, a map
	}
	return f.Apply(code.OpAs, typ)
}

// object returns an unnamed struct or interface; 0 for an empty one.
func (f *factReader) object(n ast.Node, members *ast.FieldList, fields bool) code.Ref {
	if members == nil || len(members.List) == 0 {
		return 0
	}
	scope := f.openAt(code.SpaceScope, "", f.g.pos(n), n)
	f.members(members, fields)
	f.CloseScope()
	return f.ScopeExpr(code.OpObject, scope)
}

// funcType returns a function type.
func (f *factReader) funcType(t *ast.FuncType) code.Ref {
	params := f.fieldTypes(t.Params)
	return f.Group(code.OpFuncType, f.tuple(f.fieldTypes(t.Results)), params)
}

// fieldTypes returns the types of a parameter list, one per name.
func (f *factReader) fieldTypes(fields *ast.FieldList) []code.Ref {
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

// tuple returns the result type of a function: a tuple if there are several results.
func (f *factReader) tuple(refs []code.Ref) code.Ref {
	switch len(refs) {
	case 0:
		return 0
	case 1:
		return refs[0]
	}
	return f.Group(code.OpTuple, 0, refs)
}
