package resolve

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// underlying returns the underlying type of a defined type, as in Go's type Names []string; nothing for a type
// defined by itself.
func (l *Linker) underlying(v value) values {
	if v.kind != instance || v.decl == nil || v.decl.def.Kind != code.DefType || v.decl.def.Scope == 0 || v.decl.def.Type == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(l.typ(v.decl.unit, v.decl.def.Type, l.envOn(value{on: &v}))), func(w value) bool {
		return w.decl != nil && w.decl == v.decl
	})
}

// underlyingMember returns a member that a defined type has from its underlying type: its fields and embedded fields, but not
// its methods, unless it is an interface.
func (l *Linker) underlyingMember(v value, name string) values {
	v.kind = instance
	var out values
	for _, made := range l.underlying(v) {
		for _, f := range l.member(made, name) {
			if f.kind == function && f.decl != nil && !f.decl.def.Abstract && made.decl != nil && l.ownerOf(f.decl) == made.decl {
				continue
			}
			out = out.add(f)
		}
	}
	return out
}

// nearest returns the shallowest member among a type's bases; none if it is ambiguous. It has lower confidence if an
// external base at a smaller depth may have it, too. An interface has the members of all its bases.
func (l *Linker) nearest(v value, name string) values {
	level := []value{v}
	seen := map[*decl]bool{v.decl: true}
	var outside values
	for range maxBases {
		at := depth{seen: seen}
		for _, t := range level {
			l.descend(&at, t, v.kind, name)
		}
		switch apart := !isInterface(v.decl); {
		case apart && at.holding > len(at.found):
			return nil // the same method through several bases
		case apart && len(at.found) > 0 && len(outside) > 0:
			return at.found.by(OneOf)
		case len(at.found) > 0:
			return at.found.by(Inherited)
		}
		outside = outside.add(at.unknown...)
		if level = at.next; len(level) == 0 {
			break
		}
	}
	return outside.by(Inherited)
}

// depth is what the bases at one depth below a type have under a name.
type depth struct {
	seen    map[*decl]bool // types at this depth and above
	next    []value        // those of this depth
	found   values
	unknown values // of external bases
	holding int    // number of bases that have it
}

// descend adds what the bases of a type have under a name.
func (l *Linker) descend(at *depth, t value, as kind, name string) {
	for _, base := range l.bases(t) {
		b := base.value
		if b.kind != instance && b.kind != typeValue || b.decl == nil {
			at.unknown = at.unknown.add(l.outsideMember(b, name)...)
			continue
		}
		known := len(at.found)
		b.kind = as
		switch {
		case isInterface(b.decl) && !isInterface(t.decl): // its embedded methods are as near as its own
			at.seen[b.decl] = true
			for _, f := range l.typeMember(b, name, 0) {
				if f.decl == nil {
					at.unknown = at.unknown.add(f)
					continue
				}
				at.holding++
				at.found = at.found.add(f)
			}
		case !at.seen[b.decl]:
			at.seen[b.decl] = true
			at.next = append(at.next, b)
			l.look(name)
			if at.found = at.found.add(l.ownMember(b, name)...); len(at.found) > known {
				at.holding++
			}
		}
	}
}

// outsideMember returns a member of a base that is not declared in the project.
func (l *Linker) outsideMember(b value, name string) values {
	if _, has := l.unit.language.library.method(b.name + "." + name); has && b.kind == builtin { // error
		return values{externalOf(b.name + "." + name)}
	}
	return l.member(b, name)
}

// ownerParam returns the type parameter of the type that corresponds to one of a method declared outside it: the
// first of List for T in func (l *List[T]); nil if there is none.
func (l *Linker) ownerParam(d *decl) *decl {
	u := d.unit
	owner := u.expr(u.facts.Scopes[d.scope].Owner)
	if owner.Op != code.OpApply && owner.Op != code.OpIndex {
		return nil
	}
	for i, a := range owner.Args {
		if u.expr(a).Name != d.def.Name {
			continue
		}
		for _, t := range l.typ(u, owner.X, nil) {
			if t.kind != instance {
				continue
			}
			if params := t.decl.typeParams(); i < len(params) && params[i] != d {
				return params[i]
			}
		}
	}
	return nil
}
