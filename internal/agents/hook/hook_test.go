package hook_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/adopt"
	"github.com/reverse-spec/reverse-spec/internal/agents/hook"
	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

const shop = "// Package shop sells.\npackage shop\n\n// Add adds two prices.\nfunc Add(a, b int) int { return a + b }\n"

// project creates a project with files, and with specs of targets that are an hour old.
func openProject(t *testing.T, files map[string]string, targets ...string) *project.Project {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	dir := t.TempDir()
	before := time.Now().Add(-2 * time.Hour)
	for name, text := range files {
		file := filepath.Join(dir, name)
		put(t, file, text)
		for ; file != dir; file = filepath.Dir(file) {
			if err := os.Chtimes(file, before, before); err != nil {
				t.Fatal(err)
			}
		}
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	for _, target := range targets {
		now := func() time.Time { return time.Now().Add(-time.Hour) }
		if _, err := spec.Generate(t.Context(), p, target, spec.GenerateOptions{Now: now}); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// start runs SessionStart with the time of the graph and a budget.
func start(t *testing.T, p *project.Project, built time.Time, budget time.Duration) string {
	t.Helper()
	line, err := hook.SessionStart(t.Context(), p, hook.Session{
		Graph:  func(context.Context) (time.Time, error) { return built, nil },
		Budget: budget,
	})
	if err != nil {
		t.Fatal(err)
	}
	return line
}

func TestNoOutputWithoutSpecs(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"no folder":  {"shop/shop.go": shop},
		"no specs":   {"specs/README.md": "# Specs\n"},
		"index only": {"specs/_index.spec.md": "---\ntype: architecture-index\n---\n"},
		"damaged":    {"specs/a.spec.md": "no front matter\n"},
	} {
		p := openProject(t, files)
		if line := start(t, p, time.Now(), time.Minute); line != "" {
			t.Errorf("%s: %q", name, line)
		}
	}
}

func TestSessionStartReportsTheStateOfSpecs(t *testing.T) {
	p := openProject(t, map[string]string{"shop/shop.go": shop, "till/till.go": strings.ReplaceAll(shop, "shop", "till")}, "shop", "till")
	check := func(want string, built time.Time) {
		t.Helper()
		if diff := cmp.Diff(want, start(t, p, built, time.Minute)); diff != "" {
			t.Error(diff)
		}
	}
	check("reverse-spec: 2 specs in specs/; no code graph yet.", time.Time{})

	put(t, filepath.Join(p.Root(), "shop/shop.go"), strings.Replace(shop, "a, b int", "a, b, c int", 1))
	check("reverse-spec: 2 specs in specs/; drifted: specs/shop.spec.md (1 change, 1 breaking); code graph 3 hours old.", time.Now().Add(-3*time.Hour))

	put(t, filepath.Join(p.Root(), "shop/shop.go"), shop+"\n// More to come.\n") // newer, without a change of meaning
	text, err := os.ReadFile(filepath.Join(p.Root(), "specs/till.spec.md"))
	if err != nil {
		t.Fatal(err)
	}
	failing, _ := contracttest.Stamp(string(text), "failing", "2026-01-02")
	put(t, filepath.Join(p.Root(), "specs/till.spec.md"), failing)
	check("reverse-spec: 2 specs in specs/; contract tests failing: specs/till.spec.md; code graph less than a minute old.", time.Now())

	if err := os.RemoveAll(filepath.Join(p.Root(), "till")); err != nil {
		t.Fatal(err)
	}
	line := start(t, p, time.Now(), time.Minute)
	if !strings.Contains(line, "drifted: specs/till.spec.md") {
		t.Errorf("of a target that is gone: %s", line)
	}
}

// TestUncheckedSpecsAreNotReportedAsFine if the budget is used up.
func TestUncheckedSpecsAreNotReportedAsFine(t *testing.T) {
	p := openProject(t, map[string]string{"shop/shop.go": shop}, "shop")
	put(t, filepath.Join(p.Root(), "shop/shop.go"), shop)
	ctx, cancel := context.WithCancel(t.Context())
	line, err := hook.SessionStart(ctx, p, hook.Session{
		Graph:  func(context.Context) (time.Time, error) { cancel(); return time.Time{}, errors.New("no store") },
		Budget: time.Minute,
	})
	want := "reverse-spec: 1 spec in specs/; 1 with newer code, not compared in time."
	if line != want || err != nil {
		t.Errorf("%q, %v", line, err)
	}
	line, err = hook.SessionStart(t.Context(), p, hook.Session{
		Graph:  func(context.Context) (time.Time, error) { return time.Time{}, nil },
		Budget: 1,
	})
	want = "reverse-spec: 1 spec in specs/; 1 not read, because time ran out; no code graph yet."
	if line != want || err != nil {
		t.Errorf("%q, %v", line, err)
	}
	line, err = hook.PostEdit(t.Context(), p, "shop/shop.go", 1)
	want = "reverse-spec: shop/shop.go belongs to specs/shop.spec.md; it was not compared."
	if line != want || err != nil {
		t.Errorf("%q, %v", line, err)
	}
}

func TestPostEditReportsTheSpec(t *testing.T) {
	files := map[string]string{
		"shop/shop.go": shop, "shop/cart/cart.go": strings.ReplaceAll(shop, "shop", "cart"),
		"web/lib/index.ts": "export const a = 1;\n", "web/page/page.ts": "export function page(n: number): string { return '' + n }\n", "other.go": "package other\n",
	}
	for name, c := range map[string]struct{ file, text, want string }{
		"the same": {
			"shop/shop.go", shop + "// A remark.\n",
			"shop/shop.go belongs to specs/shop.spec.md; its interface is as the spec says.",
		},
		"a signature": {
			"shop/shop.go", strings.Replace(shop, "a, b int", "a, b, c int", 1),
			"shop/shop.go belongs to specs/shop.spec.md; its interface changed since: 1 change, 1 breaking (`Add`). If this is intended, regenerate the spec (generate shop). review says what the change breaks and which tests to run.",
		},
		"a body": {
			"shop/shop.go", strings.Replace(shop, "a + b", "a - b", 1),
			"shop/shop.go belongs to specs/shop.spec.md; its interface is as the spec says, its behaviour changed since: 1 change (`Add`). If this is intended, regenerate the spec (generate shop). No longer true: REQ-SHOP-001; diff --update rewrites these alone. review says what the change breaks and which tests to run.",
		},
		"a new file": {
			"shop/more.go", "package shop\n\nfunc More() {}\n",
			"shop/more.go belongs to specs/shop.spec.md; its interface changed since: 1 change (`More`). If this is intended, regenerate the spec (generate shop). review says what the change breaks and which tests to run.",
		},
		"a new file of nothing": {"shop/more.go", "package shop\n", ""},
		"below a folder": {
			"web/page/page.ts", "export function page(n: string): string { return n }\n",
			"web/page/page.ts belongs to specs/web.spec.md; its interface changed since: 2 changes, 1 breaking (`page`). If this is intended, regenerate the spec (generate web). No longer true: REQ-WEB-001; diff --update rewrites these alone. review says what the change breaks and which tests to run.",
		},
		"another package":    {"shop/cart/cart.go", "package cart\n", ""},
		"without a spec":     {"other.go", "package other\n\nfunc F() {}\n", ""},
		"no code":            {"shop/NOTES", "Notes.\n", ""},
		"the spec itself":    {"specs/shop.spec.md", "", ""},
		"a file that is not": {"shop/none.go", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := openProject(t, files, "shop", "web")
			if c.text != "" {
				put(t, filepath.Join(p.Root(), c.file), c.text)
			}
			want := c.want
			if want != "" {
				want = "reverse-spec: " + want
			}
			got, err := hook.PostEdit(t.Context(), p, filepath.Join(p.Root(), c.file), time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRequirementsOfPeople: an edit is compared with the specs that people wrote and adopted, too.
func TestRequirementsOfPeople(t *testing.T) {
	const till = "// Package till keeps coins.\npackage till\n\nimport \"errors\"\n\n// Open opens the till.\nfunc Open(coins int) error {\n\tif coins < 0 {\n\t\treturn errors.New(\"the till is broken\")\n\t}\n\treturn nil\n}\n"
	const rules = "# till\n\n### Requirement: Opening\nThe till SHALL not open when it is broken.\n\n#### Scenario: Broken\n- **THEN** `Open` fails with \"the till is broken\"\n"
	p := openProject(t, map[string]string{"till/till.go": till, "openspec/specs/till/spec.md": rules})
	if line := start(t, p, time.Now(), time.Minute); line != "" {
		t.Errorf("before: %q", line)
	}
	if _, err := adopt.Run(t.Context(), p, []string{"openspec/specs"}, adopt.Options{Yes: true}); err != nil {
		t.Fatal(err)
	}
	edit := func(old, now, want string) {
		t.Helper()
		put(t, filepath.Join(p.Root(), "till/till.go"), strings.Replace(till, old, now, 1))
		got, err := hook.PostEdit(t.Context(), p, "till/till.go", time.Minute)
		if err != nil || got != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	edit("coins < 0", "coins < 0 /* owed */", "")
	edit("is broken\")", "is empty\")", "reverse-spec: till/till.go now contradicts till/opening/broken (openspec/specs/till/spec.md:6). Read these requirements; diff has both sides.")
	edit("coins < 0", "coins < 1", "reverse-spec: till/till.go now touches till/opening (openspec/specs/till/spec.md:3). Read these requirements; diff has both sides.")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(p.Root(), "till/till.go"), later, later); err != nil {
		t.Fatal(err)
	}
	if line, want := start(t, p, time.Now(), time.Minute), "reverse-spec: 1 adopted spec; drifted: openspec/specs/till/spec.md (1 change); code graph less than a minute old."; line != want {
		t.Errorf("%q, want %q", line, want)
	}
}

func TestAFileOutsideIsAnError(t *testing.T) {
	p := openProject(t, map[string]string{"shop/shop.go": shop}, "shop")
	if line, err := hook.PostEdit(t.Context(), p, "/etc/passwd", time.Minute); err == nil || line != "" {
		t.Errorf("%q, %v", line, err)
	}
}

func TestEventsAreRead(t *testing.T) {
	for text, want := range map[string]hook.Event{
		`{}`: {},
		`{"cwd": "/a", "tool_name": "Edit", "tool_input": {"file_path": "/a/b.go", "old_string": "x"}}`: {Dir: "/a", File: "/a/b.go"},
		`{"cwd": "/a", "tool_input": {"notebook_path": "/a/b.ipynb"}}`:                                  {Dir: "/a", File: "/a/b.ipynb"},
	} {
		if got, err := hook.Read(strings.NewReader(text)); got != want || err != nil {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	if _, err := hook.Read(strings.NewReader("no event")); err == nil {
		t.Error("what is no event was read")
	}
}

func TestReplyHasClaudeCodesForm(t *testing.T) {
	got, err := hook.Reply("a \"b\"")
	want := `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"a \"b\""}}` + "\n"
	if string(got) != want || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}
