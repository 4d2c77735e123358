package php

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var phpKinds = map[string]code.Kind{
	"class_declaration":     code.Class,
	"interface_declaration": code.Interface,
	"trait_declaration":     code.Trait,
	"enum_declaration":      code.Enum,
}

// phpScope is the class, interface, trait or enumeration that members stand in.
type phpScope struct {
	owner    string
	of       code.Kind
	readonly bool // a readonly class: so are its properties
}

func (p *phpReader) classLike(n syntax.Node) code.Symbol {
	h := p.headOf(n)
	sym := p.begin(n, h, p.qualified(n.Field("name").Text()), phpKinds[n.Kind()])
	if sym.Name == "" {
		return sym
	}
	body := n.Field("body")
	sym.Bases = phpBases(n, body)
	if sym.Kind == code.Enum { // the type of its values
		sym.Returns = n.Child("primitive_type").Text()
	}
	p.Place(&sym, n, "")
	p.signature(&sym, n, body, h)
	sym.BodyHash = p.adaptations(body)
	s := phpScope{sym.Name, sym.Kind, sym.Readonly}
	sym.Members = p.members(body, s, 0)
	return sym
}

// phpBases returns what a class extends and implements, and the traits it uses.
func phpBases(n, body syntax.Node) []string {
	bases := core.Texts(core.NamedChildren(n.Child("base_clause")))
	bases = append(bases, core.Texts(core.NamedChildren(n.Child("class_interface_clause")))...)
	for c := range body.Inner() {
		if !c.Is("use_declaration") {
			continue
		}
		for t := range c.Inner() {
			if !t.Is("use_list") && !slices.Contains(bases, t.Text()) {
				bases = append(bases, t.Text())
			}
		}
	}
	return bases
}

