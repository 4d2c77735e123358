package drift

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// exports compares the exported symbols.
func (d *differ) exports() {
	before, now := d.base.Exports, d.now.Exports
	m := d.match(before, now)
	kept := map[string]bool{}
	for _, ij := range m.pairs {
		p := pair{old: &before[ij[0]], now: &now[ij[1]], name: now[ij[1]].Name, compat: d.compat(&now[ij[1]])}
		kept[p.place(p.old)] = true
		d.moved(p)
		d.assigned(p)
		d.access(p)
		d.symbol(p)
	}
	renames := d.renames(before, now, m)
	for _, i := range m.removed {
		p := pair{old: &before[i], name: before[i].Name, compat: d.compat(&before[i])}
		switch j, renamed := renames[i]; {
		case renamed:
			d.add("renamed-symbol", p, change{what: now[j].Name, old: before[i].Signature, now: now[j].Signature})
		case callable(p.old.Kind) && kept[p.place(p.old)]:
			d.add("overload-removed", p, change{old: before[i].Signature})
		default:
			d.gone(p)
		}
	}
	for _, j := range m.added {
		if isTarget(renames, j) {
			continue
		}
		p := pair{now: &now[j], name: now[j].Name, compat: d.compat(&now[j])}
		switch {
		case callable(p.now.Kind) && kept[p.place(p.now)]:
			d.add("overload-added", p, change{now: now[j].Signature})
		case p.named(d.base.Internals, p.now) != nil:
			d.add("visibility-widened", p, change{now: now[j].Signature})
		default:
			d.add("export-added", p, change{now: now[j].Signature})
			d.methodsOfAlias(p)
		}
	}
}

// match pairs top-level symbols. In a baseline rebuilt from a spec's text, files may be
// unknown.
func (d *differ) match(before, now []code.Symbol) matching {
	if d.guess {
		name := func(s *code.Symbol) string { return s.Name }
		kind := func(s *code.Symbol) string { return id(s.Name, group(s.Kind)) }
		return match(before, now, inFile, groupInFile, kind, name)
	}
	return matchTop(before, now, d.now.Language)
}

func isTarget(renames map[int]int, j int) bool {
	for _, to := range renames {
		if to == j {
			return true
		}
	}
	return false
}

// gone reports a removed export.
func (d *differ) gone(p pair) {
	c := change{old: p.old.Signature}
	if p.old.Default && p.compat.openTypes {
		p.name = "default" // as its users see it
	}
	if inside := d.hidden(p); inside != nil {
		c.now = inside.Signature
		d.add("visibility-reduced", p, c)
		return
	}
	c.more = d.elsewhere(p)
	d.add("export-removed", p, c)
}

// hidden returns the internal symbol that a former export became, or nil.
func (d *differ) hidden(p pair) *code.Symbol {
	if s := p.named(d.now.Internals, p.old); s != nil {
		return s
	}
	if !p.compat.exact {
		return nil
	}
	lower := *p.old // Go: a lower-case initial makes it unexported
	lower.Name = strings.ToLower(lower.Name[:1]) + lower.Name[1:]
	s := p.named(d.now.Internals, &lower)
	if s == nil || p.named(d.base.Internals, &lower) != nil || s.BodyHash != p.old.BodyHash {
		return nil
	}
	return s
}

// elsewhere says where a removed export can still be found.
func (d *differ) elsewhere(p pair) message.Text {
	s := p.old
	if v := p.named(d.now.Variants, s); v != nil {
		return message.New(", now on %s only", v.Constraint)
	}
	if s.BodyHash == "" {
		return message.Text{}
	}
	for i := range d.now.Exports {
		if t := &d.now.Exports[i]; t.Name == s.Name && t.BodyHash == s.BodyHash && path.Dir(t.File) != path.Dir(s.File) {
			return message.New(", now in %s", t.File)
		}
	}
	return message.Text{}
}

// place identifies how users reach a symbol; the overloads of a function share it.
func (p pair) place(s *code.Symbol) string {
	if p.compat.imports == byFile {
		return inFile(s)
	}
	return inFolder(s)
}

// named returns the symbol with the same name and group in the same place.
func (p pair) named(list []code.Symbol, s *code.Symbol) *code.Symbol {
	i := slices.IndexFunc(list, func(t code.Symbol) bool {
		return t.Name == s.Name && group(t.Kind) == group(s.Kind) && p.compat.samePlace(t.File, s.File)
	})
	if i < 0 {
		return nil
	}
	return &list[i]
}

