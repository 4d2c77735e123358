package php

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/php/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// One declaration with a syntax error may corrupt the tree of its neighbours. In that
// case the text is split into pieces at lines that begin like declarations and are
// indented like the first of their kind. A piece that does not parse alone is blanked;
// of a function whose head parses, only the body is blanked.

// pieces is the state of splitting one file into pieces.
type pieces struct {
	*repair.Rewriter
	language *core.Language
	cuts     []core.Span
	budget   int // remaining number of bytes to parse
}

// maxPieced is the maximum size in bytes of a file that is split. A tree takes many
// times the memory of its text, and two trees are alive at once.
const maxPieced = 128 << 10

// isolate parses the text again without the parts that do not parse.
func (p *reader) isolate() {
	if !p.Root().HasError() || p.Length > maxPieced {
		return
	}
	c := &pieces{language: p.Lang, budget: core.ParseBudget * p.Length}
	c.Rewriter = &repair.Rewriter{Text: slices.Clone(p.Rewritten[:p.Length])}
	c.endStrings()
	if len(c.cuts) == 0 && !hasOuterError(p.Root()) {
		return
	}
	c.Source = slices.Clone(c.Text)
	c.Tokens = repair.Tokens(c.Source)
	c.Partner = c.Partners()
	c.file()
	if len(c.cuts) == 0 {
		return
	}
	c.Tokens, c.Partner, c.Source = nil, nil, nil // free memory for the tree
	tree, err := p.Lang.Grammar.Parse(c.Text)
	if err != nil || syntax.UnreadBytes(tree.Root()) >= syntax.UnreadBytes(p.Root()) {
		return
	}
	for _, cut := range c.cuts {
		cut.Name = "unexpected " + srctext.QuoteShort(string(p.Source[cut.Start:cut.End]))
		p.Unread = append(p.Unread, cut)
	}
	p.SetTree(p.Source[:p.Length], tree)
}

// hasOuterError reports whether an error is outside all function bodies, or contains the
// beginning of a declaration.
func hasOuterError(root syntax.Node) bool {
	for n := range root.Descendants() {
		if n.Kind() != "ERROR" && !n.Missing() {
			continue
		}
		if !n.Ancestor("method_declaration", "function_definition").Ok() {
			return true
		}
		word, _, _ := strings.Cut(n.Text(), " ")
		if slices.Contains(declarationWords, word) {
			return true
		}
	}
	return false
}

// declarationWords are the words that declarations begin with.
var declarationWords = []string{"public", "protected", "private", "abstract", "final", "function", "class", "interface", "trait", "enum"}

// maxStrings is the maximum number of unterminated literals that are repaired.
const maxStrings = 8

// endStrings ends each unterminated literal at the end of its line.
func (c *pieces) endStrings() {
	for range maxStrings {
		cut := false
		for _, t := range repair.Tokens(c.Text) {
			if t.Kind == repair.String && c.Text[t.Start()] != '<' && containsDeclaration(c.Text[t.Start():t.End()]) {
				c.hide(t.Start(), t.Start()+bytes.IndexByte(c.Text[t.Start():], '\n'))
				cut = true
				break
			}
		}
		if !cut {
			return
		}
	}
}

// containsDeclaration reports whether a line in a literal begins like a method or class,
// which indicates a missing closing quote.
func containsDeclaration(text []byte) bool {
	for row := range bytes.Lines(text[bytes.IndexByte(text, '\n')+1:]) {
		row = bytes.TrimSpace(row)
		for _, word := range []string{"public ", "protected ", "private ", "final class ", "class "} {
			if bytes.HasPrefix(row, []byte(word)) && (strings.Contains(word, "class") || bytes.Contains(row, []byte("function "))) {
				return true
			}
		}
	}
	return false
}

// hide blanks the bytes [from, to).
func (c *pieces) hide(from, to int) {
	if to > from {
		srctext.Blank(c.Text[from:to])
		c.cuts = append(c.cuts, core.Span{Start: from, End: to})
	}
}

// column returns the number of blanks before token i on its line, or -1 if it is not
// the first token on the line.
func (c *pieces) column(i int) int {
	at := c.Tokens[i].Start()
	n := 0
	for at > 0 && (c.Source[at-1] == ' ' || c.Source[at-1] == '\t') {
		at--
		n++
	}
	if at > 0 && c.Source[at-1] != '\n' {
		return -1
	}
	return n
}

// starts returns the tokens in [from, to) that begin a line at the given column with
// one of words. A negative column means the column of the first such line.
func (c *pieces) starts(from, to, column int, words ...string) []int {
	var out []int
	for i := from; i < to; i++ {
		if !c.Is(i, words...) || c.Is(i-1, "]") && i > from && c.Pair(i-1) >= 0 && c.Is(c.Pair(i-1), "#[") {
			continue
		}
		at := c.column(i)
		if column < 0 && at >= 0 {
			column = at
		}
		if at >= 0 && at == column {
			out = append(out, i)
		}
	}
	return out
}

