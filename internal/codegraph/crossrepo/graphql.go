package crossrepo

import (
	"slices"
	"strings"
)

// readGraphQL reads the types of a schema and the fields of its root types. A file with only operations has none.
func readGraphQL(data []byte) ([]Symbol, error) {
	g := &schemaReader{reader: reader{list: graphQLTokens(string(data))}}
	for !g.done() {
		g.definition()
	}
	return g.out, nil
}

// graphQLTokens splits a schema or document into tokens. Commas are insignificant.
func graphQLTokens(src string) []token {
	list := tokens(src, []string{"#"}, false, false)
	return slices.DeleteFunc(list, func(t token) bool { return !t.quote && t.text == "," })
}

type schemaReader struct {
	reader
	out []Symbol
}

// definition reads one definition. Those that are not types are skipped.
func (g *schemaReader) definition() {
	g.take("extend")
	line, word := g.line(), g.next()
	switch word {
	case "type", "interface", "input":
		name := g.next()
		for !g.done() && g.peek() != "{" && !definitions[g.peek()] {
			g.skip() // implemented interfaces and directives
		}
		at := len(g.out)
		g.out = append(g.out, Symbol{Name: name, Kind: word, StartLine: line, Signature: word + " " + name})
		if g.take("{") {
			for !g.done() && !g.take("}") {
				g.field(name)
			}
		}
		g.out[at].EndLine = g.before()
	case "enum", "union", "scalar":
		name := g.next()
		for !g.done() && !definitions[g.peek()] && !g.list[g.at].quote {
			g.skip()
		}
		g.out = append(g.out, Symbol{Name: name, Kind: word, StartLine: line, EndLine: g.before(), Signature: word + " " + name})
	case "query", "mutation", "subscription", "fragment", "schema", "directive":
		for !g.done() && !definitions[g.peek()] {
			g.skip()
		}
	}
}

// definitions are the keywords that begin definitions.
var definitions = map[string]bool{
	"type": true, "interface": true, "input": true, "enum": true, "union": true, "scalar": true, "extend": true, "schema": true,
	"directive": true, "query": true, "mutation": true, "subscription": true, "fragment": true,
}

// field reads one field of a type: name(arg: Type = value): Type @directive.
func (g *schemaReader) field(of string) {
	if g.list[g.at].quote {
		g.at++ // a description
		return
	}
	begin, line := g.at, g.line()
	name := g.next()
	s := Symbol{Name: of + "." + name, Kind: "field", StartLine: line, of: of}
	if g.take("(") {
		for !g.done() && !g.take(")") {
			g.argument(&s)
		}
	}
	if !g.take(":") {
		return
	}
	_, s.result = g.typeRef()
	s.Signature = of + "." + signatureOf(g.list[begin:g.at])
	for g.peek() == "@" || g.peek() == "=" {
		g.directive()
	}
	s.EndLine = g.before()
	g.out = append(g.out, s)
}

// argument reads one argument of a field and records it if it is required.
func (g *schemaReader) argument(s *Symbol) {
	name := g.next()
	if name == "" || !g.take(":") {
		return
	}
	must, _ := g.typeRef()
	if g.peek() == "=" {
		must = false
	}
	for g.peek() == "@" || g.peek() == "=" {
		g.directive()
	}
	if must {
		s.params = append(s.params, name)
	}
}

// typeRef reads a type such as "[Order!]!". It reports whether it is non-null, and its name.
func (g *schemaReader) typeRef() (must bool, name string) {
	depth := 0
	for g.take("[") {
		depth++
	}
	name = g.next()
	must = g.take("!")
	for ; depth > 0; depth-- {
		g.take("]")
		must = g.take("!")
	}
	return must, name
}

// directive reads a directive with its arguments, or a default value.
func (g *schemaReader) directive() {
	g.next()
	g.skip()
	if g.peek() == "(" {
		g.skip()
	}
}

// signatureOf joins the tokens of a field with customary spacing.
func signatureOf(list []token) string {
	var b strings.Builder
	for i, t := range list {
		switch {
		case t.quote:
			b.WriteString(`"` + t.text + `"`)
		case t.text == ":":
			b.WriteString(": ")
		case t.text == "=":
			b.WriteString(" = ")
		case i > 0 && i+1 < len(list) && list[i+1].text == ":" && list[i-1].text != "(" && list[i-1].text != "{" && t.text != ")":
			b.WriteString(", " + t.text)
		default:
			b.WriteString(t.text)
		}
	}
	return b.String()
}
