package repair

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// operatorRewrites rewrite operators by their text. They report whether they changed
// anything.
var operatorRewrites = map[string]func(m *rewriter, i int) bool{
	"?":   (*rewriter).boundOptional,
	"~":   (*rewriter).suppression,
	"<":   (*rewriter).typeArguments,
	"...": (*rewriter).openRange,
	"/":   (*rewriter).casePath,
}

// operator rewrites the operator at token i.
func (m *rewriter) operator(i int) {
	text := m.Text(i)
	tok := m.Tokens[i]
	if m.keyPathOperator(i, text) {
		return
	}
	if rewrite := operatorRewrites[text]; rewrite != nil && rewrite(m, i) {
		return
	}
	switch {
	case m.Word(i-1) == "func":
		m.operatorName(i, text)
	case strings.HasPrefix(text, ".") && m.Mark(i-2) == '.' && m.operandBegins(i-2): // case .min..<0
		m.replace(i-2, "")
	case tok.Newline && infix[text] && m.spacedWithin(i+1):
		// the grammar would end the statement before this line
		copy(m.out[tok.Start():], strings.Repeat("|", max(2, tok.End()-tok.Start())))
	case strings.HasPrefix(text, "??") && !tok.Spaced && m.optionalEnds(i):
		m.paint(tok.Start()+1, tok.End(), ' ')
	}
}

// spacedWithin reports whether token i follows white space on the same line.
func (m *rewriter) spacedWithin(i int) bool {
	return i < len(m.Tokens) && m.Tokens[i].Spaced && !m.Tokens[i].Newline
}

// adjacent reports whether no white space precedes token i.
func (m *rewriter) adjacent(i int) bool { return i < len(m.Tokens) && !m.Tokens[i].Spaced }

// keyPathOperator rewrites operators in key paths that the grammar does not accept: \.!
// and \.[0]!.
func (m *rewriter) keyPathOperator(i int, text string) bool {
	tok := m.Tokens[i]
	switch {
	case m.Mark(i-1) == '.' && m.Text(i-2) == "\\" && !tok.Spaced:
		m.paint(tok.Start(), tok.End(), 'x')
	case strings.HasPrefix(text, "!") && m.Mark(i-1) == ']' && m.keyPath(i-1):
		m.replace(i, "")
	default:
		return false
	}
	return true
}

// operatorName replaces the name of an operator function with a word.
func (m *rewriter) operatorName(i int, text string) {
	tok := m.Tokens[i]
	end := tok.End()
	if m.Mark(i+1) != '(' && strings.HasSuffix(text, "<") && len(text) > 1 {
		end-- // func ==<T>(…)
	}
	m.paint(tok.Start(), end, 'o')
}

// boundOptional rewrites (let a, let b?).
func (m *rewriter) boundOptional(i int) bool {
	bound := m.Word(i-2) == "let" || m.Word(i-2) == "var"
	if !bound || m.Mark(i+1) != ')' && m.Mark(i+1) != ',' {
		return false
	}
	m.replace(i, "")
	return true
}

// suppression rewrites ~Copyable (SE-0427).
func (m *rewriter) suppression(i int) bool {
	if !suppressed[m.Word(i+1)] || !m.adjacent(i+1) {
		return false
	}
	m.out[m.Tokens[i].Start()] = '_'
	return true
}

// openRange rewrites for i in 0... { }.
func (m *rewriter) openRange(i int) bool {
	if m.Mark(i+1) != '{' || !m.places[i].cond {
		return false
	}
	m.replace(i, "")
	return true
}

// casePath blanks the prefix operator of case paths: /State.child.
func (m *rewriter) casePath(i int) bool {
	if m.Word(i+1) == "" || !m.adjacent(i+1) || !m.operandBegins(i) {
		return false
	}
	m.replace(i, "")
	return true
}

// suppressed are the protocols that ~ may suppress.
var suppressed = core.SetOf("Copyable", "Escapable", "BitwiseCopyable", "Sendable", "SendableMetatype", "Swift")

// typeArguments blanks the type arguments between a name and the arguments of a call
// where the grammar parses < and > as comparisons: A.B<C>(d), #m<C> { }, A<C>.init(d).
func (m *rewriter) typeArguments(i int) bool {
	if m.Word(i-1) == "func" || m.Tokens[i].Spaced || i == 0 {
		return false
	}
	end := m.Closing(i)
	if end == i || m.Text(end) != ">" {
		return false
	}
	macro := m.Tokens[i-1].Kind == poundToken
	next := m.Mark(end + 1)
	switch {
	case macro, next == '(' && !m.Tokens[end+1].Spaced && m.Mark(i-2) == '.' && m.Word(i-1) != "":
	case next == '.' && m.Word(i-1) != "" && !m.typeBefore(i-1) && lower(m.Word(end+2)):
	default:
		return false
	}
	m.hide(i, end)
	return true
}

// lower reports whether name begins with a lower-case letter.
func lower(name string) bool { return name != "" && name[0] >= 'a' && name[0] <= 'z' }

// infix are the infix operators that cannot begin an operand.
var infix = core.SetOf("|", "^", "*", "%", "/", "<<", ">>", "<=", ">=", "!=", "!==", "===", "..<", "...")

// keyPath reports whether the subscript closed by token i begins a key path.
func (m *rewriter) keyPath(i int) bool {
	open := m.Match(i)
	return open > 1 && m.Mark(open-1) == '.' && m.Text(open-2) == "\\"
}

// optionalEnds reports whether the ?? at token i belongs to the preceding type.
func (m *rewriter) optionalEnds(i int) bool {
	return i+1 >= len(m.Tokens) || m.Tokens[i+1].Spaced || m.Tokens[i+1].Kind == Mark
}

// operandBegins reports whether an operand begins at token i.
func (m *rewriter) operandBegins(i int) bool {
	switch b := m.Mark(i - 1); b {
	case '(', '[', '{', ',', ':':
		return true
	}
	if m.Word(i-1) == "case" {
		return true
	}
	return i > 0 && m.Tokens[i-1].Kind == Operator && m.Tokens[i].Spaced
}
