package model

import (
	"context"
	"math"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/redact"
)

// cutter holds what a context was made of, so that a smaller one can be made.
type cutter struct {
	parts  []*draft
	budget int
	tests  map[string]bool // paths of the test files
	offset int             // symbols on earlier pages
}

// without drops the part of a kind.
func (d *cutter) without(kind PartKind) {
	for _, p := range d.parts {
		p.dropped = p.dropped || p.kind == kind
	}
}

// Parts of a [PrepareResult] besides those of a [Context].
const (
	mergedPart    PartKind = "mergedSkeleton" // repeats the symbols of the skeletons
	detailPart    PartKind = "details"        // whatever a signature repeats, hashes, documentation after its first paragraph
	redactionPart PartKind = "redactions"
)

// partOrder returns the parts in cutting order, which is also the order of lists.
func partOrder() []PartKind {
	return []PartKind{TestPart, SnippetPart, ReadmePart, ClaimPart, DependencyPart, mergedPart, detailPart, redactionPart, SkeletonPart}
}

// cut reduces the result to limit tokens. Each step drops one kind of detail and measures
// again; then the symbols are split into pages, see [pager]. It stops when ctx ends. The error
// is an [*OffsetError].
func (r *PrepareResult) cut(ctx context.Context, limit int, d *cutter) error {
	r.Whole = r.tokens()
	for _, step := range []func(*cutter, int){r.dropCopies, r.dropSnippets, r.dropDependencies, r.dropMerged, r.dropDetails} {
		if ctx.Err() != nil || r.tokens() <= limit {
			return r.onePage(d)
		}
		step(d, limit)
		r.Context = assemble(ctx, d.parts, d.budget)
		r.name()
	}
	if ctx.Err() != nil || r.tokens() <= limit {
		return r.onePage(d)
	}
	return r.cutPage(limit, d)
}

// onePage checks the offset of a result that has all symbols on one page.
func (r *PrepareResult) onePage(d *cutter) error {
	if d.offset == 0 {
		return nil
	}
	return &OffsetError{d.offset, len(newPager(r.Skeletons, d.tests, math.MaxInt32).units)}
}

// cutPage keeps the page of symbols that begins at the offset. Everything else is on the first
// page.
func (r *PrepareResult) cutPage(limit int, d *cutter) error {
	const margin = 50 // 2 %, for encoders that escape more
	size := bytesPerToken * limit
	g := newPager(r.Skeletons, d.tests, size)
	size -= size / margin
	r.Skeletons, r.FilePaths = []code.Skeleton{}, []string{}
	r.Merged.Doc = firstParagraph(r.Merged.Doc, size)
	r.Merged.ParseErrors, r.Merged.Entries = fewErrors(r.Merged.ParseErrors), r.Merged.Entries[:min(len(r.Merged.Entries), maxErrors)]
	r.cutRedactions(size / 10)
	if r.Context.TokenCount > limit/4 { // it holds little but the instructions
		r.Context = Context{Truncated: true, TruncatedParts: r.Context.TruncatedParts}
	}
	r.left(SkeletonPart, "symbols", len(g.units), len(g.units))
	r.name()
	order, to := g.order(size - encodedSize(r) - len("\n"))
	if d.offset >= len(order) {
		return &OffsetError{d.offset, len(order)}
	}
	if d.offset > 0 {
		r.Redactions = []redact.Detection{}
		r.Context = Context{Truncated: true, TruncatedParts: r.Context.TruncatedParts}
		to = g.page(order, d.offset, size-encodedSize(r)-len("\n"))
	}
	r.Skeletons = g.skeletonsOf(order[d.offset:to], g.begun(order[:d.offset]))
	for _, s := range r.Skeletons {
		r.FilePaths = append(r.FilePaths, s.FilePath)
	}
	r.More, r.NextOffset = len(order)-to, to
	r.Omitted = slices.DeleteFunc(r.Omitted, func(o Omitted) bool { return o.Part == string(SkeletonPart) })
	r.left(SkeletonPart, "symbols", r.More, len(order))
	r.name()
	return nil
}

