package jvm

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// typeDeclaration reads a class, interface, enum or object.
func (k *kotlinReader) typeDeclaration(n syntax.Node, s kotlinScope) code.Symbol {
	kind := code.Class
	switch {
	case n.Is("object_declaration"):
		kind = code.Object
	case n.Has("interface"):
		kind = code.Interface
	case n.Has("enum"):
		kind = code.Enum
	}
	sym := k.begin(n, n.Child("type_identifier").Text(), kind, s)
	if sym.Name == "" {
		return sym
	}
	sym.Static = s.owner != "" && !hasWord(n, "inner")
	body := n.Child("class_body", "enum_class_body")
	primary := n.Child("primary_constructor")
	sym.TypeParameters = kotlinTypeParameters(n)
	sym.Params = append(k.contextParams(n), k.params(primary)...)
	sym.Bases = kotlinBases(n)
	k.Place(&sym, n, s.owner)
	k.typeSignature(&sym, n, body)
	if core.TooDeep(s.owner) {
		return sym
	}
	inside := kotlinScope{owner: srctext.Join(s.owner, sym.Name), of: kind, static: kind == code.Object}
	sym.Members = kotlinMerge(append(k.fromPrimary(primary, inside), k.declarations(body, inside)...))
	return sym
}

func hasWord(n syntax.Node, word string) bool { return slices.Contains(modifierWords(n), word) }

// typeSignature sets the signature of a type. The arguments of the superclass
// constructor, delegates and initializer blocks are its body, because they do not
// belong to a member. Arguments with several lines or lambdas are omitted from the
// text.
func (k *kotlinReader) typeSignature(sym *code.Symbol, n, body syntax.Node) {
	end := n.End()
	if body.Ok() {
		end = body.Start()
	}
	var apart, cut []syntax.Node
	for d := range n.NamedSeq() {
		if !d.Is("delegation_specifier") {
			continue
		}
		arguments := d.Child("constructor_invocation").Child("value_arguments")
		if !arguments.Ok() {
			continue
		}
		apart = append(apart, arguments)
		if core.PlainValue(arguments) == "" || strings.ContainsAny(arguments.Text(), "{\n") {
			cut = append(cut, arguments)
		}
	}
	apart = append(apart, initializersOf(body)...)
	k.signature(sym, n, end, append(apart, body)...)
	sym.BodyHash = k.joined(apart...)
	if len(cut) > 0 {
		sym.Signature = k.without(n, end, cut)
	}
}

// initializersOf returns the initializer blocks of a class and of its companion.
func initializersOf(body syntax.Node) []syntax.Node {
	out := syntax.ChildrenOf(body, "anonymous_initializer")
	for _, c := range syntax.ChildrenOf(body, "companion_object") {
		out = append(out, syntax.ChildrenOf(c.Child("class_body"), "anonymous_initializer")...)
	}
	return out
}

// without returns the head of n up to end without the nodes in cut.
func (k *kotlinReader) without(n syntax.Node, end int, cut []syntax.Node) string {
	var text strings.Builder
	text.WriteString(k.headText(n, cut[0].Start()))
	for i, c := range cut {
		next := end
		if i+1 < len(cut) {
			next = cut[i+1].Start()
		}
		rest := strings.TrimRight(string(k.Source[c.End():max(c.End(), min(next, k.Length))]), " \t\r\n{")
		text.WriteString(k.Dedent(rest, n.Start()))
	}
	return text.String()
}

// kotlinBases returns the supertypes of n without constructor arguments.
func kotlinBases(n syntax.Node) []string {
	var out []string
	for d := range n.NamedSeq() {
		if !d.Is("delegation_specifier") || d.Previous().Is(",") && d.Previous().TextIs("b") {
			continue // a delegate: by was rewritten as a comma
		}
		base := d.First()
		if base.Is("constructor_invocation", "explicit_delegation") {
			base = base.First()
		}
		out = append(out, base.Text())
	}
	return out
}

// companion reads a companion object. Its members are static members of the class. A
// companion with a name, doc, annotations or supertypes is also a member itself.
func (k *kotlinReader) companion(n syntax.Node, s kotlinScope) []code.Symbol {
	name := n.Child("type_identifier").Text()
	sym := k.begin(n, name, code.Object, s)
	sym.Static, sym.Bases = true, kotlinBases(n)
	body := n.Child("class_body")
	var out []code.Symbol
	if name != "" || sym.Doc != "" || len(sym.Decorators) > 0 || len(sym.Bases) > 0 {
		if name == "" {
			sym.Name = "Companion" // the default name
		}
		sym.StartLine, sym.EndLine = n.Line(), n.EndLine()
		k.typeSignature(&sym, n, body)
		out = append(out, sym)
	}
	if core.TooDeep(s.owner) {
		return out
	}
	inside := kotlinScope{owner: s.owner, of: code.Object, static: true, hidden: sym.Visibility == code.Private}
	return append(out, k.declarations(body, inside)...)
}

// fromPrimary returns the symbols that a primary constructor declares: properties, and
// the constructor itself if its keyword is written.
func (k *kotlinReader) fromPrimary(primary syntax.Node, s kotlinScope) []code.Symbol {
	var out []code.Symbol
	if primary.Has("constructor") {
		sym := k.begin(primary, "constructor", code.Constructor, s)
		sym.Params = k.params(primary)
		sym.Static = false
		k.Place(&sym, primary, s.owner)
		k.signature(&sym, primary, primary.End())
		out = append(out, sym)
	}
	for n := range primary.NamedSeq() {
		kind := n.Child("binding_pattern_kind")
		if !n.Is("class_parameter") || !kind.Ok() {
			continue
		}
		sym := k.begin(n, n.Child("simple_identifier").Text(), code.Property, s)
		sym.Readonly = kind.TextIs("val")
		p := k.param(n, n)
		sym.Returns, sym.Value = p.Type, p.Default
		k.Place(&sym, n, s.owner)
		k.signature(&sym, n, n.End())
		out = append(out, sym)
	}
	return out
}

// enumEntry reads an enum entry. Its value is its arguments, its members are those of
// its own body.
func (k *kotlinReader) enumEntry(n syntax.Node, s kotlinScope) code.Symbol {
	sym := k.begin(n, n.Child("simple_identifier").Text(), code.EnumMember, s)
	if sym.Name == "" {
		return sym
	}
	sym.Visibility, sym.Exported, sym.Static = code.Public, true, false
	arguments, body := n.Child("value_arguments"), n.Child("class_body")
	k.Place(&sym, n, s.owner)
	end := n.End()
	if body.Ok() {
		end = body.Start()
	}
	if sym.Value = core.PlainValue(arguments); arguments.Ok() && sym.Value == "" {
		end = arguments.Start()
	}
	k.signature(&sym, n, end, arguments, body)
	sym.BodyHash = k.joined(append(syntax.ChildrenOf(body, "anonymous_initializer"), arguments)...)
	if !core.TooDeep(s.owner) {
		sym.Members = kotlinMerge(k.declarations(body, kotlinScope{owner: srctext.Join(s.owner, sym.Name), of: code.Class}))
	}
	return sym
}

func (k *kotlinReader) typeAlias(n syntax.Node, s kotlinScope) code.Symbol {
	sym := k.begin(n, n.Child("type_identifier").Text(), code.TypeDef, s)
	sym.Static = s.owner != ""
	sym.TypeParameters = kotlinTypeParameters(n)
	k.Place(&sym, n, s.owner)
	k.signature(&sym, n, n.End())
	return sym
}
