package resolve

import "github.com/reverse-spec/reverse-spec/internal/code"

// superMark is the name of the value that stands for super in languages with a linear order of bases.
const superMark = "super"

// linearMember is [Linker.typeMember] for languages with C3 linearization: the first type in order with the member
// counts. Members of external bases count only if no project type has the member.
func (l *Linker) linearMember(v value, name string) values {
	l.look(name)
	above := v.name == superMark
	v.name = ""
	var outside values
	for i, b := range l.linear(v) {
		switch {
		case i == 0 && above:
		case b.kind != instance || b.decl == nil:
			outside = outside.add(l.member(b, name).by(Inherited)...)
		default:
			found := l.own(b.decl, v, name)
			if len(found) == 0 {
				continue
			}
			if i == 0 {
				return found
			}
			for k := range found {
				found[k].env = l.envOn(value{on: &b})
			}
			return found.by(Inherited)
		}
	}
	return outside
}

// linear returns a type and its bases in C3 order: a type before its bases, and these in the order of the text.
func (l *Linker) linear(v value) values {
	v.kind, v.how = instance, 0
	q := question{unit: v.decl.unit, ref: code.Ref(v.decl.def.Scope), env: l.envOn(value{on: &v}), name: v.decl.def.Name, what: askLinear}
	return l.ask(q, func() values {
		var lists []values
		var direct values
		for _, b := range l.bases(v) {
			if b.kind == instance && b.decl != v.decl {
				lists = append(lists, l.linear(b.value))
			} else {
				lists = append(lists, values{b.value})
			}
			direct = append(direct, b.value)
		}
		return append(values{v}, merged(append(lists, direct))...)
	})
}

// maxLinear bounds the number of a type's bases, direct and indirect.
const maxLinear = 200

// merged merges lists so that the order of each is kept: it repeatedly takes the first head that is not in the tail
// of another list. If the lists contradict each other, the first list wins.
func merged(lists []values) values {
	var out values
	for len(out) < maxLinear {
		next := -1
		for i, list := range lists {
			if len(list) == 0 {
				continue
			}
			if next < 0 {
				next = i
			}
			if !behind(lists, list[0]) {
				next = i
				break
			}
		}
		if next < 0 {
			break
		}
		v := lists[next][0]
		out = append(out, v)
		for i, list := range lists {
			if len(list) > 0 && isBase(list[0], v) {
				lists[i] = list[1:]
			}
		}
	}
	return out
}

// behind reports whether a base is in the tail of one of the lists.
func behind(lists []values, v value) bool {
	for _, list := range lists {
		for i, w := range list {
			if i > 0 && isBase(w, v) {
				return true
			}
		}
	}
	return false
}

// isBase reports whether two bases are the same, ignoring type arguments.
func isBase(a, b value) bool {
	return a.kind == b.kind && a.decl == b.decl && a.name == b.name && a.unit == b.unit
}
