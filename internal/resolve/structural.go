package resolve

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// requirements are the methods that an interface requires.
type requirements struct {
	methods []*decl
	known   []outline // methods of external embedded interfaces, if known
	// more is set if an external embedded interface requires unknown methods.
	more bool
}

// enough reports whether the methods suffice to find implementing types: a single method does not if others are
// unknown.
func (d requirements) enough() bool {
	return len(d.methods) > 1 || len(d.methods) == 1 && !d.more
}

// required returns the methods that an interface requires, including embedded ones.
func (l *Linker) required(t *decl, depth int) requirements {
	var out requirements
	if t.def.Scope == 0 || depth > maxBases {
		return requirements{more: true}
	}
	for _, d := range t.unit.decls[t.def.Scope] {
		if d.def.Kind == code.DefFunc && d.def.Abstract {
			out.methods = append(out.methods, d)
		}
	}
	bases := t.unit.facts.Scopes[t.def.Scope].Bases
	for i := range bases {
		found := l.typ(t.unit, bases[i].Type, nil)
		if len(found) != 1 {
			out.more = true
			continue
		}
		more := l.demanded(t.unit.language, found[0], depth)
		out.methods = append(out.methods, more.methods...)
		out.known = append(out.known, more.known...)
		out.more = out.more || more.more
	}
	return out
}

// demanded returns the methods that an embedded interface requires.
func (l *Linker) demanded(lang *language, base value, depth int) requirements {
	switch base.kind {
	case instance:
		if isInterface(base.decl) {
			return l.required(base.decl, depth+1)
		}
	case external, builtin:
		if known := lang.interfaces[base.name]; len(known) > 0 {
			return requirements{known: known}
		}
	default:
	}
	return requirements{more: true}
}

// satisfying returns the types that implement an interface by having its methods, and declare at least one of them.
func (l *Linker) satisfying(t *decl) []*decl {
	found := l.ask(question{unit: t.unit, ref: code.Ref(t.def.Scope), name: t.def.Name, what: askImplementing}, func() values {
		var out values
		for _, d := range l.searchSatisfying(t) {
			out = append(out, typeOf(d))
		}
		return out
	})
	out := make([]*decl, len(found))
	for i, v := range found {
		out[i] = v.decl
	}
	return out
}

func (l *Linker) searchSatisfying(t *decl) []*decl {
	need := l.required(t, 0)
	if !need.enough() {
		return nil
	}
	var out []*decl
	seen := map[*decl]bool{t: true}
	for _, n := range need.methods {
		l.look("<" + n.name)
		for _, m := range l.project.methods[n.name] {
			if m.def.Abstract || m.unit.language.family != t.unit.language.family {
				continue
			}
			d := l.ownerOf(m)
			if d == nil || seen[d] {
				continue
			}
			seen[d] = true
			if l.satisfies(d, need) {
				out = append(out, d)
			}
		}
	}
	if len(out) > 4*maxImplementers {
		return nil
	}
	return out
}

// satisfies reports whether a type has all methods of an interface.
func (l *Linker) satisfies(d *decl, need requirements) bool {
	for _, m := range need.methods {
		found := l.typeMember(instanceOf(d), m.name, 0)
		if len(found) != 1 || found[0].kind != function || found[0].decl == nil || !l.fits(found[0].decl, m) {
			return false
		}
	}
	for _, m := range need.known {
		found := l.typeMember(instanceOf(d), m.name, 0)
		if len(found) != 1 || !m.matches(found[0]) {
			return false
		}
	}
	return true
}

// matches reports whether a method may match an outline; an external one always may.
func (m outline) matches(f value) bool {
	if f.kind != function || f.decl == nil || f.decl.def.Scope == 0 {
		return f.kind == external
	}
	return len(f.decl.params()) == m.params && len(f.decl.unit.results(f.decl.def.Scope)) == m.results
}

