// Package repair rewrites Swift that is newer than the grammar or that it misreads,
// without moving a line.
package repair

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// swiftMend rewrites a text token by token, each byte in its place, to what the
// grammar of 2024 reads. What it is shown in place of a token is a token again
// wherever that can be: its text is then the file's own.
type swiftMend struct {
	*SourceText
	out       []byte
	depth     int         // of interpolations
	chains    []bool      // for each #if around, whether it stands in a chain of calls
	hideLater []core.Span // tokens to hide once all are mended
	done      int         // the tokens before this one are shown as they will be
}

// Rewrite returns the text as the grammar is shown it.
func Rewrite(src []byte) []byte {
	out := mendTokens(src, 0)
	for _, mark := range core.ConflictMarks(src) {
		core.Blank(out[mark.Start:mark.End])
	}
	return out
}

// maxInterpolations is how deep interpolations in interpolations are mended.
const maxInterpolations = 3

func mendTokens(src []byte, depth int) []byte {
	m := &swiftMend{SourceText: NewSourceText(src), out: bytes.Clone(src), depth: depth}
	for i := range m.Tokens {
		if i >= m.done {
			m.mend(i)
		}
	}
	for _, s := range m.hideLater {
		m.hide(s.Start, s.End)
	}
	return m.out
}

func (m *swiftMend) mend(i int) {
	switch m.Tokens[i].Kind {
	case Word:
		m.mendWord(i)
	case swiftPound:
		m.macroUse(i)
	case swiftString:
		m.literal(i)
	case swiftRegex:
		m.regex(i)
	case Operator:
		m.operator(i)
	case Mark:
		m.punctuation(i)
	case swiftNumber:
		m.number(i)
	case Directive:
		m.directive(i)
	}
}

// show puts text in the place of token i, filled up with blanks.
func (m *swiftMend) show(i int, text string) {
	tok := m.Tokens[i]
	copy(m.out[tok.Start():tok.End()], text+strings.Repeat(" ", max(0, tok.End()-tok.Start()-len(text))))
}

// hide blanks out the tokens from i to the one at to, included.
func (m *swiftMend) hide(i, to int) {
	core.Blank(m.out[m.Tokens[i].Start():m.Tokens[to].End()])
	m.done = max(m.done, to+1)
}

// paint overwrites the bytes between two offsets, lines kept.
func (m *swiftMend) paint(from, to int, with byte) {
	for i := from; i < to; i++ {
		if m.Src[i] != '\n' && m.Src[i] != '\r' {
			m.out[i] = with
		}
	}
}

// attribute shows the tokens from i to the one at to as an attribute: what may
// stand before any declaration and any type.
func (m *swiftMend) attribute(i, to int) {
	from, end := m.Tokens[i].Start(), m.Tokens[to].End()
	m.out[from] = '@'
	for at := from + 1; at < end; at++ {
		if !core.NameByte(m.Src[at]) {
			m.out[at] = '_'
		}
	}
}

// literal hides what is in a raw string when it would look like the string's end.
func (m *swiftMend) literal(i int) {
	tok := m.Tokens[i]
	text := m.Src[tok.Start():tok.End()]
	pounds := len(text) - len(bytes.TrimLeft(text, "#"))
	for _, inside := range swiftInterpolations(m.Src, tok.Start()) {
		if m.depth < maxInterpolations {
			copy(m.out[inside.Start:inside.End], mendTokens(m.Src[inside.Start:inside.End], m.depth+1))
		}
	}
	for at := tok.Start() + 1; at+1 < tok.End(); at++ {
		if m.Src[at] == '/' && m.Src[at+1] == '*' {
			m.out[at] = '_' // no comment begins in a string
		}
	}
	if pounds == 0 {
		return
	}
	from, to := tok.Start()+pounds+1, tok.End()-pounds-1
	if bytes.HasPrefix(text[pounds:], []byte(`"""`)) && from+4 <= to {
		from, to = from+2, to-2
	}
	if from >= to || bytes.Contains(text, []byte(`\`+strings.Repeat("#", pounds)+"(")) {
		return
	}
	if bytes.ContainsAny(m.Src[from:to], `"#\`) {
		m.paint(from, to, '_')
	}
}

// regex shows a regular expression as a string.
func (m *swiftMend) regex(i int) {
	tok := m.Tokens[i]
	m.paint(tok.Start(), tok.End(), '_')
	m.out[tok.Start()], m.out[tok.End()-1] = '"', '"'
}

// swiftPounds are the words behind # that the grammar knows.
var swiftPounds = core.SetOf(
	"#file", "#fileID", "#filePath", "#line", "#column", "#function", "#dsohandle", "#selector", "#keyPath", "#available", "#unavailable",
	"#colorLiteral", "#fileLiteral", "#imageLiteral", "#externalMacro", "#error", "#warning", "#sourceLocation",
)

// macroUse shows the use of a macro as a call of _name. Among the members of a
// type, where no call can stand, it is hidden.
func (m *swiftMend) macroUse(i int) {
	tok := m.Tokens[i]
	if swiftPounds[m.Text(i)] {
		return
	}
	for at := tok.Start(); at < tok.End(); at++ {
		if m.Src[at] < 0x80 && !core.NameByte(m.Src[at]) {
			m.out[at] = '_'
		}
	}
	if !m.inType(i) || m.head(i) != "" {
		return
	}
	last := i
	for last+1 < len(m.Tokens) {
		next := m.Mark(last + 1)
		if next != '(' && next != '{' || m.Match(last+1) < 0 {
			break
		}
		last = m.Match(last + 1)
	}
	m.hide(i, last)
}

// directive hides the lines of a condition but the first; and all of it between
// the calls of a chain, which goes on behind it.
func (m *swiftMend) directive(i int) {
	tok := m.Tokens[i]
	text := m.Src[tok.Start():tok.End()]
	last := len(m.chains) - 1
	switch {
	case bytes.HasPrefix(text, []byte("#if")):
		m.chains = append(m.chains, m.Mark(i+1) == '.')
		last++
	case last < 0:
		return
	case bytes.HasPrefix(text, []byte("#endif")):
		defer func() { m.chains = m.chains[:last] }()
	}
	if m.chains[last] {
		m.hide(i, i)
	} else if end := bytes.IndexByte(text, '\n'); end >= 0 {
		core.Blank(m.out[tok.Start()+end : tok.End()])
	}
}

// number shows the numbers among type arguments as names.
func (m *swiftMend) number(i int) {
	tok := m.Tokens[i]
	next := m.Text(i + 1)
	switch {
	case m.Word(i+1) == "of" && m.Mark(i-1) == '[': // [3 of Int]
		m.hide(i, i+1)
	case (next == "," || strings.HasPrefix(next, ">")) && m.generic(i):
		m.paint(tok.Start(), tok.End(), 'N')
	}
}

// maxGeneric is how many tokens of a list of types are looked through for its
// begin.
const maxGeneric = 48

// generic tells whether token i stands in angle brackets that follow a name.
func (m *swiftMend) generic(i int) bool {
	depth := 0
	for k := i - 1; k > 0 && k > i-maxGeneric; k-- {
		if m.Frame(k) != m.Frame(i) {
			continue
		}
		switch text := m.Text(k); {
		case text == "<":
			if depth == 0 {
				return m.Word(k-1) != "" && !m.Tokens[k].Spaced
			}
			depth--
		case m.Tokens[k].Kind == Operator && strings.Trim(text, ">?!") == "":
			depth += strings.Count(text, ">")
		case text == "{" || text == "}" || text == ";" || text == "=":
			return false
		}
	}
	return false
}