// adaptations returns the hash of what a class changes of its traits; the rest of
// its body is its members.
func (p *phpReader) adaptations(body syntax.Node) string {
	var all []string
	for c := range body.Inner() {
		if c.Is("use_declaration") && c.Has("use_list") {
			all = append(all, p.Hash(c))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return core.ShortHash([]byte(strings.Join(all, " ")))
}

func (p *phpReader) members(body syntax.Node, s phpScope, depth int) []code.Symbol {
	var out []code.Symbol
	for n := range body.Inner() {
		switch n.Kind() {
		case "const_declaration":
			out = append(out, p.constants(n, s.owner)...)
		case "property_declaration":
			out = append(out, p.properties(n, s)...)
		case "method_declaration", "function_definition":
			out = append(out, p.method(n, s)...)
		case "enum_case":
			out = append(out, p.enumCase(n, s)...)
		case "ERROR":
			if depth < core.MaxNesting {
				out = append(out, p.members(n, s, depth+1)...)
			}
		}
	}
	return out
}

// method reads a method; that of a constructor is followed by the properties
// that its parameters declare.
func (p *phpReader) method(n syntax.Node, s phpScope) []code.Symbol {
	h := p.headOf(n)
	sym := p.begin(n, h, n.Field("name").Text(), code.Method)
	if sym.Name == "" {
		return nil
	}
	body := n.Field("body")
	sym.Abstract = sym.Abstract || s.of == code.Interface && !body.Ok()
	p.Place(&sym, n, s.owner)
	p.callable(&sym, n, h)
	if !strings.EqualFold(sym.Name, "__construct") {
		return core.NamedSymbol(sym)
	}
	sym.Kind = code.Constructor
	return append(core.NamedSymbol(sym), p.promoted(n, s)...)
}

func (p *phpReader) function(n syntax.Node) code.Symbol {
	h := p.headOf(n)
	sym := p.begin(n, h, p.qualified(n.Field("name").Text()), code.Function)
	if sym.Name == "" {
		return sym
	}
	p.Place(&sym, n, "")
	p.callable(&sym, n, h)
	return sym
}

// callable fills what functions and methods have.
func (p *phpReader) callable(sym *code.Symbol, n syntax.Node, h phpHead) {
	sym.Params = phpParams(n.Field("parameters"))
	sym.Returns = n.Field("return_type").Text()
	p.signature(sym, n, n.Field("body"), h)
}

// byReference is the mode of a parameter that the function may set for its
// caller.
const byReference = "reference"

// phpParams reads a list of parameters. Names are those by which arguments may be
// given, without "$".
func phpParams(list syntax.Node) []code.Param {
	var out []code.Param
	for n := range list.Inner() {
		if !n.Is("simple_parameter", "variadic_parameter", "property_promotion_parameter") {
			continue
		}
		param := code.Param{
			Name: phpVariableName(n.Field("name")), Type: n.Field("type").Text(), Default: n.Field("default_value").Text(),
			Variadic: n.Is("variadic_parameter"),
		}
		param.Optional = param.Default != ""
		if n.Has("reference_modifier") || n.Field("name").Is("by_ref") {
			param.Mode = byReference
		}
		out = append(out, param)
	}
	return out
}

func phpVariableName(n syntax.Node) string { return strings.TrimLeft(n.Text(), "&$ ") }

// promoted returns the properties that a constructor's parameters declare
// (PHP 8.0).
func (p *phpReader) promoted(n syntax.Node, s phpScope) []code.Symbol {
	var out []code.Symbol
	for param := range n.Field("parameters").Inner() {
		h := p.headOf(param)
		if before := p.Source[:param.Start()]; p.hiddenFinal(before) { // promotes, too (PHP 8.5)
			h.modifiers = append(h.modifiers, "final")
			h.start = bytes.LastIndexAny(before, "fF")
		}
		if len(h.modifiers) == 0 {
			continue
		}
		name := param.Field("name")
		sym := p.begin(param, h, phpVariableName(name), code.Property)
		if sym.Name == "" {
			continue
		}
		sym.Readonly = sym.Readonly || s.readonly
		sym.Returns = param.Field("type").Text()
		p.Place(&sym, param, s.owner)
		sym.StartLine = p.Line(h.start)
		sym.Signature = p.headText(h.start, name.End())
		sym.SignatureHash = p.Hash(param, append(phpAttributes(param), param.Field("default_value"))...)
		p.hooked(&sym, name, h)
		out = append(out, sym)
	}
	return out
}

// hiddenFinal tells a text that ends with a final that the parser was not shown.
func (p *phpReader) hiddenFinal(text []byte) bool {
	const word = "final"
	text = bytes.TrimRight(text, " \t\r\n")
	at := len(text) - len(word)
	return len(p.marks) > 0 && at > 0 && strings.EqualFold(string(text[at:]), word) && !core.NameByte(text[at-1]) && text[at-1] != '$'
}

func (p *phpReader) headText(from, to int) string { return p.Head(from, to, "; = {") }

// properties reads the properties of one declaration: a symbol for each.
func (p *phpReader) properties(n syntax.Node, s phpScope) []code.Symbol {
	d := p.declaration(n, "property_element", s.owner)
	var out []code.Symbol
	for _, e := range d.elements {
		name := e.Child("variable_name")
		sym := p.begin(n, d.head, phpVariableName(name), code.Property)
		if sym.Name == "" {
			continue
		}
		sym.Readonly = sym.Readonly || s.readonly && !sym.Static
		sym.Returns = n.Field("type").Text()
		p.element(&sym, n, e, e.Child("property_initializer").First(), d)
		p.hooked(&sym, name, d.head)
		sym.Abstract = sym.Abstract || s.of == code.Interface
		out = append(out, sym)
	}
	return out
}

// constants reads the constants of one declaration.
func (p *phpReader) constants(n syntax.Node, owner string) []code.Symbol {
	d := p.declaration(n, "const_element", owner)
	var out []code.Symbol
	for _, e := range d.elements {
		name, value := constElement(e)
		sym := p.begin(n, d.head, name, code.Const)
		if sym.Name == "" {
			continue
		}
		if owner == "" {
			sym.Name = p.qualified(sym.Name)
		} else {
			sym.Static = true
		}
		sym.Returns = n.Field("type").Text()
		p.element(&sym, n, e, value, d)
		out = append(out, sym)
	}
	return out
}

// constElement returns the name of a constant and what it is set to.
func constElement(e syntax.Node) (name string, value syntax.Node) {
	parts := core.NamedChildren(e)
	if len(parts) == 0 {
		return "", syntax.Node{}
	}
	if len(parts) > 1 {
		value = parts[len(parts)-1]
	}
	return parts[0].Text(), value
}

// element places one of the things that the declaration n declares, and fills its
// signature: the words that all of them share, and its own. A value is part of
// the text when it is one short line, and of the body's hash.
func (p *phpReader) element(sym *code.Symbol, n, e, value syntax.Node, d phpDeclaration) {
	sym.Value = phpValue(value)
	sym.BodyHash = p.Hash(value)
	sym.SignatureHash = core.ShortHash([]byte(d.shared + p.Hash(e, value)))
	end := e.End()
	if value.Ok() && sym.Value == "" {
		end = value.Start()
	}
	if len(d.elements) == 1 {
		p.Place(sym, n, d.owner)
		sym.StartLine = p.Line(d.head.start)
		sym.Signature = p.headText(d.head.start, end)
		return
	}
	p.Place(sym, e, d.owner)
	sym.Signature = p.headText(d.head.start, d.elements[0].Start()) + " " + p.headText(e.Start(), end)
}

// phpDeclaration is what several properties or constants share.
type phpDeclaration struct {
	head     phpHead
	owner    string
	elements []syntax.Node
	shared   string // the hash of what they share
}

func (p *phpReader) declaration(n syntax.Node, element, owner string) phpDeclaration {
	d := phpDeclaration{head: p.headOf(n), owner: owner, elements: core.ChildrenOf(n, element)}
	d.shared = p.Hash(n, append(phpAttributes(n), d.elements...)...)
	return d
}

// phpValue is [core.PlainValue] of what is no text of several lines.
func phpValue(n syntax.Node) string {
	for c := range n.Within() {
		if c.Is("heredoc", "nowdoc") {
			return ""
		}
	}
	return core.PlainValue(n)
}
