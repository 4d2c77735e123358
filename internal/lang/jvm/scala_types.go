package jvm

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var scalaKinds = map[string]code.Kind{
	"class_definition":  code.Class,
	"trait_definition":  code.Trait,
	"object_definition": code.Object,
	"package_object":    code.Object,
	"enum_definition":   code.Enum,
}

// template reads a class, trait, object or enum.
func (s *scalaReader) template(n syntax.Node, scope scalaScope) code.Symbol {
	sym := s.begin(n, scalaName(n.Field("name")), scalaKinds[n.Kind()], scope)
	if sym.Name == "" {
		return sym
	}
	s.Place(&sym, n, scope.owner)
	s.fillTemplate(&sym, n, scope)
	if sym.Kind == code.Object {
		s.mainObject(&sym, scope.owner)
	}
	return sym
}

// fillTemplate reads the parameters, bases and members of a template.
func (s *scalaReader) fillTemplate(sym *code.Symbol, n syntax.Node, scope scalaScope) {
	sym.TypeParameters = scalaTypeParameters(n.Field("type_parameters"))
	sym.Params = s.params(n, "class_parameters")
	sym.Bases = scalaBases(n.Child("extends_clause"))
	body := templateBody(n)
	s.signature(sym, n, body, s.headOfTemplate(n, body))
	sym.BodyHash = s.statements(body)
	if core.TooDeep(scope.owner) {
		return
	}
	inside := scalaScope{owner: srctext.Join(scope.owner, sym.Name), of: sym.Kind, static: sym.Kind == code.Object}
	members := s.fields(n, inside)
	for early := range n.Child("extends_clause").NamedSeq() { // early definitions (SLS 5.1.6)
		if early.Is("structural_type") && early != body {
			members = append(members, s.declarations(early, inside)...)
		}
	}
	sym.Members = scalaMerge(append(members, s.declarations(body, inside)...))
}

// templateBody returns the body of a template. The grammar may parse the body of a
// template without parameters as a refinement of the last type it extends.
func templateBody(n syntax.Node) syntax.Node {
	if body := n.Child("template_body", "enum_body"); body.Ok() {
		return body
	}
	last := n.Child("extends_clause")
	for last.Ok() && !last.Is("refinement", "structural_type") {
		var next syntax.Node
		for c := range last.NamedSeq() {
			next = c
		}
		if !next.Is("compound_type", "refinement", "structural_type") {
			return syntax.Node{}
		}
		last = next
	}
	return last
}

// headOfTemplate returns the end of a template's head: before its body and the "with"
// of a given.
func (s *scalaReader) headOfTemplate(n, body syntax.Node) int {
	if !body.Ok() {
		return s.end(n)
	}
	text := strings.TrimRight(string(s.Source[n.Start():body.Start()]), " \t\r\n")
	if keyword(n).TextIs("given") {
		text = strings.TrimSuffix(text, "with")
	}
	return n.Start() + len(text)
}

