package resolve

import "github.com/reverse-spec/reverse-spec/internal/code"

// overloads reports whether a type inherits overloads of its own functions.
func (l *Linker) overloads(d *decl) bool { return d.unit.language.overloads }

// withOverloads adds the functions of a base that are not overridden.
func withOverloads(own, base values) values {
	if outside(base) && len(own) > 0 {
		return own
	}
	if outside(own) {
		return base
	}
	for _, f := range base {
		if f.kind != function || f.decl == nil || own[0].kind != function {
			continue
		}
		hidden := false
		for _, o := range own {
			hidden = hidden || o.decl != nil && o.kind == function && o.decl.overrides(f.decl)
		}
		if !hidden {
			own = own.add(f)
		}
	}
	return own
}

// overrides reports whether a function has the same parameter types as another, judged by the last names of the
// types.
func (d *decl) overrides(base *decl) bool {
	mine, theirs := d.params(), base.params()
	if len(mine) != len(theirs) {
		return false
	}
	for i, p := range mine {
		if p.def.Variadic != theirs[i].def.Variadic {
			return false
		}
		if p.typeName() != theirs[i].typeName() && !theirs[i].generic() {
			return false
		}
	}
	return true
}

// typeName returns the last name of a declaration's type.
func (d *decl) typeName() string {
	r, list := d.def.Type, ""
	for d.unit.expr(r).Op == code.OpList {
		r, list = d.unit.expr(r).X, list+"[]"
	}
	if x := d.unit.expr(r); x.Op == code.OpTypeOf && d.unit.expr(x.X).Op == code.OpLit {
		return list + d.unit.expr(x.X).Name
	}
	return list + d.unit.lastName(r)
}

// generic reports whether a declaration's type is a type parameter or omitted.
func (d *decl) generic() bool {
	x := d.unit.expr(d.def.Type)
	if x.Op != code.OpName {
		return x.Op == code.OpNone
	}
	for s := d.scope; s >= 0; s = d.unit.facts.Scopes[s].Parent {
		for _, p := range d.unit.typeParams(s) {
			if p.def.Name == x.Name {
				return true
			}
		}
	}
	return false
}

// mayOverride reports whether a method may override another, of a base and with the same name; base may be nil.
func (d *decl) mayOverride(base *decl) bool {
	return base != nil && base != d && (!d.unit.language.overloads || d.overrides(base))
}
