package codegraph

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// goResolver implements the rules of Go: an import path is the path of a module and of a folder in it. The go.mod
// above the importing file says which modules there are.
type goResolver struct {
	tree     *tree
	modules  []goModule // those with a module path
	works    []goModule
	packages map[string][]string // folder -> the files of its package
	names    goPackages
}

func newGoResolver(t *tree, m *Manifests) *goResolver {
	r := &goResolver{tree: t, packages: map[string][]string{}, names: goPackages{}}
	for _, f := range t.files {
		r.names.add(f)
	}
	for _, mod := range m.goModules {
		if mod.module != "" {
			r.modules = append(r.modules, mod)
		} else if path.Base(mod.path) == "go.work" {
			r.works = append(r.works, mod)
		}
	}
	return r
}

func (r *goResolver) resolve(f *code.File, imp *code.Import) Target {
	if imp.Module == "C" || imp.Module == "unsafe" {
		return Target{Origin: Standard, Package: imp.Module}
	}
	if imp.Relative {
		return r.folder(path.Join(path.Dir(f.Path), imp.Module))
	}
	home := deepest(r.modules, goModule.folder, f.Path)
	if home < 0 {
		return goOutside(nil, imp.Module)
	}
	mod := &r.modules[home]
	if mod.module == "std" || mod.module == "cmd" {
		if t, ok := r.standard(mod, imp.Module); ok {
			return t
		}
	}
	if t, ours := r.ofProject(mod, imp.Module); ours {
		return t
	}
	if dir := path.Join(mod.dir, "vendor", imp.Module); r.tree.below[dir] {
		if t := r.folder(dir); t.Origin == Internal {
			t.Package = goOutside(mod, imp.Module).Package
			return t
		}
	}
	return goOutside(mod, imp.Module)
}

func (m goModule) folder() string { return m.dir }

// standard finds a package of the standard library in a project that is the standard library: module std has no
// prefix and vendors its dependencies.
func (r *goResolver) standard(home *goModule, spec string) (Target, bool) {
	for _, mod := range r.modules {
		if mod.module != "std" {
			continue
		}
		for _, dir := range []string{path.Join(home.dir, "vendor", spec), path.Join(mod.dir, spec), path.Join(mod.dir, "vendor", spec)} {
			if t := r.folder(dir); t.Origin == Internal {
				return t, true
			}
		}
	}
	return Target{}, false
}

// ofProject finds a package by the longest module path that is a prefix of its import path, with the replacements
// of the importing file's module and of the enclosing workspace. It reports whether the path belongs to this
// project at all.
func (r *goResolver) ofProject(home *goModule, spec string) (Target, bool) {
	best, dir, replaced := "", "", false
	take := func(module, folder string, isReplaced bool) {
		longer := len(module) > len(best) || len(module) == len(best) && isReplaced && !replaced
		if longer && within(spec, module) {
			best, dir, replaced = module, folder, isReplaced
		}
	}
	for _, m := range r.modules {
		if m.module != "std" {
			take(m.module, m.dir, false)
		}
	}
	for module, folder := range home.replace {
		take(module, folder, true)
	}
	if i := deepest(r.works, goModule.folder, home.dir); i >= 0 {
		for module, folder := range r.works[i].replace {
			take(module, folder, true)
		}
	}
	if best == "" {
		return Target{}, false
	}
	at := path.Join(dir, relativeTo(spec, best))
	if own := deepest(r.modules, goModule.folder, at); own >= 0 && depth(r.modules[own].dir) > depth(dir) {
		return Target{Origin: Missing}, true // the folder belongs to a nested module
	}
	return r.folder(at), true
}

// folder returns the package in a folder as a target, without test files.
func (r *goResolver) folder(dir string) Target {
	files, known := r.packages[dir]
	if !known {
		for _, f := range r.tree.folders[dir] {
			if f.Language == "go" && !f.Test && !r.names.outsidePackage(f) {
				files = append(files, f.Path)
			}
		}
		r.packages[dir] = files
	}
	if len(files) == 0 {
		return Target{Origin: Missing}
	}
	return Target{Origin: Internal, Path: dir, Files: files}
}

// goPackages maps a folder to the name of its package, by the files in the reference build.
type goPackages map[string]string

func (p goPackages) add(f *code.File) {
	if f.Language == "go" && !f.Test && f.Constraint == "" {
		p[path.Dir(f.Path)] = f.Package
	}
}

// outsidePackage reports whether a Go file is not part of the package beside it: a program run by hand ("go:build ignore")
// or documentation.
func (p goPackages) outsidePackage(f *code.File) bool {
	if f.Language != "go" || f.Constraint == "" {
		return false
	}
	name := p[path.Dir(f.Path)]
	return f.Constraint == "ignore" || f.Constraint == "documentation" || name != "" && f.Package != name
}

// goOutside distinguishes the standard library, whose first path element has no dot, from other modules, which it
// names by the requirements of go.mod.
func goOutside(home *goModule, spec string) Target {
	first, _, _ := strings.Cut(spec, "/")
	if !strings.Contains(first, ".") {
		return Target{Origin: Standard, Package: spec}
	}
	name := ""
	if home != nil {
		for _, q := range home.requires {
			if within(spec, q.name) && len(q.name) > len(name) {
				name = q.name
			}
		}
	}
	if name == "" {
		name = strings.Join(firstN(strings.Split(spec, "/"), 3), "/")
	}
	return Target{Origin: External, Package: name}
}

func firstN(list []string, n int) []string { return list[:min(n, len(list))] }
