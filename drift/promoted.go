package drift

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// promotion is a promoted member of a Go type.
type promotion struct {
	member *code.Symbol
	owner  *code.Symbol // the type that declares it
}

// reach is the set of promoted members of a Go type, by name.
type reach map[string]promotion

// reachOf returns the exported members that a type has only through embedded types or, for
// type T U, the fields of U. Shallower members shadow deeper ones. Types outside the skeleton
// are unknown.
func (g goTypes) reachOf(s *code.Symbol) reach {
	out, seen := reach{}, map[*code.Symbol]bool{s: true}
	direct := map[string]bool{}
	for _, m := range s.Members {
		direct[m.Name] = m.Kind != code.Embedded || s.Kind == code.Struct
	}
	level := g.embedded(s, seen)
	if under := g.underlying(s); under != nil && !seen[under] {
		out.take(under, direct, func(m *code.Symbol) bool { return m.Kind != code.Method })
		level = append(level, g.embedded(under, seen)...)
	}
	if t := g.renamed(s); t != nil && !seen[t] {
		out.take(t, direct, func(m *code.Symbol) bool { return m.Kind != code.Embedded || t.Kind == code.Struct })
		level = append(level, g.embedded(t, seen)...)
	}
	for len(level) > 0 {
		var next []*code.Symbol
		for _, t := range level {
			out.take(t, direct, func(m *code.Symbol) bool { return m.Kind != code.Embedded || t.Kind == code.Struct })
			next = append(next, g.embedded(t, seen)...)
		}
		level = next
	}
	return out
}

// take adds the exported members of t that are not shadowed.
func (r reach) take(t *code.Symbol, direct map[string]bool, want func(m *code.Symbol) bool) {
	for i := range t.Members {
		m := &t.Members[i]
		if _, known := r[m.Name]; exportedGo(m.Name) && !direct[m.Name] && !known && want(m) {
			r[m.Name] = promotion{m, t}
		}
	}
}

// underlying returns the struct whose fields a type T U has, if it is in the skeleton.
func (g goTypes) underlying(s *code.Symbol) *code.Symbol {
	if _, alias := aliasOf(s); alias || s.Kind != code.TypeDef || s.Value == "" {
		return nil
	}
	t := g.resolve(path.Dir(s.File), s.Value)
	if t == nil || t.Kind != code.Struct {
		return nil
	}
	return t
}

// renamed returns the type of another package, which others cannot import, that an alias stands for; nil for none.
func (g goTypes) renamed(s *code.Symbol) *code.Symbol {
	to, alias := aliasOf(s)
	if !alias {
		return nil
	}
	t := g.resolve(path.Dir(s.File), to)
	if t == nil || !strings.Contains("/"+path.Dir(t.File)+"/", "/internal/") || path.Dir(t.File) == path.Dir(s.File) {
		return nil
	}
	return t
}

