package spec_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/spec"
)

// TestAnyDocumentationRoundTrips generates specs of code with hostile documentation, which
// must add no section, item or field.
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

// notText removes characters that are invalid in Go source.
var notText = strings.NewReplacer("\r", "", "\x00", "", "\ufeff", "")

func check(t *testing.T, doc string) {
	t.Helper()
	var src strings.Builder
	src.WriteString("package shop\n\n")
	for line := range strings.SplitSeq(strings.ToValidUTF8(doc, ""), "\n") {
		src.WriteString("// " + notText.Replace(line) + "\n")
	}
	src.WriteString("func Buy() {}\n\n// Sell sells.\nfunc Sell() {}\n")
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
	if len(s.Requirements) > 2 || s.Baseline == nil || len(s.Files) != 1 || len(s.Kept) > 0 {
		t.Errorf("%q: %d requirements, %d files, kept %q", doc, len(s.Requirements), len(s.Files), s.Kept)
	}
}

func TestParseRejectsOtherText(t *testing.T) {
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

// TestReadsTheContractsOwnSpecs parses the two specs of the contract, which are hand-written
// in Chinese.
func TestReadsTheContractsOwnSpecs(t *testing.T) {
	dir := filepath.Join("..", "..", "shared", "contract")
	for _, c := range []struct {
		file                   string
		reqs, scenarios, tests int
	}{
		{"graph-rag.md", 4, 6, 7},
		{"mcp-output.md", 3, 4, 4},
	} {
		text, err := os.ReadFile(filepath.Join(dir, c.file))
		if err != nil {
			t.Skipf("the contract does not stand beside this checkout: %v", err)
		}
		s, err := spec.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(s.Lang, len(s.Requirements), len(s.Scenarios), len(s.ContractTests))
		if want := fmt.Sprint("zh", c.reqs, c.scenarios, c.tests); got != want {
			t.Errorf("%s: %s, want %s", c.file, got, want)
		}
		for _, ct := range s.ContractTests {
			if ct.Type == "" || len(ct.Covers) == 0 || ct.Script == "" || ct.Title == "" {
				t.Errorf("%s: %+v", c.file, ct)
			}
		}
	}
}
