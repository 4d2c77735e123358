package drift_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// committed returns a project whose commit has the files in old/ of an archive, and whose work tree has those in new/.
func committed(t *testing.T, a *txtar.Archive) *project.Project {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	sides := map[string]map[string]string{"old": {}, "new": {}}
	for _, f := range a.Files {
		if side, name, ok := strings.Cut(f.Name, "/"); ok {
			sides[side][name] = string(f.Data)
		}
	}
	p, dir := openProject(t, sides["old"])
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "one")
	for name := range sides["old"] {
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	put(t, dir, sides["new"])
	return p
}

// itemsOf returns the items of a report, a line each.
func itemsOf(r *drift.Report) string {
	var b strings.Builder
	for _, i := range r.Items {
		breaking := ""
		if i.Breaking {
			breaking = "BREAKING "
		}
		fmt.Fprintf(&b, "%s%s %s %s: %s\n", breaking, i.Severity, i.Rule, i.SymbolName, i.Description)
	}
	return b.String()
}

// TestAProjectIsComparedWithARevision module by module.
func TestAProjectIsComparedWithARevision(t *testing.T) {
	p := comparedArchive(t, filepath.Join("testdata", "modules", "tree.txtar"))
	for _, c := range []struct {
		path string
		want int
	}{{"gone", 1}, {"here", 1}, {"internal", 2}, {"a.go", 1}, {"same", 0}} {
		r, err := drift.DetectAll(t.Context(), p, drift.Options{Base: "HEAD", NoReport: true, Now: at}, []string{c.path})
		if err != nil || len(r.Items) != c.want {
			t.Errorf("%s: %v, %v", c.path, r, err)
		}
	}
	_, err := drift.DetectAll(t.Context(), p, drift.Options{Base: "HEAD"}, []string{"nowhere"})
	if missing := (*project.MissingError)(nil); !errors.As(err, &missing) {
		t.Errorf("a path that is on neither side: %v", err)
	}
}

// TestPackagesAreComparedByWhatTheyExport that is, by the names in the entries of their manifests.
func TestPackagesAreComparedByWhatTheyExport(t *testing.T) {
	for _, name := range []string{"assigned", "imported", "inplace", "shards", "bundled"} {
		t.Run(name, func(t *testing.T) { comparedArchive(t, filepath.Join("testdata", "modules", name+".txtar")) })
	}
}

