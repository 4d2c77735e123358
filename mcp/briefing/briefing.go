// Package briefing has the results of the tools about changes and statements, in the size of a result.
package briefing

import (
	"context"
	"encoding/json"

	"github.com/reverse-spec/reverse-spec/internal/claimcheck"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/review"
)

// Change is what to review.
type Change struct {
	Base   string
	Staged bool
	Path   string // a file or folder; "" for all
}

// Review reviews a change, see [review.Of]. The result takes at most so many bytes as JSON.
func Review(ctx context.Context, p *project.Project, g *graphs.Graphs, c Change, bytes int) (any, error) {
	opts := review.Options{Base: c.Base, Staged: c.Staged}
	if c.Path != "" {
		rel, err := p.Rel(c.Path)
		if err != nil {
			return nil, err
		}
		opts.Paths = []string{rel}
	}
	r, err := review.Of(ctx, p, g, opts)
	if err != nil {
		return nil, err
	}
	return cut(r, bytes), nil
}

// Claim checks a statement, see [claimcheck.Of].
func Claim(ctx context.Context, p *project.Project, g *graphs.Graphs, statement string) (any, error) {
	return claimcheck.Of(ctx, p, g, statement)
}

// shortReview is a review of which lists may be cut.
type shortReview struct {
	Headline string `json:"headline"`
	*review.Review
	Omitted map[string]int `json:"omitted,omitempty"` // how many elements of a list were left out
}

// cut cuts the longest lists until the review fits into a result.
func cut(r *review.Review, bytes int) shortReview {
	out := shortReview{Headline: r.Headline(), Review: r, Omitted: map[string]int{}}
	lists := map[string]*[]review.Item{"breaking": &r.Breaking, "untrue": &r.Untrue, "new": &r.New, "changed": &r.Changed}
	for {
		text, err := json.Marshal(out)
		if err != nil || len(text) <= bytes {
			return out
		}
		longest := ""
		for _, name := range []string{"changed", "new", "untrue", "breaking"} { // what matters least first
			if longest == "" || len(*lists[name]) > len(*lists[longest]) {
				longest = name
			}
		}
		list := lists[longest]
		if len(*list) < 2 {
			out.Functions, out.Omitted["functions"] = r.Functions[:0], len(r.Functions)
			return out
		}
		keep := len(*list) / 2
		out.Omitted[longest] += len(*list) - keep
		*list = (*list)[:keep]
	}
}
