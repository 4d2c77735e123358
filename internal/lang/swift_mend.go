package lang

import (
	"bytes"
	"strings"
)

// swiftMend rewrites a text token by token, each byte in its place, to what the
// grammar of 2024 reads. What it is shown in place of a token is a token again
// wherever that can be: its text is then the file's own.
type swiftMend struct {
	*swiftText
	out       []byte
	depth     int    // of interpolations
	chains    []bool // for each #if around, whether it stands in a chain of calls
	hideLater []span // tokens to hide once all are mended
	done      int    // the tokens before this one are shown as they will be
}

// mendSwift returns the text as the grammar is shown it.
func mendSwift(src []byte) []byte {
	out := mendTokens(src, 0)
	for _, mark := range conflictMarks(src) {
		blank(out[mark.start:mark.end])
	}
	return out
}

// maxInterpolations is how deep interpolations in interpolations are mended.
const maxInterpolations = 3

func mendTokens(src []byte, depth int) []byte {
	m := &swiftMend{swiftText: newSwiftText(src), out: bytes.Clone(src), depth: depth}
	for i := range m.tokens {
		if i >= m.done {
			m.mend(i)
		}
	}
	for _, s := range m.hideLater {
		m.hide(s.start, s.end)
	}
	return m.out
}

func (m *swiftMend) mend(i int) {
	switch m.tokens[i].kind {
	case swiftWord:
		m.mendWord(i)
	case swiftPound:
		m.macroUse(i)
	case swiftString:
		m.literal(i)
	case swiftRegex:
		m.regex(i)
	case swiftOperator:
		m.operator(i)
	case swiftMark:
		m.punctuation(i)
	case swiftNumber:
		m.number(i)
	case swiftDirective:
		m.directive(i)
	}
}

// show puts text in the place of token i, filled up with blanks.
func (m *swiftMend) show(i int, text string) {
	tok := m.tokens[i]
	copy(m.out[tok.start():tok.end()], text+strings.Repeat(" ", max(0, tok.end()-tok.start()-len(text))))
}

// hide blanks out the tokens from i to the one at to, included.
func (m *swiftMend) hide(i, to int) {
	blank(m.out[m.tokens[i].start():m.tokens[to].end()])
	m.done = max(m.done, to+1)
}

// paint overwrites the bytes between two offsets, lines kept.
func (m *swiftMend) paint(from, to int, with byte) {
	for i := from; i < to; i++ {
		if m.src[i] != '\n' && m.src[i] != '\r' {
			m.out[i] = with
		}
	}
}

// attribute shows the tokens from i to the one at to as an attribute: what may
// stand before any declaration and any type.
func (m *swiftMend) attribute(i, to int) {
	from, end := m.tokens[i].start(), m.tokens[to].end()
	m.out[from] = '@'
	for at := from + 1; at < end; at++ {
		if !nameByte(m.src[at]) {
			m.out[at] = '_'
		}
	}
}

// literal hides what is in a raw string when it would look like the string's end.
func (m *swiftMend) literal(i int) {
	tok := m.tokens[i]
	text := m.src[tok.start():tok.end()]
	pounds := len(text) - len(bytes.TrimLeft(text, "#"))
	for _, inside := range swiftInterpolations(m.src, tok.start()) {
		if m.depth < maxInterpolations {
			copy(m.out[inside.start:inside.end], mendTokens(m.src[inside.start:inside.end], m.depth+1))
		}
	}
	for at := tok.start() + 1; at+1 < tok.end(); at++ {
		if m.src[at] == '/' && m.src[at+1] == '*' {
			m.out[at] = '_' // no comment begins in a string
		}
	}
	if pounds == 0 {
		return
	}
	from, to := tok.start()+pounds+1, tok.end()-pounds-1
	if bytes.HasPrefix(text[pounds:], []byte(`"""`)) && from+4 <= to {
		from, to = from+2, to-2
	}
	if from >= to || bytes.Contains(text, []byte(`\`+strings.Repeat("#", pounds)+"(")) {
		return
	}
	if bytes.ContainsAny(m.src[from:to], `"#\`) {
		m.paint(from, to, '_')
	}
}

// regex shows a regular expression as a string.
func (m *swiftMend) regex(i int) {
	tok := m.tokens[i]
	m.paint(tok.start(), tok.end(), '_')
	m.out[tok.start()], m.out[tok.end()-1] = '"', '"'
}

// swiftPounds are the words behind # that the grammar knows.
var swiftPounds = setOf(
	"#file", "#fileID", "#filePath", "#line", "#column", "#function", "#dsohandle", "#selector", "#keyPath", "#available", "#unavailable",
	"#colorLiteral", "#fileLiteral", "#imageLiteral", "#externalMacro", "#error", "#warning", "#sourceLocation",
)

// macroUse shows the use of a macro as a call of _name. Among the members of a
// type, where no call can stand, it is hidden.
func (m *swiftMend) macroUse(i int) {
	tok := m.tokens[i]
	if swiftPounds[m.text(i)] {
		return
	}
	for at := tok.start(); at < tok.end(); at++ {
		if m.src[at] < 0x80 && !nameByte(m.src[at]) {
			m.out[at] = '_'
		}
	}
	if !m.inType(i) || m.head(i) != "" {
		return
	}
	last := i
	for last+1 < len(m.tokens) {
		next := m.mark(last + 1)
		if next != '(' && next != '{' || m.match(last+1) < 0 {
			break
		}
		last = m.match(last + 1)
	}
	m.hide(i, last)
}

// directive hides the lines of a condition but the first; and all of it between
// the calls of a chain, which goes on behind it.
func (m *swiftMend) directive(i int) {
	tok := m.tokens[i]
	text := m.src[tok.start():tok.end()]
	last := len(m.chains) - 1
	switch {
	case bytes.HasPrefix(text, []byte("#if")):
		m.chains = append(m.chains, m.mark(i+1) == '.')
		last++
	case last < 0:
		return
	case bytes.HasPrefix(text, []byte("#endif")):
		defer func() { m.chains = m.chains[:last] }()
	}
	if m.chains[last] {
		m.hide(i, i)
	} else if end := bytes.IndexByte(text, '\n'); end >= 0 {
		blank(m.out[tok.start()+end : tok.end()])
	}
}

// number shows the numbers among type arguments as names.
func (m *swiftMend) number(i int) {
	tok := m.tokens[i]
	next := m.text(i + 1)
	switch {
	case m.word(i+1) == "of" && m.mark(i-1) == '[': // [3 of Int]
		m.hide(i, i+1)
	case (next == "," || strings.HasPrefix(next, ">")) && m.generic(i):
		m.paint(tok.start(), tok.end(), 'N')
	}
}

// maxGeneric is how many tokens of a list of types are looked through for its
// begin.
const maxGeneric = 48

// generic tells whether token i stands in angle brackets that follow a name.
func (m *swiftMend) generic(i int) bool {
	depth := 0
	for k := i - 1; k > 0 && k > i-maxGeneric; k-- {
		if m.frame(k) != m.frame(i) {
			continue
		}
		switch text := m.text(k); {
		case text == "<":
			if depth == 0 {
				return m.word(k-1) != "" && !m.tokens[k].spaced
			}
			depth--
		case m.tokens[k].kind == swiftOperator && strings.Trim(text, ">?!") == "":
			depth += strings.Count(text, ">")
		case text == "{" || text == "}" || text == ";" || text == "=":
			return false
		}
	}
	return false
}
