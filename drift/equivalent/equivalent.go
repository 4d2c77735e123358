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

// Text is a text of a file whose functions are compared. It is parsed when the first of them is. It is not safe for concurrent use.
type Text struct {
	language  *lang.Language // nil for one without a table
	text      []byte
	parsed    bool
	functions []placed
}

// NewText returns a text of a file; the language is that of the path.
func NewText(file string, text []byte) *Text {
	l, known := lang.ByPath(file)
	if !known || tables()[l.Name] == nil {
		l = nil
	}
	return &Text{language: l, text: text}
}

// Functions reports whether two functions mean the same. It is false for a language without a table and for text with syntax
// errors.
func Functions(before *Text, at Lines, after *Text, now Lines) bool {
	a, ok := before.read(at)
	if !ok {
		return false
	}
	b, ok := after.read(now)
	return ok && same(a, b)
}

// read returns the tokens of a function in its normal form.
func (t *Text) read(at Lines) ([]token, bool) {
	if t.language == nil {
		return nil, false
	}
	if !t.parsed {
		t.parsed = true
		t.parse()
	}
	table := tables()[t.language.Name]
	var out []token
	for _, node := range t.functionsAt(at) {
		f := newFunction(table, t.text, node)
		if f.opaque || node.HasError() && !onlyEmpty(node) {
			return nil, false
		}
		f.emit(node)
		out = append(out, f.out...)
	}
	return out, len(out) > 0
}

// parse finds the functions of the text.
func (t *Text) parse() {
	g := t.language.Grammar
	if g == nil && t.language.Name == "go" {
		g = syntax.Go
	}
	if g == nil {
		return
	}
	tree, err := g.Parse(t.text)
	if err != nil {
		return
	}
	table := tables()[t.language.Name]
	for n := range core.Repaired(t.language, tree).Root().Descendants() {
		if table.functions[n.Kind()] {
			t.functions = append(t.functions, placed{n, firstLine(n), n.EndLine()})
		}
	}
}

// placed is a function with the lines that it is looked for by.
type placed struct {
	syntax.Node
	line, end int
}

// firstLine returns the line of the name of a function: annotations are before it.
func firstLine(n syntax.Node) int {
	if name := n.Field("name"); name.Ok() {
		return name.Line()
	}
	return n.Line()
}

// functionsAt returns the outermost functions within some lines: several of one that is declared with overloads.
func (t *Text) functionsAt(at Lines) []syntax.Node {
	var out []syntax.Node
	end := 0 // of the last one
	for _, n := range t.functions {
		if at.First <= n.line && n.end <= at.Last && n.Start() >= end {
			out, end = append(out, n.Node), n.End()
		}
	}
	return out
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
