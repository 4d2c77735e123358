// Package rag retrieves the code that is relevant to a question: a search finds anchors, and the code graph is
// expanded around them.
//
// [Query] runs these steps, each in its own file: anchors.go searches, expand.go walks the graph, virtual.go
// follows edges to other repositories, boundary.go removes vendored and generated code, select.go selects the best
// candidates of each source, rerank.go orders them, context.go adds callers and callees, and pack.go fits the texts
// into the token budget. cache.go caches answers.
//
// [CallChain] returns the callers and callees of a symbol.
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

// Source says where a candidate comes from.
type Source string

// The sources.
const (
	Embedding Source = "embedding" // the search: an anchor
	FromGraph Source = "graph"     // the expansion from the anchors
	Virtual   Source = "virtual"   // an edge to another repository
)

// Method says how the anchors were found.
type Method string

// The methods. Vectors are included if they ranked one of the anchors.
const (
	ByWords   Method = "bm25"
	ByVectors Method = "vector"
	ByBoth    Method = "hybrid"
)

// Answer is the answer to a question.
type Answer struct {
	Candidates []Candidate `json:"candidates"` // most relevant first; never nil
	Metadata   Metadata    `json:"metadata"`
}

// Candidate is a piece of code that may answer the question.
type Candidate struct {
	File string `json:"file"` // relative to the project; "repo://path" for another repository
	// Relevance is in [0, 1] and does not increase from candidate to candidate; see docs/graph-rag.md.
	Relevance float64 `json:"relevance"`
	// Content is the source of the symbol, from its first line; "" if it cannot be read.
	Content  string `json:"content"`
	Source   Source `json:"source"`
	Distance int    `json:"distance"` // steps from the nearest anchor; 0 for anchors

	Symbol    string          `json:"symbol"` // qualified name
	Label     codegraph.Label `json:"label,omitempty"`
	StartLine int             `json:"start_line"` // 1-based; 0 if it has no lines
	EndLine   int             `json:"end_line"`   // inclusive, of the symbol
	Signature string          `json:"signature,omitempty"`
	Tokens    int             `json:"tokens"`              // estimate for the candidate's JSON
	Truncated bool            `json:"truncated,omitempty"` // Content is not the whole symbol
	Via       *Via            `json:"via,omitempty"`       // nil for anchors
	// Callers and Callees are those within the requested depth, nearest first, limited in number.
	Callers []Related `json:"callers,omitempty"`
	Callees []Related `json:"callees,omitempty"`
}

// Via is the edge by which a candidate was reached.
type Via struct {
	Type       codegraph.Relationship `json:"type"`
	From       string                 `json:"from"`    // qualified name of the other end
	Forward    bool                   `json:"forward"` // the edge leads to the candidate, not from it
	Rule       string                 `json:"rule,omitempty"`
	Confidence float64                `json:"confidence"` // of the edge
	Line       int                    `json:"line,omitempty"`
}

// Related is a caller or callee.
type Related struct {
	Symbol string `json:"symbol"` // qualified name
	File   string `json:"file"`
	Line   int    `json:"line"`  // of its declaration
	Depth  int    `json:"depth"` // steps from the candidate
	// Confidence is the product over the calls on the path.
	Confidence float64 `json:"confidence"`
}

// Metadata describes how an answer was made.
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
	TokenCount       int     `json:"token_count"` // of the candidates; together with the metadata at most Budget
	Truncated        bool    `json:"truncated"`   // the budget shortened or removed a candidate
	LeftOut          int     `json:"left_out"`    // number of candidates after these that did not fit
	BoundaryFiltered int     `json:"boundary_filtered"`
	Anchors          Method  `json:"anchors"` // how the anchors were found
	Reranked         bool    `json:"reranked"`
	Provider         string  `json:"provider,omitempty"` // of the model used for reranking
	FallbackReason   string  `json:"fallback_reason,omitempty"`

	Rerank *ModelUse `json:"rerank,omitempty"` // the use of the reranking model; nil if none

	Cache   CacheUse          `json:"cache"`
	Index   explore.Freshness `json:"index"`
	Warning string            `json:"warning,omitempty"`
}

// Warn adds warnings.
func (m *Metadata) Warn(notes ...string) {
	for _, note := range notes {
		if m.Warning != "" {
			m.Warning += "; "
		}
		m.Warning += note
	}
}

// Query answers a question about a project. The error is a [*ParamError] or one of reading the graph. An empty
// result is not an error; a warning explains it.
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

// question is a question in progress.
type question struct {
	graph    *explore.Graph
	reader   codegraph.Reader
	text     string
	lang     message.Lang // language of the warnings
	opts     Options
	depth    int // of the expansion, within the limit
	warnings []string
	files    *files
	filtered map[string]bool // files removed by the boundary step
	degraded bool            // the answer is worse than a later one may be, so it is not cached
}

// answer runs the steps.
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

// status returns the state of CKB, and warns if the answer was made without it.
func (q *question) status(ctx context.Context) (ckb.Metadata, error) {
	counts, err := q.reader.Counts(ctx)
	return q.opts.CKB.Metadata(q.depth, len(counts.Edges) > 0), err
}

// Count sets the numbers of candidates by source, and their tokens.
func (m *Metadata) Count(candidates []Candidate) {
	by := map[Source]int{}
	m.TokenCount = 0
	for i := range candidates {
		by[candidates[i].Source]++
		m.TokenCount += candidates[i].Tokens
	}
	m.Total, m.EmbeddingCandidates, m.GraphCandidates, m.VirtualCandidates = len(candidates), by[Embedding], by[FromGraph], by[Virtual]
}
