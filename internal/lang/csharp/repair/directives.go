package repair

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// The grammar accepts conditional sections only around whole declarations and statements,
// while C# allows any tokens in a section. Directives are therefore hidden from the parser.
// The tokens of all sections are shown if they make sense one after another, else those of the
// sections that are active when every symbol is defined.

// section is the text between two directives of a condition.
type section struct {
	from, to int  // bytes
	holds    bool // active if every symbol is defined
	never    bool // its condition is constant false
	tokenRow
}

// tokenRow describes a sequence of tokens: its ends and its bracket balance.
type tokenRow struct {
	first, last int    // token indexes; -1 if empty
	open, least [3]int // for (, [ and {: number open at the end, and the minimum reached
}

var emptyRow = tokenRow{first: -1, last: -1}

// brackets are the brackets counted: opening ones, then closing ones.
const brackets = "([{)]}"

func (r *tokenRow) add(i int, text string) {
	if r.first < 0 {
		r.first = i
	}
	r.last = i
	if k := strings.Index(brackets, text); len(text) == 1 && k >= 3 {
		r.open[k-3]--
		r.least[k-3] = min(r.least[k-3], r.open[k-3])
	} else if len(text) == 1 && k >= 0 {
		r.open[k]++
	}
}

// join appends another sequence.
func (r *tokenRow) join(next tokenRow) {
	if next.first < 0 {
		return
	}
	if r.first < 0 {
		r.first = next.first
	}
	r.last = next.last
	for k := range r.open {
		r.least[k] = min(r.least[k], r.open[k]+next.least[k])
		r.open[k] += next.open[k]
	}
}

func (r tokenRow) balanced() bool { return r.open == [3]int{} && r.least == [3]int{} }

// conditional is an #if with its sections.
type conditional struct {
	sections []section
	before   int  // index of the last token shown before it; -1 for none
	adjacent bool // another condition ends directly before it
	met      bool // a section is active
}

// conditionalReader reads the conditional sections of a text.
type conditionalReader struct {
	src     []byte
	tokens  []Token
	open    []conditional
	last    int // index of the last token shown so far
	ended   int // value of last at the end of the previous condition
	dropped []core.Span
}

// drop returns the sections to hide.
func (c *conditionalReader) drop() []core.Span {
	c.last, c.ended = -1, -2
	for i, t := range c.tokens {
		text := string(c.src[t.Start():t.End()])
		if t.Kind != directiveToken {
			if n := len(c.open); n > 0 {
				s := c.open[n-1].sections
				s[len(s)-1].add(i, text)
			}
			c.last = i
			continue
		}
		switch word, rest := directiveOf([]byte(text)); word {
		case "if":
			c.open = append(c.open, conditional{before: c.last, adjacent: c.ended == c.last})
			c.section(t, evalCondition(rest), rest)
		case "elif":
			c.section(t, evalCondition(rest), rest)
		case "else":
			c.section(t, true, "")
		case "endif":
			c.end(t)
		}
	}
	for len(c.open) > 0 { // unclosed
		c.end(Token{from: uint32(len(c.src)), to: uint32(len(c.src))})
	}
	return c.dropped
}

// section begins the section after a directive.
func (c *conditionalReader) section(t Token, holds bool, condition string) {
	if len(c.open) == 0 {
		return
	}
	g := &c.open[len(c.open)-1]
	if n := len(g.sections); n > 0 {
		g.sections[n-1].to = t.Start()
	}
	never := condition == "false" || condition == "0"
	g.sections = append(g.sections, section{
		from: t.End(), holds: holds && !g.met && !never, never: never, tokenRow: emptyRow,
	})
	g.met = g.met || holds && !never
	c.last = g.before
}

