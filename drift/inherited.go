package drift

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// fromBase returns the member that a class has from those that it extends, in place of one that it declared or declares itself; nil for
// none. For users both are the same. Only classes of the same surface are known.
func (h compatRules) fromBase(side *code.Skeleton, class, m *code.Symbol) *code.Symbol {
	if !h.inherits && h.name != "rust" || m.Kind == code.Constructor && h.name != "php" || m.Kind == code.EnumMember {
		return nil
	}
	return h.fromBases(side, class, m, map[string]bool{class.Name: true})
}

func (h compatRules) fromBases(side *code.Skeleton, class, m *code.Symbol, seen map[string]bool) *code.Symbol {
	for _, text := range class.Bases {
		name := baseName(text)
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		base := classNamed(side, name)
		if base == nil {
			continue
		}
		for i := range base.Members {
			if other := &base.Members[i]; other.Name == m.Name && (h.openTypes || group(other.Kind) == group(m.Kind)) && other.Static == m.Static && other.Visibility != code.Private {
				return other
			}
		}
		if other := h.fromBases(side, base, m, seen); other != nil {
			return other
		}
	}
	return nil
}

// above collects the keys of the types that the bases of a class extend now, as far as they are in the same surface.
func (d *differ) above(p pair, class *code.Symbol, out map[string]bool, depth int) {
	if depth == 0 {
		return
	}
	for _, text := range class.Bases {
		base := classNamed(d.now, baseName(text))
		if base == nil || base == class {
			continue
		}
		for _, key := range p.compat.keys(d.readAll(p, base.Bases)) {
			out[key] = true
		}
		d.above(p, base, out, depth-1)
	}
}

// derives reports whether a class extends another one of the same surface, directly or through others.
func derives(side *code.Skeleton, class, from string, depth int) bool {
	s := classNamed(side, class)
	return s != nil && depth > 0 && slices.ContainsFunc(s.Bases, func(text string) bool {
		return baseName(text) == from || derives(side, baseName(text), from, depth-1)
	})
}

// relateClasses compares two types of a language whose classes are known by their names, where they differ in one class: a value of the one
// that extends the other is one of both.
func (d *differ) relateClasses(p pair, a, b code.Type) relation {
	if !p.compat.inherits || p.compat.erased {
		return otherType
	}
	was, is := p.compat.alternatives(a), p.compat.alternatives(b)
	keep := func(list, others []code.Type) []code.Type {
		return slices.DeleteFunc(slices.Clone(list), func(t code.Type) bool { return slices.Contains(p.compat.keys(others), p.compat.key(t)) })
	}
	was, is = keep(was, is), keep(is, was)
	if len(was) != 1 || len(is) != 1 || was[0].Form != code.NamedType || is[0].Form != code.NamedType || len(was[0].Args)+len(is[0].Args) > 0 {
		return otherType
	}
	x, y := baseName(was[0].Name), baseName(is[0].Name)
	switch {
	case derives(d.now, x, y, maxAliases):
		return wider
	case derives(d.now, y, x, maxAliases):
		return narrower
	}
	return otherType
}

// baseName returns the last name of a base as written: of pkg.Base[int], Base.
func baseName(text string) string {
	text, _, _ = strings.Cut(text, "<")
	text, _, _ = strings.Cut(text, "[")
	text, _, _ = strings.Cut(text, "(")
	text = strings.TrimSpace(text)
	text = text[strings.LastIndexByte(text, ' ')+1:]
	return strings.TrimSpace(text[strings.LastIndexAny(text, ".:\\")+1:])
}

func classNamed(side *code.Skeleton, name string) *code.Symbol {
	for _, list := range [][]code.Symbol{side.Exports, side.Internals} {
		i := slices.IndexFunc(list, func(s code.Symbol) bool { return baseName(s.Name) == name && s.Kind.HoldsMembers() })
		if i >= 0 {
			return &list[i]
		}
	}
	return nil
}

// swallowed reports whether a call that passes an argument for a parameter stays valid without it: *args and **kwargs take what no other
// parameter takes.
func (h compatRules) swallowed(a code.Param, is []code.Param) bool {
	if !h.catchAll || a.Variadic {
		return false
	}
	byPlace := slices.ContainsFunc(is, func(q code.Param) bool { return q.Variadic && q.Mode == "positional" })
	byName := slices.ContainsFunc(is, func(q code.Param) bool { return q.Variadic && q.Mode == keywordOnly })
	switch a.Mode {
	case "positional":
		return byPlace
	case keywordOnly:
		return byName
	}
	return byPlace && byName
}
