package jvm

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// method reads a def.
func (s *scalaReader) method(n syntax.Node, scope scalaScope) code.Symbol {
	kind := code.Method
	if scope.of == "" {
		kind = code.Function
	}
	name := scalaName(n.Field("name"))
	if name == "this" && scope.of != "" {
		kind = code.Constructor
	}
	sym := s.begin(n, name, kind, scope)
	if sym.Name == "" {
		return sym
	}
	s.Place(&sym, n, scope.owner)
	s.fillMethod(&sym, n, scope)
	return sym
}

func (s *scalaReader) fillMethod(sym *code.Symbol, n syntax.Node, scope scalaScope) {
	body := n.Field("body")
	sym.TypeParameters = scalaTypeParameters(n.Field("type_parameters"))
	sym.Params = s.params(n, "parameters")
	returns := n.Field("return_type")
	if returns.Ok() {
		sym.Returns = srctext.OneLine(string(s.Source[returns.Start():s.captured(returns)]))
	}
	sym.Abstract = sym.Abstract || !body.Ok() && scope.of != "" && !n.HasError()
	s.signature(sym, n, body, headEnd(body, s.end(n)))
	if !body.Ok() {
		if hidden := s.hiddenIn(n.End(), s.end(n)); hidden != "" {
			sym.SignatureHash = srctext.ShortHash([]byte(sym.SignatureHash + hidden))
		}
	}
}

// captured returns the end of a type including its capture set.
func (s *scalaReader) captured(t syntax.Node) int {
	end := s.end(t)
	if next := t.Next(); next.Ok() {
		end = min(end, next.Start())
	}
	return end
}

// givenTemplate reads a given with members: an object, or a family of objects if it has
// parameters.
func (s *scalaReader) givenTemplate(n syntax.Node, scope scalaScope) code.Symbol {
	bases := scalaBases(n.Child("extends_clause"))
	name := scalaName(n.Field("name"))
	if n.Field("name").TextIs("") && len(bases) > 0 {
		name = "given " + strings.Join(bases, " with ")
	}
	sym := s.begin(n, name, code.Object, scope)
	if sym.Name == "" {
		return sym
	}
	s.Place(&sym, n, scope.owner)
	s.fillTemplate(&sym, n, scope)
	return sym
}

// givenValue reads a given that is an alias or abstract. An anonymous given is named by
// its type, because its generated name does not appear in source.
func (s *scalaReader) givenValue(n syntax.Node, scope scalaScope) code.Symbol {
	returns := n.Field("return_type")
	name := scalaName(n.Field("name"))
	if n.Field("name").TextIs("") && returns.Ok() {
		name = "given " + srctext.OneLine(returns.Text())
	}
	kind := code.Property
	if scope.of == "" {
		kind = code.Const
	}
	sym := s.begin(n, name, kind, scope)
	if sym.Name == "" {
		return sym
	}
	s.Place(&sym, n, scope.owner)
	s.fillMethod(&sym, n, scope)
	sym.Readonly = true
	if len(sym.Params) > 0 || len(sym.TypeParameters) > 0 {
		sym.Readonly = false
		sym.Kind = code.Method
		if scope.of == "" {
			sym.Kind = code.Function
		}
	}
	return sym
}

// values reads a val or var and returns one symbol per name in its pattern.
func (s *scalaReader) values(n syntax.Node, scope scalaScope) []code.Symbol {
	var out []code.Symbol
	names := boundNames(n)
	value := n.Field("value")
	constant := strings.HasPrefix(n.Kind(), "val")
	for _, name := range names {
		kind := code.Property
		switch {
		case scope.of != "":
		case constant:
			kind = code.Const
		default:
			kind = code.Variable
		}
		sym := s.begin(n, scalaName(name), kind, scope)
		sym.Readonly = constant
		sym.Returns = s.typeText(n.Field("type"))
		sym.Abstract = sym.Abstract || !value.Ok() && scope.of != "" && !n.HasError()
		place := n
		if len(names) > 1 {
			place = name
		}
		s.Place(&sym, place, scope.owner)
		end := headEnd(value, s.end(n))
		if len(names) == 1 && value.Ok() {
			if sym.Value = core.PlainValue(value); sym.Value != "" {
				sym.Value = srctext.OneLine(string(s.Source[value.Previous().End():value.End()])) // including text hidden before it
				end = s.end(n)
			}
		}
		s.signature(&sym, n, value, end)
		if len(names) > 1 {
			sym.StartLine = name.Line()
			sym.SignatureHash = srctext.ShortHash([]byte(sym.SignatureHash + sym.Name))
		}
		out = append(out, sym)
	}
	return out
}

