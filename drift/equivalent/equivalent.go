// Package equivalent decides whether two texts of a function mean the same although they differ: locals have other
// names, a local was extracted or inlined, statements that do not depend on each other are in another order, the text is
// formatted anew. What it cannot decide is different.
package equivalent

import (
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Lines are the lines of a function in the text of its file, 1-based and inclusive.
type Lines struct{ First, Last int }

// Functions reports whether two functions mean the same. The file is the path of either text; its language decides. It
// is false for a language without a table and for text with syntax errors.
func Functions(file string, before []byte, at Lines, after []byte, now Lines) bool {
	l, known := lang.ByPath(file)
	if !known || tables()[l.Name] == nil {
		return false
	}
	a, ok := read(l, before, at)
	if !ok {
		return false
	}
	b, ok := read(l, after, now)
	return ok && same(a, b)
}

// read returns the tokens of a function in its normal form.
func read(l *lang.Language, text []byte, at Lines) ([]token, bool) {
	g := l.Grammar
	if g == nil && l.Name == "go" {
		g = syntax.Go
	}
	if g == nil {
		return nil, false
	}
	tree, err := g.Parse(text)
	if err != nil {
		return nil, false
	}
	tree = core.Repaired(l, tree)
	t := tables()[l.Name]
	var out []token
	for _, node := range functionsAt(tree.Root(), t, at) {
		f := newFunction(t, text, node)
		if f.opaque || node.HasError() && !onlyEmpty(node) {
			return nil, false
		}
		f.emit(node)
		out = append(out, f.out...)
	}
	return out, len(out) > 0
}

// onlyEmpty reports whether all that the grammar misses are names: it expects one in brackets that are empty, as in C# "x ?? []".
func onlyEmpty(n syntax.Node) bool {
	for x := range n.Descendants() {
		if x.Is("ERROR") || x.Missing() && !x.Is("identifier") {
			return false
		}
	}
	return true
}

// functionsAt returns the outermost functions within some lines: several of one that is declared with overloads.
func functionsAt(root syntax.Node, t *table, at Lines) []syntax.Node {
	var out []syntax.Node
	end := 0 // of the last one
	for n := range root.Descendants() {
		line := n.Line() // annotations are before the line of the name
		if name := n.Field("name"); name.Ok() {
			line = name.Line()
		}
		if t.functions[n.Kind()] && at.First <= line && n.EndLine() <= at.Last && n.Start() >= end {
			out, end = append(out, n), n.End()
		}
	}
	return out
}

// same compares two lists of tokens, in which locals may have other names.
func same(a, b []token) bool {
	if len(a) != len(b) {
		return false
	}
	to, from := map[string]string{}, map[string]string{}
	for i := range a {
		switch x, y := a[i], b[i]; {
		case x.local != y.local:
			return false
		case !x.local && x.text != y.text:
			return false
		case !x.local:
		case to[x.text] == "" && from[y.text] == "":
			to[x.text], from[y.text] = y.text, x.text
		case to[x.text] != y.text || from[y.text] != x.text:
			return false
		}
	}
	return true
}

// token is a token of the normal form.
type token struct {
	text  string
	local bool // the name of a local
}

// quiet returns tokens as one text in which locals have no name.
func quiet(list []token) string {
	var b []byte
	for _, t := range list {
		if t.local {
			b = append(b, "\x01"...)
		} else {
			b = append(b, t.text...)
		}
		b = append(b, 0)
	}
	return string(b)
}
