package lang

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// phpModern shows the grammar, which is of 2024, what PHP 8.3 to 8.5 brought in
// words that it knows, byte for byte. What is then no longer seen is kept in
// extras, so that it counts in hashes.
type phpModern struct {
	source, text []byte
	tokens       []phpToken
	partner      []int32 // of a bracket: the index of the other one, or -1
	role         []byte  // of an opening bracket: one of the roles below
	open         []int   // the brackets around the token looked at
	extras       []phpExtra
	hooks        []phpHook
	full         []byte // text with its hooks
}

// The roles of brackets: what stands in them.
const (
	phpMembers    = 'c' // of a class, an interface or a trait
	phpEnumBody   = 'e'
	phpParameters = 'p'
	phpAnonymous  = 'a' // members of a class without a name
)

// phpExtra is meaning at an offset that the tree does not show.
type phpExtra struct {
	at   int
	text string
}

// repairPHP rewrites a text that the grammar could not read.
func repairPHP(t *syntax.Tree) []byte {
	m := modernPHP(t.Source)
	if bytes.Equal(m.text, t.Source) {
		m.maskHeredocs(t.Root())
	}
	if bytes.Equal(m.text, t.Source) {
		return nil
	}
	return m.text
}

// modernPHP rewrites a file. Rewriting it again changes nothing.
func modernPHP(source []byte) *phpModern {
	m := &phpModern{source: source, text: slices.Clone(source)}
	for _, mark := range conflictMarks(source) {
		blank(m.text[mark.start:mark.end])
	}
	m.tokens = phpTokens(m.text)
	m.halt()
	m.partner = m.partners()
	m.role = make([]byte, len(m.tokens))
	for i := range m.tokens {
		m.token(i)
	}
	m.hideHooks()
	return m
}

// is tells whether the token i is the given sign or word, whatever its case.
func (m *phpModern) is(i int, words ...string) bool {
	if i < 0 || i >= len(m.tokens) || m.tokens[i].kind == phpString {
		return false
	}
	t := m.tokens[i]
	for _, w := range words {
		if t.end()-t.start() == len(w) && strings.EqualFold(string(m.source[t.start():t.end()]), w) {
			return true
		}
	}
	return false
}

func (m *phpModern) kind(i int) phpKind {
	if i < 0 || i >= len(m.tokens) {
		return phpOther
	}
	return m.tokens[i].kind
}

func (m *phpModern) textOf(i int) string {
	return string(m.source[m.tokens[i].start():m.tokens[i].end()])
}

// write shows as in place of the tokens from one to another, both included, and
// tells whether it could: lines must stay where they are.
func (m *phpModern) write(from, to int, as string) bool { return m.writeIn(m.text, from, to, as) }

func (m *phpModern) writeIn(text []byte, from, to int, as string) bool {
	start, end := m.tokens[from].start(), m.tokens[to].end()
	line := bytes.IndexByte(text[start:end], '\n')
	if len(as) > end-start || line >= 0 && line < len(as) {
		return false
	}
	blank(text[start:end])
	copy(text[start:], as)
	return true
}

func (m *phpModern) extra(i int, text string) {
	m.extras = append(m.extras, phpExtra{m.tokens[i].start(), text})
}

// halt hides the data after __halt_compiler();.
func (m *phpModern) halt() {
	for i := range m.tokens {
		if m.is(i, "__halt_compiler") && m.is(i+1, "(") && m.is(i+2, ")") {
			end := m.tokens[i+2].end()
			if m.is(i+3, ";") {
				end = m.tokens[i+3].end()
			}
			m.extra(i, "data "+shortHash(m.source[end:]))
			blank(m.text[end:])
			m.tokens = slices.DeleteFunc(m.tokens, func(t phpToken) bool { return t.start() >= end })
			return
		}
	}
}

// partners pairs brackets. One that closes another than the last closes those
// inside it.
func (m *phpModern) partners() []int32 {
	out := make([]int32, len(m.tokens))
	var open []int
	waiting := map[string]int{}
	for i, t := range m.tokens {
		out[i] = -1
		if t.kind != phpSign {
			continue
		}
		text := m.textOf(i)
		if text == "#[" {
			text = "["
		}
		if c := closers[text]; c != "" {
			open = append(open, i)
			waiting[c]++
			continue
		}
		for closed := ""; waiting[text] > 0 && closed != text; open = open[:len(open)-1] {
			last := open[len(open)-1]
			closed = closers[strings.TrimPrefix(m.textOf(last), "#")]
			waiting[closed]--
			if closed == text {
				out[last], out[i] = int32(i), int32(last) //nolint:gosec // as offsets
			}
		}
	}
	return out
}

// around returns the bracket that the token looked at stands in, and its role.
func (m *phpModern) around() (bracket int, role byte) {
	if len(m.open) == 0 {
		return -1, 0
	}
	bracket = m.open[len(m.open)-1]
	return bracket, m.role[bracket]
}

// token looks at the token i, with all before it done.
func (m *phpModern) token(i int) {
	for len(m.open) > 0 && m.pair(m.open[len(m.open)-1]) == i {
		m.open = m.open[:len(m.open)-1]
		m.afterClass(i)
	}
	around, role := m.around()
	switch role {
	case phpMembers, phpEnumBody, phpAnonymous:
		if i-1 == around || m.is(i-1, ";", "}") {
			m.member(i, role == phpEnumBody)
		}
	case phpParameters:
		if i-1 == around || m.is(i-1, ",") {
			m.parameter(i)
		}
	}
	switch m.tokens[i].kind {
	case phpWord:
		m.keyword(i)
	case phpSign:
		m.sign(i)
	case phpString:
		m.heredoc(i)
	case phpVariable, phpOther:
	}
	if m.pair(i) > i {
		m.open = append(m.open, i)
	}
}

