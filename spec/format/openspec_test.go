package format_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/format"
)

// tills are the outlines of a module before and after a change: a case goes, one comes, a name changes.
func till(rules ...spec.Rule) *spec.Outline {
	return &spec.Outline{Module: "src/till", Lang: "en", Purpose: "Counts money, and gives change if there is any of it.", Rules: rules}
}

func rule(key, name string, cases ...string) spec.Rule {
	r := spec.Rule{Key: key, Name: name, Says: "`" + key + "` SHALL fail.", Of: key, Files: []string{"src/till/till.go"}, Places: []string{"src/till/till.go:7"}}
	for _, c := range cases {
		r.Cases = append(r.Cases, spec.RuleCase{Name: c, When: "`" + key + "` is called and " + c, Then: "it fails", Do: "fail", Kind: spec.Unwanted, At: "src/till/till.go:7"})
	}
	return r
}

// opened is a project with some files.
func opened(t *testing.T, files map[string]string) *project.Project {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func write(t *testing.T, p *project.Project, in format.Input) *format.Result {
	t.Helper()
	r, err := format.Write(context.Background(), p, in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func read(t *testing.T, p *project.Project, name string) string {
	t.Helper()
	text, err := p.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const tillSpec = "openspec/specs/till/spec.md"

func TestOpenSpecOfAModule(t *testing.T) {
	p := opened(t, nil)
	o := till(rule("Open", "Open fails", "it is open", "it is broken"))
	o.Rules[0].Examples = []spec.Example{{Name: "Opens twice", Given: []string{"`x` is `1`", "`y` is `2`"}, When: "`Open(x)` is called", Then: []string{"it fails", "`y` is `2`"}}}
	write(t, p, format.Input{Format: "openspec", Outlines: []*spec.Outline{o}})
	want := `# till Specification

## Purpose
Counts money, and gives change if there is any of it.

The code is in ` + "`src/till`" + `.

## Requirements

### Requirement: Open fails
` + "`Open`" + ` SHALL fail.

**ID**: ` + "`src/till#Open`" + ` (reverse-spec HASH)
**Evidence**: ` + "`src/till/till.go` (`Open`)" + `

#### Scenario: it is open
- **WHEN** ` + "`Open`" + ` is called and it is open
- **THEN** it fails

#### Scenario: it is broken
- **WHEN** ` + "`Open`" + ` is called and it is broken
- **THEN** it fails

#### Scenario: Opens twice
- **GIVEN** ` + "`x` is `1`" + `
- **AND** ` + "`y` is `2`" + `
- **WHEN** ` + "`Open(x)`" + ` is called
- **THEN** it fails
- **AND** ` + "`y` is `2`" + `
`
	got := read(t, p, tillSpec)
	at := strings.Index(got, "(reverse-spec ") + len("(reverse-spec ")
	if diff := cmp.Diff(want, got[:at]+"HASH"+got[at+8:]); diff != "" {
		t.Error(diff)
	}
}

func TestASecondRunChangesNothing(t *testing.T) {
	for _, name := range []string{"openspec", "speckit", "ears"} {
		p := opened(t, nil)
		in := format.Input{Format: name, Outlines: []*spec.Outline{till(rule("Open", "Open fails", "it is open"), rule("Close", "Close fails", "it is closed"))}}
		first := write(t, p, in)
		if len(first.Files) != 1 || first.Requirements != 2 {
			t.Fatalf("%s: %+v", name, first)
		}
		text := read(t, p, first.Files[0])
		if r := write(t, p, in); len(r.Warnings) > 0 || read(t, p, first.Files[0]) != text {
			t.Errorf("%s: the second run: %v", name, r.Warnings)
		}
	}
}

func TestAHandWrittenSpecStays(t *testing.T) {
	for name, file := range map[string]string{"openspec": tillSpec, "speckit": "specs/001-till/spec.md", "ears": ".kiro/specs/till/requirements.md"} {
		const theirs = "# till Specification\n\n## Purpose\nTheirs.\n\n## Requirements\n\n### Requirement: Theirs\nIt SHALL stay.\n"
		p := opened(t, map[string]string{file: theirs})
		r := write(t, p, format.Input{Format: name, Outlines: []*spec.Outline{till(rule("Open", "Open fails", "it is open"))}})
		if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "stays as it is") || read(t, p, file) != theirs {
			t.Errorf("%s: %v\n%s", name, r.Warnings, read(t, p, file))
		}
	}
}

func TestADocumentThatWasChangedByHandStays(t *testing.T) {
	for name, file := range map[string]string{"speckit": "specs/001-till/spec.md", "ears": ".kiro/specs/till/requirements.md"} {
		p := opened(t, nil)
		in := format.Input{Format: name, Outlines: []*spec.Outline{till(rule("Open", "Open fails", "it is open"))}}
		write(t, p, in)
		changed := strings.Replace(read(t, p, file), "it is open", "it is wide open", 1)
		if err := p.WriteFile(file, []byte(changed)); err != nil {
			t.Fatal(err)
		}
		if r := write(t, p, in); len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "changed by hand") || read(t, p, file) != changed {
			t.Errorf("%s: %v", name, r.Warnings)
		}
	}
}

func TestWhatPeopleWroteInAGeneratedSpecStays(t *testing.T) {
	p := opened(t, nil)
	write(t, p, format.Input{Format: "openspec", Outlines: []*spec.Outline{till(rule("Open", "Open fails", "it is open"), rule("Close", "Close fails", "it is closed"))}})
	text := read(t, p, tillSpec)
	text = strings.Replace(text, "Counts money, and gives change if there is any of it.", "Our own purpose.", 1)
	text = strings.Replace(text, "`Close` SHALL fail.", "`Close` SHALL fail loudly.", 1)
	text = strings.Replace(text, "### Requirement: Close fails", "### Requirement: Ours\nIt SHALL be ours.\n\n#### Scenario: Ours\n- **WHEN** now\n- **THEN** then\n\n### Requirement: Close fails", 1)
	text += "\n## Notes\nOurs, too.\n"
	if err := p.WriteFile(tillSpec, []byte(text)); err != nil {
		t.Fatal(err)
	}
	r := write(t, p, format.Input{Format: "openspec", Outlines: []*spec.Outline{till(rule("Open", "Open fails", "it is open", "it is broken"), rule("Close", "Close fails", "it is shut"))}})
	got := read(t, p, tillSpec)
	for _, want := range []string{"Our own purpose.", "### Requirement: Ours", "SHALL fail loudly", "it is closed", "it is broken", "## Notes\nOurs, too."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is gone:\n%s", want, got)
		}
	}
	if strings.Contains(got, "it is shut") || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "Close fails") {
		t.Errorf("warnings %v\n%s", r.Warnings, got)
	}
}

