package cfamily

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// A declarator wraps its name in operators on the type before it (C11 6.7.6, C++ [dcl.decl]):
// *f(int) declares a function, (*f)(int) a pointer to one.

// declarator holds the parts of a declarator.
type declarator struct {
	top      syntax.Node // the whole declarator without its value
	name     syntax.Node // the unqualified name
	full     syntax.Node // the name with its qualifier
	scope    []syntax.Node
	function syntax.Node // the function_declarator around the name; zero for an object
	layer    syntax.Node // the innermost pointer or reference around the name; zero for none
}

// declaratorKinds are the kinds of declarators that contain another one.
var declaratorKinds = core.SetOf("pointer_declarator", "reference_declarator", "array_declarator", "function_declarator",
	"parenthesized_declarator", "attributed_declarator", "variadic_declarator", "init_declarator", "pointer_type_declarator",
	"structured_binding_declarator")

// nameKinds are the kinds of declared names.
var nameKinds = core.SetOf("identifier", "field_identifier", "type_identifier", "operator_name", "operator_cast", "destructor_name",
	"template_function", "template_method", "template_type", "primitive_type", "qualified_identifier", "dependent_name", "literal_suffix")

// innerDeclarator returns the declarator or name inside a declarator.
func innerDeclarator(d syntax.Node) syntax.Node {
	if !declaratorKinds[d.Kind()] {
		return syntax.Node{}
	}
	if n := d.Field("declarator"); n.Ok() {
		return n
	}
	for c := range d.NamedSeq() {
		if declaratorKinds[c.Kind()] || nameKinds[c.Kind()] {
			return c
		}
	}
	return syntax.Node{}
}

// declaratorOf splits a declarator into its parts.
func declaratorOf(n syntax.Node) declarator {
	if n.Is("init_declarator") {
		n = n.Field("declarator")
	}
	d := declarator{top: n}
	for cur := n; cur.Ok(); cur = innerDeclarator(cur) {
		switch cur.Kind() {
		case "function_declarator":
			d.function = cur
			if name := namedByMacro(cur); name.Ok() {
				d.full, d.name = name, name
				return d
			}
		case "pointer_declarator", "reference_declarator", "pointer_type_declarator":
			d.function, d.layer = syntax.Node{}, cur
		case "array_declarator":
			d.function = syntax.Node{}
		case "structured_binding_declarator":
			return d
		}
		if nameKinds[cur.Kind()] {
			d.full = cur
			break
		}
	}
	d.name = d.full
	for d.name.Is("qualified_identifier") {
		d.scope = append(d.scope, d.name.Field("scope"))
		d.name = d.name.Field("name")
	}
	if d.name.Is("operator_cast") { // its declarator is the parameter list
		for p := range d.name.Descendants() {
			if p.Is("abstract_function_declarator") {
				d.function = p
				break
			}
		}
	}
	return d
}

// namedByMacro returns the name that a macro is given for a function, as in int PREFIX(scan)(int c): no function
// returns a function, so that the first brackets are those of a macro.
func namedByMacro(function syntax.Node) syntax.Node {
	inner := function.Field("declarator")
	if !inner.Is("function_declarator") || !inner.Field("declarator").Is("identifier") {
		return syntax.Node{}
	}
	list := inner.Field("parameters")
	if p := list.First(); p.Is("parameter_declaration") && !p.Next().Next().Ok() && !p.Field("declarator").Ok() && p.Field("type").Is("type_identifier") {
		return p.Field("type")
	}
	return syntax.Node{}
}

// text returns the declared name in canonical spelling.
func (d *declarator) text() string {
	switch d.name.Kind() {
	case "operator_name":
		return operatorName(d.name.Text())
	case "operator_cast":
		text := d.name.Text()
		if d.function.Ok() {
			text = text[:max(0, d.function.Start()-d.name.Start())]
		}
		return "operator " + srctext.OneLine(strings.TrimPrefix(text, "operator"))
	case "destructor_name":
		return strings.Join(strings.Fields(d.name.Text()), "")
	}
	return srctext.OneLine(d.name.Text())
}

