package swift

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// swiftFacts are the rules for Swift's scopes, bindings and expressions. A function
// scope has the function's full name, "go(with:and:)". A call is named by the labels of
// its arguments, "with:and:". An initialiser is named "init".
var swiftFacts = &core.FactRules{Visit: swiftVisit, Value: swiftValueRef, Type: swiftTypeRef}

// swiftVisit reads declarations and statements. It delegates expressions.
func swiftVisit(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "import_declaration", "operator_declaration", "precedence_group_declaration":
	case "class_declaration", "protocol_declaration":
		swiftTypeFacts(b, n)
	case "typealias_declaration", "associatedtype_declaration":
		swiftAlias(b, n)
	case "function_declaration", "protocol_function_declaration", "init_declaration", "deinit_declaration", "subscript_declaration":
		swiftFunctionFacts(b, n)
	case "property_declaration", "protocol_property_declaration":
		swiftPropertyFacts(b, n)
	case "enum_entry":
		swiftCases(b, n)
	case "attribute":
		swiftAttribute(b, n)
	default:
		if swiftStatement(b, n) {
			return true
		}
		if !swiftExpressions[n.Kind()] {
			return false
		}
		b.Value(n)
	}
	return true
}

// swiftName returns the text of an identifier without backticks.
func swiftName(n syntax.Node) string { return strings.Trim(n.Text(), "`") }

// swiftHas reports whether a declaration has the modifier word: "static", "override".
func swiftHas(n syntax.Node, word string) bool {
	for c := range n.Child("modifiers").Within() {
		if c.Leaf() && c.Text() == word {
			return true
		}
	}
	return false
}

// swiftTypeFacts reads a class, struct, enum, actor, protocol or extension. An
// extension belongs to the type that it names.
func swiftTypeFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	if !name.Ok() {
		b.WalkChildren(n)
		return
	}
	extension := n.Field("declaration_kind").Is("extension")
	short := swiftName(name)
	at := name
	if extension {
		at = swiftLastName(name)
		short = swiftName(at)
	}
	around := b.Scope
	owner := code.Ref(0)
	if extension {
		owner = swiftExtended(b, n, name)
	}
	scope := b.OpenScope(code.TypeScope, short, n.Start(), n.End())
	b.Symbol(scope, at.Start())
	if b.Scopes[scope].Owner = owner; !extension {
		b.DefineIn(around, code.Def{
			Name: short, Kind: code.DefType, Scope: scope, Line: int32(name.Line()), Exported: !swiftHas(n, "private") && !swiftHas(n, "fileprivate"),
			Hidden: swiftHas(n, "private") || swiftHas(n, "fileprivate"), Abstract: n.Is("protocol_declaration"),
		})
	}
	swiftTypeParams(b, n)
	b.Walk(n.Child("modifiers"))
	for _, base := range core.ChildrenOf(n, "inheritance_specifier") {
		if ref := b.Type(base.Field("inherits_from")); ref != 0 {
			b.Scopes[scope].Bases = append(b.Scopes[scope].Bases, code.Base{Type: ref})
		}
	}
	b.WalkChildren(n.Field("body"))
	b.Scope = around
}

// swiftExtended returns the type that an extension extends, applied to the element type
// that its constraints require.
func swiftExtended(b *core.FactBuilder, n, name syntax.Node) code.Ref {
	ref := b.Type(name)
	for _, c := range core.ChildrenOf(n.Child("type_constraints"), "type_constraint") {
		c = c.First()
		if c.Field("constrained_type").Says("Element") && ref != 0 {
			return b.Group(code.OpApply, ref, []code.Ref{b.Type(core.LastNamedChild(c))})
		}
	}
	return ref
}

// swiftLastName returns the last identifier of a type's name.
func swiftLastName(n syntax.Node) syntax.Node {
	last := n
	for c := range n.Inner() {
		if c.Is("type_identifier") {
			last = c
		}
	}
	return last
}

// swiftTypeParams binds type parameters with their bounds.
func swiftTypeParams(b *core.FactBuilder, n syntax.Node) {
	for _, p := range core.ChildrenOf(n.Child("type_parameters"), "type_parameter") {
		name := p.First()
		b.Define(code.Def{Name: swiftName(name), Kind: code.DefTypeParam, Line: int32(p.Line()), Type: swiftBound(b, n, p)})
	}
}

