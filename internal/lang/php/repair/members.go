package repair

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Modifiers are the keywords before a member or parameter. "(set)" after a visibility
// restricts it to write access (PHP 8.4).
var Modifiers = []string{"public", "protected", "private", "static", "abstract", "final", "readonly", "var"}

// ModifiersEnd returns the token after the modifiers that begin at i.
func (m *Rewriter) ModifiersEnd(i int) int {
	for m.Is(i, Modifiers...) {
		i++
		if m.IsSet(i) {
			i += len("(") + 1 + len(")")
		}
	}
	return i
}

// IsSet reports whether (set) begins at token i.
func (m *Rewriter) IsSet(i int) bool { return m.Is(i, "(") && m.Is(i+1, "set") && m.Is(i+2, ")") }

// member repairs the class member that begins at i.
func (m *Rewriter) member(i int, enum bool) {
	first := m.AfterAttributes(i)
	word := m.ModifiersEnd(first)
	switch {
	case m.Is(word, "const"):
		if enum {
			m.enumConstant(first, word)
		}
	case m.Is(word, "use"):
		m.adaptations(word)
	case m.Is(word, "case"):
		if enum && m.Is(word+2, "=") {
			m.enumValue(word + 2)
		}
	case m.Is(word, "function", "}"):
	case word > first:
		m.property(first, word)
	}
}

// enumConstant rewrites a constant of an enumeration as a case. The grammar accepts no
// other values there.
func (m *Rewriter) enumConstant(first, word int) {
	sign := word
	for sign < len(m.Tokens) && !m.Is(sign, "=", ";", "}", "(") {
		sign++
	}
	name := sign - 1
	if name <= word || !m.Is(sign, "=") || !m.write(first, name-1, "case") {
		return
	}
	for k := first; k < name; k++ {
		if !m.Is(k, "public", "const") {
			m.extra(k, m.TextOf(k))
		}
	}
	m.enumValue(sign)
}

// enumValue blanks the value after the sign = of a case if it is not a literal. The
// grammar accepts only literals there.
func (m *Rewriter) enumValue(sign int) {
	if (m.kind(sign+1) == String || m.kind(sign+1) == otherToken) && m.Is(sign+2, ";") {
		return
	}
	for k := sign; k < len(m.Tokens) && !m.Is(k, ";"); k++ {
		for last := max(k, m.Pair(k)); ; k++ {
			m.extra(k, m.TextOf(k))
			m.write(k, k, "")
			if k >= last {
				break
			}
		}
	}
}

