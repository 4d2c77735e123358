package graphs

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/question"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Question is a question in plain words or in Cypher, and how much of its answer is wanted.
type Question struct {
	Text    string
	Project string // the name of another project with a graph, to be asked instead; "" for none
	Limit   int    // see [question.Options]
	Offset  int
	Bytes   int // that the rows may take; a first row that is longer is shortened
	// Size measures a value as the caller encodes it, in bytes.
	Size func(v any) int
}

// Answer is the answer to a question.
type Answer struct {
	*question.Answer
	Next any `json:"next,omitempty"` // set by the caller: how the rows that were left out are had; nil for none left
}

// Ask answers a question, with the model of p where no rule knows a query.
func (g *Graphs) Ask(ctx context.Context, p *project.Project, q Question) (answer *Answer, err error) {
	if q.Project == Everywhere {
		return g.askEverywhere(ctx, q)
	}
	var notes []string
	model := func(ctx context.Context) (m llm.Model, err error) {
		m, notes, err = g.Model(ctx, p)
		return m, err
	}
	shortened := 0
	opts := question.Options{Limit: q.Limit, Offset: q.Offset, Model: model, Fit: func(rows []question.Object) []question.Object {
		rows, shortened = question.Fit(rows, q.Bytes, q.Size)
		return rows
	}}
	ask := func(graph *Graph) error {
		a, err := question.Ask(ctx, graph.Graph, q.Text, opts)
		answer = &Answer{Answer: a}
		notes = append(notes, graph.Provenance(ctx)...)
		return err
	}
	if err = g.In(ctx, p, q.Project, OpenOptions{}, ask); err != nil {
		return nil, err
	}
	answer.Notes = append(answer.Notes, notes...)
	if shortened > 0 {
		answer.Notes = append(answer.Notes, tooLong(ctx, shortened))
	}
	return answer, nil
}

// tooLong says that a row was shortened.
func tooLong(ctx context.Context, shortened int) string {
	return message.Sprintf(ctx, "the row is too long for one answer, and %d elements or bytes of it were left out: "+
		"UNWIND what it collects, to get it as rows", shortened)
}

// Snippet is the source of a symbol.
type Snippet struct {
	*explore.Snippet
	Next any `json:"next,omitempty"` // set by the caller: how the lines that were left out are had; nil for none left
}

// Snippet finds the source of a symbol in the project with a name, or in p for "", see [explore.Graph.Snippet].
func (g *Graphs) Snippet(ctx context.Context, p *project.Project, name, symbol string) (snippet *Snippet, err error) {
	err = g.In(ctx, p, name, OpenOptions{}, func(graph *Graph) error {
		s, err := graph.Snippet(ctx, symbol)
		snippet = &Snippet{Snippet: s}
		return err
	})
	if err != nil {
		return nil, err
	}
	return snippet, nil
}
