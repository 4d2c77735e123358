package repair

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// ScalaSource parses a text: as it is where the grammar reads all of it, else in
// the form that [scalaLayout] shows, when more is read so.
func ScalaSource(r *core.Reader, src []byte) error {
	l := layScala(src)
	r.Docs = l.docs
	unreadable := len(src) + 1 // bytes, of the text as it is
	if !l.needed && len(l.open) == 0 {
		tree, err := r.Lang.Grammar.Parse(src)
		if err != nil {
			return err
		}
		if !tree.Root().HasError() {
			r.SetTree(src, tree)
			return nil
		}
		unreadable = core.UnreadBytes(tree.Root())
	}
	l.modernise()
	w, open, unseen := l.rewrite(), l.open, l.unseen()
	tree, err := w.Parse(r.Lang.Grammar)
	if err != nil || core.UnreadBytes(tree.Root()) > unreadable { // the first tree was not kept: it takes much memory
		if tree, err = r.Lang.Grammar.Parse(src); err != nil {
			return err
		}
		r.SetTree(src, tree)
		return nil
	}
	r.Tree, r.Rewritten, r.Patched, r.Unread = tree, bytes.Clone(src), unseen, open
	for _, m := range unseen {
		core.Blank(r.Rewritten[m.Start:m.End])
	}
	return nil
}

// unseen returns the tokens that the parser was not shown as they are and whose
// text says more than how the code is laid out.
func (l *scalaLayout) unseen() []core.Span {
	var out []core.Span
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
		out = append(out, core.Span{Start: int(t.Start), End: int(t.End)})
	}
	return out
}

// rewrite returns the text as it is to be shown.
func (l *scalaLayout) rewrite() *core.SourceEdits {
	w := &core.SourceEdits{Source: l.text}
	lead := -1 // the token at whose place its line begins, those before being hidden
	for _, i := range slices.Sorted(maps.Keys(l.shown)) {
		s := l.shown[i]
		start, end := int(l.tokens[i].Start), int(l.tokens[i].End)
		if s.join {
			w.Edits = joinLines(w.Edits, l.text, int(l.tokens[i-1].End), start)
		}
		if s.before != "" {
			w.Edits = append(w.Edits, core.Edit{Start: start, End: start, Text: s.before})
		}
		if hidden := s.changed && s.as == "" && s.after == ""; hidden && (l.tokens[i].first || lead == i) && i+1 < len(l.tokens) && !l.tokens[i+1].first {
			lead, end = i+1, int(l.tokens[i+1].Start)
		}
		if s.changed {
			w.Edits = append(w.Edits, core.Edit{Start: start, End: end, Text: s.as})
		}
		if s.after != "" {
			w.Edits = append(w.Edits, core.Edit{Start: end, End: end, Text: s.after})
		}
	}
	return w
}

// joinLines shows the blanks and comments between two bytes on one line.
func joinLines(edits []core.Edit, text []byte, from, to int) []core.Edit {
	for at := from; at < to; at++ {
		switch {
		case text[at] == '\n':
			edits = append(edits, core.Edit{Start: at, End: at + 1, Text: " "})
		case bytes.HasPrefix(text[at:to], []byte("//")):
			end := min(core.EndOfLine(text, at), to)
			remark := strings.ReplaceAll(strings.TrimRight(string(text[at+2:end]), "\r"), "*/", "  ")
			edits = append(edits, core.Edit{Start: at, End: end, Text: "/*" + strings.ReplaceAll(remark, "/*", "  ") + "*/"})
			at = end - 1
		case bytes.HasPrefix(text[at:to], []byte("/*")):
			at = min(scalaComment(text, at), to) - 1
		}
	}
	return edits
}
