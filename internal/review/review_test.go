package review_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/review"
	"github.com/reverse-spec/reverse-spec/spec"
)

var before = map[string]string{
	"go.mod": "module a.example/shop\n\ngo 1.24\n",
	"cart/cart.go": `package cart

import "errors"

// Add adds.
func Add(a, b int) (int, error) {
	if a < 0 {
		return 0, errors.New("negative")
	}
	return a + b, nil
}

// Total is the sum.
func Total(list []int) int {
	sum := 0
	for _, n := range list {
		sum += n
	}
	return sum
}

func Gone() int { return 1 }
`,
	"cart/cart_test.go": `package cart

import "testing"

func TestAdd(t *testing.T) {
	if _, err := Add(-1, 2); err == nil {
		t.Fatal()
	}
}

func TestTotal(t *testing.T) {
	if Total([]int{1}) != 1 {
		t.Fatal()
	}
}
`,
	"shop/shop.go": `package shop

import "a.example/shop/cart"

// Buy buys.
func Buy() int {
	n, _ := cart.Add(1, 2)
	return n + cart.Gone()
}
`,
}

var after = map[string]string{
	"cart/cart.go": strings.NewReplacer("func Add(a, b int)", "func Add(a, b, c int)", "a + b, nil", "a + b + c, nil", `"negative"`, `"below zero"`, "func Gone() int { return 1 }\n",
		"func New(s string) (string, error) {\n\tif s == \"\" {\n\t\treturn \"\", errors.New(\"no name\")\n\t}\n\treturn s, nil\n}\n").Replace(before["cart/cart.go"]),
	"cart/cart_test.go": strings.Replace(before["cart/cart_test.go"], "Add(-1, 2)", "Add(-1, 2, 3)", 1),
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b.c"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v %s", args, err, out)
	}
}

// changed returns a project with a spec, in which a change is not committed.
func changed(t *testing.T) (*project.Project, string, *graphs.Graphs) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir := t.TempDir()
	write(t, dir, before)
	git(t, dir, "init", "-q")
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	if _, err := spec.Generate(t.Context(), p, "cart", spec.GenerateOptions{}); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "one")
	write(t, dir, after)
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	g := graphs.New(graphs.Options{Store: func() (store.Store, error) { return s, nil }})
	t.Cleanup(func() { _ = g.Close() })
	return p, dir, g
}

