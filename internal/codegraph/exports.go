package codegraph

import (
	"cmp"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// ExportedName is a name that a file exports.
type ExportedName struct {
	Name   string // as imported; "default" for the default export
	File   string // the declaring file; "" if outside the project
	Symbol string // its name in File: "*" for the file itself, "default" for an unnamed default export
	// Module is the specifier of the external or missing module that declares the name; "" if the project does.
	Module string
}

// Exports returns the exports of each TypeScript and JavaScript file, including re-exports, sorted by name. As in
// the language, "export *" excludes the default export, and a name exported by the file itself shadows one from a
// star; if two stars export a name, the first counts, as in TypeScript. Stars of modules outside the project are
// unknown and omitted. Files without exports have no entry.
func Exports(files []*code.File, r *Resolution) map[string][]ExportedName {
	e := &exporter{resolution: r, files: make(map[string]*code.File, len(files)), own: map[string]*ownExports{}}
	for _, f := range files {
		if f.Language == "typescript" || f.Language == "javascript" {
			e.files[f.Path] = f
		}
	}
	out := map[string][]ExportedName{}
	for path := range e.files {
		names := map[string]ExportedName{}
		e.collect(path, names, map[string]bool{})
		if len(names) == 0 {
			continue
		}
		list := make([]ExportedName, 0, len(names))
		for _, n := range names {
			list = append(list, n)
		}
		slices.SortFunc(list, func(a, b ExportedName) int { return cmp.Compare(a.Name, b.Name) })
		out[path] = list
	}
	return out
}

// exporter resolves re-exports.
type exporter struct {
	resolution *Resolution
	files      map[string]*code.File
	own        map[string]*ownExports
}

// ownExports are the exports in a file's own text.
type ownExports struct {
	names map[string]ExportedName // declared or re-exported by name, unresolved
	from  map[string]reexport     // the re-exported names among them
	stars []string                // modules re-exported with a star, in order
}

// reexport is a name in another file.
type reexport struct{ file, name string }

// read returns the exports in a file's own text.
func (e *exporter) read(path string) *ownExports {
	if o, known := e.own[path]; known {
		return o
	}
	o := &ownExports{names: map[string]ExportedName{}, from: map[string]reexport{}}
	e.own[path] = o
	f := e.files[path]
	for i := range f.Imports {
		if f.Imports[i].Reexport {
			e.reexports(o, f, i)
		}
	}
	for _, s := range f.Symbols {
		if !s.Exported {
			continue
		}
		name := s.Name
		if s.Default {
			name = "default"
		}
		delete(o.from, name) // a declaration and an import of the same name are merged
		o.names[name] = ExportedName{Name: name, File: path, Symbol: s.Name}
	}
	return o
}

// reexports adds the names of one export … from.
func (e *exporter) reexports(o *ownExports, f *code.File, i int) {
	imp := &f.Imports[i]
	file, module := "", imp.Module
	if t := e.resolution.Target(f.Path, i); t.Origin == Internal {
		module = ""
		if len(t.Files) == 1 && e.files[t.Files[0]] != nil {
			file = t.Files[0]
		}
	}
	if imp.Namespace != "" {
		o.names[imp.Namespace] = ExportedName{Name: imp.Namespace, File: file, Symbol: "*", Module: module}
		return
	}
	for n, name := range imp.Named {
		if name == "*" {
			if file != "" {
				o.stars = append(o.stars, file)
			}
			continue
		}
		as := name
		if n < len(imp.Aliases) {
			as = cmp.Or(imp.Aliases[n], name)
		}
		o.names[as] = ExportedName{Name: as, File: file, Symbol: name, Module: module}
		if file != "" {
			o.from[as] = reexport{file, name}
		}
	}
}

// collect adds the exports of a file to names unless they are there. Visited are the files whose stars were already
// followed.
func (e *exporter) collect(path string, names map[string]ExportedName, visited map[string]bool) {
	visited[path] = true
	top := len(visited) == 1
	o := e.read(path)
	for name := range o.names {
		if _, hidden := names[name]; !hidden && (top || name != "default") {
			names[name] = e.origin(path, name)
		}
	}
	for _, star := range o.stars {
		if !visited[star] {
			e.collect(star, names, visited)
		}
	}
}

// origin resolves an exported name to its declaration.
func (e *exporter) origin(path, name string) ExportedName {
	o := e.read(path)
	found := o.names[name]
	seen := map[reexport]bool{}
	for at, more := o.from[name]; more && !seen[at]; {
		seen[at] = true
		next, ok := e.find(at, map[string]bool{})
		if !ok {
			break
		}
		here := e.read(next.file)
		found = here.names[next.name]
		at, more = here.from[next.name]
	}
	found.Name = name
	return found
}

// find returns the file that exports at.name itself, if at.file only re-exports it with a star.
func (e *exporter) find(at reexport, visited map[string]bool) (reexport, bool) {
	visited[at.file] = true
	o := e.read(at.file)
	if _, ok := o.names[at.name]; ok {
		return at, true
	}
	if at.name == "default" {
		return reexport{}, false
	}
	for _, star := range o.stars {
		if !visited[star] {
			if next, ok := e.find(reexport{star, at.name}, visited); ok {
				return next, true
			}
		}
	}
	return reexport{}, false
}