// end decides which sections of a condition are shown.
func (c *conditionalReader) end(t Token) {
	n := len(c.open) - 1
	if n < 0 {
		return
	}
	g := c.open[n]
	c.open = c.open[:n]
	g.sections[len(g.sections)-1].to = t.Start()
	shown := emptyRow
	for i, keep := range c.keep(&g) {
		s := g.sections[i]
		if keep {
			shown.join(s.tokenRow)
		} else {
			c.dropped = append(c.dropped, core.Span{Start: s.from, End: s.to})
		}
	}
	c.last = max(g.before, shown.last)
	c.ended = c.last
	if n > 0 {
		s := c.open[n-1].sections
		s[len(s)-1].join(shown)
	}
}

// keep returns, for each section, whether it is shown.
func (c *conditionalReader) keep(g *conditional) []bool {
	keep := make([]bool, len(g.sections))
	var full []int // sections with tokens that are not constant false
	whole, holding := true, false
	for i, s := range g.sections {
		keep[i] = s.holds
		if s.first >= 0 && !s.never {
			full = append(full, i)
			whole = whole && c.whole(s.tokenRow)
			holding = holding || s.holds
		}
	}
	switch {
	case c.all(g, full, whole):
		for i, s := range g.sections {
			keep[i] = !s.never
		}
	case len(full) > 1 && !holding: // one of several has to be chosen
		keep[full[len(full)-1]] = true
	}
	return keep
}

// all reports whether the non-empty sections of a condition are all shown. whole reports that
// each can follow another.
func (c *conditionalReader) all(g *conditional, full []int, whole bool) bool {
	switch {
	case len(full) == 0:
		return false
	case len(full) > 1:
		return whole && c.boundary(g.before)
	}
	return whole || g.sections[full[0]].balanced() && !g.adjacent
}

func (c *conditionalReader) text(i int) string {
	return string(c.src[c.tokens[i].Start():c.tokens[i].End()])
}

// whole reports whether a sequence of tokens can follow another one: declarations, statements,
// attributes or list elements.
func (c *conditionalReader) whole(r tokenRow) bool {
	if !r.balanced() {
		return false
	}
	first, last := c.text(r.first), c.text(r.last)
	switch first {
	case "else", "catch", "finally", "where", "as", "is", "and", "or", "when":
		return false
	}
	if c.tokens[r.first].Kind == signToken && strings.Trim(first, "[({~*+-&") != "" {
		return false
	}
	return last == ";" || last == "}" || last == "," || first == "[" && last == "]"
}

// boundary reports whether a whole sequence can follow the token.
func (c *conditionalReader) boundary(i int) bool {
	if i < 0 {
		return true
	}
	switch c.text(i) {
	case ";", "}", "{", "]", ":", ",":
		return true
	}
	return false
}

// evalCondition evaluates the condition of a directive with every symbol defined (ECMA-334,
// 6.5.3). It evaluates from left to right, with recursion for parentheses.
func evalCondition(condition string) bool {
	e := expression{text: condition}
	return e.or(0)
}

type expression struct {
	text string
}

func (e *expression) eat(mark string) bool {
	e.text = strings.TrimSpace(e.text)
	rest, ok := strings.CutPrefix(e.text, mark)
	if ok {
		e.text = rest
	}
	return ok
}

func (e *expression) or(depth int) bool {
	v := e.and(depth)
	for e.eat("||") {
		w := e.and(depth)
		v = v || w
	}
	return v
}

func (e *expression) and(depth int) bool {
	v := e.equal(depth)
	for e.eat("&&") {
		w := e.equal(depth)
		v = v && w
	}
	return v
}

func (e *expression) equal(depth int) bool {
	v := e.unary(depth)
	for {
		switch {
		case e.eat("=="):
			v = v == e.unary(depth)
		case e.eat("!="):
			v = v != e.unary(depth)
		default:
			return v
		}
	}
}

func (e *expression) unary(depth int) bool {
	if depth > core.MaxNesting {
		return true
	}
	switch {
	case e.eat("!"):
		return !e.unary(depth + 1)
	case e.eat("("):
		v := e.or(depth + 1)
		e.eat(")")
		return v
	}
	end := 0
	for end < len(e.text) && srctext.NameByte(e.text[end]) {
		end++
	}
	word := e.text[:end]
	e.text = e.text[end:]
	return word != "false" && word != "0"
}
