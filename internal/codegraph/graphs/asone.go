package graphs

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/question"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Limits of a query over all projects.
const (
	mostAsOne  = 300              // projects
	mostNamed  = 24               // of them in a note
	openingFor = 20 * time.Second // the query has its own time
)

// asOne is the graphs that a query asks as one.
type asOne struct {
	opened []question.NamedGraph
	asked  []store.Ranked
	places []store.Ranked // the same in the order of opened
	others int            // projects that are not asked
	failed []string       // names of those that cannot be
	notes  []string
}

// askAsOne runs a Cypher query on all projects of the shared store as one graph: patterns, aggregates and order are over all of them.
func (g *Graphs) askAsOne(ctx context.Context, q Question) (*Answer, error) {
	all, err := g.openAsOne(ctx, q.Text)
	if all != nil {
		defer all.close()
	}
	if err != nil {
		return nil, err
	}
	shortened := 0
	opts := question.Options{Limit: q.Limit, Offset: q.Offset}
	if q.Size != nil {
		opts.Fit = func(rows []question.Object) []question.Object {
			rows, shortened = question.Fit(rows, q.Bytes, q.Size)
			return rows
		}
	}
	between, failed := g.between(ctx, all.places)
	answer, err := question.AskMany(ctx, all.opened, between, q.Text, opts)
	if err != nil {
		return nil, err
	}
	if failed != nil {
		answer.Notes = append(answer.Notes, message.Sprintf(ctx, "what projects use of each other is not known now: %v", failed))
	}
	answer.Notes = append(answer.Notes, message.Sprintf(ctx, "asked as one graph: %s", names(ctx, all.asked)))
	if all.others > 0 {
		answer.Notes = append(answer.Notes, message.Sprintf(ctx, "the answer is without %s: a query is over at most %d, which may take %s to open",
			message.Count(all.others, "%d project", "%d projects"), mostAsOne, openingFor))
	}
	if len(all.failed) > 0 {
		answer.Notes = append(answer.Notes, message.Sprintf(ctx, "the answer is without %s, whose graphs cannot be read now", strings.Join(all.failed, ", ")))
	}
	answer.Notes = append(answer.Notes, all.notes...)
	if shortened > 0 {
		answer.Notes = append(answer.Notes, tooLong(ctx, shortened))
	}
	return &Answer{Answer: answer}, nil
}

// openAsOne opens the graphs of the projects that a query asks: first those whose names have its words.
func (g *Graphs) openAsOne(ctx context.Context, text string) (*asOne, error) {
	projects, others, err := g.ranked(ctx, text, mostAsOne, true)
	if err != nil {
		return nil, err
	}
	all := &asOne{others: others}
	start := time.Now()
	for i, p := range projects {
		if time.Since(start) > openingFor {
			all.others += len(projects) - i
			break
		}
		graph, failed := g.openShared(ctx, p.Origin.Key)
		switch {
		case ctx.Err() != nil:
			return all, ctx.Err()
		case failed != nil:
			all.failed, err = append(all.failed, p.Name), failed
			continue
		}
		all.opened, all.asked = append(all.opened, question.NamedGraph{Name: p.Name, Graph: graph.Graph}), append(all.asked, p)
		if graph.Index.Stale {
			all.notes = append(all.notes, graph.Provenance(ctx)...)
		}
	}
	if len(all.opened) == 0 {
		return all, cmp.Or(err, errNowhere)
	}
	all.sort()
	return all, nil
}

// sort brings the graphs into the order of their names, so that rows without an order have one.
func (a *asOne) sort() {
	slices.SortFunc(a.opened, func(a, b question.NamedGraph) int { return strings.Compare(a.Name, b.Name) })
	at := map[string]int{}
	for i, one := range a.opened {
		at[one.Name] = i
	}
	a.places = make([]store.Ranked, len(a.opened))
	for _, p := range a.asked {
		a.places[at[p.Name]] = p
	}
}

func (a *asOne) close() {
	for _, one := range a.opened {
		_ = one.Graph.Close() // it was only read
	}
}

// names returns the names of projects, or of the first ones.
func names(ctx context.Context, projects []store.Ranked) string {
	out := make([]string, len(projects))
	for i, p := range projects {
		out[i] = p.Name
	}
	if n := len(out) - mostNamed; n > 0 {
		return message.Sprintf(ctx, "%s and %d more", strings.Join(out[:mostNamed], ", "), n)
	}
	return strings.Join(out, ", ")
}
