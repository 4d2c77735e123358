package contracttest

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/mutation"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/proposal"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
)

// text returns the file with some tests.
func (w *writing) text(list []*proposed) string {
	var cases []proposal.Case
	for _, c := range list {
		cases = append(cases, c.Case)
	}
	return proposal.File(w.at, cases)
}

// keep returns the tests of a list that pass, and fail with a mistake in the exit. The exits of the others are left.
func (w *writing) keep(ctx context.Context, l *lab, list []*proposed) ([]*proposed, error) {
	passing, err := w.passing(ctx, l, list)
	if err != nil {
		return nil, err
	}
	var kept []*proposed
	for i, c := range passing {
		progress.Report(ctx, progress.Event{Stage: "mutate", Item: c.place(), Done: i, Total: len(passing)})
		why, err := w.dies(ctx, l, c)
		if err != nil {
			return nil, err
		}
		if why.String() != "" {
			w.leave(c.exit, why)
			continue
		}
		kept = append(kept, c)
	}
	return kept, nil
}

// together drops all tests if they do not pass as they will be written.
func (w *writing) together(ctx context.Context, l *lab) error {
	if len(w.cases) == 0 {
		return nil
	}
	ran, err := w.run(ctx, l, w.cases)
	if err == nil && slices.ContainsFunc(w.cases, func(c *proposed) bool { return ran[c.Number] != runner.Passed }) {
		w.out.Notes = append(w.out.Notes, message.New("%s: the tests that pass one by one do not pass together", w.at.Path).In(w.lang))
		w.cases = nil
	}
	return err
}

// passing returns the tests that pass on the code as it is. If one prevents others, as what cannot be built does, they run
// one by one.
func (w *writing) passing(ctx context.Context, l *lab, list []*proposed) ([]*proposed, error) {
	if len(list) == 0 {
		return nil, nil
	}
	progress.Report(ctx, progress.Event{Stage: "verify", Item: w.at.Path})
	ran, err := w.run(ctx, l, list)
	if err != nil {
		return nil, err
	}
	var out []*proposed
	for _, c := range list {
		status := ran[c.Number]
		if status == "" && len(list) > 1 {
			alone, err := w.run(ctx, l, []*proposed{c})
			if err != nil {
				return nil, err
			}
			status = alone[c.Number]
		}
		switch status {
		case runner.Passed:
			out = append(out, c)
		case "":
			w.leave(c.exit, message.New("the test cannot be built or run"))
		default:
			w.leave(c.exit, message.New("the call does not end with the error"))
		}
	}
	return out, nil
}

// dies says why a test is not kept, after mistakes in its exit; "" if it fails with one.
func (w *writing) dies(ctx context.Context, l *lab, c *proposed) (message.Text, error) {
	if err := l.put(w.at.Path, []byte(w.text([]*proposed{c}))); err != nil {
		return message.Text{}, err
	}
	for _, m := range w.mutants(c) {
		after := m.mutant.Apply(m.text)
		if !mutation.Reads(m.file, m.text, after) {
			continue
		}
		if err := l.put(m.file, after); err != nil {
			return message.Text{}, err
		}
		ran, err := w.run(ctx, l, []*proposed{c})
		if err = errors.Join(err, l.put(m.file, m.text)); err != nil {
			return message.Text{}, err
		}
		switch ran[c.Number] {
		case runner.Failed:
			c.diesW = clip(m.mutant.Before) + " → " + clip(m.mutant.After)
			return message.Text{}, nil
		case runner.Passed:
			return message.New("the test passes without the exit, too: %s", clip(m.mutant.Before)+" → "+clip(m.mutant.After)), nil
		default: // the code with the mistake cannot be built
		}
	}
	return message.New("no mistake can be put into the exit"), nil
}

// mutants returns the mistakes in an exit, those that remove it first.
func (w *writing) mutants(c *proposed) []*candidate {
	var out []*candidate
	order := []mutation.Kind{mutation.Never, mutation.Removed, mutation.Result, mutation.Always, mutation.Negated}
	for _, kind := range order {
		for _, m := range w.list {
			if m.mutant.Kind == kind && m.file == c.at.File && m.mutant.On(c.at.Line) && slices.Contains(m.claims, c.claim) {
				out = append(out, m)
			}
		}
	}
	const most = 4
	return out[:min(len(out), most)]
}

// run runs some of the tests, and returns what became of each, by its number.
func (w *writing) run(ctx context.Context, l *lab, list []*proposed) (map[int]runner.Status, error) {
	text := []byte(w.text(list))
	if err := l.put(w.at.Path, text); err != nil {
		return nil, err
	}
	f, err := lang.Parse(ctx, w.at.Path, text, lang.Bodies)
	if err != nil || len(f.Tests) == 0 {
		return nil, cmp.Or(err, message.Errorf("%s has no test", w.at.Path))
	}
	read := func(name string) ([]byte, error) {
		if name == w.at.Path {
			return text, nil
		}
		return w.p.ReadFile(name)
	}
	tool, err := runner.Find(read, f, f.Tests[0].Runner)
	if err != nil {
		return nil, err
	}
	s := runner.Selection{Tool: tool}
	for _, t := range f.Tests {
		s.Filters = append(s.Filters, tool.Filter(t))
	}
	s.All = s.Filters
	return l.numbered(ctx, tool, runner.Script([]runner.Selection{s}, tool.Name == "go test"))
}
