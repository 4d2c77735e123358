package link

import "github.com/reverse-spec/reverse-spec/code"

// nameOf returns what a name in the text means, not opened.
func (l *Linker) nameOf(u *unit, x *code.Expr) values {
	return u.language.either(x, func(name string) values { return u.values(l.meant(u, x, name)) })
}

// memberOf returns what the member of a value in the text means, not opened.
func (l *Linker) memberOf(u *unit, x *code.Expr, e *env) values {
	of := l.value(u, x.X, e)
	return u.language.either(x, func(name string) values { return l.members(of, name) })
}

// either looks up a name of the text as that of a function and as that of what
// else there is, the likelier first.
func (l *language) either(x *code.Expr, look func(name string) values) values {
	switch {
	case !l.functionsApart:
		return look(x.Name)
	case !x.Called:
		found := look(x.Name)
		if x.Op == code.OpSelect || l.fallback {
			if known := !outside(found); !known {
				if other := look(x.Name + called); !outside(other) {
					return other
				}
			}
		}
		return found
	}
	found := look(x.Name + called)
	if l.fallback && outside(found) {
		if other := look(x.Name); !outside(other) {
			return other
		}
	}
	return found
}
