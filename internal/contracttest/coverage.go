package contracttest

import (
	"cmp"
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

// unmeasured is how a claim is shown of whose line no tool measured whether it runs.
const unmeasured spec.Shown = "unknown"

// Claim is an error exit of the code, and how the tests of the spec show it.
type Claim struct {
	Requirement string     `json:"requirement,omitempty"` // that states it
	Symbol      string     `json:"symbol"`
	Place       string     `json:"place"`           // file:line
	Shown       spec.Shown `json:"shown"`           // "unknown" if no tool measured its line
	Tests       []string   `json:"tests,omitempty"` // places of the tests that assert on it
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

// ran returns which lines a test ran, by what its tool measured; nil for nothing.
func (b *sandbox) ran(ctx context.Context, t *Test) spec.Ran {
	if t.coverage == "" {
		return nil
	}
	if t.after != "" {
		if _, err := b.script(ctx, b.nextName(), t.after); err != nil {
			return nil // nothing was measured
		}
	}
	c := runner.ReadCoverage(t.runs[0].Tool, t.measuredFile)
	if c == nil {
		return nil
	}
	return c.Ran
}

// claims fills in how tests show the claims of a spec, by what their tools measured.
func (b *sandbox) claims(ctx context.Context, s *suite) error {
	var measured spec.Coverage
	for i := range s.Tests {
		t := &s.Tests[i]
		if len(t.runs) == 0 {
			continue
		}
		if ran := b.ran(ctx, t); ran != nil {
			measured.Ran = append(measured.Ran, ran)
		} else {
			measured.Partial = true
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, c := range s.exits {
		shown := cmp.Or(measured.Shows(c.File, c.Line, len(c.Tests)), unmeasured)
		s.Claims = append(s.Claims, Claim{c.Requirement, c.Subject, c.Place(), shown, c.Tests})
	}
	if len(measured.Ran) == 0 && len(s.exits) > 0 {
		s.Note = message.Sprintf(ctx, "no tool measured coverage")
	}
	return nil
}

// measuredFile reads a file that the tool of a test measured coverage into.
func (t *Test) measuredFile(name string) ([]byte, error) {
	return openfile.Read(filepath.Join(t.coverage, name), mostBytes)
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
