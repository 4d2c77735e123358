package drift

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// naming returns the rules for types in which aliases have their names: a type that another declaration tells of is the same on both sides.
func (d *differ) naming(p pair) compatRules {
	h := d.knowing(p)
	before, now := d.tsAliases(d.base, p.old), d.tsAliases(d.now, p.now)
	var hidden [2]tsAliases
	hidden[1], hidden[0] = d.ownAliases()
	steps := maxSteps
	h.steps = &steps
	h.alias = func(name string) (tsAlias, bool) {
		for i, side := range []tsAliases{now, before} {
			if alias, ok := side[name]; ok {
				alias.body = hidden[i].spell(alias.body)
				return alias, true
			}
		}
		if typeNamed(d.now, p.now, name) != nil {
			return tsAlias{}, false
		}
		if alias, ok := d.nearbyAlias(d.now, p.now, name); ok {
			return alias, true
		}
		return d.nearbyAlias(d.base, p.old, name)
	}
	return h
}

// maxSteps limits the comparisons of two types with the names of aliases.
const maxSteps = 2000

// nearbyAlias returns an alias in the nearest file that the file of a declaration imports.
func (d *differ) nearbyAlias(side *code.Skeleton, of *code.Symbol, name string) (alias tsAlias, ok bool) {
	n := d.neighbourhood(side, of)
	if n == nil {
		return tsAlias{}, false
	}
	for {
		if alias, ok = n.aliases[name]; ok || n.types[name].symbol != nil || n.read >= min(len(n.files), maxNearby) {
			return alias, ok
		}
		n.readNext(d.scripts[side])
	}
}

// relateNamed compares two types of TypeScript in which the aliases that users cannot name are replaced by what they are on either side, and
// all others mean what they mean now.
func (d *differ) relateNamed(p pair, was, is string) relation {
	before, now := d.ownAliases()
	h := d.naming(p)
	a, b := h.read(before.spell(was)), h.read(now.spell(is))
	return h.related(a, b)
}

// ownAliases returns the aliases of the files of a declaration that others cannot name, and that are something else now, or are gone.
func (d *differ) ownAliases() (before, now tsAliases) {
	before, now = hiddenAliases(d.base), hiddenAliases(d.now)
	for name, alias := range before {
		if other, ok := now[name]; ok && squeeze(alias.body) == squeeze(other.body) && slices.Equal(alias.params, other.params) {
			delete(before, name)
			delete(now, name)
		}
	}
	return before, now
}

// related returns the relation of a type to what it was.
func (h compatRules) related(was, is code.Type) relation {
	to := h.assignable(is, was, maxDepth)
	h.loose = true
	from := h.assignable(was, is, maxDepth)
	switch {
	case to && from:
		return sameType
	case to:
		return narrower
	case from:
		return wider
	}
	return otherType
}

// assignableAliases compares two types of which one is an alias: by its arguments if both are the same one, or by what it stands for.
func (h compatRules) assignableAliases(from, to code.Type, depth int) (answer, ok bool) {
	if h.alias == nil {
		return false, false
	}
	if *h.steps--; *h.steps < 0 || h.key(from) == h.key(to) {
		return *h.steps >= 0, true
	}
	of, is := h.aliased(to)
	by, was := h.aliased(from)
	if !is && !was {
		return false, false
	}
	key := from.Text + "\x00" + to.Text
	if h.assumed[key] {
		return true, true
	}
	h.assumed[key] = true
	defer delete(h.assumed, key)
	if is && from.Form != code.UnionType && h.assignable(from, of, depth-1) {
		return true, true
	}
	return was && h.assignable(by, to, depth-1), was || is && from.Form != code.UnionType
}

// membersFit compares two types of one declared name by the members that they have with their type arguments, or with the defaults of these.
func (h compatRules) membersFit(from, to code.Type, depth int) bool {
	s, a := h.declaration(from)
	_, b := h.declaration(to)
	if s == nil || a == nil || b == nil || depth <= 1 || h.assumed == nil {
		return false
	}
	key := from.Text + "\x00" + to.Text
	if h.assumed[key] {
		return true
	}
	h.assumed[key] = true
	defer delete(h.assumed, key)
	return h.allFit(s, a, b, depth-1) && !slices.ContainsFunc(s.Bases, func(text string) bool {
		x, y := a(text), b(text)
		return h.key(x) != h.key(y) && !h.assignable(x, y, depth-1)
	})
}

// allFit compares the members of a declared type, as they are read with the type arguments of either side.
func (h compatRules) allFit(s *code.Symbol, a, b func(text string) code.Type, depth int) bool {
	for i := range s.Members {
		m := &s.Members[i]
		if m.Static || m.Kind == code.Constructor || m.Visibility == code.Private {
			continue
		}
		x, known := fieldOf(m, a)
		y, same := fieldOf(m, b)
		if !known || !same || !h.memberFits(m, x.Type, y.Type, depth) {
			return false
		}
	}
	return true
}

// memberFits compares the types of a member. The parameters of a method may differ in either direction, as TypeScript has it.
func (h compatRules) memberFits(m *code.Symbol, from, to code.Type, depth int) bool {
	if h.key(from) == h.key(to) {
		return true
	}
	if m.Kind != code.Method {
		return h.assignable(from, to, depth)
	}
	if len(from.Args) != 1 || len(to.Args) != 1 || len(from.Fields) != len(to.Fields) {
		return false
	}
	for i, f := range from.Fields {
		g := to.Fields[i]
		if !h.assignable(g.Type, f.Type, depth) && !h.assignable(f.Type, g.Type, depth) {
			return false
		}
	}
	return h.assignable(from.Args[0], to.Args[0], depth)
}
