package rag

import (
	"context"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Options configure [Query]. Zero values are not replaced by defaults: begin with [Defaults].
type Options struct {
	TopK           int     // maximum number of candidates per source
	Depth          int     // of the calls listed with a candidate
	Budget         int     // maximum tokens of the answer
	FusionDepth    int     // steps of the expansion from the anchors
	IncludeVirtual bool    // follow edges to other repositories
	MinRelevance   float64 // minimum relevance, 0 to 1
	Rerank         bool
	Foreign        bool // include vendored and generated code
	NoCache        bool
	// Indent is the indentation of the JSON in which the answer is sent, which the budget includes; "" for one
	// line.
	Indent   string
	Offset   int // number of candidates to skip: those of earlier pages
	Reserved int // tokens of the budget reserved for what the caller adds to the answer

	CKB      ckb.Status
	Embedder search.Embedder `json:"-"` // for semantic search; nil for none
	Expander Expander        `json:"-"` // in addition to the project's graph; nil for none
	Model    llm.Model       `json:"-"` // for reranking; nil for the heuristic
	waited   time.Duration   // time spent waiting for CKB
}

// The contract's limits. Larger values are reduced to the limit, with a warning.
const (
	MaxDepth       = 5
	MaxFusionDepth = 5
	MaxTopK        = 1000
	MaxQuery       = 10_000 // characters; a longer question is an error
)

// Defaults returns the contract's defaults.
func Defaults() Options {
	return Options{TopK: 10, Depth: 3, Budget: 8000, FusionDepth: 1}
}

// FromEnv sets what the environment says of searches: the embedder and the cache. The
// error is that of an embedder that cannot be used.
func (o *Options) FromEnv(getenv func(string) string) (err error) {
	o.NoCache = cacheOff(getenv)
	o.Embedder, err = search.NewEmbedder(getenv)
	return err
}

// ParamError is a parameter that has no meaning.
type ParamError struct {
	Param  string // its name on the command line: "fusion-depth"
	Wanted message.Text
}

func (e *ParamError) text() message.Text { return message.New("invalid %s: %v", e.Param, e.Wanted) }

func (e *ParamError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *ParamError) In(lang message.Lang) string { return e.text().In(lang) }

// number is a numeric parameter with its bounds.
type number struct {
	name   string
	value  *int
	most   int
	wanted message.Text
}

func (o *Options) numbers() []number {
	upToFive, natural := message.New("must be integer 0-5"), message.New("must be an integer, 0 or more")
	return []number{
		{"fusion-depth", &o.FusionDepth, MaxFusionDepth, upToFive},
		{"depth", &o.Depth, MaxDepth, upToFive},
		{"top-k", &o.TopK, MaxTopK, natural},
		{"budget", &o.Budget, math.MaxInt, natural},
	}
}

// Check validates a question and its options. The error is a [*ParamError].
func Check(text string, opts Options) error {
	text = clean(text)
	switch {
	case text == "":
		return &ParamError{"query", message.New("query must not be empty")}
	case utf8.RuneCountInString(text) > MaxQuery:
		return &ParamError{"query", message.New("query too long, at most %d characters", MaxQuery)}
	case math.IsNaN(opts.MinRelevance) || opts.MinRelevance < 0 || opts.MinRelevance > 1:
		return &ParamError{"min-relevance", message.New("must be a number from 0 to 1")}
	}
	for _, n := range opts.numbers() {
		if *n.value < 0 {
			return &ParamError{n.name, n.wanted}
		}
	}
	return nil
}

// clean returns the question as valid UTF-8 without surrounding space.
func clean(text string) string { return strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")) }

// newQuestion validates a question and reduces values above their limits.
func newQuestion(ctx context.Context, g *explore.Graph, text string, opts Options) (*question, error) {
	if err := Check(text, opts); err != nil {
		return nil, err
	}
	q := &question{
		graph: g, reader: g.Reader(), text: clean(text), lang: message.From(ctx), opts: opts, files: newFiles(g), filtered: map[string]bool{},
	}
	for _, n := range q.opts.numbers() {
		if *n.value > n.most {
			q.warn(message.New("%s capped at maximum %d", n.name, n.most))
			*n.value = n.most
		}
	}
	q.depth, q.opts.FusionDepth = q.opts.FusionDepth, opts.FusionDepth
	if q.depth > 1 && !opts.CKB.Available {
		q.depth = 1
	}
	if q.depth == 0 && opts.IncludeVirtual {
		q.warn(message.New("fusion-depth 0: virtual edges are not followed"))
	}
	return q, nil
}

// warning joins the warnings, and the reason for an empty result.
func (q *question) warning(ctx context.Context, found *found, all []*item, m *Metadata) (string, error) {
	if m.Total == 0 {
		why, err := q.whyEmpty(ctx, found, all)
		if err != nil {
			return "", err
		}
		q.warn(why)
	}
	return q.warned(), nil
}

// warn adds a warning.
func (q *question) warn(t message.Text) { q.warnings = append(q.warnings, t.In(q.lang)) }

// warned returns the warnings so far.
func (q *question) warned() string {
	return strings.Join(q.warnings, message.Translate(q.lang, "; "))
}

// whyEmpty says which step left no candidates.
func (q *question) whyEmpty(ctx context.Context, found *found, all []*item) (message.Text, error) {
	counts, err := q.reader.Counts(ctx)
	if err != nil {
		return message.Text{}, err
	}
	switch {
	case len(counts.Nodes) <= 1: // only the project node
		return message.New("the project has no code that can be indexed"), nil
	case q.opts.TopK == 0:
		return message.New("top-k is 0"), nil
	case len(found.anchors) == 0:
		return message.New("no word of the query is in the project's code"), nil
	case len(all) == 0 && len(q.filtered) > 0:
		return message.New("all that matches is vendored or generated code"), nil
	case len(all) == 0:
		return message.New("nothing is as relevant as %v", q.opts.MinRelevance), nil
	default:
		return message.New("no candidate fits into a budget of %d tokens", q.opts.Budget), nil
	}
}