// cutRedactions keeps the redactions that fit into room bytes.
func (r *PrepareResult) cutRedactions(room int) {
	n := 0
	for n < len(r.Redactions) {
		if room -= encodedSize(r.Redactions[n]) + len(","); room < 0 {
			break
		}
		n++
	}
	r.left(redactionPart, "secrets", len(r.Redactions)-n, len(r.Redactions))
	r.Redactions = r.Redactions[:n]
}

// left records that part of a result is left out.
func (r *PrepareResult) left(part PartKind, unit string, left, of int) {
	if left > 0 {
		r.Omitted = append(r.Omitted, Omitted{string(part), unit, left, of})
	}
}

// name fills TruncatedParts.
func (r *PrepareResult) name() {
	r.TruncatedParts = slices.Clone(r.Context.TruncatedParts)
	for _, o := range r.Omitted {
		if !slices.Contains(r.TruncatedParts, o.Part) {
			r.TruncatedParts = append(r.TruncatedParts, o.Part)
		}
	}
	r.Truncated = len(r.TruncatedParts) > 0
	order := partOrder()
	rank := func(part string) int { return slices.Index(order, PartKind(part)) }
	slices.SortFunc(r.TruncatedParts, func(a, b string) int { return rank(a) - rank(b) })
	slices.SortFunc(r.Omitted, func(a, b Omitted) int { return rank(a.Part) - rank(b.Part) })
}

// tokens estimates the size of the result as JSON.
func (r *PrepareResult) tokens() int { return (encodedSize(r) + len("\n")) / bytesPerToken }

// dropCopies drops the functions that the context has, too.
func (r *PrepareResult) dropCopies(*cutter, int) {
	n := len(r.CodeSnippets)
	r.CodeSnippets = []string{}
	r.left(SnippetPart, "functions", n, n)
}

// dropSnippets drops the bodies of functions and tests from the context.
func (r *PrepareResult) dropSnippets(d *cutter, _ int) {
	d.without(SnippetPart)
	for _, p := range d.parts {
		for i := range p.items {
			if it := &p.items[i]; p.kind == TestPart && it.bare != "" {
				*it = item{full: it.bare}
			}
		}
	}
}

func (r *PrepareResult) dropDependencies(d *cutter, _ int) {
	n := 0
	for i := range r.Skeletons {
		s := &r.Skeletons[i]
		n += len(s.Calls) + len(s.Imports)
		s.Calls, s.Imports = nil, []code.Import{}
	}
	r.Merged.Calls, r.Merged.Imports = nil, []code.Import{}
	d.without(DependencyPart)
	r.left(DependencyPart, "imports and calls", n, n)
}

// dropMerged drops the symbols of the merged skeleton; the skeletons repeat them.
func (r *PrepareResult) dropMerged(d *cutter, limit int) {
	n := len(r.Merged.Exports) + len(r.Merged.Internals) + len(r.Merged.Variants)
	r.Merged.Exports, r.Merged.Internals, r.Merged.Variants, r.Merged.Files = []code.Symbol{}, nil, nil, nil
	d.budget = min(d.budget, limit/3)
	r.left(mergedPart, "symbols", n, n)
}

// dropDetails reduces symbols with [lean] and files with [pager.head].
func (r *PrepareResult) dropDetails(d *cutter, limit int) {
	g := newPager(r.Skeletons, d.tests, bytesPerToken*limit)
	all := make([]int, len(g.units))
	for i := range all {
		all[i] = i
	}
	bare := map[string]code.Skeleton{}
	for _, s := range g.skeletonsOf(all, nil) {
		bare[s.FilePath] = s
	}
	r.Skeletons = slices.Clone(r.Skeletons)
	for i, s := range r.Skeletons {
		r.Skeletons[i] = bare[s.FilePath]
	}
	d.budget = min(d.budget, limit/8)
	r.left(detailPart, "symbols", len(all), len(all))
}
