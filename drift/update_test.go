package drift_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/spec"
)

const shop = `package shop

import "errors"

// Max is the limit.
const Max = 10

// Add adds.
func Add(a, b int) (int, error) {
	if a < 0 {
		return 0, errors.New("negative")
	}
	sum := a + b
	if sum > Max {
		return 0, errors.New("too large")
	}
	return sum, nil
}

// Kind says which kind.
func Kind(s string) string {
	switch s {
	case "a":
		return "alpha"
	case "b":
		return "beta"
	}
	return "none"
}

// Name refuses nothing.
func Name(s string) (string, error) {
	if s == "" {
		return "", errors.New("no name")
	}
	return s, nil
}
`

const shopTest = `package shop

import "testing"

func TestKind(t *testing.T) {
	if Kind("a") != "alpha" {
		t.Fatal()
	}
}
`

// TestStatementsThatBecameUntrue are named with what they were and what they are, with and without a spec, and --update
// rewrites them and no other line.
func TestStatementsThatBecameUntrue(t *testing.T) {
	p, dir := openProject(t, map[string]string{"shop/shop.go": shop, "shop/shop_test.go": shopTest, "go.mod": "module a.example/shop\n"})
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "one")
	if _, err := spec.Generate(t.Context(), p, "shop", spec.GenerateOptions{Now: at}); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, "specs", "shop.spec.md")
	before, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, map[string]string{"shop/shop.go": strings.NewReplacer(`"too large"`, `"too much"`, `"beta"`, `"BETA"`, "sum", "total", "a < 0", "a <= 0").Replace(shop)})
	want := `Add: a < 0 → a <= 0
  was shop/shop.go:11 return 0, errors.New("negative")
  is shop/shop.go:11 return 0, errors.New("negative")
  REQ-SHOP-001 specs/shop.spec.md:51
Add: too large (not a < 0 && sum > Max where sum := a + b; Max = 10) → too much (not a <= 0 && total > Max where total := a + b; Max = 10)
  was shop/shop.go:15 return 0, errors.New("too large")
  is shop/shop.go:15 return 0, errors.New("too much")
  REQ-SHOP-001 specs/shop.spec.md:51
Kind: s is "b" → "beta" → s is "b" → "BETA"
  was shop/shop.go:26 return "beta"
  is shop/shop.go:26 return "BETA"
  REQ-SHOP-002 specs/shop.spec.md:60
`
	for _, opts := range []drift.Options{{Spec: "specs/shop.spec.md"}, {Source: "shop", Base: "HEAD"}} {
		opts.NoReport, opts.Now = true, at
		r, err := drift.Detect(t.Context(), p, opts)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, becameUntrue(r)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", opts, diff)
		}
	}
	r, err := drift.Detect(t.Context(), p, drift.Options{Spec: "specs/shop.spec.md", NoReport: true, Now: at})
	if err != nil {
		t.Fatal(err)
	}
	if err := drift.Update(t.Context(), p, r); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]drift.Updated{{SpecPath: "specs/shop.spec.md", Statements: []string{"REQ-SHOP-001", "REQ-SHOP-002", "Tables that decide"}}}, r.Updated); diff != "" {
		t.Error(diff)
	}
	after, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rewritten, changedLines(string(before), string(after))); diff != "" {
		t.Errorf("the lines that were rewritten (-want +got):\n%s", diff)
	}
	if r, err = drift.Detect(t.Context(), p, drift.Options{Spec: "specs/shop.spec.md", NoReport: true, Now: at}); err != nil || len(r.Items) > 0 {
		t.Errorf("after the update: %v, %s", err, itemsOf(r))
	}
}

const rewritten = "- | `Kind` by `s` | `\"a\"` → `\"alpha\"`; `\"b\"` → `\"beta\"` | `shop.go:22` |\n" +
	"+ | `Kind` by `s` | `\"a\"` → `\"alpha\"`; `\"b\"` → `\"BETA\"` | `shop.go:22` |\n" +
	"- | `a` is less than `0` | “negative” | `shop.go:11` |\n" +
	"+ | `a` is at most `0` | “negative” | `shop.go:11` |\n" +
	"- | `sum` is more than `Max`, where `sum` is `a + b` and `Max` is `10` | “too large” | `shop.go:15` |\n" +
	"+ | `total` is more than `Max`, where `total` is `a + b` and `Max` is `10` | “too much” | `shop.go:15` |\n" +
	"- | `s` is `\"b\"` | `\"beta\"` | `shop.go:26` |\n" +
	"+ | `s` is `\"b\"` | `\"BETA\"` | `shop.go:26` |\n"

