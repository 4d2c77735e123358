package drift

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// explained tells whether two signatures differ only in parts that were
// compared and found alike, as Array<T> and T[] are, or in the form of the
// declaration.
func (d *differ) explained(p pair) bool {
	if p.habits.exact {
		return true // every part of a Go declaration has its rule
	}
	gone, come := leftover(p)
	return len(gone)+len(come) == 0
}

// leftover returns the words of either signature that the other lacks, without
// those that have a rule of their own or mean nothing in the language.
func leftover(p pair) (gone, come []string) {
	known := without(without(forms, p.habits.limits), p.habits.offers)
	a, b := remainder(p.old), remainder(p.now)
	if p.habits.labels {
		a, b = unnamedInside(a), unnamedInside(b)
	}
	return without(without(a, b), known), without(without(b, a), known)
}

// unnamedInside leaves out the words before a colon: what is left of Swift's
// parameters, whose labels and types are compared, is the name inside.
func unnamedInside(words []string) []string {
	var out []string
	for i, w := range words {
		if i+1 == len(words) || words[i+1] != ":" {
			out = append(out, w)
		}
	}
	return out
}

// restVerdict judges a difference that no rule explains: harmless when it lies
// in words that do not concern callers, in limits that fell or in offers that
// came.
func restVerdict(p pair) change {
	c := change{old: p.old.Signature, now: p.now.Signature}
	gone, come := leftover(p)
	lost := slices.ContainsFunc(gone, func(w string) bool { return slices.Contains(p.habits.offers, w) })
	bound := slices.ContainsFunc(come, func(w string) bool { return slices.Contains(p.habits.limits, w) })
	gone, come = without(without(gone, quiet), p.habits.limits), without(without(come, quiet), p.habits.offers)
	if !lost && !bound && len(gone)+len(come) == 0 {
		c.verdict, c.severity = harmless, Low
	}
	return c
}

var (
	// forms are words of a declaration that other rules compare, or that make
	// no difference.
	forms = []string{
		"export", "default", "declare", "let", "var", "function", "const", "async", "type", "interface", "def", "fn", "pub",
		"public", "protected", "private", "internal", "abstract", "static", "readonly", "=", "=>", ">", ";", ",", "?", ":", "|",
	}
	// quiet are words that say nothing to callers.
	quiet = []string{
		"final", "synchronized", "strictfp", "transient", "volatile", "native", "override", "inline", "virtual", "extern", "partial",
		"tailrec", "external", "lateinit", "lazy", "noexcept", "dynamic", "convenience", "indirect", "actual", "expect", "register",
	}
)

// remainder returns the words of a signature that are in no part which precise
// rules compare.
func remainder(s *code.Symbol) []string {
	parts := slices.Concat([]string{s.Name, s.Value, s.Returns}, s.TypeParameters, s.Bases, s.Decorators)
	for _, q := range s.Params {
		parts = append(parts, q.Type, q.Default, q.Name)
	}
	slices.SortFunc(parts, func(a, b string) int { return len(b) - len(a) })
	text := ownHead(s)
	for _, part := range parts {
		if part != "" {
			text = cutWord(text, part)
		}
	}
	return split(text)
}

// ownHead is a type's signature without the heads of extensions in its file: what
// they add are bases and members, and these are compared.
func ownHead(s *code.Symbol) string {
	if group(s.Kind) != "type" || !strings.Contains(s.Signature, "extension ") {
		return s.Signature
	}
	var b strings.Builder
	for row := range strings.Lines(s.Signature) {
		if b.Len() > 0 && row[0] != ' ' && strings.Contains(row, "extension ") {
			break
		}
		b.WriteString(row)
	}
	return b.String()
}

// cutWord removes the first occurrence of part that is not inside a word.
func cutWord(text, part string) string {
	for from := 0; ; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return text
		}
		i += from
		end := i + len(part)
		inWord := i > 0 && wordByte(text[i-1]) && wordByte(part[0]) ||
			end < len(text) && wordByte(text[end]) && wordByte(part[len(part)-1])
		if !inWord {
			return text[:i] + " " + text[end:]
		}
		from = i + 1
	}
}
