package csharp

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/csharp/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// kinds maps type declarations to kinds of symbols.
var kinds = map[string]code.Kind{
	"class_declaration":     code.Class,
	"struct_declaration":    code.Struct,
	"interface_declaration": code.Interface,
	"enum_declaration":      code.Enum,
	"record_declaration":    code.Class,
}

func (c *reader) typeDeclaration(n syntax.Node, s declScope) code.Symbol {
	kind := kinds[n.Kind()]
	if n.Is("record_declaration") && n.Has("struct") {
		kind = code.Struct
	}
	if c.isWritten(n, "extension") {
		return c.extension(n, s)
	}
	sym := c.begin(n, n.Field("name").Text(), kind, s)
	if sym.Name == "" {
		return sym
	}
	sym.Name = srctext.Join(s.space, sym.Name)
	sym.Part = slices.Contains(modifiers(n), "partial")
	sym.TypeParameters = syntax.Texts(syntax.NamedChildren(n.Child("type_parameter_list")))
	list := n.Child("parameter_list")
	sym.Params = c.params(list)
	if c.isWritten(n, "union") {
		sym.Kind = code.Union
	}
	sym.Bases = bases(n.Child("base_list"))
	c.Place(&sym, n, s.owner)
	body := n.Field("body")
	c.signature(&sym, n, body)
	if core.TooDeep(s.owner) {
		return sym
	}
	inside := declScope{owner: srctext.Join(s.owner, sym.Name), of: kind}
	sym.Members = c.declarations(body, "", inside)
	if n.Is("record_declaration") {
		sym.Members = append(c.components(list, sym, inside), sym.Members...)
	}
	sym.Members = mergeSymbols(sym.Members)
	return sym
}

// bases returns the base class and interfaces of a type.
func bases(list syntax.Node) []string {
	var out []string
	for n := range list.NamedSeq() {
		switch n.Kind() {
		case "argument_list":
		case "primary_constructor_base_type":
			out = append(out, n.Field("type").Text())
		default:
			out = append(out, n.Text())
		}
	}
	return out
}

// isWritten reports whether a class in the tree is another declaration in the source,
// beginning with word.
func (c *reader) isWritten(n syntax.Node, word string) bool {
	class := n.Child("class")
	return class.Ok() && bytes.HasPrefix(c.Source[class.Start():], []byte(word))
}

// extension reads an extension block (C# 14): members that it adds to the type of its
// receiver, under that type's name.
func (c *reader) extension(n syntax.Node, s declScope) code.Symbol {
	sym := code.Symbol{Kind: code.Extension, Doc: doc(n), Visibility: code.Public, Exported: true}
	sym.TypeParameters = syntax.Texts(syntax.NamedChildren(n.Child("type_parameter_list")))
	body := n.Field("body")
	c.signature(&sym, n, body)
	sym.Receiver, sym.Name = extensionReceiver(sym.Signature)
	if sym.Name == "" {
		return sym
	}
	line := sym.StartLine
	c.Place(&sym, n, s.owner)
	sym.StartLine = line
	if !core.TooDeep(s.owner) {
		sym.Members = mergeSymbols(c.declarations(body, "", declScope{owner: srctext.Join(s.owner, sym.Name), of: code.Extension}))
	}
	return sym
}

// extensionReceiver returns the receiver in the head of an extension block, with parentheses, and
// the name of its type. It reads tokens, since an unnamed receiver is hidden from the parser.
func extensionReceiver(head string) (receiver, name string) {
	tokens := repair.Tokens([]byte(head))
	text := func(i int) string { return head[tokens[i].Start():tokens[i].End()] }
	open := slices.IndexFunc(tokens, func(t repair.Token) bool { return head[t.Start()] == '(' })
	if open < 0 {
		return "", ""
	}
	depth := 0
	for i := open + 1; i < len(tokens); i++ {
		t := text(i)
		switch {
		case strings.Contains("<[(", t):
			depth++
		case t == ")" && depth == 0:
			return head[tokens[open].Start():tokens[i].End()], name
		case strings.Contains(">])", t):
			depth--
		case depth == 0 && tokens[i].Kind == repair.Word && !parameterModifiers[t] && (name == "" || text(i-1) == "." || text(i-1) == "::"):
			name = t
		}
	}
	return "", ""
}

// parameterModifiers are the parameter modifiers.
var parameterModifiers = core.SetOf("ref", "in", "readonly", "scoped", "this", "out")

// components returns the parameters of a record as properties (ECMA-334, 15.15 as amended by
// C# 9), except those declared in its body.
func (c *reader) components(list syntax.Node, record code.Symbol, s declScope) []code.Symbol {
	var out []code.Symbol
	for n := range list.NamedSeq() {
		p, ok := c.param(n)
		declared := slices.ContainsFunc(record.Members, func(m code.Symbol) bool { return m.Name == p.Name })
		if !ok || p.Name == "" || declared {
			continue
		}
		sym := code.Symbol{
			Name: p.Name, Kind: code.Property, Returns: p.Type, Decorators: attributes(n),
			Visibility: code.Public, Exported: true, Readonly: record.Kind == code.Class || record.Readonly,
		}
		c.Place(&sym, n, s.owner)
		c.signature(&sym, n, syntax.Node{})
		out = append(out, sym)
	}
	return out
}

func (c *reader) delegate(n syntax.Node, s declScope) code.Symbol {
	sym := c.begin(n, n.Field("name").Text(), code.TypeDef, s)
	if sym.Name == "" {
		return sym
	}
	sym.Name = srctext.Join(s.space, sym.Name)
	sym.TypeParameters = syntax.Texts(syntax.NamedChildren(n.Child("type_parameter_list")))
	sym.Params = c.params(n.Field("parameters"))
	sym.Returns = n.Field("type").Text()
	c.Place(&sym, n, s.owner)
	c.signature(&sym, n, syntax.Node{})
	return sym
}

func (c *reader) enumMember(n syntax.Node, s declScope) code.Symbol {
	sym := c.begin(n, n.Field("name").Text(), code.EnumMember, s)
	if sym.Name == "" {
		return sym
	}
	c.Place(&sym, n, s.owner)
	c.valued(&sym, n, n.Field("value"), n.End())
	return sym
}
