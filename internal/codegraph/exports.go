package codegraph

import (
	"cmp"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// ExportedName is a name that a file exports.
type ExportedName struct {
	Name   string // as importers write it; "default" for the default export
	File   string // that declares it; "" when that is not in the project
	Symbol string // its name there: "*" for the file itself, "default" for a default without a name
	// Module is the specifier of the external or missing module that the name
	// comes from; "" when the name is the project's.
	Module string
}

// Exports lists what each TypeScript and JavaScript file exports, re-exports
// followed, sorted by name. As in the language, "export *" leaves out the
// default export, and a name that the file exports itself hides one that comes
// by a star; of two stars that bring one name the first counts, as for
// TypeScript. What a star brings from outside the project is not known and not
// listed. Files that export nothing have no entry.
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

// exporter follows re-exports.
type exporter struct {
	resolution *Resolution
	files      map[string]*code.File
	own        map[string]*ownExports
}

// ownExports are what a file says itself.
type ownExports struct {
	names map[string]ExportedName // declared or re-exported by name, not yet followed
	from  map[string]reexport     // the re-exported among them
	stars []string                // files that all is re-exported from, in order
}

// reexport is a name in another file.
type reexport struct{ file, name string }

// read returns what a file says itself.
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
		delete(o.from, name) // a declaration and an import of one name merge
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

// collect adds what a file exports to names, where they are not yet. Visited are
// the files whose stars were followed on the way.
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

// origin follows a name that a file exports to where it is declared.
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

// find returns the file that names what is exported as at.name, which at.file
// itself may only pass on by a star.
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
