package drift

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// comparedWhole reports whether the other rules leave nothing of a signature: a type of TypeScript is what it stands for.
func comparedWhole(p pair) bool {
	return p.old.Kind == code.TypeDef && p.now.Kind == code.TypeDef && p.compat.unions && p.compat.openTypes
}

// rest compares what the other rules leave of a signature.
func (d *differ) rest(p pair) {
	from := len(d.items)
	p = d.throws(p)
	if len(d.items) > from && !becameFinal(p) || d.explained(p) && !becameFinal(p) {
		return
	}
	c := restVerdict(p)
	was, is := thisOf(p.old), thisOf(p.now)
	switch {
	case !p.compat.openTypes:
	case was != is:
		c.verdict = verdictIf(is != "") // callers need an object
	case d.sameParts(p), becameBase(p):
		c.verdict, c.severity = compatible, Low
	}
	if d.implementedByUsers(p) {
		c.verdict, c.severity = breaks, Medium
	}
	d.add("signature-changed", p, c)
}

// becameBase reports whether a class of TypeScript extends what it implemented, and nothing else changed of its head.
func becameBase(p pair) bool {
	was, is := split(p.old.Signature), split(p.now.Signature)
	i := slices.Index(was, "implements")
	if p.now.Kind != code.Class || i < 0 || slices.Contains(was, "extends") {
		return false
	}
	was[i] = "extends"
	return slices.Equal(was, is)
}

var thisParameter = lazyregexp.New(`^[^()]*\(\s*this\s*:`)

// thisOf returns the type of the object that a function of TypeScript must be called on; "" for none.
func thisOf(s *code.Symbol) string {
	at := thisParameter.FindStringIndex(s.Signature)
	if at == nil || !callable(s.Kind) {
		return ""
	}
	first := topLevel(s.Signature[at[1]:])[0]
	if end := closing("(" + first); end > 0 { // the only parameter
		first = first[:end-2]
	}
	return squeeze(first)
}

// sameParts reports whether functions of TypeScript differ in types alone that can be assigned to each other.
func (d *differ) sameParts(p pair) bool {
	shown := func(s *code.Symbol) bool { return callable(s.Kind) || group(s.Kind) == "data" }
	return shown(p.old) && shown(p.now) && d.sameSignature(p)
}
