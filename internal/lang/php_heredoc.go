package lang

import (
	"bytes"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// heredoc shows the dot behind a closing label as a comma where lists are: the
// grammar wants a semicolon, a comma or a bracket there.
func (m *phpModern) heredoc(i int) {
	b, _ := m.around()
	list := m.is(b, "[") || m.is(b, "(") && m.kind(b-1) == phpWord
	if !list || !m.is(i+1, ".") || !bytes.HasPrefix(m.source[m.tokens[i].start():], []byte("<<<")) {
		return
	}
	m.write(i+1, i+1, ",")
	m.extra(i+1, ".")
}

// maskHeredocs hides the plain variables in heredocs that the parser is lost in.
func (m *phpModern) maskHeredocs(root syntax.Node) {
	lost := make([]syntax.Node, 0)
	for n := range root.Within() {
		if n.Kind() == "ERROR" || n.Missing() {
			lost = append(lost, n)
		}
	}
	for i, t := range m.tokens {
		if t.kind != phpString || !bytes.HasPrefix(m.source[t.start():], []byte("<<<")) || bytes.Contains(m.source[t.start():t.end()], []byte("{$")) {
			continue
		}
		for len(lost) > 0 && lost[0].Start() < m.tokens[i].start() {
			lost = lost[1:]
		}
		if len(lost) > 0 && lost[0].Start() < t.end() {
			mask(heredocBody(m.text[t.start():t.end()]))
		}
	}
}

// mask hides what could be more than text in the body of a heredoc.
func mask(body []byte) {
	for i, c := range body {
		if c > ' ' && !nameByte(c) {
			body[i] = '_'
		}
	}
}

// heredocBody returns the lines of a heredoc between those of its label.
func heredocBody(text []byte) []byte {
	first, last := bytes.IndexByte(text, '\n'), bytes.LastIndexByte(text, '\n')
	if first < 0 {
		return nil
	}
	return text[first:last]
}
