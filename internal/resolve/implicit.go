package resolve

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

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
		return u.language.extends
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

// implicit returns a member of the type around that is named without "this".
func (l *Linker) implicit(u *unit, scope int32, name string, types bool) values {
	if u.language.has == nil && l.project.inside[name] < inTypes(types) && u.facts.Scopes[scope].Owner == 0 {
		l.look(name)
		return nil
	}
	self := l.self(u, scope)
	if len(self) == 0 {
		return nil
	}
	found := l.members(self, name)
	if u.language.classNames {
		found = slices.DeleteFunc(found, func(v value) bool { return v.kind == function && v.decl != nil && v.decl.isConstructor() })
	}
	if types {
		found = slices.DeleteFunc(found, func(v value) bool { return v.decl == nil || !v.decl.isType() })
	}
	return found.by(This)
}

// settles tells that what the type around has under a name is what is meant.
func (l *Linker) settles(u *unit, found values, name string) bool {
	has := u.language.has
	if has == nil {
		return len(found) > 0 && found[0].kind != external
	}
	return !outside(found) || slices.ContainsFunc(found, func(v value) bool { return v.on != nil && has(*v.on, name) })
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

// What the types of a project have inside under a name: nothing, members, types.
const (
	members = 1 + iota
	memberTypes
)

// inTypes is what types have to have inside under a name that is looked up.
func inTypes(types bool) uint8 {
	if types {
		return memberTypes
	}
	return members
}

// isType tells a declaration whose name can stand where a type is asked for.
func (d *decl) isType() bool {
	switch d.def.Kind {
	case code.DefType, code.DefAlias, code.DefTypeParam, code.DefSpace:
		return true
	default:
		return false
	}
}

// isConstructor tells a function of a type that has its name.
func (d *decl) isConstructor() bool {
	s := &d.unit.facts.Scopes[d.scope]
	return d.def.Kind == code.DefFunc && s.Kind == code.TypeScope && s.Name == d.def.Name
}
