package spec_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
	"github.com/reverse-spec/reverse-spec/spec"
)

// day is the time of the tests.
func day() time.Time { return time.Date(2026, 11, 21, 8, 30, 0, 0, time.UTC) }

// openProject writes files into a folder and opens it.
func openProject(t *testing.T, files map[string][]byte) *project.Project {
	t.Helper()
	t.Setenv("ANTHROPIC_API_KEY", "")
	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	for name, data := range files {
		if err := p.WriteFile(name, data); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func generate(t *testing.T, p *project.Project, target string, opts spec.GenerateOptions) (*spec.Spec, []byte) {
	t.Helper()
	if opts.Now == nil {
		opts.Now = day
	}
	r, err := spec.Generate(t.Context(), p, target, opts)
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.ReadFile(r.SpecPath)
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ReadLock(p, r.SpecPath); err != nil {
		t.Fatal(err)
	}
	return s, text
}

// TestSpecOfProject compares whole specs. The files "target", "lang" and "scope" of a case are
// options.
func TestSpecOfProject(t *testing.T) {
	golden.Archives(t, "generate", func(t *testing.T, files map[string][]byte) string {
		target, lang := strings.TrimSpace(string(files["target"])), strings.TrimSpace(string(files["lang"]))
		scope := source.Scope(strings.TrimSpace(string(files["scope"])))
		for _, name := range []string{"target", "lang", "scope"} {
			delete(files, name)
		}
		s, text := generate(t, openProject(t, files), target, spec.GenerateOptions{Lang: lang, Scope: scope})
		if diff := cmp.Diff(string(text), string(s.Render())); diff != "" {
			t.Errorf("render(parse(text)) differs:\n%s", diff)
		}
		return string(text)
	})
}

const goShop = `// Package shop sells.
package shop

// Buy buys a thing. It panics when name is empty.
func Buy(name string) error { return nil }

// Sell sells a thing. It returns nothing before noon.
func Sell() {}
`

func TestVersionGoesUpAndIDsStay(t *testing.T) {
	p := openProject(t, map[string][]byte{"a.go": []byte(goShop)})
	first, _ := generate(t, p, ".", spec.GenerateOptions{})
	write(t, p, "a.go", strings.Replace(goShop, "// Buy", "// Ask asks for the price. It never answers.\nfunc Ask() {}\n\n// Buy", 1))
	second, _ := generate(t, p, ".", spec.GenerateOptions{})
	if first.Front.Version != "v1" || second.Front.Version != "v2" {
		t.Errorf("versions %s, %s", first.Front.Version, second.Front.Version)
	}
	want := map[string]string{"Buy": "REQ-SHOP-001", "Sell": "REQ-SHOP-002", "Ask": "REQ-SHOP-003"}
	if diff := cmp.Diff(want, ids(second)); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
}

// TestVersionOfWhatSaysTheSameStays: a spec that is written again says no more than before, whenever it is written, and verified or not.
func TestVersionOfWhatSaysTheSameStays(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		p := openProject(t, map[string][]byte{"a.go": []byte(goShop)})
		page := spec.PathFor(spec.DefaultOutputDir, ".")
		first, _ := generate(t, p, ".", spec.GenerateOptions{Lang: lang})
		later := spec.GenerateOptions{Lang: lang, Now: func() time.Time { return time.Date(2031, 1, 2, 3, 4, 5, 0, time.UTC) }}
		text, err := p.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		write(t, p, page, strings.Replace(string(text), "health: unverified", "health: active", 1))
		second, _ := generate(t, p, ".", later)
		if second.Front.Version != "v1" || second.Front.LastUpdated != first.Front.LastUpdated || !cmp.Equal(first.Attributes, second.Attributes) {
			t.Errorf("%s: %s of %s, %v", lang, second.Front.Version, second.Front.LastUpdated, second.Attributes)
		}
		write(t, p, "a.go", strings.Replace(goShop, "func Buy", "func Ask() {}\n\nfunc Buy", 1))
		if third, _ := generate(t, p, ".", later); third.Front.Version != "v2" || third.Front.LastUpdated == first.Front.LastUpdated {
			t.Errorf("%s: %s of %s after a change", lang, third.Front.Version, third.Front.LastUpdated)
		}
	}
}

// TestIDsOutliveWords: the id of a requirement that states a claim does not depend on its title.
func TestIDsOutliveWords(t *testing.T) {
	const source = "def buy(n):\n    if n < 1:\n        raise ValueError('too few items')\n\ndef sell(n):\n    if n > 9:\n        raise ValueError('too many items')\n"
	p := openProject(t, map[string][]byte{"shop.py": []byte(source)})
	first, _ := generate(t, p, ".", spec.GenerateOptions{})
	if len(first.Requirements) != 2 || len(first.Claims) != 2 {
		t.Fatalf("%d requirements, %d claims", len(first.Requirements), len(first.Claims))
	}
	for i := range first.Requirements {
		first.Requirements[i].Title = "as an earlier version put it"
	}
	write(t, p, spec.PathFor("", "."), string(first.Render()))
	write(t, p, "shop.py", strings.Replace(source, "    if n < 1:\n        raise ValueError('too few items')\n", "    if n != 1:\n        raise TypeError('odd')\n", 1))
	second, _ := generate(t, p, ".", spec.GenerateOptions{})
	want := map[string]string{first.Claims[1].ID(): first.Claims[1].Requirement, second.Claims[0].ID(): "REQ-SHOP-003"}
	for _, c := range second.Claims {
		if c.Requirement != want[c.ID()] {
			t.Errorf("%s: %s, not %s", c.ID(), c.Requirement, want[c.ID()])
		}
	}
}

func ids(s *spec.Spec) map[string]string {
	out := map[string]string{}
	for _, r := range s.Requirements {
		out[r.Symbol] = r.ID
	}
	return out
}

func write(t *testing.T, p *project.Project, name, text string) {
	t.Helper()
	if err := p.WriteFile(name, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func TestKeptBlocksSurvive(t *testing.T) {
	p := openProject(t, map[string][]byte{"a.go": []byte(goShop)})
	_, text := generate(t, p, ".", spec.GenerateOptions{})
	edits := []struct{ after, block string }{
		{"## Intent\n", "We sell since 1990.\n\n## Not a section\n\n```\n<!-- keep -->\n```"},
		{"## 1. Requirements\n", "All amounts are in cents."},
		{"### REQ-SHOP-001: `Buy` SHALL buy a thing\n", "Only at night. | **Symbol**: `x`"},
		{"### REQ-SHOP-002: `Sell` SHALL sell a thing\n", "About to go."},
		{"## 4. Contract tests\n", "We know."},
		{"## 3. API / Schema contract\n", "See also the wiki."},
	}
	edited := string(text)
	for _, e := range edits {
		edited = strings.Replace(edited, e.after, e.after+"\n<!-- keep -->\n"+e.block+"\n<!-- /keep -->\n", 1)
	}
	write(t, p, "specs/_root.spec.md", edited)
	write(t, p, "a.go", strings.Replace(goShop, "// Sell sells a thing. It returns nothing before noon.\nfunc Sell() {}\n", "", 1))
	for range 2 {
		s, again := generate(t, p, ".", spec.GenerateOptions{})
		for _, e := range edits {
			block := "<!-- keep -->\n" + e.block + "\n<!-- /keep -->"
			if n := strings.Count(string(again), block); n != 1 {
				t.Errorf("%d times in the new spec: %s", n, block)
			}
		}
		if !strings.Contains(s.Requirements[0].Text, "Only at night.") || s.Requirements[0].Symbol != "Buy" {
			t.Errorf("requirement %+v", s.Requirements[0])
		}
		if diff := cmp.Diff(string(again), string(s.Render())); diff != "" {
			t.Errorf("render(parse(text)) differs:\n%s", diff)
		}
	}
}

func TestForgottenEndKeepsTheRest(t *testing.T) {
	p := openProject(t, map[string][]byte{"a.go": []byte(goShop)})
	_, text := generate(t, p, ".", spec.GenerateOptions{})
	write(t, p, "specs/_root.spec.md", strings.Replace(string(text), "## 5. Traceability\n", "## 5. Traceability\n\n<!-- keep -->\nmine\n", 1))
	if _, again := generate(t, p, ".", spec.GenerateOptions{}); !strings.Contains(string(again), "<!-- keep -->\nmine\n") {
		t.Errorf("lost:\n%s", again)
	}
}

func TestForeignFileIsLeftAlone(t *testing.T) {
	for name, text := range map[string]string{
		"plain Markdown":       "# My notes\n",
		"another front matter": "---\ntitle: x\n---\n# Notes\n",
		"damaged spec":         "---\ngeneratedBy: reverse-spec v2.0\nrelatedFiles: [\n---\n",
	} {
		t.Run(name, func(t *testing.T) {
			p := openProject(t, map[string][]byte{"a.go": []byte(goShop), "specs/_root.spec.md": []byte(text)})
			_, err := spec.Generate(t.Context(), p, ".", spec.GenerateOptions{Now: day})
			if err == nil {
				t.Fatal("overwritten without a word")
			}
			if got, _ := p.ReadFile("specs/_root.spec.md"); string(got) != text {
				t.Errorf("now holds %q", got)
			}
		})
	}
}

func TestMissingTargetSaysWhatIsNear(t *testing.T) {
	p := openProject(t, map[string][]byte{"src/auth/login.ts": []byte("export const a = 1;\n")})
	_, err := spec.Generate(t.Context(), p, "src/auht", spec.GenerateOptions{})
	var missing *project.MissingError
	if !errors.As(err, &missing) || !slices.Contains(missing.Near, "src/auth") {
		t.Fatalf("error %v", err)
	}
	if !strings.HasPrefix(err.Error(), "no such file or folder: src/auht") {
		t.Errorf("text %q", err)
	}
}

// TestNoTwoTargetsShareAPath checks the promise of PathFor.
func TestNoTwoTargetsShareAPath(t *testing.T) {
	want := map[string]string{
		".": "specs/_root.spec.md", "src/auth": "specs/src/auth.spec.md", "src/auth/": "specs/src/auth.spec.md",
		"src/auth/login.ts": "specs/src/auth/login.ts.spec.md", "_root": "specs/__root.spec.md", "_index": "specs/__index.spec.md",
	}
	got := map[string]string{}
	for target := range maps.Keys(want) {
		got[target] = spec.PathFor("specs", target)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestConfidenceFallsWithParseErrors(t *testing.T) {
	for _, c := range []struct {
		files map[string][]byte
		want  spec.Confidence
	}{
		{map[string][]byte{"a.go": []byte(goShop)}, spec.Medium},
		{map[string][]byte{"a.go": []byte(goShop), "b.go": []byte("package shop\nfunc (")}, spec.Low},
	} {
		if s, _ := generate(t, openProject(t, c.files), ".", spec.GenerateOptions{}); s.Front.Confidence != c.want {
			t.Errorf("%d files: %s, want %s", len(c.files), s.Front.Confidence, c.want)
		}
	}
}

// TestLargeSpecIsReplaced: a spec may exceed the size limit of source files.
func TestLargeSpecIsReplaced(t *testing.T) {
	p := openProject(t, map[string][]byte{"a.go": []byte(goShop)})
	_, text := generate(t, p, ".", spec.GenerateOptions{})
	kept := "## 6. Risks and gaps\n\n<!-- keep -->\n" + strings.Repeat("A long story.\n", project.MaxFileSize/14) + "<!-- /keep -->\n"
	write(t, p, "specs/_root.spec.md", strings.Replace(string(text), "## 6. Risks and gaps\n", kept, 1))
	r, err := spec.Generate(t.Context(), p, ".", spec.GenerateOptions{Now: day})
	if err != nil {
		t.Fatal(err)
	}
	again, err := p.ReadUpTo(r.SpecPath, spec.MaxSize)
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.Parse(again)
	if err != nil {
		t.Fatal(err)
	}
	if s.Front.Version != "v2" || !strings.Contains(s.Risks, "A long story.") {
		t.Errorf("version %s, %d bytes kept", s.Front.Version, len(s.Risks))
	}
}
