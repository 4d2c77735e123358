package jvm

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// params reads the parameter lists of n in order.
func (s *scalaReader) params(n syntax.Node, kind string) []code.Param {
	var out []code.Param
	for _, list := range syntax.ChildrenOf(n, kind) {
		out = append(out, s.paramList(list)...)
	}
	return out
}

// paramList reads one list. Implicit parameters have the mode "using" or, in Scala 2,
// "implicit".
func (s *scalaReader) paramList(list syntax.Node) []code.Param {
	var out []code.Param
	mode := ""
	for _, word := range []string{"using", "implicit"} {
		if list.Has(word) {
			mode = word
		}
	}
	for n := range list.NamedSeq() {
		p := code.Param{Mode: mode}
		if !n.Is("parameter", "class_parameter") { // a type without a name
			p.Type = srctext.OneLine(n.Text())
			out = append(out, p)
			continue
		}
		kind := n.Field("type")
		p.Name = scalaName(n.Field("name"))
		if kind.Is("repeated_parameter_type") {
			p.Variadic = true
			kind = kind.Field("type")
		}
		p.Type = s.typeText(kind)
		if !kind.Ok() && mode == "using" {
			p.Name, p.Type = "", p.Name
		}
		value := n.Field("default_value")
		p.Default, p.Optional = core.ShortValue(value), value.Ok()
		out = append(out, p)
	}
	return out
}

// typeText returns a type as written, including text hidden from the parser: a capture
// set, the names in a tuple, "into".
func (s *scalaReader) typeText(t syntax.Node) string {
	if !t.Ok() {
		return ""
	}
	from, end := t.Start(), s.captured(t)
	if colon := t.Previous(); colon.Is(":") && colon.End() <= from {
		if text := s.Source[colon.End():from]; onlyComments(text) && !bytes.ContainsAny(text, "/\n") {
			from = colon.End()
		}
	}
	return srctext.OneLine(string(s.Source[from:end]))
}

// scalaTypeParameters returns type parameters as written, with their variance and
// bounds.
func scalaTypeParameters(list syntax.Node) []string {
	var out []string
	depth, from := 0, list.Start()+1
	text := list.Text()
	if !strings.HasPrefix(text, "[") {
		return nil // syntax error: the opening bracket is missing
	}
	for i := range len(text) {
		switch text[i] {
		case '[', '(', '{':
			depth++
			continue
		case ']', ')', '}':
			depth--
		}
		if depth == 1 && text[i] == ',' || depth == 0 {
			if part := srctext.OneLine(text[from-list.Start() : i]); part != "" {
				out = append(out, strings.TrimSpace(part))
			}
			from = list.Start() + i + 1
		}
	}
	return out
}

// scalaMerge merges the declarations of one name at one level: overloads, a class and
// its companion object, a type and a value.
func scalaMerge(list []code.Symbol) []code.Symbol {
	list = companions(list)
	first := map[string]int{}
	for i := range list { // the kind is that of a type if there is one, else of a method
		at, ok := first[list[i].Name]
		if ok && scalaRank(list[i].Kind) < scalaRank(list[at].Kind) && list[i].Static == list[at].Static {
			list[at], list[i] = list[i], list[at]
		} else if !ok {
			first[list[i].Name] = i
		}
	}
	return core.MergeSame(list, func(a, b *code.Symbol) bool { return a.Static == b.Static }, nil)
}

func scalaRank(k code.Kind) int {
	switch k {
	case code.Class, code.Trait, code.Enum, code.Object, code.TypeDef:
		return 0
	case code.Function, code.Method:
		return 1
	default:
		return 2
	}
}

// joinCompanion merges one declaration of a name into another.
func joinCompanion(into, s *code.Symbol) {
	into.Members = append(into.Members, s.Members...)
	into.Signature += "\n" + s.Signature
	into.SignatureHash = srctext.ShortHash([]byte(into.SignatureHash + s.SignatureHash))
	if s.BodyHash != "" {
		into.BodyHash = srctext.ShortHash([]byte(into.BodyHash + s.BodyHash))
	}
	into.Doc = cmp.Or(into.Doc, s.Doc)
}

// companions merges an object into the class, trait, enum or type of the same name in
// the same scope. Its members become static members.
func companions(list []code.Symbol) []code.Symbol {
	types := map[string]int{}
	for i, s := range list {
		switch s.Kind {
		case code.Class, code.Trait, code.Enum, code.TypeDef:
			types[s.Name] = i
		default:
		}
	}
	gone := map[int]bool{}
	for i := range list {
		at, ok := types[list[i].Name]
		if list[i].Kind != code.Object || !ok {
			continue
		}
		gone[i] = true
		into := &list[at]
		if into.Kind == code.TypeDef { // the object represents both
			types[list[i].Name], gone[i], gone[at] = i, false, true
			joinCompanion(&list[i], into)
			continue
		}
		joinCompanion(into, &list[i])
	}
	out := make([]code.Symbol, 0, len(list))
	for i := range list {
		if !gone[i] {
			out = append(out, list[i])
		}
	}
	return out
}
