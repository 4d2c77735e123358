package codegraph

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
)

// goResolver implements the rules of Go: an import path is the path of a module and of a folder in it. The go.mod
// above the importing file says which modules there are.
type goResolver struct {
	tree     *tree
	modules  []manifest.GoModule // those with a module path
	works    []manifest.GoModule
	packages map[string][]string // folder -> the files of its package
	names    goPackages
}

func newGoResolver(t *tree, m *manifest.Manifests) *goResolver {
	r := &goResolver{tree: t, packages: map[string][]string{}, names: goPackages{}}
	for _, f := range t.files {
		r.names.add(f)
	}
	for _, mod := range m.GoModules {
		if mod.Module != "" {
			r.modules = append(r.modules, mod)
		} else if path.Base(mod.Path) == "go.work" {
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
	home := manifest.Deepest(r.modules, manifest.GoModule.Folder, f.Path)
	if home < 0 {
		return goOutside(nil, imp.Module)
	}
	mod := &r.modules[home]
	if mod.Module == "std" || mod.Module == "cmd" {
		if t, ok := r.standard(mod, imp.Module); ok {
			return t
		}
	}
	if t, ours := r.ofProject(mod, imp.Module); ours {
		return t
	}
	if dir := path.Join(mod.Dir, "vendor", imp.Module); r.tree.below[dir] {
		if t := r.folder(dir); t.Origin == Internal {
			t.Package = goOutside(mod, imp.Module).Package
			return t
		}
	}
	return goOutside(mod, imp.Module)
}

// standard finds a package of the standard library in a project that is the standard library: module std has no
// prefix and vendors its dependencies.
func (r *goResolver) standard(home *manifest.GoModule, spec string) (Target, bool) {
	for _, mod := range r.modules {
		if mod.Module != "std" {
			continue
		}
		for _, dir := range []string{path.Join(home.Dir, "vendor", spec), path.Join(mod.Dir, spec), path.Join(mod.Dir, "vendor", spec)} {
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
func (r *goResolver) ofProject(home *manifest.GoModule, spec string) (Target, bool) {
	best, dir, replaced := "", "", false
	take := func(module, folder string, isReplaced bool) {
		longer := len(module) > len(best) || len(module) == len(best) && isReplaced && !replaced
		if longer && manifest.Within(spec, module) {
			best, dir, replaced = module, folder, isReplaced
		}
	}
	for _, m := range r.modules {
		if m.Module != "std" {
			take(m.Module, m.Dir, false)
		}
	}
	for module, folder := range home.Replace {
		take(module, folder, true)
	}
	if i := manifest.Deepest(r.works, manifest.GoModule.Folder, home.Dir); i >= 0 {
		for module, folder := range r.works[i].Replace {
			take(module, folder, true)
		}
	}
	if best == "" {
		return Target{}, false
	}
	at := path.Join(dir, manifest.RelativeTo(spec, best))
	if own := manifest.Deepest(r.modules, manifest.GoModule.Folder, at); own >= 0 && manifest.Depth(r.modules[own].Dir) > manifest.Depth(dir) {
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
func goOutside(home *manifest.GoModule, spec string) Target {
	first, _, _ := strings.Cut(spec, "/")
	if !strings.Contains(first, ".") {
		return Target{Origin: Standard, Package: spec}
	}
	name := ""
	if home != nil {
		for _, q := range home.Requires {
			if manifest.Within(spec, q.Name) && len(q.Name) > len(name) {
				name = q.Name
			}
		}
	}
	if name == "" {
		name = strings.Join(firstN(strings.Split(spec, "/"), 3), "/")
	}
	return Target{Origin: External, Package: name}
}

func firstN(list []string, n int) []string { return list[:min(n, len(list))] }
