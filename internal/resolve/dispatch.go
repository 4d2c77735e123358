package resolve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// A call of a method that others override may reach each of these. The calls are not stored one by one, which would be as many
// as callers times methods: there is one edge from each method to each that it overrides, and the caller follows it when it asks for calls.

// implemented adds the edges from the methods that a type has to those of an interface that it implements. A method
// inherited from a type that does not implement the interface has its edge from the first type that inherits it.
func (l *Linker) implemented(d, t *decl) {
	for _, m := range l.needed(t).methods {
		if m.owner() != t {
			continue // the type implements the embedded interface, too
		}
		f := l.implementation(d, m)
		if f == nil {
			continue
		}
		switch own := l.receiver(f) == d; {
		case own && !d.unit.language.structural: // see overrides
		case own || l.dispatcher(f, m, t) == d:
			l.overriding(f, m)
		}
	}
}

// inheritedImplementations adds the edges from the methods that a class inherits to those of the interfaces that it names.
func (l *Linker) inheritedImplementations(d *decl) {
	if isInterface(d) {
		return
	}
	for _, t := range l.interfacesOf(d) {
		l.implemented(d, t)
	}
}

// interfacesOf returns the interfaces that a type names as bases, and those that these extend.
func (l *Linker) interfacesOf(d *decl) []*decl {
	var out []*decl
	for next := []*decl{d}; len(next) > 0; next = next[1:] {
		for _, b := range l.bases(instanceOf(next[0])) {
			if b.kind == instance && isInterface(b.decl) && b.decl != d && !slices.Contains(out, b.decl) {
				out, next = append(out, b.decl), append(next, b.decl)
			}
		}
	}
	return out
}

// implementation returns the method with a body that a type has for an abstract one; nil if there is none.
func (l *Linker) implementation(d, m *decl) *decl {
	if d.unit.language.structural {
		if f, ok := l.methodOf(d, m.name); ok && f.decl != nil && !f.decl.def.Abstract {
			return f.decl
		}
		return nil
	}
	for _, f := range l.typeMember(instanceOf(d), m.name, 0) {
		if f.kind == function && f.decl != nil && !f.decl.def.Abstract && f.decl.mayOverride(m) {
			return f.decl
		}
	}
	return nil
}

// receiver returns the type that has a method.
func (l *Linker) receiver(f *decl) *decl {
	if o := f.owner(); o != nil {
		return o
	}
	return l.ownerOf(f)
}

// dispatcher returns the type whose file has the edge from a method to an abstract one of interface t: the type of the
// method if it implements the interface, else the first of those that inherit the method.
func (l *Linker) dispatcher(f, m, t *decl) *decl {
	found := l.ask(question{unit: m.unit, decl: f, ref: code.Ref(m.id), what: askDispatcher}, func() values {
		owner, types := l.receiver(f), l.implementing(t)
		if owner == nil || slices.Contains(types, owner) || !owner.unit.language.structural && slices.Contains(l.interfacesOf(owner), t) { // another part of the type may name it
			return nil
		}
		types = slices.DeleteFunc(slices.Clone(types), func(d *decl) bool {
			return isInterface(d) || l.implementation(d, m) != f || !d.unit.language.structural && !slices.Contains(l.interfacesOf(d), t)
		})
		if len(types) == 0 {
			return nil
		}
		return values{typeOf(slices.MinFunc(types, compareDecls))}
	})
	if len(found) == 0 {
		return nil
	}
	return found[0].decl
}

// compareDecls orders declarations by file and place.
func compareDecls(a, b *decl) int {
	return cmp.Or(strings.Compare(a.unit.file.Path, b.unit.file.Path), cmp.Compare(a.scope, b.scope), cmp.Compare(a.index, b.index))
}

// overriding adds the edge from a method, which may be in another file, to one that it overrides.
func (l *Linker) overriding(f, m *decl) {
	from, ok := f.isSymbol()
	to, known := m.isSymbol()
	if !ok || !known {
		return
	}
	e := Edge{From: from, Type: codegraph.Overrides, Path: m.unit.file.Path, To: to, Line: int(f.def.Line), Rule: Declared, Weight: 1}
	if f.unit.file != l.unit.file {
		e.Of = f.unit.file.Path
	}
	l.once(e)
}

