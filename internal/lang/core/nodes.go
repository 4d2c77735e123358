package core

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// NamedSymbol returns s as a list, nil if it has no name.
func NamedSymbol(s code.Symbol) []code.Symbol {
	if s.Name == "" {
		return nil
	}
	return []code.Symbol{s}
}

// TypeParameters returns the text of each type parameter of n.
func TypeParameters(n syntax.Node) []string {
	return syntax.Texts(syntax.NamedChildren(n.Field("type_parameters")))
}

// PlainValue is [ShortValue] of a node without comments and multi-line strings; "" for others.
func PlainValue(n syntax.Node) string {
	for c := range n.Descendants() {
		if syntax.IsComment(c.Kind()) || strings.Contains(c.Kind(), "string") && strings.Contains(c.Text(), "\n") {
			return ""
		}
	}
	return ShortValue(n)
}

// LongValue is the maximum length of a value that is part of a signature, in bytes.
const LongValue = 160

// ShortValue returns a value's text on one line, or "" if it is longer than [LongValue].
func ShortValue(n syntax.Node) string {
	if text := srctext.OneLine(n.Text()); len(text) <= LongValue {
		return text
	}
	return ""
}
