package csharp

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// method reads a method, an operator or a finalizer.
func (c *reader) method(n syntax.Node, s declScope) code.Symbol {
	sym := c.begin(n, c.methodName(n), code.Method, s)
	if sym.Name == "" {
		return sym
	}
	body := n.Field("body")
	c.implements(&sym, n, s, body.Ok())
	if slices.Contains(modifiers(n), "partial") {
		sym.Part = !body.Ok()
	}
	sym.TypeParameters = syntax.Texts(syntax.NamedChildren(n.Child("type_parameter_list")))
	sym.Params = c.params(n.Field("parameters"))
	sym.Returns = n.Field("returns").Text()
	if sym.Returns == "" {
		sym.Returns = n.Field("type").Text()
	}
	c.Place(&sym, n, s.owner)
	c.signature(&sym, n, body)
	return sym
}

// methodName returns the name of a method: "operator +", "implicit operator string" for an
// operator, "~Type" for a finalizer.
func (c *reader) methodName(n syntax.Node) string {
	explicit := srctext.OneLine(n.Child("explicit_interface_specifier").Text())
	switch n.Kind() {
	case "operator_declaration", "conversion_operator_declaration":
		from, to := n.Child("implicit", "explicit", "operator"), n.Field("parameters")
		if !from.Ok() || !to.Ok() || to.Start() < from.Start() {
			return ""
		}
		text := srctext.OneLine(string(c.Source[from.Start():to.Start()]))
		if from.Is("operator") {
			return explicit + text
		}
		return text
	case "destructor_declaration":
		return "~" + n.Field("name").Text()
	}
	return explicit + n.Field("name").Text()
}

// implements sets the default modifiers of an interface member, and the visibility of an
// explicit interface implementation, which can only be used through the interface.
func (c *reader) implements(sym *code.Symbol, n syntax.Node, s declScope, body bool) {
	if n.Has("explicit_interface_specifier") {
		sym.Visibility, sym.Exported = code.Private, false
		return
	}
	if s.of != code.Interface {
		return
	}
	marks := modifiers(n)
	if body {
		sym.Optional = !sym.Static && sym.Visibility != code.Private
		return
	}
	sym.Abstract = sym.Abstract || !sym.Static && !slices.Contains(marks, "extern") && !slices.Contains(marks, "partial")
}

func (c *reader) constructor(n syntax.Node, s declScope) code.Symbol {
	sym := c.begin(n, n.Field("name").Text(), code.Constructor, s)
	if sym.Name == "" {
		return sym
	}
	body, initializer := n.Field("body"), n.Child("constructor_initializer")
	sym.Part = slices.Contains(modifiers(n), "partial") && !body.Ok()
	sym.Params = c.params(n.Field("parameters"))
	c.Place(&sym, n, s.owner)
	c.signature(&sym, n, body)
	if initializer.Ok() { // : base(x) is part of the body, not of the signature
		sym.Signature = c.headText(n, initializer.Start())
		sym.SignatureHash = c.headHash(n, append(attributeLists(n), body, initializer)...)
		sym.BodyHash = srctext.ShortHash([]byte(c.BodyHash(initializer) + c.BodyHash(body)))
	}
	return sym
}

// narrowSetter is a setter that not every user of the property may call.
var narrowSetter = regexp.MustCompile(`\b(?:private|protected|internal)\s+(?:(?:protected|internal)\s+)?set\b`)

// property reads a property, an indexer or an event with accessors. The accessors are part of
// the signature's text if none has a body.
func (c *reader) property(n syntax.Node, s declScope) code.Symbol {
	name := n.Field("name").Text()
	if n.Is("indexer_declaration") {
		name = "this[]"
	}
	if name == "" {
		return code.Symbol{}
	}
	name = srctext.OneLine(n.Child("explicit_interface_specifier").Text()) + name
	sym := c.begin(n, name, code.Property, s)
	accessors, value := n.Field("accessors"), n.Field("value")
	bodies, names := c.accessors(accessors)
	arrow := value.Is("arrow_expression_clause")
	c.implements(&sym, n, s, arrow || len(bodies) > 0)
	if arrow {
		names = "get"
	}
	sym.Readonly = sym.Readonly || !n.Is("event_declaration") && (!strings.Contains(names, "set") || narrowSetter.MatchString(accessors.Text()))
	sym.Returns = n.Field("type").Text()
	sym.Params = c.params(n.Field("parameters"))
	c.Place(&sym, n, s.owner)
	sym.StartLine = c.Line(c.start(n))
	end := n.End()
	switch {
	case arrow:
		end = value.Start()
		sym.BodyHash = c.BodyHash(value)
	case len(bodies) > 0:
		end = accessors.Start()
		sym.BodyHash = c.BodyHash(accessors)
	}
	sym.Signature = c.headText(n, end)
	if value.Ok() && !arrow {
		sym.Value = c.value(value)
		sym.BodyHash = srctext.ShortHash([]byte(sym.BodyHash + c.BodyHash(value)))
		if sym.Value == "" {
			sym.Signature = c.headText(n, min(end, value.Start()))
		}
	}
	head := c.headHash(n, append(attributeLists(n), accessors, value)...)
	sym.SignatureHash = srctext.ShortHash([]byte(head + names))
	sym.Part = slices.Contains(modifiers(n), "partial") && sym.BodyHash == ""
	return sym
}