func swiftBound(b *core.FactBuilder, n, p syntax.Node) code.Ref {
	if bound := p.Field("name"); bound.Ok() {
		return b.Type(bound)
	}
	for _, c := range core.ChildrenOf(n.Child("type_constraints"), "type_constraint") {
		if c := c.Child("inheritance_constraint"); c.Field("constrained_type").Text() == p.First().Text() {
			return b.Type(c.Field("name"))
		}
	}
	return 0
}

func swiftAlias(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	d := code.Def{Name: swiftName(name), Kind: code.DefAlias, Line: int32(name.Line()), Exported: true}
	for c := range n.Inner() {
		if c.FieldName() == "name" && c != name || c.Is("must_inherit") {
			d.Type = b.Type(c)
		}
	}
	if n.Is("associatedtype_declaration") {
		d.Kind = code.DefTypeParam
	}
	b.Define(d)
}

// swiftAttribute reads @Wrapper(…) before a declaration.
func swiftAttribute(b *core.FactBuilder, n syntax.Node) {
	for c := range n.Inner() {
		if c.Is("user_type") {
			b.Type(c)
			continue
		}
		b.Walk(c)
	}
}

// swiftCases binds the cases of an enum. A case with associated values is a function
// that returns the enum.
func swiftCases(b *core.FactBuilder, n syntax.Node) {
	last := -1
	for c := range n.Inner() {
		switch {
		case c.FieldName() == "name":
			b.Define(code.Def{Name: swiftName(c), Kind: code.DefMember, Line: int32(c.Line()), Static: true, Exported: true})
			last = len(b.Scopes[b.Scope].Defs) - 1
		case c.FieldName() == "data_contents" && last >= 0:
			var parts []code.Ref
			for t := range c.Inner() {
				if !t.Is("simple_identifier") {
					parts = append(parts, b.Type(t))
				}
			}
			contents := b.Group(code.OpTuple, 0, parts)
			b.Scopes[b.Scope].Defs[last].Value = contents
		default:
			b.Walk(c)
		}
	}
}

// swiftFunctionFacts reads a function, initialiser or subscript.
func swiftFunctionFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	short := swiftName(name)
	at := name
	switch n.Kind() {
	case "init_declaration":
		short = "init"
	case "deinit_declaration":
		short, at = "deinit", n
	case "subscript_declaration":
		short, at, name = "subscript", n, syntax.Node{}
	}
	if !at.Ok() {
		at = n
	}
	body := n.Field("body")
	around := b.Scope
	scope := b.OpenScope(code.FuncScope, short, n.Start(), n.End())
	member := b.Scopes[around].Kind == code.TypeScope
	b.DefineIn(around, code.Def{
		Name: short, Kind: code.DefFunc, Scope: scope, Line: int32(at.Line()),
		Static:   swiftHas(n, "static") || swiftHas(n, "class"),
		Abstract: member && n.Around("class_declaration", "protocol_declaration").Is("protocol_declaration"),
		Exported: !swiftHas(n, "private") && !swiftHas(n, "fileprivate"), Hidden: !member && (swiftHas(n, "private") || swiftHas(n, "fileprivate")),
	})
	if member || b.Scopes[around].Kind == code.FileScope {
		b.Symbol(scope, at.Start())
	}
	swiftTypeParams(b, n)
	labels := swiftParams(b, n)
	result := b.Type(swiftResult(n, name))
	s := &b.Scopes[scope]
	s.Name, s.Result, s.Body = short+"("+labels+")", result, body.Ok() || n.Is("subscript_declaration", "deinit_declaration")
	b.Walk(n.Child("modifiers"))
	swiftBodyFacts(b, body)
	for c := range n.Inner() {
		if c.Is("computed_property") {
			swiftAccessorFacts(b, c, result)
		}
	}
	b.CloseScope()
}

// swiftResult returns the node of a function's result type.
func swiftResult(n, name syntax.Node) syntax.Node {
	var result syntax.Node
	for c := range n.Inner() {
		if c.FieldName() == "name" && c != name && !c.Is("simple_identifier") {
			result = c
		}
	}
	return result
}

