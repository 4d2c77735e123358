package swift

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// facts are the rules for Swift's scopes, bindings and expressions. A function
// scope has the function's full name, "go(with:and:)". A call is named by the labels of
// its arguments, "with:and:". An initialiser is named "init".
var facts = &core.FactRules{Visit: visit, Value: valueRef, Type: typeRef}

// visit reads declarations and statements. It delegates expressions.
func visit(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "import_declaration", "operator_declaration", "precedence_group_declaration":
	case "class_declaration", "protocol_declaration":
		typeFacts(b, n)
	case "typealias_declaration", "associatedtype_declaration":
		aliasFacts(b, n)
	case "function_declaration", "protocol_function_declaration", "init_declaration", "deinit_declaration", "subscript_declaration":
		functionFacts(b, n)
	case "property_declaration", "protocol_property_declaration":
		propertyFacts(b, n)
	case "enum_entry":
		caseFacts(b, n)
	case "attribute":
		attribute(b, n)
	default:
		if statement(b, n) {
			return true
		}
		if !expressions[n.Kind()] {
			return false
		}
		b.Value(n)
	}
	return true
}

// nameText returns the text of an identifier without backticks.
func nameText(n syntax.Node) string { return strings.Trim(n.Text(), "`") }

// hasModifier reports whether a declaration has the modifier word: "static", "override".
func hasModifier(n syntax.Node, word string) bool {
	for c := range n.Child("modifiers").Descendants() {
		if c.Leaf() && c.Text() == word {
			return true
		}
	}
	return false
}

// typeFacts reads a class, struct, enum, actor, protocol or extension. An
// extension belongs to the type that it names.
func typeFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	if !name.Ok() {
		b.WalkChildren(n)
		return
	}
	extension := n.Field("declaration_kind").Is("extension")
	short := nameText(name)
	at := name
	if extension {
		at = lastName(name)
		short = nameText(at)
	}
	around := b.Scope
	owner := code.Ref(0)
	if extension {
		owner = extendedRef(b, n, name)
	}
	scope := b.OpenScope(code.TypeScope, short, n.Start(), n.End())
	b.Symbol(scope, at.Start())
	if b.Scopes[scope].Owner = owner; !extension {
		b.DefineIn(around, code.Def{
			Name: short, Kind: code.DefType, Scope: scope, Line: int32(name.Line()), Exported: !hasModifier(n, "private") && !hasModifier(n, "fileprivate"),
			Hidden: hasModifier(n, "private") || hasModifier(n, "fileprivate"), Abstract: n.Is("protocol_declaration"),
		})
	}
	typeParams(b, n)
	b.Walk(n.Child("modifiers"))
	for _, base := range syntax.ChildrenOf(n, "inheritance_specifier") {
		if ref := b.Type(base.Field("inherits_from")); ref != 0 {
			b.Scopes[scope].Bases = append(b.Scopes[scope].Bases, code.Base{Type: ref})
		}
	}
	b.WalkChildren(n.Field("body"))
	b.Scope = around
}

// extendedRef returns the type that an extension extends, applied to the element type
// that its constraints require.
func extendedRef(b *core.FactBuilder, n, name syntax.Node) code.Ref {
	ref := b.Type(name)
	for _, c := range syntax.ChildrenOf(n.Child("type_constraints"), "type_constraint") {
		c = c.First()
		if c.Field("constrained_type").TextIs("Element") && ref != 0 {
			return b.Group(code.OpApply, ref, []code.Ref{b.Type(syntax.LastNamedChild(c))})
		}
	}
	return ref
}

// lastName returns the last identifier of a type's name.
func lastName(n syntax.Node) syntax.Node {
	last := n
	for c := range n.NamedSeq() {
		if c.Is("type_identifier") {
			last = c
		}
	}
	return last
}

// typeParams binds type parameters with their bounds.
func typeParams(b *core.FactBuilder, n syntax.Node) {
	for _, p := range syntax.ChildrenOf(n.Child("type_parameters"), "type_parameter") {
		name := p.First()
		b.Define(code.Def{Name: nameText(name), Kind: code.DefTypeParam, Line: int32(p.Line()), Type: boundRef(b, n, p)})
	}
}

func boundRef(b *core.FactBuilder, n, p syntax.Node) code.Ref {
	if bound := p.Field("name"); bound.Ok() {
		return b.Type(bound)
	}
	for _, c := range syntax.ChildrenOf(n.Child("type_constraints"), "type_constraint") {
		if c := c.Child("inheritance_constraint"); c.Field("constrained_type").Text() == p.First().Text() {
			return b.Type(c.Field("name"))
		}
	}
	return 0
}

func aliasFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	d := code.Def{Name: nameText(name), Kind: code.DefAlias, Line: int32(name.Line()), Exported: true}
	for c := range n.NamedSeq() {
		if c.FieldName() == "name" && c != name || c.Is("must_inherit") {
			d.Type = b.Type(c)
		}
	}
	if n.Is("associatedtype_declaration") {
		d.Kind = code.DefTypeParam
	}
	b.Define(d)
}

// attribute reads @Wrapper(…) before a declaration.
func attribute(b *core.FactBuilder, n syntax.Node) {
	for c := range n.NamedSeq() {
		if c.Is("user_type") {
			b.Type(c)
			continue
		}
		b.Walk(c)
	}
}

