package jvm

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// declarations reads the declarations in a file or in the body of a type. The grammar
// has the accessors of a property as its next siblings.
func (k *kotlinReader) declarations(body syntax.Node, s kotlinScope) []code.Symbol {
	var out []code.Symbol
	last := -1 // index of the property that accessors belong to
	for n := range body.NamedSeq() {
		if n.Is("getter", "setter") {
			if last >= 0 {
				k.accessor(&out[last], n, s)
			}
			continue
		}
		from := len(out)
		out = append(out, k.declaration(n, s)...)
		last = -1
		if n.Is("property_declaration") && len(out) == from+1 {
			last = from
		}
	}
	return out
}

func (k *kotlinReader) declaration(n syntax.Node, s kotlinScope) []code.Symbol {
	switch n.Kind() {
	case "class_declaration", "object_declaration":
		return core.NamedSymbol(k.typeDeclaration(n, s))
	case "companion_object":
		return k.companion(n, s)
	case "enum_entry":
		return core.NamedSymbol(k.enumEntry(n, s))
	case "function_declaration":
		return core.NamedSymbol(k.function(n, s))
	case "secondary_constructor":
		return core.NamedSymbol(k.secondary(n, s))
	case "property_declaration":
		return k.properties(n, s)
	case "type_alias":
		return core.NamedSymbol(k.typeAlias(n, s))
	case "ERROR":
		if !core.TooDeep(s.owner) {
			return k.declarations(n, s)
		}
	}
	return nil
}

// begin returns a symbol with the modifiers, annotations and doc of n.
func (k *kotlinReader) begin(n syntax.Node, name string, kind code.Kind, s kotlinScope) code.Symbol {
	sym := code.Symbol{Name: name, Kind: kind, Doc: k.doc(n), Static: s.static}
	for _, a := range annotationsOf(n) {
		sym.Decorators = append(sym.Decorators, a.Text())
	}
	sym.Visibility = code.Public
	if s.hidden {
		sym.Visibility = code.Private
	}
	for _, word := range modifierWords(n) {
		switch word {
		case "private":
			sym.Visibility = code.Private
		case "protected":
			sym.Visibility = code.Protected
		case "internal":
			sym.Visibility = code.Package
		case "abstract":
			sym.Abstract = true
		case "sealed": // a sealed class is abstract
			sym.Abstract = kind == code.Class
		case "suspend":
			sym.Async = true
		}
	}
	if s.hidden {
		sym.Visibility = code.Private
	}
	sym.Exported = sym.Visibility != code.Private
	return sym
}

// modifierWords returns the modifiers of a declaration. Modifiers newer than the
// grammar were rewritten as annotations.
func modifierWords(n syntax.Node) []string {
	var out []string
	for m := range n.Child("modifiers", "parameter_modifiers").NamedSeq() {
		if m.Is("annotation") {
			if text := m.Text(); !strings.HasPrefix(text, "@") && !strings.HasPrefix(text, "context") {
				out = append(out, text)
			}
			continue
		}
		out = append(out, m.Text())
	}
	return out
}

// annotationsOf returns the annotations of a declaration.
func annotationsOf(n syntax.Node) []syntax.Node {
	var out []syntax.Node
	for m := range n.Child("modifiers", "parameter_modifiers").NamedSeq() {
		if m.Is("annotation") && m.Begins("@") {
			out = append(out, m)
		}
	}
	return out
}

// signature sets the text and the hash of n up to end. The nodes in apart are hashed as
// its body instead.
func (k *kotlinReader) signature(sym *code.Symbol, n syntax.Node, end int, apart ...syntax.Node) {
	sym.Signature = k.headText(n, end)
	sym.SignatureHash = k.Hash(n, append(annotationsOf(n), apart...)...)
	sym.BodyHash = k.joined(apart...)
	sym.StartLine = k.Line(k.start(n))
}

