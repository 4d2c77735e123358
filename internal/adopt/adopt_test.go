package adopt

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/adopt/choose"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec/handwritten"
)

const tillSpec = `# till Specification

## Purpose
The till keeps coins.

## Requirements
### Requirement: Opening
The till SHALL refuse to open when it is broken.

#### Scenario: A broken till
- **WHEN** a broken till is opened
- **THEN** it fails with "the till is broken"

### Requirement: Receipts
The till SHALL print a receipt for each sale.
`

const tillCode = `package till

import "errors"

// Open opens the till.
func Open(coins int) error {
	if coins < 0 {
		return errors.New("the till is broken")
	}
	return nil
}

// Greet greets the customer.
func Greet() string { return "hello" }
`

// files of a project.
type files map[string]string

func open(t *testing.T, list files) *project.Project {
	t.Helper()
	dir := t.TempDir()
	for name, text := range list {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func till() files {
	return files{"go.mod": "module example.org/till\n\ngo 1.26\n", "till/till.go": tillCode, "openspec/specs/till/spec.md": tillSpec}
}

func run1(t *testing.T, p *project.Project, opts Options) *Result {
	t.Helper()
	r, err := Run(t.Context(), p, []string{"openspec/specs"}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// states returns "requirement symbol state" of the links to code that are sure enough or decided.
func states(r *Result) []string {
	var out []string
	for i := range r.Specs {
		for _, q := range r.Specs[i].Requirements {
			for _, l := range q.Links {
				if !l.Test && (l.State != Proposed || l.Confidence >= r.MinConfidence) {
					out = append(out, q.ID+" "+l.Symbol+" "+string(l.State))
				}
			}
		}
	}
	return out
}

func TestRun(t *testing.T) {
	p := open(t, till())
	r := run1(t, p, Options{})
	if got := states(r); !slices.Equal(got, []string{"till/opening Open proposed"}) || len(r.Written) > 0 {
		t.Fatalf("%v, written %v", got, r.Written)
	}
	if got := r.Summary; got.Requirements != 2 || got.Proposed != 1 || got.NotFound != 1 || got.Linked != 0 {
		t.Errorf("%+v", got)
	}
	id := r.Specs[0].Requirements[0].Links[0].ID

	if r = run1(t, p, Options{Yes: true}); !slices.Equal(states(r), []string{"till/opening Open accepted"}) || len(r.Written) != 1 {
		t.Fatalf("%v, written %v", states(r), r.Written)
	}
	if r = run1(t, p, Options{Yes: true}); len(r.Written) > 0 {
		t.Errorf("written again without a change: %v", r.Written)
	}
	if r = run1(t, p, Options{Reject: []string{id}}); !slices.Equal(states(r), []string{"till/opening Open rejected"}) {
		t.Errorf("%v", states(r))
	}
	// What was rejected is not accepted with the others.
	if r = run1(t, p, Options{Yes: true}); !slices.Equal(states(r), []string{"till/opening Open rejected"}) {
		t.Errorf("%v", states(r))
	}
	if _, err := Run(t.Context(), p, []string{"openspec/specs"}, Options{Accept: []string{"00000000"}}); err == nil || !strings.Contains(err.Error(), "00000000") {
		t.Errorf("an id that no link has: %v", err)
	}
}

func TestRunAgain(t *testing.T) {
	list := till()
	p := open(t, list)
	run1(t, p, Options{Yes: true})
	write := func(name, text string) {
		t.Helper()
		if err := p.WriteFile(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	write("openspec/specs/till/spec.md", strings.Replace(tillSpec, "when it is broken", "when it is broken or empty", 1))
	if r := run1(t, p, Options{}); !r.Specs[0].Requirements[0].Changed {
		t.Error("the changed text is not noticed")
	}
	write("openspec/specs/till/spec.md", strings.Replace(tillSpec, "Requirement: Opening", "Requirement: Starting", 1))
	if r := run1(t, p, Options{}); !slices.Equal(r.Specs[0].Gone, []string{"till/opening"}) {
		t.Errorf("gone: %v", r.Specs[0].Gone)
	}
	write("openspec/specs/till/spec.md", tillSpec)
	write("till/till.go", strings.ReplaceAll(tillCode, "Open", "Unlock"))
	if r := run1(t, p, Options{}); !slices.Contains(states(r), "till/opening Open gone") {
		t.Errorf("%v", states(r))
	}
}

func TestDecide(t *testing.T) {
	for name, c := range map[string]struct {
		answer Decision
		want   []string
		writes int
	}{
		"later":  {Later, []string{"till/opening Open proposed"}, 0},
		"accept": {Accept, []string{"till/opening Open accepted"}, 1},
		"reject": {Reject, []string{"till/opening Open rejected"}, 1},
		"stop":   {Stop, []string{"till/opening Open proposed"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			r := run1(t, open(t, till()), Options{Decide: func(*Spec, *Requirement, *Link) (Decision, error) {
				asked++
				return c.answer, nil
			}})
			if got := states(r); !slices.Equal(got, c.want) || len(r.Written) != c.writes || asked == 0 {
				t.Errorf("%v, written %v, asked %d", got, r.Written, asked)
			}
			if c.answer == Stop && asked != 1 {
				t.Errorf("asked %d times after stop", asked)
			}
		})
	}
}

func TestChoose(t *testing.T) {
	pick := func(symbol string) Options {
		return Options{Choose: func(_ context.Context, requirement string, list []choose.Candidate) ([]int, error) {
			if !strings.Contains(requirement, "SHALL") {
				t.Errorf("the requirement is not in %q", requirement)
			}
			i := slices.IndexFunc(list, func(c choose.Candidate) bool { return c.Symbol == symbol })
			if i < 0 {
				return nil, nil
			}
			if !strings.Contains(list[i].Text, "func "+symbol) {
				t.Errorf("the text of %s is %q", symbol, list[i].Text)
			}
			return []int{i}, nil
		}}
	}
	r := run1(t, open(t, till()), pick("Open"))
	if l := r.Specs[0].Requirements[0].Links[0]; l.Symbol != "Open" || l.Confidence < chosenConfidence || l.Reasons[0] != "the model chose it" {
		t.Errorf("%+v", l)
	}
	// What was not chosen is not accepted unseen.
	if got := states(run1(t, open(t, till()), pick("nothing"))); len(got) > 0 {
		t.Errorf("%v", got)
	}
	// Without an answer the links are those without a model.
	failing := Options{Choose: func(context.Context, string, []choose.Candidate) ([]int, error) { return nil, errors.New("no answer") }}
	r = run1(t, open(t, till()), failing)
	if without := run1(t, open(t, till()), Options{}); len(r.Specs[0].Requirements[0].Links) != len(without.Specs[0].Requirements[0].Links) {
		t.Errorf("%d links without an answer, %d without a model", len(r.Specs[0].Requirements[0].Links), len(without.Specs[0].Requirements[0].Links))
	}
	if got := states(r); !slices.Equal(got, []string{"till/opening Open proposed"}) || len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0], "no answer") {
		t.Errorf("%v, warnings %v", got, r.Warnings)
	}
	// A requirement with an accepted link is not asked about.
	p := open(t, till())
	run1(t, p, Options{Yes: true})
	run1(t, p, Options{Choose: func(_ context.Context, requirement string, _ []choose.Candidate) ([]int, error) {
		if strings.Contains(requirement, "Opening") {
			t.Error("asked again")
		}
		return nil, nil
	}})
}

func TestPlans(t *testing.T) {
	p := open(t, files{
		"openspec/specs/till/spec.md":                                 tillSpec,
		"openspec/changes/archive/2026-01-02-open/specs/till/spec.md": "## ADDED Requirements\n### Requirement: Opening\nThe till SHALL open.\n",
		"openspec/changes/archive/2026-01-02-open/tasks.md":           "- [x] write Open in till.go\n",
		"openspec/changes/archive/2026-01-02-open/proposal.md":        "# Why\n",
		"openspec/changes/other/tasks.md":                             "- [ ] no delta\n",
		".kiro/specs/login/requirements.md":                           "# Requirements\n\n### Requirement 1\n\n#### Acceptance Criteria\n1. WHEN a THEN THE system SHALL b\n\n### Requirement 2\n\n#### Acceptance Criteria\n1. WHEN c THEN THE system SHALL d\n",
		".kiro/specs/login/design.md":                                 "# Design\n\nlogin.go does it.\n",
		".kiro/specs/login/tasks.md":                                  "# Tasks\n\n- [ ] 1. Check passwords in check.go\n  - _Requirements: 1.1, 2.1_\n- [ ] 2. Lock accounts\n  - _Requirements: 2_\n",
	})
	r := &run{project: p}
	var list []*handwritten.Spec
	for _, file := range []string{"openspec/specs/till/spec.md", ".kiro/specs/login/requirements.md"} {
		text, err := p.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := handwritten.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	got, err := r.plans(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, plan := range got {
		lines = append(lines, strings.Join(plan.Of, " ")+": "+strings.Join(strings.Fields(plan.Text), " "))
	}
	want := []string{
		"till/opening: # Why - [x] write Open in till.go",
		"login/1 login/2: # Design login.go does it.",
		"login/1 login/2: - [ ] 1. Check passwords in check.go - _Requirements: 1.1, 2.1_",
		"login/2: - [ ] 2. Lock accounts - _Requirements: 2_",
		"login/1 login/2: # Tasks",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

// Specs that nobody wrote by hand, and folders without any, are said to be so.
func TestRunRefuses(t *testing.T) {
	for name, c := range map[string]struct{ path, err string }{
		"no spec":      {"till", "no spec in the form of"},
		"no Markdown":  {"till/till.go", "not Markdown"},
		"our own page": {"till/till.spec.md", "reverse-spec wrote it"},
		"nothing":      {"notes.md", "no requirement was found"},
	} {
		t.Run(name, func(t *testing.T) {
			list := till()
			list["notes.md"] = "# Notes\n\nNothing.\n"
			list["till/till.spec.md"] = "# till\n"
			_, err := Run(t.Context(), open(t, list), []string{c.path}, Options{})
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v, want %q", err, c.err)
			}
		})
	}
}

// What users give a program is specified once any requirement says it.
func TestUnspecified(t *testing.T) {
	list := till()
	list["till/till.go"] = strings.Replace(tillCode, "import \"errors\"", "import (\n\t\"errors\"\n\t\"os\"\n)", 1) +
		"\nvar (\n\tcolour = os.Getenv(\"TILL_COLOUR\")\n\tlamp   = os.Getenv(\"TILL_LAMP\")\n)\n"
	list["openspec/specs/till/spec.md"] = tillSpec + "\n### Requirement: Looks\nThe shop SHALL be painted as `TILL_COLOUR` says.\n"
	var says []string
	for _, u := range run1(t, open(t, list), Options{}).Unspecified {
		says = append(says, u.Says)
	}
	all := strings.Join(says, "\n")
	if !strings.Contains(all, "TILL_LAMP") || strings.Contains(all, "TILL_COLOUR") {
		t.Errorf("unspecified: %s", all)
	}
}
