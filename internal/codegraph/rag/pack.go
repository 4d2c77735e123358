package rag

import (
	"bytes"
	"encoding/json"
	"sort"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/llm/prompt"
)

const (
	// least is how many tokens of a candidate's text are taken before any other gets
	// more.
	least = 150
	// few is how many callers, and how many callees, come before the rest of the texts.
	few = 2
	// slack is what the parts of an answer may count together beside what they count one
	// by one.
	slack = 10
)

// pack fits the items into the budget and returns what fits, in their order. The budget
// counts the whole answer, in the JSON in which it is sent. First each item gets what names
// it and the head of its text; the first that does not fit ends the answer. Then, in
// their order, they get their nearest callers and callees, the rest of their texts, and the
// other callers and callees, as far as there is room.
func (q *question) pack(items []*item, m *Metadata) []Candidate {
	left := q.opts.Budget - q.opts.Beside - q.frame(len(items), m)
	var packed []*parcel
	for _, it := range items {
		p := newParcel(it, q.files.read(it.project, it.path).between(it.StartLine, it.EndLine), q.opts.Indent)
		if !p.fit(&left) {
			break
		}
		packed = append(packed, p)
	}
	for _, grow := range []func(p *parcel, room int) int{
		func(p *parcel, room int) int { return p.relate(few, room) },
		(*parcel).grow,
		func(p *parcel, room int) int { return p.relate(maxRelated, room) },
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

// frame estimates the tokens of an answer without its candidates, whose number it is told.
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

// parcel is an item with as much of its text, and of those who call it, as was taken.
type parcel struct {
	item    *item
	indent  string
	lines   []string // of the text
	escaped string   // the text as it stands in JSON
	ends    []int    // of each line in there
	taken   int      // lines
	related int      // most callers, and most callees
	frame   int      // tokens of all but the text
	cost    int      // tokens of all
}

func newParcel(it *item, text, indent string) *parcel {
	p := &parcel{item: it, indent: indent}
	p.frame = p.measure(0)
	if text != "" {
		p.lines = strings.SplitAfter(text, "\n")
	}
	return p
}

// escape makes the text one of JSON, line by line, up to what room tokens can hold at most.
func (p *parcel) escape(room int) {
	var b strings.Builder
	b.WriteString(p.escaped)
	for len(p.ends) < len(p.lines) && len(p.ends) < room {
		line := encode(p.lines[len(p.ends)], "", "")
		b.WriteString(line[1 : len(line)-1])
		p.ends = append(p.ends, b.Len())
	}
	p.escaped = b.String()
}

// measure estimates the tokens of an item without its text, with so many callers and
// callees, and with what stands between it and the next.
func (p *parcel) measure(related int) int {
	const between, level = ",\n", 2 // candidates stand in a list in an object
	c := p.item.Candidate
	c.Content, c.Truncated, c.Tokens = "", true, 9999
	c.Callers, c.Callees = c.Callers[:min(related, len(c.Callers))], c.Callees[:min(related, len(c.Callees))]
	return prompt.Tokens(between+encode(c, strings.Repeat(p.indent, level), p.indent)) + 1
}

// text estimates the tokens of the first lines of the text.
func (p *parcel) text(lines int) int {
	if lines == 0 {
		return 0
	}
	return prompt.Tokens(p.escaped[:p.ends[lines-1]]) + 1
}

// fit takes what names the item and the head of its text, when there is room for what
// names it, and takes that off the room.
func (p *parcel) fit(room *int) bool {
	if p.cost = p.frame; p.cost > *room {
		return false
	}
	*room -= p.cost
	*room -= p.grow(min(least, *room))
	return true
}

// grow takes more lines, of up to a number of tokens, and returns of how many.
func (p *parcel) grow(room int) int {
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

// relate takes callers and callees, up to a number of each, when they fit into the room, and
// returns the tokens they take.
func (p *parcel) relate(number, room int) int {
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

// relations is how many callers there are, or callees if these are more.
func (p *parcel) relations() int { return max(len(p.item.Callers), len(p.item.Callees)) }

// shown is the candidate with what was taken.
func (p *parcel) shown() Candidate {
	c := p.item.Candidate
	c.Content = strings.TrimRight(strings.Join(p.lines[:p.taken], ""), "\r\n")
	c.Tokens, c.Truncated = p.cost, p.taken < len(p.lines)
	c.Callers, c.Callees = c.Callers[:min(p.related, len(c.Callers))], c.Callees[:min(p.related, len(c.Callees))]
	return c
}
