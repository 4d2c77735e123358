package question

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Options configure [Ask].
type Options struct {
	// Limit is the maximum number of rows, at most [MaxLimit]; 0 for [DefaultLimit] for a question and [cypher.MaxRows]
	// for Cypher.
	Limit int
	// Offset is the number of rows to skip.
	Offset int
	// Fit returns the prefix of rows that the answer can hold; nil for all.
	Fit     func(rows []Object) []Object
	Timeout time.Duration // 0 for [cypher.Timeout]
	// Model opens the model for questions that no rule matches; may be nil, or return nil. It is called only when
	// needed.
	Model func(ctx context.Context) (llm.Model, error)
}

// The origins of a query, in [Answer.Translator], other than a model.
const (
	byRules  = "rules"
	byCaller = "cypher" // the input is Cypher
	byModel  = "model"  // the rule of a model's query; the answer has the model's name
)

// Answer is the answer to a question: QueryResultDict of the code graph's contract, section 3.1, with additional
// information.
type Answer struct {
	Query string `json:"query_used"` // the Cypher query; "N/A" if none
	// Translator is the origin of the query, or of the last attempt: "rules", "cypher" if the input is Cypher, or
	// the name of a model.
	Translator string   `json:"translator"`
	Tokens     *Tokens  `json:"translator_tokens,omitempty"` // of a model
	Results    []Object `json:"results"`
	Summary    string   `json:"summary"`
	Error      string   `json:"error,omitempty"`
	// Omitted is the number of rows left out; if AtLeast is set, there may be more.
	Omitted int  `json:"results_omitted,omitempty"`
	AtLeast bool `json:"results_omitted_at_least,omitempty"`
	// Symbols are the names in the question that are ambiguous or unknown.
	Symbols []Name   `json:"symbols,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	// Suggestions are supported questions, if this one is not.
	Suggestions []string `json:"suggestions,omitempty"`
	Columns     []string `json:"-"`
	// fitted is set if rows were left out by Options.Fit, so that another limit gives no more.
	fitted bool
	Index  explore.Freshness `json:"index"`
}

// noQuery is the Query of an answer without one.
const noQuery = "N/A"

// UntranslatedError says that a question is not of a supported kind.
type UntranslatedError struct {
	Nearest []Kind // similar supported questions
	Why     error  // why the model has no query; nil if there is no model
}

func (e *UntranslatedError) text() message.Text {
	if e.Why == nil {
		return message.New("no rule fits this question and no model is configured; questions like these work: %v", kindList(e.Nearest))
	}
	return message.New("no rule fits this question and %v; questions like these work: %v", e.Why, kindList(e.Nearest))
}

func (e *UntranslatedError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *UntranslatedError) In(lang message.Lang) string { return e.text().In(lang) }

func (e *UntranslatedError) Unwrap() error { return e.Why }

// Hint suggests supported questions.
func (e *UntranslatedError) Hint() message.Text {
	return message.New("Cypher works, too: %s", "MATCH (n:Class) RETURN n.name LIMIT 10")
}

// nearest is the number of suggested questions.
const nearest = 3

// Ask answers a question in English or Chinese, or a Cypher query. Errors of the question are in the answer; the
// error is that of the context, or of reading the graph.
func Ask(ctx context.Context, g *explore.Graph, question string, opts Options) (*Answer, error) {
	a := &Answer{Query: noQuery, Translator: byRules, Results: []Object{}, Index: g.Index}
	var err error
	if !IsCypher(question) {
		if question, err = withMarks(ctx, g, question); err != nil {
			return nil, err
		}
	}
	t, err := translate(question, opts)
	if err == nil {
		if a.Query = t.Cypher; t.Rule == "" {
			a.Translator = byCaller
		}
		err = a.run(ctx, codeOf(g), t, opts)
	} else {
		t, err = a.byModel(ctx, g, question, opts, err)
	}
	if err != nil {
		return a, a.fail(ctx, err)
	}
	if opts.Limit > MaxLimit {
		a.Notes = append(a.Notes, message.Sprintf(ctx, "a limit of %d is more than the most, which is %d", opts.Limit, MaxLimit))
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

// translate translates the input by rules, unless it is Cypher. The error is an [*UntranslatedError].
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

// byModel requests a query from the model and runs it. If there is no model, it returns refusal, the error of the
// rules.
func (a *Answer) byModel(ctx context.Context, g *explore.Graph, question string, opts Options, refusal error) (Translation, error) {
	t := Translation{Rule: byModel}
	code := codeOf(g)
	d, err := opts.dialogue(ctx, g, question, refusal)
	if err != nil {
		return t, err
	}
	a.Translator = d.model.Name()
	t.Cypher, err = d.query(ctx, func(query string, last bool) error {
		a.Query = query
		t := Translation{Cypher: query, Rule: byModel}
		err := a.run(ctx, code, t, opts)
		if err == nil && !last && len(a.Results) == 0 && len(a.Notes) > 0 {
			err = a.unfit(ctx, code, t, opts)
		}
		return err
	})
	a.Tokens = &d.used
	return t, err
}

// unfit returns an error for a query with notes and without rows, for the model, in English.
func (a *Answer) unfit(ctx context.Context, code cypher.Graph, t Translation, opts Options) error {
	if message.From(ctx) != message.English {
		english := message.With(ctx, message.Choice{Lang: message.English})
		if err := a.run(english, code, t, opts); err != nil {
			return err
		}
	}
	return &feedbackError{a.Notes}
}

// codeOf returns a graph as a property graph. The files of a shared graph are in no folder.
func codeOf(g *explore.Graph) cypher.Graph {
	root := ""
	if g.Project() != nil {
		root = g.Root()
	}
	return cypher.Code(g.Reader(), root)
}

// run runs the query and sets the rows.
func (a *Answer) run(ctx context.Context, code cypher.Graph, t Translation, opts Options) error {
	bounds := cypher.Options{Timeout: opts.Timeout, CountCut: t.Rule != ""}
	if t.Rule == "" || t.Rule == byModel {
		bounds.MaxRows, bounds.Skip = min(opts.Limit, MaxLimit), opts.Offset
	} else { // queries of rules have their own limit
		bounds.MaxRows = MaxLimit
	}
	r, err := cypher.Run(ctx, code, t.Cypher, bounds)
	if err != nil {
		return err
	}
	a.Columns, a.Omitted, a.AtLeast = r.Columns, r.Cut, r.AtLeast
	if names := len(t.Symbols) + len(t.Paths); t.Rule == "" || t.Rule == byModel || len(r.Rows)+names+len(t.Left) == 0 {
		a.Notes = r.Notes // rules use labels that a project may not have
	}
	if err := a.leftOut(ctx, code, t, bounds); err != nil {
		return err
	}
	a.Results, err = rows(ctx, code, r)
	if err == nil && opts.Fit != nil {
		all := len(a.Results)
		a.Results = opts.Fit(a.Results)
		a.Omitted += all - len(a.Results)
		a.fitted = all > len(a.Results)
	}
	return err
}

// leftOut notes how many rows the query leaves out because it is not sure of them.
func (a *Answer) leftOut(ctx context.Context, g cypher.Graph, t Translation, bounds cypher.Options) error {
	for _, l := range t.Left {
		r, err := cypher.Run(ctx, g, l.Cypher, bounds)
		if err != nil {
			return err
		}
		if n, ok := r.Rows[0][0].(int64); ok && n > 0 {
			a.Notes = append(a.Notes, message.Render(message.From(ctx), l.Why.words(int(n))))
		}
	}
	return nil
}

// fail records a failed query. It returns the error if the query is not its cause.
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

// summarize sets the summary of the answer.
func (a *Answer) summarize(lang message.Lang, t Translation, opts Options) {
	parts := []message.Text{message.New("Successfully retrieved %d item(s) from the graph.", len(a.Results))}
	if a.Omitted > 0 {
		parts = append(parts, a.truncated(t, opts))
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
	if lang == message.Chinese { // Chinese sentences are not separated by spaces
		between = ""
	}
	a.Summary = strings.Join(texts, between)
}

// truncated says how many rows were left out, and how to get them: by a larger limit only where there is one that
// gives more.
func (a *Answer) truncated(t Translation, opts Options) message.Text {
	next := opts.Offset + len(a.Results)
	count := message.New("%s", strconv.Itoa(a.Omitted))
	if a.AtLeast {
		count = message.New("at least %d", a.Omitted)
	}
	if a.fitted || t.Limited || opts.Limit >= MaxLimit {
		return message.New("Results truncated: %s more were left out; ask again with offset %d or narrow the question.", count, next)
	}
	return message.New("Results truncated: %s more were left out; ask again with offset %d, raise the limit (at most %d) or narrow the question.", count, next, MaxLimit)
}

// Explain returns the query for a question, and its plan, one step per line. The error is an [*UntranslatedError],
// a [*syntax.Error] or one of the graph.
func Explain(ctx context.Context, g *explore.Graph, question string, opts Options) (query, plan string, err error) {
	query = noQuery
	code := codeOf(g)
	prepare := func(q string, _ bool) error {
		query = q
		prepared, err := cypher.Prepare(ctx, code, q, cypher.Options{})
		if err == nil {
			plan = prepared.Explain()
		}
		return err // it says where in the query
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
