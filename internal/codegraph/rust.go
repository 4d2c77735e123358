package codegraph

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
)

// rustResolver implements the rules of Rust: a path leads from a crate, or from the current module, through
// modules, each a file or a part of one, to an item. A re-exported item resolves to its origin.
type rustResolver struct {
	tree   *tree
	crates []manifest.Crate
	memo   map[string]Target    // file and name -> target
	places map[string]rustPlace // by file
	steps  int                  // used for the current import
}

func newRustResolver(t *tree, m *manifest.Manifests) *rustResolver {
	r := &rustResolver{tree: t, memo: map[string]Target{}, places: map[string]rustPlace{}}
	for _, c := range m.Crates {
		if c.Name != "" {
			r.crates = append(r.crates, c)
		}
	}
	return r
}

// rustPlace is the position of a file in its crate.
type rustPlace struct {
	base   string          // the folder of the crate's modules
	root   string          // the crate's root file; "" if unknown
	module []string        // the file's module path; empty for the root
	crate  *manifest.Crate // nil if there is no manifest
}

func (r *rustResolver) resolve(f *code.File, imp *code.Import) Target {
	r.steps = 0
	place := r.place(f.Path)
	inner := inlineModules(f.Symbols, imp.Line)
	var files []string
	t := Target{Origin: Missing}
	for _, n := range importNames(imp) {
		found := r.find(f, place, inner, n.path)
		if found.Origin == Internal {
			files = append(files, found.Files...)
		} else {
			t = found
		}
	}
	if len(files) > 0 {
		t = manyFiles(files)
	}
	t.Contains = len(imp.Named) == 0 && strings.HasPrefix(imp.Module, "self::") && !uses(f, imp.Namespace)
	return t
}

// rustName is a name bound by an import, and its path.
type rustName struct {
	local string // "*" for all names
	path  []string
}

// importNames returns the names that an import binds. A path relative to the extern prelude ("::a") starts with "".
func importNames(imp *code.Import) []rustName {
	module := strings.Split(imp.Module, "::")
	if imp.Module == "::" {
		module = []string{""}
	}
	var out []rustName
	if imp.Namespace != "" || len(imp.Named) == 0 {
		out = append(out, rustName{imp.Namespace, module})
	}
	for i, name := range imp.Named {
		local := name
		if i < len(imp.Aliases) && imp.Aliases[i] != "" {
			local = imp.Aliases[i]
		}
		out = append(out, rustName{local, slices.Concat(module, []string{name})})
	}
	return out
}

// uses reports whether a file calls something through a module's name.
func uses(f *code.File, module string) bool {
	return slices.ContainsFunc(f.Calls, func(c code.Call) bool {
		return c.Receiver == module || strings.HasPrefix(c.Receiver, module+"::")
	})
}

// inlineModules returns the names of the modules in a file that enclose a line.
func inlineModules(symbols []code.Symbol, line int) []string {
	for _, s := range symbols {
		if s.Kind == code.Module && s.StartLine < line && line <= s.EndLine {
			return append([]string{s.Name}, inlineModules(s.Members, line)...)
		}
	}
	return nil
}

// find resolves a path that appears in file f, inside the modules named by inner. Paths that begin with self or
// super are already relative to the file (see package lang).
func (r *rustResolver) find(f *code.File, place rustPlace, inner, p []string) Target {
	at := place.module
	switch p[0] {
	case "crate", "$crate":
		return r.walk(place, nil, p[1:])
	case "":
		return r.external(place, p[1:])
	case "self", "super":
		if p[0] == "self" {
			p = p[1:]
		}
		for len(p) > 0 && p[0] == "super" {
			at, p = at[:max(0, len(at)-1)], p[1:]
		}
		return r.walk(place, at, p)
	}
	here := slices.Concat(at, inner)
	if r.module(place, slices.Concat(here, p[:1])) != "" {
		return r.walk(place, here, p)
	}
	if place.crate != nil && place.crate.Edition == "" && r.module(place, p[:1]) != "" { // 2015: paths are relative to the crate root
		return r.walk(place, nil, p)
	}
	if declaredIn(scope(f, inner), p[0]) {
		return r.item(f.Path, inner, p)
	}
	return r.external(place, p)
}

