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
	if p.compat.openTypes && p.old.Kind == code.TypeDef && p.now.Kind == code.TypeDef && !spelled(p) {
		return // one of them is not written out: the definitions are compared
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
		d.memberRemoved(p, &before[i], kept)
	}
	for _, j := range m.added {
		d.memberAdded(p, &now[j], kept)
	}
}

// memberRemoved judges a member that a type does not declare any more; kept are the names of those that it still has.
func (d *differ) memberRemoved(p pair, m *code.Symbol, kept map[string]bool) {
	q := d.inType(p, m, nil)
	if p.compat.implementation(p.old, m) || p.compat.name == "rust" && p.compat.fromBase(d.now, p.now, m) != nil {
		return // its trait is told, or has it
	}
	if other := cmp.Or(d.inherited(d.goNow, p.now, m), d.inheritedBy(p, d.now, p.now, m)); other != nil {
		d.member(d.inType(p, m, other))
		return
	}
	switch {
	case q.unexported, d.goBase.spelledOut(p.old, m), isImplied(m, p.now.Members), d.hasFromBase(p, m):
	case kept[m.Name] && callable(m.Kind):
		d.add("overload-removed", q, change{old: m.Signature})
	default:
		d.add(removal(p, m.Kind), q, change{old: m.Signature})
	}
}

// memberAdded judges a member that a type did not declare.
func (d *differ) memberAdded(p pair, m *code.Symbol, kept map[string]bool) {
	q := d.inType(p, nil, m)
	if other := cmp.Or(d.inherited(d.goBase, p.old, m), d.inheritedBy(p, d.base, p.old, m)); other != nil && p.compat.name != "rust" {
		d.member(d.inType(p, other, m))
		return
	}
	switch {
	case q.unexported, d.goNow.spelledOut(p.now, m), d.hadFromBase(p, m):
	case kept[m.Name] && callable(m.Kind):
		d.add("overload-added", q, change{now: m.Signature, verdict: verdictIf(d.demanded(p, m))})
	default:
		d.addition(p, q)
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
	q := pair{old: old, now: now, owner: p.now, owned: p.old, compat: p.compat, unexported: p.unexported}
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
	if d.stopped() {
		return
	}
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
	if p.compat.openTypes || m.Optional || m.Static && p.compat.name != "rust" || d.unimplementable(p) || sealedElsewhere(p) {
		return false
	}
	abstract := isAbstractType(p.now)
	switch {
	case p.compat.name == "rust" && abstract && !callable(m.Kind):
		return m.Value == ""
	case p.compat.exact:
		return abstract && !sealed(p.old)
	case m.BodyHash != "" && !m.Abstract: // a default implementation
		return false
	case abstract:
		return implementable(m)
	}
	return m.Abstract
}

func isAbstractType(s *code.Symbol) bool { return s.Kind == code.Interface || s.Kind == code.Trait }

// sealedElsewhere reports whether only the file or module of a type of Scala or Kotlin implements it.
func sealedElsewhere(p pair) bool {
	return (p.compat.name == "scala" || p.compat.name == "kotlin") && p.old != nil && slices.Contains(split(p.old.Signature), "sealed")
}

// implementable reports whether what implements an interface has to supply a member.
func implementable(m *code.Symbol) bool {
	return callable(m.Kind) || m.Kind == code.Getter || m.Kind == code.Setter || m.Kind == code.Property && m.Value == "" && m.Abstract
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
