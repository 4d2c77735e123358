package lang

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// scalaSource parses a text: as it is where the grammar reads all of it, else in
// the form that [scalaLayout] shows, when more is read so.
func scalaSource(r *reader, src []byte) error {
	l := layScala(src)
	r.docs = l.docs
	unreadable := len(src) + 1 // bytes, of the text as it is
	if !l.needed && len(l.open) == 0 {
		tree, err := r.lang.grammar.Parse(src)
		if err != nil {
			return err
		}
		if !tree.Root().HasError() {
			r.adopt(src, tree)
			return nil
		}
		unreadable = unreadBytes(tree.Root())
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

// rewrite returns the text as it is to be shown.
func (l *scalaLayout) rewrite() *rewrite {
	w := &rewrite{source: l.text}
	lead := -1 // the token at whose place its line begins, those before being hidden
	for _, i := range slices.Sorted(maps.Keys(l.shown)) {
		s := l.shown[i]
		start, end := int(l.tokens[i].start), int(l.tokens[i].end)
		if s.join {
			w.edits = joinLines(w.edits, l.text, int(l.tokens[i-1].end), start)
		}
		if s.before != "" {
			w.edits = append(w.edits, edit{start, start, s.before})
		}
		if hidden := s.changed && s.as == "" && s.after == ""; hidden && (l.tokens[i].first || lead == i) && i+1 < len(l.tokens) && !l.tokens[i+1].first {
			lead, end = i+1, int(l.tokens[i+1].start)
		}
		if s.changed {
			w.edits = append(w.edits, edit{start, end, s.as})
		}
		if s.after != "" {
			w.edits = append(w.edits, edit{end, end, s.after})
		}
	}
	return w
}

// joinLines shows the blanks and comments between two bytes on one line.
func joinLines(edits []edit, text []byte, from, to int) []edit {
	for at := from; at < to; at++ {
		switch {
		case text[at] == '\n':
			edits = append(edits, edit{at, at + 1, " "})
		case bytes.HasPrefix(text[at:to], []byte("//")):
			end := min(endOfLine(text, at), to)
			remark := strings.ReplaceAll(strings.TrimRight(string(text[at+2:end]), "\r"), "*/", "  ")
			edits = append(edits, edit{at, end, "/*" + strings.ReplaceAll(remark, "/*", "  ") + "*/"})
			at = end - 1
		case bytes.HasPrefix(text[at:to], []byte("/*")):
			at = min(scalaComment(text, at), to) - 1
		}
	}
	return edits
}
