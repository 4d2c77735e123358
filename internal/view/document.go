package view

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec"
)

// A spec of at most wholeSize bytes of Markdown is shown on one page, a larger one in parts of
// about partSize, because browsers take seconds to lay out megabytes.
const (
	wholeSize = 256 << 10
	partSize  = 96 << 10
)

// document is a parsed spec. It is immutable.
type document struct {
	path   string
	digest digest // of its file

	spec      *spec.Spec
	uncovered map[string]bool // items without a contract test
	source    []byte          // its Markdown

	headings []*heading
	byNode   map[ast.Node]*heading
	items    map[string]*heading // requirements, scenarios and tests by id
	parts    [][]ast.Node        // the blocks of each part; never empty
}

// heading is a heading of a spec.
type heading struct {
	Level int
	ID    string // the anchor; for an item its id
	Title string // plain text, without an item's id
	Kind  string // req, sc or ct; "" for other headings
	Part  int

	// Scenarios and tests that cover the item.
	Scenarios, Tests []string
}

// newDocument parses the text of a spec without its baseline.
func newDocument(path string, source []byte) (*document, error) {
	s, err := spec.Parse(source)
	if err != nil {
		return nil, message.Errorf("%s: %w", path, err)
	}
	d := &document{
		path: path, spec: s, uncovered: set(s.Uncovered()), source: body(source),
		byNode: map[ast.Node]*heading{}, items: map[string]*heading{},
	}
	d.known()
	d.divide(parse(d.source))
	return d, nil
}

// body returns the text of a spec after its front matter.
func body(source []byte) []byte {
	text := strings.TrimPrefix(string(source), "\ufeff")
	_, rest, _ := strings.Cut(text, "---\n")
	if after, empty := strings.CutPrefix(rest, "---\n"); empty {
		return []byte(after)
	}
	_, rest, _ = strings.Cut(rest, "\n---\n")
	return []byte(rest)
}

func parse(source []byte) ast.Node {
	return goldmark.New(goldmark.WithExtensions(dialect{})).Parser().Parse(text.NewReader(source))
}

// known records the spec's items and what covers them.
func (d *document) known() {
	for _, r := range d.spec.Requirements {
		d.items[r.ID] = &heading{ID: r.ID, Kind: "req"}
	}
	for _, c := range d.spec.Scenarios {
		d.items[c.ID] = &heading{ID: c.ID, Kind: "sc"}
	}
	for _, t := range d.spec.ContractTests {
		d.items[t.ID] = &heading{ID: t.ID, Kind: "ct"}
	}
	for _, c := range d.spec.Scenarios {
		for _, id := range c.Covers {
			if h := d.items[id]; h != nil {
				h.Scenarios = append(h.Scenarios, c.ID)
			}
		}
	}
	for _, row := range d.spec.Trace {
		d.covers(row.Test, row.Covers)
	}
	for _, t := range d.spec.ContractTests {
		d.covers(t.ID, t.Covers)
	}
}

// covers records that a test covers items.
func (d *document) covers(test string, ids []string) {
	if d.items[test] == nil {
		return // the matrix lists an unknown test
	}
	for _, id := range ids {
		if h := d.items[id]; h != nil && !slices.Contains(h.Tests, test) {
			h.Tests = append(h.Tests, test)
		}
	}
}

// divide collects the headings and groups the blocks into parts.
func (d *document) divide(doc ast.Node) {
	limit := len(d.source) + 1
	if len(d.source) > wholeSize {
		limit = partSize
	}
	anchors := map[string]bool{}
	part, from := []ast.Node(nil), 0
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if d.inCard(n) {
			continue
		}
		at := startOf(n)
		_, isHeading := n.(*ast.Heading)
		if size := at - from; at >= 0 && len(part) > 0 && (size > 2*limit || size > limit && isHeading) {
			d.parts = append(d.parts, part)
			part, from = nil, at
		}
		if h, ok := n.(*ast.Heading); ok {
			d.head(h, anchors)
		}
		part = append(part, n)
	}
	d.parts = append(d.parts, part)
}

// inCard reports whether a block is shown in the card above the text: the title and the table
// below it.
func (d *document) inCard(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ThematicBreak:
		return true
	case *ast.Heading:
		return n.Level == 1 && len(d.headings) == 0
	case *extast.Table:
		return len(d.spec.Attributes) > 0 && len(d.headings) == 0
	}
	return false
}

// head records a heading with a unique anchor.
func (d *document) head(n *ast.Heading, anchors map[string]bool) {
	title := strings.TrimSpace(string(n.Lines().Value(d.source)))
	h := &heading{}
	if id, rest := cutID(title); d.items[id] != nil && !anchors[id] {
		h = d.items[id]
		title = rest
		d.dropID(n, len(string(n.Lines().Value(d.source)))-len(rest))
	} else {
		h.ID = anchor(title, anchors)
	}
	h.Level, h.Title, h.Part = n.Level, strings.ReplaceAll(title, "`", ""), len(d.parts)
	anchors[h.ID] = true
	d.headings = append(d.headings, h)
	d.byNode[n] = h
}

// cutID splits an item's heading, "REQ-X-001: title".
func cutID(title string) (id, rest string) {
	end := strings.IndexFunc(title, func(c rune) bool { return unicode.IsSpace(c) || c == ':' || c == '：' })
	if end < 0 {
		return title, ""
	}
	return title[:end], strings.TrimSpace(strings.TrimLeft(title[end:], ":： \t"))
}

// dropID removes the first bytes of a heading's text, because the id is rendered separately.
func (d *document) dropID(n *ast.Heading, count int) {
	for c := n.FirstChild(); c != nil && count > 0; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		if !ok {
			return
		}
		cut := min(count, t.Segment.Len())
		t.Segment = t.Segment.WithStart(t.Segment.Start + cut)
		count -= cut
	}
}

// anchor returns a unique anchor for a title, of its letters and digits in any script.
func anchor(title string, taken map[string]bool) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	base := strings.Join(words, "-")
	if base == "" {
		base = "part"
	}
	name := base
	for i := 2; taken[name]; i++ {
		name = fmt.Sprintf("%s-%d", base, i)
	}
	return name
}

// startOf returns the offset of a block; -1 if unknown.
func startOf(n ast.Node) int {
	for ; n != nil; n = n.FirstChild() {
		if n.Type() == ast.TypeInline {
			return -1
		}
		if lines := n.Lines(); lines != nil && lines.Len() > 0 {
			return lines.At(0).Start
		}
	}
	return -1
}