// joined returns the hash of several nodes, or "" for none.
func (k *kotlinReader) joined(nodes ...syntax.Node) string {
	var all []string
	for _, n := range nodes {
		if n.Ok() {
			all = append(all, k.BodyHash(n))
		}
	}
	switch len(all) {
	case 0:
		return ""
	case 1:
		return all[0]
	}
	return srctext.ShortHash([]byte(strings.Join(all, " ")))
}

// start returns the offset of a declaration after its annotations.
func (k *kotlinReader) start(n syntax.Node) int {
	for c := range n.Children() {
		if !c.Is("modifiers") {
			if syntax.IsComment(c.Kind()) {
				continue
			}
			return c.Start()
		}
		for m := range c.Children() {
			if !syntax.IsComment(m.Kind()) && (!m.Is("annotation") || !m.Begins("@")) {
				return m.Start()
			}
		}
	}
	return n.Start()
}

// headText returns the text of a declaration up to end, without annotations and
// comments among the modifiers.
func (k *kotlinReader) headText(n syntax.Node, end int) string {
	var b strings.Builder
	at := k.start(n)
	end = min(end, k.Length)
	for c := range n.Child("modifiers").Children() {
		apart := syntax.IsComment(c.Kind()) || c.Is("annotation") && c.Begins("@")
		if c.Start() < at || !apart {
			continue
		}
		b.Write(k.Source[at:c.Start()])
		at = c.End()
		for at < end && strings.IndexByte(" \t\r\n", k.Source[at]) >= 0 {
			at++
		}
	}
	if at < end {
		b.Write(k.Source[at:end])
	}
	text := strings.TrimSpace(b.String())
	for _, mark := range []string{";", "{", "="} {
		text = strings.TrimSpace(strings.TrimSuffix(text, mark))
	}
	return k.Dedent(text, n.Start())
}

// typeAfter returns the text of the type after the colon of n, or "".
func (k *kotlinReader) typeAfter(n syntax.Node) string {
	from, to := 0, 0
	for c := range n.Children() {
		switch {
		case c.Is(":"):
			from = c.End()
		case from == 0 || syntax.IsComment(c.Kind()):
		case c.Is("type_constraints", "function_body", "property_delegate", "getter", "setter", "=", ";", ",", ")"):
			return strings.TrimSpace(string(k.Source[from:max(from, to)]))
		default:
			to = c.End()
		}
	}
	return strings.TrimSpace(string(k.Source[from:max(from, min(to, k.Length))]))
}

// kotlinTypes are the kinds of nodes that are types.
var kotlinTypes = []string{"user_type", "nullable_type", "parenthesized_type", "function_type", "not_nullable_type", "dynamic", "type_modifiers"}

// receiverOf returns the type that the function or property n extends, as written.
func (k *kotlinReader) receiverOf(n syntax.Node) string {
	from, to := -1, 0
	for c := range n.Children() {
		switch {
		case slices.Contains(kotlinTypes, c.Kind()):
			if from < 0 {
				from = c.Start()
			}
			to = c.End()
		case c.Is("simple_identifier", "variable_declaration", "multi_variable_declaration"):
			if from < 0 {
				return ""
			}
			return strings.TrimSpace(string(k.Source[from:to]))
		}
	}
	return ""
}

// extended qualifies a name with the type it extends, without type arguments.
func extended(receiver, name string) string {
	if strings.HasPrefix(receiver, "(") { // a function type
		return srctext.Join(srctext.OneLine(receiver), name)
	}
	depth := 0
	text := strings.Map(func(c rune) rune {
		switch c {
		case '<':
			depth++
			return -1
		case '>':
			depth--
			return -1
		}
		if depth > 0 {
			return -1
		}
		return c
	}, receiver)
	if i := strings.LastIndexByte(text, ' '); i >= 0 && strings.HasPrefix(text, "@") {
		text = text[i+1:]
	}
	return srctext.Join(strings.TrimSuffix(srctext.OneLine(text), "?"), name)
}

// kotlinTypeParameters returns the type parameters of a declaration.
func kotlinTypeParameters(n syntax.Node) []string {
	return syntax.Texts(syntax.NamedChildren(n.Child("type_parameters")))
}
