package jvm

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// function reads a function or method. A top-level extension function is named
// "Receiver.name".
func (k *kotlinReader) function(n syntax.Node, s kotlinScope) code.Symbol {
	sym := k.begin(n, n.Child("simple_identifier").Text(), code.Function, s)
	if sym.Name == "" {
		return sym
	}
	body := n.Child("function_body")
	sym.Receiver = k.receiverOf(n)
	k.inType(&sym, s, body.Ok())
	sym.TypeParameters = kotlinTypeParameters(n)
	sym.Params = append(k.contextParams(n), k.params(n.Child("function_value_parameters"))...)
	sym.Returns = k.typeAfter(n)
	k.Place(&sym, n, s.owner)
	end := n.End()
	if body.Ok() {
		end = body.Start()
	}
	k.signature(&sym, n, end, body)
	return sym
}

// inType adapts a function or property to its scope: at top level its name includes the
// receiver; in an interface it is abstract or has a default.
func (k *kotlinReader) inType(sym *code.Symbol, s kotlinScope, defined bool) {
	switch {
	case s.of == "" && sym.Receiver != "":
		sym.Name = extended(sym.Receiver, sym.Name)
	case s.of != "" && sym.Kind == code.Function:
		sym.Kind = code.Method
	}
	if s.of == code.Interface {
		sym.Abstract = !defined
		sym.Optional = defined && sym.Visibility == code.Public
	}
}

// secondary reads a secondary constructor. Its body includes the arguments of this(…)
// or super(…).
func (k *kotlinReader) secondary(n syntax.Node, s kotlinScope) code.Symbol {
	sym := k.begin(n, "constructor", code.Constructor, s)
	sym.Params = k.params(n.Child("function_value_parameters"))
	k.Place(&sym, n, s.owner)
	var apart []syntax.Node
	inBody := false
	for c := range n.Children() {
		if c.Is("constructor_delegation_call") || c.Is("{") {
			inBody = true
		}
		if inBody {
			apart = append(apart, c)
		}
	}
	k.signature(&sym, n, n.Child("function_value_parameters").End(), apart...)
	return sym
}

// properties reads a property, or the variables of a destructuring declaration in a
// script.
func (k *kotlinReader) properties(n syntax.Node, s kotlinScope) []code.Symbol {
	var out []code.Symbol
	declared := syntax.ChildrenOf(n, "variable_declaration")
	if several := n.Child("multi_variable_declaration"); several.Ok() {
		for _, d := range syntax.ChildrenOf(several, "variable_declaration") {
			if !d.First().TextIs("_") {
				declared = append(declared, d)
			}
		}
	}
	for _, d := range declared {
		sym := k.begin(n, d.First().Text(), code.Variable, s)
		if sym.Name == "" {
			continue
		}
		if s.of != "" {
			sym.Kind = code.Property
		} else if hasWord(n, "const") {
			sym.Kind = code.Const
		}
		sym.Readonly = n.Child("binding_pattern_kind").TextIs("val")
		sym.Receiver = k.receiverOf(n)
		sym.TypeParameters = kotlinTypeParameters(n)
		sym.Params = k.contextParams(n)
		sym.Returns = k.typeAfter(d)
		k.property(&sym, n, s)
		out = append(out, sym)
	}
	return out
}

// property places a property. Its body is its initial value, its delegate and its
// accessors. The signature includes a short value.
func (k *kotlinReader) property(sym *code.Symbol, n syntax.Node, s kotlinScope) {
	value, sign := k.initial(n)
	delegate := n.Child("property_delegate")
	field := sign.Ok() && !k.isEqual(sign) // an explicit backing field
	k.inType(sym, s, value.Ok() || delegate.Ok() || n.Has("getter"))
	k.Place(sym, n, s.owner)
	end := n.End()
	var accessors []syntax.Node
	for c := range n.NamedSeq() {
		if c.Is("getter", "setter") {
			end = min(end, c.Start())
			accessors = append(accessors, c)
		}
	}
	switch {
	case field:
		end = k.fieldStart(sign)
	case value.Ok():
		if sym.Value = core.PlainValue(value); sym.Value == "" {
			end = value.Start()
		}
	case delegate.Ok() && (core.PlainValue(delegate) == "" || strings.Contains(delegate.Text(), "\n")):
		end = delegate.Start()
	}
	k.signature(sym, n, end, append([]syntax.Node{value, delegate}, accessors...)...)
	sym.BodyHash = k.joined(value, delegate)
	for _, c := range accessors {
		k.accessor(sym, c, s)
	}
}

