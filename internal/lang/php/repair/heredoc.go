package repair

import (
	"bytes"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// heredoc shows the dot behind a closing label as a comma where lists are: the
// grammar wants a semicolon, a comma or a bracket there.
func (m *Rewriter) heredoc(i int) {
	b, _ := m.around()
	list := m.Is(b, "[") || m.Is(b, "(") && m.kind(b-1) == phpWord
	if !list || !m.Is(i+1, ".") || !bytes.HasPrefix(m.Source[m.Tokens[i].Start():], []byte("<<<")) {
		return
	}
	m.write(i+1, i+1, ",")
	m.extra(i+1, ".")
}

// maskHeredocs hides the plain variables in heredocs that the parser is lost in.
func (m *Rewriter) maskHeredocs(root syntax.Node) {
	lost := make([]syntax.Node, 0)
	for n := range root.Within() {
		if n.Kind() == "ERROR" || n.Missing() {
			lost = append(lost, n)
		}
	}
	for i, t := range m.Tokens {
		if t.Kind != String || !bytes.HasPrefix(m.Source[t.Start():], []byte("<<<")) || bytes.Contains(m.Source[t.Start():t.End()], []byte("{$")) {
			continue
		}
		for len(lost) > 0 && lost[0].Start() < m.Tokens[i].Start() {
			lost = lost[1:]
		}
		if len(lost) > 0 && lost[0].Start() < t.End() {
			mask(heredocBody(m.Text[t.Start():t.End()]))
		}
	}
}

// mask hides what could be more than text in the body of a heredoc.
func mask(body []byte) {
	for i, c := range body {
		if c > ' ' && !core.NameByte(c) {
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
