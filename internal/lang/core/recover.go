package core

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// CloseBrackets parses a truncated text again with its open brackets closed at the end, so
// that their contents keep their place in the tree.
func (r *Reader) CloseBrackets() {
	if r.Steps > RepairLimit(len(r.Source)) {
		return
	}
	open := Unclosed(r.Root())
	if len(open) == 0 || len(open) > MaxNesting {
		return
	}
	var ends []byte
	for _, n := range slices.Backward(open) {
		ends = append(ends, Closers[n.Text()]...)
	}
	tree, err := r.Lang.Grammar.Parse(slices.Concat(r.Rewritten, ends))
	if err != nil {
		return
	}
	tree = Repaired(r.Lang, tree)
	if UnreadBytes(tree.Root()) >= UnreadBytes(r.Root()) {
		return
	}
	for _, n := range open {
		r.Unread = append(r.Unread, Span{n.Start(), n.End(), "unclosed " + QuoteShort(n.Text())})
	}
	r.SetTree(slices.Concat(r.Source, ends), tree)
}

// Closers maps each opening bracket to its closing one.
var Closers = map[string]string{"(": ")", "[": "]", "{": "}"}

// Unclosed returns the brackets that are open at the end of a text. A closing bracket also
// closes open brackets of other kinds inside its pair.
func Unclosed(root syntax.Node) []syntax.Node {
	if !root.HasError() {
		return nil
	}
	var open []syntax.Node
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
func UnreadBytes(root syntax.Node) int {
	sum, jump := 0, 0
	for n := range root.Within() {
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

// reportUnread adds parse errors for text hidden from the parser because it is not code of the
// language: conflict markers and parts in Unread.
func (r *Reader) reportUnread() {
	for _, mark := range ConflictMarks(r.Source) {
		if len(bytes.TrimSpace(r.Rewritten[mark.Start:mark.End])) == 0 {
			mark.Name = "merge conflict " + QuoteShort(string(r.Source[mark.Start:mark.End]))
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
