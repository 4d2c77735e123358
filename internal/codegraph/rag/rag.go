// Package rag finds the code that a question is about, with its neighbours: the
// symbols that a search finds are the anchors, from which the code graph is walked.
//
// [Query] goes through these steps, a file each: anchors.go searches, expand.go walks
// the graph, virtual.go follows what leads into other repositories, boundary.go
// leaves out what nobody here wrote, select.go cuts each source to its best,
// rerank.go orders, context.go tells who calls whom, and pack.go fits the texts
// into the budget. cache.go keeps answers.
//
// [CallChain] is the other question: who calls a symbol, and what it calls.
package rag

import (
	"context"
	"slices"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Source is where a candidate comes from.
type Source string

// The sources.
const (
	Embedding Source = "embedding" // the search: an anchor
	FromGraph Source = "graph"     // a walk of the graph from the anchors
	Virtual   Source = "virtual"   // an edge into another repository
)

// Method is how anchors were found.
type Method string

// The methods. Vectors count where an anchor is in the list that they gave.
const (
	ByWords   Method = "bm25"
	ByVectors Method = "vector"
	ByBoth    Method = "hybrid"
)

// Answer is what a question found.
type Answer struct {
	Candidates []Candidate `json:"candidates"` // the most relevant first; never nil
	Metadata   Metadata    `json:"metadata"`
}

// Candidate is one piece of code that may answer the question.
type Candidate struct {
	File string `json:"file"` // relative to the project; "repo://path" in another repository
	// Relevance is in [0, 1] and falls from candidate to candidate; see docs/graph-rag.md.
	Relevance float64 `json:"relevance"`
	// Content is the source of the symbol, from its first line on; "" where it cannot
	// be read.
	Content  string `json:"content"`
	Source   Source `json:"source"`
	Distance int    `json:"distance"` // steps from the nearest anchor; 0 for anchors

	Symbol    string          `json:"symbol"` // qualified name
	Label     codegraph.Label `json:"label,omitempty"`
	StartLine int             `json:"start_line"` // 1-based; 0 where there are no lines
	EndLine   int             `json:"end_line"`   // inclusive, of the symbol
	Signature string          `json:"signature,omitempty"`
	Tokens    int             `json:"tokens"`              // estimate for the candidate as it is sent
	Truncated bool            `json:"truncated,omitempty"` // the content is not the whole symbol
	Via       *Via            `json:"via,omitempty"`       // nil for anchors
	// Callers and Callees are some of those within the depth asked for, the nearest first.
	Callers []Related `json:"callers,omitempty"`
	Callees []Related `json:"callees,omitempty"`
}

// Via is the edge by which a candidate was reached.
type Via struct {
	Type       codegraph.Relationship `json:"type"`
	From       string                 `json:"from"`    // qualified name of the anchor or neighbour it was reached from
	Forward    bool                   `json:"forward"` // the edge leads from there to the candidate, not back
	Rule       string                 `json:"rule,omitempty"`
	Confidence float64                `json:"confidence"` // of the edge
	Line       int                    `json:"line,omitempty"`
}

// Related is a symbol that calls or is called.
type Related struct {
	Symbol string `json:"symbol"` // qualified name
	File   string `json:"file"`
	Line   int    `json:"line"`  // of its declaration
	Depth  int    `json:"depth"` // steps from the candidate
	// Confidence is that of all calls on the way together.
	Confidence float64 `json:"confidence"`
}

// Metadata tells how an answer came about.
type Metadata struct {
	Query               string `json:"query"`
	Total               int    `json:"total_candidates"` // the sum of the next three
	EmbeddingCandidates int    `json:"embedding_candidates"`
	GraphCandidates     int    `json:"graph_candidates"`
	VirtualCandidates   int    `json:"virtual_candidates"`
	FusionDepthAsked    int    `json:"fusion_depth_requested"`
	IncludeVirtual      bool   `json:"include_virtual"`
	ckb.Metadata
	QueryTime int64 `json:"query_time_ms"`

	TopK             int     `json:"top_k"`
	Depth            int     `json:"depth"`
	Budget           int     `json:"budget"`
	MinRelevance     float64 `json:"min_relevance"`
	TokenCount       int     `json:"token_count"` // of the candidates; with the metadata at most Budget
	Truncated        bool    `json:"truncated"`   // the budget cut a candidate, or left one out
	LeftOut          int     `json:"left_out"`    // candidates behind those of the answer, for which there was no room
	BoundaryFiltered int     `json:"boundary_filtered"`
	Anchors          Method  `json:"anchors"` // how the anchors were found
	Reranked         bool    `json:"reranked"`
	Provider         string  `json:"provider,omitempty"` // that reranked
	FallbackReason   string  `json:"fallback_reason,omitempty"`

	Rerank *ModelUse `json:"rerank,omitempty"` // the model that was asked to; nil for none

	Cache   CacheUse          `json:"cache"`
	Index   explore.Freshness `json:"index"`
	Warning string            `json:"warning,omitempty"`
}

// Warn adds to the warnings.
func (m *Metadata) Warn(notes ...string) {
	for _, note := range notes {
		if m.Warning != "" {
			m.Warning += "; "
		}
		m.Warning += note
	}
}

// Query answers a question about a project. The errors are a [*ParamError] and
// those of reading the graph; that nothing was found is none, and is explained by
// the warning.
func Query(ctx context.Context, g *explore.Graph, text string, opts Options) (*Answer, error) {
	begin := time.Now()
	q, err := newQuestion(ctx, g, text, opts)
	if err != nil {
		return nil, err
	}
	defer q.files.close()
	cache, key, err := q.cache(ctx)
	if err != nil {
		return nil, err
	}
	answer := cache.get(key)
	if answer == nil {
		if answer, err = q.answer(ctx); err != nil {
			return nil, message.Errorf("graph-rag: %w", err)
		}
		if !q.degraded {
			cache.put(key, answer)
		}
	} else {
		answer.Metadata.Cache.Hit = true
		if use := answer.Metadata.Rerank; use != nil {
			use.Input, use.Output = 0, 0
		}
	}
	answer.Metadata.Cache.Enabled = cache != nil
	answer.Metadata.Index = g.Index
	answer.Metadata.QueryTime = (opts.waited + time.Since(begin)).Milliseconds()
	return answer, nil
}

// question is one question being answered.
type question struct {
	graph    *explore.Graph
	reader   codegraph.Reader
	text     string
	lang     message.Lang // of the warnings
	opts     Options
	depth    int // of the fusion, as it is walked
	warnings []string
	files    *files
	filtered map[string]bool // what the boundary left out
	degraded bool            // the answer is less than it would be another time
}

// answer goes through the steps.
func (q *question) answer(ctx context.Context) (*Answer, error) {
	found, err := q.search(ctx)
	if err != nil {
		return nil, err
	}
	anchors := q.choose(found.anchors, q.opts.TopK, nil)
	near, err := q.expand(ctx, anchors, found)
	if err != nil {
		return nil, err
	}
	near = q.choose(near, q.opts.TopK, anchors)
	abroad, err := q.virtual(ctx, anchors, near)
	if err != nil {
		return nil, err
	}
	abroad = q.choose(abroad, q.opts.TopK, nil)

	all := merge(anchors, near, abroad)
	m := Metadata{
		Query: q.text, FusionDepthAsked: q.opts.FusionDepth, IncludeVirtual: q.opts.IncludeVirtual,
		TopK: q.opts.TopK, Depth: q.opts.Depth, Budget: q.opts.Budget, MinRelevance: q.opts.MinRelevance,
		Anchors: found.method(anchors),
	}
	if m.Metadata, err = q.status(ctx); err != nil {
		return nil, err
	}
	if q.opts.Rerank {
		if err := q.rerank(ctx, all, &m); err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(it *item) bool { return it.Relevance < q.opts.MinRelevance })
	}
	if err := q.relate(ctx, all); err != nil {
		return nil, err
	}
	if n := q.opts.Offset; n > 0 && n >= len(all) {
		return nil, &ParamError{"offset", message.New("%d is beyond the %d candidates", n, len(all))}
	}
	candidates := q.pack(all[q.opts.Offset:], &m)
	m.Count(candidates)
	m.BoundaryFiltered = len(q.filtered)
	m.Warning, err = q.warning(ctx, found, all, &m)
	return &Answer{Candidates: candidates, Metadata: m}, err
}

// status tells how CKB stands, and what was done without it.
func (q *question) status(ctx context.Context) (ckb.Metadata, error) {
	counts, err := q.reader.Counts(ctx)
	return q.opts.CKB.Metadata(q.depth, len(counts.Edges) > 0), err
}

// Count counts the candidates of an answer by source, and their tokens.
func (m *Metadata) Count(candidates []Candidate) {
	by := map[Source]int{}
	m.TokenCount = 0
	for i := range candidates {
		by[candidates[i].Source]++
		m.TokenCount += candidates[i].Tokens
	}
	m.Total, m.EmbeddingCandidates, m.GraphCandidates, m.VirtualCandidates = len(candidates), by[Embedding], by[FromGraph], by[Virtual]
}
