package rag

import (
	"bytes"
	"encoding/json"
	"sort"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/llm/prompt"
)

const (
	// minTextTokens is the number of tokens of text that each candidate gets before any gets more.
	minTextTokens = 150
	// minRelated is the number of callers, and of callees, that come before the rest of the texts.
	minRelated = 2
	// slack is how much the token estimate of the whole answer may exceed the sum of its parts.
	slack = 10
)

// pack fits the items into the token budget of the answer's JSON and returns those that fit, in their order. First
// each item gets its location and the start of its text; the first item that does not fit ends the answer. Then, as
// long as there is room, the items get in order their nearest callers and callees, the rest of their texts, and the
// other callers and callees.
func (q *question) pack(items []*item, m *Metadata) []Candidate {
	left := q.opts.Budget - q.opts.Reserved - q.frame(len(items), m)
	var packed []*packedItem
	for _, it := range items {
		p := newParcel(it, q.source(it), q.opts.Indent)
		if !p.fit(&left) {
			break
		}
		packed = append(packed, p)
	}
	for _, grow := range []func(p *packedItem, room int) int{
		func(p *packedItem, room int) int { return p.relate(minRelated, room) },
		(*packedItem).grow,
		func(p *packedItem, room int) int { return p.relate(maxRelated, room) },
	} {
		for _, p := range packed {
			left -= grow(p, left)
		}
	}
	m.LeftOut = len(items) - len(packed)
	m.Truncated = m.LeftOut > 0
	candidates := make([]Candidate, 0, len(packed))
	for _, p := range packed {
		c := p.shown()
		m.Truncated = m.Truncated || c.Truncated || p.related < p.relations()
		candidates = append(candidates, c)
	}
	return candidates
}

// source returns the text of an item: its lines, or its signature if the graph is that of a shared store, which has no
// source code.
func (q *question) source(it *item) string {
	if q.graph.Project() == nil && it.project == nil {
		return it.Signature
	}
	return q.files.read(it.project, it.path).between(it.StartLine, it.EndLine)
}

// frame estimates the tokens of an answer with number candidates, without these.
func (q *question) frame(number int, m *Metadata) int {
	const someTime = 99_999
	a := Answer{Candidates: []Candidate{}, Metadata: *m}
	f := &a.Metadata
	f.Total, f.EmbeddingCandidates, f.GraphCandidates, f.VirtualCandidates = number, number, number, number
	f.LeftOut, f.TokenCount, f.QueryTime, f.BoundaryFiltered = number, f.Budget, someTime, len(q.filtered)
	f.Index, f.Warning = q.graph.Index, q.warned()
	return prompt.Tokens(encode(a, "", q.opts.Indent)) + slack
}

// Tokens estimates the tokens of text, in the unit of Options.Budget.
func Tokens(text string) int { return prompt.Tokens(text) }

// encode is a value as JSON in an answer; "" for one that is none, which no answer holds.
func encode(v any, prefix, indent string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if prefix+indent != "" {
		e.SetIndent(prefix, indent)
	}
	if err := e.Encode(v); err != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// packedItem is an item with the parts that are included.
type packedItem struct {
	item    *item
	indent  string
	lines   []string // of the text
	escaped string   // the text as a JSON string
	ends    []int    // end of each line in escaped
	taken   int      // number of lines included
	related int      // maximum number of callers and of callees included
	frame   int      // tokens of everything except the text
	cost    int      // tokens in total
}

func newParcel(it *item, text, indent string) *packedItem {
	p := &packedItem{item: it, indent: indent}
	p.frame = p.measure(0)
	if text != "" {
		p.lines = strings.SplitAfter(text, "\n")
	}
	return p
}

// escape encodes the text as JSON, line by line, up to what fits into room tokens.
func (p *packedItem) escape(room int) {
	var b strings.Builder
	b.WriteString(p.escaped)
	for len(p.ends) < len(p.lines) && len(p.ends) < room {
		line := encode(p.lines[len(p.ends)], "", "")
		b.WriteString(line[1 : len(line)-1])
		p.ends = append(p.ends, b.Len())
	}
	p.escaped = b.String()
}

// measure estimates the tokens of an item without its text, with the given number of callers and callees and the
// separator to the next item.
func (p *packedItem) measure(related int) int {
	const between, level = ",\n", 2 // candidates are elements of a list in an object
	c := p.item.Candidate
	c.Content, c.Truncated, c.Tokens = "", true, 9999
	c.Callers, c.Callees = c.Callers[:min(related, len(c.Callers))], c.Callees[:min(related, len(c.Callees))]
	return prompt.Tokens(between+encode(c, strings.Repeat(p.indent, level), p.indent)) + 1
}

// text estimates the tokens of the first lines of the text.
func (p *packedItem) text(lines int) int {
	if lines == 0 {
		return 0
	}
	return prompt.Tokens(p.escaped[:p.ends[lines-1]]) + 1
}

// fit includes the location and the start of the text if there is room for the location, and reduces room.
func (p *packedItem) fit(room *int) bool {
	if p.cost = p.frame; p.cost > *room {
		return false
	}
	*room -= p.cost
	*room -= p.grow(min(minTextTokens, *room))
	return true
}

// grow includes more lines, worth at most room tokens, and returns the tokens used.
func (p *packedItem) grow(room int) int {
	if room <= 0 || p.taken == len(p.lines) {
		return 0
	}
	p.escape(p.taken + room)
	had := p.text(p.taken)
	more := sort.Search(len(p.ends)-p.taken, func(n int) bool { return p.text(p.taken+n+1)-had > room })
	p.taken += more
	grown := p.text(p.taken) - had
	p.cost += grown
	return grown
}

// relate includes up to number callers and callees if they fit into room, and returns the tokens used.
func (p *packedItem) relate(number, room int) int {
	if number = min(number, p.relations()); number <= p.related {
		return 0
	}
	frame := p.measure(number)
	more := frame - p.frame
	if more > room {
		return 0
	}
	p.related, p.frame = number, frame
	p.cost += more
	return more
}

// relations returns the larger of the numbers of callers and callees.
func (p *packedItem) relations() int { return max(len(p.item.Callers), len(p.item.Callees)) }

// shown returns the candidate with the included parts.
func (p *packedItem) shown() Candidate {
	c := p.item.Candidate
	c.Content = strings.TrimRight(strings.Join(p.lines[:p.taken], ""), "\r\n")
	c.Tokens, c.Truncated = p.cost, p.taken < len(p.lines)
	c.Callers, c.Callees = c.Callers[:min(p.related, len(c.Callers))], c.Callees[:min(p.related, len(c.Callees))]
	return c
}
