package link

import (
	"math"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// meaning looks up a name from a scope outwards: what the scopes bind, what the
// imports bring, the package, what the language adds. What it finds is not opened.
func (l *Linker) meaning(u *unit, scope int32, name string, pos int32) values {
	if pos == code.HeadPos {
		if found := u.typeParam(scope, name); found != nil {
			return values{declared(found)}.by(SameFile)
		}
		scope, pos = u.facts.Scopes[scope].Parent, math.MaxInt32
	}
	var unsure values // of bases outside the project
	for s := scope; s >= 0; s = u.facts.Scopes[s].Parent {
		if typeScope(&u.facts.Scopes[s]) && u.language.overloads && (strings.HasSuffix(name, called) || !u.language.functionsApart) {
			if found := l.implicit(u, s, name); l.settles(u, found, name) {
				return found
			} else if unsure == nil {
				unsure = found
			}
			if u.language.functionsApart {
				continue
			}
		}
		if found := u.bound(s, name, pos, s == scope); found != nil && !l.beyondImplied(u, found, name) {
			rule := SameFile
			if s > 0 && (u.facts.Scopes[s].Kind == code.FuncScope || u.facts.Scopes[s].Kind == code.BlockScope) {
				rule = Local
			} else {
				l.look(name)
			}
			var out values
			for _, d := range found {
				out = out.add(values{declared(d)}.by(rule)...)
			}
			if s == 0 && u.language.rebinds {
				out = out.add(l.named(u, name)...)
			}
			return out
		}
		if u.language.implicitThis && l.hasSelf(u, s) {
			if found := l.implicit(u, s, name); l.settles(u, found, name) {
				return found
			} else if unsure == nil {
				unsure = found
			}
		}
	}
	l.look(name)
	if found := l.outer(u, scope, name); len(found) > 0 {
		return found
	}
	return unsure
}

// nameOf returns what a name in the text means, not opened.
func (l *Linker) nameOf(u *unit, x *code.Expr) values {
	return objects(u.language.either(x, func(name string) values { return l.meaning(u, x.Scope, name, x.Pos) }))
}

// objects leaves of a class and an object of one name the object, which is what the name
// stands for where a value is meant.
func objects(vs values) values {
	if !slices.ContainsFunc(vs, value.isObject) {
		return vs
	}
	return vs.some(func(v value) bool { return v.isObject() || v.kind != typeValue })
}

// isObject tells the type of which there is one object.
func (v value) isObject() bool { return v.kind == typeValue && v.decl.def.Single }

// memberOf returns what the member of a value in the text means, not opened.
func (l *Linker) memberOf(u *unit, x *code.Expr, e *env) values {
	of := l.value(u, x.X, e)
	return objects(u.language.either(x, func(name string) values { return l.members(of, name) }))
}

// either looks up a name of the text as that of a function and as that of what
// else there is, the likelier first.
func (l *language) either(x *code.Expr, look func(name string) values) values {
	if !l.functionsApart {
		found := look(x.Name)
		if l.fallback && outside(found) { // declared in a language where they are
			if more := look(x.Name + called); !outside(more) {
				return more
			}
		}
		return found
	}
	first, second := x.Name, x.Name+called
	other := x.Op == code.OpSelect || l.fallback
	if x.Called {
		first, second, other = second, first, l.fallback
	}
	found := look(first)
	if !other || !outside(found) {
		return found
	}
	if more := look(second); (!outside(more) || len(found) == 0) && (!x.Called || len(found) == 0 || more[0].kind != instance) {
		return more
	}
	return found
}

// typeParam returns the type parameter of a name that a scope binds; nil for none.
func (u *unit) typeParam(scope int32, name string) *decl {
	for _, p := range u.typeParams(scope) {
		if p.def.Name == name {
			return p
		}
	}
	return nil
}

// settles tells that what the type around has under a name is what is meant.
func (l *Linker) settles(u *unit, found values, name string) bool {
	if !outside(found) {
		return true
	}
	for _, v := range found {
		if v.on != nil && u.language.has != nil && u.language.has(*v.on, name) {
			return true
		}
	}
	return false
}

// outside tells that nothing in the project is known by a name.
func outside(vs values) bool {
	for _, v := range vs {
		if v.kind != external && v.kind != builtin {
			return false
		}
	}
	return true
}

// outer looks up a name that no scope of the file binds.
func (l *Linker) outer(u *unit, scope int32, name string) values {
	if _, ok := u.imports[name]; ok {
		return l.named(u, name)
	}
	if found := l.inPackage(u, name); len(found) > 0 {
		return found
	}
	for _, i := range u.stars {
		if found := l.starred(u, i, name); len(found) > 0 {
			return found.by(Star)
		}
	}
	if u.language.beyond != nil {
		if found := u.language.beyond(l, u, scope, name); len(found) > 0 {
			return found
		}
	}
	if u.language.builtins[name] {
		return values{builtinOf(name)}
	}
	return nil
}

// named returns what imports of a file bring by a name.
func (l *Linker) named(u *unit, name string) values {
	var out values
	for _, b := range u.imports[name] {
		out = out.add(l.brought(u, b).by(Imported)...)
	}
	return out
}

// bound returns what a scope binds to a name where the text at pos sees it: of
// variables that are set several times the last before it, or all. Members are
// seen by their names alone directly in the body of the type.
func (u *unit) bound(scope int32, name string, pos int32, directly bool) []*decl {
	var all []*decl
	var last *decl
	members := typeScope(&u.facts.Scopes[scope]) && (!directly || u.language.receiverFirst || u.language.qualified) && !u.language.implicitThis || u.isObject(scope)
	for i := range u.decls[scope] {
		d := u.decls[scope][i]
		if u.language.extends && d.def.Scope != 0 && d.open().Owner != 0 {
			continue
		}
		if d.name != name || members && d.def.Kind != code.DefTypeParam || u.language.receiverFirst && d.isMethod() {
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
	if len(all) == 0 { // used before it is set, as in a closure
		for i := range u.decls[scope] {
			if d := u.decls[scope][i]; d.name == name && d.def.Kind == code.DefVar && u.language.hoists {
				all = append(all, d)
			}
		}
	}
	return all
}

// hasSelf tells a scope whose names may be members of a value: a type's, that of a
// function with an owner, a closure's with a receiver.
func (l *Linker) hasSelf(u *unit, scope int32) bool {
	s := &u.facts.Scopes[scope]
	switch {
	case typeScope(s):
		return true
	case s.Kind != code.FuncScope:
		return false
	case s.Owner != 0:
		return !u.language.receiverFirst
	}
	return u.language.receiver != nil && s.Name == "" && len(u.language.receiver(l, u, scope)) > 0
}

// beyondImplied tells that what a scope binds is a parameter that is not written, of a
// closure that gets none.
func (l *Linker) beyondImplied(u *unit, found []*decl, name string) bool {
	if name != u.language.implied || name == "" {
		return false
	}
	d := found[0]
	if !d.def.Optional || len(l.given(d, nil)) > 0 {
		return false
	}
	for s := u.facts.Scopes[d.scope].Parent; s > 0; s = u.facts.Scopes[s].Parent {
		if around := u.bound(s, name, d.def.Pos, false); len(around) > 0 && (!around[0].def.Optional || len(l.given(around[0], nil)) > 0) {
			return true
		}
	}
	return false
}

// isObject tells the scope of the members of an object literal.
func (u *unit) isObject(scope int32) bool {
	s := &u.facts.Scopes[scope]
	return s.Kind == code.SpaceScope && s.Name == ""
}

// implicit returns a member of the type around that is named without "this".
func (l *Linker) implicit(u *unit, scope int32, name string) values {
	self := l.self(u, scope)
	if len(self) == 0 {
		return nil
	}
	return l.members(self, name).by(This)
}

// inPackage returns what other files of the package declare under a name.
func (l *Linker) inPackage(u *unit, name string) values {
	s := u.language.space(u)
	if s == "" {
		return nil
	}
	found := inBuild(u, l.spaceMember(u.language.family, s, name)).by(SamePackage)
	if len(found) > 1 && u.language.near != nil {
		return u.language.near(l, u, found)
	}
	return found
}

// inBuild leaves of declarations for several platforms those for the platform of
// the unit that asks, else those in the reference build; u is nil for none. Go only.
func inBuild(u *unit, vs values) values {
	if len(vs) < 2 {
		return vs
	}
	of := func(constraint string) values {
		return slices.DeleteFunc(slices.Clone(vs), func(v value) bool {
			return v.decl == nil || v.decl.unit.file.Constraint != constraint
		})
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
	l.look(name)
	var out values
	for _, d := range l.project.spaces[spaceKey{family, space}][name] {
		out = out.add(declared(d))
	}
	return out
}

// brought returns what a binding of an import means.
func (l *Linker) brought(u *unit, b binding) values {
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

// starred returns what an import of everything brings under a name.
func (l *Linker) starred(u *unit, i int, name string) values {
	var out values
	for _, file := range u.target(i).Files {
		if m := l.project.units[file]; m != nil && m != u {
			out = out.add(l.exported(m, name)...)
		}
	}
	return out
}

// exported returns what a module's file has under a name for who imports it.
func (l *Linker) exported(m *unit, name string) values {
	l.look(name)
	if m.language.exported != nil {
		return m.language.exported(l, m, name)
	}
	return l.ask(question{unit: m, name: name, what: askExport}, func() values {
		return l.exportedBy(m, name)
	})
}

// exportedBy is [Linker.exported] by the usual rule: what the file's top binds, else
// what its imports bring.
func (l *Linker) exportedBy(m *unit, name string) values {
	var out values
	for i := range m.decls[0] {
		if d := m.decls[0][i]; d.name == name || name == "default" && d.def.Default {
			out = out.add(declared(d))
		}
	}
	if len(out) > 0 && !m.language.rebinds {
		return out
	}
	for _, b := range m.imports[name] {
		out = out.add(l.brought(m, b)...)
	}
	for _, i := range m.stars {
		if len(out) > 0 {
			break
		}
		out = l.starred(m, i, name)
	}
	return out
}
