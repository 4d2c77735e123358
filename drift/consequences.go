package drift

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// consequences reports changes to Go users whose own declaration did not change: uses of an
// alias that now means another type, members gained or lost by embedding, and structs that are
// no longer comparable.
func (d *differ) consequences() {
	before := map[string]*code.Symbol{}
	for i := range d.base.Exports {
		s := &d.base.Exports[i]
		before[nameInFolder(s)] = s
	}
	changed := effects{d.changedAliases(), d.changedPackages()}
	for i := range d.now.Exports {
		s := &d.now.Exports[i]
		old, ok := before[nameInFolder(s)]
		h := d.compat(s)
		if !ok || !h.exact || d.guess {
			continue
		}
		p := pair{old: old, now: s, name: s.Name, compat: h}
		d.aliasEffects(p, changed)
		d.promoted(p)
		d.comparability(p)
	}
}

// changedAliases returns, by folder, the aliases that now mean another type.
func (d *differ) changedAliases() map[string][]string {
	out := map[string][]string{}
	for dir, list := range d.goNow.aliases {
		for name := range list {
			if _, before := d.goBase.aliases[dir][name]; !before {
				continue
			}
			s := &code.Symbol{File: dir + "/x.go"}
			if d.goBase.canon(s, name) != d.goNow.canon(s, name) {
				out[dir] = append(out[dir], name)
			}
		}
		slices.Sort(out[dir])
	}
	return out
}

// changedPackages returns the package names that now refer to other import paths.
func (d *differ) changedPackages() []string {
	var out []string
	for name, before := range d.goBase.imports {
		now := d.goNow.imports[name]
		if len(now) > 0 && len(without(before, now)) == len(before) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// aliasEffects looks for names that now mean something else, in symbols with equal signatures.
func (d *differ) aliasEffects(p pair, e effects) {
	aliases := e.aliases[path.Dir(p.now.File)]
	if len(aliases)+len(e.packages) == 0 || slices.Contains(aliases, p.now.Name) && p.owner == nil {
		return
	}
	if p.old.SignatureHash == p.now.SignatureHash && !p.now.Kind.HoldsMembers() {
		d.effect(p, aliases, e.packages)
	}
	for _, ij := range matchMembers(p.old.Members, p.now.Members).pairs {
		m := &p.now.Members[ij[1]]
		if exportedGo(m.Name) {
			q := pair{old: &p.old.Members[ij[0]], now: m, owner: p.now, name: p.name + "." + m.Name, compat: p.compat}
			d.aliasEffects(q, e)
		}
	}
	if p.owner == nil {
		d.reachedEffects(p, e)
	}
}

// reachedEffects does the same for the promoted fields of a type.
func (d *differ) reachedEffects(p pair, e effects) {
	is := d.goNow.reachOf(p.now)
	for name, was := range d.goBase.reachOf(p.old) {
		if now, ok := is[name]; ok && now.member.Kind == code.Property {
			at := *now.member
			at.StartLine = p.now.StartLine
			d.aliasEffects(pair{old: was.member, now: &at, owner: p.now, name: p.name + "." + name, compat: p.compat}, e)
		}
	}
}

// effect reports the first name in a signature that now means something else.
func (d *differ) effect(p pair, aliases, packages []string) {
	words := split(p.now.Signature)
	for i, word := range words {
		switch {
		case slices.Contains(aliases, word):
			s := &code.Symbol{File: p.now.File}
			d.add("alias-effect", p, change{what: word, old: d.goBase.canon(s, word), now: d.goNow.canon(s, word)})
			return
		case slices.Contains(packages, word) && i+1 < len(words) && words[i+1] == ".":
			d.add("alias-effect", p, change{
				what: word, old: strings.Join(d.goBase.imports[word], ", "), now: strings.Join(d.goNow.imports[word], ", "),
			})
			return
		}
	}
}

// effects are names that now mean something else.
type effects struct {
	aliases  map[string][]string // by folder
	packages []string
}

// comparability reports a struct that is no longer comparable with ==.
func (d *differ) comparability(p pair) {
	if p.old.Kind != code.Struct || p.now.Kind != code.Struct || d.goBase.incomparable(p.old, map[string]bool{}) != nil {
		return
	}
	if field := d.goNow.incomparable(p.now, map[string]bool{}); field != nil {
		d.add("comparability-lost", p, change{what: field.Name, now: field.Returns})
	}
}

// incomparable returns a field that makes a struct incomparable, as far as the types of its
// own folder show, or nil. Types in seen are not visited again.
func (g goTypes) incomparable(s *code.Symbol, seen map[string]bool) *code.Symbol {
	for i := range s.Members {
		f := &s.Members[i]
		if f.Kind != code.Property && f.Kind != code.Embedded {
			continue
		}
		text := f.Returns
		if text == "" {
			text = f.Name
		}
		if !g.comparable(s, g.read(text), seen) {
			return f
		}
	}
	return nil
}

// comparable reports whether values of type t, written in s's file, are comparable as far as
// is known.
func (g goTypes) comparable(s *code.Symbol, t code.Type, seen map[string]bool) bool {
	folder := path.Dir(s.File)
	if slices.Contains(typeNames(s.TypeParameters), t.Name) {
		return true
	}
	for range maxAliases {
		if to, ok := g.aliases[folder][t.Name]; ok && t.Form == code.NamedType {
			t = to
		}
	}
	switch t.Form {
	case code.ListType: // an array is comparable if its elements are
		return len(t.Args) > 1 && g.comparable(s, t.Args[0], seen)
	case code.MapType, code.FuncType:
		return false
	default:
	}
	key := id(folder, t.Text)
	under := g.symbols[key]
	if under == nil || seen[key] {
		return true
	}
	seen[key] = true
	switch under.Kind {
	case code.Struct:
		return g.incomparable(under, seen) == nil
	case code.TypeDef:
		return g.comparable(under, g.read(bodyOf(under)), seen)
	default:
		return true
	}
}
