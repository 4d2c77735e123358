package resolve

import (
	"maps"
	"slices"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// rubyOnly returns what a call means by its name on what has no known member of it: on self, in a module or a class that leaves
// methods to others, what these have; on what is not known, the only method of the name.
func rubyOnly(l *Linker, u *unit, x *code.Expr, of values) values {
	if !isLower(x.Name) {
		return nil
	}
	switch self := u.isSelf(x.X); {
	case len(of) == 1 && self && of[0].decl != nil && (of[0].kind == instance || of[0].kind == typeValue):
		if found := l.rubyBelow(u, of[0], x.Name); len(found) > 0 || of[0].decl.brief().kind != code.Module {
			return found
		}
	case len(of) > 0 || u.expr(x.X).Op == code.OpNone:
		return nil
	}
	return l.rubyNamed(u, x.Name)
}

// isSelf reports whether an expression is self, or the class of self.
func (u *unit) isSelf(r code.Ref) bool {
	x := u.expr(r)
	return x.Op == code.OpThis || x.Op == code.OpTypeOf && u.expr(x.X).Op == code.OpThis
}

// Bounds of what is looked through for a name.
const (
	maxBelow     = 64 // types that include a module or derive from a class
	maxNamesakes = 24 // methods of one name
	maxChoices   = 6  // methods that a call on self may reach
)

// rubyBelow returns the members of a name that the classes have which include or extend a module, or derive from a class.
func (l *Linker) rubyBelow(u *unit, self value, name string) values {
	q := question{unit: self.decl.unit, decl: self.decl, name: name, what: askBelow, ref: code.Ref(self.kind) + 1}
	if u.file.Test {
		q.ref = -q.ref
	}
	found := l.ask(q, func() values {
		below := l.implementing(self.decl)
		if len(below) > maxBelow {
			return nil
		}
		var out values
		for _, d := range below {
			on := value{kind: self.kind, decl: d}
			if self.kind == instance && l.rubyExtends(d, self.decl) {
				on.kind = typeValue
			}
			for _, f := range rubyMember(l, on, name) {
				if f.kind == function && (u.file.Test || !f.decl.unit.file.Test) && !slices.ContainsFunc(out, func(o value) bool { return o.decl == f.decl || l.isBelow(f.decl, o.decl) }) {
					out = append(slices.DeleteFunc(out, func(o value) bool { return l.isBelow(o.decl, f.decl) }), f)
				}
			}
		}
		return out
	})
	switch {
	case len(found) > maxChoices:
		return nil
	case len(found) > 1:
		return found.by(OneOf)
	}
	return found.by(Inherited)
}

// rubyExtends reports whether a class or one of its ancestors is extended by a module.
func (l *Linker) rubyExtends(d, module *decl) bool {
	return slices.ContainsFunc(l.ancestors(d), func(a value) bool {
		return slices.ContainsFunc(l.rubyBases(a.decl), func(b baseOf) bool { return b.kind == typeValue && b.decl != nil && l.isPart(b.decl, module) })
	})
}

// isBelow reports whether a method overrides another one of the name.
func (l *Linker) isBelow(method, over *decl) bool {
	mine, other := method.owner(), over.owner()
	return mine != nil && other != nil && method.def.Static == over.def.Static && !l.isPart(mine, other) &&
		slices.ContainsFunc(l.ancestors(mine), func(a value) bool { return l.isPart(a.decl, other) })
}

// rubyMethods are the names of methods that libraries have.
var rubyMethods = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, methods := range rubyLibrary {
		maps.Copy(all, methods)
	}
	return all
})

// rubyNamed returns the only method of a name, as far as no library has one, too; of several the one that all others override.
func (l *Linker) rubyNamed(u *unit, name string) values {
	if rubyMethods()[name] {
		return nil
	}
	all := l.rubyNamesakes(u, name)
	for _, d := range all {
		if !slices.ContainsFunc(all, func(o *decl) bool { return o != d && !l.isBelow(o, d) }) {
			on := instanceOf(d.owner())
			if d.def.Static {
				on.kind = typeValue
			}
			found := declared(d)
			found.on, found.how = &on, UniqueMethod
			return values{found}
		}
	}
	return nil
}

// rubyNamesakes returns the methods of a name that code of a file may call; none if there are very many.
func (l *Linker) rubyNamesakes(u *unit, name string) []*decl {
	l.look(name)
	var all []*decl
	for _, d := range l.project.methods[name] {
		if d.unit.language.family == u.language.family && (u.file.Test || !d.unit.file.Test) && d.owner() != nil {
			all = append(all, d)
		}
	}
	if len(all) > maxNamesakes {
		return nil
	}
	return all
}

// isLower reports whether a name begins with a small letter or "_".
func isLower(name string) bool {
	return name != "" && (name[0] >= 'a' && name[0] <= 'z' || name[0] == '_')
}
