package resolve

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// types adds the edges of the unit's types: to their bases, and from methods to those that they override.
func (l *Linker) types() {
	u := l.unit
	for s := range u.facts.Scopes {
		d := u.opened[int32(s)]
		if !typeScope(&u.facts.Scopes[s]) {
			continue
		}
		var self value
		if d != nil {
			self = instanceOf(d)
			for _, b := range l.bases(self) {
				for _, part := range l.intersected(b, 0) {
					l.base(d, int32(s), part)
				}
			}
			l.aliasBases(d, int32(s))
			if u.language.structural {
				l.satisfied(d)
			} else {
				l.inheritedImplementations(d)
			}
		} else if u.facts.Scopes[s].Owner != 0 {
			l.extended(int32(s))
		}
	}
	for s := range u.facts.Scopes {
		for i := range u.decls[s] {
			l.overrides(u.decls[s][i])
		}
	}
	l.placed()
}

// base adds the edge from a type to one of its bases.
func (l *Linker) base(d *decl, scope int32, b baseOf) {
	if b.decl == nil {
		l.outsideBase(d, scope, b)
		return
	}
	if b.kind != instance && b.kind != typeValue {
		return
	}
	typ := codegraph.Inherits
	switch {
	case d.unit.language.structural: // a struct that embeds an interface implements it unless it hides a method
		if isInterface(b.decl) && !isInterface(d) && l.satisfies(d, l.needed(b.decl)) {
			typ = codegraph.Implements
			l.implemented(d, b.decl)
		}
	case b.base.Implements || isInterface(b.decl) && !isInterface(d):
		typ = codegraph.Implements
	}
	l.edge(typ, scope, b.decl, l.unit.facts.Scopes[scope].Line, b.how, 1)
}

// intersected returns the parts of a base that is an intersection; else the base.
func (l *Linker) intersected(b baseOf, depth int) []baseOf {
	if b.kind != object || depth > maxArgs {
		return []baseOf{b}
	}
	var out []baseOf
	for _, part := range l.basesIn(nil, b.unit, b.scope, b.env) {
		part.base, part.how = b.base, weakest(b.how, part.how)
		out = append(out, l.intersected(part, depth+1)...)
	}
	return out
}

// aliasBases adds the edges from a type to the aliases among its bases that stand for more than another type's name.
func (l *Linker) aliasBases(d *decl, scope int32) {
	u := l.unit
	bases := u.facts.Scopes[scope].Bases
	for i := range bases {
		for _, v := range l.aliases(u, bases[i].Type) {
			switch v.decl.unit.expr(v.decl.def.Type).Op {
			case code.OpNone, code.OpName, code.OpSelect:
			default:
				l.base(d, scope, baseOf{value{kind: instance, decl: v.decl, how: v.how}, &bases[i], u})
			}
		}
	}
}

// aliases returns the aliases that a type expression names.
func (l *Linker) aliases(u *unit, r code.Ref) values {
	x := u.expr(r)
	var found values
	switch x.Op {
	case code.OpName:
		found = l.meant(u, x, x.Name)
	case code.OpSelect:
		found = l.members(l.value(u, x.X, nil), x.Name)
	case code.OpApply:
		return l.aliases(u, x.X)
	default:
	}
	return slices.DeleteFunc(slices.Clone(found), func(v value) bool { return v.kind != named || v.decl.def.Kind != code.DefAlias })
}

// outsideBase adds the edge from a type to a base that is not declared in the project.
func (l *Linker) outsideBase(d *decl, scope int32, b baseOf) {
	name := b.name
	switch b.kind {
	case external:
	case builtin:
		name = b.in.lastName(b.base.Type) // as it is written
	default:
		return
	}
	if name == "" || roots[name] {
		return
	}
	typ := codegraph.Inherits
	if b.base.Implements || d.unit.language.structural && l.implementsOutside(d, name) {
		typ = codegraph.Implements
		if d.unit.language.structural {
			l.implementedOutside(d, name)
		}
	}
	l.toOutside(d, scope, typ, name, l.unit.facts.Scopes[scope].Line, b.how)
}

