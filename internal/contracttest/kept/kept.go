// Package kept makes contract tests of the tests that specs of people are linked to.
package kept

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/drift/adopted"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/handwritten"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

// Spec returns an adopted spec with a contract test for each tool, which runs the tests that its requirements are linked to; nil for
// a spec that is not adopted. Tests that are gone are in the runs all the same: they fail. The error is that of the lock.
func Spec(ctx context.Context, p *project.Project, file string) (*spec.Spec, error) {
	s, err := adopted.Open(p, file)
	if adopted.IsAbsent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := &spec.Spec{}
	for _, q := range s.Lock.Requirements {
		out.Requirements = append(out.Requirements, spec.Requirement{ID: q.ID, Title: q.Title})
	}
	var list []selected
	for _, name := range filesOf(s) {
		if one, ok := selectFile(ctx, p, s, name); ok {
			list = append(list, one)
		}
	}
	for len(list) > 0 {
		var same, rest []selected
		for _, f := range list {
			if f.Tool.Joins(list[0].Tool) {
				same = append(same, f)
			} else {
				rest = append(rest, f)
			}
		}
		out.ContractTests = append(out.ContractTests, contractTest(s, len(out.ContractTests)+1, same, message.From(ctx)))
		list = rest
	}
	return out, nil
}

// Paths returns the pages of a project and the specs that people wrote and adopted.
func Paths(ctx context.Context, p *project.Project) ([]string, error) {
	pages, err := spec.Paths(ctx, p)
	if err != nil {
		return nil, err
	}
	own, err := adopted.Paths(ctx, p)
	return append(pages, own...), err
}

// Touched reports whether files that changed are the spec, its lock, or code or tests that it is linked to; known is false for a
// spec that is not adopted.
func Touched(p *project.Project, file string, changed []string) (touched, known bool) {
	s, err := adopted.Open(p, file)
	if adopted.IsAbsent(err) {
		return false, false
	}
	if err != nil {
		return true, true
	}
	return slices.ContainsFunc(changed, func(name string) bool {
		return name == file || name == adopted.LockPath(file) || slices.ContainsFunc(s.Lock.Links, func(l lock.Link) bool { return !l.Rejected && l.File == name })
	}), true
}

// filesOf returns the files of linked tests, sorted.
func filesOf(s *adopted.Spec) []string {
	var out []string
	for _, l := range s.Accepted(true) {
		out = append(out, l.File)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// selected are the linked tests of a file.
type selected struct {
	runner.Selection
	record spec.RecordedTests
}

// selectFile returns how the linked tests of a file are run; ok is false if no tool runs them.
func selectFile(ctx context.Context, p *project.Project, s *adopted.Spec, name string) (out selected, ok bool) {
	var f *code.File
	if tree, err := source.Read(ctx, p, name, source.Options{Scope: source.File}); err == nil && len(tree.Files) > 0 {
		f = tree.Files[0]
	}
	if f == nil || len(f.Tests) == 0 {
		return out, false
	}
	tool, err := runner.Find(p.ReadFile, f, f.Tests[0].Runner)
	if err != nil {
		return out, false
	}
	out.Tool = tool
	out.record = spec.RecordedTests{File: name, Tool: tool.Name, Reports: tool.Reports}
	if tool.Home != "." {
		out.record.Home = tool.Home
	}
	for _, t := range f.Tests {
		out.All = withNew(out.All, tool.Filter(t))
	}
	for _, l := range s.Accepted(true) {
		if l.File != name {
			continue
		}
		i := slices.IndexFunc(out.record.Tests, func(t lock.Test) bool { return t.Name == l.Symbol })
		if i < 0 {
			i = len(out.record.Tests)
			out.record.Tests = append(out.record.Tests, lock.Test{Name: l.Symbol})
		}
		out.record.Tests[i].Covers = withNew(out.record.Tests[i].Covers, l.Requirement)
		if at := slices.IndexFunc(f.Tests, func(t code.Test) bool { return t.Name == l.Symbol }); at >= 0 {
			out.Filters = withNew(out.Filters, tool.Filter(f.Tests[at]))
		}
	}
	return out, len(out.Filters) > 0
}

func withNew(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// contractTest returns the test that runs the tests of some files with one tool.
func contractTest(s *adopted.Spec, number int, list []selected, lang message.Lang) spec.ContractTest {
	id := fmt.Sprintf("CT-%s-%03d", strings.ToUpper(handwritten.NameOf(s.Path)), number)
	t := spec.ContractTest{ID: id, Title: message.New("linked tests (%s)", list[0].Tool.Name).In(lang), Type: "behavior", Needs: list[0].Tool.Needs}
	var selections []runner.Selection
	for _, f := range list {
		selections = append(selections, f.Selection)
		t.Runs = append(t.Runs, f.record)
		for _, one := range f.record.Tests {
			for _, id := range one.Covers {
				t.Covers = withNew(t.Covers, id)
			}
		}
	}
	slices.Sort(t.Covers)
	t.Script = runner.Script(selections, false)
	return t
}
