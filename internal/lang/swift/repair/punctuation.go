package repair

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// punctuation rewrites the mark at token i.
func (m *rewriter) punctuation(i int) {
	switch m.Mark(i) {
	case ',':
		m.comma(i)
	case ':':
		if m.Mark(i+1) == ':' && m.adjacent(i+1) { // Module::name (SE-0491)
			m.replace(i, " ")
			m.replace(i+1, ".")
		}
	case ';':
		if m.spacedWithin(i) { // the grammar rejects white space before it
			m.replace(i, " ")
			m.out[m.Tokens[i-1].End()] = ';'
		}
	case '(', '[':
		if !m.void(i) {
			m.bracket(i)
		}
	case '\\':
		if m.Mark(i+1) == '.' && m.Mark(i+2) == '[' { // \.[0]
			m.replace(i, "x")
			m.replace(i+1, "x")
		}
	case '@':
		m.extraAttribute(i)
	case '#': // a sequence of them would cost the grammar's scanner quadratic time
		m.replace(i, "#")
	}
}

// comma blanks commas at the end of a list, and rewrites those that the grammar does
// not accept.
func (m *rewriter) comma(i int) {
	frame := m.Frame(i)
	switch {
	case frame > 1 && m.Word(frame-2) == "precedencegroup" && m.Word(i+1) != "":
		m.hide(i, i+1) // higherThan: A, B
	case m.endsList(i):
		m.replace(i, " ")
	case m.head(i) == "associatedtype" && !m.conditional(i):
		m.replace(i, "&")
	}
}

// endsList reports whether the comma at token i is the last token of its list
// (SE-0439).
func (m *rewriter) endsList(i int) bool {
	switch m.Mark(i + 1) {
	case ')':
		return true
	case ']': // of a closure's captures
		return m.Frame(i) > 0 && m.Mark(m.Frame(i)-1) == '{'
	case '{':
		return m.Frame(i) == m.Frame(i+1)
	}
	return strings.HasPrefix(m.Text(i+1), ">") && m.generic(i)
}

// void rewrites () that is not a list of parameters or arguments: the empty tuple
// becomes a name, the pattern of a case without payload is blanked.
func (m *rewriter) void(i int) bool {
	if m.Mark(i) != '(' || m.Match(i) != i+1 {
		return false
	}
	switch {
	case m.isVoid(i):
		m.paint(m.Tokens[i].Start(), m.Tokens[i+1].End(), '_')
	case m.Mark(i+2) == ':' && m.adjacent(i+2) && m.Mark(i-2) == '.': // case .success():
		m.hide(i, i+1)
	default:
		return false
	}
	return true
}

// conditional reports whether token i follows a where in its declaration.
func (m *rewriter) conditional(i int) bool {
	for k := i - 1; k > 0 && k > i-maxGeneric && m.Word(k) != "associatedtype"; k-- {
		if m.Word(k) == "where" {
			return true
		}
	}
	return false
}

// bracket rewrites bracketed types where the grammar accepts only expressions or simple
// types.
func (m *rewriter) bracket(i int) {
	end := m.Match(i)
	if end < 0 || end+1 >= len(m.Tokens) {
		return
	}
	switch after := m.Text(end + 1); {
	case m.Mark(i) == '(' && m.Word(i-1) == "case" && m.Tokens[end+1].Kind == Operator && strings.Contains(after, ".."):
		m.replace(i, " ") // case (a + 1)...b
		m.replace(end, " ")
	case m.functionType(i, end): // ((A) -> B).self becomes (X).self
		m.hide(i+1, end-1)
		m.out[m.Tokens[i+1].Start()] = 'X'
	case m.Mark(i) == '[' && after == "." && Upper(m.Word(end+2)) && m.typeBefore(i):
		m.replace(i, " ") // [A].Index
		m.replace(end, " ")
	}
}

// functionType reports whether the brackets at tokens i and end contain a function type
// used as an operand.
func (m *rewriter) functionType(i, end int) bool {
	after, member := m.Text(end+1), m.Word(end+2)
	operand := after == "." && (member == "self" || member == "Type") || m.Mark(i) == '[' && after == "("
	return operand && m.holdsArrow(i, end)
}

// holdsArrow reports whether an arrow is directly inside the brackets at tokens i and
// end.
func (m *rewriter) holdsArrow(i, end int) bool {
	for k := i + 1; k < end; k++ {
		if m.Match(k) > k {
			k = m.Match(k)
		} else if m.Text(k) == "->" {
			return true
		}
	}
	return false
}

// typeBefore reports whether the token before i must be followed by a type.
func (m *rewriter) typeBefore(i int) bool {
	before := m.Text(i - 1)
	return before == ":" || before == "->" || before == "as" || before == "is" || before == "<" || before == "any" || before == "some"
}

// isVoid reports whether the () at token i is the empty tuple or its type, not a list
// of parameters or arguments.
func (m *rewriter) isVoid(i int) bool {
	if signature[m.Text(i+2)] || m.Tokens[i+1].Newline {
		return false
	}
	tok := m.Tokens[i]
	if i == 0 || tok.Newline {
		return true
	}
	switch before := m.Tokens[i-1]; before.Kind {
	case Mark:
		return strings.IndexByte("([{,:;", m.Mark(i-1)) >= 0
	case Operator:
		return tok.Spaced || before.Spaced
	case Word:
		return tok.Spaced && slices.Contains(operandBefore, m.Word(i-1))
	case Directive:
		return true
	case numberToken, stringToken, regexToken, poundToken:
	}
	return false
}

// signature are the words and signs that follow parameters.
var signature = core.SetOf("->", "throws", "rethrows", "async", "in")

// operandBefore are the words that an operand may follow.
var operandBefore = []string{
	"return", "in", "try", "await", "yield", "case", "switch", "if", "while", "else", "throw", "guard", "where", "repeat", "for", "as", "is",
	"default",
}

// extraAttribute blanks all attributes of a parameter but the first, and those of a
// function among statements.
func (m *rewriter) extraAttribute(i int) {
	frame := m.Frame(i)
	if frame < 0 {
		return
	}
	last := m.AttributeEnd(i)
	if m.Role(frame) == Code && m.Word(last+1) == "func" {
		m.hide(i, last)
		return
	}
	first := i-1 == frame || m.Mark(i-1) == ','
	if m.Mark(frame) != '(' || !first || m.Word(frame-1) == "" && m.Text(frame-1) != ">" {
		return
	}
	for m.Mark(last+1) == '@' {
		next := m.AttributeEnd(last + 1)
		m.hide(last+1, next)
		last = next
	}
	m.done = i + 1
}

// AttributeEnd returns the last token of the attribute at token i.
func (t *SourceText) AttributeEnd(i int) int {
	last := i + 1
	for t.Mark(last+1) == '.' {
		last += 2
	}
	if t.Text(last+1) == "<" {
		for k := last + 2; k < min(last+maxGeneric, len(t.Tokens)); k++ {
			if t.Text(k) == ">" {
				last = k
				break
			}
		}
	}
	if t.Mark(last+1) == '(' && !t.Tokens[last+1].Spaced && t.Match(last+1) > 0 {
		last = t.Match(last + 1)
	}
	return min(last, len(t.Tokens)-1)
}
