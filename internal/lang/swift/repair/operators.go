package repair

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// swiftOperatorMends mend operators by their text. They tell whether they did.
var swiftOperatorMends = map[string]func(m *swiftMend, i int) bool{
	"?":   (*swiftMend).boundOptional,
	"~":   (*swiftMend).suppression,
	"<":   (*swiftMend).typeArguments,
	"...": (*swiftMend).openRange,
	"/":   (*swiftMend).casePath,
}

// operator mends the operator at token i.
func (m *swiftMend) operator(i int) {
	text := m.Text(i)
	tok := m.Tokens[i]
	if m.keyPathOperator(i, text) {
		return
	}
	if mend := swiftOperatorMends[text]; mend != nil && mend(m, i) {
		return
	}
	switch {
	case m.Word(i-1) == "func":
		m.operatorName(i, text)
	case strings.HasPrefix(text, ".") && m.Mark(i-2) == '.' && m.operandBegins(i-2): // case .min..<0
		m.show(i-2, "")
	case tok.Newline && swiftInfix[text] && m.spacedWithin(i+1):
		// the grammar ends the statement before a line that begins so
		copy(m.out[tok.Start():], strings.Repeat("|", max(2, tok.End()-tok.Start())))
	case strings.HasPrefix(text, "??") && !tok.Spaced && m.optionalEnds(i):
		m.paint(tok.Start()+1, tok.End(), ' ')
	}
}

// spacedWithin tells whether white space but no line's end stands before token i.
func (m *swiftMend) spacedWithin(i int) bool {
	return i < len(m.Tokens) && m.Tokens[i].Spaced && !m.Tokens[i].Newline
}

// hugs tells whether token i follows the one before at once.
func (m *swiftMend) hugs(i int) bool { return i < len(m.Tokens) && !m.Tokens[i].Spaced }

// keyPathOperator mends what the grammar does not know in key paths: \.! and \.[0]!.
func (m *swiftMend) keyPathOperator(i int, text string) bool {
	tok := m.Tokens[i]
	switch {
	case m.Mark(i-1) == '.' && m.Text(i-2) == "\\" && !tok.Spaced:
		m.paint(tok.Start(), tok.End(), 'x')
	case strings.HasPrefix(text, "!") && m.Mark(i-1) == ']' && m.keyPath(i-1):
		m.show(i, "")
	default:
		return false
	}
	return true
}

// operatorName shows the name of a function that is an operator as a word.
func (m *swiftMend) operatorName(i int, text string) {
	tok := m.Tokens[i]
	end := tok.End()
	if m.Mark(i+1) != '(' && strings.HasSuffix(text, "<") && len(text) > 1 {
		end-- // func ==<T>(…)
	}
	m.paint(tok.Start(), end, 'o')
}

// boundOptional mends (let a, let b?).
func (m *swiftMend) boundOptional(i int) bool {
	bound := m.Word(i-2) == "let" || m.Word(i-2) == "var"
	if !bound || m.Mark(i+1) != ')' && m.Mark(i+1) != ',' {
		return false
	}
	m.show(i, "")
	return true
}

// suppression mends ~Copyable (SE-0427).
func (m *swiftMend) suppression(i int) bool {
	if !swiftSuppressed[m.Word(i+1)] || !m.hugs(i+1) {
		return false
	}
	m.out[m.Tokens[i].Start()] = '_'
	return true
}

// openRange mends for i in 0... { }.
func (m *swiftMend) openRange(i int) bool {
	if m.Mark(i+1) != '{' || !m.places[i].cond {
		return false
	}
	m.show(i, "")
	return true
}

// casePath hides the prefix operator of case paths: /State.child.
func (m *swiftMend) casePath(i int) bool {
	if m.Word(i+1) == "" || !m.hugs(i+1) || !m.operandBegins(i) {
		return false
	}
	m.show(i, "")
	return true
}

// swiftSuppressed are the protocols that ~ takes away.
var swiftSuppressed = core.SetOf("Copyable", "Escapable", "BitwiseCopyable", "Sendable", "SendableMetatype", "Swift")

// typeArguments hides the types between a name and the arguments of a call where
// the grammar takes < and > for comparisons: A.B<C>(d), #m<C> { }, A<C>.init(d).
func (m *swiftMend) typeArguments(i int) bool {
	if m.Word(i-1) == "func" || m.Tokens[i].Spaced || i == 0 {
		return false
	}
	end := m.Closing(i)
	if end == i || m.Text(end) != ">" {
		return false
	}
	macro := m.Tokens[i-1].Kind == swiftPound
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

// lower tells a name that does not begin like a type's.
func lower(name string) bool { return name != "" && name[0] >= 'a' && name[0] <= 'z' }

// swiftInfix are the operators between operands that begin no operand.
var swiftInfix = core.SetOf("|", "^", "*", "%", "/", "<<", ">>", "<=", ">=", "!=", "!==", "===", "..<", "...")

// keyPath tells whether the subscript that token i closes is the begin of a key
// path.
func (m *swiftMend) keyPath(i int) bool {
	open := m.Match(i)
	return open > 1 && m.Mark(open-1) == '.' && m.Text(open-2) == "\\"
}

// optionalEnds tells whether the ?? at token i belong to what stands before.
func (m *swiftMend) optionalEnds(i int) bool {
	return i+1 >= len(m.Tokens) || m.Tokens[i+1].Spaced || m.Tokens[i+1].Kind == Mark
}

// operandBegins tells whether token i stands where an operand begins.
func (m *swiftMend) operandBegins(i int) bool {
	switch b := m.Mark(i - 1); b {
	case '(', '[', '{', ',', ':':
		return true
	}
	if m.Word(i-1) == "case" {
		return true
	}
	return i > 0 && m.Tokens[i-1].Kind == Operator && m.Tokens[i].Spaced
}
