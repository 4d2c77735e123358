package rag

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/spec"
)

// least is how many tokens of a candidate's text are taken before any other gets
// more.
const least = 100

// pack fits the items into the budget and returns what fits, in their order. First
// each gets the head of its text: what does not fit is left out, and the next is
// tried. Then, in their order, they get the rest of it, as far as there is room. So a
// larger budget never holds less.
func (q *question) pack(items []*item, m *Metadata) []Candidate {
	left := q.opts.Budget
	var packed []*parcel
	for _, it := range items {
		p := newParcel(it, q.files.read(it.project, it.path).between(it.StartLine, it.EndLine))
		if p.cost > left {
			m.Truncated = true
			continue
		}
		left -= p.cost
		packed = append(packed, p)
	}
	candidates := make([]Candidate, 0, len(packed))
	for _, p := range packed {
		left -= p.grow(left)
		c := p.item.Candidate
		c.Content, c.Tokens, c.Truncated = p.content(), p.cost, p.taken < len(p.lines)
		m.Truncated = m.Truncated || c.Truncated
		candidates = append(candidates, c)
	}
	m.TokenCount = q.opts.Budget - left
	return candidates
}

// parcel is an item with as much of its text as was taken.
type parcel struct {
	item  *item
	lines []string
	taken int
	cost  int // tokens: of the lines taken, and of what names the item
}

// newParcel takes the head of a text: lines of up to least tokens.
func newParcel(it *item, text string) *parcel {
	p := &parcel{item: it, cost: spec.Tokens(naming(&it.Candidate))}
	if text != "" {
		p.lines = strings.SplitAfter(text, "\n")
		p.grow(least)
	}
	return p
}

// grow takes more lines of up to a number of tokens, and returns of how many.
func (p *parcel) grow(room int) int {
	grown := 0
	for p.taken < len(p.lines) {
		cost := spec.Tokens(p.lines[p.taken])
		if grown+cost > room {
			break
		}
		grown += cost
		p.taken++
	}
	p.cost += grown
	return grown
}

func (p *parcel) content() string {
	return strings.TrimRight(strings.Join(p.lines[:p.taken], ""), "\r\n")
}

// naming is the text of a candidate that is not its content.
func naming(c *Candidate) string {
	parts := []string{c.File, c.Symbol, c.Signature}
	for _, list := range [][]Related{c.Callers, c.Callees} {
		for i := range list {
			parts = append(parts, list[i].Symbol, list[i].File)
		}
	}
	return strings.Join(parts, "\n")
}