// becameUntrue tells the items of a report with their statements and sources.
func becameUntrue(r *drift.Report) string {
	var b strings.Builder
	for _, i := range r.Items {
		b.WriteString(i.SymbolName + ": " + i.OldValue + " → " + i.NewValue + "\n")
		if i.Was != nil && i.Is != nil {
			b.WriteString("  was " + i.Was.Location + " " + i.Was.Text + "\n  is " + i.Is.Location + " " + i.Is.Text + "\n")
		}
		for _, s := range i.Statements {
			b.WriteString("  " + s.ID + " " + s.Location + "\n")
		}
	}
	return b.String()
}

// changedLines returns the lines of two texts of the same number of lines that differ.
func changedLines(before, after string) string {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	var out strings.Builder
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) {
			return "another number of lines:\n" + after
		}
		if a[i] != b[i] {
			out.WriteString("- " + a[i] + "\n+ " + b[i] + "\n")
		}
	}
	return out.String()
}

// TestStatementsThatAPageLeavesOut are named, too, in the words of their claims, and --update takes them out of the lock.
func TestStatementsThatAPageLeavesOut(t *testing.T) {
	many := strings.Builder{}
	many.WriteString("package shop\n\nimport \"errors\"\n")
	for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		fmt.Fprintf(&many, "\n// Check%[1]c checks.\nfunc Check%[1]c(n int) error {\n\tif n == %[2]d {\n\t\treturn errors.New(\"number %[1]c is taken\")\n\t}\n\treturn nil\n}\n", c, c)
	}
	p, dir := openProject(t, map[string]string{"shop/shop.go": many.String(), "go.mod": "module a.example/shop\n"})
	if _, err := spec.Generate(t.Context(), p, "shop", spec.GenerateOptions{Now: at}); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "specs", "shop.spec.md"))
	if err != nil {
		t.Fatal(err)
	}
	last := "Z"
	for strings.Contains(string(page), "number "+last+" is taken") {
		last = string(last[0] - 1)
	}
	put(t, dir, map[string]string{"shop/shop.go": strings.Replace(many.String(), "number "+last+" is taken", "number "+last+" is gone", 1)})
	detect := func() *drift.Report {
		r, err := drift.Detect(t.Context(), p, drift.Options{Spec: "specs/shop.spec.md", NoReport: true, Now: at})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := detect()
	if len(r.Items) != 1 || len(r.Items[0].Statements) != 1 || !strings.HasPrefix(r.Items[0].Statements[0].ID, "REQ-SHOP-") || !strings.Contains(r.Items[0].Statements[0].Title, "is taken") {
		t.Fatalf("%s: %+v", itemsOf(r), r.Items)
	}
	if err := drift.Update(t.Context(), p, r); err != nil {
		t.Fatal(err)
	}
	if r := detect(); len(r.Items) > 0 {
		t.Errorf("after the update: %s", itemsOf(r))
	}
}

