package resolve

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// pythonLanguage implements Python: modules see each other only by imports; the modules of a package are its
// members; bases are searched in C3 order.
func pythonLanguage() *language {
	return &language{
		bind: pythonBind, imported: pythonImported, exported: pythonExported, member: pythonMember, result: pythonResult,
		element: pythonElement, item: pythonItem, fixture: pythonFixture,
		constructors: []string{"__init__", "__new__"}, callables: []string{"__call__"},
		hoists: true, rebinds: true, holds: true, narrows: true, linear: true, callsTypes: true, keyed: true, builtins: pythonBuiltins,
	}
}

// pythonBind binds the names of an import statement; re-exports are part of the statement itself.
func pythonBind(u *unit, i int) {
	if u.file.Imports[i].Reexport {
		return
	}
	stars := len(u.stars)
	bindImport(u, i)
	if len(u.stars) > stars { // the last one wins
		u.stars = append([]int{i}, u.stars[:stars]...)
	}
}

// pythonImported returns the meaning of an imported name: the module, the first package of a dotted name, or a name
// in the module, which may be a submodule.
func pythonImported(l *Linker, u *unit, b binding) values {
	imp, t := &u.file.Imports[b.index], u.target(b.index)
	if len(t.Files) == 0 {
		if t.Path != "" { // a namespace package
			return values{folderOf(u, path.Join(t.Path, b.name))}
		}
		return values{externalOf(outsideName(imp.Module, b.name))}
	}
	if b.name == "" {
		return l.pythonModule(u, imp, t.Files[0])
	}
	var out values
	for _, file := range t.Files {
		if m := l.project.units[file]; m != nil && isModule(u, imp, file) {
			out = out.add(l.exported(m, b.name)...)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, file := range t.Files {
		m := l.project.units[file]
		switch {
		case m == nil:
		case path.Base(moduleName(file)) == b.name && !isModule(u, imp, file):
			return values{{kind: module, unit: m}}
		case !isModule(u, imp, file):
			if sub := l.submodule(path.Dir(moduleName(file)), b.name); sub != nil {
				return values{{kind: module, unit: sub}}
			}
		}
	}
	return nil
}

// moduleName returns the path of a module without the file's extension or __init__.
func moduleName(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(file, path.Ext(file)), "/__init__")
}

// isModule reports whether a file is the module named by an import, not one of its submodules.
func isModule(u *unit, imp *code.Import, file string) bool {
	name := strings.TrimLeft(imp.Module, ".")
	at := moduleName(file)
	if name == "" {
		dir := path.Dir(u.file.Path)
		for range len(imp.Module) - 1 {
			dir = path.Dir(dir)
		}
		return at == dir || at == "__init__" && dir == "."
	}
	want := strings.ReplaceAll(name, ".", "/")
	return at == want || strings.HasSuffix(at, "/"+want)
}

// pythonModule returns what import a.b.c binds: a, or with "as" the module itself.
func (l *Linker) pythonModule(u *unit, imp *code.Import, file string) values {
	m := l.project.units[file]
	first, rest, dotted := strings.Cut(imp.Module, ".")
	if !dotted || first == "" || imp.Namespace != first {
		if m == nil {
			return nil
		}
		return values{{kind: module, unit: m}}
	}
	at := moduleName(file)
	for range strings.Count(rest, ".") + 1 {
		at = path.Dir(at)
	}
	if top := l.submodule(path.Dir(at), path.Base(at)); top != nil {
		return values{{kind: module, unit: top}}
	}
	return values{folderOf(u, at)}
}

// submodule returns the module or package of a name in a folder; nil if there is none.
func (l *Linker) submodule(dir, name string) *unit {
	l.look(name)
	at := path.Join(dir, name)
	for _, file := range []string{at + "/__init__.py", at + ".py", at + "/__init__.pyi", at + ".pyi"} {
		if m := l.project.units[file]; m != nil {
			return m
		}
	}
	return nil
}

// folderOf returns a folder as a namespace package.
func folderOf(u *unit, dir string) value {
	return value{kind: builtin, unit: u, name: folderMark + dir}
}

const folderMark = "folder "

// pythonExported returns what a module has under a name: a declaration, an import, or a submodule.
func pythonExported(l *Linker, m *unit, name string) values {
	return l.ask(question{unit: m, name: name, what: askExport}, func() values {
		out := l.exportedBy(m, name)
		if len(out) == 0 && strings.HasPrefix(path.Base(m.file.Path), "__init__.") {
			if sub := l.submodule(path.Dir(m.file.Path), name); sub != nil {
				out = values{{kind: module, unit: sub}}
			}
		}
		return out
	})
}
