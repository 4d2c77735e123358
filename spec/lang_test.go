package spec_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/reverse-spec/reverse-spec/spec"
)

// TestSpecsInBothLanguagesParseEqually: a spec with the headings and labels of the other
// language parses to the same value.
func TestSpecsInBothLanguagesParseEqually(t *testing.T) {
	eachProject(t, func(t *testing.T, files map[string][]byte, target string) {
		p := openProject(t, files)
		s, _ := generate(t, p, target, spec.GenerateOptions{Lang: "en"})
		s.Lang = "zh"
		back, err := spec.Parse(s.Render())
		if err != nil {
			t.Fatal(err)
		}
		if err := back.ReadLock(p, spec.PathFor("specs", target)); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(s, back); diff != "" {
			t.Error(diff)
		}
	})
}

// TestSpecsInBothLanguagesHaveTheSameFacts: a spec generated in Chinese has the content of the
// English one, except prose.
func TestSpecsInBothLanguagesHaveTheSameFacts(t *testing.T) {
	eachProject(t, func(t *testing.T, files map[string][]byte, target string) {
		en, _ := generate(t, openProject(t, files), target, spec.GenerateOptions{Lang: "en"})
		zh, _ := generate(t, openProject(t, files), target, spec.GenerateOptions{Lang: "zh"})
		if diff := cmp.Diff(withoutProse(en), withoutProse(zh)); diff != "" {
			t.Error(diff)
		}
	})
}

// eachProject runs f on the projects of the golden specs.
func eachProject(t *testing.T, f func(t *testing.T, files map[string][]byte, target string)) {
	t.Helper()
	paths, err := filepath.Glob("testdata/generate/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no projects: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string][]byte{}
			for _, file := range ar.Files {
				files[file.Name] = file.Data
			}
			target := strings.TrimSpace(string(files["target"]))
			for _, name := range []string{"target", "lang", "want"} {
				delete(files, name)
			}
			f(t, files, target)
		})
	}
}

// withoutProse returns the language-independent parts of a spec.
func withoutProse(s *spec.Spec) *spec.Spec {
	out := &spec.Spec{Front: s.Front, Title: s.Title, Trace: s.Trace, Links: s.Links, Baseline: s.Baseline}
	for _, f := range s.Files {
		out.Files = append(out.Files, spec.InventoryFile{Path: f.Path, LOC: f.LOC})
	}
	for _, r := range s.Requirements {
		out.Requirements = append(out.Requirements, spec.Requirement{ID: r.ID, Symbol: r.Symbol, Evidence: r.Evidence})
	}
	for _, c := range s.Scenarios {
		out.Scenarios = append(out.Scenarios, spec.Scenario{ID: c.ID, Covers: c.Covers, Evidence: c.Evidence})
	}
	for _, c := range s.ContractTests {
		out.ContractTests = append(out.ContractTests, spec.ContractTest{
			ID: c.ID, Type: c.Type, Covers: c.Covers, Needs: c.Needs, Script: c.Script,
		})
	}
	return out
}

// TestDocumentationIsQuotedInChinese: a sentence of the author's in another language than the page is marked as a quotation.
func TestDocumentationIsQuotedInChinese(t *testing.T) {
	source := "public class B {\n  /**\n   * Opens it.\n   *\n   * @throws IllegalStateException if the door is locked\n   */\n  public void open(String key) { door.open(key); }\n\n" +
		"  /**\n   * Shuts it.\n   *\n   * @throws IllegalStateException if 门已关\n   */\n  public void shut(String key) { door.shut(key); }\n}\n"
	p := openProject(t, map[string][]byte{"B.java": []byte(source)})
	_, text := generate(t, p, "B.java", spec.GenerateOptions{Lang: "zh"})
	for _, want := range []string{"当出现文档所述的“the door is locked”情形时，`B.open`", "当门已关时，`B.shut`"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page has no %s:\n%s", want, text)
		}
	}
}