// TestAChangedExitLeavesWhatIsSaidOfLaterOnes: its condition is part of theirs, and not of what the page says of them.
func TestAChangedExitLeavesWhatIsSaidOfLaterOnes(t *testing.T) {
	const code = `package shop

import "errors"

// Add adds.
func Add(name string, strict bool, n int) error {
	if name == "" {
		return errors.New("no name")
	}
	if n < 0 {
		return errors.New("negative")
	}
	if n > 9 {
		return errors.New("many")
	}
	return nil
}
`
	p, dir := openProject(t, map[string]string{"shop/shop.go": code, "go.mod": "module a.example/shop\n"})
	if _, err := spec.Generate(t.Context(), p, "shop", spec.GenerateOptions{Now: at}); err != nil {
		t.Fatal(err)
	}
	put(t, dir, map[string]string{"shop/shop.go": strings.Replace(code, `if name == "" {`, `if name == "" && strict {`, 1)})
	r, err := drift.Detect(t.Context(), p, drift.Options{Spec: "specs/shop.spec.md", NoReport: true, Now: at})
	if err != nil {
		t.Fatal(err)
	}
	want := `Add: name == "" → name == "" && strict
  was shop/shop.go:8 
  is shop/shop.go:8 return errors.New("no name")
  REQ-SHOP-001 specs/shop.spec.md:34
`
	if diff := cmp.Diff(want, becameUntrue(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestUpdateRewritesTheSummary: where a requirement says that At a glance has its cases, they are rewritten there.
func TestUpdateRewritesTheSummary(t *testing.T) {
	const code = `export const guard = (options: { key: string }): MiddlewareHandler => {
  return async function guard(ctx, next) {
    const given = ctx.req.header("key");
    if (!given) {
      throw new HTTPException(401, { message: "no key" });
    }
    if (given !== options.key) {
      throw new HTTPException(403, { message: "wrong key" });
    }
    ctx.set("key", given);
    await next();
  };
};
`
	p, dir := openProject(t, map[string]string{"guard/index.ts": code, "package.json": `{"name": "shop"}`})
	if _, err := spec.Generate(t.Context(), p, "guard", spec.GenerateOptions{Now: at}); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, "specs", "guard.spec.md")
	before, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, map[string]string{"guard/index.ts": strings.Replace(code, "if (!given) {", "if (!given || given.length > 64) {", 1)})
	opts := drift.Options{Spec: "specs/guard.spec.md", NoReport: true, Now: at}
	r, err := drift.Detect(t.Context(), p, opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Items) != 1 {
		t.Errorf("one guard changed: %s", itemsOf(r))
	}
	if err := drift.Update(t.Context(), p, r); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]drift.Updated{{SpecPath: "specs/guard.spec.md", Statements: []string{"At a glance", "REQ-GUARD-001"}}}, r.Updated); diff != "" {
		t.Error(diff)
	}
	after, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	want := "- | `given` is not set, where `given` is `ctx.req.header(\"key\")` | `HTTPException` 401 “no key” | `index.ts:5` |\n" +
		"+ | `given` is not set or `given.length` is more than `64`, where `given` is `ctx.req.header(\"key\")` | `HTTPException` 401 “no key” | `index.ts:5` |\n"
	if diff := cmp.Diff(want, changedLines(string(before), string(after))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r, err = drift.Detect(t.Context(), p, opts); err != nil || len(r.Items) > 0 {
		t.Errorf("after the update: %v, %s", err, itemsOf(r))
	}
}

// TestTestsOfOtherCasesAreNotNamed: a requirement that states the cases of several functions has tests of any of them.
func TestTestsOfOtherCasesAreNotNamed(t *testing.T) {
	const app = `from fastapi import FastAPI, HTTPException

app = FastAPI()


@app.post("/taken/{n}")
def take(n: int):
    if n == 1:
        raise HTTPException(403, "taking is locked")
    return n


@app.post("/given/{n}")
def give(n: int):
    if n == 1:
        raise HTTPException(403, "giving is locked")
    return n
`
	const tests = `from fastapi.testclient import TestClient

from shop.app import app

client = TestClient(app)


def test_taking_is_locked():
    r = client.post("/taken/1")
    assert r.status_code == 403
    assert r.json()["detail"] == "taking is locked"
`
	p, dir := openProject(t, map[string]string{"shop/app.py": app, "shop/__init__.py": "", "tests/test_app.py": tests, "pyproject.toml": "[project]\nname = \"shop\"\ndependencies = [\"fastapi\"]\n"})
	if _, err := spec.Generate(t.Context(), p, "shop", spec.GenerateOptions{Now: at}); err != nil {
		t.Fatal(err)
	}
	put(t, dir, map[string]string{"shop/app.py": strings.Replace(app, `403, "giving`, `409, "giving`, 1)})
	r, err := drift.Detect(t.Context(), p, drift.Options{Spec: "specs/shop.spec.md", NoReport: true, Now: at})
	if err != nil {
		t.Fatal(err)
	}
	untrue := 0
	for _, i := range r.Items {
		untrue += len(i.Statements)
		if strings.Contains(i.OldValue, "giving") && len(i.Tests) > 0 {
			t.Errorf("%s: %v", i.Description, i.Tests)
		}
	}
	if untrue == 0 {
		t.Errorf("no statement is untrue: %s", itemsOf(r))
	}
}
