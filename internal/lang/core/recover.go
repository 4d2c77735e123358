package core

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// CloseBrackets parses a truncated text again with its open brackets closed at the end, so
// that their contents keep their place in the tree.
func (r *Reader) CloseBrackets() {
	if r.Steps > RepairLimit(len(r.Source)) {
		return
	}
	open := syntax.Unclosed(r.Root())
	if len(open) == 0 || len(open) > MaxNesting {
		return
	}
	var ends []byte
	for _, n := range slices.Backward(open) {
		ends = append(ends, syntax.Closers[n.Text()]...)
	}
	tree, err := r.Lang.Grammar.Parse(slices.Concat(r.Rewritten, ends))
	if err != nil {
		return
	}
	tree = Repaired(r.Lang, tree)
	if syntax.UnreadBytes(tree.Root()) >= syntax.UnreadBytes(r.Root()) {
		return
	}
	for _, n := range open {
		r.Unread = append(r.Unread, Span{n.Start(), n.End(), "unclosed " + srctext.QuoteShort(n.Text())})
	}
	r.SetTree(slices.Concat(r.Source, ends), tree)
}

// reportUnread adds parse errors for text hidden from the parser because it is not code of the
// language: conflict markers and parts in Unread.
func (r *Reader) reportUnread() {
	for _, mark := range ConflictMarks(r.Source) {
		if len(bytes.TrimSpace(r.Rewritten[mark.Start:mark.End])) == 0 {
			mark.Name = "merge conflict " + srctext.QuoteShort(string(r.Source[mark.Start:mark.End]))
			r.Unread = append(r.Unread, mark)
		}
	}
	for _, u := range r.Unread {
		line := r.Line(u.Start)
		before := r.Source[:u.Start]
		e := code.ParseError{Line: line, Column: u.Start - bytes.LastIndexByte(before, '\n'), Message: strings.TrimSpace(u.Name)}
		e.Affected = r.Touched(u.Start, u.End)
		r.File.ParseErrors = append(r.File.ParseErrors, e)
	}
}
