package drift

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// lineup pairs the parameters of two signatures.
type lineup struct {
	was, is []code.Param
	to      []int // index in is of each old parameter; -1 if removed
	from    []int // index in was of each new parameter; -1 if new
}

// align pairs parameters: equal names first, then those between the same neighbours. types
// reports whether two parameters have the same type.
func align(was, is []code.Param, types func(a, b code.Param) bool) lineup {
	l := lineup{was: was, is: is, to: blank(len(was)), from: blank(len(is))}
	for i, a := range was {
		for j, b := range is {
			if a.Name != "" && a.Name != "_" && a.Name == b.Name && l.from[j] < 0 {
				l.pair(i, j)
				break
			}
		}
	}
	l.fill(types)
	l.fill(nil)
	return l
}

func blank(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = -1
	}
	return out
}

func (l *lineup) pair(i, j int) { l.to[i], l.from[j] = j, i }

// fill pairs the remaining parameters in order. With types, each old parameter is paired with
// the next new one of its type; without, only if equally many remain on both sides of a gap.
func (l *lineup) fill(types func(a, b code.Param) bool) {
	j := 0
	for i := range l.was {
		if l.to[i] >= 0 {
			j = max(j, l.to[i]+1)
			continue
		}
		before, now := l.gaps(i, j)
		if types == nil && before != now {
			continue
		}
		for k := j; k < j+now; k++ {
			if types == nil || types(l.was[i], l.is[k]) {
				l.pair(i, k)
				j = k + 1
				break
			}
		}
	}
}

// gaps counts the consecutive unpaired parameters from i and j.
func (l *lineup) gaps(i, j int) (before, now int) {
	for i+before < len(l.to) && l.to[i+before] < 0 {
		before++
	}
	for j+now < len(l.from) && l.from[j+now] < 0 {
		now++
	}
	return before, now
}

// params compares parameter lists.
func (d *differ) params(p pair, was, is []code.Param) {
	if p.compat.exact && d.goBase.params(p.old, was) == d.goNow.params(p.now, is) {
		d.renamedParams(p, was, is)
		return
	}
	l := align(was, is, func(a, b code.Param) bool {
		return a.Variadic == b.Variadic && (a.Type != "" || b.Type != "") && d.relate(p, a.Type, b.Type) == sameType
	})
	for i, a := range was {
		if l.to[i] < 0 {
			if p.compat.swallowed(a, is) {
				d.add("param-removed", p, change{old: paramText(a), what: a.Name, verdict: compatible, severity: Low})
				continue
			}
			// Every Ruby method accepts a block.
			d.add("param-removed", p, change{old: paramText(a), what: a.Name, verdict: verdictIf(!strings.HasPrefix(a.Name, "&"))})
		}
	}
	for j, b := range is {
		if l.from[j] < 0 {
			d.newParam(p, l, j, b)
			continue
		}
		if a := was[l.from[j]]; b.Variadic && !a.Variadic && p.compat.swallowed(a, is) {
			d.add("param-variadic-changed", p, change{what: b.Name, old: paramText(a), now: paramText(b), verdict: compatible, severity: Low})
		} else {
			d.param(p, a, b)
		}
	}
	d.order(p, l)
}

// renamedParams reports different names in lists of equal types.
func (d *differ) renamedParams(p pair, was, is []code.Param) {
	for i := range min(len(was), len(is)) {
		d.paramName(p, was[i], is[i])
	}
}

func (d *differ) newParam(p pair, l lineup, j int, b code.Param) {
	c := change{now: paramText(b), what: b.Name}
	if !b.Optional && !b.Variadic {
		if p.compat.name == "rust" && p.old.Kind == code.EnumMember && attribute(p.old, "non_exhaustive") != "" {
			c.verdict = compatible // nobody outside writes or fully matches the variant
		}
		d.add("param-required-added", p, c)
		return
	}
	shifts := false
	for _, later := range l.from[j+1:] {
		shifts = shifts || later >= 0
	}
	switch {
	case p.compat.exact:
		c.verdict = breaks
	case shifts && b.Mode != keywordOnly && !b.Variadic && !onlyKeywords(l, j):
		c.verdict, c.more = breaks, message.New(", which shifts the positional parameters after it")
	}
	d.add("param-optional-added", p, c)
}

// keywordOnly is the Mode of a parameter that must be passed by name.
const keywordOnly = "keyword"

// onlyKeywords reports whether all old parameters after j are passed by name or are variadic.
func onlyKeywords(l lineup, j int) bool {
	for k := j + 1; k < len(l.is); k++ {
		if l.from[k] >= 0 && l.is[k].Mode != keywordOnly && !l.is[k].Variadic {
			return false
		}
	}
	return true
}