// variants compares exports of files outside the reference build, for other platforms. A
// symbol that moved into or out of the reference build is neither removed nor added.
func (d *differ) variants() {
	built := func(s code.Symbol) bool { return s.Constraint == "ignore" } // not part of any build
	before := slices.DeleteFunc(slices.Clone(d.base.Variants), built)
	now := slices.DeleteFunc(slices.Clone(d.now.Variants), built)
	from := len(d.items)
	m := d.match(before, now)
	for _, ij := range m.pairs {
		p := pair{old: &before[ij[0]], now: &now[ij[1]], name: now[ij[1]].Name, compat: d.compat(&now[ij[1]])}
		p.unexported = !p.now.Exported
		d.symbol(p)
	}
	for _, i := range m.removed {
		if s := &before[i]; s.Exported {
			d.gone(pair{old: s, name: s.Name, compat: d.compat(s)})
		}
	}
	for _, j := range m.added {
		if s := &now[j]; s.Exported {
			d.add("export-added", pair{now: s, name: s.Name, compat: d.compat(s)}, change{now: s.Signature})
		}
	}
	d.dropKnown(from)
}

// dropKnown removes the items of variants (those from index from on) that repeat items of the
// reference build, or whose symbol the reference build has.
func (d *differ) dropKnown(from int) {
	told := map[string]bool{}
	for _, i := range d.items[:from] {
		told[id(i.Rule, i.SymbolName)] = true
	}
	before, now := qualified(d.base.Exports), qualified(d.now.Exports)
	kept := slices.DeleteFunc(slices.Clone(d.items[from:]), func(i Item) bool {
		file, _ := splitLocation(i.Location)
		name := id(path.Dir(file), i.SymbolName)
		return told[id(i.Rule, i.SymbolName)] || i.ChangeType == Addition && before[name] || i.ChangeType == Removal && now[name]
	})
	d.items = append(d.items[:from], kept...)
}

// qualified returns folder and name of all symbols and their members.
func qualified(list []code.Symbol) map[string]bool {
	out := map[string]bool{}
	for _, s := range list {
		dir := path.Dir(s.File)
		out[id(dir, s.Name)] = true
		for _, m := range s.Members {
			out[id(dir, s.Name+"."+m.Name)] = true
		}
	}
	return out
}

// internals reports internal symbols whose content changed. Added or removed ones are not
// drift; they show in the bodies that use them.
func (d *differ) internals() {
	if d.guess {
		return
	}
	before, now := d.base.Internals, d.now.Internals
	for _, ij := range d.match(before, now).pairs {
		s := &now[ij[1]]
		d.symbol(pair{old: &before[ij[0]], now: s, name: s.Name, compat: d.compat(s), unexported: true})
	}
}

// symbol compares two versions of a symbol with its members.
func (d *differ) symbol(p pair) {
	if d.stopped() {
		return
	}
	if p.unexported {
		d.inside(p)
		return
	}
	from := len(d.items)
	if !d.kinds(p) {
		return
	}
	d.modifiers(p)
	d.rust(p)
	d.signature(p, from)
	d.members(p)
	if p.now.Kind == code.TypeDef && spelled(p) && len(d.items) == from && p.old.SignatureHash != p.now.SignatureHash {
		d.definition(p) // text around the members: { a: string } & B
	}
	d.body(p, from)
	d.documentation(p)
}

// kinds reports a changed kind, and returns whether the rest can be compared.
func (d *differ) kinds(p pair) bool {
	a, b := p.old.Kind, p.now.Kind
	if a == b || a == "" || b == "" || p.compat.exact && empty(p.old) && empty(p.now) {
		return true
	}
	alike := interchangeable(a, b, p)
	if !alike && p.compat.openTypes && d.sameShape(p) {
		d.add("kind-changed", p, change{old: string(a), now: string(b), verdict: compatible})
		return false
	}
	d.add("kind-changed", p, change{old: string(a), now: string(b), verdict: verdictIf(!alike)})
	return alike && (!p.compat.exact || group(a) != "value")
}

// sameShape reports whether an interface of TypeScript became an alias of the same type, or the other way round.
func (d *differ) sameShape(p pair) bool {
	types := func(text string) code.Type { return d.types.Of(p.compat.name, text) }
	switch {
	case p.old.Kind == code.Interface && p.now.Kind == code.TypeDef:
		return p.compat.sameShape(p.old, p.now, types) || d.sameStructure(p, p.old, p.now, d.tsAliases(d.now, p.now))
	case p.old.Kind == code.TypeDef && p.now.Kind == code.Interface:
		return p.compat.sameShape(p.now, p.old, types) || d.sameStructure(p, p.now, p.old, d.tsAliases(d.base, p.old))
	}
	return p.now.Kind == code.Enum && p.compat.name == "typescript" && d.enumerates(p)
}

