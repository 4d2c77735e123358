package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/cypher"
	"github.com/reverse-spec/reverse-spec/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/explore"
	"github.com/reverse-spec/reverse-spec/llm"
)

// Options change how [Ask] works.
type Options struct {
	// Limit is the most rows: 0 for [DefaultLimit] of a question, and for
	// [cypher.MaxRows] of Cypher.
	Limit int
	// Offset is how many rows to pass over, of those that there are without it.
	Offset int
	// Fit returns as many of the rows as the answer is to hold, the first ones; nil for
	// all of them.
	Fit     func(rows []Object) []Object
	Timeout time.Duration // 0 for [cypher.Timeout]
	// Model opens the model that is asked where no rule fits; nil for none, and it may
	// return nil. It is called when it is needed.
	Model func(ctx context.Context) (llm.Model, error)
}

// Who made the query of an answer, in [Answer.Translator], unless it was a model.
const (
	byRules  = "rules"
	byCaller = "cypher" // what was asked is Cypher
	byModel  = "model"  // the rule of a model's query; the answer has its name
)

// Answer is the answer to a question: QueryResultDict of the code graph's contract,
// section 3.1, and what one has to know to trust it.
type Answer struct {
	Query string `json:"query_used"` // the Cypher that ran; "N/A" for none
	// Translator is who made the query, or was the last to try: "rules", "cypher" where
	// the question is Cypher, or the name of a model.
	Translator string   `json:"translator"`
	Tokens     *Tokens  `json:"translator_tokens,omitempty"` // of a model
	Results    []Object `json:"results"`
	Summary    string   `json:"summary"`
	Error      string   `json:"error,omitempty"`
	// Omitted is how many rows more there are; with AtLeast there may be others.
	Omitted int  `json:"results_omitted,omitempty"`
	AtLeast bool `json:"results_omitted_at_least,omitempty"`
	// Symbols are those that a name means, where it means several or none.
	Symbols []Name   `json:"symbols,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	// Suggestions are questions that work, where this one did not.
	Suggestions []string          `json:"suggestions,omitempty"`
	Columns     []string          `json:"-"`
	Index       explore.Freshness `json:"index"`
}

// noQuery is the query of an answer without one.
const noQuery = "N/A"

// UntranslatedError says that a question is of no kind that works.
type UntranslatedError struct {
	Nearest []string // questions that work
	Model   string   // that was asked, too; "" for none
	Why     error    // why that has no query
}

func (e *UntranslatedError) Error() string {
	why := "no model is configured"
	if e.Model != "" {
		why = e.Model + " " + e.Why.Error()
	}
	return "no rule fits this question and " + why + "; questions like these work: " + strings.Join(e.Nearest, " | ")
}

func (e *UntranslatedError) Unwrap() error { return e.Why }

// Hint tells what else works.
func (e *UntranslatedError) Hint() string {
	return "Cypher works, too: MATCH (n:Class) RETURN n.name LIMIT 10"
}

// nearest is how many questions are offered for one that does not work.
const nearest = 3

// Ask answers a question in English or Chinese, or a query in Cypher. What is wrong
// with the question stands in the answer; an error is that of the context, or means
// that the graph cannot be read.
func Ask(ctx context.Context, g *explore.Graph, question string, opts Options) (*Answer, error) {
	a := &Answer{Query: noQuery, Translator: byRules, Results: []Object{}, Index: g.Index}
	t, err := translate(question, opts)
	if err == nil {
		if a.Query = t.Cypher; t.Rule == "" {
			a.Translator = byCaller
		}
		err = a.run(ctx, g, t, opts)
	} else {
		t, err = a.byModel(ctx, g, question, opts, err)
	}
	if err != nil {
		return a, a.fail(ctx, err)
	}
	if len(t.Ignored) > 0 {
		a.Notes = append(a.Notes, "not understood and left out: "+strings.Join(t.Ignored, ", "))
	}
	if err := a.names(ctx, g, t); err != nil {
		return nil, err
	}
	a.summarize(t, opts)
	return a, nil
}

// translate makes Cypher of what is asked, by rules: Cypher is that already. The error
// is an [*UntranslatedError].
func translate(question string, opts Options) (Translation, error) {
	if strings.TrimSpace(question) == "" {
		return Translation{}, &UntranslatedError{Nearest: Nearest("", nearest)}
	}
	if IsCypher(question) {
		return Translation{Cypher: strings.TrimSpace(question)}, nil
	}
	if t, ok := translatePage(question, opts.Offset, opts.Limit); ok {
		return t, nil
	}
	return Translation{}, &UntranslatedError{Nearest: Nearest(question, nearest)}
}

// byModel has the model write a query, and runs it. Without a model the error is that of
// the rules.
func (a *Answer) byModel(ctx context.Context, g *explore.Graph, question string, opts Options, refusal error) (Translation, error) {
	t := Translation{Rule: byModel}
	d, err := opts.dialogue(ctx, g, question, refusal)
	if err != nil {
		return t, err
	}
	a.Translator = d.model.Name()
	t.Cypher, err = d.query(ctx, func(query string, last bool) error {
		a.Query = query
		err := a.run(ctx, g, Translation{Cypher: query, Rule: byModel}, opts)
		if err == nil && !last && len(a.Results) == 0 && len(a.Notes) > 0 {
			err = &unfitError{a.Notes}
		}
		return err
	})
	a.Tokens = &d.used
	return t, err
}

// run runs the query and takes its rows.
func (a *Answer) run(ctx context.Context, g *explore.Graph, t Translation, opts Options) error {
	code := cypher.Code(g.Reader(), g.Root())
	bounds := cypher.Options{Timeout: opts.Timeout, CountCut: t.Rule != ""}
	if t.Rule == "" || t.Rule == byModel { // a rule's query has its own
		bounds.MaxRows, bounds.Skip = min(opts.Limit, cypher.MaxRows), opts.Offset
	}
	r, err := cypher.Run(ctx, code, t.Cypher, bounds)
	if err != nil {
		return err
	}
	a.Columns, a.Omitted, a.AtLeast = r.Columns, r.Cut, r.AtLeast
	if names := len(t.Symbols) + len(t.Paths); t.Rule == "" || t.Rule == byModel || len(r.Rows)+names == 0 {
		a.Notes = r.Notes // a rule asks for labels that a project may not have
	}
	a.Results, err = rows(ctx, code, r)
	if err == nil && opts.Fit != nil {
		all := len(a.Results)
		a.Results = opts.Fit(a.Results)
		a.Omitted += all - len(a.Results)
	}
	return err
}

// fail tells of a query that did not run. It returns the error where the query is
// not to blame.
func (a *Answer) fail(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	a.Error = err.Error()
	if untranslated, ok := errors.AsType[*UntranslatedError](err); ok {
		a.Query, a.Results, a.Suggestions = noQuery, []Object{}, untranslated.Nearest
		a.Summary = "I couldn't translate your request into a database query. Error: " + a.Error
		return nil
	}
	if fault, ok := errors.AsType[*syntax.Error](err); ok && !fault.Advice.Empty() {
		a.Error += " (" + fault.Advice.String() + ")"
	}
	a.Summary = "There was an error querying the database: " + a.Error
	if _, ok := errors.AsType[*cypher.TimeoutError](err); ok {
		a.Summary = err.Error()
	}
	return nil
}

// summarize says how much was found, and what to know of it.
func (a *Answer) summarize(t Translation, opts Options) {
	parts := []string{fmt.Sprintf("Successfully retrieved %d item(s) from the graph.", len(a.Results))}
	if a.Omitted > 0 {
		more := fmt.Sprintf("%d more", a.Omitted)
		if a.AtLeast {
			more = "at least " + more
		}
		parts = append(parts, fmt.Sprintf("Results truncated: %s were left out; ask again with offset %d, raise the limit or narrow the question.",
			more, opts.Offset+len(a.Results)))
	}
	for _, n := range a.Symbols {
		parts = append(parts, n.String())
	}
	missing := slices.ContainsFunc(a.Symbols, func(n Name) bool { return n.Count == 0 })
	if missing && t.Rule == "imports" {
		parts = append(parts, "Imports of a language's own library are not in the graph.")
	}
	if len(a.Results) == 0 && !missing && len(t.Symbols)+len(t.Paths) > 0 {
		parts = append(parts, fmt.Sprintf("The graph has %s, and nothing that fits the question.", strings.Join(append(t.Symbols, t.Paths...), " and ")))
	}
	a.Summary = strings.Join(parts, " ")
}

// Explain returns how a question or a query in Cypher is answered: the query, and the
// plan, a step a line. The errors are an [*UntranslatedError], a [*syntax.Error] and
// those of the graph.
func Explain(ctx context.Context, g *explore.Graph, question string, opts Options) (query, plan string, err error) {
	query = noQuery
	code := cypher.Code(g.Reader(), g.Root())
	prepare := func(q string, _ bool) error {
		query = q
		prepared, err := cypher.Prepare(ctx, code, q, cypher.Options{})
		if err == nil {
			plan = prepared.Explain()
		}
		return err //nolint:wrapcheck // it says where in the query
	}
	t, err := translate(question, opts)
	if err == nil {
		err = prepare(t.Cypher, true)
		return query, plan, err
	}
	d, err := opts.dialogue(ctx, g, question, err)
	if err == nil {
		_, err = d.query(ctx, prepare)
	}
	return query, plan, err
}