// operatorName returns the canonical spelling of an operator's name: operator==, operator
// new[], operator""_km.
func operatorName(text string) string {
	rest := strings.Join(strings.Fields(strings.TrimPrefix(text, "operator")), "")
	if rest != "" && rest[0] != '_' && rest[0] < 'a' {
		return "operator" + rest
	}
	if strings.Trim(rest[:min(1, len(rest))], "^|~") == "" {
		return "operator" + rest
	}
	return "operator " + rest
}

// qualifier returns the qualifier of the name, without template arguments that are the
// parameters of the template head: Foo<T>::f is a member of Foo.
func (c *reader) qualifier(d *declarator, outer syntax.Node) string {
	var parts []string
	heads := templateHeads(outer)
	for i, s := range d.scope {
		switch {
		case !s.Ok(): // ::f
			if hidden := c.hiddenBefore(d.full.Start()); i == 0 && hidden != "" {
				parts = append(parts, hidden)
			}
		case s.Is("template_type") && heads[argumentNames(s.Field("arguments"))]:
			parts = append(parts, s.Field("name").Text())
		default:
			parts = append(parts, srctext.OneLine(s.Text()))
		}
	}
	return strings.Join(parts, "::")
}

// hiddenBefore returns the word directly before the offset end if it was hidden from the
// parser: a qualifier that the grammar does not accept there.
func (c *reader) hiddenBefore(end int) string {
	start := end
	for start > 0 && start <= len(c.Rewritten) && c.Rewritten[start-1] == ' ' && c.Source[start-1] > ' ' {
		start--
	}
	return string(c.Source[start:end])
}

// hiddenWords returns the words between n and the node before it that were hidden from the
// parser.
func (c *reader) hiddenWords(n syntax.Node) string {
	p := n.Previous()
	for syntax.IsComment(p.Kind()) {
		p = p.Previous()
	}
	if !p.Ok() || p.End() > n.Start() {
		return ""
	}
	for i := p.End(); i < n.Start(); i++ {
		if c.Rewritten[i] != c.Source[i] {
			return srctext.OneLine(string(c.Source[i:n.Start()]))
		}
	}
	return ""
}

// templateHeads returns the parameter names of each template head around a declaration,
// joined.
func templateHeads(outer syntax.Node) map[string]bool {
	out := map[string]bool{}
	for t := outer; t.Is("template_declaration"); t = templated(t) {
		var names []string
		for p := range t.Field("parameters").NamedSeq() {
			names = append(names, parameterName(p))
		}
		out[strings.Join(names, ",")] = true
	}
	return out
}

// parameterName returns the name of a template parameter.
func parameterName(p syntax.Node) string {
	if n := p.Field("name"); n.Ok() {
		return n.Text()
	}
	if n := p.Field("declarator"); n.Ok() {
		d := declaratorOf(n)
		return d.text()
	}
	text := strings.TrimSpace(p.Text())
	return text[strings.LastIndexAny(text, " .>")+1:]
}

// argumentNames returns template arguments as names, joined.
func argumentNames(list syntax.Node) string {
	var names []string
	for a := range list.NamedSeq() {
		names = append(names, strings.TrimSpace(strings.TrimSuffix(a.Text(), "...")))
	}
	return strings.Join(names, ",")
}

// notType are the specifiers that are not part of a type.
var notType = core.SetOf("storage_class_specifier", "virtual", "virtual_function_specifier", "explicit_function_specifier",
	"attribute_declaration", "attribute_specifier", "ms_declspec_modifier", "ms_call_modifier", "alignas_qualifier", "alignas_specifier",
	"typedef", "friend", "inline", "extern", "using", "template", "__extension__", "access_specifier")

// notQualifier are the words that the grammar parses as type qualifiers but that are not.
var notQualifier = core.SetOf("constexpr", "consteval", "constinit", "mutable", "_Noreturn", "noreturn", "__extension__", "inline")

// specified returns the type named by the specifiers of n before end, without a body, and the
// offset after them.
func (c *reader) specified(n syntax.Node, end int) (string, int) {
	var parts []string
	last := n.Start()
	for s := range n.Children() {
		if s.Start() >= end || s.FieldName() == "declarator" {
			break
		}
		kind, text := s.Kind(), s.Text()
		if syntax.IsComment(kind) || notType[kind] || kind == "type_qualifier" && notQualifier[text] || !s.Named() {
			continue
		}
		if body := s.Field("body"); body.Ok() {
			text = text[:body.Start()-s.Start()]
		} else if alignedOnly(s) {
			continue
		}
		parts = append(parts, srctext.OneLine(text))
		last = s.End()
	}
	return strings.Join(parts, " "), last
}

