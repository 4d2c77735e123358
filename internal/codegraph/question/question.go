package question

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/message"
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
	Nearest []Kind // questions that work
	Why     error  // why the model that was asked, too, has no query; nil where none is configured
}

func (e *UntranslatedError) text() message.Text {
	if e.Why == nil {
		return message.New("no rule fits this question and no model is configured; questions like these work: %v", kindList(e.Nearest))
	}
	return message.New("no rule fits this question and %v; questions like these work: %v", e.Why, kindList(e.Nearest))
}

func (e *UntranslatedError) Error() string { return e.text().String() }

// In is the error in a language.
func (e *UntranslatedError) In(lang message.Lang) string { return e.text().In(lang) }

func (e *UntranslatedError) Unwrap() error { return e.Why }

// Hint tells what else works.
func (e *UntranslatedError) Hint() message.Text {
	return message.New("Cypher works, too: %s", "MATCH (n:Class) RETURN n.name LIMIT 10")
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
		a.Notes = append(a.Notes, message.Sprintf(ctx, "not understood and left out: %s", strings.Join(t.Ignored, ", ")))
	}
	if err := a.names(ctx, g, t); err != nil {
		return nil, err
	}
	a.summarize(message.From(ctx), t, opts)
	return a, nil
}

// translate makes Cypher of what is asked, by rules: Cypher is that already. The error
// is an [*UntranslatedError].
func translate(question string, opts Options) (Translation, error) {
	if strings.TrimSpace(question) == "" {
		return Translation{}, &UntranslatedError{Nearest: nearestKinds("", nearest)}
	}
	if IsCypher(question) {
		return Translation{Cypher: strings.TrimSpace(question)}, nil
	}
	if t, ok := translatePage(question, opts.Offset, opts.Limit); ok {
		return t, nil
	}
	return Translation{}, &UntranslatedError{Nearest: nearestKinds(question, nearest)}
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
		t := Translation{Cypher: query, Rule: byModel}
		err := a.run(ctx, g, t, opts)
		if err == nil && !last && len(a.Results) == 0 && len(a.Notes) > 0 {
			err = a.unfit(ctx, g, t, opts)
		}
		return err
	})
	a.Tokens = &d.used
	return t, err
}

// unfit is the fault of a query that has no rows, but notes. The model is told them in
// English.
func (a *Answer) unfit(ctx context.Context, g *explore.Graph, t Translation, opts Options) error {
	if message.From(ctx) != message.English {
		english := message.With(ctx, message.Choice{Lang: message.English})
		if err := a.run(english, g, t, opts); err != nil {
			return err
		}
	}
	return &unfitError{a.Notes}
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
	lang := message.From(ctx)
	a.Error = message.Render(lang, err)
	if untranslated, ok := errors.AsType[*UntranslatedError](err); ok {
		a.Query, a.Results, a.Suggestions = noQuery, []Object{}, kindList(untranslated.Nearest).texts(lang)
		a.Summary = message.Sprintf(ctx, "I couldn't translate your request into a database query. Error: %s", a.Error)
		return nil
	}
	if fault, ok := errors.AsType[*syntax.Error](err); ok {
		if advice := message.Hint(lang, fault); advice != "" {
			a.Error = message.Sprintf(ctx, "%s (%s)", a.Error, advice)
		}
	}
	a.Summary = message.Sprintf(ctx, "There was an error querying the database: %s", a.Error)
	if _, ok := errors.AsType[*cypher.TimeoutError](err); ok {
		a.Summary = message.Render(lang, err)
	}
	return nil
}

// summarize says how much was found, and what to know of it.
func (a *Answer) summarize(lang message.Lang, t Translation, opts Options) {
	parts := []message.Text{message.New("Successfully retrieved %d item(s) from the graph.", len(a.Results))}
	switch next := opts.Offset + len(a.Results); {
	case a.Omitted > 0 && a.AtLeast:
		parts = append(parts, message.New("Results truncated: at least %d more were left out; ask again with offset %d, raise the limit or narrow the question.", a.Omitted, next))
	case a.Omitted > 0:
		parts = append(parts, message.New("Results truncated: %d more were left out; ask again with offset %d, raise the limit or narrow the question.", a.Omitted, next))
	}
	for _, n := range a.Symbols {
		parts = append(parts, n.text())
	}
	missing := slices.ContainsFunc(a.Symbols, func(n Name) bool { return n.Count == 0 })
	if missing && t.Rule == "imports" {
		parts = append(parts, message.New("Imports of a language's own library are not in the graph."))
	}
	if len(a.Results) == 0 && !missing && len(t.Symbols)+len(t.Paths) > 0 {
		parts = append(parts, message.New("Nothing fits the question, though the graph has %s.", strings.Join(slices.Concat(t.Symbols, t.Paths), ", ")))
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.In(lang)
	}
	between := " "
	if lang == message.Chinese { // whose sentences have none between them
		between = ""
	}
	a.Summary = strings.Join(texts, between)
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
