package drift

import (
	"cmp"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// members compares the members of a type or namespace.
func (d *differ) members(p pair) {
	if d.guess && len(p.old.Members) == 0 || len(p.old.Members)+len(p.now.Members) == 0 {
		return
	}
	before, now := p.old.Members, p.now.Members
	m := matchMembers(before, now)
	kept := map[string]bool{}
	for _, ij := range m.pairs {
		a, b := &before[ij[0]], &now[ij[1]]
		kept[b.Name] = true
		d.member(d.inType(p, a, b))
	}
	for _, i := range m.removed {
		q := d.inType(p, &before[i], nil)
		if p.compat.implementation(p.old, &before[i]) || p.compat.name == "rust" && p.compat.fromBase(d.now, p.now, &before[i]) != nil {
			continue // its trait is told, or has it
		}
		if other := cmp.Or(d.inherited(d.goNow, p.now, &before[i]), p.compat.fromBase(d.now, p.now, &before[i])); other != nil {
			d.member(d.inType(p, &before[i], other))
			continue
		}
		switch {
		case q.unexported, d.goBase.spelledOut(p.old, &before[i]), isImplied(&before[i], now), d.hasFromBase(p, &before[i]):
		case kept[before[i].Name] && callable(before[i].Kind):
			d.add("overload-removed", q, change{old: before[i].Signature})
		default:
			d.add(removal(p, before[i].Kind), q, change{old: before[i].Signature})
		}
	}
	for _, j := range m.added {
		q := d.inType(p, nil, &now[j])
		if other := cmp.Or(d.inherited(d.goBase, p.old, &now[j]), p.compat.fromBase(d.base, p.old, &now[j])); other != nil && p.compat.name != "rust" {
			d.member(d.inType(p, other, &now[j]))
			continue
		}
		switch {
		case q.unexported, d.goNow.spelledOut(p.now, &now[j]), d.hadFromBase(p, &now[j]):
		case kept[now[j].Name] && callable(now[j].Kind):
			d.add("overload-added", q, change{now: now[j].Signature, verdict: verdictIf(d.demanded(p, &now[j]))})
		default:
			d.addition(p, q)
		}
	}
}

// hasFromBase reports whether a Java type has a removed member from a base now.
func (d *differ) hasFromBase(p pair, m *code.Symbol) bool {
	_, types := d.java()
	return p.compat.erased && types.fromBase(p.now, m)
}

// hadFromBase reports whether a Java type had an added member from a base before.
func (d *differ) hadFromBase(p pair, m *code.Symbol) bool {
	types, _ := d.java()
	return p.compat.erased && types.fromBase(p.old, m)
}

// isImplied reports whether a removed constructor is the one that a class without any has.
func isImplied(removed *code.Symbol, now []code.Symbol) bool {
	return removed.Kind == code.Constructor && len(removed.Params) == 0 && len(removed.Overloads) == 0 &&
		!slices.ContainsFunc(now, func(s code.Symbol) bool { return s.Kind == code.Constructor })
}

// inherited returns the method that a Go type promotes in place of m, or nil. For users a
// declared and a promoted method are the same.
func (d *differ) inherited(g goTypes, s, m *code.Symbol) *code.Symbol {
	if m.Kind != code.Method || !d.compat(s).exact {
		return nil
	}
	other := g.reachOf(s)[m.Name].member
	if other == nil || other.Kind != code.Method {
		return nil
	}
	return other
}

// inType returns a pair of members of p; one may be nil.
func (d *differ) inType(p pair, old, now *code.Symbol) pair {
	q := pair{old: old, now: now, owner: p.now, compat: p.compat, unexported: p.unexported}
	s := q.symbol()
	q.name = p.name + "." + s.Name
	if p.owner == nil && p.now.Default && group(s.Kind) != "call" && group(s.Kind) != "data" {
		q.name = s.Name // export = N exports the members of N
	}
	if !visible(*s, p.now.Kind, p.compat) {
		q.unexported = true
	}
	return q
}

// member compares two versions of a member.
func (d *differ) member(q pair) {
	kind := q.owner.Kind
	was, is := visible(*q.old, kind, q.compat), visible(*q.now, kind, q.compat)
	c := change{old: string(q.old.Visibility), now: string(q.now.Visibility)}
	switch {
	case q.owner != nil && !was && !is:
		d.inside(q)
		return
	case was && !is:
		q.unexported = false
		d.add("member-visibility-reduced", q, c)
		return
	case !was:
		d.add("member-visibility-widened", q, c)
		return
	case !q.compat.exact && rank(q.now.Visibility) < rank(q.old.Visibility):
		d.add("member-visibility-reduced", q, c)
	case !q.compat.exact && rank(q.now.Visibility) > rank(q.old.Visibility):
		d.add("member-visibility-widened", q, c)
	}
	d.symbol(q)
}

// removal returns the rule for a removed member.
func removal(p pair, kind code.Kind) string {
	switch {
	case kind == code.EnumMember:
		return "enum-member-removed"
	case kind == code.Embedded:
		return "embedded-removed"
	case p.now.Kind == code.Module:
		return "export-removed"
	}
	return "member-removed"
}

// addition reports a new member.
func (d *differ) addition(p, q pair) {
	c := change{now: q.now.Signature}
	switch {
	case q.now.Kind == code.EnumMember:
		c.verdict = verdictIf(q.compat.closedEnums && !open(p.now))
		d.add("enum-member-added", q, c)
	case q.now.Kind == code.Embedded:
		c.verdict = verdictIf(d.demanded(p, q.now))
		d.add("embedded-added", q, c)
	case p.now.Kind == code.Module:
		d.add("export-added", q, c)
	case d.demanded(p, q.now):
		d.add("required-member-added", q, c)
	case p.compat.openTypes && (takesMembers(p.now) && !q.now.Optional || q.now.Abstract):
		c.verdict, c.severity = compatible, Medium
		d.add("required-member-added", q, c)
	default:
		d.add("member-added", q, c)
	}
}

// demanded reports whether user-written types must supply a new member, so that they break. A
// Go interface with an unexported method has no such types.
func (d *differ) demanded(p pair, m *code.Symbol) bool {
	if p.compat.openTypes || m.Optional || m.Static && p.compat.name != "rust" || d.unimplementable(p) {
		return false
	}
	if (p.compat.name == "scala" || p.compat.name == "kotlin") && p.old != nil && slices.Contains(split(p.old.Signature), "sealed") {
		return false // only its own file or module implements it
	}
	if p.compat.name == "rust" && p.now.Kind == code.Trait && (m.Kind == code.Const || m.Kind == code.TypeDef) {
		return m.Value == ""
	}
	switch {
	case p.compat.exact:
		return p.now.Kind == code.Interface && !sealed(p.old)
	case m.BodyHash != "" && !m.Abstract: // a default implementation
		return false
	case p.now.Kind == code.Interface || p.now.Kind == code.Trait:
		return callable(m.Kind) || m.Kind == code.Getter || m.Kind == code.Setter || m.Kind == code.Property && m.Value == "" && m.Abstract
	}
	return m.Abstract
}

// spelledOut reports whether a member is an embedded interface with known methods, which are
// reported instead.
func (g goTypes) spelledOut(s, m *code.Symbol) bool {
	return s.Kind == code.Interface && g.embeds(s, m) != nil
}

// sealed reports whether a Go interface has an unexported method.
func sealed(s *code.Symbol) bool {
	for _, m := range s.Members {
		if m.Kind == code.Method && !exportedGo(m.Name) {
			return true
		}
	}
	return false
}

// takesMembers reports whether users write values of the type.
func takesMembers(s *code.Symbol) bool { return s.Kind == code.Interface || s.Kind == code.TypeDef }

// open reports whether an enumeration is declared as extensible.
func open(s *code.Symbol) bool {
	for _, text := range s.Decorators {
		if squeeze(text) == "#[non_exhaustive]" || squeeze(text) == "non_exhaustive" {
			return true
		}
	}
	return false
}