func alignedOnly(s syntax.Node) bool {
	return s.Is("type_qualifier") && (s.Begins("alignas") || s.Begins("_Alignas"))
}

// objectType returns the type of the object that d declares in n, as written but without the
// name: "void (*)(int)", "char *[4]".
func (c *reader) objectType(n syntax.Node, d declarator) string {
	if !d.top.Ok() {
		text, _ := c.specified(n, n.End())
		return text
	}
	return c.typeAround(n, d.top, d.full)
}

// returnType returns the result type of the function d.
func (c *reader) returnType(n syntax.Node, d declarator) string {
	if t := d.function.Child("trailing_return_type"); t.Ok() {
		return srctext.OneLine(strings.TrimPrefix(t.Text(), "->"))
	}
	if d.name.Is("operator_cast") {
		return ""
	}
	return c.typeAround(n, d.top, d.function)
}

// typeAround returns the specifiers of n and the declarator top without the node cut.
func (c *reader) typeAround(n, top, cut syntax.Node) string {
	text, end := c.specified(n, top.Start())
	rest := c.without(top, cut)
	if top.HasError() && strings.ContainsAny(rest, "{;") {
		return text
	}
	switch {
	case rest == "":
		return text
	case text == "" || end == top.Start():
		return text + rest
	}
	return text + " " + rest
}

// without returns the text of n without the node cut and without trailing comments and
// attributes.
func (c *reader) without(n, cut syntax.Node) string {
	from, to := n.Start(), n.End()
	if !cut.Ok() {
		return srctext.OneLine(string(c.Source[from:to]))
	}
	after := string(c.Source[cut.End():to])
	for m := range n.Children() {
		if attributeKinds[m.Kind()] && m.Start() >= cut.End() {
			after = string(c.Source[cut.End():m.Start()])
			break
		}
	}
	return srctext.OneLine(string(c.Source[from:cut.Start()]) + strings.TrimLeft(after, " "))
}

// params reads a parameter list. types maps the parameters of an old-style definition to their
// declared types.
func (c *reader) params(list syntax.Node, types map[string]string) []code.Param {
	var out []code.Param
	for n := range list.NamedSeq() {
		var p code.Param
		switch n.Kind() {
		case "parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration":
			p = c.param(n)
		case "variadic_parameter":
			p = code.Param{Type: "...", Variadic: true}
		case "identifier":
			p = code.Param{Name: n.Text(), Type: types[n.Text()]}
		default:
			continue
		}
		out = append(out, p)
	}
	if list.Has("...") {
		out = append(out, code.Param{Type: "...", Variadic: true})
	}
	if len(out) == 1 && out[0] == (code.Param{Type: "void"}) {
		return nil
	}
	return out
}

func (c *reader) param(n syntax.Node) code.Param {
	p := code.Param{Variadic: n.Is("variadic_parameter_declaration")}
	top := n.Field("declarator")
	d := declaratorOf(top)
	if strings.HasPrefix(d.top.Kind(), "abstract_") {
		d.full, d.name = syntax.Node{}, syntax.Node{}
	}
	p.Type = c.objectType(n, d)
	if hidden := c.hiddenWords(n); hidden != "" && hidden != "this" && !strings.HasPrefix(hidden, "[[") {
		p.Type = hidden + " " + p.Type // a constraint, a macro
	}
	if d.name.Ok() {
		p.Name = d.text()
	}
	if v := n.Field("default_value"); v.Ok() {
		p.Default, p.Optional = srctext.OneLine(v.Text()), true
	}
	return p
}

// oldStyle returns the types of the parameters of an old-style definition, which are declared
// between its head and its body (C11 6.9.1).
func (c *reader) oldStyle(n syntax.Node) map[string]string {
	types := map[string]string{}
	for decl := range n.NamedSeq() {
		if !decl.Is("declaration") {
			continue
		}
		for top := range decl.Children() {
			if top.FieldName() == "declarator" {
				d := declaratorOf(top)
				types[d.text()] = c.objectType(decl, d)
			}
		}
	}
	return types
}
