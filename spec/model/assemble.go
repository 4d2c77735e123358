package model

import (
	"context"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/llm/prompt"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// draft is a part of a context before it is cut.
type draft struct {
	kind    PartKind
	title   string
	items   []item
	dropped bool // left out as a whole
	full    int  // the first so many items are given in full, those after them bare
	kept    int  // the first so many items are given at all
}

// item is the unit of cutting: a declaration, a function, a module.
type item struct {
	full string
	bare string // without its body; "" if the item is given in full or not at all
}

// cutOrder is the order of cutting: that of the contract, with the parts that the contract
// does not know in between.
var cutOrder = []PartKind{TestPart, SnippetPart, ReadmePart, ClaimPart, DependencyPart, SkeletonPart}

// assemble cuts the parts to a budget of tokens and joins them. The instructions are never
// cut. The result is unusable if ctx ends.
func assemble(ctx context.Context, list []*draft, budget int) Context {
	id := fenceOf(list)
	slices.SortStableFunc(list, func(a, b *draft) int { return sendRank(a.kind) - sendRank(b.kind) })
	for _, p := range list {
		p.full, p.kept = len(p.items), len(p.items)
		if p.dropped {
			p.full, p.kept = 0, 0
		}
	}
	c := join(ctx, list, id)
	for c.TokenCount > budget && ctx.Err() == nil { // repeated, because the savings are estimates
		left := float64(budget - c.TokenCount)
		for left < 0 && ctx.Err() == nil {
			saved, ok := shorten(list)
			if !ok {
				return join(ctx, list, id)
			}
			left += saved
		}
		c = join(ctx, list, id)
	}
	return c
}

// shorten removes one body or one item of the first part in cutting order, and returns an
// estimate of the tokens saved. ok is false if nothing is left to remove.
func shorten(list []*draft) (saved float64, ok bool) {
	for _, kind := range cutOrder {
		for _, p := range list {
			if p.kind == kind && p.kept > 0 {
				return p.shorten(), true
			}
		}
	}
	return 0, false
}

func (p *draft) shorten() (saved float64) {
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
	if p.kept == 0 { // its block goes, too
		saved += cost("## " + prompt.Block(prompt.Width(), string(p.kind), p.title))
	}
	return saved
}

// text returns a part as it is sent, or "" if nothing is left of it, with the number of items
// in it and of items that are missing or cut.
func (p *draft) text(lang message.Lang, id string) (text string, items, left int) {
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
	if p.kind == ClaimPart || p.kind == TestPart && !strings.HasPrefix(rows[0], "`") {
		between = "\n"
	}
	return "## " + p.title + "\n\n" + prompt.Block(id, string(p.kind), strings.Join(rows, between)), len(rows), left
}

// join joins the parts and counts their tokens. Those of a part are the tokens that it adds
// to the prompt, so that they add up to the total.
func join(ctx context.Context, list []*draft, id string) Context {
	c := Context{TruncatedParts: []string{}, Parts: []Part{{Kind: Instructions, Text: instructions(message.From(ctx))}}}
	for _, p := range list {
		if ctx.Err() != nil {
			return c
		}
		body, items, left := p.text(message.From(ctx), id)
		if left > 0 {
			c.TruncatedParts = append(c.TruncatedParts, string(p.kind))
		}
		if body != "" {
			c.Parts[len(c.Parts)-1].Text += "\n\n"
			c.Parts = append(c.Parts, Part{Kind: p.kind, Text: body, Items: items, Left: left})
		}
	}
	var text strings.Builder
	var count prompt.Counter
	for i := range c.Parts {
		part := &c.Parts[i]
		text.WriteString(part.Text)
		before := count.Tokens()
		for line := range strings.Lines(part.Text) {
			if ctx.Err() != nil {
				return c
			}
			count.Add(line)
		}
		part.Tokens = count.Tokens() - before
		*c.Breakdown.of(part.Kind) += part.Tokens
	}
	c.Prompt, c.TokenCount, c.Truncated = text.String(), count.Tokens(), len(c.TruncatedParts) > 0
	slices.SortFunc(c.TruncatedParts, func(a, b string) int { return cutRank(a) - cutRank(b) })
	return c
}

// cost estimates the tokens of an item with the empty line after it.
func cost(text string) float64 {
	if text == "" {
		return 0
	}
	return prompt.Cost(text + "\n\n")
}

func cutRank(kind string) int { return slices.Index(cutOrder, PartKind(kind)) }

// sendRank returns the position of a part in the prompt, the most important first.
func sendRank(kind PartKind) int {
	return slices.Index([]PartKind{SkeletonPart, SnippetPart, TestPart, ClaimPart, DependencyPart, ReadmePart}, kind)
}
