package mcp_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/llm/prompt"
)

// callersOf are the names of those that a page of a chain shows as new.
func callersOf(h *rag.Hop) []string {
	var out []string
	for _, c := range h.Callers {
		if !c.Given {
			out = append(out, c.Symbol)
		}
		out = append(out, callersOf(c)...)
	}
	return out
}

func TestPagesOfAChainHaveEachHopOnce(t *testing.T) {
	text := manyCallers("int")
	for i := range 200 {
		text += fmt.Sprintf("\nfunc Above%03d() { Caller%03d(1, 2) }\n", i, i)
	}
	s, _ := large(t, map[string]string{"many.go": text})
	var got, want []string
	for _, m := range pages(t, s, "ci_call_chain", `{"symbol":"Long","direction":"callers"}`) {
		var c rag.Chain
		if err := json.Unmarshal(m.Result.StructuredContent, &c); err != nil {
			t.Fatal(err)
		}
		if c.Metadata.Hops != 600 {
			t.Errorf("%d hops in all", c.Metadata.Hops)
		}
		got = append(got, callersOf(c.Chain[0])...)
	}
	for i := range 400 {
		want = append(want, fmt.Sprintf("large.many.Caller%03d", i))
	}
	for i := range 200 {
		want = append(want, fmt.Sprintf("large.many.Above%03d", i))
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The code is our own: a search leaves out of code that was made up what is alike.
func TestPagesOfCandidatesAreTheCandidates(t *testing.T) {
	files := map[string]string{}
	names, err := filepath.Glob("../internal/codegraph/rag/*.go")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = string(text)
	}
	s, _ := large(t, files)
	const arguments = `{"query":"candidates of a question within the budget","top_k":50,"depth":5,"budget":%d}`
	paged := pages(t, s, "ci_graph_rag", fmt.Sprintf(arguments, 8000))
	behind := 0
	for i, m := range slices.Backward(paged) {
		var a rag.Answer
		if err := json.Unmarshal(m.json(), &a); err != nil {
			t.Fatal(err)
		}
		if a.Metadata.Total != len(a.Candidates) || a.Metadata.LeftOut != behind || prompt.Tokens(m.Result.Content[0].Text) > 8000 {
			t.Errorf("page %d: %d candidates, and %d behind them: %+v", i, len(a.Candidates), behind, a.Metadata)
		}
		behind += len(a.Candidates)
	}
	got := candidates(t, listed(t, paged, "candidates"))
	whole := decode(t, talk(t, s, fmt.Sprintf(call2, "ci_graph_rag", fmt.Sprintf(arguments, 90_000)))[0])
	if whole.next(t) != nil {
		t.Error("a large budget is cut into pages")
	}
	if diff := cmp.Diff(candidates(t, listed(t, []message{whole}, "candidates")), got); diff != "" {
		t.Error(diff)
	}
}

// candidates are the symbols of candidates, a line each.
func candidates(t *testing.T, lines string) []string {
	t.Helper()
	var out []string
	for line := range strings.Lines(lines) {
		var c rag.Candidate
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c.Symbol)
	}
	return out
}

func TestPagesOfADriftReportAreItsItems(t *testing.T) {
	s, p := large(t, map[string]string{"many.go": manyCallers("int")})
	talk(t, s, fmt.Sprintf(call2, "generate", `{"targetPath":"many.go"}`))
	if err := os.WriteFile(filepath.Join(p.Root(), "many.go"), []byte(manyCallers("string")), 0o644); err != nil {
		t.Fatal(err)
	}
	got := pages(t, s, "diff", `{"specPath":"specs/many.go.spec.md","sourcePath":"many.go"}`)
	want := ""
	for i := range 400 {
		want += fmt.Sprintf("{\"id\":\"DRIFT-%03d\"\n", i+1)
	}
	ids := ""
	for line := range strings.Lines(listed(t, got, "items")) {
		ids += line[:strings.Index(line, ",")] + "\n"
	}
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Error(diff)
	}
	for _, m := range got {
		if !strings.Contains(string(m.Result.StructuredContent), `"totalChanges":400`) {
			t.Errorf("counts of a page: %.300s", m.Result.StructuredContent)
		}
	}
}

