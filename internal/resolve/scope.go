package resolve

import (
	"math"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// meant looks up a name of an expression. Among types of one name with different numbers of type parameters it
// selects the one that matches the expression.
func (l *Linker) meant(u *unit, x *code.Expr, name string) values {
	found := l.lookUp(u, x.Scope, name, x.Pos, x.N > 0)
	if len(found) < 2 {
		return found
	}
	if u.language.sameType != nil {
		args := int(max(x.N-1, -x.N))
		found = found.some(func(v value) bool { return v.kind != typeValue || len(v.decl.typeParams()) == args })
	}
	return l.firstParts(found)
}

// firstParts keeps only the first of the parts of a type or of an open namespace.
func (l *Linker) firstParts(found values) values {
	if len(found) < 2 || found[0].decl == nil {
		return found
	}
	lang := found[0].decl.unit.language
	before := 0
	return found.only(func(v *value) bool {
		before++
		return !slices.ContainsFunc(found[:before-1], func(w value) bool {
			return v.kind == w.kind && (v.kind == space && lang.opened != nil || v.kind == typeValue && lang.merges && l.isPart(v.decl, w.decl))
		})
	})
}

// meaning looks up a name from a scope outwards: in the enclosing scopes, the imports, the package, and by language
// rules. The result is not opened.
func (l *Linker) meaning(u *unit, scope int32, name string, pos int32) values {
	return l.lookUp(u, scope, name, pos, false)
}

// lookUp is [Linker.meaning], restricted to types if types is set.
func (l *Linker) lookUp(u *unit, scope int32, name string, pos int32, types bool) values {
	if pos == code.HeadPos {
		if found := u.typeParam(scope, name); found != nil {
			return values{declared(found)}.by(SameFile)
		}
		scope, pos = u.facts.Scopes[scope].Parent, math.MaxInt32
	}
	var unsure values // possible members of external bases
	for s := scope; s >= 0; s = u.facts.Scopes[s].Parent {
		first, second := l.lookUpIn(u, s, name, pos, s == scope, types)
		if len(first) > 0 {
			return first
		}
		if len(unsure) == 0 {
			unsure = second
		}
	}
	l.look(name)
	if found := l.outer(u, scope, name); len(found) > 0 {
		return found
	}
	return unsure
}

// lookUpIn looks up a name in one scope: its bindings, and the members of its type. In languages with inherited
// overloads its own bindings come last. Possible members of external bases are returned as unsure.
func (l *Linker) lookUpIn(u *unit, s int32, name string, pos int32, directly, types bool) (found, unsure values) {
	members := u.language.implicitThis && l.hasSelf(u, s)
	method := members && u.language.overloads && typeScope(&u.facts.Scopes[s]) && (strings.HasSuffix(name, called) || !u.language.functionsApart)
	if !method {
		if found = l.boundIn(u, s, name, pos, directly, types); len(found) > 0 {
			return found, nil
		}
	}
	if !members {
		return nil, nil
	}
	if found = l.implicit(u, s, name, types); l.isCertain(u, found, name) {
		return found, nil
	}
	if method && !u.language.functionsApart { // a type parameter
		return l.boundIn(u, s, name, pos, directly, types), found
	}
	return nil, found
}

// boundIn returns the bindings of a name in a scope that are visible at pos.
func (l *Linker) boundIn(u *unit, s int32, name string, pos int32, directly, types bool) values {
	found := u.bound(s, name, pos, directly)
	if types {
		found = slices.DeleteFunc(found, func(d *decl) bool { return !d.isType() })
	}
	if len(found) == 0 || l.beyondImplied(u, found, name) {
		return nil
	}
	rule := SameFile
	if s > 0 && (u.facts.Scopes[s].Kind == code.FuncScope || u.facts.Scopes[s].Kind == code.BlockScope) {
		rule = Local
	} else {
		l.look(name)
	}
	out := make(values, len(found))
	for i, d := range found {
		out[i] = declared(d)
		out[i].how = rule
	}
	if out = values(nil).add(out...); s == 0 && u.language.rebinds {
		out = out.add(l.named(u, s, name)...)
	}
	return out
}

// outer looks up a name that no scope of the file binds.
func (l *Linker) outer(u *unit, scope int32, name string) values {
	if _, ok := u.imports[name]; ok {
		return l.named(u, scope, name)
	}
	if found := l.inPackage(u, name); len(found) > 0 {
		return found
	}
	for _, i := range u.stars {
		if found := l.wildcardMember(u, i, name); len(found) > 0 {
			return found.by(Star)
		}
	}
	if u.language.outer != nil {
		if found := u.language.outer(l, u, scope, name); len(found) > 0 {
			return found
		}
	}
	if u.language.builtins[name] {
		return values{builtinOf(name)}
	}
	return nil
}

// named returns what imports of a file bind to a name.
func (l *Linker) named(u *unit, scope int32, name string) values {
	all := u.imports[name]
	if len(all) > 1 && u.language.modules {
		all = u.importedAt(scope, all)
	}
	var out values
	for _, b := range all {
		out = out.add(l.importedMeaning(u, b).by(Imported)...)
	}
	return out
}

// importedAt returns those of imports of one name that are in the module around a scope, or all if none is.
func (u *unit) importedAt(scope int32, all []binding) []binding {
	around := max(u.around(scope, code.SpaceScope), 0)
	var own []binding
	for _, b := range all {
		if u.importScopes[b.index] == around {
			own = append(own, b)
		}
	}
	if len(own) == 0 {
		return all
	}
	return own
}

// bound returns the bindings of a name in a scope that are visible at pos: for variables set repeatedly, the last
// one before pos, or all. Members are visible by their plain names only directly in the body of the type.
func (u *unit) bound(scope int32, name string, pos int32, directly bool) []*decl {
	var all []*decl
	var last *decl
	for d := range u.named(scope, name) {
		if !u.alone(d, directly) {
			continue
		}
		if d.def.Pos <= pos {
			all = append(all, d)
			if d.def.Kind == code.DefVar || d.def.Kind == code.DefParam {
				last = d
			}
		}
	}
	if last != nil && len(all) > 1 && u.facts.Scopes[scope].Kind != code.FileScope {
		return []*decl{last}
	}
	if len(all) == 0 && u.language.hoists { // used before it is set, as in a closure
		for d := range u.named(scope, name) {
			if d.def.Kind == code.DefVar {
				all = append(all, d)
			}
		}
	}
	return all
}

// alone reports whether a declaration is visible by its plain name, directly in its scope or further inside.
func (u *unit) alone(d *decl, directly bool) bool {
	switch {
	case d.def.Kind == code.DefTypeParam:
		return true
	case u.isObject(d.scope), d.isMethod() && (u.language.qualified || u.language.extends):
		return false
	case u.language.classNames && d.isConstructor(): // inside the class its name means the class
		return false
	case u.language.implicitThis || !typeScope(&u.facts.Scopes[d.scope]):
		return true
	}
	return directly && !u.language.qualified
}

// isObject reports whether a scope holds the members of an object literal.
func (u *unit) isObject(scope int32) bool {
	s := &u.facts.Scopes[scope]
	return s.Kind == code.SpaceScope && s.Name == ""
}

// inPackage returns what other files of the package declare under a name.
func (l *Linker) inPackage(u *unit, name string) values {
	if u.space == "" {
		return nil
	}
	found := inBuild(u, l.visible(u.inSpace, name)).by(SamePackage)
	if len(found) > 1 && u.language.near != nil {
		return u.language.near(l, u, found)
	}
	return found
}

// inBuild selects among declarations for several platforms those of the platform of unit u, else those in the
// reference build; u may be nil. Go only.
func inBuild(u *unit, vs values) values {
	if len(vs) < 2 {
		return vs
	}
	of := func(constraint string) values {
		return vs.only(func(v *value) bool { return v.decl != nil && v.decl.unit.file.Constraint == constraint })
	}
	if u != nil && u.file.Constraint != "" {
		if same := of(u.file.Constraint); len(same) > 0 {
			return same
		}
	}
	if reference := of(""); len(reference) > 0 {
		return reference
	}
	return vs
}

// spaceMember returns what a package declares under a name.
func (l *Linker) spaceMember(family, space, name string) values {
	return l.visible(l.project.spaces[spaceKey{family, space}], name)
}

// visible returns those of the declarations of a package that have a name.
func (l *Linker) visible(in *names, name string) values {
	l.look(name)
	var out values
	for _, d := range in.of(name) {
		out = out.add(declared(d))
	}
	return out
}

// importedMeaning returns the meaning of an import's binding.
func (l *Linker) importedMeaning(u *unit, b binding) values {
	if u.language.imported != nil {
		return u.language.imported(l, u, b)
	}
	t := u.target(b.index)
	if len(t.Files) == 0 {
		return values{externalOf(outsideName(t.Package, b.name))}
	}
	var out values
	for _, file := range t.Files {
		m := l.project.units[file]
		switch {
		case m == nil:
		case b.name == "":
			out = out.add(value{kind: module, unit: m})
		default:
			out = out.add(l.exported(m, b.name)...)
		}
	}
	return out
}

func outsideName(pkg, name string) string {
	if name == "" {
		return pkg
	}
	return pkg + "." + name
}

// wildcardMember returns what a wildcard import binds to a name.
func (l *Linker) wildcardMember(u *unit, i int, name string) values {
	if u.language.wildcard != nil {
		return u.language.wildcard(l, u, i, name)
	}
	return l.wildcardOfFiles(u, i, name)
}

// wildcardOfFiles is wildcardMember by the common rule.
func (l *Linker) wildcardOfFiles(u *unit, i int, name string) values {
	var out values
	for _, file := range u.target(i).Files {
		if m := l.project.units[file]; m != nil && m != u {
			out = out.add(l.exported(m, name)...)
		}
	}
	return out
}

// exported returns what a module's file exports under a name.
func (l *Linker) exported(m *unit, name string) values {
	l.look(name)
	if m.language.exported != nil {
		return m.language.exported(l, m, name)
	}
	return l.ask(question{unit: m, name: name, what: askExport}, func() values {
		return l.exportedBy(m, name)
	})
}

// exportedBy is [Linker.exported] by the common rule: the file's top-level bindings, then its imports.
func (l *Linker) exportedBy(m *unit, name string) values {
	var out values
	for d := range m.named(0, name) {
		out = out.add(declared(d))
	}
	for i := range m.decls[0] {
		if d := m.decls[0][i]; name == "default" && d.def.Default {
			out = out.add(declared(d))
		}
	}
	if len(out) > 0 && !m.language.rebinds {
		return out
	}
	for _, b := range m.imports[name] {
		out = out.add(l.importedMeaning(m, b)...)
	}
	for _, i := range m.stars {
		if len(out) > 0 {
			break
		}
		out = l.wildcardMember(m, i, name)
	}
	return out
}
