package adopt

import (
	"context"
	"math"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/adopt/choose"
	"github.com/reverse-spec/reverse-spec/internal/adopt/link"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

// How sure links are about which a model was asked.
const (
	chosenConfidence = 0.9
	passedShare      = 0.6 // of the confidence of what it did not choose
	// mostFailures is the number of questions without an answer after which no more are asked.
	mostFailures = 3
)

// choose asks for each requirement without an accepted link which of the candidates belong to it.
func (r *run) choose(ctx context.Context) error {
	if r.opts.Choose == nil {
		return nil
	}
	failures := 0
	for i := range r.out.Specs {
		s := &r.out.Specs[i]
		for j := range s.Requirements {
			q := &s.Requirements[j]
			asked := failures < mostFailures && isOpen(q.Links)
			if asked {
				progress.Report(ctx, progress.Event{Stage: "model", Item: q.ID})
				if err := r.ask(ctx, s, q); ctx.Err() != nil {
					return ctx.Err()
				} else if err != nil {
					failures++
					asked = false
					r.warn(message.New("%s: no model chose, the links are those that were found: %v", q.ID, err))
				}
			}
			q.Links = fewer(q.Links, asked)
		}
	}
	return nil
}

// fewer leaves out what is proposed only to choose from.
func fewer(list []Link, chosen bool) []Link {
	sortLinks(list)
	count := map[bool]int{}
	return slices.DeleteFunc(list, func(l Link) bool {
		if l.State != Proposed {
			return false
		}
		count[l.Test]++
		return l.Confidence < link.Least || !chosen && count[l.Test] > link.Most(l.Test)
	})
}

// isOpen reports whether a requirement has candidates, and none was accepted.
func isOpen(list []Link) bool {
	return slices.ContainsFunc(list, func(l Link) bool { return l.State == Proposed }) &&
		!slices.ContainsFunc(list, func(l Link) bool { return l.State == Accepted })
}

// ask asks for one requirement.
func (r *run) ask(ctx context.Context, s *Spec, q *Requirement) error {
	var list []choose.Candidate
	var at []int
	for i := range q.Links {
		if l := &q.Links[i]; l.State == Proposed {
			list = append(list, choose.Candidate{Place: l.Place, Symbol: l.Symbol, Test: l.Test, Text: r.excerpts[l.ID]})
			at = append(at, i)
		}
	}
	chosen, err := r.opts.Choose(ctx, string(source.Redacted(s.Path, []byte(q.Words()))), list)
	if err != nil {
		return err
	}
	for n, i := range at {
		l := &q.Links[i]
		if slices.Contains(chosen, n) {
			l.Confidence = math.Max(l.Confidence, chosenConfidence)
			l.link.Reasons = append([]lock.Reason{{Kind: string(link.Chosen)}}, l.link.Reasons...)
			r.explain(l)
		} else {
			l.Confidence = rounded(l.Confidence * passedShare)
		}
		l.link.Confidence = l.Confidence
	}
	return nil
}