// external resolves a path that begins with the name of a crate.
func (r *rustResolver) external(place rustPlace, p []string) Target {
	if len(p) == 0 {
		return Target{Origin: Missing}
	}
	name := p[0]
	if place.crate != nil && place.crate.Renamed[name] != "" {
		name = place.crate.Renamed[name]
	}
	for i := range r.crates {
		c := &r.crates[i]
		if (c.Extern == p[0] || c.Name == name && name != p[0]) && r.tree.has(c.Lib) {
			return r.walk(rustPlace{base: path.Dir(c.Lib), root: c.Lib, crate: c}, nil, p[1:])
		}
	}
	if slices.Contains([]string{"std", "core", "alloc", "proc_macro", "test"}, name) {
		return Target{Origin: Standard, Package: name}
	}
	return Target{Origin: External, Package: p[0]}
}

// walk follows the path p from module at to the file of its last element.
func (r *rustResolver) walk(place rustPlace, at, p []string) Target {
	at = slices.Clone(at)
	for len(p) > 0 && r.module(place, append(at, p[0])) != "" {
		at, p = append(at, p[0]), p[1:]
	}
	file := r.module(place, at)
	switch {
	case file == "":
		return Target{Origin: Missing}
	case len(p) == 0 || p[0] == "*":
		return oneFile(file)
	}
	return r.item(file, nil, p)
}

// maxRustSteps bounds the search for one import. Code that compiles needs few steps; other code may contain cycles:
// use crate::a::b as a.
const maxRustSteps = 1000

// item finds the origin of the first element of p, seen from a module inside a file (or the file's own module if
// inner is empty): the module itself, or what it imports. If neither declares it, as for items made by macros, it
// is taken to be the module's own.
func (r *rustResolver) item(file string, inner, p []string) Target {
	f := r.tree.files[file]
	for len(p) > 1 && isInline(scope(f, inner), p[0]) {
		inner, p = append(slices.Clip(inner), p[0]), p[1:]
	}
	if p[0] == "*" || declaredIn(scope(f, inner), p[0]) {
		return oneFile(file)
	}
	key := file + "\x00" + strings.Join(inner, "::") + "\x00" + strings.Join(p, "::")
	if t, known := r.memo[key]; known {
		return t
	}
	r.memo[key] = oneFile(file) // the result for a cycle of imports
	if r.steps++; r.steps > maxRustSteps {
		return oneFile(file)
	}
	for _, search := range []func(*code.File, []string, rustName, []string) (Target, bool){r.byName, r.byStar} {
		for i := range f.Imports {
			imp := &f.Imports[i]
			if !slices.Equal(inlineModules(f.Symbols, imp.Line), inner) {
				continue
			}
			for _, n := range importNames(imp) {
				if t, ok := search(f, inner, n, p); ok {
					r.memo[key] = t
					return t
				}
			}
		}
	}
	return r.memo[key]
}

// byName finds an item that is imported by name.
func (r *rustResolver) byName(f *code.File, inner []string, n rustName, p []string) (Target, bool) {
	if n.local != p[0] {
		return Target{}, false
	}
	return r.find(f, r.place(f.Path), inner, slices.Concat(n.path, p[1:])), true
}

// byStar finds an item in a module imported with "*".
func (r *rustResolver) byStar(f *code.File, inner []string, n rustName, p []string) (Target, bool) {
	if n.local != "*" || len(n.path) < 2 {
		return Target{}, false
	}
	from := r.find(f, r.place(f.Path), inner, n.path[:len(n.path)-1])
	if len(from.Files) != 1 || from.Files[0] == f.Path {
		return Target{}, false
	}
	t := r.item(from.Files[0], nil, p)
	return t, len(t.Files) == 1 && declares(r.tree.files[t.Files[0]], p[0])
}

