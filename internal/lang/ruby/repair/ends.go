package repair

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// opener is a keyword or bracket that needs a closing one.
type opener struct {
	word   syntax.Node
	indent int // of its line, in bytes
}

// unmatched are the openers without an end and the ends without an opener, judged by the
// indentation of their lines.
type unmatched struct {
	missing []opener
	before  []int // for each, the offset of the first text that cannot be inside it
	open    []opener
	extra   []syntax.Node
	balance int // number of openers minus ends, without those already reported
}

// CloseBlocks parses text with syntax errors again after adding the ends that are
// missing according to the indentation, and after closing brackets.
func CloseBlocks(r *core.Reader) {
	if unreadBytes(r.Root()) > 0 {
		addEnds(r)
		r.CloseBrackets()
	}
	for _, n := range strayEnds(r.Root()) {
		r.Unread = append(r.Unread, core.Span{Start: n.Start(), End: n.End(), Name: "unexpected `end`"})
	}
}

// strayEnds returns the ends without an opener. The grammar parses them as names.
func strayEnds(root syntax.Node) []syntax.Node {
	var out []syntax.Node
	for n := range root.NamedSeq() {
		if n.Is("identifier") && n.TextIs("end") {
			out = append(out, n)
		}
	}
	return out
}

// unreadBytes returns the number of bytes and stray ends that were not parsed.
func unreadBytes(root syntax.Node) int {
	unread := len(strayEnds(root))
	if root.HasError() {
		unread += syntax.UnreadBytes(root)
	}
	return unread
}

func addEnds(r *core.Reader) {
	m := findUnmatched(r)
	if count := len(m.missing) + len(m.open) + len(m.extra); count == 0 || count > core.MaxNesting {
		return // balanced, or not Ruby
	}
	text := bytes.Clone(r.Rewritten)
	var lost []core.Span
	for i, o := range m.missing {
		lost = append(lost, endFor(text, o, m.before[i]))
	}
	var ends []byte
	for _, o := range slices.Backward(m.open) {
		lost = append(lost, missingEnd(o.word))
		if closer := syntax.Closers[o.word.Text()]; closer != "" {
			ends = append(ends, closer...)
			continue
		}
		ends = append(ends, "\nend"...)
	}
	for _, n := range m.extra {
		srctext.Blank(text[n.Start():n.End()])
		lost = append(lost, core.Span{Start: n.Start(), End: n.End(), Name: "unexpected " + srctext.QuoteShort(n.Text())})
	}
	m = unmatched{}
	if readAgain(r, TruncateHeredocNames(slices.Concat(text, ends)), slices.Concat(r.Source, ends)) {
		r.Unread = append(r.Unread, lost...)
	}
}

// readAgain replaces the reader's tree with that of rewritten if fewer bytes of it are
// unread, and reports whether it did. To save memory the old tree is dropped first, and
// parsed again if it was better.
func readAgain(r *core.Reader, rewritten, source []byte) (better bool) {
	unread, lastRewritten, last := unreadBytes(r.Root()), r.Rewritten, r.Source
	r.Tree = nil
	if tree, err := r.Lang.Grammar.Parse(rewritten); err == nil {
		tree = core.Repaired(r.Lang, tree)
		if unreadBytes(tree.Root()) < unread {
			r.SetTree(source, tree)
			return true
		}
	}
	tree, err := r.Lang.Grammar.Parse(lastRewritten)
	for err != nil { // it parsed before, so this ends
		tree, err = r.Lang.Grammar.Parse(nil)
	}
	r.SetTree(last, tree)
	return false
}

// missingEnd returns the error for an opener without an end.
func missingEnd(n syntax.Node) core.Span {
	if syntax.Closers[n.Text()] != "" {
		return core.Span{Start: n.Start(), End: n.End(), Name: "unclosed " + srctext.QuoteShort(n.Text())}
	}
	return core.Span{Start: n.Start(), End: n.End(), Name: "missing end of " + srctext.QuoteShort(n.Text())}
}

// endFor inserts an end for an opener before the offset at which its body must have
// ended. It replaces indentation or the last line of the body. An opener that only
// groups is blanked instead.
func endFor(text []byte, o opener, before int) core.Span {
	from, to := o.word.Start(), o.word.End()
	lost := missingEnd(o.word)
	if !isDefinition(o.word) {
		srctext.Blank(text[from:to])
		if rest := text[to:rowEnd(text, to)]; o.word.Is("do") && bytes.HasPrefix(bytes.TrimLeft(rest, " "), []byte("|")) {
			srctext.Blank(rest)
		}
		return lost
	}
	row := bytes.LastIndexByte(text[:before], '\n') + 1
	if before-row >= len("end;") && len(bytes.TrimSpace(text[row:before])) == 0 {
		copy(text[before-len("end;"):], "end;")
		return lost
	}
	head := rowEnd(text, to)
	for end := row - 1; end > head; end = bytes.LastIndexByte(text[:end], '\n') {
		start := bytes.LastIndexByte(text[:end], '\n') + 1
		if end-start < len("end") {
			continue
		}
		srctext.Blank(text[start:end])
		copy(text[end-len("end"):], "end")
		return lost
	}
	srctext.Blank(text[from:to])
	return lost
}

// findUnmatched matches all openers and ends, using the indentation of their lines.
func findUnmatched(r *core.Reader) unmatched {
	var m unmatched
	leaves := syntax.TokensOf(r.Root())
	for i := range leaves {
		if opens(leaves, i) {
			m.balance++
		} else if isWord(leaves, i, "end") {
			m.balance--
		}
	}
	for i, n := range leaves {
		first := i == 0 || leaves[i-1].Line() != n.Line()
		switch text := n.Text(); {
		case incompleteCall(leaves, i):
			m.extra = append(m.extra, n)
		case isWord(leaves, i, "end"):
			m.end(n, first, indentOf(r, n))
		case syntax.Closers[text] != "":
			m.open = append(m.open, opener{n, indentOf(r, n)})
		case text == ")" || text == "]" || text == "}":
			m.bracket(n, text)
		case opens(leaves, i):
			m.begin(n, first, indentOf(r, n))
		}
	}
	return m
}

