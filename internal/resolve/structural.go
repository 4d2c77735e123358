package resolve

import (
	"cmp"
	"maps"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// requirements are the methods that an interface requires.
type requirements struct {
	methods []*decl
	known   []outline // methods of embedded interfaces of libraries
	// unknown are the embedded interfaces whose methods are not known. A type that embeds one, too, has its methods.
	unknown []string
	more    bool // methods are required of which nothing is known
}

// enough reports whether the methods suffice to find implementing types: a single method does not if others are
// unknown.
func (d requirements) enough() bool {
	n := len(d.methods) + len(d.known)
	return n > 1 || n == 1 && !d.more && len(d.unknown) == 0
}

// needed returns the methods that an interface requires, including embedded ones, those first of which the fewest
// types have one of the name.
func (l *Linker) needed(t *decl) requirements {
	l.ask(question{unit: t.unit, ref: code.Ref(t.def.Scope), name: t.def.Name, what: askRequired}, func() values {
		need := l.required(t, 0)
		slices.SortStableFunc(need.methods, func(a, b *decl) int { return l.rarer(a.name, b.name) })
		slices.SortStableFunc(need.known, func(a, b outline) int { return l.rarer(a.name, b.name) })
		l.needs[t] = need
		return nil
	})
	return l.needs[t]
}

func (l *Linker) rarer(a, b string) int {
	return cmp.Compare(len(l.project.methods[a]), len(l.project.methods[b]))
}

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
		out.unknown = append(out.unknown, more.unknown...)
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
		if lang.library != nil && len(lang.library.types[base.name]) > 0 {
			return requirements{known: lang.library.types[base.name]}
		}
		return requirements{unknown: []string{base.name}}
	default:
	}
	return requirements{more: true}
}

// satisfying returns the types that implement an interface by having its methods.
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
	var out []*decl
	for _, v := range l.having(l.needed(t).rarest(), t.unit.language) {
		if !isInterface(v.decl) && l.implements(v.decl, t) {
			out = append(out, v.decl)
		}
	}
	return out
}

// rarest returns the name of the required method that the fewest types have; "" if no method is known.
func (d requirements) rarest() string {
	switch {
	case len(d.methods) > 0:
		return d.methods[0].name
	case len(d.known) > 0:
		return d.known[0].name
	}
	return ""
}

// having returns the types that may have a method of a name: those that declare it, and those that embed one of
// them, or a library's type that has it.
func (l *Linker) having(name string, lang *language) values {
	return l.ask(question{name: lang.family + " " + name, what: askHaving}, func() values {
		l.look("<" + name)
		var next []*decl
		for _, m := range l.project.methods[name] {
			if m.unit.language.family != lang.family {
				continue
			}
			if d := cmp.Or(m.owner(), l.ownerOf(m)); d != nil {
				next = append(next, d)
			}
		}
		for _, t := range lang.library.having[name] {
			next = append(next, l.builtOnLibrary(t)...)
		}
		return l.builtOnAny(next)
	})
}

// builtOnLibrary returns the types that embed a library's type.
func (l *Linker) builtOnLibrary(library string) []*decl {
	var out []*decl
	name := lastPart(library)
	l.look("<" + name)
	for _, d := range l.builtOn(name) {
		if slices.ContainsFunc(l.bases(instanceOf(d)), func(b baseOf) bool { return b.decl == nil && b.name == library }) {
			out = append(out, d)
		}
	}
	return out
}

// builtOnAny returns types and those that build on one of them, directly or not.
func (l *Linker) builtOnAny(next []*decl) values {
	var out values
	seen := map[*decl]bool{}
	for ; len(next) > 0; next = next[1:] {
		t := next[0]
		if seen[t] {
			continue
		}
		seen[t] = true
		out = append(out, typeOf(t))
		l.look("<" + t.def.Name)
		for _, d := range l.builtOn(t.def.Name) {
			if !seen[d] && slices.ContainsFunc(l.bases(instanceOf(d)), func(b baseOf) bool { return b.decl == t }) {
				next = append(next, d)
			}
		}
	}
	return out
}

// satisfies reports whether a type has all methods of an interface, and what is known of their types agrees.
func (l *Linker) satisfies(d *decl, need requirements) bool {
	for _, m := range need.methods {
		if f, ok := l.methodOf(d, m.name); !ok || !l.fits(d, f, m) {
			return false
		}
	}
	for _, m := range need.known {
		if f, ok := l.methodOf(d, m.name); !ok || !l.shapeOf(d.unit.language, f).matches(m) {
			return false
		}
	}
	return true
}

// methodOf returns the method that a type has under a name. What only test files declare for it does not count
// elsewhere.
func (l *Linker) methodOf(d *decl, name string) (value, bool) {
	found := l.typeMember(instanceOf(d), name, 0)
	if len(found) != 1 {
		return value{}, false
	}
	switch f := found[0]; f.kind {
	case external:
		_, known := d.unit.language.library.method(f.name)
		return f, known
	case function:
		return f, f.decl != nil && f.decl.def.Scope != 0 && (!f.decl.unit.file.Test || d.unit.file.Test)
	default:
		return value{}, false
	}
}

// fits reports whether a method of type d may implement an abstract one. One that is not exported does in its package only.
func (l *Linker) fits(d *decl, f value, m *decl) bool {
	if f.decl == m {
		return true
	}
	if !m.def.Exported && (f.decl == nil || f.decl.unit.space != m.unit.space) {
		return false
	}
	lang := d.unit.language
	return m.def.Scope != 0 && l.shapeOf(lang, f).matches(l.shapeOf(lang, declared(m)))
}