// roots are the types that every type is, and what is no type that others build on.
var roots = map[string]bool{"object": true, "Object": true, "java.lang.Object": true, "Any": true, "AnyRef": true, "any": true, "comparable": true}

// separators turns the separators of all languages, in names of types, into dots.
var separators = strings.NewReplacer("::", ".", "/", ".", `\`, ".", ":", ".")

// toOutside adds an edge from a type to one that is not declared in the project.
func (l *Linker) toOutside(d *decl, scope int32, typ codegraph.Relationship, name string, line int32, how Rule) {
	name = separators.Replace(name)
	if from := l.unit.symbolAround(scope); from > 0 && d.known() {
		l.put(Edge{From: from, Type: typ, Path: name, To: ExternalType, Line: int(line), Rule: how, Weight: 1})
	}
}

// extended adds the edges for the bases declared by an extension. They start at the type, if that is in this file.
func (l *Linker) extended(scope int32) {
	u := l.unit
	for _, owner := range l.typ(u, u.facts.Scopes[scope].Owner, nil) {
		if owner.kind != instance || owner.decl == nil || owner.decl.unit != u || owner.decl.def.Scope == 0 {
			continue
		}
		for _, b := range l.basesIn(nil, u, scope, nil) {
			l.base(owner.decl, owner.decl.def.Scope, b)
		}
	}
}

// isInterface reports whether a type is implemented by others.
func isInterface(d *decl) bool {
	return d.brief().label == codegraph.LabelInterface
}

// overrides adds the edges from a method to those that it overrides.
func (l *Linker) overrides(d *decl) {
	if d.def.Kind != code.DefFunc || d.def.Static || slices.Contains(d.unit.language.constructors, d.name) {
		return
	}
	owner := d.owner()
	if owner == nil {
		owner = l.ownerOf(d)
	}
	if owner == nil {
		return
	}
	found := false
	for _, b := range l.bases(instanceOf(owner)) {
		if b.kind != instance || b.decl == owner || b.base.Embeds && d.unit.language.structural {
			continue
		}
		for _, f := range l.typeMember(b.value, d.name, 1) {
			if f.kind == function && d.mayOverride(f.decl) {
				l.edge(codegraph.Overrides, d.def.Scope, f.decl, d.def.Line, weakest(f.how, Inherited), 1)
				found = true
			}
		}
	}
	if !found {
		l.overridesOnlyOutside(d, owner)
	}
}

// ownerOf returns the type of a method declared outside it.
func (l *Linker) ownerOf(d *decl) *decl {
	r := d.unit.ownerRef(d)
	if r == 0 {
		return nil
	}
	for _, v := range l.typ(d.unit, r, nil) {
		if v.kind == instance {
			return v.decl
		}
	}
	return nil
}

// builtOn returns the types that declare a base of a name, in their declarations or in extensions.
func (l *Linker) builtOn(name string) []*decl {
	out := l.project.under[name]
	for _, o := range l.project.adding[name] {
		for _, v := range l.typ(o.unit, o.unit.facts.Scopes[o.scope].Owner, nil) {
			if v.kind == instance && v.decl != nil {
				out = append(slices.Clip(out), v.decl)
			}
		}
	}
	return out
}

// implementing returns the types that implement an interface or derive from a type.
func (l *Linker) implementing(t *decl) []*decl {
	if t.unit.language.structural {
		return l.satisfying(t)
	}
	var out []*decl
	seen := map[*decl]bool{t: true}
	for next := []*decl{t}; len(next) > 0; next = next[1:] {
		l.look("<" + next[0].def.Name)
		for _, d := range l.builtOn(next[0].def.Name) {
			if seen[d] {
				continue
			}
			for _, b := range l.bases(instanceOf(d)) {
				if b.decl == next[0] {
					seen[d] = true
					out, next = append(out, d), append(next, d)
					break
				}
			}
		}
	}
	return out
}
