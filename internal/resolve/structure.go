package resolve

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// imports adds the edges from the file to its imports: modules, packages as folders, external packages.
func (l *Linker) imports() {
	for i := range l.unit.file.Imports {
		t := l.unit.target(i)
		e := Edge{Type: codegraph.Imports, Line: l.unit.file.Imports[i].Line, Rule: Imported, Weight: 1}
		switch {
		case t.Origin == codegraph.External && t.Package != "":
			e.Path, e.To = t.Package, Package
		case len(t.Files) == 1 && t.Files[0] == t.Path:
			e.Path = t.Path
		case len(t.Files) > 0:
			e.Path, e.To = t.Path, Folder
		default:
			continue
		}
		if e.Path != l.unit.file.Path {
			l.put(e)
		}
	}
}

// definitions adds the edges from declarations to nested ones. A method belongs to its type, wherever it is
// declared.
func (l *Linker) definitions() {
	u := l.unit
	for s := range u.decls {
		for _, d := range u.decls[s] {
			if n, ok := d.isSymbol(); ok && n < len(u.symbols) {
				l.definition(d, n)
			}
		}
	}
	for i := range u.symbols {
		if s := &u.symbols[i]; i > 0 && s.Parent == 0 && s.Exported {
			l.put(Edge{Type: codegraph.ExportsSymbol, Path: u.file.Path, To: i, Line: s.StartLine, Weight: 1})
		}
	}
}

func (l *Linker) definition(d *decl, n int) {
	u := l.unit
	s := &u.symbols[n]
	e := Edge{From: s.Parent, Type: codegraph.Defines, Path: u.file.Path, To: n, Line: s.StartLine, Weight: 1}
	owner := d.owner()
	if owner == nil && d.def.Kind == code.DefFunc {
		if owner = l.ownerOf(d); owner != nil {
			if at, known := owner.isSymbol(); known {
				e.From = at
				if owner.unit.file != u.file {
					e.Of = owner.unit.file.Path
				}
			}
		}
	}
	if owner != nil && s.Label == codegraph.LabelMethod {
		e.Type = codegraph.DefinesMethod
	}
	l.put(e)
}