// shapeOf returns the types of a method's parameters and results.
func (l *Linker) shapeOf(lang *language, f value) outline {
	if f.decl == nil {
		m, _ := lang.library.method(f.name)
		return m
	}
	d := f.decl
	out := outline{name: d.name}
	for _, p := range d.params() {
		out.variadic = out.variadic || p.def.Variadic
		out.params = append(out.params, l.typ(p.unit, p.def.Type, l.envOn(f)))
	}
	for _, r := range d.unit.results(d.def.Scope) {
		out.results = append(out.results, l.typ(d.unit, r, l.envOn(f)))
	}
	return out
}

// matches reports whether two methods have the same numbers of parameters and results, and no types known to differ.
func (m outline) matches(o outline) bool {
	differ := func(a, b values) bool { return !otherThan(a, b) }
	return m.variadic == o.variadic && slices.EqualFunc(m.params, o.params, differ) && slices.EqualFunc(m.results, o.results, differ)
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

// otherThan reports whether two values are known to have different types. Type parameters are never known to differ
// from anything, nor are functions from each other, and anonymous types.
func otherThan(as, bs values) bool {
	if len(as) != 1 || len(bs) != 1 {
		return false
	}
	a, b := as[0], bs[0]
	named := []kind{instance, builtin, external, funcType, object}
	if !slices.Contains(named, a.kind) || !slices.Contains(named, b.kind) {
		return false
	}
	if a.kind != b.kind || a.kind < object && a.decl != b.decl || canonical(a.name) != canonical(b.name) {
		return true
	}
	for i := range min(len(a.args), len(b.args)) {
		if otherThan(a.args[i], b.args[i]) {
			return true
		}
	}
	return false
}

// canonical returns the name of the type that an alias of the language or of its library stands for.
func canonical(name string) string {
	switch name {
	case "byte":
		return "uint8"
	case "rune":
		return "int32"
	case "os.FileInfo", "os.FileMode", "os.DirEntry":
		return "io/fs" + name[len("os"):]
	}
	return name
}

// satisfied adds the edges from a type to the interfaces that it implements implicitly.
func (l *Linker) satisfied(d *decl) {
	if isInterface(d) {
		return
	}
	seen, outside := map[*decl]bool{}, map[string]bool{}
	for _, b := range l.bases(instanceOf(d)) { // they have their edges
		seen[b.decl], outside[b.name] = true, true
	}
	for _, name := range slices.Sorted(maps.Keys(l.methodNames(d))) {
		for _, t := range d.unit.language.library.having[name] {
			if !outside[t] && l.implementsOutside(d, t) {
				l.toOutside(d, d.def.Scope, codegraph.Implements, t, d.def.Line, Declared)
				l.implementedOutside(d, t)
			}
			outside[t] = true
		}
		for _, v := range l.having(name, d.unit.language) {
			if seen[v.decl] || !isInterface(v.decl) {
				continue
			}
			seen[v.decl] = true
			if l.implements(d, v.decl) {
				l.edge(codegraph.Implements, d.def.Scope, v.decl, d.def.Line, Declared, 1)
				l.implemented(d, v.decl)
			}
		}
	}
}

// implementsOutside reports whether a type has the methods of a library's interface.
func (l *Linker) implementsOutside(d *decl, name string) bool {
	library := d.unit.language.library
	return library.interfaces[name] && !isInterface(d) && l.satisfies(d, requirements{known: library.types[name]})
}

// implements reports whether a type has the methods of an interface.
func (l *Linker) implements(d, t *decl) bool {
	need := l.needed(t)
	if len(need.unknown) > 0 {
		embedded := l.embedded(d)
		need.unknown = slices.DeleteFunc(slices.Clone(need.unknown), func(name string) bool {
			return slices.ContainsFunc(embedded, func(v value) bool { return v.decl == nil && v.name == name })
		})
	}
	return need.enough() && l.satisfies(d, need)
}

// embedded returns a type and the types that it embeds, directly or not.
func (l *Linker) embedded(d *decl) []value {
	out := []value{instanceOf(d)}
	seen := map[*decl]bool{d: true}
	for i := 0; i < len(out); i++ {
		next := l.underlying(out[i])
		for _, b := range l.bases(out[i]) {
			next = append(next, b.value)
		}
		for _, v := range next {
			if v.decl == nil && (v.kind == external || v.kind == builtin) || v.kind == instance && !seen[v.decl] {
				seen[v.decl] = true
				out = append(out, v)
			}
		}
	}
	return out
}

// methodNames returns the names of the methods that a type has: its own, and those of what it embeds.
func (l *Linker) methodNames(d *decl) map[string]struct{} {
	out := map[string]struct{}{}
	for _, t := range l.embedded(d) {
		if t.decl == nil {
			for _, m := range d.unit.language.library.types[t.name] {
				out[m.name] = struct{}{}
			}
			continue
		}
		if t.decl.def.Scope != 0 {
			for _, m := range t.decl.unit.decls[t.decl.def.Scope] {
				if m.def.Abstract {
					out[m.name] = struct{}{}
				}
			}
		}
		for _, o := range l.project.outside[t.decl.def.Name] {
			if o.decl != nil && l.belongs(o, t.decl) {
				out[o.decl.name] = struct{}{}
			}
		}
	}
	return out
}

// viaExternalInterface adds the edges of a call of a method that an interface has from an external one, to the methods of
// implementing types. It reports whether there are any.
func (l *Linker) viaExternalInterface(x *code.Expr) bool {
	callee := l.unit.expr(x.X)
	if !l.sitesOnly || callee.Op != code.OpSelect {
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
