package rust

import (
	"bytes"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// One unreadable item can spoil all items around it. Then the text is taken to
// pieces, each beginning where a line begins like an item; what cannot be read
// in a piece alone is not shown to the parser, so that the item keeps its name
// and its neighbours stay whole.

// isolate parses the text again without what cannot be read: first without what
// spoils its neighbours, and if that is not enough, without all of it.
func (r *rustReader) isolate() {
	for _, strict := range []bool{false, true} {
		if !r.Root().Has("ERROR") {
			return
		}
		p := pieces{language: r.Lang, text: bytes.Clone(r.Rewritten), strict: strict, budget: core.ParseBudget * len(r.Rewritten)}
		p.isolate(core.TokensOf(r.Root()), 0)
		tree, err := r.Lang.Grammar.Parse(p.text)
		if err != nil || len(p.cuts) == 0 {
			continue
		}
		tree = core.Repaired(r.Lang, tree)
		if tree.Root().Has("ERROR") && !strict || core.UnreadBytes(tree.Root()) >= core.UnreadBytes(r.Root()) {
			continue
		}
		for _, c := range p.cuts {
			c.Name = "unexpected " + core.QuoteShort(string(r.Source[c.Start:c.End]))
			r.Unread = append(r.Unread, c)
		}
		r.SetTree(r.Source, tree)
	}
}

// pieces is a text being taken to pieces.
type pieces struct {
	language *core.Language
	text     []byte // with the cuts overwritten
	strict   bool   // an item with an error in it counts as unreadable, too
	cuts     []core.Span
	budget   int // bytes that may still be parsed
}

// isolate overwrites what cannot be read in the items that tokens make up.
func (p *pieces) isolate(tokens []syntax.Node, depth int) {
	for _, piece := range split(tokens) {
		from, to := piece[0].Start(), piece[len(piece)-1].End()
		if p.readable(from, to) {
			continue
		}
		open := slices.IndexFunc(piece, func(n syntax.Node) bool { return n.Says("{") })
		last := piece[len(piece)-1]
		closed := open >= 0 && last.Says("}") && open < len(piece)-1
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

// readable tells whether a part of the text is items and nothing else.
func (p *pieces) readable(from, to int) bool {
	p.budget -= to - from
	if p.budget < 0 {
		return true // left as it is
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

// split divides tokens where a line begins like an item, as far to the left as
// the first one.
func split(tokens []syntax.Node) [][]syntax.Node {
	var out [][]syntax.Node
	column := 0
	for i, n := range tokens {
		begins := i == 0 || tokens[i-1].EndLine() < n.Line()
		if i == 0 {
			column = n.Column()
		}
		if i == 0 || begins && n.Column() == column && (slices.Contains(itemWords, n.Text()) || n.Says("macro_rules!")) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], n)
	}
	return out
}

// itemWord returns the word that says what an item is, and the index of the
// token after it.
func itemWord(piece []syntax.Node) (word string, name int) {
	for i, n := range piece {
		switch text := n.Text(); text {
		case "fn", "struct", "enum", "union", "trait", "impl", "mod", "use", "type", "static", "{", "=":
			return text, i + 1
		}
	}
	return "", 0
}

// stub leaves of a function its name and, when it has one, its body: fn f() { … }.
// name is the index of the token after fn.
func (p *pieces) stub(piece []syntax.Node, name int) {
	if name >= len(piece) || !piece[name].Is("identifier") {
		return
	}
	at, end := piece[name].End(), piece[len(piece)-1]
	if body := slices.IndexFunc(piece[name:], func(n syntax.Node) bool { return n.Says("{") }); body >= 0 {
		end = piece[name+body]
	} else if !end.Says(";") {
		return
	}
	if end.Start()-at < len("()") {
		return
	}
	p.hide(at, end.Start())
	copy(p.text[at:], "()")
}

// hide overwrites a part of the text.
func (p *pieces) hide(from, to int) {
	core.Blank(p.text[from:to])
	p.cuts = append(p.cuts, core.Span{Start: from, End: to})
}
