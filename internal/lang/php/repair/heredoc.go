package repair

import (
	"bytes"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// heredoc replaces a dot after a closing label with a comma inside lists. The grammar
// accepts only a semicolon, a comma or a bracket there.
func (m *Rewriter) heredoc(i int) {
	b, _ := m.around()
	list := m.Is(b, "[") || m.Is(b, "(") && m.kind(b-1) == wordToken
	if !list || !m.Is(i+1, ".") || !bytes.HasPrefix(m.Source[m.Tokens[i].Start():], []byte("<<<")) {
		return
	}
	m.write(i+1, i+1, ",")
	m.extra(i+1, ".")
}

// maskHeredocs masks the heredocs in which the parser reports errors, if they
// interpolate only plain variables.
func (m *Rewriter) maskHeredocs(root syntax.Node) {
	lost := make([]syntax.Node, 0)
	for n := range root.Descendants() {
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

// mask replaces every byte of a heredoc body that could be more than text.
func mask(body []byte) {
	for i, c := range body {
		if c > ' ' && !srctext.NameByte(c) {
			body[i] = '_'
		}
	}
}

// heredocBody returns the lines of a heredoc between its labels.
func heredocBody(text []byte) []byte {
	first, last := bytes.IndexByte(text, '\n'), bytes.LastIndexByte(text, '\n')
	if first < 0 {
		return nil
	}
	return text[first:last]
}
