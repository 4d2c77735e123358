package codegraph_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// project parses the files of an archive and resolves their imports.
func project(t *testing.T, files map[string][]byte) ([]*code.File, *manifest.Manifests, *codegraph.Resolution) {
	t.Helper()
	var parsed []*code.File
	for _, path := range slices.Sorted(maps.Keys(files)) {
		f, err := lang.Parse(t.Context(), path, files[path], lang.All)
		if errors.Is(err, lang.ErrUnknown) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	m := manifests(t, files)
	return parsed, m, codegraph.Resolve(parsed, m)
}

func manifests(t *testing.T, files map[string][]byte) *manifest.Manifests {
	t.Helper()
	m, err := manifest.Read(slices.Collect(maps.Keys(files)), func(path string) ([]byte, error) {
		if data, ok := files[path]; ok {
			return data, nil
		}
		return nil, fs.ErrNotExist
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestImportsResolve shows by the cases in testdata/resolve what imports mean.
func TestImportsResolve(t *testing.T) {
	golden.Archives(t, "resolve", func(t *testing.T, files map[string][]byte) string {
		parsed, _, r := project(t, files)
		var b strings.Builder
		for _, f := range parsed {
			for i, imp := range f.Imports {
				fmt.Fprintf(&b, "%s:%d %s", f.Path, imp.Line, imp.Module)
				if len(imp.Named) > 0 {
					fmt.Fprintf(&b, " {%s}", strings.Join(imp.Named, " "))
				}
				b.WriteString(" -> " + target(r.Target(f.Path, i)) + "\n")
				if want := r.Target(f.Path, i).Path; imp.Resolved != want {
					t.Errorf("%s:%d: Resolved is %q, not %q", f.Path, imp.Line, imp.Resolved, want)
				}
			}
		}
		return b.String()
	})
}

func target(t codegraph.Target) string {
	s := string(t.Origin)
	if t.Origin == codegraph.Internal {
		s = t.Path
		if len(t.Files) != 1 || t.Files[0] != t.Path {
			s += " [" + strings.Join(t.Files, " ") + "]"
		}
	}
	if t.Package != "" {
		s += " " + t.Package
	}
	if t.Contains {
		s += " (contains)"
	}
	return s
}

// TestModuleOrder shows by the cases in testdata/modules how folders
// depend on each other.
func TestModuleOrder(t *testing.T) {
	golden.Archives(t, "modules", func(t *testing.T, files map[string][]byte) string {
		parsed, _, r := project(t, files)
		return draw(codegraph.Modules(parsed, r, codegraph.Options{Now: noon}))
	})
}

func noon() time.Time { return time.Date(2026, 2, 14, 12, 0, 0, 0, time.UTC) }

func draw(g *codegraph.DependencyGraph) string {
	var b strings.Builder
	for _, n := range g.Modules {
		fmt.Fprintf(&b, "module %s in=%d out=%d level=%d", n.Source, n.InDegree, n.OutDegree, n.Level)
		if n.IsOrphan {
			b.WriteString(" orphan")
		}
		b.WriteString("\n")
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "%s -> %s %s", e.From, e.To, e.ImportType)
		if e.IsCircular {
			b.WriteString(" circular")
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "order %s\n", strings.Join(g.TopologicalOrder, " "))
	for _, s := range g.SCCs {
		fmt.Fprintf(&b, "scc %d %s\n", s.ID, strings.Join(s.Modules, " "))
	}
	b.WriteString(g.MermaidSource)
	return b.String()
}

// FuzzResolve checks that imports resolve only to existing files.
func FuzzResolve(f *testing.F) {
	for _, module := range []string{
		"", ".", "..", "../..", "./a", "@", "@a", "#", "#a/b", "a/../b", "std", "::", "::a", "crate", "self::self", "super::super::a", "a::*",
		"..a.b", "a..b", "a.", "*", "node:", "/a", "~", "a\x00b", "example.com/m/../x",
	} {
		f.Add(module, "a", "b")
		f.Add(module, "*", "")
		f.Add(module, "self", module)
	}
	files := map[string][]byte{
		"go.mod": []byte("module example.com/m\nreplace a => ./b"), "x.go": []byte("package x"), "b/x.go": []byte("package b"),
		"package.json":  []byte(`{"name": "a", "imports": {"#*": "./b/*"}, "exports": {"./*": "./*"}, "workspaces": ["**"]}`),
		"tsconfig.json": []byte(`{"compilerOptions": {"baseUrl": ".", "paths": {"*": ["./b/*"], "~*": ["../*"]}}}`), "x.ts": nil, "b/index.ts": nil,
		"a/__init__.py": []byte("from .b import *"), "a/b.py": nil, "x.py": nil,
		"j/A.java": []byte("package j; class A {}"), "Cargo.toml": []byte("[package]\nname = 'a'\nedition = '2021'"),
		"src/lib.rs": []byte("mod b { pub use super::*; } pub use b::*; pub use crate::c::*;"), "src/c/mod.rs": []byte("pub use super::*;"),
	}
	f.Fuzz(func(t *testing.T, module, named, alias string) {
		parsed, m, _ := project(t, files)
		paths := map[string]bool{}
		for _, f := range parsed {
			paths[f.Path] = true
			f.Imports = append(f.Imports,
				code.Import{Module: module, Relative: strings.HasPrefix(module, ".")},
				code.Import{Module: module, Named: []string{named}, Aliases: []string{alias}, Reexport: true},
				code.Import{Module: module, Namespace: named})
		}
		r := codegraph.Resolve(parsed, m)
		for file, targets := range r.Targets {
			for _, target := range targets {
				for _, p := range target.Files {
					if !paths[p] {
						t.Errorf("%s: %q leads to %s", file, module, p)
					}
				}
			}
		}
		codegraph.Modules(parsed, r, codegraph.Options{})
	})
}

// TestTechnologiesComeFromManifests shows by the cases in testdata/technologies
// what projects are built with.
func TestTechnologiesComeFromManifests(t *testing.T) {
	golden.Archives(t, "technologies", func(t *testing.T, files map[string][]byte) string {
		parsed, m, r := project(t, files)
		var b strings.Builder
		name, description := m.Project()
		fmt.Fprintf(&b, "%s: %s\n", name, description)
		for _, x := range codegraph.Technologies(parsed, r, m) {
			fmt.Fprintf(&b, "%s %s %q files=%d %s\n", x.Kind, x.Name, x.Version, x.Files, x.Manifest)
		}
		return b.String()
	})
}

// FuzzReadManifests checks that reading a manifest with any content returns.
func FuzzReadManifests(f *testing.F) {
	for _, dir := range []string{"resolve", "technologies"} {
		for _, data := range golden.Files(f, dir) {
			f.Add(data)
		}
	}
	names := []string{
		"go.mod", "package.json", "tsconfig.json", "pyproject.toml", "setup.cfg", "requirements.txt", "Cargo.toml", "pom.xml", "pnpm-workspace.yaml",
		"build.gradle", "libs.versions.toml", "build.sbt", "a.csproj", "packages.config", "composer.json", "Gemfile", "a.gemspec",
		"Package.swift", "CMakeLists.txt", "meson.build", "configure.ac", "vcpkg.json", "conanfile.txt",
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		m, _ := manifest.Read(names, func(string) ([]byte, error) { return data, nil })
		codegraph.Technologies(nil, nil, m)
		m.Packages()
	})
}