// empty reports whether a Go type is the empty interface, in either spelling.
func empty(s *code.Symbol) bool {
	return s.Kind == code.Interface && len(s.Members) == 0 || s.Kind == code.TypeDef && s.Value == "any"
}

// interchangeable reports whether users of one kind can use the other.
func interchangeable(a, b code.Kind, p pair) bool {
	either := func(x, y code.Kind) bool { return a == x && b == y || a == y && b == x }
	switch {
	case p.compat.exact:
		return a == code.Function && b == code.Variable
	case either(code.Property, code.Getter), either(code.Property, code.Setter), either(code.Getter, code.Setter):
		return p.compat.accessible(a, b)
	case either(code.Interface, code.TypeDef):
		return p.compat.openTypes && len(p.old.Members) > 0 && len(p.now.Members) > 0
	case group(a) == "value" && group(b) == "value":
		calls := func(s *code.Symbol) bool { return s.Kind == code.Function || len(s.Params) > 0 }
		return calls(p.old) == calls(p.now)
	}
	return false
}

// accessible reports whether users of one kind of data member can use the other. A getter
// alone does not replace a property that is written to.
func (h compatRules) accessible(a, b code.Kind) bool {
	return h.inferred && b != code.Setter && (a != code.Property || !h.attributes)
}

// body reports a changed body, unless the items from index from on already explain it.
func (d *differ) body(p pair, from int) {
	if p.old.BodyHash == "" || p.now.BodyHash == "" || p.old.BodyHash == p.now.BodyHash {
		d.unchanged(p)
		return
	}
	if !callable(p.now.Kind) && p.old.Value != "" && p.now.Value != "" {
		return // compared as values
	}
	told := slices.ContainsFunc(d.items[from:], func(i Item) bool { return i.Severity != Low })
	if told || !callable(p.now.Kind) && !carriesCode(p.now) {
		return
	}
	if !d.sameMeaning(p) {
		d.add("body-changed", p, change{old: p.old.BodyHash, now: p.now.BodyHash})
	}
}

// unchanged notes that a function has the same body and head as before: how its text is laid out is no change of what it does.
func (d *differ) unchanged(p pair) {
	if callable(p.now.Kind) && p.old.BodyHash != "" && p.old.BodyHash == p.now.BodyHash && p.old.SignatureHash == p.now.SignatureHash {
		d.same[p.name] = true
	}
}

// carriesCode reports whether a symbol that is not callable has a body: an accessor, or a
// constant or variable whose value is too long to show.
func carriesCode(s *code.Symbol) bool {
	switch s.Kind {
	case code.Getter, code.Setter:
		return true
	case code.Const, code.Variable, code.Property, code.EnumMember:
		return len(s.Members) == 0
	default:
		return false
	}
}

// documentation counts a changed doc comment as noise if no file digest does.
func (d *differ) documentation(p pair) {
	if !d.digests && !d.guess && p.old.Doc != p.now.Doc {
		d.noise[noiseComments]++
	}
}

// inside reports a change of something outside the interface: its signature, value or body,
// and those of its members.
func (d *differ) inside(p pair) {
	old, now := p.old, p.now
	differs := func(a, b string) bool { return a != "" && b != "" && a != b }
	switch {
	case differs(old.SignatureHash, now.SignatureHash) && !d.sameSignature(p):
		d.add("internal-changed", p, change{old: old.Signature, now: now.Signature, more: message.New(": its signature")})
	case callable(now.Kind) || carriesCode(now):
		d.insideBody(p)
	}
	m := matchMembers(old.Members, now.Members)
	for _, ij := range m.pairs {
		s := &now.Members[ij[1]]
		d.inside(pair{old: &old.Members[ij[0]], now: s, name: p.name + "." + s.Name, owner: now, owned: old, compat: p.compat, unexported: true})
	}
}

func (d *differ) insideBody(p pair) {
	old, now := p.old, p.now
	switch {
	case old.BodyHash != "" && old.BodyHash == now.BodyHash:
		d.unchanged(p)
	case callable(now.Kind):
		if old.BodyHash != now.BodyHash && !d.sameMeaning(p) {
			d.add("internal-changed", p, change{old: old.BodyHash, now: now.BodyHash, more: message.New(": its body")})
		}
	case now.Kind == code.Const && d.equalConstants(p):
	case squeeze(old.Value) != squeeze(now.Value):
		d.add("internal-changed", p, change{old: old.Value, now: now.Value, more: message.New(": its value")})
	case old.BodyHash != now.BodyHash:
		d.add("internal-changed", p, change{old: old.BodyHash, now: now.BodyHash, more: message.New(": its value")})
	}
}
