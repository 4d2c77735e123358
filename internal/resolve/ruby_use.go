package resolve

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// handle is a local variable or parameter, by the scope that binds it, or an instance variable, by that of its class.
type handle struct {
	scope int32
	name  string
}

// rubyByUse returns the member that a call on a variable of an unknown type means: of the only type that has all members which
// the file's code calls on that variable, if these are two or more and no class of a library has them all.
func rubyByUse(l *Linker, callee *code.Expr) values {
	if callee.Op != code.OpSelect || !isLower(callee.Name) {
		return nil
	}
	u := l.unit
	on, ok := u.handle(callee.X)
	if !ok {
		return nil
	}
	if l.onVariables == nil {
		l.onVariables = u.usesOfVariables()
	}
	known := l.onVariables[on]
	if known == nil {
		return nil
	}
	if !known.asked {
		known.asked, known.of = true, l.typeByUse(on, known.names)
	}
	if known.of == nil {
		return nil
	}
	return l.member(instanceOf(known.of), callee.Name).by(UniqueMethod)
}

// use is what is called on a variable, and the only type that has all of it; nil for none.
type use struct {
	names []string
	asked bool
	of    *decl
}

// typeByUse returns the only type that has all members of some names; of several the one that the others derive from.
func (l *Linker) typeByUse(on handle, names []string) *decl {
	if len(names) < 2 || slices.ContainsFunc(rubyAlike(), func(methods map[string]bool) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return !methods[n] })
	}) {
		return nil
	}
	var found []*decl
	for _, name := range names {
		for _, m := range l.rubyNamesakes(l.unit, name) {
			if t := m.owner(); !l.unit.wraps(on, t) && !slices.ContainsFunc(found, func(d *decl) bool { return l.isPart(d, t) }) && l.hasAll(t, names) {
				found = append(found, t)
			}
		}
	}
	for _, t := range found {
		if !slices.ContainsFunc(found, func(o *decl) bool {
			return o != t && !slices.ContainsFunc(l.ancestors(o), func(a value) bool { return l.isPart(a.decl, t) })
		}) {
			return t
		}
	}
	return nil
}

// wraps reports whether an instance variable belongs to a type: what it calls there as it is called itself is something else.
func (u *unit) wraps(on handle, t *decl) bool {
	return strings.HasPrefix(on.name, "@") && t.unit.file == u.file && t.def.Scope == on.scope
}

func (l *Linker) hasAll(t *decl, names []string) bool {
	for _, name := range names {
		if len(l.member(instanceOf(t), name)) == 0 {
			return false
		}
	}
	return true
}

// handle returns the variable that an expression names, if it is one.
func (u *unit) handle(r code.Ref) (handle, bool) {
	x := u.expr(r)
	switch {
	case x.Op == code.OpName:
		for s := x.Scope; s >= 0; s = u.facts.Scopes[s].Parent {
			for d := range u.named(s, x.Name) {
				return handle{s, x.Name}, d.def.Kind == code.DefVar || d.def.Kind == code.DefParam
			}
		}
	case x.Op == code.OpSelect && strings.HasPrefix(x.Name, "@") && u.isSelf(x.X):
		return handle{max(u.around(x.Scope, code.TypeScope), 0), x.Name}, true
	}
	return handle{}, false
}

// usesOfVariables returns the members that the code of a file calls on each variable, without those of every object.
func (u *unit) usesOfVariables() map[handle]*use {
	out := map[handle]*use{}
	for i := range u.facts.Exprs {
		x := u.expr(u.facts.Exprs[i].X)
		if op := u.facts.Exprs[i].Op; op != code.OpCall || x.Op != code.OpSelect || !isLower(x.Name) || rubyLibrary["Object"][x.Name] {
			continue
		}
		v, ok := u.handle(x.X)
		if !ok {
			continue
		}
		if out[v] == nil {
			out[v] = &use{}
		}
		if !slices.Contains(out[v].names, x.Name) {
			out[v].names = append(out[v].names, x.Name)
		}
	}
	return out
}

// rubyAlike returns the methods of each class of libraries, those of Enumerable among them.
var rubyAlike = sync.OnceValue(func() []map[string]bool {
	var out []map[string]bool
	for _, methods := range rubyLibrary {
		all := maps.Clone(methods)
		maps.Copy(all, rubyLibrary["Enumerable"])
		out = append(out, all)
	}
	return out
})
