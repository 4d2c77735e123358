package cases_test

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestActsAndClaimsOfTests compares the analysis of tests, and the claims they are chosen for;
// a file "claims" has the claims. The folder "elsewhere" is outside the module.
func TestActsAndClaimsOfTests(t *testing.T) {
	golden.Archives(t, "cases", func(t *testing.T, files map[string][]byte) string {
		claims := claimsIn(string(files["claims"]))
		delete(files, "claims")
		list, elsewhere := cases.Read(module(t, files))
		chosen, further := cases.Choose(list, claims)
		var b strings.Builder
		for _, c := range list {
			acts := c.Acts()
			fmt.Fprintf(&b, "== %s (%s)\nsays %q, telling %t\nuses %q\ncalls %q\n", c.Name, c.Place(), cases.Words(c.Name), c.Descriptive(), c.Uses(), acts.Calls)
			steps(&b, "given", acts.Given)
			steps(&b, "when", acts.When)
			steps(&b, "then", acts.Then)
			for _, p := range c.Providers() {
				fmt.Fprintf(&b, "rows of %s\n", p)
			}
			if ids := chosen[c]; len(ids) > 0 {
				fmt.Fprintf(&b, "shows %s\n", strings.Join(ids, ", "))
			}
		}
		for _, f := range elsewhere {
			fmt.Fprintf(&b, "elsewhere %s\n", f.Path)
		}
		fmt.Fprintf(&b, "%d further\n", further)
		return b.String()
	})
}

func steps(b *strings.Builder, part string, list []code.Step) {
	for _, s := range list {
		fails := ""
		if s.FailsIf {
			fails = "not "
		}
		fmt.Fprintf(b, "%s %s%s\n", part, fails, s.Text)
	}
}

// claimsIn parses claims, one per line: id, name and further fields.
func claimsIn(text string) []cases.Claim {
	var out []cases.Claim
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		c := cases.Claim{ID: cells[0], Of: cases.Name{Qualified: cells[1]}}
		for _, cell := range cells[2:] {
			field, value, _ := strings.Cut(cell, "=")
			switch field {
			case "params":
				c.Of.Overloaded, c.Of.Params = true, value
			case "file":
				c.Of.File = value
			case "error":
				c.Inside, c.Error = true, value
			case "message":
				c.Inside, c.Message = true, value
			}
		}
		out = append(out, c)
	}
	return out
}

// module parses files; those in "elsewhere" are tests outside the module.
func module(t *testing.T, files map[string][]byte) cases.Module {
	t.Helper()
	m := cases.Module{}
	manifests, err := manifest.Read(slices.Collect(maps.Keys(files)), func(path string) ([]byte, error) { return files[path], nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if manifest.IsManifest(name) {
			continue
		}
		f, err := lang.Parse(t.Context(), name, files[name], lang.All)
		if err != nil {
			t.Fatal(err)
		}
		if path.Dir(name) == "elsewhere" {
			m.Tests = append(m.Tests, f)
			continue
		}
		m.Files = append(m.Files, f)
	}
	merged := code.Merge(".", m.Files, time.Time{})
	m.Exports = merged.Exports
	all := slices.Concat(m.Files, m.Tests)
	m.Links = resolve.Module(all, nil, codegraph.Resolve(all, manifests))
	return m
}

// What a handler sets, or is counted, is not told as its first value; what stays is.
func TestFlagsKeepTheirNames(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string][]byte
		want  []string
	}{
		"go": {map[string][]byte{
			"go.mod":    []byte("module example.org/shop\n\ngo 1.26\n"),
			"shop.go":   []byte("package shop\n\n// Each calls f.\nfunc Each(n int, f func(int)) { f(n) }\n"),
			"x_test.go": []byte("package shop\n\nimport \"testing\"\n\nfunc TestEach(t *testing.T) {\n\tcalled := false\n\tsize := 3\n\tEach(size, func(n int) {\n\t\tcalled = true\n\t})\n\tif !called || size != 3 {\n\t\tt.Error(\"no call\")\n\t}\n}\n"),
		}, []string{"called", "3 == 3"}},
		"go, counted": {map[string][]byte{
			"go.mod":    []byte("module example.org/shop\n\ngo 1.26\n"),
			"shop.go":   []byte("package shop\n\n// Each calls f.\nfunc Each(n int, f func(int)) { f(n) }\n"),
			"x_test.go": []byte("package shop\n\nimport \"testing\"\n\nfunc TestEach(t *testing.T) {\n\thits := 0\n\tfor i := 0; i < 4; i++ {\n\t\tEach(2, func(n int) { hits++ })\n\t}\n\tif hits < 4 {\n\t\tt.Error(\"too few\")\n\t}\n}\n"),
		}, []string{"hits >= 4"}},
		"typescript": {map[string][]byte{
			"package.json": []byte(`{"name": "shop", "devDependencies": {"vitest": "1"}}`),
			"shop.ts":      []byte("export function each(n: number, f: (n: number) => void) { f(n) }\n"),
			"shop.test.ts": []byte("import { expect, it } from 'vitest'\nimport { each } from './shop'\n\nit('calls', () => {\n  let hits = 0\n  each(2, () => {\n    hits++\n  })\n  expect(hits).toBe(1)\n})\n"),
		}, []string{"expect(hits).toBe(1)"}},
	} {
		t.Run(name, func(t *testing.T) {
			list, _ := cases.Read(module(t, c.files))
			var got []string
			for _, one := range list {
				for _, o := range one.Story().Then {
					got = append(got, o.Text)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNamesOfTestsAreReadAsWords(t *testing.T) {
	for name, want := range map[string]string{
		"TestLoginRejectsEmpty": "Login rejects empty", "test_login": "login", "TestHTTPServer": "HTTP server", "TestURLs": "URLs",
		"TestTotalOfNothingIsRefused":     "Total of nothing is refused",
		"Login > rejects  the empty name": "rejects the empty name", "TestSuite > testAdd": "Add", "testing": "testing", "Test": "Test",
	} {
		if got := cases.Words(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestExamplesDocumentWhatTheirNamesSay(t *testing.T) {
	got := map[string]string{}
	for _, c := range []code.Test{
		{Name: "ExampleList_Len_empty", Runner: "go test"},
		{Name: "ExampleList", Runner: "go test"},
		{Name: "Example_many", Runner: "go test"},
		{Name: "TestList", Runner: "go test"},
		{Name: "ExampleList", Runner: "pytest"},
		{Name: "List > add", Runner: runner.PythonDoc},
	} {
		got[c.Runner+" "+c.Name] = cases.Documented(c)
	}
	want := map[string]string{
		"go test ExampleList_Len_empty": "List.Len", "go test ExampleList": "List", "go test Example_many": "", "go test TestList": "",
		"pytest ExampleList": "", "python doctest List > add": "List.add",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("documented (-want +got):\n%s", diff)
	}
}
