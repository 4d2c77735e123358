package rust

import (
	"bytes"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// One item with a syntax error can corrupt the tree of all items around it. In that
// case the text is split into pieces at lines that begin like items. What does not
// parse in a piece alone is blanked for the parser, so that the item keeps its name and
// its neighbours are unaffected.
//
// A grammar that recovers at the next item would make this file unnecessary. To drop
// it, remove the call of isolate in read.

// isolate parses the text again without what does not parse: first without what affects
// its neighbours and, if errors remain, without all of it.
func (r *reader) isolate() {
	for _, strict := range []bool{false, true} {
		if !r.Root().Has("ERROR") {
			return
		}
		p := pieces{language: r.Lang, text: bytes.Clone(r.Rewritten), strict: strict, budget: core.ParseBudget * len(r.Rewritten)}
		p.isolate(syntax.TokensOf(r.Root()), 0)
		tree, err := r.Lang.Grammar.Parse(p.text)
		if err != nil || len(p.cuts) == 0 {
			continue
		}
		tree = core.Repaired(r.Lang, tree)
		if tree.Root().Has("ERROR") && !strict || syntax.UnreadBytes(tree.Root()) >= syntax.UnreadBytes(r.Root()) {
			continue
		}
		for _, c := range p.cuts {
			c.Name = "unexpected " + srctext.QuoteShort(string(r.Source[c.Start:c.End]))
			r.Unread = append(r.Unread, c)
		}
		r.SetTree(r.Source, tree)
	}
}

// pieces is the state of splitting one text into pieces.
type pieces struct {
	language *core.Language
	text     []byte // with the cuts blanked
	strict   bool   // also cut items that contain an error
	cuts     []core.Span
	budget   int // remaining number of bytes to parse
}

// isolate blanks what does not parse in the items that tokens make up.
func (p *pieces) isolate(tokens []syntax.Node, depth int) {
	for _, piece := range split(tokens) {
		from, to := piece[0].Start(), piece[len(piece)-1].End()
		if p.readable(from, to) {
			continue
		}
		open := slices.IndexFunc(piece, func(n syntax.Node) bool { return n.TextIs("{") })
		last := piece[len(piece)-1]
		closed := open >= 0 && last.TextIs("}") && open < len(piece)-1
		switch word, name := itemWord(piece); {
		case word == "fn":
			p.stub(piece, name)
		case closed && depth < core.MaxPieces && (word == "mod" || word == "impl" || word == "trait"):
			p.isolate(piece[open+1:len(piece)-1], depth+1)
		}
		if closed && !p.readable(from, to) {
			p.hide(piece[open].End(), last.Start())
		}
		if !p.readable(from, to) {
			p.hide(from, to)
		}
	}
}

// readable reports whether the bytes [from, to) parse as items only.
func (p *pieces) readable(from, to int) bool {
	p.budget -= to - from
	if p.budget < 0 {
		return true // budget spent: leave the text unchanged
	}
	tree, err := p.language.Grammar.Parse(p.text[from:to])
	if err != nil {
		return false
	}
	root := core.Repaired(p.language, tree).Root()
	if p.strict || !root.HasError() {
		return !root.HasError()
	}
	for n := range root.Children() {
		if !isWhole(n) && !n.Is("function_signature_item") {
			return false
		}
	}
	return true
}

// split divides tokens at the lines that begin like an item and are not indented more
// than the first one.
func split(tokens []syntax.Node) [][]syntax.Node {
	var out [][]syntax.Node
	column := 0
	for i, n := range tokens {
		begins := i == 0 || tokens[i-1].EndLine() < n.Line()
		if i == 0 {
			column = n.Column()
		}
		if i == 0 || begins && n.Column() == column && (slices.Contains(itemWords, n.Text()) || n.TextIs("macro_rules!")) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], n)
	}
	return out
}

// itemWord returns the keyword that determines the kind of an item, and the index of
// the token after it.
func itemWord(piece []syntax.Node) (word string, name int) {
	for i, n := range piece {
		switch text := n.Text(); text {
		case "fn", "struct", "enum", "union", "trait", "impl", "mod", "use", "type", "static", "{", "=":
			return text, i + 1
		}
	}
	return "", 0
}

// stub reduces a function to its name and its body, if it has one: fn f() { … }. name
// is the index of the token after fn.
func (p *pieces) stub(piece []syntax.Node, name int) {
	if name >= len(piece) || !piece[name].Is("identifier") {
		return
	}
	at, end := piece[name].End(), piece[len(piece)-1]
	if body := slices.IndexFunc(piece[name:], func(n syntax.Node) bool { return n.TextIs("{") }); body >= 0 {
		end = piece[name+body]
	} else if !end.TextIs(";") {
		return
	}
	if end.Start()-at < len("()") {
		return
	}
	p.hide(at, end.Start())
	copy(p.text[at:], "()")
}

// hide blanks the bytes [from, to).
func (p *pieces) hide(from, to int) {
	srctext.Blank(p.text[from:to])
	p.cuts = append(p.cuts, core.Span{Start: from, End: to})
}
