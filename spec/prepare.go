package spec

import (
	"context"
	"math"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// PrepareOptions are the choices of [Prepare].
type PrepareOptions struct {
	Deep      bool // function bodies too
	Budget    int  // most tokens of the context; 0 for no bound but MaxTokens
	MaxTokens int  // most tokens of the whole result as JSON; 0 for no bound
	Offset    int  // symbols that earlier pages gave; see PrepareResult.NextOffset
	Scope     source.Scope
	OutputDir string // where the specs of dependencies stand; "" for [DefaultOutputDir]
	Now       func() time.Time
}

// Prepare reads the target, a file or a folder, and returns the code as the
// parser sees it with a context for a reader. A result above MaxTokens is cut in
// the contract's order: snippets, dependencies, skeleton; Truncated, TruncatedParts and
// Omitted say so. Where the symbols themselves do not fit, the first page has the same
// share of each file, what is exported first, and the pages after it, each by the
// NextOffset of the one before, the rest: all pages of the same MaxTokens together give
// each symbol once. It holds no secret of the files: Redactions tells where
// these are. Of a target that cannot be parsed at all the text is given when Deep, and
// the error is a [*source.UnparsedError] otherwise. Other errors are those of
// [source.Read], and an [*OffsetError].
func Prepare(ctx context.Context, p *project.Project, target string, opts PrepareOptions) (*PrepareResult, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	tree, err := source.Read(ctx, p, target, source.Options{Scope: opts.Scope})
	if err != nil {
		return nil, err
	}
	if err := tree.Unparsed(); err != nil && !opts.Deep {
		return nil, err
	}
	m := newMaterial(p, tree, string(message.From(ctx)), opts.Now())
	r := &PrepareResult{
		Skeletons: []code.Skeleton{}, Merged: m.merged, CodeSnippets: []string{}, FilePaths: []string{}, Redactions: m.redactions(),
	}
	for _, f := range tree.Files {
		r.Skeletons = append(r.Skeletons, f.Skeleton(m.now))
		r.FilePaths = append(r.FilePaths, f.Path)
	}
	parts, err := m.parcels(ctx, p, ContextOptions{Snippets: opts.Deep, OutputDir: opts.OutputDir})
	if err != nil {
		return nil, err
	}
	if opts.Deep {
		list, err := snippets(ctx, p, tree.Files, Chunk{})
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			r.CodeSnippets = append(r.CodeSnippets, s.text)
		}
	}
	budget := or0(opts.Budget, math.MaxInt)
	r.Context = assemble(ctx, parts, budget)
	r.Truncated, r.TruncatedParts = r.Context.Truncated, r.Context.TruncatedParts
	d := &consignment{parts: parts, budget: budget, tests: map[string]bool{}, offset: opts.Offset}
	for _, f := range tree.Files {
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
