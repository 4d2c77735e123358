package lang

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// close parses a text again whose end is missing: the brackets that are still
// open are closed behind it, so that what stands in them keeps its place.
func (r *reader) close() {
	if r.Cost > repairLimit(r.Source) {
		return
	}
	open := unclosed(r.Root())
	if len(open) == 0 || len(open) > maxNesting {
		return
	}
	var ends []byte
	for _, n := range slices.Backward(open) {
		ends = append(ends, closers[n.Text()]...)
	}
	tree, err := r.lang.grammar.Parse(slices.Concat(r.shown, ends))
	if err != nil {
		return
	}
	tree = repaired(r.lang, tree)
	if unreadBytes(tree.Root()) >= unreadBytes(r.Root()) {
		return
	}
	for _, n := range open {
		r.unread = append(r.unread, span{n.Start(), n.End(), "unclosed " + quoteShort(n.Text())})
	}
	r.adopt(slices.Concat(r.Source, ends), tree)
}

var closers = map[string]string{"(": ")", "[": "]", "{": "}"}

// unclosed returns the brackets that are open at the end of a text. A bracket
// that closes another one than the last closes those in it.
func unclosed(root syntax.Node) []syntax.Node {
	if !root.HasError() {
		return nil
	}
	var open []syntax.Node
	waiting := map[string]int{} // closing brackets -> how many are open
	for _, n := range tokensOf(root) {
		text := n.Text()
		if closer := closers[text]; closer != "" {
			open = append(open, n)
			waiting[closer]++
			continue
		}
		for closed := ""; waiting[text] > 0 && closed != text; open = open[:len(open)-1] {
			closed = closers[open[len(open)-1].Text()]
			waiting[closed]--
		}
	}
	return open
}

// unreadBytes is how much of a text the grammar could not read, a token put in
// counted as one byte.
func unreadBytes(root syntax.Node) int {
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
func (r *reader) reportUnread() {
	for _, mark := range conflictMarks(r.Source) {
		if len(bytes.TrimSpace(r.shown[mark.start:mark.end])) == 0 {
			mark.name = "merge conflict " + quoteShort(string(r.Source[mark.start:mark.end]))
			r.unread = append(r.unread, mark)
		}
	}
	for _, u := range r.unread {
		line := r.Line(u.start)
		before := r.Source[:u.start]
		e := code.ParseError{Line: line, Column: u.start - bytes.LastIndexByte(before, '\n'), Message: strings.TrimSpace(u.name)}
		e.Affected = r.touched(u.start, u.end)
		r.file.ParseErrors = append(r.file.ParseErrors, e)
	}
}
