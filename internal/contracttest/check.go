package contracttest

import (
	"context"
	"errors"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Checker returns what runs contract tests before they are written into a spec, in
// the way of [Verify]; of the options Jobs, Timeout and Program count. Its errors are
// no bash, and the context's. Reasons are in the language of the context. Progress is reported as the stage "check".
func Checker(opts Options) spec.Check {
	return func(ctx context.Context, p *project.Project, drafts []spec.ContractTest) ([]spec.Checked, error) {
		if len(drafts) == 0 {
			return nil, nil
		}
		b, err := newBench(p.Root(), opts)
		if err != nil {
			return nil, err
		}
		var tests []*Test
		for _, d := range drafts {
			tests = append(tests, &Test{Title: d.Title, Needs: d.Needs, Script: d.Script})
		}
		b.runAll(ctx, "check", tests, opts.Jobs)
		if err := errors.Join(ctx.Err(), b.close()); err != nil {
			return nil, err
		}
		var out []spec.Checked
		for _, t := range tests {
			out = append(out, t.checked())
		}
		return out, nil
	}
}

// checked returns what came of a test as package spec puts it.
func (t *Test) checked() spec.Checked {
	if t.Outcome == Skipped {
		return spec.Checked{Absent: t.Absent}
	}
	return spec.Checked{Passed: t.Outcome == Passed, Reason: t.Reason}
}
