package contracttest_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

// till uses the stock, and only its test sees the text of an error of the stock.
var till = map[string]string{
	"go.mod": stock["go.mod"], "stock/stock.go": stock["stock.go"], "stock/stock_test.go": stock["stock_test.go"],
	"till/till.go": `// Package till sells what is in stock.
package till

import "example.com/stock/stock"

// Sell returns what is left after one is sold, or why none is.
func Sell(have, n int) string {
	if _, err := stock.Take(have, n); err != nil {
		return err.Error()
	}
	return "sold"
}
`,
	"till/till_test.go": `package till

import "testing"

func TestSellsNothing(t *testing.T) {
	if got := Sell(3, 0); got != "nothing is taken at all" {
		t.Error(got)
	}
}

func TestNeverPasses(t *testing.T) { t.Error("as ever") }
`,
}

const tillStock = "specs/stock.spec.md"

func openTill(t *testing.T) *project.Project {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("go is not installed")
	}
	p := openProject(t, till)
	if _, err := spec.Generate(t.Context(), p, "stock", spec.GenerateOptions{Scope: source.Folder}); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestMutateWidely has a test of other code notice what those of the module do not. A test that never passes notices nothing.
func TestMutateWidely(t *testing.T) {
	p := openTill(t)
	opts := contracttest.Options{Cache: filepath.Join(t.TempDir(), "verify")}
	const some = 6
	r, err := contracttest.Mutate(t.Context(), p, []string{tillStock}, some, opts)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Specs[0]
	by := map[string]string{}
	for _, m := range s.Mutants {
		if m.Elsewhere {
			by[m.Was+" -> "+m.Now] = m.By
		}
		if m.By == "TestNeverPasses" {
			t.Errorf("%+v", m)
		}
	}
	if by[`errors.New("nothing is taken at all") -> errors.New("")`] != "TestSellsNothing" || s.Elsewhere != len(by) {
		t.Errorf("noticed elsewhere: %v, %d", by, s.Elsewhere)
	}
	again, err := contracttest.Mutate(t.Context(), p, []string{tillStock}, some, opts)
	if err != nil || again.Specs[0].Resumed != len(s.Mutants) || again.Specs[0].Elsewhere != s.Elsewhere {
		t.Errorf("the second run: %+v, %v", again.Specs[0], err)
	}
}

// TestMutateTooWidely: a suite that takes longer than a test may is left out with a word, and run when there is more time.
func TestMutateTooWidely(t *testing.T) {
	p := openTill(t)
	slow := strings.Replace(till["till/till_test.go"], `import "testing"`, "import (\n\t\"testing\"\n\t\"time\"\n)", 1) +
		"\nfunc TestSlow(t *testing.T) { time.Sleep(3 * time.Second) }\n"
	write(t, filepath.Join(p.Root(), "till", "till_test.go"), slow)
	opts := contracttest.Options{Cache: filepath.Join(t.TempDir(), "verify"), Timeout: 2 * time.Second}
	first, err := contracttest.Mutate(t.Context(), p, []string{tillStock}, 4, opts)
	if err != nil {
		t.Fatal(err)
	}
	if s := first.Specs[0]; s.Elsewhere != 0 || s.Failed || !strings.Contains(s.Note, "all tests run by go test are not done after 2s") {
		t.Fatalf("%+v", s)
	}
	opts.Timeout = time.Minute
	second, err := contracttest.Mutate(t.Context(), p, []string{tillStock}, 4, opts)
	if err != nil {
		t.Fatal(err)
	}
	if s := second.Specs[0]; s.Elsewhere == 0 || s.Resumed == 0 || s.Note != "" {
		t.Errorf("with more time: %+v", s)
	}
}

// TestVerifySuite reports a failure of other code, and leaves the health of the spec to its own tests.
func TestVerifySuite(t *testing.T) {
	p := openTill(t)
	r, err := contracttest.Verify(t.Context(), p, []string{tillStock}, contracttest.Options{Suite: true, Only: []string{"CT-STOCK-002"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.OK() || r.Failed != 0 || r.Specs[0].Health == "failing" || len(r.Suites) != 1 {
		t.Fatalf("%+v", r)
	}
	s := r.Suites[0]
	if s.Outcome != contracttest.Failed || s.Failed != 1 || s.Tests != 3 || s.Failures[0].Name != "TestNeverPasses" {
		t.Errorf("%+v", s)
	}
	var text strings.Builder
	if err := r.Text(&text, message.English); err != nil || !strings.Contains(text.String(), "FAIL all tests run by go test (1 of 3 tests failed; TestNeverPasses: ") {
		t.Errorf("%v\n%s", err, &text)
	}
	if xml := string(r.JUnit(message.English)); !strings.Contains(xml, `classname="." name="go test -count=1 ./..."`) {
		t.Error(xml)
	}
	write(t, filepath.Join(p.Root(), "till", "till_test.go"), strings.Replace(till["till/till_test.go"], `t.Error("as ever")`, "", 1))
	if r, err = contracttest.Verify(t.Context(), p, []string{tillStock}, contracttest.Options{Suite: true, Only: []string{"CT-STOCK-002"}}); err != nil || !r.OK() {
		t.Errorf("%+v, %v", r, err)
	}
}
