package drift

import (
	"slices"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// moved reports a symbol that moved to another file. A move within one import unit is not
// reported.
func (d *differ) moved(p pair) {
	from, to := p.old.File, p.now.File
	if from == "" || to == "" || from == to || p.compat.exact {
		return
	}
	c := change{old: from, now: to, verdict: compatible}
	if !p.compat.samePlace(from, to) {
		c.verdict, c.severity = breaks, Low
		if d.passedOn(p.old.Name, to) {
			c.verdict = compatible
		}
		if d.reexported(p.now) {
			c.verdict, c.more = compatible, message.New(", still re-exported by another file")
		}
	}
	d.add("file-moved", p, c)
}

// passedOn reports whether a file offered a name of another one before.
func (d *differ) passedOn(name, file string) bool {
	return slices.ContainsFunc(d.base.Imports, func(i code.Import) bool {
		return i.Reexport && i.File == file && slices.Contains(i.Named, name)
	})
}

// access reports an export whose access was restricted to its own module or widened, as with
// internal in C#, Kotlin and Swift.
func (d *differ) access(p pair) {
	was, is := p.old.Visibility, p.now.Visibility
	c := change{old: p.old.Signature, now: p.now.Signature}
	switch {
	case p.compat.exact || was == "" || is == "" || d.guess:
	case rank(is) < rank(was):
		d.add("visibility-reduced", p, c)
	case rank(is) > rank(was):
		d.add("visibility-widened", p, c)
	}
}

// reexported reports whether a file re-exports the symbol.
func (d *differ) reexported(s *code.Symbol) bool {
	return slices.ContainsFunc(d.now.Imports, func(i code.Import) bool {
		return i.Reexport && (slices.Contains(i.Named, s.Name) || slices.Contains(i.Named, "*"))
	})
}

// renames finds removed exports that continue under another name: symbols of the same kind
// with a body or a signature that is unique on both sides. It maps indexes of before to
// indexes of now.
func (d *differ) renames(before, now []code.Symbol, m matching) map[int]int {
	out := map[int]int{}
	if d.guess {
		return out
	}
	taken := map[int]bool{}
	for _, print := range []func(s *code.Symbol) string{bodyPrint, signaturePrint} {
		olds, news := prints(before, m.removed, print), prints(now, m.added, print)
		for text, i := range olds {
			j, ok := news[text]
			if !ok || i < 0 || j < 0 || taken[j] {
				continue
			}
			if _, done := out[i]; done || !d.renamable(&before[i], &now[j]) {
				continue
			}
			out[i], taken[j] = j, true
		}
	}
	return out
}

// prints maps fingerprints that do not include the name to indexes; -1 if several symbols
// share one. Unchanged symbols count, too, so that a shared fingerprint identifies nothing.
func prints(list []code.Symbol, of []int, print func(s *code.Symbol) string) map[string]int {
	out, open := map[string]int{}, map[int]bool{}
	for _, i := range of {
		open[i] = true
	}
	for i := range list {
		text := print(&list[i])
		if text == "" {
			continue
		}
		if _, again := out[text]; again {
			out[text] = -1
			continue
		}
		out[text] = -1
		if open[i] {
			out[text] = i
		}
	}
	return out
}

// minBody is the number of lines from which a body is distinctive.
const minBody = 3

// bodyPrint returns a fingerprint of a symbol's body, or "" for a trivial body.
func bodyPrint(s *code.Symbol) string {
	if s.EndLine-s.StartLine+1 < minBody {
		return ""
	}
	if len(s.Members) > 0 {
		return id(string(s.Kind), s.Constraint, nameless(digestOf(s.Members), s.Name))
	}
	if s.BodyHash == "" {
		return ""
	}
	return id(string(s.Kind), s.Constraint, s.BodyHash)
}

// minSignature is the length from which a signature without its name is distinctive.
const minSignature = 24

// signaturePrint returns a fingerprint of a symbol's signature without its name.
func signaturePrint(s *code.Symbol) string {
	text := nameless(squeeze(s.Signature), s.Name)
	if len(text) < minSignature || !callable(s.Kind) && s.Kind != code.TypeDef {
		return ""
	}
	return id(string(s.Kind), s.Constraint, text)
}

// nameless removes a symbol's own name from a text.
func nameless(text, name string) string {
	parts := split(text)
	for i := range parts {
		if parts[i] == name {
			parts[i] = "·"
		}
	}
	return strings.Join(parts, " ")
}

// renamable reports whether a may have been renamed to b: both are in the same import unit
// and, unless their bodies are equal, their names share a word.
func (d *differ) renamable(a, b *code.Symbol) bool {
	if !d.compat(b).samePlace(a.File, b.File) {
		return false
	}
	if a.BodyHash != "" && a.BodyHash == b.BodyHash {
		return true
	}
	if len(a.Members) > 0 || len(b.Members) > 0 {
		return true // matched by equal members
	}
	if a.BodyHash != "" && b.BodyHash != "" {
		return false
	}
	words := wordsOf(a.Name)
	return slices.ContainsFunc(wordsOf(b.Name), func(w string) bool { return len(w) > 2 && slices.Contains(words, w) })
}

// wordsOf splits a name at underscores and capitals and lowers its case.
func wordsOf(name string) []string {
	var out []string
	from := 0
	runes := []rune(name)
	cut := func(to int) {
		if to > from {
			out = append(out, strings.ToLower(string(runes[from:to])))
		}
		from = to
	}
	for i, r := range runes {
		switch {
		case r == '_' || r == '-':
			cut(i)
			from = i + 1
		case unicode.IsUpper(r) && i > 0 && !unicode.IsUpper(runes[i-1]):
			cut(i)
		}
	}
	cut(len(runes))
	return out
}