// lines are the briefing for a terminal, without the commands, which depend on the tool.
func lines(t *testing.T, r *review.Review) string {
	t.Helper()
	var b strings.Builder
	if err := r.Text(&b); err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(b.String()) {
		if !strings.Contains(line, "go test") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

const briefing = `Risk: high — 2 breaking changes: 2 places that use what changed are not touched; 1 behaviour is not as it was, and 1 statement of specs says otherwise; 1 new behaviour or declaration that no requirement states; no test is known to reach 1 function that changed: ` + "`New`" + `
since HEAD, 1 file of code, 1 of tests

Breaking
  cart/cart.go:22 export ` + "`Gone`" + ` was removed
      says otherwise: REQ-CART-002 “` + "`Gone` SHALL return `1`" + `” (specs/cart.spec.md:40)
      named by, and not touched: shop/shop.go:8
  cart/cart.go:6 ` + "`Add` has a new required parameter `c: int`" + `
      ` + "`func Add(a, b int) (int, error)` → `func Add(a, b, c int) (int, error)`" + `
      used by, and not touched: shop/shop.go:7 (Buy)

No longer as it was
  cart/cart.go:8 no longer as stated: ` + "`Add`" + ` SHALL fail with «negative»: ` + "`negative` → `below zero`" + `
      was: ` + "`return 0, errors.New(\"negative\")`" + ` (cart/cart.go:8)
      says otherwise: REQ-CART-001 “` + "`Add` SHALL return “negative” when `a` is less than `0`" + `” (specs/cart.spec.md:36)
      used by, and not touched: shop/shop.go:7 (Buy)

New, and no requirement states it
  cart/cart.go:22 export ` + "`New`" + ` was added

Tests to run
  1 file: cart/cart_test.go
`

// TestABriefing names the users that a change leaves behind, the statements that it makes untrue, what is new, and the tests.
func TestABriefing(t *testing.T) {
	p, _, g := changed(t)
	if _, err := g.Index(t.Context(), p, false); err != nil {
		t.Fatal(err)
	}
	r, err := review.Of(t.Context(), p, g, review.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(briefing, lines(t, r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for level, want := range map[string]bool{"low": true, "high": true, "breaking": true, "never": false} {
		if got, err := r.Fails(level); err != nil || got != want {
			t.Errorf("fails on %s: %v %v", level, got, err)
		}
	}
	if !strings.HasPrefix(string(r.Markdown()), review.Marker+"\n**Risk: high — ") || !strings.Contains(string(r.SARIF()), `"startLine": 22`) {
		t.Errorf("%s\n%s", r.Markdown(), r.SARIF())
	}
}

// TestWithoutAGraph users are found by name, and the review says so.
func TestWithoutAGraph(t *testing.T) {
	p, _, g := changed(t)
	r, err := review.Of(t.Context(), p, g, review.Options{Base: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	got := lines(t, r)
	for _, want := range []string{"named by, and not touched: shop/shop.go:8", "named by, and not touched: shop/shop.go:7", "reverse-spec index makes one"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
}

// TestWhatIsStagedIsReviewed, not what is only in the files; nothing is written.
func TestWhatIsStagedIsReviewed(t *testing.T) {
	p, dir, _ := changed(t)
	write(t, dir, map[string]string{"cart/cart.go": strings.Replace(before["cart/cart.go"], `"negative"`, `"staged"`, 1)})
	git(t, dir, "add", "cart/cart.go")
	write(t, dir, after)
	r, err := review.Of(t.Context(), p, nil, review.Options{Staged: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Breaking) != 0 || len(r.Untrue) != 1 || r.Untrue[0].NewValue != "staged" || r.Files.Code != 1 || r.Files.Tests != 0 {
		t.Errorf("%+v", r)
	}
}

// TestTheTestsAreRun when the caller says how.
func TestTheTestsAreRun(t *testing.T) {
	p, _, g := changed(t)
	run := func(_ context.Context, _ *project.Project, drafts []spec.ContractTest, _ []string) ([]spec.Checked, error) {
		out := make([]spec.Checked, len(drafts))
		for i := range out {
			out[i].Reason = "TestAdd: boom"
		}
		return out, nil
	}
	r, err := review.Of(t.Context(), p, g, review.Options{Run: run})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tests.Commands) != 1 || r.Tests.Commands[0].Outcome != "failed" || r.Risk.Level != review.High {
		t.Errorf("%+v %+v", r.Tests, r.Risk)
	}
}

// TestWhatTheChangeBeginsAt is what is not committed, else what the branch adds, else the last commit.
func TestWhatTheChangeBeginsAt(t *testing.T) {
	p, dir, _ := changed(t)
	base := func() string {
		r, err := review.Of(t.Context(), p, nil, review.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Base
	}
	if got := base(); got != "HEAD" {
		t.Errorf("uncommitted: %s", got)
	}
	git(t, dir, "branch", "-q", "-M", "main")
	git(t, dir, "commit", "-q", "-a", "-m", "two")
	if got := base(); got != "HEAD~1" {
		t.Errorf("on the main branch: %s", got)
	}
	git(t, dir, "checkout", "-q", "-b", "topic")
	write(t, dir, map[string]string{"a.go": "package shop\n"})
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "three")
	if got := base(); len(got) != 12 {
		t.Errorf("on a branch: %s", got)
	}
}

func TestMentions(t *testing.T) {
	for line, want := range map[string]bool{
		"x := Add(1)": true, "cart.Add(1)": true, "a->Add": true, "Add": true, "Added(1)": false, "preAdd(1)": false, "_Add": false, "$Add": false,
		"AddAdd Add": true, "éAdd": false, "Addé": false, "(Add)": true, "": false,
	} {
		if got := review.Mentions(line, "Add"); got != want {
			t.Errorf("%q: %t", line, got)
		}
	}
}