// scope returns the symbols of a module inside a file.
func scope(f *code.File, inner []string) []code.Symbol {
	list := f.Symbols
	for _, name := range inner {
		i := slices.IndexFunc(list, func(s code.Symbol) bool { return s.Kind == code.Module && s.Name == name })
		if i < 0 {
			return nil
		}
		list = list[i].Members
	}
	return list
}

func isInline(list []code.Symbol, name string) bool {
	return slices.ContainsFunc(list, func(s code.Symbol) bool { return s.Kind == code.Module && s.Name == name })
}

func declaredIn(list []code.Symbol, name string) bool {
	return slices.ContainsFunc(list, func(s code.Symbol) bool { return s.Name == name })
}

// module returns the file of a module of a crate; "" if there is none.
func (r *rustResolver) module(place rustPlace, segments []string) string {
	if len(segments) == 0 {
		return place.root
	}
	at := path.Join(place.base, path.Join(segments...))
	file, _ := r.tree.first(at+".rs", at+"/mod.rs")
	return file
}

// place returns the position of a file.
func (r *rustResolver) place(file string) rustPlace {
	p, known := r.places[file]
	if !known {
		p = r.findPlace(file)
		r.places[file] = p
	}
	return p
}

// findPlace follows the layout that cargo expects. Without a manifest, the nearest folder with a lib.rs or main.rs
// is the crate's.
func (r *rustResolver) findPlace(file string) rustPlace {
	i := manifest.Deepest(r.crates, func(c manifest.Crate) string { return c.Dir }, file)
	if i < 0 {
		for dir := range parents(path.Dir(file)) {
			if root, ok := r.tree.first(path.Join(dir, "lib.rs"), path.Join(dir, "main.rs")); ok {
				return placeIn(rustPlace{base: dir, root: root}, file)
			}
		}
		return rustPlace{base: path.Dir(file), root: file}
	}
	c := &r.crates[i]
	src := path.Dir(c.Lib)
	targets := []string{path.Join(src, "bin")}
	for _, dir := range []string{"tests", "examples", "benches"} {
		targets = append(targets, path.Join(c.Dir, dir))
	}
	for _, dir := range targets {
		if manifest.Within(file, dir) {
			return r.targetPlace(c, dir, file)
		}
	}
	if !manifest.Within(file, src) {
		return rustPlace{base: path.Dir(file), root: file, crate: c}
	}
	root, _ := r.tree.first(c.Lib, path.Join(src, "main.rs"))
	return placeIn(rustPlace{base: src, root: root, crate: c}, file)
}

// targetPlace returns the position of a file in a folder in which each file, or each folder with a main.rs, is a
// crate.
func (r *rustResolver) targetPlace(c *manifest.Crate, dir, file string) rustPlace {
	first, _, nested := strings.Cut(manifest.RelativeTo(file, dir), "/")
	if !nested {
		return rustPlace{base: dir, root: file, crate: c}
	}
	if root := path.Join(dir, first, "main.rs"); r.tree.has(root) {
		return placeIn(rustPlace{base: path.Dir(root), root: root, crate: c}, file)
	}
	return placeIn(rustPlace{base: dir, crate: c}, file)
}

// placeIn sets the module path of a file below p.base.
func placeIn(p rustPlace, file string) rustPlace {
	if base := path.Base(file); file == p.root || path.Dir(file) == p.base && (base == "main.rs" || base == "lib.rs") {
		p.root = file
		return p
	}
	p.module = strings.Split(strings.TrimSuffix(manifest.RelativeTo(file, p.base), ".rs"), "/")
	if last := len(p.module) - 1; p.module[last] == "mod" {
		p.module = p.module[:last]
	}
	return p
}