// statements returns the hash of the statements of a template that do not belong to a
// member, or "".
func (s *scalaReader) statements(body syntax.Node) string {
	var all []string
	for c := range body.NamedSeq() {
		if !strings.HasSuffix(c.Kind(), "_definition") && !strings.HasSuffix(c.Kind(), "_declaration") &&
			!c.Is("self_type", "enum_case_definitions", "package_clause", "package_object", "ERROR") {
			all = append(all, s.BodyHash(c))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return srctext.ShortHash([]byte(strings.Join(all, " ")))
}

// scalaName returns the text of a name, without backticks if they are redundant.
func scalaName(n syntax.Node) string {
	text := n.Text()
	if bare := strings.Trim(text, "`"); bare != text && strings.ContainsAny(bare, " .") {
		return text
	}
	return strings.Trim(text, "`")
}

// scalaBases returns the types of an extends clause without their arguments.
func scalaBases(clause syntax.Node) []string {
	var out []string
	for c := range clause.Children() {
		switch {
		case !c.Named() || syntax.IsComment(c.Kind()) || c.Is("arguments", "structural_type"):
		case c.Is("compound_type"):
			for t := range c.NamedSeq() {
				if !t.Is("refinement") {
					out = append(out, srctext.OneLine(t.Text()))
				}
			}
		default:
			out = append(out, srctext.OneLine(c.Text()))
		}
	}
	return out
}

// fields returns the parameters of a class that are its members: those with val or var,
// and the first list of a case class (SLS 5.3.2) or of an enum case.
func (s *scalaReader) fields(n syntax.Node, scope scalaScope) []code.Symbol {
	var out []code.Symbol
	lists := syntax.ChildrenOf(n, "class_parameters")
	ofCase := n.Has("case") || n.Is("full_enum_case")
	for i, list := range lists {
		for p := range list.NamedSeq() {
			if !p.Is("class_parameter") || !p.Has("val") && !p.Has("var") && (!ofCase || i > 0) {
				continue
			}
			sym := s.begin(p, scalaName(p.Field("name")), code.Property, scope)
			if sym.Name == "" {
				continue
			}
			sym.Static = false
			sym.Readonly = !p.Has("var")
			sym.Returns = s.typeText(p.Field("type"))
			s.Place(&sym, p, scope.owner)
			value := p.Field("default_value")
			s.signature(&sym, p, value, headEnd(value, s.end(p)))
			sym.BodyHash = ""
			out = append(out, sym)
		}
	}
	return out
}

// enumCases reads the cases of an enum (Reference, "Enumerations").
func (s *scalaReader) enumCases(n syntax.Node, scope scalaScope) []code.Symbol {
	var out []code.Symbol
	cases := append(syntax.ChildrenOf(n, "simple_enum_case"), syntax.ChildrenOf(n, "full_enum_case")...)
	for i, c := range cases {
		sym := s.begin(n, scalaName(c.Field("name")), code.EnumMember, scope)
		if sym.Name == "" {
			continue
		}
		if i > 0 && sym.Doc != "" {
			sym.Doc = ""
		}
		sym.TypeParameters = scalaTypeParameters(c.Field("type_parameters"))
		sym.Params = s.params(c, "class_parameters")
		sym.Bases = scalaBases(c.Child("extends_clause"))
		s.Place(&sym, c, scope.owner)
		sym.SignatureHash = s.Hash(c)
		sym.Signature = "case " + s.Head(c.Start(), s.end(c), "")
		sym.StartLine = c.Line()
		if !core.TooDeep(scope.owner) {
			sym.Members = s.fields(c, scalaScope{owner: srctext.Join(scope.owner, sym.Name), of: code.Class})
		}
		out = append(out, sym)
	}
	return out
}

// typeMember reads a type alias, an abstract type or an opaque type. The definition of
// an opaque type is known to its own file only, so it is a body.
func (s *scalaReader) typeMember(n syntax.Node, scope scalaScope) code.Symbol {
	sym := s.begin(n, scalaName(n.Field("name")), code.TypeDef, scope)
	if sym.Name == "" {
		return sym
	}
	value := n.Field("type")
	sym.TypeParameters = scalaTypeParameters(n.Field("type_parameters"))
	sym.Abstract = sym.Abstract || !value.Ok() && scope.of != "" && !scope.static
	s.Place(&sym, n, scope.owner)
	end := s.end(n)
	sym.EndLine = max(sym.EndLine, s.Line(max(end-1, 0)))
	hidden := s.hiddenIn(n.End(), end)
	if n.Has("opaque_modifier") {
		s.signature(&sym, n, value, headEnd(value, end))
		sym.BodyHash = srctext.ShortHash([]byte(sym.BodyHash + hidden))
		return sym
	}
	s.signature(&sym, n, syntax.Node{}, end)
	if hidden != "" {
		sym.SignatureHash = srctext.ShortHash([]byte(sym.SignatureHash + hidden))
	}
	return sym
}

// hiddenIn returns the words in [from, to) that were hidden from the parser.
func (s *scalaReader) hiddenIn(from, to int) string {
	var b strings.Builder
	for _, m := range s.Patched {
		if m.Start >= from && m.End <= to {
			b.Write(s.Source[m.Start:m.End])
			b.WriteByte(0)
		}
	}
	return b.String()
}
