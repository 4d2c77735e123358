package php

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var kinds = map[string]code.Kind{
	"class_declaration":     code.Class,
	"interface_declaration": code.Interface,
	"trait_declaration":     code.Trait,
	"enum_declaration":      code.Enum,
}

// memberScope is the class, interface, trait or enumeration around members.
type memberScope struct {
	owner    string
	of       code.Kind
	readonly bool // the class is readonly, and so are its properties
}

func (p *reader) classLike(n syntax.Node) code.Symbol {
	h := p.headOf(n)
	sym := p.begin(n, h, p.qualified(n.Field("name").Text()), kinds[n.Kind()])
	if sym.Name == "" {
		return sym
	}
	body := n.Field("body")
	sym.Bases = basesOf(n, body)
	if sym.Kind == code.Enum { // type of the backing values
		sym.Returns = n.Child("primitive_type").Text()
	}
	p.Place(&sym, n, "")
	p.signature(&sym, n, body, h)
	sym.BodyHash = p.adaptations(body)
	s := memberScope{sym.Name, sym.Kind, sym.Readonly}
	sym.Members = p.members(body, s, 0)
	return sym
}

// basesOf returns the base class, the interfaces and the traits of a class.
func basesOf(n, body syntax.Node) []string {
	bases := syntax.Texts(syntax.NamedChildren(n.Child("base_clause")))
	bases = append(bases, syntax.Texts(syntax.NamedChildren(n.Child("class_interface_clause")))...)
	for c := range body.NamedSeq() {
		if !c.Is("use_declaration") {
			continue
		}
		for t := range c.NamedSeq() {
			if !t.Is("use_list") && !slices.Contains(bases, t.Text()) {
				bases = append(bases, t.Text())
			}
		}
	}
	return bases
}

// adaptations returns the hash of the trait adaptations in a class body. The rest of
// the body is hashed through its members.
func (p *reader) adaptations(body syntax.Node) string {
	var all []string
	for c := range body.NamedSeq() {
		if c.Is("use_declaration") && c.Has("use_list") {
			all = append(all, p.BodyHash(c))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return srctext.ShortHash([]byte(strings.Join(all, " ")))
}

func (p *reader) members(body syntax.Node, s memberScope, depth int) []code.Symbol {
	var out []code.Symbol
	for n := range body.NamedSeq() {
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

// method reads a method. The properties that a constructor's parameters declare follow
// it in the result.
func (p *reader) method(n syntax.Node, s memberScope) []code.Symbol {
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

func (p *reader) function(n syntax.Node) code.Symbol {
	h := p.headOf(n)
	sym := p.begin(n, h, p.qualified(n.Field("name").Text()), code.Function)
	if sym.Name == "" {
		return sym
	}
	p.Place(&sym, n, "")
	p.callable(&sym, n, h)
	return sym
}

// callable sets the parameters, result and signature of a function or method.
func (p *reader) callable(sym *code.Symbol, n syntax.Node, h declarationHead) {
	sym.Params = params(n.Field("parameters"))
	sym.Returns = n.Field("return_type").Text()
	p.signature(sym, n, n.Field("body"), h)
}

// byReference is the mode of a parameter that is passed by reference.
const byReference = "reference"

// params reads a parameter list. Names have no "$", as in named arguments.
func params(list syntax.Node) []code.Param {
	var out []code.Param
	for n := range list.NamedSeq() {
		if !n.Is("simple_parameter", "variadic_parameter", "property_promotion_parameter") {
			continue
		}
		param := code.Param{
			Name: variableName(n.Field("name")), Type: n.Field("type").Text(), Default: n.Field("default_value").Text(),
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

func variableName(n syntax.Node) string { return strings.TrimLeft(n.Text(), "&$ ") }

// promoted returns the properties that a constructor's parameters declare (PHP 8.0).
func (p *reader) promoted(n syntax.Node, s memberScope) []code.Symbol {
	var out []code.Symbol
	for param := range n.Field("parameters").NamedSeq() {
		h := p.headOf(param)
		if before := p.Source[:param.Start()]; p.hiddenFinal(before) { // final also promotes (PHP 8.5)
			h.modifiers = append(h.modifiers, "final")
			h.start = bytes.LastIndexAny(before, "fF")
		}
		if len(h.modifiers) == 0 {
			continue
		}
		name := param.Field("name")
		sym := p.begin(param, h, variableName(name), code.Property)
		if sym.Name == "" {
			continue
		}
		sym.Readonly = sym.Readonly || s.readonly
		sym.Returns = param.Field("type").Text()
		p.Place(&sym, param, s.owner)
		sym.StartLine = p.Line(h.start)
		sym.Signature = p.headText(h.start, name.End())
		sym.SignatureHash = p.Hash(param, append(attributeLists(param), param.Field("default_value"))...)
		p.hooked(&sym, name, h)
		out = append(out, sym)
	}
	return out
}

// hiddenFinal reports whether text ends with a final that was removed for the parser.
func (p *reader) hiddenFinal(text []byte) bool {
	const word = "final"
	text = bytes.TrimRight(text, " \t\r\n")
	at := len(text) - len(word)
	return len(p.marks) > 0 && at > 0 && strings.EqualFold(string(text[at:]), word) && !srctext.NameByte(text[at-1]) && text[at-1] != '$'
}

func (p *reader) headText(from, to int) string { return p.Head(from, to, "; = {") }

// properties reads a property declaration and returns one symbol per property.
func (p *reader) properties(n syntax.Node, s memberScope) []code.Symbol {
	d := p.declaration(n, "property_element", s.owner)
	var out []code.Symbol
	for _, e := range d.elements {
		name := e.Child("variable_name")
		sym := p.begin(n, d.head, variableName(name), code.Property)
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

// constants reads a constant declaration and returns one symbol per constant.
func (p *reader) constants(n syntax.Node, owner string) []code.Symbol {
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

// constElement returns the name and the value of a constant.
func constElement(e syntax.Node) (name string, value syntax.Node) {
	parts := syntax.NamedChildren(e)
	if len(parts) == 0 {
		return "", syntax.Node{}
	}
	if len(parts) > 1 {
		value = parts[len(parts)-1]
	}
	return parts[0].Text(), value
}

// element sets the position and signature of one element e of declaration n: the shared
// words and its own. A value is part of the text if it is one short line; it is always
// part of the body hash.
func (p *reader) element(sym *code.Symbol, n, e, value syntax.Node, d sharedDeclaration) {
	sym.Value = valueText(value)
	sym.BodyHash = p.BodyHash(value)
	sym.SignatureHash = srctext.ShortHash([]byte(d.shared + p.Hash(e, value)))
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

// sharedDeclaration is what the elements of one property or constant declaration share.
type sharedDeclaration struct {
	head     declarationHead
	owner    string
	elements []syntax.Node
	shared   string // hash of the shared part
}

func (p *reader) declaration(n syntax.Node, element, owner string) sharedDeclaration {
	d := sharedDeclaration{head: p.headOf(n), owner: owner, elements: syntax.ChildrenOf(n, element)}
	d.shared = p.Hash(n, append(attributeLists(n), d.elements...)...)
	return d
}

// valueText is [core.PlainValue], or "" for a heredoc or nowdoc.
func valueText(n syntax.Node) string {
	for c := range n.Descendants() {
		if c.Is("heredoc", "nowdoc") {
			return ""
		}
	}
	return core.PlainValue(n)
}
