package lang

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// phpModifiers are the words before a member or a parameter that say how it may
// be used. "(set)" behind a visibility makes it that of writing (PHP 8.4).
var phpModifiers = []string{"public", "protected", "private", "static", "abstract", "final", "readonly", "var"}

// modifiersEnd returns the token behind the modifiers that begin at i.
func (m *phpModern) modifiersEnd(i int) int {
	for m.is(i, phpModifiers...) {
		i++
		if m.isSet(i) {
			i += len("(") + 1 + len(")")
		}
	}
	return i
}

// isSet tells whether (set) follows at i.
func (m *phpModern) isSet(i int) bool { return m.is(i, "(") && m.is(i+1, "set") && m.is(i+2, ")") }

// member looks at the member of a class that begins at i.
func (m *phpModern) member(i int, enum bool) {
	first := m.afterAttributes(i)
	word := m.modifiersEnd(first)
	switch {
	case m.is(word, "const"):
		if enum {
			m.enumConstant(first, word)
		}
	case m.is(word, "use"):
		m.adaptations(word)
	case m.is(word, "case"):
		if enum && m.is(word+2, "=") {
			m.enumValue(word + 2)
		}
	case m.is(word, "function", "}"):
	case word > first:
		m.property(first, word)
	}
}

// enumConstant shows a constant of an enumeration as a case of it, since the
// grammar knows no other values there.
func (m *phpModern) enumConstant(first, word int) {
	sign := word
	for sign < len(m.tokens) && !m.is(sign, "=", ";", "}", "(") {
		sign++
	}
	name := sign - 1
	if name <= word || !m.is(sign, "=") || !m.write(first, name-1, "case") {
		return
	}
	for k := first; k < name; k++ {
		if !m.is(k, "public", "const") {
			m.extra(k, m.textOf(k))
		}
	}
	m.enumValue(sign)
}

// enumValue hides the value behind the sign = of a case when it is more than a
// literal, which the grammar does not know there.
func (m *phpModern) enumValue(sign int) {
	if (m.kind(sign+1) == phpString || m.kind(sign+1) == phpOther) && m.is(sign+2, ";") {
		return
	}
	for k := sign; k < len(m.tokens) && !m.is(k, ";"); k++ {
		for last := max(k, m.pair(k)); ; k++ {
			m.extra(k, m.textOf(k))
			m.write(k, k, "")
			if k >= last {
				break
			}
		}
	}
}