// once adds an edge if it does not exist.
func (l *Linker) once(e Edge) {
	if l.edges.of(&e) == nil {
		l.put(e)
	}
}

// implementedOutside adds the edges from the methods that a type declares to those of a library's interface.
func (l *Linker) implementedOutside(d *decl, name string) {
	for _, m := range d.unit.language.library.types[name] {
		f, ok := l.methodOf(d, m.name)
		if ok && f.decl != nil && !f.decl.def.Abstract && l.receiver(f.decl) == d {
			l.overridesOutside(f.decl, name+"."+m.name, Declared)
		}
	}
}

// overridesOutside adds the edge from a method to one of a type that is not declared in the project.
func (l *Linker) overridesOutside(f *decl, name string, how Rule) {
	from, ok := f.isSymbol()
	if !ok {
		return
	}
	e := Edge{From: from, Type: codegraph.Overrides, Path: separators.Replace(name), To: ExternalMethod, Line: int(f.def.Line), Rule: how, Weight: 1}
	if f.unit.file != l.unit.file {
		e.Of = f.unit.file.Path
	}
	l.once(e)
}

// outsideMarks are the words by which a method says that it overrides another.
var outsideMarks = []string{"@Override", "@override", "override"}

// marked reports whether a method of the unit says that it overrides another.
func (u *unit) marked(d *decl) bool {
	n, ok := d.isSymbol()
	if !ok || u.symbols == nil {
		return false
	}
	s := &u.symbols[n]
	return slices.ContainsFunc(s.Decorators, func(text string) bool { return slices.Contains(outsideMarks, text) }) ||
		slices.Contains(strings.Fields(s.Signature[:max(0, strings.Index(s.Signature, s.Name))]), "override")
}

// overridesOnlyOutside adds the edges from a method that says that it overrides one, but none of the project, to those that
// its type may have from outside.
func (l *Linker) overridesOnlyOutside(d, owner *decl) {
	if l.unit.language.structural || !l.unit.marked(d) {
		return
	}
	bases := l.outsideBases(owner)
	how := Inherited
	if len(bases) > 1 {
		how = OneOf
	}
	for _, b := range bases {
		l.overridesOutside(d, b+"."+d.def.Name, how)
	}
}

// outsideBases returns the names of the types outside the project that a type builds on, directly or not.
func (l *Linker) outsideBases(d *decl) []string {
	var out []string
	seen := map[*decl]bool{d: true}
	for next := []*decl{d}; len(next) > 0; next = next[1:] {
		for _, b := range l.bases(instanceOf(next[0])) {
			name := b.name
			if b.kind == builtin {
				name = b.in.lastName(b.base.Type)
			}
			switch {
			case b.decl != nil && !seen[b.decl]:
				seen[b.decl] = true
				next = append(next, b.decl)
			case b.decl == nil && (b.kind == external || b.kind == builtin) && name != "" && !roots[name] && !slices.Contains(out, name):
				out = append(out, name)
			}
		}
	}
	return out
}

// callOutside adds the edge of a call of a method of a library's interface, which types of the project may implement.
func (l *Linker) callOutside(found values, x *code.Expr) {
	library := l.unit.language.library
	if library == nil || l.sitesOnly {
		return
	}
	for _, v := range found {
		if v.decl != nil || v.kind != external && v.kind != builtin {
			continue
		}
		of := v.name[:max(0, strings.LastIndexByte(v.name, '.'))]
		if _, known := library.method(v.name); known && library.interfaces[of] {
			l.put(Edge{
				From: l.unit.symbolAround(x.Scope), Type: codegraph.Calls, Path: separators.Replace(v.name), To: ExternalMethod,
				Line: int(x.Line), Rule: weakest(v.how, Declared), Weight: 1,
			})
			l.calledOn(x, nil, of)
		}
	}
}
