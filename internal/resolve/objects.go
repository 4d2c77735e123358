package resolve

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// isObject reports whether a type is a singleton object.
func (v value) isObject() bool { return v.kind == typeValue && v.decl.def.Single }

// objects returns, of a class and an object of one name, the object, which the name means as a value.
func objects(vs values) values {
	if !slices.ContainsFunc(vs, value.isObject) {
		return vs
	}
	return vs.some(func(v value) bool { return v.isObject() || v.kind != typeValue })
}

// classes returns, of a class and an object of one name, the class, which the name means as a type.
func classes(vs values) values {
	if len(vs) < 2 {
		return vs
	}
	return vs.some(func(v value) bool { return !v.isObject() })
}

// objectTargets returns the targets of calling an object: its own apply functions, or the constructor of its companion
// class.
func (l *Linker) objectTargets(t value) values {
	for _, name := range t.decl.unit.language.callables {
		if found := l.typeMember(t, name, 0); len(found) > 0 {
			return found.by(t.how)
		}
	}
	for _, d := range t.decl.unit.decls[t.decl.scope] {
		if d.def.Kind == code.DefType && !d.def.Single && d.def.Name == t.decl.def.Name {
			return l.constructors(typeOf(d)).by(t.how)
		}
	}
	return values{t}
}

// objectCallResult returns the result of calling an object.
func (l *Linker) objectCallResult(t value, c *callSite) values {
	var out values
	called := l.objectTargets(t)
	if c != nil {
		called = l.fitting(c, called)
	}
	for _, f := range called {
		switch {
		case f.kind == typeValue && !f.isObject():
			out = out.add(l.constructed(f, c)...)
		case f.kind != function || f.decl == nil:
		case f.decl.def.Name == constructorName && f.decl.owner() != nil && f.decl.owner() != t.decl:
			out = out.add(l.constructed(typeOf(f.decl.owner()), c)...)
		default:
			out = out.add(l.functionResult(f, c)...)
		}
	}
	return out
}

// unbare replaces functions named without parentheses by their results, in languages that allow this.
func (l *Linker) unbare(u *unit, x *code.Expr, vs values) values {
	if u.language.bare == nil || x.Called {
		return vs
	}
	var out values
	for _, v := range vs {
		if found, ok := u.language.bare(l, v); ok {
			out = out.add(found...)
			continue
		}
		out = out.add(v)
	}
	return out
}

// isBare reports whether naming a function calls it.
func (d *decl) isBare(u *unit) bool {
	return u.language.bare != nil && d.def.Kind == code.DefFunc && len(d.params()) == 0 && !d.def.Implied
}

// curried reports whether a call only passes further arguments to the function called by the inner call.
func (l *Linker) curried(u *unit, x *code.Expr, found values) bool {
	if u.language.bare == nil || u.expr(x.X).Op != code.OpCall {
		return false
	}
	return slices.ContainsFunc(found, func(v value) bool { return v.kind == funcType || v.kind == builtin && v.name == functionName })
}