func TestRequirementsOfModulesThatWereNotReadStay(t *testing.T) {
	p := opened(t, map[string]string{"caps.yml": "money: [src/till, src/safe]\n"})
	safe := &spec.Outline{Module: "src/safe", Lang: "en", Rules: []spec.Rule{rule("Lock", "Lock fails", "it is locked")}}
	in := format.Input{Format: "openspec", Capabilities: "caps.yml", Outlines: []*spec.Outline{till(rule("Open", "Open fails", "it is open")), safe}}
	write(t, p, in)
	in.Outlines = []*spec.Outline{till(rule("Open", "Open fails", "it is broken"))}
	write(t, p, in)
	got := read(t, p, "openspec/specs/money/spec.md")
	if !strings.Contains(got, "it is locked") || !strings.Contains(got, "it is broken") || strings.Contains(got, "it is open") {
		t.Error(got)
	}
	in.Gone = func(module string) bool { return module == "src/safe" }
	write(t, p, in)
	if got := read(t, p, "openspec/specs/money/spec.md"); strings.Contains(got, "it is locked") {
		t.Error(got)
	}
	in.Outlines, in.Gone = nil, func(string) bool { return true }
	if r := write(t, p, in); len(r.Removed) != 1 {
		t.Errorf("%+v", r)
	}
}

func TestAModuleStaysInItsCapability(t *testing.T) {
	p := opened(t, nil)
	in := format.Input{Format: "openspec", Outlines: []*spec.Outline{till(rule("Open", "Open fails", "it is open"))}}
	write(t, p, in)
	text := read(t, p, tillSpec)
	if err := os.RemoveAll(filepath.Join(p.Root(), "openspec/specs/till")); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteFile("openspec/specs/checkout/spec.md", []byte(text)); err != nil {
		t.Fatal(err)
	}
	if r := write(t, p, in); len(r.Files) != 1 || r.Files[0] != "openspec/specs/checkout/spec.md" {
		t.Errorf("%+v", r)
	}
}

func TestFormatOfAProject(t *testing.T) {
	for folder, want := range map[string]string{"openspec/project.md": "openspec", ".specify/memory/constitution.md": "speckit", ".kiro/steering/tech.md": "ears", "src/a.go": "reverse-spec"} {
		if got, err := format.Choose(context.Background(), opened(t, map[string]string{folder: "x"}), ""); err != nil || got != want {
			t.Errorf("%s: %s, %v", folder, got, err)
		}
	}
	if _, err := format.Choose(context.Background(), opened(t, nil), "docx"); err == nil {
		t.Error("docx is a format")
	}
}

func TestPagesOfAGeneratedSpec(t *testing.T) {
	for _, name := range []string{"openspec", "speckit", "ears"} {
		p := opened(t, map[string]string{"specs/src/till.spec.md": "---\ntype: module-spec\n---\n", "specs/src/safe.spec.md": "---\ntype: module-spec\n---\n"})
		r := write(t, p, format.Input{Format: name, Outlines: []*spec.Outline{till(rule("Open", "Open fails", "it is open"))}})
		got, err := spec.PagesFor(t.Context(), p, r.Files[0])
		if diff := cmp.Diff([]string{"specs/src/till.spec.md"}, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
	p := opened(t, map[string]string{"ours.md": "# Ours\n"})
	if got, err := spec.PagesFor(t.Context(), p, "ours.md"); err != nil || len(got) != 1 || got[0] != "ours.md" {
		t.Errorf("%v, %v", got, err)
	}
}
