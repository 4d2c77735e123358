package php

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/php/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// One declaration that cannot be read may spoil those around it. Then the text
// is taken to pieces where lines begin like declarations, as far to the left as
// the first of their kind; what cannot be read in a piece alone is not shown to
// the parser: of a function its body, if its head can be read.

// phpPieces is a text being taken to pieces.
type phpPieces struct {
	*repair.Rewriter
	language *core.Language
	cuts     []core.Span
	budget   int // bytes that may still be parsed
}

// maxPieced is how long a text may be that is taken to pieces: trees take many
// times its room, and two are needed.
const maxPieced = 128 << 10

// isolate parses a text again without what spoils its neighbours.
func (p *phpReader) isolate() {
	if !p.Root().HasError() || p.Length > maxPieced {
		return
	}
	c := &phpPieces{language: p.Lang, budget: core.ParseBudget * p.Length}
	c.Rewriter = &repair.Rewriter{Text: slices.Clone(p.Rewritten[:p.Length])}
	c.endStrings()
	if len(c.cuts) == 0 && !spoiled(p.Root()) {
		return
	}
	c.Source = slices.Clone(c.Text)
	c.Tokens = repair.Tokens(c.Source)
	c.Partner = c.Partners()
	c.file()
	if len(c.cuts) == 0 {
		return
	}
	c.Tokens, c.Partner, c.Source = nil, nil, nil // the tree needs the room
	tree, err := p.Lang.Grammar.Parse(c.Text)
	if err != nil || core.UnreadBytes(tree.Root()) >= core.UnreadBytes(p.Root()) {
		return
	}
	for _, cut := range c.cuts {
		cut.Name = "unexpected " + core.QuoteShort(string(p.Source[cut.Start:cut.End]))
		p.Unread = append(p.Unread, cut)
	}
	p.SetTree(p.Source[:p.Length], tree)
}

// spoiled tells whether an error lies outside the bodies of functions, or holds
// the beginning of a declaration.
func spoiled(root syntax.Node) bool {
	for n := range root.Within() {
		if n.Kind() != "ERROR" && !n.Missing() {
			continue
		}
		if !n.Around("method_declaration", "function_definition").Ok() {
			return true
		}
		word, _, _ := strings.Cut(n.Text(), " ")
		if slices.Contains(phpDeclares, word) {
			return true
		}
	}
	return false
}

// phpDeclares are words that declarations begin with.
var phpDeclares = []string{"public", "protected", "private", "abstract", "final", "function", "class", "interface", "trait", "enum"}

// maxStrings is how many literals without an end are looked for.
const maxStrings = 8

// endStrings cuts literals without an end, each to the end of its line.
func (c *phpPieces) endStrings() {
	for range maxStrings {
		cut := false
		for _, t := range repair.Tokens(c.Text) {
			if t.Kind == repair.String && c.Text[t.Start()] != '<' && holdsDeclaration(c.Text[t.Start():t.End()]) {
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

// holdsDeclaration tells a literal in which a line begins like a method: it was
// not meant to be so long.
func holdsDeclaration(text []byte) bool {
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

// hide overwrites a part of the text.
func (c *phpPieces) hide(from, to int) {
	if to > from {
		core.Blank(c.Text[from:to])
		c.cuts = append(c.cuts, core.Span{Start: from, End: to})
	}
}

// column returns the number of blanks before the token i in its line; -1 when
// something else stands there.
func (c *phpPieces) column(i int) int {
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

// starts returns the tokens between two at which a line begins with one of words
// in a column; that of the first such line when column is negative.
func (c *phpPieces) starts(from, to, column int, words ...string) []int {
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

// file takes a file to pieces: its types and functions.
func (c *phpPieces) file() {
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

// declaration hides what cannot be read in a type or function and in the
// statements behind it.
func (c *phpPieces) declaration(from, to, column int) {
	open := c.first(from, to, "{")
	end := min(to, c.closing(open, to, column)+1)
	if end < to && !c.readable(end, to, "<?php ", "") {
		c.hide(c.Tokens[end].Start(), c.Tokens[to-1].End())
	}
	if open >= to-1 {
		if open < to && to == len(c.Tokens) || c.readable(from, to, "<?php ", "") {
			return // it is still being typed
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

// closing returns the brace that closes the one at open: its own when that stands
// in the same line, else the first that begins a line in the column; to when there
// is none.
func (c *phpPieces) closing(open, to, column int) int {
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

// members hides what cannot be read in the members of a type whose head is given.
func (c *phpPieces) members(from, to int, head string) {
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

// callable hides the body of a function, or all of what is no function that can
// be read. What stands behind the function goes, too.
func (c *phpPieces) callable(from, to, column int, before, after string) {
	open := c.first(from, to, "{")
	if open == to || !c.readable(from, open, before, "{}"+after) {
		c.hide(c.Tokens[from].Start(), c.Tokens[to-1].End())
		return
	}
	end := c.closing(open, to, column)
	if end < to-1 { // something stands behind it
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

// first returns the first token that is sign, outside other brackets if they
// close; to when there is none.
func (c *phpPieces) first(from, to int, sign string) int {
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

// readable tells whether tokens can be read between two texts.
func (c *phpPieces) readable(from, to int, before, after string) bool {
	if from >= to {
		return true
	}
	text := slices.Concat([]byte(before), c.Text[c.Tokens[from].Start():c.Tokens[to-1].End()], []byte(after))
	if c.budget -= len(text); c.budget < 0 {
		return true // left as it is
	}
	tree, err := c.language.Grammar.Parse(text)
	return err == nil && !tree.Root().HasError()
}
