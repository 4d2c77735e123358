package core

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// LastNamedChild returns the last named child of n, comments excluded.
func LastNamedChild(n syntax.Node) syntax.Node {
	var last syntax.Node
	for c := range n.Inner() {
		last = c
	}
	return last
}

// NamedSymbol returns s as a list, nil if it has no name.
func NamedSymbol(s code.Symbol) []code.Symbol {
	if s.Name == "" {
		return nil
	}
	return []code.Symbol{s}
}

// TypeParameters returns the text of each type parameter of n.
func TypeParameters(n syntax.Node) []string {
	return Texts(NamedChildren(n.Field("type_parameters")))
}

// ChildrenOf returns the children of n of the given kind.
func ChildrenOf(n syntax.Node, kind string) []syntax.Node {
	var out []syntax.Node
	for c := range n.Children() {
		if c.Kind() == kind {
			out = append(out, c)
		}
	}
	return out
}

// PlainValue is [ShortValue] of a node without comments and multi-line strings; "" for others.
func PlainValue(n syntax.Node) string {
	for c := range n.Within() {
		if IsComment(c.Kind()) || strings.Contains(c.Kind(), "string") && strings.Contains(c.Text(), "\n") {
			return ""
		}
	}
	return ShortValue(n)
}

// Texts returns the text of each node.
func Texts(nodes []syntax.Node) []string {
	var out []string
	for _, n := range nodes {
		out = append(out, n.Text())
	}
	return out
}

// NamedChildren returns the named children that are not comments.
func NamedChildren(n syntax.Node) []syntax.Node {
	var out []syntax.Node
	for c := range n.Inner() {
		out = append(out, c)
	}
	return out
}

// LongValue is the maximum length of a value that is part of a signature, in bytes.
const LongValue = 160

// ShortValue returns a value's text on one line, or "" if it is longer than [LongValue].
func ShortValue(n syntax.Node) string {
	if text := OneLine(n.Text()); len(text) <= LongValue {
		return text
	}
	return ""
}
