package batch_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/batch"
)

// TestModulesAreGroupedByWhatTheyAreFor: exports of a package count before the names of folders, and the names of a company are no
// folders.
func TestModulesAreGroupedByWhatTheyAreFor(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  map[string]string // module -> heading or label
	}{
		"go": {
			map[string]string{
				"go.mod": "module shop\n\ngo 1.26\n", "main.go": "package main\n\nfunc main() {}\n", "cart/cart.go": "package cart\n\nfunc Add() {}\n",
				"internal/db/db.go": "package db\n\nfunc Open() {}\n", "examples/one/one.go": "package one\n\nfunc One() {}\n",
				"benchmarks/b.go": "package b\n\nfunc Run() {}\n", "docs/gen/g.go": "package g\n\nfunc Gen() {}\n",
			},
			map[string]string{"cart": "### Public packages", "internal/db": "### Internal packages", ".": "### Entry points", "examples/one": "- Examples", "benchmarks": "- Benchmarks", "docs/gen": "- Documentation"},
		},
		"node": {
			map[string]string{
				"package.json":          `{"name": "shop", "exports": {".": "./dist/index.js", "./testing": {"import": "./dist/testing/index.js"}}}`,
				"src/index.ts":          "export const a = 1\n",
				"src/testing/index.ts":  "export const b = 1\n",
				"src/secret/index.ts":   "export const c = 1\n",
				"scripts/build/main.ts": "export const d = 1\n",
			},
			map[string]string{"src": "### Public packages", "src/testing": "### Public packages", "src/secret": "### Internal packages", "scripts/build": "- Build and scripts"},
		},
		"java": {
			map[string]string{
				"src/main/java/com/example/demo/cart/Cart.java":     "package com.example.demo.cart;\npublic class Cart {}\n",
				"src/main/java/com/example/demo/internal/Db.java":   "package com.example.demo.internal;\npublic class Db {}\n",
				"src/main/java/com/example/demo/samples/First.java": "package com.example.demo.samples;\npublic class First {}\n",
			},
			map[string]string{
				"src/main/java/com/example/demo/cart": "### Public packages", "src/main/java/com/example/demo/internal": "### Internal packages",
				"src/main/java/com/example/demo/samples": "- Examples",
			},
		},
		"python": {
			map[string]string{"pyproject.toml": "[project]\nname = \"shop\"\n", "shop/__init__.py": "def add(): pass\n", "shop/_db/__init__.py": "def opened(): pass\n"},
			map[string]string{"shop": "### Public packages", "shop/_db": "### Internal packages"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, archive(c.files))
			run(t, p, batch.Options{Now: clock(), Everywhere: true})
			index := read(t, p, "specs/_index.spec.md")
			for module, want := range c.want {
				if got := groupOf(index, module); !strings.HasPrefix(got, want) {
					t.Errorf("%s is under %q, not %q:\n%s", module, got, want, index)
				}
			}
		})
	}
}

// groupOf returns the heading or the row of the module map under which a module is listed.
func groupOf(index, module string) string {
	group := ""
	_, list, _ := strings.Cut(index, "## Module map")
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "### ") || strings.HasPrefix(line, "- ") {
			group = line
		}
		if strings.Contains(line, "[`"+module+"`]") {
			return group
		}
	}
	return "nothing"
}

// TestFlowFollowsCallsFromEntries: an index shows the way of a command through the modules, in the order of the calls.
func TestFlowFollowsCallsFromEntries(t *testing.T) {
	p := newProject(t, archive(map[string]string{
		"go.mod":     "module shop\n\ngo 1.26\n",
		"main.go":    "package main\n\nimport \"shop/cli\"\n\nfunc main() { cli.Run() }\n",
		"cli/cli.go": "package cli\n\nimport (\n\t\"shop/cart\"\n\t\"shop/log\"\n)\n\nfunc Run() {\n\tcart.Add()\n\tlog.Print()\n}\n",
		"cart/c.go":  "package cart\n\nfunc Add() {}\n", "log/l.go": "package log\n\nfunc Print() {}\n", "other/o.go": "package other\n\nfunc Never() {}\n",
	}))
	run(t, p, batch.Options{Now: clock()})
	want := "- `main` (`main.go:5`) → [`cli`](cli.spec.md) `Run` → [`cart`](cart.spec.md) `Add` → [`log`](log.spec.md) `Print`\n"
	if index := read(t, p, "specs/_index.spec.md"); !strings.Contains(index, want) {
		t.Errorf("the index lacks %q:\n%s", want, index)
	}
}

// archive returns files as a txtar archive.
func archive(files map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		b.WriteString("-- " + name + " --\n" + files[name])
		if !strings.HasSuffix(files[name], "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// TestWhatStandsBesideTheProductGetsNoSpec: by the first folder in the project or in a package of it. A name further down may be part of the
// product, a package of Go for tests is for others, and a spec that is there is kept up to date.
func TestWhatStandsBesideTheProductGetsNoSpec(t *testing.T) {
	files := map[string]string{
		"package.json": `{"name": "shop", "exports": {".": "./src/index.js", "./testing": "./testing/index.js"}}`, "src/index.js": "export const a = 1\n",
		"testing/index.js": "export const b = 1\n", "benchmarks/json/run.js": "export const c = 1\n", "src/docs/index.js": "export const d = 1\n",
		"packages/cart/package.json": `{"name": "cart"}`, "packages/cart/lib/cart.js": "export const e = 1\n", "packages/cart/examples/one.js": "export const f = 1\n",
		"go.mod": "module shop\n\ngo 1.26\n", "testsupport/shoptest.go": "package testsupport\n\nfunc Cart() {}\n", "scripts/build.js": "export const g = 1\n",
	}
	p := newProject(t, archive(files))
	r := run(t, p, batch.Options{Now: clock()})
	want := []string{"packages/cart/lib", "scripts", "src", "src/docs", "testing", "testsupport"}
	if got := slices.Sorted(slices.Values(r.Successful)); !slices.Equal(got, want) || r.LeftOut.Beside != 2 {
		t.Errorf("specs of %q, %d beside, want %q and 2", got, r.LeftOut.Beside, want)
	}
	if index := read(t, p, "specs/_index.spec.md"); !strings.Contains(index, "- Benchmarks (1): `benchmarks/json`") {
		t.Errorf("the index does not name the benchmarks:\n%s", index)
	}
	r = run(t, p, batch.Options{Now: clock(), Everywhere: true})
	if len(r.Successful) != 2 || r.LeftOut.Beside != 0 {
		t.Errorf("with Everywhere: wrote %q, %d beside", r.Successful, r.LeftOut.Beside)
	}
	if r = run(t, p, batch.Options{Now: clock()}); len(r.Skipped) != len(want)+2 || r.LeftOut.Beside != 0 {
		t.Errorf("specs that are there: %d unchanged, %d beside", len(r.Skipped), r.LeftOut.Beside)
	}
	alone := newProject(t, archive(map[string]string{"examples/one/one.go": "package one\n\nfunc One() {}\n"}))
	if r := run(t, alone, batch.Options{Now: clock()}); len(r.Successful) != 1 {
		t.Errorf("a project of examples alone: wrote %q", r.Successful)
	}
}
