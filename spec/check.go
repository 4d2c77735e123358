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

// Check runs contract tests in a project and returns their results in order. Sources are the files of which it measures which
// lines run, as far as the tools of the tests can; nil to measure nothing. The error is for failures to run the tests at all,
// such as the end of ctx.
type Check func(ctx context.Context, p *project.Project, tests []ContractTest, sources []string) ([]Checked, error)

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
	Ran       Ran // nil if nothing was measured
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

// tried is what came of the drafts that were run, by what they are known by; nil if nothing is run.
type tried map[string]Checked

// try runs the drafts of a spec that is filled in, unless check is nil, and keeps which lines ran.
func (m *material) try(ctx context.Context, drafts []draft, check Check) (tried, error) {
	if check == nil {
		return nil, nil
	}
	out := tried{}
	drafts = slices.DeleteFunc(slices.Clone(drafts), func(d draft) bool { return d.Type == schemaType })
	if len(drafts) == 0 {
		return out, nil
	}
	results, err := m.run(ctx, check, drafts)
	if err != nil {
		return nil, err
	}
	c := Coverage{}
	for i, r := range results {
		out[drafts[i].known] = r
		if r.Ran == nil {
			c.Partial = true
			continue
		}
		c.Ran = append(c.Ran, r.Ran)
	}
	if len(c.Ran) > 0 {
		m.coverage = &c
	}
	return out, nil
}

// checked returns the drafts to be written: the ones that pass or could not be run. If a draft of several tests fails, the
// tests that pass alone are kept. If nothing is run all drafts are returned, marked as not run.
func (m *material) checked(drafts []draft, results tried) []draft {
	var out []draft
	for _, d := range drafts {
		r, ran := results[d.known]
		switch {
		case d.Type == schemaType && results != nil: // it compares the spec that is about to be written with the code that it was read from
			d.Checked = wording.In(m.lang, "read from the code", "读自代码")
			out = append(out, d)
			continue
		case !ran:
			d.Checked = wording.In(m.lang, "not run", "未运行")
			out = append(out, d)
			continue
		}
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
		if d.Checked = m.saying(r); !r.Passed {
			m.notRun = append(m.notRun, d.Checked)
		}
		out = append(out, d)
	}
	return out
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
	results, err := check(message.With(ctx, message.Choice{Lang: message.Lang(m.lang)}), m.project, tests, m.sourcePaths()) // the spec's language, because reasons are written into it
	if err == nil && len(results) != len(tests) {
		err = message.Errorf("%d results for %d contract tests", len(results), len(tests))
	}
	return results, err
}

// sourcePaths returns the paths of the files of the module, without its tests.
func (m *material) sourcePaths() []string {
	var out []string
	for _, f := range m.sources() {
		out = append(out, f.Path)
	}
	return out
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
