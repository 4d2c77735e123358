package model

import (
	"cmp"
	"context"
	"math"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/redact"
)

// PrepareOptions are the options of [Module.Prepare].
type PrepareOptions struct {
	Deep      bool // include function bodies
	Budget    int  // at most so many tokens of context; 0 for no limit but MaxTokens
	MaxTokens int  // at most so many tokens of the whole result as JSON; 0 for no limit
	Offset    int  // symbols on earlier pages; see PrepareResult.NextOffset
	Now       time.Time
}

// Prepare returns the skeletons of the module's files and a context for a reader. See
// spec.Prepare for how a result above MaxTokens is cut. Errors are those of reading files,
// an [*OffsetError], and ctx's.
func (m *Module) Prepare(ctx context.Context, opts PrepareOptions) (*PrepareResult, error) {
	r := &PrepareResult{
		Skeletons: []code.Skeleton{}, Merged: m.Merged, CodeSnippets: []string{}, FilePaths: []string{}, Redactions: m.redactions(),
	}
	for _, f := range m.Tree.Files {
		r.Skeletons = append(r.Skeletons, f.Skeleton(opts.Now))
		r.FilePaths = append(r.FilePaths, f.Path)
	}
	parts, err := m.parts(ctx, ContextOptions{Snippets: opts.Deep})
	if err != nil {
		return nil, err
	}
	if opts.Deep {
		list, err := snippets(ctx, m.Project, m.Tree.Files, Chunk{})
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			r.CodeSnippets = append(r.CodeSnippets, s.plain())
		}
	}
	budget := cmp.Or(opts.Budget, math.MaxInt)
	r.Context = assemble(ctx, parts, budget)
	r.Truncated, r.TruncatedParts = r.Context.Truncated, r.Context.TruncatedParts
	d := &cutter{parts: parts, budget: budget, tests: map[string]bool{}, offset: opts.Offset}
	for _, f := range m.Tree.Files {
		d.tests[f.Path] = f.Test
	}
	if opts.MaxTokens > 0 {
		err = r.cut(ctx, opts.MaxTokens, d)
	} else {
		err = r.onePage(d)
	}
	if err == nil {
		err = ctx.Err()
	}
	return r, err
}

// redactions lists the secrets that were found while the module was read.
func (m *Module) redactions() []redact.Detection {
	out := []redact.Detection{}
	for _, f := range m.Tree.Files {
		for _, s := range f.Redactions {
			out = append(out, redact.Detection{
				Type: s.Type, File: f.Path, Line: s.Line, Confidence: redact.Confidence(s.Confidence), Placeholder: redact.Placeholder(s.Type),
			})
		}
	}
	return out
}