// fits reports whether a method has the signature of another: the same numbers of parameters and results, and no
// types known to differ.
func (l *Linker) fits(a, b *decl) bool {
	if a == b {
		return true
	}
	if a.def.Scope == 0 || b.def.Scope == 0 {
		return false
	}
	ps, qs := a.params(), b.params()
	if len(ps) != len(qs) {
		return false
	}
	for i := range ps {
		if ps[i].def.Variadic != qs[i].def.Variadic || l.otherType(ps[i].unit, ps[i].def.Type, qs[i].unit, qs[i].def.Type) {
			return false
		}
	}
	rs, ts := a.unit.results(a.def.Scope), b.unit.results(b.def.Scope)
	if len(rs) != len(ts) {
		return false
	}
	for i := range rs {
		if l.otherType(a.unit, rs[i], b.unit, ts[i]) {
			return false
		}
	}
	return true
}

// results returns the result types of a function.
func (u *unit) results(scope int32) []code.Ref {
	r := u.facts.Scopes[scope].Result
	switch {
	case r == 0:
		return nil
	case u.expr(r).Op == code.OpTuple:
		return u.expr(r).Args
	}
	return []code.Ref{r}
}

// otherType reports whether two types are known to differ.
func (l *Linker) otherType(u *unit, r code.Ref, w *unit, s code.Ref) bool {
	return otherThan(l.typ(u, r, nil), l.typ(w, s, nil))
}

// otherThan reports whether two values are known to have different types. Type parameters, functions and anonymous
// types are never known to differ.
func otherThan(as, bs values) bool {
	if len(as) != 1 || len(bs) != 1 {
		return false
	}
	a, b := as[0], bs[0]
	named := []kind{instance, builtin, external}
	if !slices.Contains(named, a.kind) || !slices.Contains(named, b.kind) {
		return false
	}
	if a.kind != b.kind || a.decl != b.decl || canonical(a.name) != canonical(b.name) {
		return true
	}
	for i := range min(len(a.args), len(b.args)) {
		if otherThan(a.args[i], b.args[i]) {
			return true
		}
	}
	return false
}

// canonical returns the canonical name of a built-in type with an alias.
func canonical(name string) string {
	switch name {
	case "byte":
		return "uint8"
	case "rune":
		return "int32"
	}
	return name
}

// satisfied adds the edges from a type to the interfaces that it implements implicitly.
func (l *Linker) satisfied(d *decl) {
	if isInterface(d) {
		return
	}
	seen := map[*decl]bool{}
	for _, o := range l.project.outside[d.def.Name] {
		if o.decl == nil || !l.belongs(o, d) {
			continue
		}
		l.look("<" + o.decl.def.Name)
		for _, m := range l.project.methods[o.decl.name] {
			t := m.owner()
			if t == nil || seen[t] || !m.def.Abstract || t.unit.language.family != d.unit.language.family {
				continue
			}
			seen[t] = true
			for _, s := range l.satisfying(t) {
				if s == d {
					l.edge(codegraph.Implements, d.def.Scope, t, d.def.Line, Declared, 1)
				}
			}
		}
	}
}

// viaExternalInterface adds the edges of a call of a method that an interface has from an external one, to the methods of
// implementing types. It reports whether there are any.
func (l *Linker) viaExternalInterface(x *code.Expr) bool {
	callee := l.unit.expr(x.X)
	if callee.Op != code.OpSelect {
		return false
	}
	var found []*decl
	var how Rule
	for _, v := range l.value(l.unit, callee.X, nil) {
		if v.kind != instance || !isInterface(v.decl) {
			continue
		}
		how = v.how
		for _, t := range l.satisfying(v.decl) {
			for _, f := range l.typeMember(instanceOf(t), callee.Name, 0) {
				if f.kind == function && f.decl != nil && !f.decl.def.Abstract && !slices.Contains(found, f.decl) {
					found = append(found, f.decl)
				}
			}
		}
	}
	if len(found) > maxImplementers {
		return false
	}
	for _, d := range found {
		l.edge(codegraph.Calls, x.Scope, d, x.Line, weakest(how, Implementation), spread(len(found)))
	}
	return len(found) > 0
}
