package spec

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/reverse-spec/reverse-spec/code"
)

// consignment is what a context was made of, so that it can be made again with less.
type consignment struct {
	parts  []*parcel
	budget int
}

// without leaves a part out.
func (d *consignment) without(kind PartKind) {
	for _, p := range d.parts {
		p.dropped = p.dropped || p.kind == kind
	}
}

// cut brings the result under a number of tokens. Each step takes away a kind of
// detail and measures again; what is left at the end is names and signatures,
// and then fewer of them. When the context ends, it stops.
func (r *PrepareResult) cut(ctx context.Context, limit int, d *consignment) {
	steps := []struct {
		part PartKind
		do   func() (done bool)
	}{
		{SnippetPart, func() bool { return r.dropSnippets(d) }},
		{DependencyPart, func() bool { r.dropDependencies(); d.without(DependencyPart); return true }},
		{SkeletonPart, func() bool { r.dropInternals(); return true }},
		{SkeletonPart, func() bool { r.Skeletons = []code.Skeleton{}; return true }},
		{SkeletonPart, func() bool { d.budget = min(d.budget, limit/3); return true }},
	}
	r.Whole = r.tokens()
	for _, step := range steps {
		if ctx.Err() != nil || r.tokens() <= limit {
			return
		}
		if step.do() {
			r.truncated(ctx, step.part, d)
		}
	}
	for ctx.Err() == nil && r.tokens() > limit && r.shrink(d) {
		r.truncated(ctx, SkeletonPart, d)
	}
}

func (r *PrepareResult) dropSnippets(d *consignment) bool {
	had := len(r.CodeSnippets) > 0
	r.CodeSnippets = []string{}
	d.without(SnippetPart)
	return had
}

// truncated notes that something of a part was cut, and makes the context again.
func (r *PrepareResult) truncated(ctx context.Context, part PartKind, d *consignment) {
	r.Context = assemble(ctx, d.parts, d.budget)
	r.Truncated = true
	r.TruncatedParts = slices.Clone(r.TruncatedParts)
	for _, name := range append([]string{string(part)}, r.Context.TruncatedParts...) {
		if !slices.Contains(r.TruncatedParts, name) {
			r.TruncatedParts = append(r.TruncatedParts, name)
		}
	}
	slices.SortFunc(r.TruncatedParts, func(a, b string) int { return cutRank(a) - cutRank(b) })
}

// tokens estimates the size of the result as JSON. JSON is dense in marks:
// three bytes a token.
func (r *PrepareResult) tokens() int {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(r) // plain data encodes without error
	return b.Len() / 3
}

func (r *PrepareResult) dropDependencies() {
	r.Merged.Calls, r.Merged.Imports = nil, []code.Import{}
	for i := range r.Skeletons {
		r.Skeletons[i].Calls = nil
		r.Skeletons[i].Imports = []code.Import{}
	}
}

// dropInternals leaves of each symbol its name, signature and place.
func (r *PrepareResult) dropInternals() {
	for _, s := range r.all() {
		s.Internals, s.Variants, s.Files = nil, nil, nil
		s.Exports = bare(s.Exports)
	}
}

func (r *PrepareResult) all() []*code.Skeleton {
	out := []*code.Skeleton{&r.Merged}
	for i := range r.Skeletons {
		out = append(out, &r.Skeletons[i])
	}
	return out
}

func bare(list []code.Symbol) []code.Symbol {
	out := make([]code.Symbol, 0, len(list))
	for _, s := range list {
		if !s.Exported {
			continue
		}
		b := code.Symbol{
			Name: s.Name, Kind: s.Kind, Signature: s.Signature, Exported: true, Default: s.Default,
			StartLine: s.StartLine, EndLine: s.EndLine, File: s.File,
		}
		b.Members = bare(s.Members)
		if len(b.Members) == 0 {
			b.Members = nil
		}
		out = append(out, b)
	}
	return out
}

// shrink takes away what is longest of what is left; false when nothing is.
func (r *PrepareResult) shrink(d *consignment) bool {
	members := false
	for i := range r.Merged.Exports {
		members = members || r.Merged.Exports[i].Members != nil
		r.Merged.Exports[i].Members = nil
	}
	switch {
	case members:
	case len(r.Context.Parts) > 1:
		d.budget /= 2
	case len(r.Merged.ParseErrors) > 10:
		r.Merged.ParseErrors = r.Merged.ParseErrors[:10]
	case len(r.Merged.Exports) > 0:
		r.Merged.Exports = r.Merged.Exports[:len(r.Merged.Exports)/2]
	case len(r.FilePaths) > 0:
		r.FilePaths = r.FilePaths[:len(r.FilePaths)/2]
	case len(r.Redactions) > 0:
		r.Redactions = r.Redactions[:len(r.Redactions)/2]
	default:
		return false
	}
	return true
}