// accessors returns the bodies in an accessor list, and the accessors with their modifiers in
// canonical order.
func (c *reader) accessors(list syntax.Node) (bodies []syntax.Node, names string) {
	var all []string
	for n := range list.NamedSeq() {
		if !n.Is("accessor_declaration") {
			continue
		}
		if body := n.Field("body"); body.Ok() {
			bodies = append(bodies, body)
		}
		marks := modifiers(n)
		slices.Sort(marks)
		all = append(all, strings.Join(append(marks, n.Field("name").Text()), " "))
	}
	slices.Sort(all)
	return bodies, strings.Join(all, ";")
}

// fields appends a symbol for each variable or event of a declaration.
func (c *reader) fields(out []code.Symbol, n syntax.Node, s declScope) []code.Symbol {
	declaration := n.Child("variable_declaration")
	declarators := syntax.ChildrenOf(declaration, "variable_declarator")
	kind := code.Property
	if slices.Contains(modifiers(n), "const") {
		kind = code.Const
	}
	all := c.begin(n, "", kind, s)
	c.implements(&all, n, s, !n.Is("event_field_declaration"))
	all.Optional = false
	all.Part = slices.Contains(modifiers(n), "partial")
	all.Returns = declaration.Field("type").Text()
	if len(declarators) > 1 {
		all.Signature = c.headText(n, declarators[0].Start())
		all.SignatureHash = c.headHash(n, append(attributeLists(n), declaration)...) + c.headHash(declaration.Field("type"))
	}
	for _, d := range declarators {
		sym := all
		if sym.Name = d.Field("name").Text(); sym.Name == "" {
			continue
		}
		sym.Returns += d.Child("bracketed_argument_list").Text()
		if value := initialValue(d); len(declarators) == 1 {
			c.Place(&sym, n, s.owner)
			c.valued(&sym, n, value, n.End())
		} else {
			c.variable(&sym, d, value, s.owner)
		}
		out = append(out, sym)
	}
	return out
}

// variable sets the range of one of several variables of a declaration, and adds its own text
// to the shared signature.
func (c *reader) variable(sym *code.Symbol, d, value syntax.Node, owner string) {
	c.Place(sym, d, owner)
	sym.Value, sym.BodyHash = c.value(value), c.BodyHash(value)
	sym.SignatureHash = srctext.ShortHash([]byte(sym.SignatureHash + c.headHash(d, value)))
	end := d.End()
	if value.Ok() && sym.Value == "" {
		end = value.Start()
	}
	own := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(string(c.Source[d.Start():end])), "="))
	sym.Signature += " " + c.Dedent(own, d.Start())
}

// initialValue returns the initial value of a variable.
func initialValue(d syntax.Node) syntax.Node {
	if !d.Has("=") {
		return syntax.Node{}
	}
	return d.Child("=").Next()
}

// valued sets the value of n as its body, and as its Value if it is one short line. A long
// value is not part of the signature.
func (c *reader) valued(sym *code.Symbol, n, value syntax.Node, end int) {
	sym.Value = c.value(value)
	sym.BodyHash = c.BodyHash(value)
	sym.SignatureHash = c.headHash(n, append(attributeLists(n), value)...)
	sym.StartLine = c.Line(c.start(n))
	if value.Ok() && sym.Value == "" {
		end = value.Start()
	}
	sym.Signature = c.headText(n, end)
}

// params reads a parameter list.
func (c *reader) params(list syntax.Node) []code.Param {
	var out []code.Param
	for n := range list.NamedSeq() {
		if p, ok := c.param(n); ok {
			out = append(out, p)
		}
	}
	return out
}

// param reads a parameter. A passing mode such as ref is part of its type.
func (c *reader) param(n syntax.Node) (code.Param, bool) {
	if !n.Is("parameter") {
		return code.Param{}, false
	}
	kind := n.Field("type")
	p := code.Param{Name: n.Field("name").Text(), Type: kind.Text()}
	for m := range n.Children() {
		if !m.Is("modifier") {
			continue
		}
		switch {
		case bytes.HasPrefix(c.Source[m.Start():], []byte("params")): // rewritten as another modifier
			p.Variadic = true
		case m.TextIs("this"):
		default:
			if from := m.Start(); p.Type == kind.Text() && kind.Ok() {
				p.Type = srctext.OneLine(string(c.Source[from:kind.End()]))
			}
		}
	}
	if p.Name == "__arglist" && !kind.Ok() {
		p.Variadic = true
	}
	if n.Has("=") {
		p.Default, p.Optional = srctext.OneLine(n.Child("=").Next().Text()), true
	}
	return p, true
}
