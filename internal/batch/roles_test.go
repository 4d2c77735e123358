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
			run(t, p, batch.Options{Now: clock()})
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
