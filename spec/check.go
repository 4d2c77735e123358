package spec

import (
	"context"
	"fmt"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Check runs contract tests in a project and returns their results in order. The error is for
// failures to run them at all, such as the end of ctx.
type Check func(ctx context.Context, p *project.Project, tests []ContractTest) ([]Checked, error)

// Checked is the result of a contract test: passed, not run because a program is missing, or
// failed.
type Checked struct {
	Passed  bool
	Blocked bool   // it could not be run, for a reason outside the code
	Absent  string // the missing program; "" if none
	Others  bool   // nothing failed but tests that the same command runs
	Reason  string // of the failure, or of what blocked it; "" if a program is missing
	// NotPassed are the tests of the code that did not pass, if that is known.
	NotPassed []NotPassed
}

// NotPassed is a test of the code that did not pass: it failed, skipped itself, or was not found.
type NotPassed struct{ File, Name, Reason string }

// draft is a contract test without an id.
type draft struct {
	ContractTest
	known string // key under which the old spec's id is found; see [material.idLang]
	of    *behavior
}

// unproven is a test that no contract test runs, with the reason.
type unproven struct {
	name  string // "" for all tests of a file
	place string // file:line, or the file
	why   string
}

// checked runs the drafts and returns those to be written: the ones that pass or could not be
// run. If a draft of several tests fails, the tests that pass alone are kept. If check is nil
// all drafts are returned, marked as not run.
func (m *material) checked(ctx context.Context, drafts []draft, check Check) ([]draft, error) {
	var out []draft
	if check == nil {
		for _, d := range drafts {
			d.Checked = wording.In(m.lang, "not run", "未运行")
			out = append(out, d)
		}
		return out, nil
	}
	var toRun []draft
	for _, d := range drafts {
		if d.Type == schemaType { // it compares the spec that is about to be written with the code that it was read from
			d.Checked = wording.In(m.lang, "read from the code", "读自代码")
			out = append(out, d)
			continue
		}
		toRun = append(toRun, d)
	}
	if len(toRun) == 0 {
		return out, nil
	}
	results, err := m.run(ctx, check, toRun)
	if err != nil {
		return nil, err
	}
	for i, d := range toRun {
		r := results[i]
		if r.Others && d.of != nil {
			d.of.named = true
			d, r = m.behaviorDraft(d.of), Checked{Passed: true, NotPassed: r.NotPassed}
		}
		if rest, ok := m.without(d, r); ok {
			d, r = rest, Checked{Passed: true}
		}
		if !r.passes() {
			m.failed(d, r)
			continue
		}
		d.Checked = m.saying(r)
		out = append(out, d)
	}
	return out, nil
}

// without returns a draft without the tests that did not pass, which are recorded; false if no others are known to pass.
func (m *material) without(d draft, r Checked) (draft, bool) {
	if d.of == nil || len(r.NotPassed) == 0 || len(r.NotPassed) >= len(d.of.runs) {
		return draft{}, false
	}
	rest := *d.of
	rest.runs = nil
	for _, c := range d.of.runs {
		i := slices.IndexFunc(r.NotPassed, func(n NotPassed) bool { return n.File == c.file && n.Name == c.name })
		if i < 0 {
			rest.runs = append(rest.runs, c)
			continue
		}
		why := wording.In(m.lang, "does not pass", "未通过")
		if r.NotPassed[i].Reason != "" {
			why += wording.In(m.lang, ": ", "：") + r.NotPassed[i].Reason
		}
		m.unproven = append(m.unproven, unproven{c.name, c.place, why})
	}
	return m.behaviorDraft(&rest), true
}

// passes reports whether the test may be written.
func (c Checked) passes() bool { return c.Passed || c.Blocked || c.Absent != "" }

// saying returns the text of ContractTest.Checked for a test that may be written.
func (m *material) saying(c Checked) string {
	if c.Passed {
		return wording.In(m.lang, "passed", "通过")
	}
	if c.Absent != "" {
		return fmt.Sprintf(wording.In(m.lang, "not run: %s is not installed", "未运行：未安装 %s"), c.Absent)
	}
	return wording.In(m.lang, "not run: ", "未运行：") + markdown.Quoted(c.Reason)
}

func (m *material) run(ctx context.Context, check Check, drafts []draft) ([]Checked, error) {
	var tests []ContractTest
	for _, d := range drafts {
		tests = append(tests, d.ContractTest)
	}
	results, err := check(message.With(ctx, message.Choice{Lang: message.Lang(m.lang)}), m.project, tests) // the spec's language, because reasons are written into it
	if err == nil && len(results) != len(tests) {
		err = message.Errorf("%d results for %d contract tests", len(results), len(tests))
	}
	return results, err
}

// failed records why a draft is not written.
func (m *material) failed(d draft, c Checked) {
	why := wording.In(m.lang, "fails: ", "未通过：") + c.Reason
	if d.of == nil {
		m.unproven = append(m.unproven, unproven{d.Title, m.target, why})
		return
	}
	for _, t := range d.of.runs {
		m.unproven = append(m.unproven, unproven{t.name, t.place, why})
	}
}

// unprovenRows lists the tests that no contract test runs, or returns "".
func (m *material) unprovenRows() string {
	var rows []string
	for _, u := range m.unproven {
		row := fmt.Sprintf("- `%s`: %s", u.place, u.why)
		if u.name != "" {
			row = fmt.Sprintf("- %s (`%s`): %s", markdown.Code(u.name), u.place, u.why)
		}
		if !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return "\n\n" + wording.In(m.lang, "Left out of the contract tests:\n\n", "未写成契约测试：\n\n") + m.rows(rows)
}
