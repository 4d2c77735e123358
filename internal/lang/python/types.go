package python

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var typeRules = &core.TypeRules{
	Before: "x: ", Arguments: []string{"type_parameter"},
	Forms: map[string]code.TypeForm{
		"identifier": code.NamedType, "attribute": code.NamedType, "none": code.NamedType, "generic_type": code.NamedType,
		"integer": code.LiteralType, "float": code.LiteralType, "true": code.LiteralType, "false": code.LiteralType,
		"unary_operator": code.LiteralType, "ellipsis": code.LiteralType, "union_type": code.UnionType,
	},
	Read: readType,
}

// readType reads unions, qualified generic types, and types in quotes.
func readType(r core.TypeReader, n syntax.Node, t *code.Type) bool {
	switch n.Kind() {
	case "binary_operator":
		if n.Field("operator").TextIs("|") {
			t.Form, t.Args = code.UnionType, core.Alternatives(code.UnionType, r.ReadAll(n))
		}
	case "subscript":
		t.Form, t.Name = code.NamedType, n.Field("value").Text()
		for c := range n.NamedSeq() {
			if c.FieldName() == "subscript" {
				t.Args = append(t.Args, r.Read(c))
			}
		}
	case "string":
		t.Form, t.Name = code.LiteralType, t.Text
		if content := syntax.ChildrenOf(n, "string_content"); len(content) == 1 && !inLiteral(n) {
			*t = r.TypeOf(content[0].Text()).MovedTo(t.At + content[0].Start() - n.Start())
		}
	default:
		return false
	}
	return true
}

// inLiteral reports whether a string is a value of Literal, not a type in quotes.
func inLiteral(n syntax.Node) bool {
	for p := n.Parent(); p.Ok(); p = p.Parent() {
		if p.Is("generic_type", "subscript") {
			name := p.First().Text()
			return name[strings.LastIndexByte(name, '.')+1:] == "Literal"
		}
	}
	return false
}