func (m *phpModern) sign(i int) {
	switch {
	case m.is(i, "|>"): // PHP 8.5
		m.write(i, i, "|")
		m.extra(i, "|>")
	case m.is(i, "(") && m.is(i+1, "void") && m.is(i+2, ")") && m.kind(i-1) != phpWord: // PHP 8.5
		m.write(i+1, i+1, "bool")
	case m.is(i, "#["):
		m.constantAttributes(i)
	case m.is(i, ",") && m.is(i+1, "}") && m.is(m.pair(i+1)-1, `\`): // use A\{B, C,}
		m.write(i, i, "")
	}
}

// keyword looks at a word that is no member of something.
func (m *phpModern) keyword(i int) {
	m.latin(i)
	if m.is(i-1, "->", "?->", "::", "const") {
		return
	}
	switch {
	case m.is(i+1, ":") && m.is(i-1, "(", ",") && !m.is(i+2, ":"):
		m.argumentName(i)
	case m.is(i, "class", "interface", "trait", "enum"):
		m.classLike(i)
	case m.is(i, "declare"):
		m.directives(i)
	case m.is(i, "function", "fn"):
		m.function(i)
	case m.is(i, "new"):
		m.newExpression(i)
	case m.is(i, "clone"):
		m.clone(i)
	}
}

// latin shows a name in an encoding other than UTF-8.
func (m *phpModern) latin(i int) {
	t := m.tokens[i]
	if utf8.Valid(m.source[t.start():t.end()]) {
		return
	}
	for at := t.start(); at < t.end(); at++ {
		if m.text[at] >= utf8.RuneSelf {
			m.text[at] = 'x'
		}
	}
}

// maxClassHead is how many tokens may stand between class and its body, brackets
// counted as one.
const maxClassHead = 256

// classLike marks the body of a class, an interface, a trait or an enumeration.
func (m *phpModern) classLike(i int) {
	role := byte(phpMembers)
	anonymous := m.is(i, "class") && m.isNew(i)
	switch {
	case anonymous:
		role = phpAnonymous
	case m.kind(i+1) != phpWord || m.is(i-1, "function", "&"):
		return
	case m.is(i, "enum"):
		role = phpEnumBody
	}
	for k := i + 1; k < min(len(m.tokens), i+maxClassHead); k++ {
		switch {
		case m.is(k, "{"):
			if m.role[k] == 0 {
				m.role[k] = role
			}
			return
		case m.is(k, ";", "}", "=", ")"):
			return
		case m.pair(k) > k:
			k = m.pair(k)
		}
	}
}

// isNew tells whether new stands before the word i; attributes and readonly may
// stand between.
func (m *phpModern) isNew(i int) bool {
	for i--; i >= 0; i-- {
		switch {
		case m.is(i, "new"):
			return true
		case m.is(i, "]") && m.pair(i) >= 0 && m.is(m.pair(i), "#["):
			i = m.pair(i)
		case !m.is(i, "readonly"):
			return false
		}
	}
	return false
}

// function marks the parameters of a function.
func (m *phpModern) function(i int) {
	k := i + 1
	if m.is(k, "&") {
		k++
	}
	if m.kind(k) == phpWord {
		k++
	}
	if m.is(k, "(") {
		m.role[k] = phpParameters
	}
}

// constantAttributes shows constants outside classes without the attributes that
// PHP 8.5 allows there.
func (m *phpModern) constantAttributes(i int) {
	if m.is(i-1, "]") {
		return
	}
	if _, role := m.around(); role == phpMembers || role == phpEnumBody || role == phpAnonymous {
		return
	}
	k := m.afterAttributes(i)
	if k == i || !m.is(k, "const") {
		return
	}
	if m.write(i, k, "const") {
		for a := i; a < k; a++ {
			m.extra(a, m.textOf(a))
		}
	}
}

// afterAttributes returns the token behind the attributes that begin at i.
func (m *phpModern) afterAttributes(i int) int {
	for m.is(i, "#[") && m.pair(i) > i {
		i = m.pair(i) + 1
	}
	return i
}

// argumentName shows a keyword that names an argument as another word: f(new: 1).
func (m *phpModern) argumentName(i int) {
	if around, _ := m.around(); m.is(around, "(") && m.is(i, phpReserved...) {
		m.text[m.tokens[i].start()] = '_'
	}
}

// phpReserved are the words that the grammar does not take for names.
var phpReserved = strings.Fields(`abstract and array as break callable case catch class clone const continue declare
	default do echo else elseif empty exit extends final finally fn for foreach function global goto if implements
	include include_once instanceof insteadof interface isset list match namespace new null or print private protected
	public readonly require require_once return static switch throw trait true false try unset use var while xor yield`)

// directives shows declare(ticks=1, strict_types=1) with the first alone.
func (m *phpModern) directives(i int) {
	if !m.is(i+1, "(") || m.pair(i+1) < 0 {
		return
	}
	end := m.pair(i + 1)
	for k := i + 2; k < end; k = max(k, m.pair(k)) + 1 {
		if m.is(k, ",") {
			for a := k; a < end; a++ {
				m.extra(a, m.textOf(a))
				m.write(a, a, "")
			}
			return
		}
	}
}

// pair returns the other bracket of the bracket i; -1 when it has none.
func (m *phpModern) pair(i int) int { return int(m.partner[i]) }