// incompleteCall reports whether token i is the dot of a call whose name has not been
// typed yet.
func incompleteCall(leaves []syntax.Node, i int) bool {
	text := leaves[i].Text()
	return (text == "." || text == "&.") && i+1 < len(leaves) && leaves[i+1].TextIs("end") && leaves[i+1].Line() > leaves[i].Line()
}

// begin pushes an opener. A definition cannot be indented less than, or as much as, the
// block that contains it.
func (m *unmatched) begin(n syntax.Node, first bool, indent int) {
	for isDefinition(n) && first && len(m.open) > 0 && m.last().indent >= indent {
		m.popUnclosed(n.Start())
	}
	m.open = append(m.open, opener{n, indent})
}

// isWord reports whether token i is the given keyword. This includes a keyword at the
// start of a line that the grammar took for a name because of an unfinished line
// before.
func isWord(leaves []syntax.Node, i int, word string) bool {
	n := leaves[i]
	if n.Named() && (!n.Is("identifier") || i == 0 || leaves[i-1].Line() == n.Line()) {
		return false
	}
	return n.Text() == word
}

// bracket pops a closing bracket. Openers inside it that are still open are missing
// their end.
func (m *unmatched) bracket(n syntax.Node, text string) {
	for i, o := range slices.Backward(m.open) {
		if word := o.word.Text(); syntax.Closers[word] == text || word == "#{" && text == "}" {
			for len(m.open) > i+1 {
				m.popUnclosed(n.Start())
			}
			m.open = m.open[:i]
			return
		}
		if isDefinition(o.word) {
			return
		}
	}
}

func (m *unmatched) last() opener { return m.open[len(m.open)-1] }

// popUnclosed pops the last opener as one without an end.
func (m *unmatched) popUnclosed(before int) {
	if syntax.Closers[m.last().word.Text()] == "" {
		m.balance--
	}
	m.missing, m.before = append(m.missing, m.last()), append(m.before, before)
	m.open = m.open[:len(m.open)-1]
}

// end pops the last opener, unless the indentation shows that the end belongs to
// another one.
func (m *unmatched) end(n syntax.Node, first bool, indent int) {
	for first && len(m.open) > 0 && m.mismatched(indent) {
		m.popUnclosed(n.Start())
	}
	if len(m.open) == 0 || first && m.balance < 0 && m.last().indent < indent && m.last().word.Column()-1 != indent {
		m.extra = append(m.extra, n)
		m.balance++
		return
	}
	m.open = m.open[:len(m.open)-1]
}

// mismatched reports whether an end with the given indentation cannot belong to the last
// opener.
func (m *unmatched) mismatched(indent int) bool {
	if syntax.Closers[m.last().word.Text()] != "" {
		return m.last().indent >= indent
	}
	return m.balance > 0 && len(m.open) > 1 && m.last().indent > indent
}

// indentOf returns the indentation of the line that contains n.
func indentOf(r *core.Reader, n syntax.Node) int {
	row := n.Start() - n.Column() + 1
	end := row
	for end < n.Start() && (r.Source[end] == ' ' || r.Source[end] == '\t') {
		end++
	}
	return end - row
}

// opens reports whether token i needs an end. Modifiers, endless definitions and the do
// of a loop do not.
func opens(leaves []syntax.Node, i int) bool {
	n := leaves[i]
	text := n.Text()
	if !isWord(leaves, i, text) {
		return false
	}
	switch text {
	case "class", "module", "begin", "case", "for":
		return i == 0 || !leaves[i-1].Ends(".")
	case "def":
		return !isEndless(leaves, i)
	case "if", "unless", "while", "until":
		return startsStatement(leaves, i)
	case "do":
		for k := i - 1; k >= 0 && leaves[k].Line() == n.Line(); k-- {
			if leaves[k].Is("while", "until", "for") && !leaves[k].Named() {
				return false
			}
		}
		return true
	}
	return false
}

// isDefinition reports whether word is def, class or module.
func isDefinition(word syntax.Node) bool {
	text := word.Text()
	return text == "def" || text == "class" || text == "module"
}

// startsStatement reports whether the conditional at token i begins a statement, so
// that it is not a modifier.
func startsStatement(leaves []syntax.Node, i int) bool {
	if i == 0 || leaves[i-1].Line() != leaves[i].Line() {
		return true
	}
	switch before := leaves[i-1]; before.Short() {
	case "then", "else", "do", "begin", "and", "or", "not", ";":
		return true
	default:
		return !before.Named() && strings.Trim(before.Text(), "=(|&[{,<+-!>?:") == ""
	}
}

// isEndless reports whether token i begins an endless definition: def x = y.
func isEndless(leaves []syntax.Node, i int) bool {
	depth := 0
	for k := i + 1; k < len(leaves) && (depth > 0 || leaves[k].Line() == leaves[i].Line()) && k-i < MaxBefore; k++ {
		switch leaves[k].Short() {
		case "(":
			depth++
		case ")":
			depth--
		case "=":
			if depth == 0 && leaves[k].Start() > leaves[k-1].End() {
				return true
			}
		case ";":
			return false
		}
	}
	return false
}

// MaxBefore is the maximum number of tokens between the start of a heredoc and its
// text.
const MaxBefore = 400