// param compares two paired parameters.
func (d *differ) param(p pair, a, b code.Param) {
	d.paramName(p, a, b)
	d.paramType(p, a, b)
	c := change{what: b.Name, old: paramText(a), now: paramText(b)}
	switch {
	case a.Variadic != b.Variadic:
		c.verdict = verdictIf(a.Variadic || !p.compat.arrayArgs)
		d.add("param-variadic-changed", p, c)
	case a.Optional && !b.Optional:
		d.add("param-became-required", p, c)
	case !a.Optional && b.Optional:
		d.add("param-became-optional", p, c)
	case squeeze(a.Default) != squeeze(b.Default):
		c.old, c.now, c.verdict = a.Default, b.Default, verdictIf(p.compat.defaults && !p.unexported)
		d.add("param-default-changed", p, c)
	}
	if a.Mode != b.Mode && (a.Variadic == b.Variadic) {
		d.add("param-mode-changed", p, change{
			what: b.Name, old: orAny(a.Mode), now: orAny(b.Mode), verdict: verdictIf(b.Mode != ""),
		})
	}
}

func orAny(mode string) string {
	if mode == "" {
		return wordEither
	}
	return mode
}

func (d *differ) paramName(p pair, a, b code.Param) {
	if a.Name == b.Name || unnamed(a) || unnamed(b) {
		return
	}
	byName := p.compat.named || a.Mode == keywordOnly || b.Mode == keywordOnly
	if b.Mode == "positional" && a.Mode == "positional" || a.Variadic && b.Variadic {
		byName = false
	}
	d.add("param-renamed", p, change{what: b.Name, old: a.Name, now: b.Name, verdict: verdictIf(byName)})
}

// unnamed reports whether a parameter has no usable name: none, a blank, or a pattern.
func unnamed(p code.Param) bool {
	return strings.Trim(p.Name, "_") == "" || strings.ContainsAny(p.Name[:1], "{[(")
}

func (d *differ) paramType(p pair, a, b code.Param) {
	c := change{what: b.Name, old: a.Type, now: b.Type}
	if a.Type == b.Type && p.compat.openTypes { // what is not written changed
		if d.aliasesTold(a.Type) {
			c.verdict = compatible // that of the alias is what breaks
		}
		c.old, c.now = d.tsAliases(d.base, p.old).withDefaults(a.Type), d.tsAliases(d.now, p.now).withDefaults(b.Type)
	}
	was, is := a.Type, b.Type
	if p.compat.openTypes { // an optional parameter takes undefined
		was, is = withoutUndefined(a, b), withoutUndefined(b, a)
	}
	switch d.relateOptional(p, a, b, d.relate(p, was, is)) {
	case sameType:
		return
	case wider, unknownType:
		if c.verdict == compatible {
			break
		}
		implemented := p.owner != nil && (p.owner.Kind == code.Interface || p.owner.Kind == code.Trait)
		c.verdict = verdictIf(implemented && (p.compat.nullable || p.compat.erased))
	case narrower, otherType:
	}
	d.add("param-type-changed", p, c)
}

// withoutUndefined returns the type of a parameter; without undefined if that and the other parameter may be left out.
func withoutUndefined(q, other code.Param) string {
	if q.Optional && other.Optional {
		return strings.TrimSuffix(q.Type, " | undefined")
	}
	return q.Type
}

// relateOptional compares the types of two parameters of TypeScript that may be left out with undefined, which both take.
func (d *differ) relateOptional(p pair, a, b code.Param, known relation) relation {
	if known != narrower && known != otherType || !p.compat.openTypes || !p.compat.unions || !a.Optional || !b.Optional || a.Type == "" || b.Type == "" {
		return known
	}
	return d.relate(p, "("+a.Type+") | undefined", "("+b.Type+") | undefined")
}

// order reports parameters that changed places. Keyword-only parameters have no place.
func (d *differ) order(p pair, l lineup) {
	last, moved := -1, false
	for i, j := range l.to {
		if j < 0 || l.was[i].Mode == keywordOnly && l.is[j].Mode == keywordOnly {
			continue
		}
		if j < last {
			moved = true
		}
		last = max(last, j)
	}
	if moved {
		d.add("param-reordered", p, change{old: names(l.was), now: names(l.is)})
	}
}

func names(list []code.Param) string {
	out := make([]string, len(list))
	for i, q := range list {
		out[i] = q.Name
	}
	return strings.Join(out, ", ")
}

// paramText formats a parameter independently of the language.
func paramText(q code.Param) string {
	var b strings.Builder
	if q.Variadic {
		b.WriteString("...")
	}
	b.WriteString(q.Name)
	if q.Optional && !q.Variadic && q.Default == "" && q.Name != "" {
		b.WriteByte('?')
	}
	switch {
	case q.Type != "" && q.Name != "":
		b.WriteString(": " + q.Type)
	case q.Type != "":
		b.WriteString(q.Type)
	}
	if q.Default != "" {
		b.WriteString(" = " + q.Default)
	}
	return b.String()
}