// caseFacts binds the cases of an enum. A case with associated values is a function
// that returns the enum.
func caseFacts(b *core.FactBuilder, n syntax.Node) {
	last := -1
	for c := range n.NamedSeq() {
		switch {
		case c.FieldName() == "name":
			b.Define(code.Def{Name: nameText(c), Kind: code.DefMember, Line: int32(c.Line()), Static: true, Exported: true})
			last = len(b.Scopes[b.Scope].Defs) - 1
		case c.FieldName() == "data_contents" && last >= 0:
			var parts []code.Ref
			for t := range c.NamedSeq() {
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

// functionFacts reads a function, initialiser or subscript.
func functionFacts(b *core.FactBuilder, n syntax.Node) {
	name := n.Field("name")
	short := nameText(name)
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
		Static:   hasModifier(n, "static") || hasModifier(n, "class"),
		Abstract: member && n.Ancestor("class_declaration", "protocol_declaration").Is("protocol_declaration"),
		Exported: !hasModifier(n, "private") && !hasModifier(n, "fileprivate"), Hidden: !member && (hasModifier(n, "private") || hasModifier(n, "fileprivate")),
	})
	if member || b.Scopes[around].Kind == code.FileScope {
		b.Symbol(scope, at.Start())
	}
	typeParams(b, n)
	labels := paramFacts(b, n)
	result := b.Type(resultNode(n, name))
	s := &b.Scopes[scope]
	s.Name, s.Result, s.Body = short+"("+labels+")", result, body.Ok() || n.Is("subscript_declaration", "deinit_declaration")
	b.Walk(n.Child("modifiers"))
	bodyFacts(b, body)
	for c := range n.NamedSeq() {
		if c.Is("computed_property") {
			accessorFacts(b, c, result)
		}
	}
	b.CloseScope()
}

// resultNode returns the node of a function's result type.
func resultNode(n, name syntax.Node) syntax.Node {
	var result syntax.Node
	for c := range n.NamedSeq() {
		if c.FieldName() == "name" && c != name && !c.Is("simple_identifier") {
			result = c
		}
	}
	return result
}

// paramFacts binds parameters and returns the labels of their arguments.
func paramFacts(b *core.FactBuilder, n syntax.Node) string {
	var labels strings.Builder
	last := -1
	for c := range n.Children() {
		switch {
		case c.Is("parameter"):
			label, d := param(b, c)
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

func param(b *core.FactBuilder, p syntax.Node) (label string, d code.Def) {
	d = code.Def{Kind: code.DefParam, Line: int32(p.Line()), Variadic: strings.HasSuffix(strings.TrimSpace(p.Text()), "...")}
	for c := range p.NamedSeq() {
		switch {
		case c.FieldName() == "external_name":
			label = nameText(c)
		case c.Is("simple_identifier") && d.Name == "":
			d.Name = nameText(c)
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

// bodyFacts reads the body of a function. A single expression is its result.
func bodyFacts(b *core.FactBuilder, body syntax.Node) {
	if body.Is("function_body", "computed_property", "computed_getter", "computed_setter", "willset_clause", "didset_clause") {
		body = body.Child("statements")
	}
	list := syntax.NamedChildren(body)
	if len(list) == 1 && expressions[list[0].Kind()] {
		b.Returns(b.Value(list[0]))
		return
	}
	b.WalkChildren(body)
}

// typeRef returns the type that n names.
func typeRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "user_type":
		return userType(b, n)
	case "type_identifier", "simple_identifier":
		return typeName(b, n, 0)
	case "optional_type":
		return b.Type(n.Field("wrapped"))
	case "array_type":
		return b.Group(code.OpList, b.Type(n.Field("name")), nil)
	case "dictionary_type":
		types := syntax.NamedChildren(n)
		if len(types) < 2 {
			return 0
		}
		return b.Group(code.OpMap, b.Type(types[1]), []code.Ref{b.Type(types[0])})
	case "tuple_type":
		parts := tupleTypes(b, n)
		if len(parts) == 1 {
			return parts[0]
		}
		return b.Group(code.OpTuple, 0, parts)
	case "function_type":
		return b.Group(code.OpFuncType, b.Type(n.Field("name")), tupleTypes(b, n.Field("params")))
	case "type_modifiers", "attribute", "":
		return 0
	}
	if last := syntax.LastNamedChild(n); last.Ok() { // some T, any T, (T)
		return b.Type(last)
	}
	return 0
}

func tupleTypes(b *core.FactBuilder, n syntax.Node) []code.Ref {
	var out []code.Ref
	for item := range n.NamedSeq() {
		if item.Is("tuple_type_item") {
			item = syntax.LastNamedChild(item)
		}
		out = append(out, b.Type(item))
	}
	return out
}

// typeName returns the type with a simple name. Self is the type of the receiver.
func typeName(b *core.FactBuilder, n syntax.Node, args int) code.Ref {
	if n.TextIs("Self") {
		return b.ThisAt(n)
	}
	return b.TypeName(nameText(n), n.Start(), args)
}

// userType reads A.B<C>.
func userType(b *core.FactBuilder, n syntax.Node) code.Ref {
	var ref code.Ref
	for c := range n.NamedSeq() {
		switch {
		case c.Is("type_identifier") && ref == 0:
			ref = typeName(b, c, 0)
		case c.Is("type_identifier"):
			ref = b.Select(ref, nameText(c), c.Start())
		case c.Is("type_arguments"):
			args := make([]code.Ref, 0, 2)
			for a := range c.NamedSeq() {
				args = append(args, b.Type(a))
			}
			ref = b.Group(code.OpApply, ref, args)
		}
	}
	return ref
}