// swiftParams binds parameters and returns the labels of their arguments.
func swiftParams(b *core.FactBuilder, n syntax.Node) string {
	var labels strings.Builder
	last := -1
	for c := range n.Children() {
		switch {
		case c.Is("parameter"):
			label, d := swiftParam(b, c)
			labels.WriteString(label + ":")
			b.Define(d)
			last = len(b.Scopes[b.Scope].Defs) - 1
		case c.FieldName() == "default_value" && last >= 0:
			value := b.Value(c)
			d := &b.Scopes[b.Scope].Defs[last]
			d.Value, d.Optional = value, true
		}
	}
	return labels.String()
}

func swiftParam(b *core.FactBuilder, p syntax.Node) (label string, d code.Def) {
	d = code.Def{Kind: code.DefParam, Line: int32(p.Line()), Variadic: strings.HasSuffix(strings.TrimSpace(p.Text()), "...")}
	for c := range p.Inner() {
		switch {
		case c.FieldName() == "external_name":
			label = swiftName(c)
		case c.Is("simple_identifier") && d.Name == "":
			d.Name = swiftName(c)
		case c.Is("parameter_modifiers"):
		default:
			d.Type = b.Type(c)
		}
	}
	if label == "" {
		label = d.Name
	}
	return label, d
}

// swiftBodyFacts reads the body of a function. A single expression is its result.
func swiftBodyFacts(b *core.FactBuilder, body syntax.Node) {
	if body.Is("function_body", "computed_property", "computed_getter", "computed_setter", "willset_clause", "didset_clause") {
		body = body.Child("statements")
	}
	list := core.NamedChildren(body)
	if len(list) == 1 && swiftExpressions[list[0].Kind()] {
		b.Returns(b.Value(list[0]))
		return
	}
	b.WalkChildren(body)
}

// swiftTypeRef returns the type that n names.
func swiftTypeRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "user_type":
		return swiftUserType(b, n)
	case "type_identifier", "simple_identifier":
		return swiftTypeName(b, n, 0)
	case "optional_type":
		return b.Type(n.Field("wrapped"))
	case "array_type":
		return b.Group(code.OpList, b.Type(n.Field("name")), nil)
	case "dictionary_type":
		types := core.NamedChildren(n)
		if len(types) < 2 {
			return 0
		}
		return b.Group(code.OpMap, b.Type(types[1]), []code.Ref{b.Type(types[0])})
	case "tuple_type":
		parts := swiftTupleTypes(b, n)
		if len(parts) == 1 {
			return parts[0]
		}
		return b.Group(code.OpTuple, 0, parts)
	case "function_type":
		return b.Group(code.OpFuncType, b.Type(n.Field("name")), swiftTupleTypes(b, n.Field("params")))
	case "type_modifiers", "attribute", "":
		return 0
	}
	if last := core.LastNamedChild(n); last.Ok() { // some T, any T, (T)
		return b.Type(last)
	}
	return 0
}

func swiftTupleTypes(b *core.FactBuilder, n syntax.Node) []code.Ref {
	var out []code.Ref
	for item := range n.Inner() {
		if item.Is("tuple_type_item") {
			item = core.LastNamedChild(item)
		}
		out = append(out, b.Type(item))
	}
	return out
}

// swiftTypeName returns the type with a simple name. Self is the type of the receiver.
func swiftTypeName(b *core.FactBuilder, n syntax.Node, args int) code.Ref {
	if n.Says("Self") {
		return b.ThisAt(n)
	}
	return b.TypeName(swiftName(n), n.Start(), args)
}

// swiftUserType reads A.B<C>.
func swiftUserType(b *core.FactBuilder, n syntax.Node) code.Ref {
	var ref code.Ref
	for c := range n.Inner() {
		switch {
		case c.Is("type_identifier") && ref == 0:
			ref = swiftTypeName(b, c, 0)
		case c.Is("type_identifier"):
			ref = b.Select(ref, swiftName(c), c.Start())
		case c.Is("type_arguments"):
			args := make([]code.Ref, 0, 2)
			for a := range c.Inner() {
				args = append(args, b.Type(a))
			}
			ref = b.Group(code.OpApply, ref, args)
		}
	}
	return ref
}
