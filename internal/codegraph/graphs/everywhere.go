package graphs

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/question"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Everywhere is the name for all projects of the shared store.
const Everywhere = "*"

// Limits of a question to all projects: those whose names have most of its words are asked.
const (
	mostSearched = 8
	mostAsked    = 24
	maxPage      = 500 // rows
)

// errNowhere says that no project fits a question.
var errNowhere = message.Errorf("no project of the shared store has these words in its names")

// ranked returns the projects whose names have most of the words of a question, and how many others there are. With fill, or if none has
// any of the words, other projects follow, as far as there is room.
func (g *Graphs) ranked(ctx context.Context, text string, limit int, fill bool) (asked []store.Ranked, others int, err error) {
	s, err := g.organisation()
	if err != nil {
		return nil, 0, err
	}
	var list []string
	shared.Words(text, func(word string) { list = append(list, word) })
	if asked, err = s.Rank(ctx, list, nil, limit); err != nil {
		return nil, 0, err
	}
	all, err := s.Origins(ctx)
	known := map[string]bool{}
	for _, p := range asked {
		known[p.Origin.Key] = true
	}
	fill = fill || len(asked) == 0
	for _, p := range all {
		if fill && !known[p.Origin.Key] && len(asked) < limit {
			asked = append(asked, store.Ranked{SharedProject: p})
		}
	}
	return asked, len(all) - len(asked), err
}

// each asks projects one after the other. That one cannot answer is no error unless none can.
func (g *Graphs) each(ctx context.Context, projects []store.Ranked, ask func(p *store.Ranked, graph *Graph) error) (failed []string, err error) {
	for i := range projects {
		p := &projects[i]
		graph, err2 := g.openShared(ctx, p.Origin.Key)
		if err2 == nil {
			err2 = errors.Join(ask(p, graph), graph.Close())
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err2 != nil {
			failed, err = append(failed, p.Name), err2
		}
	}
	if len(failed) == len(projects) {
		return nil, cmp.Or(err, errNowhere)
	}
	return failed, nil
}

// SearchEverywhere finds the code that a question is about in all projects of the shared store: in those whose names have most of its
// words. A candidate's relevance is that in its project, less the more words the project lacks; its file begins with the project,
// "shop://cart.go".
func (g *Graphs) SearchEverywhere(ctx context.Context, text string, o rag.Options) (*rag.Answer, error) {
	start := time.Now()
	if o.Offset > 0 {
		return nil, message.Errorf("an answer from all projects is one page: ask one project for more")
	}
	projects, _, err := g.ranked(ctx, text, mostSearched, false)
	if err != nil {
		return nil, err
	}
	var out *rag.Answer
	var all []rag.Candidate
	failed, err := g.each(ctx, projects, func(p *store.Ranked, graph *Graph) error {
		answer, err := graph.Search(ctx, text, o)
		if err != nil {
			return err
		}
		if out == nil {
			out = answer
		}
		for _, c := range answer.Candidates {
			if !strings.Contains(c.File, "://") {
				c.File = p.Name + "://" + c.File
			}
			c.Relevance *= (1 + p.Cover) / 2
			all = append(all, c)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b rag.Candidate) int { return cmp.Compare(b.Relevance, a.Relevance) })
	m := &out.Metadata
	out.Candidates = within(all, o.Budget-o.Reserved-frameTokens, o.MinRelevance)
	m.LeftOut += len(all) - len(out.Candidates)
	m.Truncated = m.Truncated || len(all) > len(out.Candidates)
	m.Count(out.Candidates)
	m.QueryTime = time.Since(start).Milliseconds()
	m.Warning = message.Sprintf(ctx, "asked: %s", names(ctx, projects))
	if len(failed) > 0 {
		m.Warn(message.Sprintf(ctx, "of these, %s could not answer", strings.Join(failed, ", ")))
	}
	return out, nil
}

// frameTokens are about those of an answer without candidates.
const frameTokens = 400

// within returns the first candidates that fit into a number of tokens, of at least a relevance.
func within(all []rag.Candidate, tokens int, least float64) []rag.Candidate {
	out := []rag.Candidate{}
	for _, c := range all {
		if tokens -= c.Tokens; tokens < 0 || c.Relevance < least {
			break
		}
		out = append(out, c)
	}
	return out
}

// askEverywhere answers a question from all projects of the shared store. Each row is of one project, whose name is its first
// field.
func (g *Graphs) askEverywhere(ctx context.Context, q Question) (*Answer, error) {
	if question.IsCypher(q.Text) {
		return g.askAsOne(ctx, q)
	}
	projects, others, err := g.ranked(ctx, q.Text, mostAsked, true)
	if err != nil {
		return nil, err
	}
	limit := q.Limit
	if limit <= 0 {
		limit = maxPage
	}
	var out *question.Answer
	var rows []question.Object
	failed, err := g.each(ctx, projects, func(p *store.Ranked, graph *Graph) error {
		answer, err := question.Ask(ctx, graph.Graph, q.Text, question.Options{Limit: min(limit+q.Offset, question.MaxLimit)})
		if err != nil {
			return err
		}
		if out == nil || out.Error != "" && answer.Error == "" {
			out = answer
		}
		for _, row := range answer.Results {
			rows = append(rows, append(question.Object{{Name: "project", Value: p.Name}}, row...))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	total := len(rows)
	rows = rows[min(q.Offset, total):min(q.Offset+limit, total)]
	var shortened int
	if q.Size != nil {
		rows, shortened = question.Fit(rows, q.Bytes, q.Size)
	}
	out.Results, out.Omitted = rows, total-min(q.Offset, total)-len(rows)
	if out.Results == nil {
		out.Results = []question.Object{}
	}
	answer := &Answer{Answer: out}
	out.Notes = []string{message.Sprintf(ctx, "asked: %s; each row is of one project, and %s were not asked, whose names have fewer of the words",
		names(ctx, projects), message.Count(others, "%d project", "%d projects"))}
	if len(failed) > 0 {
		out.Notes = append(out.Notes, message.Sprintf(ctx, "of these, %s could not answer", strings.Join(failed, ", ")))
	}
	if shortened > 0 {
		out.Notes = append(out.Notes, tooLong(ctx, shortened))
	}
	out.Symbols, out.Summary = nil, message.Count(len(rows), "%d row", "%d rows").In(message.From(ctx))
	return answer, nil
}
