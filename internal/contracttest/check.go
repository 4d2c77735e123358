package contracttest

import (
	"context"
	"errors"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Checker returns a function that runs contract tests like [Verify] before they are written
// into a spec; only Jobs, Timeout and Program of the options apply. Errors: bash is missing,
// and ctx's. Reasons are in the language of ctx. Progress is reported as stage "check".
func Checker(opts Options) spec.Check {
	return func(ctx context.Context, p *project.Project, drafts []spec.ContractTest, sources []string) ([]spec.Checked, error) {
		if len(drafts) == 0 {
			return nil, nil
		}
		b, err := newSandbox(p.Root(), opts)
		if err != nil {
			return nil, err
		}
		var tests []*Test
		for _, d := range drafts {
			t := &Test{Title: d.Title, Type: d.Type, Needs: d.Needs, Script: d.Script, runs: d.Runs}
			if len(sources) > 0 {
				b.cover(t, sources)
			}
			tests = append(tests, t)
		}
		b.runAll(ctx, "check", tests, opts.Jobs)
		var out []spec.Checked
		for _, t := range tests {
			c := t.checked()
			c.Ran = b.ran(ctx, t)
			out = append(out, c)
		}
		return out, errors.Join(ctx.Err(), b.close())
	}
}

// checked returns the result of a test in the form of package spec.
func (t *Test) checked() spec.Checked {
	out := spec.Checked{Passed: t.Outcome == Passed, Absent: t.Absent, Reason: t.Reason, Blocked: t.Outcome == Blocked || t.Outcome == TimedOut, Others: t.others}
	if out.Passed || t.Absent != "" {
		out.Reason = ""
	}
	for _, r := range t.Ran {
		if r.Outcome != Passed && t.Outcome != Blocked {
			out.NotPassed = append(out.NotPassed, spec.NotPassed{File: r.File, Name: r.Name, Reason: r.Reason})
		}
	}
	return out
}
