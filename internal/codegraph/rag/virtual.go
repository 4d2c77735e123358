package rag

import (
	"context"
	"path"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// crossRepoDecay is the share of relevance that the target of a virtual edge gets from its source.
var crossRepoDecay = map[store.VirtualType]float64{
	store.VirtualCalls:   0.7,
	store.VirtualImports: 0.6,
}

// virtual returns the targets in other repositories of the anchors' and neighbours' virtual edges, most relevant
// first. Of several edges to one target it uses the best.
func (q *question) virtual(ctx context.Context, anchors, near []*item) ([]*item, error) {
	if !q.opts.IncludeVirtual || q.depth == 0 {
		return nil, nil
	}
	from := map[string]*item{}
	var symbols []string
	for _, it := range slices.Concat(anchors, near) {
		from[it.Symbol] = it
		symbols = append(symbols, it.Symbol)
	}
	if len(symbols) == 0 {
		return nil, nil
	}
	edges, err := q.graph.Stored().Virtual(ctx, symbols)
	if err == nil && len(edges) == 0 {
		err = q.federated(ctx)
	}
	if err != nil {
		return nil, err
	}
	at := map[string]*item{}
	var items []*item
	for i := range edges {
		it := q.virtualItem(&edges[i], from[edges[i].SourceSymbol])
		target := it.File + "\x00" + it.Symbol
		if known := at[target]; known == nil {
			at[target] = it
			items = append(items, it)
		} else if it.Relevance > known.Relevance {
			*known = *it
		}
	}
	byRelevance(items)
	return items, nil
}

// federated says which command to run if there are no virtual edges at all.
func (q *question) federated(ctx context.Context) error {
	edges, err := q.graph.Stored().Virtual(ctx, nil)
	if err == nil && len(edges) == 0 {
		q.warn(message.New("no edges into other repositories are known: run reverse-spec federate"))
	}
	return err
}

// virtualItem returns a candidate for the target of an edge.
func (q *question) virtualItem(e *store.VirtualEdge, source *item) *item {
	return &item{
		Candidate: Candidate{
			File: e.File(), Relevance: source.Relevance * crossRepoDecay[e.Type] * e.Confidence, Source: Virtual, Distance: source.Distance + 1,
			Symbol: e.TargetSymbol, StartLine: e.StartLine, EndLine: e.EndLine, Signature: e.Signature,
			Via: &Via{
				Type: codegraph.Relationship(e.Type), From: e.SourceSymbol, Forward: true, Rule: e.Rule,
				Confidence: round(e.Confidence), Line: e.SourceLine,
			},
		},
		project: q.files.project(e.TargetRoot), path: path.Clean(e.TargetFile),
	}
}

// files caches the files of candidates.
type files struct {
	graph    *explore.Graph
	own      *project.Project            // nil for a graph of a shared store
	others   map[string]*project.Project // by root; nil if it cannot be opened
	contents map[fileKey]*content
}

type fileKey struct {
	project *project.Project
	path    string
}

func newFiles(g *explore.Graph) *files {
	return &files{graph: g, own: g.Project(), others: map[string]*project.Project{}, contents: map[fileKey]*content{}}
}

// project returns the project in a folder; nil if it cannot be opened.
func (f *files) project(root string) *project.Project {
	if root == "" || f.own != nil && root == f.own.Root() {
		return nil
	}
	p, known := f.others[root]
	if !known {
		p, _ = project.Open(root)
		f.others[root] = p
	}
	return p
}

// close closes the other projects.
func (f *files) close() {
	for _, p := range f.others {
		if p != nil {
			_ = p.Close() // only read
		}
	}
}
