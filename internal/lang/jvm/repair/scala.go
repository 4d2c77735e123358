package repair

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// ScalaSource parses a text: unchanged if the grammar parses all of it, else as
// rewritten by [scalaLayout] if less of it is unread then.
func ScalaSource(r *core.Reader, src []byte) error {
	l := layScala(src)
	r.Docs = l.docs
	unreadable := len(src) + 1 // number of bytes, in the unchanged text
	if !l.needed && len(l.open) == 0 {
		tree, err := r.Lang.Grammar.Parse(src)
		if err != nil {
			return err
		}
		if !tree.Root().HasError() {
			r.SetTree(src, tree)
			return nil
		}
		unreadable = syntax.UnreadBytes(tree.Root())
	}
	l.modernise()
	w, open, hiddenTokens := l.rewrite(), l.open, l.hiddenTokens()
	tree, err := w.Parse(r.Lang.Grammar)
	if err != nil || syntax.UnreadBytes(tree.Root()) > unreadable { // the first tree was dropped to save memory
		if tree, err = r.Lang.Grammar.Parse(src); err != nil {
			return err
		}
		r.SetTree(src, tree)
		return nil
	}
	r.Tree, r.Rewritten, r.Patched, r.Unread = tree, bytes.Clone(src), hiddenTokens, open
	for _, m := range hiddenTokens {
		srctext.Blank(r.Rewritten[m.Start:m.End])
	}
	return nil
}

// hiddenTokens returns the tokens that were removed and have a meaning beyond layout.
func (l *scalaLayout) hiddenTokens() []core.Span {
	var out []core.Span
	for _, i := range slices.Sorted(maps.Keys(l.rewritten)) {
		s, t := l.rewritten[i], l.tokens[i]
		if !s.changed || s.as != "" { // a replaced token keeps its text
			continue
		}
		switch l.word(i) {
		case "do", ".", "end", ")", "(":
			continue
		}
		if s.as == "" && i > 0 && l.word(i-1) == "end" && l.rewritten[i-1].changed {
			continue
		}
		out = append(out, core.Span{Start: int(t.Start), End: int(t.End)})
	}
	return out
}

// rewrite returns the edits of the text.
func (l *scalaLayout) rewrite() *core.SourceEdits {
	w := &core.SourceEdits{Source: l.text}
	lead := -1 // the token at which its line begins, because those before it are hidden
	for _, i := range slices.Sorted(maps.Keys(l.rewritten)) {
		s := l.rewritten[i]
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

// joinLines appends edits that put the blanks and comments in [from, to) on one line.
func joinLines(edits []core.Edit, text []byte, from, to int) []core.Edit {
	for at := from; at < to; at++ {
		switch {
		case text[at] == '\n':
			edits = append(edits, core.Edit{Start: at, End: at + 1, Text: " "})
		case bytes.HasPrefix(text[at:to], []byte("//")):
			end := min(srctext.EndOfLine(text, at), to)
			leadComment := strings.ReplaceAll(strings.TrimRight(string(text[at+2:end]), "\r"), "*/", "  ")
			edits = append(edits, core.Edit{Start: at, End: end, Text: "/*" + strings.ReplaceAll(leadComment, "/*", "  ") + "*/"})
			at = end - 1
		case bytes.HasPrefix(text[at:to], []byte("/*")):
			at = min(scalaComment(text, at), to) - 1
		}
	}
	return edits
}
