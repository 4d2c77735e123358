package lang

import (
	"bytes"
	"maps"
	"slices"
)

// scalaSource parses a text: as it is where the grammar reads all of it, else in
// the form that [scalaLayout] shows, when more is read so.
func scalaSource(r *reader, src []byte) error {
	l := layScala(src)
	r.docs = l.docs
	unreadable := len(src) + 1 // bytes, of the text as it is
	if !l.needed && len(l.open) == 0 {
		tree, err := r.lang.grammar.Parse(src)
		if err == nil && !tree.Root().HasError() {
			r.adopt(src, tree)
			return nil
		}
		if err == nil {
			unreadable = unreadBytes(tree.Root())
		}
	}
	l.modernise()
	w, open, unseen := l.rewrite(), l.open, l.unseen()
	tree, err := w.parse(r.lang.grammar)
	if err != nil || unreadBytes(tree.Root()) > unreadable { // the first tree was not kept: it takes much memory
		if tree, err = r.lang.grammar.Parse(src); err != nil {
			return err
		}
		r.adopt(src, tree)
		return nil
	}
	r.Tree, r.shown, r.mended, r.unread = tree, bytes.Clone(src), unseen, open
	for _, m := range unseen {
		blank(r.shown[m.start:m.end])
	}
	return nil
}

// unseen returns the tokens that the parser was not shown as they are and whose
// text says more than how the code is laid out.
func (l *scalaLayout) unseen() []span {
	var out []span
	for _, i := range slices.Sorted(maps.Keys(l.shown)) {
		s, t := l.shown[i], l.tokens[i]
		if !s.changed || s.as != "" { // what is shown as something else keeps its text
			continue
		}
		switch l.word(i) {
		case "do", ".", "end", ")", "(":
			continue
		}
		if s.as == "" && i > 0 && l.word(i-1) == "end" && l.shown[i-1].changed {
			continue
		}
		out = append(out, span{start: int(t.start), end: int(t.end)})
	}
	return out
}
