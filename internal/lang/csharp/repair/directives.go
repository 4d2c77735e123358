package repair

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// The grammar knows conditional sections around whole declarations and
// statements only, while a section may hold any tokens. So directives are not
// shown to the parser. The tokens of all sections are, as long as they make sense
// one after another; else those of the sections that stand when every symbol is
// defined, as in a compiler run.

// csharpSection is what stands between two directives of a condition.
type csharpSection struct {
	from, to int  // bytes
	holds    bool // if every symbol is defined
	never    bool // its condition is false by itself
	csharpRow
}

// csharpRow is what a row of tokens begins and ends with, and how its brackets
// balance.
type csharpRow struct {
	first, last int    // indexes of tokens; -1 in an empty row
	open, least [3]int // for (, [ and {: open at its end, and the lowest number reached
}

var emptyRow = csharpRow{first: -1, last: -1}

// csharpBrackets are the brackets that rows count: opening ones, then closing.
const csharpBrackets = "([{)]}"

func (r *csharpRow) add(i int, text string) {
	if r.first < 0 {
		r.first = i
	}
	r.last = i
	if k := strings.Index(csharpBrackets, text); len(text) == 1 && k >= 3 {
		r.open[k-3]--
		r.least[k-3] = min(r.least[k-3], r.open[k-3])
	} else if len(text) == 1 && k >= 0 {
		r.open[k]++
	}
}

// join appends another row.
func (r *csharpRow) join(next csharpRow) {
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

func (r csharpRow) balanced() bool { return r.open == [3]int{} && r.least == [3]int{} }

// csharpCondition is an #if with its sections.
type csharpCondition struct {
	sections []csharpSection
	before   int  // index of the last token shown before it; -1 for none
	adjacent bool // another condition ends right before it
	met      bool // a section holds
}

// csharpConditions reads the conditional sections of a text.
type csharpConditions struct {
	src     []byte
	tokens  []Token
	open    []csharpCondition
	last    int // index of the last token that is shown, so far
	ended   int // last, when a condition ended
	dropped []core.Span
}

// drop returns the sections that are not shown.
func (c *csharpConditions) drop() []core.Span {
	c.last, c.ended = -1, -2
	for i, t := range c.tokens {
		text := string(c.src[t.Start():t.End()])
		if t.Kind != csharpDirective {
			if n := len(c.open); n > 0 {
				s := c.open[n-1].sections
				s[len(s)-1].add(i, text)
			}
			c.last = i
			continue
		}
		switch word, rest := csharpDirectiveOf([]byte(text)); word {
		case "if":
			c.open = append(c.open, csharpCondition{before: c.last, adjacent: c.ended == c.last})
			c.section(t, csharpHolds(rest), rest)
		case "elif":
			c.section(t, csharpHolds(rest), rest)
		case "else":
			c.section(t, true, "")
		case "endif":
			c.end(t)
		}
	}
	for len(c.open) > 0 { // never ended
		c.end(Token{from: uint32(len(c.src)), to: uint32(len(c.src))})
	}
	return c.dropped
}

// section begins the section under a directive.
func (c *csharpConditions) section(t Token, holds bool, condition string) {
	if len(c.open) == 0 {
		return
	}
	g := &c.open[len(c.open)-1]
	if n := len(g.sections); n > 0 {
		g.sections[n-1].to = t.Start()
	}
	never := condition == "false" || condition == "0"
	g.sections = append(g.sections, csharpSection{
		from: t.End(), holds: holds && !g.met && !never, never: never, csharpRow: emptyRow,
	})
	g.met = g.met || holds && !never
	c.last = g.before
}

// end decides which sections of a condition are shown.
func (c *csharpConditions) end(t Token) {
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
			shown.join(s.csharpRow)
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

// keep tells for each section whether it is shown.
func (c *csharpConditions) keep(g *csharpCondition) []bool {
	keep := make([]bool, len(g.sections))
	var full []int // sections with tokens that are not false by themselves
	whole, holding := true, false
	for i, s := range g.sections {
		keep[i] = s.holds
		if s.first >= 0 && !s.never {
			full = append(full, i)
			whole = whole && c.whole(s.csharpRow)
			holding = holding || s.holds
		}
	}
	switch {
	case c.all(g, full, whole):
		for i, s := range g.sections {
			keep[i] = !s.never
		}
	case len(full) > 1 && !holding: // one of several must be chosen
		keep[full[len(full)-1]] = true
	}
	return keep
}

// all reports whether the full sections of a condition are shown one after another;
// whole says that each can stand beside others.
func (c *csharpConditions) all(g *csharpCondition, full []int, whole bool) bool {
	switch {
	case len(full) == 0:
		return false
	case len(full) > 1:
		return whole && c.boundary(g.before)
	}
	return whole || g.sections[full[0]].balanced() && !g.adjacent
}

func (c *csharpConditions) text(i int) string {
	return string(c.src[c.tokens[i].Start():c.tokens[i].End()])
}

// whole tells a row of tokens that can stand beside another one: declarations,
// statements, attributes or elements of a list.
func (c *csharpConditions) whole(r csharpRow) bool {
	if !r.balanced() {
		return false
	}
	first, last := c.text(r.first), c.text(r.last)
	switch first {
	case "else", "catch", "finally", "where", "as", "is", "and", "or", "when":
		return false
	}
	if c.tokens[r.first].Kind == csharpSign && strings.Trim(first, "[({~*+-&") != "" {
		return false
	}
	return last == ";" || last == "}" || last == "," || first == "[" && last == "]"
}

// boundary reports whether a whole row can follow the token.
func (c *csharpConditions) boundary(i int) bool {
	if i < 0 {
		return true
	}
	switch c.text(i) {
	case ";", "}", "{", "]", ":", ",":
		return true
	}
	return false
}

// csharpHolds evaluates the condition of a directive with every symbol defined
// (ECMA-334, 6.5.3). It reads from left to right and takes brackets apart by
// recursion, as deep as people write.
func csharpHolds(condition string) bool {
	e := csharpExpression{text: condition}
	return e.or(0)
}

type csharpExpression struct {
	text string
}

func (e *csharpExpression) eat(mark string) bool {
	e.text = strings.TrimSpace(e.text)
	rest, ok := strings.CutPrefix(e.text, mark)
	if ok {
		e.text = rest
	}
	return ok
}

func (e *csharpExpression) or(depth int) bool {
	v := e.and(depth)
	for e.eat("||") {
		w := e.and(depth)
		v = v || w
	}
	return v
}

func (e *csharpExpression) and(depth int) bool {
	v := e.equal(depth)
	for e.eat("&&") {
		w := e.equal(depth)
		v = v && w
	}
	return v
}

func (e *csharpExpression) equal(depth int) bool {
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

func (e *csharpExpression) unary(depth int) bool {
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
	for end < len(e.text) && core.NameByte(e.text[end]) {
		end++
	}
	word := e.text[:end]
	e.text = e.text[end:]
	return word != "false" && word != "0"
}
