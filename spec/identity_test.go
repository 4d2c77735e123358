package spec_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/oracle"
	"github.com/reverse-spec/reverse-spec/spec"
)

// rules are the lines between items in specs that people write.
var rules = regexp.MustCompile(`(?m)^---\n\n?`)

// TestTheSpecsOfOthersAreWrittenBack checks that reading loses only the lines between items.
func TestTheSpecsOfOthersAreWrittenBack(t *testing.T) {
	t.Run("ours", func(t *testing.T) { writtenBack(t, filepath.Join("testdata", "loans.zh.md")) })
	t.Run("the contracts'", func(t *testing.T) {
		dir := oracle.Contracts(t)
		writtenBack(t, filepath.Join(dir, "graph-rag.md"))
		writtenBack(t, filepath.Join(dir, "mcp-output.md"))
	})
}

// writtenBack reads a spec with one schema and writes it: nothing but the lines between
// its items may be missing.
func writtenBack(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	written := identical(t, string(text))
	if s, err := spec.Parse(text); err != nil || len(s.Schemas()) != 1 {
		t.Errorf("%s: %v", file, err)
	}
	want := rules.ReplaceAllString(strings.TrimSpace(string(text)), "")
	if diff := cmp.Diff(want, rules.ReplaceAllString(strings.TrimSpace(written), "")); diff != "" {
		t.Error(diff)
	}
}

func TestSchemasAreFoundInSpecs(t *testing.T) {
	const text = "---\n---\n## API\n\n### 3.1\n\n```json\n{\"$schema\": \"x\", \"$id\": \"a\"}\n```\n\n```json\n{\"a\": 1}\n```\n\n" +
		"~~~\n{\n  \"$schema\": \"x\"\n}\n~~~\n\n```json\n{\"$schema\": ...}\n```\n"
	s, err := spec.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []json.RawMessage{json.RawMessage(`{"$schema": "x", "$id": "a"}`), json.RawMessage("{\n  \"$schema\": \"x\"\n}")}
	if diff := cmp.Diff(want, s.Schemas()); diff != "" {
		t.Error(diff)
	}
}

// identical reads a spec, writes it and reads it again: nothing may have changed.
// It returns what was written; "" if the text is not a spec.
func identical(t *testing.T, text string) string {
	t.Helper()
	s, err := spec.Parse([]byte(text))
	if err != nil {
		return ""
	}
	written := s.Render()
	again, err := spec.Parse(written)
	if err != nil {
		t.Fatalf("%q: what was written is no spec: %v\n%s", text, err, written)
	}
	if diff := cmp.Diff(s, again); diff != "" {
		t.Fatalf("%q: reading what was written differs:\n%s\n%s", text, diff, written)
	}
	if diff := cmp.Diff(string(written), string(again.Render())); diff != "" {
		t.Fatalf("%q: written again it differs:\n%s", text, diff)
	}
	return string(written)
}

// handWritten are specs of other hands.
var handWritten = []string{
	"---\nhealth: active\n---\n\n# T\n\n| 属性 | 值 |\n|---|---|\n| a | b \\| c |\n\n## 2. Scenarios（场景规格）\n\n### SC-1: x\n\n" +
		"**Given**：\n- one\n- two\n\n**Then**：\n```json\n{}\n```\n- more\n\n---\n",
	"---\n---\n## API\n\ntext\n\n## Schema\n\n```json\n{\"$schema\": 1}\n```\n",
	"---\nlast_verified: 2026-01-18\n---\n## Contract tests\n\n### CT-1 no colon\n\n**Type:** schema\n\n**Needs**: go, jq\n\n**Script**:\n````bash\n```\n````\n",
	"---\ntype: module-spec\n---\n## 5. Traceability\n\n| a | b | c |\n|---|---|---|\n| CT-1 | x | R-1、R-2 |\n| CT-2 |\n\nnote\n",
	"---\ntype: module-spec\n---\n# T\n\n<!-- keep -->\nmine\n<!-- /keep -->\n\n## 1. Requirements\n\n### REQ-1: a\n\n**Evidence**: doc `a.go:1`, guard `b.go:2`\n",
	"---\n---\n## 2. Scenarios\n\n### 0:：\n\n### 1::\n\n### 2：: x\n\n### 3:0：\n\n### ::\n",
	"---\n---\n## Contract tests\n\n### 0\n\n**Type:****Script**:\n0\n",
	"---\n---\n## Appendix: file inventory\n\n| a | b | c |\n|---|---|---|\n| `x` | about 10 | y |\n",
}

func TestHandWrittenSpecsAreWrittenBack(t *testing.T) {
	for _, text := range handWritten {
		if identical(t, text) == "" {
			t.Errorf("%q is not read", text)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range handWritten {
		f.Add(text)
	}
	for _, archive := range golden.Files(f, "testdata/generate") {
		if _, want, ok := strings.Cut(string(archive), "-- want --\n"); ok {
			f.Add(want)
		}
	}
	f.Fuzz(func(t *testing.T, text string) { identical(t, text) })
}

// TestIDsDoNotDependOnTheLanguage: a spec that is written in another language, and back,
// keeps the ids of its requirements, scenarios and contract tests, and its hash.
func TestIDsDoNotDependOnTheLanguage(t *testing.T) {
	p := openProject(t, map[string][]byte{
		"go.mod": []byte("module shop\n\ngo 1.26\n"),
		"till/till.go": []byte("package till\n\nimport (\n\t\"errors\"\n\t\"os\"\n)\n\n// Till keeps money.\ntype Till struct{ sum int }\n\n" +
			"// Pay takes money.\nfunc (t *Till) Pay(n int) error {\n\tif n < 0 {\n\t\treturn errors.New(\"negative\")\n\t}\n\tif n == 0 {\n\t\treturn errors.New(\"nothing\")\n\t}\n\tt.sum += n\n\treturn nil\n}\n\n" +
			"func Home() string { return os.Getenv(\"TILL_HOME\") }\n"),
		"till/till_test.go": []byte("package till\n\nimport \"testing\"\n\nfunc TestPay(t *testing.T) {\n\tvar x Till\n\tif err := x.Pay(-1); err == nil {\n\t\tt.Fatal(\"no error\")\n\t}\n}\n"),
	})
	ids := func(lang string) map[string]string {
		if _, err := spec.Generate(t.Context(), p, "till", spec.GenerateOptions{Lang: lang}); err != nil {
			t.Fatal(err)
		}
		s, err := spec.Load(p, "specs/till.spec.md")
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]string{"hash": s.Front.SkeletonHash}
		for _, r := range s.Requirements {
			out[r.ID] = r.Symbol + " " + fmt.Sprint(r.Evidence)
		}
		for _, c := range s.Scenarios {
			out[c.ID] = fmt.Sprint(c.Symbols, c.Evidence)
		}
		for _, c := range s.ContractTests {
			out[c.ID] = c.Script
		}
		return out
	}
	first := ids("en")
	if len(first) < 5 {
		t.Fatalf("too little to compare: %v", first)
	}
	for _, lang := range []string{"zh", "en", "zh"} {
		if diff := cmp.Diff(first, ids(lang)); diff != "" {
			t.Errorf("%s: %s", lang, diff)
		}
	}
}
