package contracttest

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Shown says how tests show a claim.
type Shown string

// How tests show a claim.
const (
	Tested   Shown = "tested"   // a test asserts on it, and its line ran
	Reached  Shown = "reached"  // its line ran, and no test asserts on it
	Untested Shown = "untested" // no test runs its line
	Unknown  Shown = "unknown"  // no tool measured its line
)

// Claim is an error exit of the code, and how the tests of the spec show it.
type Claim struct {
	Requirement string   `json:"requirement,omitempty"` // that states it
	Symbol      string   `json:"symbol"`
	Place       string   `json:"place"` // file:line
	Shown       Shown    `json:"shown"`
	Tests       []string `json:"tests,omitempty"` // places of the tests that assert on it
}

// cover prepares a test so that its tool measures coverage into a folder of its own. It does nothing for a tool that
// cannot.
func (b *sandbox) cover(t *Test, sources []string) {
	if len(t.runs) == 0 {
		return
	}
	folder := b.nextName() + ".coverage"
	if os.MkdirAll(folder, 0o700) != nil {
		return
	}
	if script, after, ok := runner.Cover(t.runs[0].Tool, t.runs[0].Home, t.Script, filepath.ToSlash(folder), sources); ok {
		t.measured, t.after, t.coverage = script, after, folder
	}
}

// claims fills in how tests show the claims of a spec, by what their tools measured.
func (b *sandbox) claims(ctx context.Context, s *suite) error {
	var measured []*runner.Coverage
	for i := range s.Tests {
		t := &s.Tests[i]
		if t.coverage == "" || t.Outcome == Blocked || t.Outcome == TimedOut {
			continue
		}
		if t.after != "" {
			if _, err := b.script(ctx, b.nextName(), t.after); err != nil && ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if c := runner.ReadCoverage(t.runs[0].Tool, t.measuredFile); c != nil {
			measured = append(measured, c)
		}
	}
	for _, c := range s.exits {
		s.Claims = append(s.Claims, Claim{c.Requirement, c.Subject, c.Place(), shownBy(&c, measured), c.Tests})
	}
	if len(measured) == 0 && len(s.exits) > 0 {
		s.Note = message.Sprintf(ctx, "no tool measured coverage")
	}
	return nil
}

// measuredFile reads a file that the tool of a test measured coverage into.
func (t *Test) measuredFile(name string) ([]byte, error) {
	return openfile.Read(filepath.Join(t.coverage, name), mostBytes)
}

// shownBy returns how tests show a claim.
func shownBy(c *spec.ClaimTests, measured []*runner.Coverage) Shown {
	out := Unknown
	for _, m := range measured {
		ran, known := m.Ran(c.File, c.Line)
		switch {
		case ran && len(c.Tests) > 0:
			return Tested
		case ran:
			return Reached
		case known:
			out = Untested
		}
	}
	return out
}

// readClaims reads the claims of the specs before their tests run.
func readClaims(ctx context.Context, p *project.Project, b *sandbox, suites []suite) error {
	for i := range suites {
		s := &suites[i]
		if s.parsed == nil || s.parsed.Front.SourceTarget == "" || !slices.ContainsFunc(s.Tests, func(t Test) bool { return len(t.runs) > 0 }) {
			continue
		}
		exits, files, err := spec.TestedClaims(ctx, p, s.parsed)
		if err != nil {
			return err
		}
		s.exits = exits
		for j := range s.Tests {
			b.cover(&s.Tests[j], files)
		}
	}
	return nil
}
