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

// nearest returns the shallowest member among a type's bases. It has lower confidence if an external base at a
// smaller depth may have it, too. An interface has the members of all its bases.
func (l *Linker) nearest(v value, name string) values {
	level := []value{v}
	seen := map[*decl]bool{v.decl: true}
	var outside values
	for range maxBases {
		var next []value
		var found, unknown values
		for _, t := range level {
			for _, base := range l.bases(t) {
				b := base.value
				switch {
				case b.kind != instance && b.kind != typeValue || b.decl == nil:
					unknown = unknown.add(l.member(b, name)...)
				case !seen[b.decl]:
					seen[b.decl] = true
					b.kind = v.kind
					next = append(next, b)
					l.look(name)
					found = found.add(l.ownMember(b, name)...)
				}
			}
		}
		if len(found) > 0 && len(outside) > 0 && !isInterface(v.decl) {
			return found.by(OneOf)
		}
		if len(found) > 0 {
			return found.by(Inherited)
		}
		outside = outside.add(unknown...)
		if level = next; len(level) == 0 {
			break
		}
	}
	return outside.by(Inherited)
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