// file checks a file piece by piece: its types and functions.
func (c *pieces) file() {
	all := c.starts(0, len(c.Tokens), -1, "abstract", "final", "readonly", "class", "interface", "trait", "enum", "function", "#[")
	if len(all) == 0 {
		return
	}
	column := c.column(all[0])
	for k, from := range all {
		to := len(c.Tokens)
		if k+1 < len(all) {
			to = all[k+1]
		}
		if !c.readable(from, to, "<?php ", "") {
			c.declaration(from, to, column)
		}
	}
}

// declaration blanks what does not parse in a type or function and in the statements
// after it.
func (c *pieces) declaration(from, to, column int) {
	open := c.first(from, to, "{")
	end := min(to, c.closing(open, to, column)+1)
	if end < to && !c.readable(end, to, "<?php ", "") {
		c.hide(c.Tokens[end].Start(), c.Tokens[to-1].End())
	}
	if open >= to-1 {
		if open < to && to == len(c.Tokens) || c.readable(from, to, "<?php ", "") {
			return // incomplete: it is still being typed
		}
		c.hide(c.Tokens[from].Start(), c.Tokens[to-1].End())
		return
	}
	k := c.AfterAttributes(from)
	for c.Is(k, repair.Modifiers...) {
		k++
	}
	if c.Is(k, "function") {
		c.callable(from, end, column, "<?php ", "")
		return
	}
	if end > open+1 && c.Is(end-1, "}") {
		end--
	}
	c.members(open+1, end, "<?php "+string(c.Source[c.Tokens[k].Start():c.Tokens[open].End()]))
}

// closing returns the brace that closes the one at open: its partner if that is on the
// same line, else the first brace that begins a line at the column. It returns to if
// there is none.
func (c *pieces) closing(open, to, column int) int {
	if open >= to {
		return to
	}
	if own := c.Pair(open); own > open && own < to && bytes.IndexByte(c.Source[c.Tokens[open].Start():c.Tokens[own].Start()], '\n') < 0 {
		return own
	}
	for i := open + 1; i < to; i++ {
		if c.Is(i, "}") && c.column(i) == column {
			return i
		}
	}
	return to
}

// members blanks what does not parse among the members of a type. head is the text of
// the type's head.
func (c *pieces) members(from, to int, head string) {
	words := append(slices.Clone(repair.Modifiers), "function", "const", "case", "use", "#[")
	all := c.starts(from, to, -1, words...)
	if len(all) == 0 || all[0] > from {
		all = slices.Insert(all, 0, from)
	}
	for k, start := range all {
		end := to
		if k+1 < len(all) {
			end = all[k+1]
		}
		if start < end && !c.readable(start, end, head, "}") {
			c.callable(start, end, max(0, c.column(start)), head, "}")
		}
	}
}

// callable blanks the body of a function, or the whole piece if it is not a function
// whose head parses. Text after the function is blanked as well.
func (c *pieces) callable(from, to, column int, before, after string) {
	open := c.first(from, to, "{")
	if open == to || !c.readable(from, open, before, "{}"+after) {
		c.hide(c.Tokens[from].Start(), c.Tokens[to-1].End())
		return
	}
	end := c.closing(open, to, column)
	if end < to-1 { // text after the function
		c.hide(c.Tokens[end+1].Start(), c.Tokens[to-1].End())
	}
	if end < to && c.readable(from, end+1, before, after) {
		return
	}
	if end == to && open+1 < to {
		last := c.Tokens[to-1].End()
		c.hide(c.Tokens[open].End(), last)
		c.Text[last-1] = '}'
		return
	}
	if end < to {
		c.hide(c.Tokens[open].End(), c.Tokens[end].Start())
	}
}

// first returns the first token in [from, to) that is sign, skipping bracketed text. It
// returns to if there is none.
func (c *pieces) first(from, to int, sign string) int {
	for i := from; i < to; i++ {
		switch {
		case c.Is(i, sign):
			return i
		case c.Pair(i) > i && c.Pair(i) < to:
			i = c.Pair(i)
		}
	}
	return to
}

// readable reports whether the tokens [from, to) parse between the texts before and
// after.
func (c *pieces) readable(from, to int, before, after string) bool {
	if from >= to {
		return true
	}
	text := slices.Concat([]byte(before), c.Text[c.Tokens[from].Start():c.Tokens[to-1].End()], []byte(after))
	if c.budget -= len(text); c.budget < 0 {
		return true // budget spent: leave the text unchanged
	}
	tree, err := c.language.Grammar.Parse(text)
	return err == nil && !tree.Root().HasError()
}