// adaptations shows the names in use A, B { A\B::c as d; } without backslashes.
func (m *phpModern) adaptations(i int) {
	for ; i < len(m.tokens) && !m.is(i, ";", "}"); i++ {
		if !m.is(i, "{") {
			continue
		}
		for ; i < len(m.tokens) && !m.is(i, "}"); i++ {
			if m.is(i, `\`) {
				m.text[m.tokens[i].start()] = '_'
			}
		}
		return
	}
}

// property hides of a property what the grammar does not know: final, abstract,
// the visibility of writing, and hooks.
func (m *phpModern) property(first, end int) {
	var kept, plain []string
	set := ""
	for k := first; k < end; k++ {
		text := strings.ToLower(m.textOf(k))
		switch {
		case m.isSet(k + 1):
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
	m.showModifiers(first, end-1, strings.Join(kept, " "))
	m.findHooks(end, ";")
}

// showModifiers shows the modifiers from one token to another in other words.
func (m *phpModern) showModifiers(first, last int, as string) {
	if words(strings.ToLower(string(m.source[m.tokens[first].start():m.tokens[last].end()]))) != as {
		m.write(first, last, as)
	}
}

// parameter shows the modifiers of a promoted parameter in the order that the
// grammar knows.
func (m *phpModern) parameter(i int) {
	first := m.afterAttributes(i)
	end := m.modifiersEnd(first)
	if end == first {
		return
	}
	visibility, readonly, set := "", false, ""
	for k := first; k < end; k++ {
		text := strings.ToLower(m.textOf(k))
		switch {
		case m.isSet(k + 1):
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

func (m *phpModern) promote(first, last int, visibility string, readonly bool) {
	as := visibility
	switch {
	case readonly && visibility != "":
		as += " readonly"
	case readonly: // public is understood, but for the grammar
		as = "public"
	case visibility == "":
		m.extra(first, "final")
	}
	m.showModifiers(first, last, as)
}

// phpHook is the list of hooks of a property, in its braces.
type phpHook struct {
	property    int    // offset of the property's name
	open, close int    // offsets of the braces
	as          string // shown in place of the hooks
	abstract    bool
	heads       string // the hooks without their bodies
	block       syntax.Node
	hash        string
}

// findHooks looks for the hooks of the property whose type or name follows at i,
// to show as in place of the opening brace.
func (m *phpModern) findHooks(i int, as string) {
	name := i
	for m.kind(name) != phpVariable {
		if name >= len(m.tokens) || m.is(name, ";", "{", "}", "=", ",") {
			return
		}
		name++
	}
	for k := name + 1; k < len(m.tokens); k++ {
		switch {
		case m.is(k, "{") && m.pair(k) > k && m.isHook(k+1):
			h := phpHook{property: m.tokens[name].start(), open: m.tokens[k].start(), close: m.tokens[m.pair(k)].start(), as: as}
			m.hooks = append(m.hooks, h)
			return
		case m.is(k, ";", ",", ")", "]", "}"):
			return
		case m.pair(k) > k:
			k = m.pair(k)
		}
	}
}

// isHook tells whether a hook begins at i: get => …, set($value) {…}, get;.
func (m *phpModern) isHook(i int) bool {
	i = m.hookWord(i)
	if !m.is(i, "get", "set") {
		return false
	}
	i++
	if m.is(i, "(") {
		return m.pair(i) > i && m.is(m.pair(i)+1, "{", "=>", ";")
	}
	return m.is(i, "{", "=>", ";")
}

// hookWord returns the token get or set of the hook that begins at i.
func (m *phpModern) hookWord(i int) int {
	for i = m.afterAttributes(i); m.is(i, "final", "&"); {
		i++
	}
	return i
}

// hooksText returns the text in which only hooks are left, each as a block of
// statements: get => x; as $et = x;, get {…} as {…}. The offsets are the file's.
func (m *phpModern) hooksText() []byte {
	const tag = "<?php"
	rest := 0
	for i := range m.hooks {
		h := &m.hooks[i]
		blank(m.full[rest:h.open])
		rest = h.close + 1
		m.hookBodies(h)
	}
	blank(m.full[rest:])
	copy(m.full, tag)
	return m.full
}

// hideHooks takes the hooks out of the text; full keeps them.
func (m *phpModern) hideHooks() {
	if len(m.hooks) == 0 {
		return
	}
	slices.SortFunc(m.hooks, func(a, b phpHook) int { return a.open - b.open })
	m.full = slices.Clone(m.text)
	end := 0
	m.hooks = slices.DeleteFunc(m.hooks, func(h phpHook) bool { // hooks in hooks are read with those
		inside := h.open < end
		end = max(end, h.close)
		return inside
	})
	for _, h := range m.hooks {
		blank(m.text[h.open : h.close+1])
		copy(m.text[h.open:], h.as)
	}
}

// hookBodies shows the hooks in h as statements and takes their heads.
func (m *phpModern) hookBodies(h *phpHook) {
	k, _ := slices.BinarySearchFunc(m.tokens, h.open, func(t phpToken, at int) int { return t.start() - at })
	end := m.pair(k)
	var heads []string
	h.abstract = true
	for k++; k < end; {
		word := m.hookWord(k)
		last := word
		if m.is(word+1, "(") {
			last = max(word, m.pair(word+1))
		}
		for ; k <= min(last, end-1); k++ {
			heads = append(heads, m.textOf(k))
			m.writeIn(m.full, k, k, "")
		}
		switch {
		case m.is(k, "=>"):
			h.abstract = false
			name := m.tokens[word]
			copy(m.full[name.start():], m.source[name.start():name.end()])
			m.full[name.start()] = '$'
			m.writeIn(m.full, k, k, "=")
			for k < end && !m.is(k, ";") {
				k = max(k, m.pair(k)) + 1
			}
		case m.is(k, "{"):
			h.abstract = false
			k = max(k, m.pair(k))
		}
		k++
	}
	h.heads = strings.Join(heads, " ")
}
