package resolve

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// hasSelf reports whether names in a scope may resolve to members of self: in a type, in a function with an owner,
// in a closure with a receiver.
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

// beyondImplied reports whether found is an implicit parameter of a closure that takes no parameters.
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

// implicit returns a member of the enclosing type that is named without "this".
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
		found = found.only(func(v *value) bool { return v.kind != function || v.decl == nil || !v.decl.isConstructor() })
	}
	if types {
		found = found.only(func(v *value) bool { return v.decl != nil && v.decl.isType() })
	}
	return found.by(This)
}

// isCertain reports whether the member of the enclosing type is what a name means.
func (l *Linker) isCertain(u *unit, found values, name string) bool {
	has := u.language.has
	if has == nil {
		return len(found) > 0 && found[0].kind != external
	}
	return !outside(found) || slices.ContainsFunc(found, func(v value) bool { return v.on != nil && has(*v.on, name) })
}

// outside reports whether all values are external.
func outside(vs values) bool {
	for _, v := range vs {
		if v.kind != external && v.kind != builtin {
			return false
		}
	}
	return true
}

// What the types of a project contain under a name: members, types. It is a set of bits.
const (
	members = 1 + iota
	memberTypes
)

// inTypes returns the bit for members or types.
func inTypes(types bool) uint8 {
	if types {
		return memberTypes
	}
	return members
}

// isType reports whether a declaration's name may be used as a type.
func (d *decl) isType() bool {
	switch d.def.Kind {
	case code.DefType, code.DefAlias, code.DefTypeParam, code.DefSpace:
		return true
	default:
		return false
	}
}

// isConstructor reports whether a function of a type has the type's name.
func (d *decl) isConstructor() bool {
	s := &d.unit.facts.Scopes[d.scope]
	return d.def.Kind == code.DefFunc && s.Kind == code.TypeScope && s.Name == d.def.Name
}
