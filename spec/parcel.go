package spec

import (
	"context"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/llm/fence"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// parcel is a part of a context before it is cut.
type parcel struct {
	kind    PartKind
	title   string
	items   []item
	dropped bool // left out as a whole
	full    int  // items that are given in full; those behind them are bare
	kept    int  // items that are given at all
}

// item is the least that is left out of a parcel: a declaration, a function, a module.
type item struct {
	full string
	bare string // without its body; "" where it is given in full or not at all
}

// cutOrder is the contract's, with what it does not know between.
var cutOrder = []PartKind{SnippetPart, TestPart, ReadmePart, DependencyPart, SkeletonPart}

// assemble cuts the parcels to a budget of tokens and puts them together. The
// instructions are never cut. When the context ends, what comes is of no use.
func assemble(ctx context.Context, list []*parcel, budget int) Context {
	id := fenceOf(list)
	slices.SortStableFunc(list, func(a, b *parcel) int { return sendRank(a.kind) - sendRank(b.kind) })
	for _, p := range list {
		p.full, p.kept = len(p.items), len(p.items)
		if p.dropped {
			p.full, p.kept = 0, 0
		}
	}
	c := put(ctx, list, id)
	for c.TokenCount > budget && ctx.Err() == nil { // more than once, as what is saved is added up of parts
		left := float64(budget - c.TokenCount)
		for left < 0 && ctx.Err() == nil {
			saved, ok := shorten(list)
			if !ok {
				return put(ctx, list, id)
			}
			left += saved
		}
		c = put(ctx, list, id)
	}
	return c
}

// cost is the tokens of an item and of the empty line between it and the next.
func cost(text string) float64 {
	if text == "" {
		return 0
	}
	var c tokenCount
	c.text(text + "\n\n")
	c.flush()
	return c.n
}

// shorten takes away one body, or one item, of what comes first in the order of cutting,
// and tells how many tokens that saves about; false when nothing is left.
func shorten(list []*parcel) (saved float64, ok bool) {
	for _, kind := range cutOrder {
		for _, p := range list {
			if p.kind == kind && p.kept > 0 {
				return p.shorten(), true
			}
		}
	}
	return 0, false
}

func (p *parcel) shorten() (saved float64) {
	switch {
	case p.full > 0:
		p.full--
		it := p.items[p.full]
		saved = cost(it.full) - cost(it.bare)
		if it.bare == "" && p.kept == p.full+1 {
			p.kept--
		}
	default:
		p.kept--
		saved = cost(p.items[p.kept].bare)
	}
	if p.kept == 0 { // its block, too
		saved += cost("## " + fence.Block(fence.Width(), string(p.kind), p.title))
	}
	return saved
}

// text is a parcel as it is sent; "" when nothing is left of it.
func (p *parcel) text(lang message.Lang, id string) (text string, items, left int) {
	var rows []string
	for i, it := range p.items[:p.kept] {
		switch {
		case i < p.full:
			rows = append(rows, it.full)
		case it.bare != "":
			rows = append(rows, it.bare)
		}
	}
	left = len(p.items) - p.full
	if len(rows) == 0 {
		return "", 0, left
	}
	if gone := len(p.items) - len(rows); gone > 0 {
		rows = append(rows, message.New("… and %d more", gone).In(lang))
	}
	between := "\n\n"
	if p.kind == TestPart {
		between = "\n"
	}
	return "## " + p.title + "\n\n" + fence.Block(id, string(p.kind), strings.Join(rows, between)), len(rows), left
}

// put puts the parts together and counts them. A part has the tokens by which the prompt
// grows with it, so that they add up to the prompt's own.
func put(ctx context.Context, list []*parcel, id string) Context {
	c := Context{TruncatedParts: []string{}, Parts: []Part{{Kind: Instructions, Text: instructions(message.From(ctx))}}}
	for _, p := range list {
		if ctx.Err() != nil {
			return c
		}
		text, items, left := p.text(message.From(ctx), id)
		if left > 0 {
			c.TruncatedParts = append(c.TruncatedParts, string(p.kind))
		}
		if text != "" {
			c.Parts[len(c.Parts)-1].Text += "\n\n"
			c.Parts = append(c.Parts, Part{Kind: p.kind, Text: text, Items: items, Left: left})
		}
	}
	var prompt strings.Builder
	var count tokenCount
	for i := range c.Parts {
		part := &c.Parts[i]
		prompt.WriteString(part.Text)
		before := count.tokens()
		for line := range strings.Lines(part.Text) {
			if ctx.Err() != nil {
				return c
			}
			count.text(line)
		}
		part.Tokens = count.tokens() - before
		*c.Breakdown.of(part.Kind) += part.Tokens
	}
	c.Prompt, c.TokenCount, c.Truncated = prompt.String(), count.tokens(), len(c.TruncatedParts) > 0
	slices.SortFunc(c.TruncatedParts, func(a, b string) int { return cutRank(a) - cutRank(b) })
	return c
}

func cutRank(kind string) int { return slices.Index(cutOrder, PartKind(kind)) }

// sendRank is where a part stands in the prompt: what matters most comes first.
func sendRank(kind PartKind) int {
	return slices.Index([]PartKind{SkeletonPart, DependencyPart, SnippetPart, TestPart, ReadmePart}, kind)
}