// comparedArchive compares the project of an archive with its commit, and returns it.
func comparedArchive(t *testing.T, file string) *project.Project {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := &a.Files[len(a.Files)-1]
	a.Files = a.Files[:len(a.Files)-1]
	p := committed(t, a)
	r, err := drift.DetectAll(t.Context(), p, drift.Options{Base: "HEAD", NoReport: true, Now: at}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := itemsOf(r)
	if os.Getenv("UPDATE") != "" {
		want.Data = []byte(got)
		a.Files = append(a.Files, *want)
		if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(want.Data), got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	return p
}

// TestAllSpecsAreCompared with their code, those named, those in a folder, and all.
func TestAllSpecsAreCompared(t *testing.T) {
	p, dir := openProject(t, map[string]string{"src/auth/login.ts": oldAuth, "src/same/same.ts": "export const one = 1;\n"})
	if _, err := drift.DetectAll(t.Context(), p, drift.Options{NoReport: true}, nil); err == nil {
		t.Error("no spec, and no error")
	}
	for _, target := range []string{"src/auth", "src/same"} {
		if _, err := spec.Generate(t.Context(), p, target, spec.GenerateOptions{Now: at}); err != nil {
			t.Fatal(err)
		}
	}
	put(t, dir, map[string]string{"src/auth/login.ts": newAuth})
	for _, paths := range [][]string{nil, {"."}, {"specs/src"}, {"specs/src/auth.spec.md", "specs/src/same.spec.md"}} {
		r, err := drift.DetectAll(t.Context(), p, drift.Options{NoReport: true, Now: at}, paths)
		if err != nil {
			t.Fatal(err)
		}
		var parts []string
		for _, part := range r.Parts {
			parts = append(parts, fmt.Sprintf("%s %s %d", part.SpecPath, part.SourcePath, part.Summary.TotalChanges))
		}
		want := []string{"specs/src/auth.spec.md src/auth 4", "specs/src/same.spec.md src/same 0"}
		if diff := cmp.Diff(want, parts); diff != "" || r.Summary.TotalChanges != 4 {
			t.Errorf("%v: %+v\n%s", paths, r.Summary, diff)
		}
	}
	if _, err := drift.DetectAll(t.Context(), p, drift.Options{NoReport: true}, []string{"src"}); err == nil {
		t.Error("a folder without specs, and no error")
	}
	if _, err := drift.DetectAll(t.Context(), p, drift.Options{NoReport: true, Base: "HEAD"}, nil); err == nil {
		t.Error("no repository, and no error")
	}
}

// TestTypesOfOtherPackagesCount: what a type gains or loses through a type that it embeds or stands for is a change of it, also
// if no file of its own package changed.
func TestTypesOfOtherPackagesCount(t *testing.T) {
	a := txtar.Parse([]byte(`
-- old/go.mod --
module example.com/acme

go 1.21
-- old/internal/base/base.go --
package base

type Base struct{ Size int }

func (b *Base) Hello() {}
func (b *Base) Bye()   {}
-- old/api/api.go --
package api

import "example.com/acme/internal/base"

type Store struct {
	*base.Base
	name string
}

type Alias = base.Base
-- old/other/other.go --
package other

import "example.com/acme/internal/base"

func Use(b *base.Base) int { return b.Size }
-- new/go.mod --
module example.com/acme

go 1.21
-- new/internal/base/base.go --
package base

type Base struct{ Size int }

func (b *Base) Hello() {}
-- new/api/api.go --
package api

import "example.com/acme/internal/base"

type Store struct {
	*base.Base
	name string
}

type Alias = base.Base
-- new/other/other.go --
package other

import "example.com/acme/internal/base"

func Use(b *base.Base) int { return b.Size }
`))
	r, err := drift.DetectAll(t.Context(), committed(t, a), drift.Options{Base: "HEAD", NoReport: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "BREAKING MEDIUM promoted-member-removed Store.Bye: promoted member `Store.Bye` is no longer available, declared in internal/base/base.go\n" +
		"BREAKING MEDIUM promoted-member-removed Alias.Bye: promoted member `Alias.Bye` is no longer available, declared in internal/base/base.go\n" +
		"LOW member-removed Base.Bye: member `Base.Bye` was removed\n"
	if diff := cmp.Diff(want, itemsOf(r)); diff != "" {
		t.Error(diff)
	}
}

// TestWhatManifestsHideBreaksNobody: neither a file that the entry of a package.json does not export, nor a name that it does
// not pass on, nor a package that a module-info.java does not export.
func TestWhatManifestsHideBreaksNobody(t *testing.T) {
	a := txtar.Parse([]byte(`
-- old/package.json --
{"name": "acme", "exports": {".": {"types": "./dist/index.d.ts", "default": "./dist/index.js"}, "./extra/*": "./src/extra/*.ts"}}
-- old/src/index.ts --
import { inner } from './inner'
export { shown } from './parts'
export { inner as outer }
-- old/src/inner.ts --
export function inner(a: string): void {}
-- old/src/parts.ts --
export function shown(a: string): void {}
export function hidden(a: string): void {}
-- old/src/extra/one.ts --
export function one(a: string): void {}
-- old/lib/src/module-info.java --
module acme {
    exports org.acme.api;
}
-- old/lib/src/org/acme/api/Api.java --
package org.acme.api;

public class Api { public void a() {} public void b() {} }
-- old/lib/src/org/acme/impl/Impl.java --
package org.acme.impl;

public class Impl { public void a() {} public void b() {} }
-- new/package.json --
{"name": "acme", "exports": {".": {"types": "./dist/index.d.ts", "default": "./dist/index.js"}, "./extra/*": "./src/extra/*.ts"}}
-- new/src/index.ts --
import { inner } from './inner'
export { shown } from './parts'
export { inner as outer }
-- new/src/inner.ts --
export function inner(a: number): void {}
-- new/src/parts.ts --
export function shown(a: number): void {}
export function hidden(a: number): void {}
-- new/src/extra/one.ts --
export function one(a: number): void {}
-- new/lib/src/module-info.java --
module acme {
    exports org.acme.api;
}
-- new/lib/src/org/acme/api/Api.java --
package org.acme.api;

public class Api { public void a() {} }
-- new/lib/src/org/acme/impl/Impl.java --
package org.acme.impl;

public class Impl { public void a() {} }
`))
	r, err := drift.DetectAll(t.Context(), committed(t, a), drift.Options{Base: "HEAD", NoReport: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "BREAKING MEDIUM member-removed Api.b: member `Api.b` was removed\n" +
		"BREAKING MEDIUM param-type-changed one: the type of parameter `a` of `one` changed: `string` → `number`\n" +
		"BREAKING MEDIUM param-type-changed inner: the type of parameter `a` of `inner` changed: `string` → `number`\n" +
		"BREAKING MEDIUM param-type-changed shown: the type of parameter `a` of `shown` changed: `string` → `number`\n" +
		"LOW member-removed Impl.b: member `Impl.b` was removed\n" +
		"LOW param-type-changed hidden: the type of parameter `a` of `hidden` changed: `string` → `number`\n"
	if diff := cmp.Diff(want, itemsOf(r)); diff != "" {
		t.Error(diff)
	}
}

// TestComparedPackages: a package of which no file changed is compared if a type that it is made of changed for others, and
// otherwise not: not for a private type behind a pointer, another type of the same package, or a body.
func TestComparedPackages(t *testing.T) {
	const project = `
-- old/go.mod --
module example.com/acme
-- old/base/base.go --
package base

type Base struct{ cache *cache }
type Other struct{ Size int }
type Part struct{ inner inner }
type cache struct{ n int }
type inner struct{ n int }

func (b *Base) Hello() int { return 1 }
-- old/a/a.go --
package a

import "example.com/acme/base"

type A struct{ base.Base }
-- old/b/b.go --
package b

import "example.com/acme/base"

type B struct{ other base.Other }
-- old/c/c.go --
package c

import "example.com/acme/base"

type C struct{ part base.Part }
`
	for _, c := range []struct{ name, old, now, want string }{
		{"a private type behind a pointer", "type cache struct{ n int }", "type cache struct{ n, m int }", "base"},
		{"a body", "return 1", "return 2", "base"},
		{"a type", "Size int", "Size, Count int", "b base"},
		{"a private type that one is made of", "type inner struct{ n int }", "type inner struct{ f func() }", "base c"},
		{"a method", "Hello()", "Hallo()", "a base"},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := strings.ReplaceAll(strings.ReplaceAll(project, "-- old/", "-- new/"), c.old, c.now)
			r, err := drift.DetectAll(t.Context(), committed(t, txtar.Parse([]byte(strings.TrimSpace(project)+"\n"+strings.TrimSpace(now)+"\n"))), drift.Options{Base: "HEAD", NoReport: true}, nil)
			if err != nil {
				t.Fatal(err)
			}
			var compared []string
			for _, part := range r.Parts {
				compared = append(compared, part.SourcePath)
			}
			slices.Sort(compared)
			if got := strings.Join(compared, " "); got != c.want {
				t.Errorf("compared %q, want %q", got, c.want)
			}
		})
	}
}
