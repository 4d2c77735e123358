package contracttest

import (
	"context"
	"fmt"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/testwriter"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec"
)

// mostAsked limits the exits of a file that a model is asked about.
const mostAsked = 20

// ask has a model write the tests of exits for which no simple values were found or which these did not reach. A model that
// fails is noted.
func (w *writing) ask(ctx context.Context, writer spec.Writer) ([]*proposed, error) {
	todo := slices.Clone(w.left[:min(len(w.left), mostAsked)])
	if writer == nil || len(todo) == 0 {
		return nil, nil
	}
	q := testwriter.Question{Module: w.now.Module, Language: w.at.Source.Language, Name: w.at.Module, Tool: w.at.Tool, Path: w.at.Path}
	if q.Language == "go" {
		q.Name = w.at.Source.Package
	}
	for _, e := range todo {
		q.Exits = append(q.Exits, fmt.Sprintf("%s, when `%s`: %s", e.place(), e.when, spec.Say(&e.claim.Claim, "en")))
	}
	answers, tokens, err := testwriter.Ask(ctx, writer, q)
	w.out.Tokens += tokens
	if err != nil {
		w.out.Notes = append(w.out.Notes, message.New("%s wrote no tests: %v", writer.Name(), err).In(w.lang))
		return nil, ctx.Err()
	}
	var out []*proposed
	for _, a := range answers {
		made := w.caseOf(todo[a.Number-1])
		made.Callee, made.Body, made.Imports = made.claim.Subject, a.Statements, a.Imports
		made.Number = len(w.cases) + len(out) + 1
		out = append(out, made)
		w.left = slices.DeleteFunc(w.left, func(e *exit) bool { return e == made.exit }) // it is left again, or kept
	}
	return out, nil
}
