package resolve

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// ecmaLanguage implements TypeScript and JavaScript. Files see each other's exports, which are kept under names
// prefixed by "export ".
func ecmaLanguage() *language {
	return &language{
		family: "ecma", space: func(u *unit) string { return u.file.Path }, merges: true,
		bind: ecmaBind, exported: ecmaExported, imported: ecmaImported,
		member: ecmaMember, result: ecmaResult, passed: ecmaPassed, element: ecmaElement, generic: ecmaGeneric,
		constructors: []string{"constructor"}, ownConstructors: true, callables: []string{"()"}, signatures: true,
		choose: ecmaChoose, qualified: true, typesApart: true, hoists: true, builtins: ecmaGlobals,
	}
}

// ecmaChoose selects none of several values that may be an element of a container: which one is called is unknown.
func ecmaChoose(_ *Linker, c *callSite, goals values) values {
	if c.unit.expr(c.expr().X).Op == code.OpIndex {
		return nil
	}
	return goals
}

// ecmaBind binds the names of an import. Re-exported names are not visible in the file itself.
func ecmaBind(u *unit, i int) {
	imp := &u.file.Imports[i]
	if !imp.Reexport {
		bindImport(u, i)
		return
	}
	if imp.Namespace != "" {
		u.bindName("export "+imp.Namespace, binding{i, ""})
		return
	}
	for k, name := range imp.Named {
		as := name
		if k < len(imp.Aliases) && imp.Aliases[k] != "" {
			as = imp.Aliases[k]
		}
		u.bindName("export "+as, binding{i, name})
	}
}

// ecmaExported returns what a file exports under a name.
func ecmaExported(l *Linker, m *unit, name string) values {
	return l.ask(question{unit: m, name: name, what: askExport}, func() values {
		if found := m.exports(l, name); len(found) > 0 {
			return found
		}
		if found := m.commonExports(l, name); len(found) > 0 || name == "default" {
			return found
		}
		for _, b := range m.imports["export *"] {
			if found := l.wildcardMember(m, b.index, name).by(Star); len(found) > 0 {
				return found
			}
		}
		return nil
	})
}

// exports returns what the file itself exports under a name.
func (m *unit) exports(l *Linker, name string) values {
	var out values
	for i := range m.decls[0] {
		d := m.decls[0][i]
		switch {
		case d.def.Name == "export "+name:
			out = out.add(l.targets(m, d.def.Value, nil).fromOtherFile()...)
		case name == "default" && d.def.Default && d.def.Kind != code.DefField, d.def.Name == name && d.def.Exported && !d.def.Default, d.def.Name == name && m.ambient():
			out = out.add(declared(d))
		}
	}
	for _, b := range m.imports["export "+name] {
		out = out.add(l.importedMeaning(m, b)...)
	}
	return out
}

// ambient reports whether a file is a declaration file, which exports everything.
func (m *unit) ambient() bool { return m.file.Language == "typescript" && declarationFile(m.file.Path) }

// commonExports returns what a CommonJS file exports under a name: properties of exports, or of the object assigned
// to module.exports.
func (m *unit) commonExports(l *Linker, name string) values {
	var out values
	for i := range m.decls[0] {
		d := m.decls[0][i]
		if d.def.Kind != code.DefField || d.def.Name != "exports" && d.def.Name != "default" {
			continue
		}
		whole := l.targets(m, d.def.Value, nil).fromOtherFile()
		if name == "default" {
			return whole
		}
		out = out.add(l.members(l.open(whole, nil), name)...)
	}
	return out
}

// ecmaImported returns the meaning of an imported name. A required module is the value of module.exports.
func ecmaImported(l *Linker, u *unit, b binding) values {
	t, imp := u.target(b.index), &u.file.Imports[b.index]
	if len(t.Files) == 0 {
		return values{externalOf(outsideName(imp.Module, b.name))}
	}
	m := l.project.units[t.Files[0]]
	if m == nil {
		return nil
	}
	if b.name != "" {
		return l.exported(m, b.name).by(Imported)
	}
	if imp.Kind == code.RequireImport {
		if found := l.exported(m, "default"); len(found) > 0 {
			return found.by(Imported)
		}
	}
	return values{{kind: module, unit: m, how: Imported}}
}

// fromOtherFile returns values as seen from other files, where the rule SameFile does not apply.
func (vs values) fromOtherFile() values {
	out := slices.Clone(vs)
	for i := range out {
		if out[i].how == SameFile {
			out[i].how = 0
		}
	}
	return out
}
