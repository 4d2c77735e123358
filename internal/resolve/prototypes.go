package resolve

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// defined replaces functions that are only declared by their definitions.
func (l *Linker) defined(goals values) values {
	if !slices.ContainsFunc(goals, value.isPrototype) {
		return goals
	}
	var out values
	for _, g := range goals {
		out = out.add(l.definitionsOf(g)...)
	}
	return out
}

// withoutPrototypes removes declarations of functions that are defined in the same scope.
func withoutPrototypes(goals values) values {
	if len(goals) < 2 || !slices.ContainsFunc(goals, value.isPrototype) {
		return goals
	}
	return slices.DeleteFunc(slices.Clone(goals), func(g value) bool {
		return g.isPrototype() && slices.ContainsFunc(goals, func(x value) bool {
			return x.kind == function && x.decl != nil && !x.isPrototype() && x.decl.unit.file == g.decl.unit.file && x.decl.scope == g.decl.scope &&
				sameTypes(x.decl, g.decl)
		})
	})
}

// definitionsOf returns the definitions of a function that is only declared, and other values unchanged.
func (l *Linker) definitionsOf(f value) values {
	if !f.isPrototype() {
		return values{f}
	}
	var out values
	for _, d := range f.decl.unit.language.defined(l, f.decl) {
		v := f
		v.decl = d
		out = out.add(v)
	}
	switch {
	case len(out) > 0:
		return out
	case f.decl.isConstructor():
		return values{typeOf(f.decl.owner())}.by(f.how)
	}
	return values{f}
}

// isPrototype reports whether a function has no body, in a language in which its definition is elsewhere.
func (d *decl) isPrototype() bool {
	if d.unit.language.defined == nil || d.def.Kind != code.DefFunc || d.def.Abstract {
		return false
	}
	s := d.open()
	return s != nil && !s.Body
}

// isPrototype reports whether a value is a function that is only declared.
func (v value) isPrototype() bool { return v.kind == function && v.decl != nil && v.decl.isPrototype() }

// allFields reports whether all values are fields.
func allFields(vs values) bool {
	return len(vs) > 0 && !slices.ContainsFunc(vs, func(v value) bool { return v.kind != named || v.decl.def.Kind != code.DefField })
}
