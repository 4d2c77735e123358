package spec_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/oracle"
	"github.com/reverse-spec/reverse-spec/spec"
)

// TestAnyDocumentationRoundTrips puts hostile documentation into code: whatever
// it holds, it adds no section, no item and no field to the spec.
func TestAnyDocumentationRoundTrips(t *testing.T) {
	for _, doc := range hostile {
		check(t, doc)
	}
}

var hostile = []string{
	"# Heading\n\n## 9. Technical debt\n\n### REQ-SHOP-007: mine",
	"Text\n---\nmore\n===\nend",
	"```go\nunclosed",
	"~~~~\n```\n## 1. Requirements",
	"<!-- keep -->\nnever closed",
	"<!-- baseline-skeleton: AAAA -->",
	"**Symbol**: `other`\n\n**Evidence**: doc `x:1`",
	"| a | b |\n|---|---|\n| c | d |",
	"a `` b ` c ``` d",
	"Title: with colon",
	"\u2063keep-block-0\u2063",
	"- list\n  - deeper\n\n\n\n\nfar",
	"<div>\n## 2. Scenarios\n</div>",
	"   ## indented\n\t# tab",
	"x.\r\n\r\n## 3. crlf",
	"> quote\n> ## in quote",
	"1. one\n   ## 4. in list",
	"ends in a fence ```",
	"*/ ",
	"中文。第二句。",
}

func FuzzDocumentation(f *testing.F) {
	for _, doc := range hostile {
		f.Add(doc)
	}
	f.Fuzz(check2)
}

func check2(t *testing.T, doc string) { check(t, doc) }

// notText takes out what makes a file no Go source at all.
var notText = strings.NewReplacer("\r", "", "\x00", "", "\ufeff", "")

func check(t *testing.T, doc string) {
	t.Helper()
	var src strings.Builder
	src.WriteString("package shop\n\n")
	for line := range strings.SplitSeq(strings.ToValidUTF8(doc, ""), "\n") {
		src.WriteString("// " + notText.Replace(line) + "\n")
	}
	src.WriteString("func Buy() {}\n\n// Sell sells what is there. It returns nothing.\nfunc Sell() {}\n")
	p := openProject(t, map[string][]byte{"a.go": []byte(src.String())})
	s, text := generate(t, p, ".", spec.GenerateOptions{})
	if diff := cmp.Diff(string(text), string(s.Render())); diff != "" {
		t.Errorf("%q: render(parse(text)) differs:\n%s", doc, diff)
	}
	for _, r := range s.Requirements {
		if r.Symbol != "Buy" && r.Symbol != "Sell" || len(r.Evidence) != 1 {
			t.Errorf("%q: requirement %+v", doc, r)
		}
	}
	if len(s.Requirements) > 2 || s.Baseline == nil || len(s.Kept) > 0 {
		t.Errorf("%q: %d requirements, kept %q", doc, len(s.Requirements), s.Kept)
	}
}

func TestParseRefusesWhatIsNoSpec(t *testing.T) {
	for _, text := range []string{"", "# Title\n", "---\nunclosed: 1\n"} {
		if _, err := spec.Parse([]byte(text)); !errors.Is(err, spec.ErrNotSpec) {
			t.Errorf("%q: %v", text, err)
		}
	}
	damaged := "---\ntype: module-spec\n---\n\n# x\n\n<!-- baseline-skeleton: !!!! -->\n"
	if _, err := spec.Parse([]byte(damaged)); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("damaged baseline: %v", err)
	}
}

// TestReadsTheSpecsOfOthers reads a hand-written spec in Chinese and the two specs of the contract.
func TestReadsTheSpecsOfOthers(t *testing.T) {
	t.Run("ours", func(t *testing.T) { readsItems(t, filepath.Join("testdata", "loans.zh.md"), 2, 3, 3) })
	t.Run("the contracts'", func(t *testing.T) {
		dir := oracle.Contracts(t)
		readsItems(t, filepath.Join(dir, "graph-rag.md"), 4, 6, 7)
		readsItems(t, filepath.Join(dir, "mcp-output.md"), 3, 4, 4)
	})
}

// readsItems holds what is read of a Chinese spec to the numbers of its items. No part of
// a contract test may be missing.
func readsItems(t *testing.T, file string, reqs, scenarios, tests int) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(s.Lang, len(s.Requirements), len(s.Scenarios), len(s.ContractTests))
	if want := fmt.Sprint("zh", reqs, scenarios, tests); got != want {
		t.Errorf("%s: %s, want %s", file, got, want)
	}
	for _, ct := range s.ContractTests {
		if ct.Type == "" || len(ct.Covers) == 0 || ct.Script == "" || ct.Title == "" {
			t.Errorf("%s: %+v", file, ct)
		}
	}
}

// TestAContractTestIsReadWhole reads one contract test with all that is said of it.
func TestAContractTestIsReadWhole(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "loans.zh.md"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	ct := s.ContractTests[0]
	got := []string{ct.ID, ct.Title, ct.Type, strings.Join(ct.Covers, " "), ct.Script}
	want := []string{
		"CT-LOAN-001", "默认期限是 28 天", "behavior", "REQ-LOAN-001 SC-LOAN-001",
		"# 三月一日借，三月二十九日还\nloan \"Moby-Dick\" --on 2026-03-01 | \\\n  jq -e '.due == \"2026-03-29\"'",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