// boundNames returns the names that a val or var binds (SLS 4.1, 8.1).
func boundNames(n syntax.Node) []syntax.Node {
	pattern := n.Field("pattern")
	switch {
	case !pattern.Ok(): // a declaration
		var out []syntax.Node
		for c := range n.Children() {
			if c.FieldName() == "name" && c.Is("identifier", "operator_identifier") {
				out = append(out, c)
			}
		}
		return out
	case pattern.Is("identifier", "operator_identifier"):
		return []syntax.Node{pattern}
	case pattern.Is("identifiers"):
		return syntax.NamedChildren(pattern)
	}
	var out []syntax.Node
	jump := 0
	for c := range pattern.Descendants() {
		switch {
		case c.Index() < jump:
		case c.Is("type_arguments", "stable_identifier", "interpolated_string_expression", "quote_expression"),
			c.FieldName() == "type", c.FieldName() == "operator":
			jump = c.After()
		case c.Is("identifier") && isVariable(c.Text()):
			out = append(out, c)
		}
	}
	return out
}

// isVariable reports whether a name in a pattern is a variable, not a constant: it
// begins with a lower-case letter (SLS 8.1.1).
func isVariable(name string) bool {
	c, _ := utf8.DecodeRuneInString(name)
	return c == '_' && len(name) > 1 || unicode.IsLower(c)
}

// extension reads the methods of an extension clause. Each is a function whose name
// includes the extended type (Reference, "Extension Methods").
func (s *scalaReader) extension(n syntax.Node, scope scalaScope) []code.Symbol {
	receiver := extensionReceiver(n)
	typeName := srctext.OneLine(receiver.Field("type").Text())
	var out []code.Symbol
	shared := scalaTypeParameters(n.Field("type_parameters"))
	head := ""
	for c := range n.NamedSeq() {
		if c.Is("type_parameters", "parameters") {
			head = s.Head(n.Start(), c.End(), "")
		}
	}
	for c := range n.NamedSeq() {
		if !c.Is("function_definition", "function_declaration") || !keyword(c).TextIs("def") {
			continue
		}
		sym := s.method(c, scalaScope{owner: scope.owner, of: scope.of, static: scope.static})
		if sym.Name == "" {
			continue
		}
		if sym.Doc == "" && len(syntax.ChildrenOf(n, c.Kind())) == 1 {
			sym.Doc = s.scaladoc(n.Start())
		}
		sym.Name = srctext.Join(withoutArguments(typeName), scalaName(c.Field("name")))
		s.Spans[len(s.Spans)-1].Name = srctext.Join(scope.owner, sym.Name)
		sym.Receiver = typeName
		sym.Signature = strings.TrimSpace(head + " " + sym.Signature)
		sym.TypeParameters = append(slices.Clip(shared), sym.TypeParameters...)
		for list := range n.NamedSeq() { // conditions of the extension are conditions of the method
			if list.Is("parameters") && list.Has("using") {
				sym.Params = append(s.paramList(list), sym.Params...)
			}
		}
		lists := []string{sym.SignatureHash}
		for c := range n.NamedSeq() {
			if c.Is("type_parameters", "parameters") {
				lists = append(lists, s.Hash(c))
			}
		}
		sym.SignatureHash = srctext.ShortHash([]byte(strings.Join(lists, " ")))
		out = append(out, sym)
	}
	return out
}

// extensionReceiver returns the parameter that an extension extends.
func extensionReceiver(n syntax.Node) syntax.Node {
	for _, list := range syntax.ChildrenOf(n, "parameters") {
		if p := list.Child("parameter"); p.Ok() && !list.Has("using") && !list.Has("implicit") {
			return p
		}
	}
	return syntax.Node{}
}

// withoutArguments returns the text of a type without its type arguments.
func withoutArguments(text string) string { return srctext.Outside(text, '[', ']') }