// adaptations removes the backslashes from the names in use A, B { A\B::c as d; }.
func (m *Rewriter) adaptations(i int) {
	for ; i < len(m.Tokens) && !m.Is(i, ";", "}"); i++ {
		if !m.Is(i, "{") {
			continue
		}
		for ; i < len(m.Tokens) && !m.Is(i, "}"); i++ {
			if m.Is(i, `\`) {
				m.Text[m.Tokens[i].Start()] = '_'
			}
		}
		return
	}
}

// property removes what the grammar does not accept in a property: final, abstract, the
// visibility for writing, and hooks.
func (m *Rewriter) property(first, end int) {
	var kept, plain []string
	set := ""
	for k := first; k < end; k++ {
		text := strings.ToLower(m.TextOf(k))
		switch {
		case m.IsSet(k + 1):
			set = text
			m.extra(k, text+"(set)")
			k += 3
		case text == "final" || text == "abstract":
			m.extra(k, text)
		default:
			kept = append(kept, text)
			if text != "static" && text != "readonly" {
				plain = append(plain, text)
			}
		}
	}
	switch {
	case len(kept) == 0 && set == "":
		kept = []string{"var"}
	case len(plain) == 0 && set != "":
		kept = append([]string{set}, kept...)
	}
	m.setModifiers(first, end-1, strings.Join(kept, " "))
	m.findHooks(end, ";")
}

// setModifiers replaces the modifiers [first, last] with as, if they differ.
func (m *Rewriter) setModifiers(first, last int, as string) {
	if srctext.OneLine(strings.ToLower(string(m.Source[m.Tokens[first].Start():m.Tokens[last].End()]))) != as {
		m.write(first, last, as)
	}
}

// parameter reorders the modifiers of a promoted parameter as the grammar requires.
func (m *Rewriter) parameter(i int) {
	first := m.AfterAttributes(i)
	end := m.ModifiersEnd(first)
	if end == first {
		return
	}
	visibility, readonly, set := "", false, ""
	for k := first; k < end; k++ {
		text := strings.ToLower(m.TextOf(k))
		switch {
		case m.IsSet(k + 1):
			set = text
			k += 3
		case text == "readonly":
			readonly = true
		case text == "final":
		default:
			visibility = text
		}
	}
	if visibility == "" {
		visibility = set
	}
	m.promote(first, end-1, visibility, readonly)
	m.findHooks(end, "")
}

func (m *Rewriter) promote(first, last int, visibility string, readonly bool) {
	as := visibility
	switch {
	case readonly && visibility != "":
		as += " readonly"
	case readonly: // public is implied, but the grammar requires it
		as = "public"
	case visibility == "":
		m.extra(first, "final")
	}
	m.setModifiers(first, last, as)
}

// Hook is the list of hooks of a property, with its braces.
type Hook struct {
	Property    int    // offset of the property's name
	Open, Close int    // offsets of the braces
	as          string // replaces the hooks
	Abstract    bool
	Heads       string // the hooks without their bodies
	Block       syntax.Node
	Hash        string
}

// findHooks looks for the hooks of the property whose type or name begins at i. as
// replaces the opening brace.
func (m *Rewriter) findHooks(i int, as string) {
	name := i
	for m.kind(name) != variableToken {
		if name >= len(m.Tokens) || m.Is(name, ";", "{", "}", "=", ",") {
			return
		}
		name++
	}
	for k := name + 1; k < len(m.Tokens); k++ {
		switch {
		case m.Is(k, "{") && m.Pair(k) > k && m.isHook(k+1):
			h := Hook{Property: m.Tokens[name].Start(), Open: m.Tokens[k].Start(), Close: m.Tokens[m.Pair(k)].Start(), as: as}
			m.Hooks = append(m.Hooks, h)
			return
		case m.Is(k, ";", ",", ")", "]", "}"):
			return
		case m.Pair(k) > k:
			k = m.Pair(k)
		}
	}
}

// isHook reports whether a hook begins at i: get => …, set($value) {…}, get;.
func (m *Rewriter) isHook(i int) bool {
	i = m.hookWord(i)
	if !m.Is(i, "get", "set") {
		return false
	}
	i++
	if m.Is(i, "(") {
		return m.Pair(i) > i && m.Is(m.Pair(i)+1, "{", "=>", ";")
	}
	return m.Is(i, "{", "=>", ";")
}

// hookWord returns the token get or set of the hook that begins at i.
func (m *Rewriter) hookWord(i int) int {
	for i = m.AfterAttributes(i); m.Is(i, "final", "&"); {
		i++
	}
	return i
}

// HooksText returns the text with everything but the hooks blanked. Each hook is
// rewritten as a block of statements: get => x; as $et = x; and get {…} as {…}. Offsets
// are unchanged.
func (m *Rewriter) HooksText() []byte {
	const tag = "<?php"
	rest := 0
	for i := range m.Hooks {
		h := &m.Hooks[i]
		srctext.Blank(m.full[rest:h.Open])
		rest = h.Close + 1
		m.hookBodies(h)
	}
	srctext.Blank(m.full[rest:])
	copy(m.full, tag)
	return m.full
}

// hideHooks blanks the hooks in Text. m.full keeps them.
func (m *Rewriter) hideHooks() {
	if len(m.Hooks) == 0 {
		return
	}
	slices.SortFunc(m.Hooks, func(a, b Hook) int { return a.Open - b.Open })
	m.full = slices.Clone(m.Text)
	end := 0
	m.Hooks = slices.DeleteFunc(m.Hooks, func(h Hook) bool { // nested hooks are read with the outer ones
		inside := h.Open < end
		end = max(end, h.Close)
		return inside
	})
	for _, h := range m.Hooks {
		srctext.Blank(m.Text[h.Open : h.Close+1])
		copy(m.Text[h.Open:], h.as)
	}
}

// hookBodies rewrites the hooks in h as statements and collects their heads.
func (m *Rewriter) hookBodies(h *Hook) {
	k, _ := slices.BinarySearchFunc(m.Tokens, h.Open, func(t Token, at int) int { return t.Start() - at })
	end := m.Pair(k)
	var heads []string
	h.Abstract = true
	for k++; k < end; {
		word := m.hookWord(k)
		last := word
		if m.Is(word+1, "(") {
			last = max(word, m.Pair(word+1))
		}
		for ; k <= min(last, end-1); k++ {
			heads = append(heads, m.TextOf(k))
			m.writeIn(m.full, k, k, "")
		}
		switch {
		case m.Is(k, "=>"):
			h.Abstract = false
			name := m.Tokens[word]
			copy(m.full[name.Start():], m.Source[name.Start():name.End()])
			m.full[name.Start()] = '$'
			m.writeIn(m.full, k, k, "=")
			for k < end && !m.Is(k, ";") {
				k = max(k, m.Pair(k)) + 1
			}
		case m.Is(k, "{"):
			h.Abstract = false
			k = max(k, m.Pair(k))
		}
		k++
	}
	h.Heads = strings.Join(heads, " ")
}