// embedded returns the known types that s embeds.
func (g goTypes) embedded(s *code.Symbol, seen map[*code.Symbol]bool) []*code.Symbol {
	var out []*code.Symbol
	for i := range s.Members {
		if t := g.embeds(s, &s.Members[i]); t != nil && !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

// embeds returns the type that a member embeds, or nil if it embeds none or the type is not in
// the skeleton.
func (g goTypes) embeds(s, m *code.Symbol) *code.Symbol {
	if m.Kind != code.Embedded {
		return nil
	}
	text := m.Returns
	if text == "" {
		text = m.Name
	}
	return g.resolve(path.Dir(s.File), text)
}

// resolve returns the named type that text means in a folder, or nil if it is not known.
func (g goTypes) resolve(folder, text string) *code.Symbol {
	t := g.read(strings.TrimSpace(text))
	for t.Form == code.PointerType {
		t = t.Args[0]
	}
	pkg, name := strings.TrimSuffix(t.Qualifier(), "."), t.Last()
	switch {
	case t.Form != code.NamedType:
		return nil
	case pkg == "":
		return g.symbols[id(folder, name)]
	}
	for _, module := range g.importedAs(folder, pkg) {
		if t, ok := g.elsewhere(folder, module, name); ok {
			if t != nil {
				return t
			}
			continue
		}
		for _, dir := range g.folders {
			if strings.HasSuffix(module, "/"+dir) {
				if t := g.symbols[id(dir, name)]; t != nil {
					return t
				}
			}
		}
		if host, _, _ := strings.Cut(module, "/"); strings.Contains(host, ".") { // possibly the module's root
			if t := g.symbols[id(".", name)]; t != nil && t.Exported {
				return t
			}
		}
	}
	return nil
}

// promoted compares the promoted members before and now.
func (d *differ) promoted(p pair) {
	was, is := d.goBase.reachOf(p.old), d.goNow.reachOf(p.now)
	for _, name := range slices.Sorted(maps.Keys(was)) {
		switch other, still := is[name]; {
		case still && other.member.Kind != code.Method && was[name].member.Kind != code.Method:
			d.sameField(p, was[name].member, other.member)
		case !still && !declares(p.now, name):
			d.promotion(p, was[name], false)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if _, before := was[name]; !before && !declares(p.old, name) {
			d.promotion(p, is[name], true)
		}
	}
}

// sameField compares a field that is promoted on both sides.
func (d *differ) sameField(p pair, old, now *code.Symbol) {
	at := *now
	at.StartLine = p.now.StartLine
	q := pair{old: old, now: &at, owner: p.now, name: p.name + "." + now.Name, compat: p.compat}
	if old.SignatureHash != now.SignatureHash {
		d.typed(q)
	}
}

// promotion reports a promoted member that p gained or lost. A method that its own type gained
// or lost, in the same package, is reported once for that type, unless the type's own items
// already say it. Everything else is reported for p: fields, methods of other packages, and
// effects of embedding another type.
func (d *differ) promotion(p pair, m promotion, added bool) {
	at, owner, rule := *m.member, m.owner, "promoted-member-removed"
	q := pair{name: p.name + "." + at.Name, compat: p.compat}
	c := change{more: message.New(", declared in %s", at.File)}
	other := d.goNow
	if added {
		other = d.goBase
	}
	twin := other.symbols[id(path.Dir(owner.File), owner.Name)]
	here := path.Dir(owner.File) == path.Dir(p.symbol().File)
	if at.Kind == code.Method && here && !declares(twin, at.Name) {
		if owner.Exported && twin != nil {
			return
		}
		q.name = owner.Name + "." + at.Name
		c.more = message.New(", seen on `%s`", p.name)
	} else {
		at.File, at.StartLine = p.symbol().File, p.symbol().StartLine
	}
	if added {
		rule = "promoted-member-added"
		q.now, c.now, c.verdict = &at, at.Signature, verdictIf(d.demanded(p, m.member))
	} else {
		q.old, c.old = &at, at.Signature
	}
	if i := d.reportedAs(rule, q.name); i < 0 {
		d.add(rule, q, c)
	} else if c.verdict == breaks {
		d.items[i].Breaking, d.items[i].Severity = true, Medium
	}
}

// declares reports whether a type, which may be nil, has a member of its own.
func declares(s *code.Symbol, name string) bool {
	return s != nil && slices.ContainsFunc(s.Members, func(m code.Symbol) bool { return m.Name == name })
}

// reportedAs returns the index of the item with a rule and symbol, or -1.
func (d *differ) reportedAs(rule, name string) int {
	if !d.reported[id(rule, name)] {
		return -1
	}
	return slices.IndexFunc(d.items, func(i Item) bool { return i.Rule == rule && i.SymbolName == name })
}

// methodsOfAlias reports methods that are declared through a new alias of an existing type.
func (d *differ) methodsOfAlias(p pair) {
	to, ok := aliasOf(p.now)
	if !ok || !p.compat.exact {
		return
	}
	if t := d.goBase.resolve(path.Dir(p.now.File), to); t == nil || !t.Exported {
		return
	}
	for i := range p.now.Members {
		if m := &p.now.Members[i]; exportedGo(m.Name) && m.Kind == code.Method {
			d.add("member-added", pair{now: m, owner: p.now, name: p.name + "." + m.Name, compat: p.compat}, change{now: m.Signature})
		}
	}
}
