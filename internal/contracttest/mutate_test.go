package contracttest_test

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

// stock is a module of Go of which one of two errors is tested.
var stock = map[string]string{
	"go.mod": "module example.com/stock\n\ngo 1.24\n",
	"stock.go": `// Package stock counts what is in a shop.
package stock

import "errors"

// Take returns what is left of have after n are taken.
func Take(have, n int) (int, error) {
	if n < 1 {
		return 0, errors.New("nothing is taken at all")
	}
	if n > have {
		return 0, errors.New("there are not enough of them")
	}
	return have - n, nil
}
`,
	"stock_test.go": `package stock

import "testing"

func TestTake(t *testing.T) {
	if left, err := Take(5, 2); left != 3 || err != nil {
		t.Error(left, err)
	}
	if _, err := Take(5, 6); err == nil || err.Error() != "there are not enough of them" {
		t.Error(err)
	}
}
`,
}

// openStock writes the module and its spec.
func openStock(t *testing.T) *project.Project {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("go is not installed")
	}
	p := openProject(t, stock)
	generate(t, p)
	return p
}

func generate(t *testing.T, p *project.Project) {
	t.Helper()
	if _, err := spec.Generate(t.Context(), p, ".", spec.GenerateOptions{Scope: source.Module}); err != nil {
		t.Fatal(err)
	}
}

const stockSpec = "specs/_root.spec.md"

// TestMutate finds that nobody tests the first error; the lock and the next page say so, until the tests change. The code of
// the project stays as it is, and a second run knows what the first one found.
func TestMutate(t *testing.T) {
	p := openStock(t)
	opts := contracttest.Options{Cache: filepath.Join(t.TempDir(), "verify")}
	mutate := func() contracttest.MutatedSpec {
		t.Helper()
		const all = 100
		r, err := contracttest.Mutate(t.Context(), p, []string{stockSpec}, all, opts)
		if err != nil {
			t.Fatal(err)
		}
		return r.Specs[0]
	}
	first := mutate()
	if first.Failed || first.Note != "" || first.Tried == 0 || first.Noticed == 0 || first.Resumed != 0 {
		t.Fatalf("%+v", first)
	}
	outcome := map[string]string{}
	requirement := ""
	for _, m := range first.Mutants {
		outcome[m.Was+" -> "+m.Now] = string(m.Outcome)
		if m.Was == "n < 1" {
			requirement = strings.Join(m.Requirements, ",")
		}
	}
	for change, want := range map[string]string{
		"n < 1 -> false && (n < 1)": "unnoticed", "n < 1 -> true || (n < 1)": "noticed", "n < 1 -> n < 2": "unnoticed",
		"n > have -> false && (n > have)": "noticed", "have - n -> have + n": "noticed",
	} {
		if outcome[change] != want {
			t.Errorf("%s is %q, want %q", change, outcome[change], want)
		}
	}
	if requirement == "" {
		t.Error("no requirement is named")
	}
	if text := read(t, filepath.Join(p.Root(), "stock.go")); text != stock["stock.go"] {
		t.Errorf("the project was changed:\n%s", text)
	}
	if second := mutate(); second.Resumed != len(first.Mutants) || second.Noticed != first.Noticed {
		t.Errorf("the second run: %+v", second)
	}
	generate(t, p)
	page := read(t, filepath.Join(p.Root(), stockSpec))
	if !strings.Contains(page, "Mistakes that no test notices") || !strings.Contains(page, "`n < 1` → `false && (n < 1)` (`stock.go:8`, "+requirement) {
		t.Errorf("the risks do not say it:\n%s", page)
	}
	write(t, filepath.Join(p.Root(), "stock_test.go"), stock["stock_test.go"]+"\n// more\n")
	generate(t, p)
	if page := read(t, filepath.Join(p.Root(), stockSpec)); strings.Contains(page, "Mistakes that no test notices") {
		t.Error("the tests changed, and the risks say the same")
	}
}

// TestMutateOfOtherCode: tests that pass whatever the code is say nothing.
func TestMutateOfOtherCode(t *testing.T) {
	p := openStock(t)
	write(t, filepath.Join(p.Root(), "bin", "go"), "#!/bin/sh\ncat <<'X' >>\"$TEST_REPORT\"\n{\"Action\":\"pass\",\"Package\":\"example.com/stock\",\"Test\":\"TestTake\"}\nX\ncat \"$TEST_REPORT\"\n")
	if err := exec.CommandContext(t.Context(), "chmod", "+x", filepath.Join(p.Root(), "bin", "go")).Run(); err != nil {
		t.Skip(err)
	}
	t.Setenv("PATH", filepath.Join(p.Root(), "bin")+":"+"/usr/bin:/bin")
	r, err := contracttest.Mutate(t.Context(), p, []string{stockSpec}, 3, contracttest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Specs[0]; !s.Failed || !strings.Contains(s.Note, "they run other code") {
		t.Errorf("%+v", s)
	}
}

// TestMutateOfAnotherCopy: in a copy of Go's standard library, a test outside its package imports that of the compiler, which
// compiles whatever the code of the copy is.
func TestMutateOfAnotherCopy(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("go is not installed")
	}
	p := openProject(t, map[string]string{
		"go.mod": "module std\n\ngo 1.24\n",
		"container/ring/ring.go": `// Package ring has rings.
package ring

// Ring is a ring.
type Ring struct{ n int }

// New returns a ring of n elements, nil for none.
func New(n int) *Ring {
	if n <= 0 {
		return nil
	}
	return &Ring{n}
}

// Len returns the number of elements.
func (r *Ring) Len() int { return r.n }
`,
		"container/ring/ring_test.go": "package ring_test\n\nimport (\n\t\"container/ring\"\n\t\"testing\"\n)\n" +
			"\nfunc TestLen(t *testing.T) {\n\tif n := ring.New(3).Len(); n != 3 {\n\t\tt.Error(n)\n\t}\n}\n",
	})
	if _, err := spec.Generate(t.Context(), p, "container/ring", spec.GenerateOptions{Scope: source.Folder}); err != nil {
		t.Fatal(err)
	}
	r, err := contracttest.Mutate(t.Context(), p, []string{"specs/container/ring.spec.md"}, 3, contracttest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Specs[0]; !s.Failed || !strings.Contains(s.Note, "they run other code") {
		t.Errorf("%+v", s)
	}
}

// TestWriteTests writes a test of the error that nobody tests, and no other file. The test is Go as gofmt writes it, passes,
// and is kept when the tests are written again; a file of somebody else is left alone.
func TestWriteTests(t *testing.T) {
	p := openStock(t)
	file := filepath.Join(p.Root(), "contract_generated_test.go")
	write(t, file, "package stock\n")
	r, err := contracttest.WriteTests(t.Context(), p, ".", "module", nil, contracttest.Options{})
	if err != nil || len(r.Files) != 0 || len(r.Notes) != 1 || read(t, file) != "package stock\n" {
		t.Fatalf("a file of somebody else: %+v, %v", r, err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r, err = contracttest.WriteTests(t.Context(), p, ".", "module", nil, contracttest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Kept) != 1 || r.Kept[0].Place != "stock.go:9" || r.Kept[0].Mutant != "n < 1 → false && (n < 1)" || len(r.Refused) != 0 {
			t.Fatalf("%+v", r)
		}
	}
	text := read(t, file)
	if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
		t.Errorf("not as gofmt writes it (%v):\n%s", err, text)
	}
	run := exec.CommandContext(t.Context(), "go", "test", ".")
	run.Dir = p.Root()
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