// initial returns the initial value of a property and the sign before it.
func (k *kotlinReader) initial(n syntax.Node) (value, sign syntax.Node) {
	for c := range n.Children() {
		switch {
		case c.Is("="):
			sign = c
		case sign.Ok() && c.Named() && !syntax.IsComment(c.Kind()):
			return c, sign
		}
	}
	return syntax.Node{}, sign
}

// isEqual reports whether sign follows the property itself, not the word field of an
// explicit backing field.
func (k *kotlinReader) isEqual(sign syntax.Node) bool {
	before := sign.Previous()
	return !before.Ok() || strings.TrimSpace(string(k.Source[before.End():sign.Start()])) == "" || !strings.Contains(string(k.Source[before.End():sign.Start()]), "field")
}

// fieldStart returns the offset of the explicit backing field of a property.
func (k *kotlinReader) fieldStart(sign syntax.Node) int {
	before := sign.Previous()
	return before.End() + strings.Index(string(k.Source[before.End():sign.Start()]), "field")
}

// accessor adds an accessor that follows its property.
func (k *kotlinReader) accessor(sym *code.Symbol, n syntax.Node, s kotlinScope) {
	k.Spans = append(k.Spans, core.Span{Start: n.Start(), End: n.End(), Name: srctext.Join(s.owner, sym.Name)})
	sym.EndLine = max(sym.EndLine, n.EndLine())
	if s.of == code.Interface && n.Has("function_body") {
		sym.Abstract, sym.Optional = false, true
	}
	if n.Has("function_body") {
		sym.BodyHash = srctext.ShortHash([]byte(sym.BodyHash + k.BodyHash(n)))
	}
	k.accessorHead(sym, n)
}

// accessorHead adds the modifiers of an accessor to the signature of its property: var
// x: Int private set.
func (k *kotlinReader) accessorHead(sym *code.Symbol, n syntax.Node) {
	if list := modifierWords(n); len(list) > 0 {
		text := strings.Join(list, " ") + " " + n.Kind()[:len("get")]
		sym.Signature += " " + text
		sym.SignatureHash = srctext.ShortHash([]byte(sym.SignatureHash + text))
	}
}

// params reads a parameter list. The grammar has the modifiers and the default of a
// parameter as its siblings.
func (k *kotlinReader) params(list syntax.Node) []code.Param {
	var out []code.Param
	var words syntax.Node
	equals := false
	for n := range list.Children() {
		switch {
		case n.Is("parameter_modifiers"):
			words = n
		case n.Is("class_parameter"):
			out = append(out, k.param(n, n))
		case n.Is("parameter"):
			p := k.param(n, n)
			p.Variadic = strings.Contains(" "+joinedModifiers(words)+" ", " vararg ")
			out = append(out, p)
			words = syntax.Node{}
		case n.Is("="):
			equals = true
		case equals && n.Named() && !syntax.IsComment(n.Kind()) && len(out) > 0:
			out[len(out)-1].Default, out[len(out)-1].Optional = n.Text(), true
			equals = false
		}
	}
	return out
}

// joinedModifiers joins the modifiers of a parameter.
func joinedModifiers(n syntax.Node) string {
	var out []string
	for m := range n.NamedSeq() {
		out = append(out, m.Text())
	}
	return strings.Join(out, " ")
}

// param reads one parameter without its modifiers and annotations.
func (k *kotlinReader) param(n, in syntax.Node) code.Param {
	p := code.Param{Name: n.Child("simple_identifier").Text(), Type: k.typeAfter(n), Variadic: hasWord(in, "vararg")}
	if value, sign := k.initial(n); sign.Ok() {
		p.Default, p.Optional = value.Text(), true
	}
	return p
}

// contextParams reads context parameters (KEEP-0367) and the older context receivers,
// which have no names.
func (k *kotlinReader) contextParams(n syntax.Node) []code.Param {
	var out []code.Param
	for m := range n.Child("modifiers").NamedSeq() {
		if !m.Is("annotation") || !m.Begins("context") {
			continue
		}
		for a := range m.First().Child("value_arguments").NamedSeq() {
			p := code.Param{Mode: "context", Type: a.Text()}
			if name := a.Child("simple_identifier"); a.Has("=") {
				p.Name = name.Text()
				p.Type = strings.TrimSpace(string(k.Source[a.Child("=").End():a.End()]))
			}
			out = append(out, p)
		}
	}
	return out
}
