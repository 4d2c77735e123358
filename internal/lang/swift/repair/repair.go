// Package repair rewrites Swift that the grammar rejects or misreads, without moving a
// line.
//
// It exists because the tree-sitter grammar is from 2024 and lacks much of Swift 5.9
// and later: macros, typed throws, ownership modifiers, value parameters, raw
// identifiers. A grammar that parses the cases in lang/testdata/swift makes it
// unnecessary. To drop it, remove the field Source of the language row swift.Swift.
// Package swift also reads heads with the tokenizer here ([NewSourceText]), which must
// then move there.
package repair

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// rewriter rewrites a text token by token to what the grammar of 2024 parses. Every
// byte stays in place. If possible a token is replaced with one token, so that its text
// can be read from the file.
type rewriter struct {
	*SourceText
	out       []byte
	depth     int         // nesting of interpolations
	chains    []bool      // for each enclosing #if, whether it is inside a chain of calls
	hideLater []core.Span // tokens to blank after all are rewritten
	done      int         // tokens before this index are final
}

// Rewrite returns the text as it is given to the grammar.
func Rewrite(src []byte) []byte {
	out := rewriteTokens(src, 0)
	for _, mark := range core.ConflictMarks(src) {
		srctext.Blank(out[mark.Start:mark.End])
	}
	return out
}

// maxInterpolations is the maximum nesting of interpolations that are rewritten.
const maxInterpolations = 3

func rewriteTokens(src []byte, depth int) []byte {
	m := &rewriter{SourceText: NewSourceText(src), out: bytes.Clone(src), depth: depth}
	for i := range m.Tokens {
		if i >= m.done {
			m.rewrite(i)
		}
	}
	for _, s := range m.hideLater {
		m.hide(s.Start, s.End)
	}
	return m.out
}

func (m *rewriter) rewrite(i int) {
	switch m.Tokens[i].Kind {
	case Word:
		m.rewriteWord(i)
	case poundToken:
		m.macroUse(i)
	case stringToken:
		m.literal(i)
	case regexToken:
		m.regex(i)
	case Operator:
		m.operator(i)
	case Mark:
		m.punctuation(i)
	case numberToken:
		m.number(i)
	case Directive:
		m.directive(i)
	}
}

// replace replaces token i with text, padded with blanks.
func (m *rewriter) replace(i int, text string) {
	tok := m.Tokens[i]
	copy(m.out[tok.Start():tok.End()], text+strings.Repeat(" ", max(0, tok.End()-tok.Start()-len(text))))
}

// hide blanks the tokens [i, to].
func (m *rewriter) hide(i, to int) {
	srctext.Blank(m.out[m.Tokens[i].Start():m.Tokens[to].End()])
	m.done = max(m.done, to+1)
}

// paint overwrites the bytes [from, to) except line ends.
func (m *rewriter) paint(from, to int, with byte) {
	for i := from; i < to; i++ {
		if m.Src[i] != '\n' && m.Src[i] != '\r' {
			m.out[i] = with
		}
	}
}

// attribute rewrites the tokens [i, to] as an attribute, which may precede any
// declaration and type.
func (m *rewriter) attribute(i, to int) {
	from, end := m.Tokens[i].Start(), m.Tokens[to].End()
	m.out[from] = '@'
	for at := from + 1; at < end; at++ {
		if !srctext.NameByte(m.Src[at]) {
			m.out[at] = '_'
		}
	}
}

// literal masks content of a raw string that would look like the end of the string.
func (m *rewriter) literal(i int) {
	tok := m.Tokens[i]
	text := m.Src[tok.Start():tok.End()]
	pounds := len(text) - len(bytes.TrimLeft(text, "#"))
	for _, inside := range interpolations(m.Src, tok.Start()) {
		if m.depth < maxInterpolations {
			copy(m.out[inside.Start:inside.End], rewriteTokens(m.Src[inside.Start:inside.End], m.depth+1))
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

// regex rewrites a regular expression as a string.
func (m *rewriter) regex(i int) {
	tok := m.Tokens[i]
	m.paint(tok.Start(), tok.End(), '_')
	m.out[tok.Start()], m.out[tok.End()-1] = '"', '"'
}

// knownPounds are the words after # that the grammar accepts.
var knownPounds = core.SetOf(
	"#file", "#fileID", "#filePath", "#line", "#column", "#function", "#dsohandle", "#selector", "#keyPath", "#available", "#unavailable",
	"#colorLiteral", "#fileLiteral", "#imageLiteral", "#externalMacro", "#error", "#warning", "#sourceLocation",
)

// macroUse rewrites the use of a macro as a call of _name. Among the members of a type,
// where the grammar accepts no call, it is blanked.
func (m *rewriter) macroUse(i int) {
	tok := m.Tokens[i]
	if knownPounds[m.Text(i)] {
		return
	}
	for at := tok.Start(); at < tok.End(); at++ {
		if m.Src[at] < 0x80 && !srctext.NameByte(m.Src[at]) {
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

// directive blanks all lines of a condition but the first. Inside a chain of calls,
// which continues after it, the whole directive is blanked.
func (m *rewriter) directive(i int) {
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
		srctext.Blank(m.out[tok.Start()+end : tok.End()])
	}
}

// number rewrites numbers among type arguments as names.
func (m *rewriter) number(i int) {
	tok := m.Tokens[i]
	next := m.Text(i + 1)
	switch {
	case m.Word(i+1) == "of" && m.Mark(i-1) == '[': // [3 of Int]
		m.hide(i, i+1)
	case (next == "," || strings.HasPrefix(next, ">")) && m.generic(i):
		m.paint(tok.Start(), tok.End(), 'N')
	}
}

// maxGeneric is the maximum number of tokens searched for the start of a list of types.
const maxGeneric = 48

// generic reports whether token i is inside angle brackets that follow a name.
func (m *rewriter) generic(i int) bool {
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
