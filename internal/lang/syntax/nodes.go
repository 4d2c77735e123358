package syntax

import (
	"strings"
)

// ChildrenOf returns the children of n of the given kind.
func ChildrenOf(n Node, kind string) []Node {
	var out []Node
	for c := range n.Children() {
		if c.Kind() == kind {
			out = append(out, c)
		}
	}
	return out
}

// IsComment reports whether a node kind is a comment in one of the grammars.
func IsComment(kind string) bool { return strings.HasSuffix(kind, "comment") }

// LastNamedChild returns the last named child of n, comments excluded.
func LastNamedChild(n Node) Node {
	var last Node
	for c := range n.NamedSeq() {
		last = c
	}
	return last
}

// NamedChildren returns the named children that are not comments.
func NamedChildren(n Node) []Node {
	var out []Node
	for c := range n.NamedSeq() {
		out = append(out, c)
	}
	return out
}

// Texts returns the text of each node.
func Texts(nodes []Node) []string {
	var out []string
	for _, n := range nodes {
		out = append(out, n.Text())
	}
	return out
}

// TokensOf returns the tokens of a tree without comments.
func TokensOf(root Node) []Node {
	out := make([]Node, 0, (root.After()-root.Index())/2)
	jump := 0
	for n := range root.Descendants() {
		switch {
		case n.Index() < jump:
		case IsComment(n.Kind()):
			jump = n.After()
		case n.Leaf() && n.End() > n.Start():
			out = append(out, n)
		}
	}
	return out
}

// Unclosed returns the brackets that are open at the end of a text. A closing bracket also
// closes open brackets of other kinds inside its pair.
func Unclosed(root Node) []Node {
	if !root.HasError() {
		return nil
	}
	var open []Node
	waiting := map[string]int{} // closing bracket -> number of open ones
	for _, n := range TokensOf(root) {
		text := n.Text()
		if closer := Closers[text]; closer != "" {
			open = append(open, n)
			waiting[closer]++
			continue
		}
		for closed := ""; waiting[text] > 0 && closed != text; open = open[:len(open)-1] {
			closed = Closers[open[len(open)-1].Text()]
			waiting[closed]--
		}
	}
	return open
}

// UnreadBytes returns the number of bytes in ERROR nodes. A token that the parser inserted
// counts as one byte.
func UnreadBytes(root Node) int {
	sum, jump := 0, 0
	for n := range root.Descendants() {
		switch {
		case n.Index() < jump:
		case n.Kind() == "ERROR":
			sum += n.End() - n.Start()
			jump = n.After()
		case n.Missing():
			sum++
		}
	}
	return sum
}

// Closers maps each opening bracket to its closing one.
var Closers = map[string]string{"(": ")", "[": "]", "{": "}"}
