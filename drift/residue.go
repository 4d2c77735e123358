package drift

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// explained reports whether two signatures differ only in parts that were compared and found
// equivalent, such as Array<T> and T[], or in the form of declaration.
func (d *differ) explained(p pair) bool {
	if p.compat.exact {
		return true // every part of a Go declaration has a rule
	}
	gone, come := leftover(p)
	return len(gone)+len(come) == 0
}

// leftover returns the words of each signature that the other lacks, except those that have a
// rule of their own or no meaning in the language.
func leftover(p pair) (gone, come []string) {
	known := without(without(forms, p.compat.limits), p.compat.offers)
	if p.compat.name == "rust" && len(boundsOfSelf(p.old))+len(boundsOfSelf(p.now)) > 0 {
		known = append(known, "where", "Self")
	}
	if p.compat.name == "python" && p.now.Kind == code.Constructor {
		known = append(known, "-", "->", "None") // which every constructor gives
	}
	if sameFuture(p) {
		known = append(known, "impl", "Future", "Output", "-", "->", "(", ")", "<")
	}
	a, b := remainder(p.old), remainder(p.now)
	if p.compat.labels {
		a, b = unnamedInside(a), unnamedInside(b)
	}
	return without(without(a, b), known), without(without(b, a), known)
}

// unnamedInside drops the words before a colon. In Swift, whose labels and types are compared,
// they are the parameters' internal names.
func unnamedInside(words []string) []string {
	var out []string
	for i, w := range words {
		if i+1 == len(words) || words[i+1] != ":" {
			out = append(out, w)
		}
	}
	return out
}

// restVerdict judges a difference that no rule explains. It is compatible if it is limited to
// words that do not concern callers, removed restrictions or added offers.
func restVerdict(p pair) change {
	c := change{old: p.old.Signature, now: p.now.Signature}
	gone, come := leftover(p)
	lost := slices.ContainsFunc(gone, func(w string) bool { return slices.Contains(p.compat.offers, w) })
	bound := slices.ContainsFunc(come, func(w string) bool { return slices.Contains(p.compat.limits, w) })
	gone, come = without(without(gone, quiet), p.compat.limits), without(without(come, quiet), p.compat.offers)
	if !lost && !bound && len(gone)+len(come) == 0 {
		c.verdict, c.severity = compatible, Low
	}
	if p.compat.erased && becameFinal(p) {
		c.verdict, c.severity = breaks, ""
	}
	return c
}

var (
	// forms are keywords that other rules compare or that make no difference.
	forms = []string{
		"export", "default", "declare", "let", "var", "function", "const", "async", "type", "interface", "def", "fn", "pub",
		"public", "protected", "private", "internal", "abstract", "static", "readonly", "=", "=>", ">", ";", ",", "?", ":", "|",
	}
	// quiet are keywords that do not concern callers.
	quiet = []string{
		"final", "synchronized", "strictfp", "transient", "volatile", "native", "override", "inline", "virtual", "extern", "partial",
		"tailrec", "external", "lateinit", "lazy", "noexcept", "dynamic", "convenience", "indirect", "actual", "expect", "register",
	}
)

// remainder returns the words of a signature outside the parts that specific rules compare.
func remainder(s *code.Symbol) []string {
	parts := slices.Concat([]string{s.Name, s.Value, s.Returns}, s.TypeParameters, s.Bases, s.Decorators)
	for _, q := range s.Params {
		parts = append(parts, q.Type, q.Default, q.Name)
	}
	slices.SortFunc(parts, func(a, b string) int { return len(b) - len(a) })
	text := ownHead(s)
	if strings.Contains(text, "#[") || strings.Contains(text, "//") {
		text = annotations.ReplaceAllString(text, "")
	}
	for _, part := range parts {
		if part != "" {
			text = cutWord(text, part)
		}
	}
	return split(text)
}

// annotations are comments to the end of a line and attributes of Rust, which are compared on their own.
var annotations = lazyregexp.New(`(?m)//.*$|#\[[^\]]*\]`)

// ownHead returns a type's signature without the heads of extensions in its file. What
// extensions add, bases and members, is compared elsewhere.
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
