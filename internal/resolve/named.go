package resolve

import "github.com/reverse-spec/reverse-spec/internal/code"

// nameOf returns what a name in the text means, not opened.
func (l *Linker) nameOf(u *unit, x *code.Expr) values {
	return objects(u.language.either(x, func(name string) values { return u.values(l.meant(u, x, name)) }))
}

// memberOf returns what the member of a value in the text means, not opened.
func (l *Linker) memberOf(u *unit, x *code.Expr, e *env) values {
	of := l.value(u, x.X, e)
	return objects(u.language.either(x, func(name string) values { return l.members(of, name) }))
}

// either looks up a name of the text as that of a function and as that of what
// else there is, the likelier first.
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

// typeParam returns the type parameter of a name that a scope binds; nil for none.
func (u *unit) typeParam(scope int32, name string) *decl {
	for _, p := range u.typeParams(scope) {
		if p.def.Name == name {
			return p
		}
	}
	return nil
}
