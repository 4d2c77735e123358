package ecma

import (
	"fmt"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// classDeclaration reads a class declaration.
func (e factReader) classDeclaration(n syntax.Node) {
	e.classNamed(n, defaultName(n), n)
}

// classExpression reads a class expression and returns the expression of its name.
func (e factReader) classExpression(n syntax.Node) code.Ref {
	name := n.Field("name").Text()
	if name == "" {
		name = fmt.Sprintf("class@%d", e.line(n))
	}
	outer := e.Scope
	e.OpenScope(code.BlockScope, "", n.Start(), n.End()) // the name is visible only inside
	e.classNamed(n, name, n)
	ref := e.Name(name, n.Start())
	e.Exprs[ref].Line = 0 // it is not in the source
	e.Scope = outer
	return ref
}

// classNamed reads a class with a name; holder is the node that may be exported.
func (e factReader) classNamed(n syntax.Node, name string, holder syntax.Node) {
	at := n.Field("name")
	if !at.Ok() || at.Text() != name {
		at = n
	}
	for d := range n.NamedSeq() {
		if d.Is("decorator") {
			e.Walk(d)
		}
	}
	e.bind(holder, code.Def{Name: name, Kind: code.DefType, Scope: int32(len(e.Scopes)), Line: e.line(at)})
	scope := e.OpenScope(code.TypeScope, name, n.Start(), n.End())
	if offset := at.Start(); n.Parent().Is("variable_declarator") {
		e.Symbol(scope, n.Parent().Start())
	} else {
		e.Symbol(scope, offset)
	}
	e.typeParameters(n.Field("type_parameters"))
	doc := e.docOf(n)
	e.docParameters(doc)
	e.heritage(n, scope)
	e.docHeritage(doc, scope)
	e.members(n.Field("body"))
	e.CloseScope()
}

// heritage reads the extends and implements clauses of a class.
func (e factReader) heritage(n syntax.Node, scope int32) {
	add := func(t code.Ref, implements bool) {
		if t != 0 {
			e.Scopes[scope].Bases = append(e.Scopes[scope].Bases, code.Base{Type: t, Implements: implements})
		}
	}
	for c := range n.Child("class_heritage").NamedSeq() {
		switch c.Kind() {
		case "extends_clause":
			e.Scope = e.Scopes[scope].Parent // members are not visible in the extends clause
			base := e.Value(c.Field("value"))
			e.Scope = scope
			add(e.applied(base, c.Field("type_arguments")), false)
		case "implements_clause":
			for t := range c.NamedSeq() {
				add(e.Type(t), true)
			}
		default:
			add(e.Value(c), false)
		}
	}
}

// applied returns a generic type with its type arguments, if there are any.
func (e factReader) applied(x code.Ref, arguments syntax.Node) code.Ref {
	if x == 0 || !arguments.Ok() {
		return x
	}
	args := make([]code.Ref, 0, 4)
	for t := range arguments.NamedSeq() {
		args = append(args, e.Type(t))
	}
	return e.Group(code.OpApply, x, args)
}

// interfaceDeclaration reads an interface.
func (e factReader) interfaceDeclaration(n syntax.Node) {
	name := n.Field("name")
	scope := e.OpenScope(code.TypeScope, name.Text(), n.Start(), n.End())
	e.Symbol(scope, name.Start())
	e.typeParameters(n.Field("type_parameters"))
	for t := range n.Child("extends_type_clause", "extends_clause").NamedSeq() {
		if base := e.Type(t); base != 0 {
			e.Scopes[scope].Bases = append(e.Scopes[scope].Bases, code.Base{Type: base})
		}
	}
	e.members(n.Field("body"))
	e.CloseScope()
	e.bind(n, code.Def{Name: name.Text(), Kind: code.DefType, Scope: scope, Line: e.line(name), Abstract: true})
}

// alias reads type X = …: a new type if its members are listed.
func (e factReader) alias(n syntax.Node) {
	name, value := n.Field("name"), n.Field("value")
	scope := e.OpenScope(code.TypeScope, name.Text(), n.Start(), n.End())
	e.Symbol(scope, name.Start())
	e.typeParameters(n.Field("type_parameters"))
	d := code.Def{Name: name.Text(), Kind: code.DefAlias, Line: e.line(name), Scope: scope}
	if value.Is("object_type") && !value.First().Child("mapped_type_clause").Ok() {
		d.Kind, d.Abstract = code.DefType, true
		e.members(value)
	} else {
		d.Type = e.Type(value)
	}
	e.CloseScope()
	e.bind(n, d)
}

// members reads the body of a class, an interface or an object type.
func (e factReader) members(body syntax.Node) {
	for n := range body.NamedSeq() {
		switch n.Kind() {
		case "method_definition", "method_signature", "abstract_method_signature", "call_signature", "construct_signature":
			e.method(n)
		case "public_field_definition", "field_definition", "property_signature":
			e.field(n)
		case "index_signature":
			e.index(n)
		default: // static blocks, decorators
			e.Walk(n)
		}
	}
}

// method reads a method, a getter, a setter or a constructor.
func (e factReader) method(n syntax.Node) {
	at := n.Field("name")
	name, _ := e.key(at)
	offset := at.Start()
	switch n.Kind() {
	case "call_signature":
		name, offset = "()", n.Start()
	case "construct_signature":
		name, offset = "new", n.Start()
	}
	for d := range n.NamedSeq() {
		if d.Is("decorator") {
			e.Walk(d)
		}
	}
	d := code.Def{Name: name, Kind: code.DefFunc, Static: n.Has("static"), Getter: n.Has("get"), Line: int32(e.Line(offset))}
	d.Abstract = n.Is("abstract_method_signature") || !n.Field("body").Ok() && !n.Parent().Is("class_body")
	d.Scope = e.callable(n, name, offset)
	if name == "constructor" {
		e.parameterProperties(n, d.Scope)
	}
	if n.Has("set") {
		e.setter(d)
		return
	}
	e.Define(d)
}

// setter binds a setter as a field. Its function is never called by name.
func (e factReader) setter(d code.Def) {
	field := code.Def{Name: d.Name, Kind: code.DefField, Static: d.Static, Line: d.Line}
	for _, p := range e.Scopes[d.Scope].Defs {
		if p.Kind == code.DefParam {
			field.Type = p.Type
		}
	}
	d.Name = "set " + d.Name
	e.Define(d)
	if field.Type != 0 && !e.binds(field.Name) {
		e.Define(field)
	}
}

// binds reports whether the current scope binds a name.
func (e factReader) binds(name string) bool {
	return slices.ContainsFunc(e.Scopes[e.Scope].Defs, func(d code.Def) bool { return d.Name == name })
}

// parameterProperties binds the fields that a constructor's parameters declare.
func (e factReader) parameterProperties(n syntax.Node, scope int32) {
	params := e.Scopes[scope].Defs
	for p := range n.Field("parameters").NamedSeq() {
		if !p.Child("accessibility_modifier", "readonly", "override_modifier").Ok() {
			continue
		}
		name := p.Field("pattern").Text()
		for _, d := range params {
			if d.Name == name && d.Kind == code.DefParam {
				e.Define(code.Def{Name: name, Kind: code.DefField, Type: d.Type, Value: d.Value, Line: d.Line})
				break
			}
		}
	}
}

// field reads a field, whose value may be a function.
func (e factReader) field(n syntax.Node) {
	at := n.Field("name")
	if !at.Ok() {
		at = n.Field("property")
	}
	for d := range n.NamedSeq() {
		if d.Is("decorator") {
			e.Walk(d)
		}
	}
	name, _ := e.key(at)
	d := code.Def{Name: name, Kind: code.DefField, Static: n.Has("static"), Line: e.line(at), Optional: n.Has("?")}
	d.Type = e.annotated(n.Field("type"))
	if d.Type == 0 {
		d.Type = e.docType(e.docOf(n), "", "type")
	}
	v, cast := e.functionValue(n.Field("value"))
	if d.Type == 0 {
		d.Type = cast
	}
	if isFunction(v) {
		e.functionIn(e.Scope, v, n, name, d)
		return
	}
	d.Value = e.expected(v, d.Type)
	e.Define(d)
}

// index reads an index signature: the type of any other member.
func (e factReader) index(n syntax.Node) {
	if t := e.annotated(n.Field("type")); t != 0 {
		e.Define(code.Def{Name: "[]", Kind: code.DefField, Type: t, Line: e.line(n)})
	}
}

// object reads an object literal.
func (e factReader) object(n syntax.Node) code.Ref {
	outer := e.Scope
	scope := e.OpenScope(code.SpaceScope, "", n.Start(), n.End())
	for p := range n.NamedSeq() {
		e.Scope = outer
		e.objectMember(p, scope)
	}
	e.Scope = outer
	return e.ScopeExpr(code.OpObject, scope)
}

// objectWith reads the arguments of Object.create: the result has the members of the first one.
func (e factReader) objectWith(args syntax.Node) code.Ref {
	scope := e.OpenScope(code.SpaceScope, "", args.Start(), args.End())
	e.CloseScope()
	for a := range args.NamedSeq() {
		if base := e.Value(a); base != 0 && len(e.Scopes[scope].Bases) == 0 {
			e.Scopes[scope].Bases = append(e.Scopes[scope].Bases, code.Base{Type: e.Apply(code.OpTypeOf, base)})
		}
	}
	return e.ScopeExpr(code.OpObject, scope)
}

// objectMember reads one property of an object literal into its scope.
func (e factReader) objectMember(p syntax.Node, scope int32) {
	switch p.Kind() {
	case "shorthand_property_identifier":
		e.DefineIn(scope, code.Def{Name: p.Text(), Kind: code.DefField, Value: e.Name(p.Text(), p.Start()), Line: e.line(p)})
	case "method_definition":
		e.Scope = scope
		e.method(p)
	case "pair":
		e.pair(p, scope)
	case "spread_element":
		if base := e.Value(p.First()); base != 0 {
			e.Scopes[scope].Bases = append(e.Scopes[scope].Bases, code.Base{Type: e.Apply(code.OpTypeOf, base)})
		}
	default:
		e.Value(p)
	}
}

// pair reads key: value.
func (e factReader) pair(p syntax.Node, scope int32) {
	key := p.Field("key")
	name, known := e.key(key)
	v, cast := e.functionValue(p.Field("value"))
	if !known {
		e.Value(v)
		return
	}
	d := code.Def{Name: name, Kind: code.DefField, Line: e.line(key), Type: cast}
	if !isFunction(v) {
		d.Value = e.Value(v)
		e.DefineIn(scope, d)
		return
	}
	outer := e.Scope
	if !v.Is("arrow_function") { // "this" is the object
		e.Scope = scope
	}
	e.functionIn(scope, v, p, name, d)
	e.Scope = outer
}
