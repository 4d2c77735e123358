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

// Options change what [Query] finds. All values count as they are: begin with
// [Defaults].
type Options struct {
	TopK           int     // most candidates of each source
	Depth          int     // of the calls that are shown with a candidate
	Budget         int     // tokens of the whole answer
	FusionDepth    int     // how far the graph is walked from the anchors
	IncludeVirtual bool    // follow edges into other repositories
	MinRelevance   float64 // leave out what is less relevant, from 0 to 1
	Rerank         bool
	Foreign        bool // with vendored and generated code
	NoCache        bool
	// Indent is by what the JSON is indented in which the answer is sent, and which the
	// budget counts; "" for one line.
	Indent string
	Offset int // candidates to pass over: those of the answer before
	Beside int // tokens of the budget for what the caller adds to the answer

	CKB      ckb.Status
	Embedder search.Embedder `json:"-"` // that the search asks beside the words; nil for none
	Expander Expander        `json:"-"` // beside the project's own graph; nil for none
	Model    llm.Model       `json:"-"` // that reranks; nil for the heuristic
	waited   time.Duration   // for CKB, before the question was asked
}

// The contract's bounds. More is cut to the bound, with a warning.
const (
	MaxDepth       = 5
	MaxFusionDepth = 5
	MaxTopK        = 1000
	MaxQuery       = 10_000 // characters; a longer question is an error
)

// Defaults are the contract's.
func Defaults() Options {
	return Options{TopK: 10, Depth: 3, Budget: 8000, FusionDepth: 1}
}

// ParamError is a parameter that has no meaning.
type ParamError struct {
	Param  string // as on the command line: "fusion-depth"
	Wanted message.Text
}

func (e *ParamError) text() message.Text { return message.New("invalid %s: %v", e.Param, e.Wanted) }

func (e *ParamError) Error() string { return e.text().String() }

// In is the error in a language.
func (e *ParamError) In(lang message.Lang) string { return e.text().In(lang) }

// number is a parameter that counts something.
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

// Check reports whether a question can be asked. The error is a [*ParamError].
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

// clean makes a question valid text.
func clean(text string) string { return strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")) }

// newQuestion checks a question, and cuts what is too much.
func newQuestion(ctx context.Context, g *explore.Graph, text string, opts Options) (*question, error) {
	if err := Check(text, opts); err != nil {
		return nil, err
	}
	q := &question{
		graph: g, reader: g.Reader(), text: clean(text), lang: message.From(ctx), opts: opts, files: newFiles(g.Project()), filtered: map[string]bool{},
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

// warning joins what there is to say, above all why there is nothing.
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

// warn adds to what there is to say.
func (q *question) warn(t message.Text) { q.warnings = append(q.warnings, t.In(q.lang)) }

// warned is what there is to say so far.
func (q *question) warned() string {
	return strings.Join(q.warnings, message.Translate(q.lang, "; "))
}

// whyEmpty tells which step left nothing.
func (q *question) whyEmpty(ctx context.Context, found *found, all []*item) (message.Text, error) {
	counts, err := q.reader.Counts(ctx)
	if err != nil {
		return message.Text{}, err
	}
	switch {
	case len(counts.Nodes) <= 1: // the project itself
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
