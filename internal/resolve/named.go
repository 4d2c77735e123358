package resolve

import "github.com/reverse-spec/reverse-spec/internal/code"

// nameOf returns the meaning of a name expression, not opened.
func (l *Linker) nameOf(u *unit, x *code.Expr) values {
	return objects(u.language.either(x, func(name string) values { return u.values(l.meant(u, x, name)) }))
}

// memberOf returns the meaning of a member expression, not opened.
func (l *Linker) memberOf(u *unit, x *code.Expr, e *env) values {
	of := l.value(u, x.X, e)
	found := objects(u.language.either(x, func(name string) values { return l.members(of, name) }))
	if len(found) == 0 && u.language.only != nil {
		return u.language.only(l, u, x, of)
	}
	return found
}

// either looks up a name in both namespaces, that of functions and the other one, the more likely first.
func (l *language) either(x *code.Expr, look func(name string) values) values {
	if !l.functionsApart && !l.fallback {
		return look(x.Name)
	}
	first, second := x.Name, x.Name+called
	other := x.Op == code.OpSelect || l.fallback
	if x.Called && l.functionsApart {
		first, second, other = second, first, l.fallback
	}
	found := look(first)
	if !other || !outside(found) {
		return found
	}
	more := look(second)
	if len(found) == 0 || !outside(more) && (!x.Called || more[0].kind != instance) {
		return more
	}
	return found
}

// typeParam returns the type parameter of a name bound by a scope; nil if there is none.
func (u *unit) typeParam(scope int32, name string) *decl {
	for _, p := range u.typeParams(scope) {
		if p.def.Name == name {
			return p
		}
	}
	return nil
}
