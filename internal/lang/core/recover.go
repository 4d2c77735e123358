package core

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// CloseBrackets parses a text again whose end is missing: the brackets that are still
// open are closed behind it, so that what stands in them keeps its place.
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

// Closers gives the closing bracket of each opening one.
var Closers = map[string]string{"(": ")", "[": "]", "{": "}"}

// Unclosed returns the brackets that are open at the end of a text. A bracket
// that closes another one than the last closes those in it.
func Unclosed(root syntax.Node) []syntax.Node {
	if !root.HasError() {
		return nil
	}
	var open []syntax.Node
	waiting := map[string]int{} // closing brackets -> how many are open
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

// UnreadBytes is how much of a text the grammar could not read, a token put in
// counted as one byte.
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

// reportUnread reports what the parser was not shown because it is no code of
// the language: marks of a merge, pieces that spoil what follows.
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