func TestPagesOfSpecsHaveEachTestOnce(t *testing.T) {
	files, want := map[string]string{}, ""
	for i := range 3 {
		var b strings.Builder
		b.WriteString("---\nhealth: unverified\n---\n\n## 4. Contract tests\n")
		for j := range 100 {
			fmt.Fprintf(&b, "\n### CT-%d-%02d: it runs\n\n**Type**: behavior\n\n**Covers**: REQ-%d\n\n**Script**:\n```bash\n# %s\ntrue\n```\n",
				i, j, j, strings.Repeat("why it does ", 20))
			want += fmt.Sprintf("CT-%d-%02d\n", i, j)
		}
		b.WriteString("\n## 5. Traceability\n\n| Test | Type | Covers |\n|---|---|---|\n")
		for j := range 100 {
			fmt.Fprintf(&b, "| CT-%d-%02d | behavior | REQ-%d |\n", i, j, j)
			want += fmt.Sprintf("row CT-%d-%02d\n", i, j)
		}
		files[fmt.Sprintf("s%d.spec.md", i)] = b.String()
	}
	files["z.spec.md"] = "---\nhealth: unverified\n---\n\nNothing.\n"
	s, _ := large(t, files)
	got := ""
	for _, m := range pages(t, s, "verify", `{}`) {
		var r contracttest.Report
		if err := json.Unmarshal(m.Result.StructuredContent, &r); err != nil {
			t.Fatal(err)
		}
		for _, of := range r.Specs {
			for _, test := range of.Tests {
				got += test.ID + "\n"
			}
			for _, row := range of.Matrix {
				got += "row " + row.Test + "\n"
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The lists of a batch that are too long are in its summary, which is named.
func TestALongBatchNamesItsSummary(t *testing.T) {
	files := map[string]string{}
	var modules []string
	for i := range 180 {
		folder := fmt.Sprintf("%s%03d", strings.Repeat("a-long-name-", 20), i)
		modules = append(modules, folder)
		files["inner/"+folder+"/a.go"] = "package a\n\n// A is a.\nconst A = 1\n"
	}
	s, _ := large(t, files)
	got := pages(t, s, "batch", `{"projectRoot":"inner","summary":true}`)
	text := got[1].Result.Content[0].Text
	for _, m := range got[2:] {
		text += m.Result.Content[0].Text
	}
	for _, m := range modules {
		if !strings.Contains(text, "| `"+m+"` |") {
			t.Errorf("%s is not in the summary", m)
		}
	}
}

func TestPrepareNamesTheCallForTheRest(t *testing.T) {
	few, _, _ := strings.Cut(manyCallers("int"), "\n// Caller150")
	files := map[string]string{"a/many.go": few, "a/b.go": "package many\n"}
	for i := range 40 {
		files[fmt.Sprintf("b/f%02d.go", i)] = strings.ReplaceAll(manyCallers("int"), "Caller", fmt.Sprintf("C%02d", i))
	}
	s, _ := large(t, files)
	for arguments, want := range map[string]struct {
		tool string
		keys []string
	}{
		`{"targetPath":"a"}`:             {"prepare", []string{"maxTokens", "targetPath"}},
		`{"targetPath":"b"}`:             {"prepare", []string{"maxTokens", "offset", "targetPath"}},
		`{"targetPath":"b","deep":true}`: {"prepare", []string{"deep", "maxTokens", "offset", "targetPath"}},
		`{"targetPath":"a/b.go"}`:        {},
	} {
		n := decode(t, talk(t, s, fmt.Sprintf(call2, "prepare", arguments))[0]).next(t)
		if n == nil {
			n = &nextCall{Arguments: json.RawMessage("{}")}
		}
		var given map[string]any
		if err := json.Unmarshal(n.Arguments, &given); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.keys, slices.Sorted(maps.Keys(given))); diff != "" || n.Tool != want.tool {
			t.Errorf("%s: %s %s %s", arguments, n.Tool, n.Arguments, diff)
		}
		if want.tool == "" {
			continue
		}
		m := decode(t, talk(t, s, fmt.Sprintf(call2, n.Tool, n.Arguments))[0])
		if m.Result.IsError || n.Remaining == 0 || given["offset"] == nil && m.next(t) != nil {
			t.Errorf("%s, then %s: %.300s", arguments, n.Arguments, m.Result.Content[0].Text)
		}
	}
}

// TestPagesOfPrepareAreTheSymbols: each page has skeletons and keeps its bound, next
// included; all together have each symbol once.
func TestPagesOfPrepareAreTheSymbols(t *testing.T) {
	const limit = 2_000
	files := map[string]string{"b/empty.go": "package many\n"}
	want := map[string]int{}
	for i := range 5 {
		var src strings.Builder
		src.WriteString("package many\n")
		for j := range 20 {
			fmt.Fprintf(&src, "\n// F%d_%d does it.\nfunc F%[1]d_%[2]d(n int) int { return g%[1]d_%[2]d(n) }\n\nfunc g%[1]d_%[2]d(n int) int { return n }\n", i, j)
			want[fmt.Sprintf("F%d_%d", i, j)], want[fmt.Sprintf("g%d_%d", i, j)] = 1, 1
		}
		files[fmt.Sprintf("b/f%d.go", i)] = src.String()
	}
	s, _ := large(t, files)
	got := map[string]int{}
	for i, m := range pages(t, s, "prepare", fmt.Sprintf(`{"targetPath":"b","maxTokens":%d}`, limit)) {
		var page struct {
			Skeletons []struct{ Exports, Internals []struct{ Name string } }
		}
		if err := json.Unmarshal(m.Result.StructuredContent, &page); err != nil {
			t.Fatal(err)
		}
		if size := len(m.Result.Content[0].Text) / 3; len(page.Skeletons) == 0 || size > limit {
			t.Errorf("page %d: %d skeletons, %d tokens", i, len(page.Skeletons), size)
		}
		for _, k := range page.Skeletons {
			for _, symbol := range slices.Concat(k.Exports, k.Internals) {
				got[symbol.Name]++
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAPageBehindTheLastIsRefused(t *testing.T) {
	s, _ := large(t, map[string]string{"many.go": manyCallers("int")})
	for tool, arguments := range map[string]string{
		"list_directory": `{"offset":99}`,
		"ci_call_chain":  `{"symbol":"Long","offset":9999}`,
		"ci_graph_rag":   `{"query":"caller","offset":9999}`,
		"read_file":      `{"file_path":"many.go","column":999999}`,
		"prepare":        `{"targetPath":"many.go","offset":999999}`,
	} {
		m := decode(t, talk(t, s, fmt.Sprintf(call2, tool, arguments))[0])
		if !m.Result.IsError || !strings.Contains(m.Result.Content[0].Text, "is beyond the ") {
			t.Errorf("%s: %+v", tool, m.Result)
		}
	}
}
