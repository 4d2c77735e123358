package lang

import "strings"

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
	text := m.text(i)
	tok := m.tokens[i]
	if m.keyPathOperator(i, text) {
		return
	}
	if mend := swiftOperatorMends[text]; mend != nil && mend(m, i) {
		return
	}
	switch {
	case m.word(i-1) == "func":
		m.operatorName(i, text)
	case strings.HasPrefix(text, ".") && m.mark(i-2) == '.' && m.operandBegins(i-2): // case .min..<0
		m.show(i-2, "")
	case tok.newline && swiftInfix[text] && m.spacedWithin(i+1):
		// the grammar ends the statement before a line that begins so
		copy(m.out[tok.start():], strings.Repeat("|", max(2, tok.end()-tok.start())))
	case strings.HasPrefix(text, "??") && !tok.spaced && m.optionalEnds(i):
		m.paint(tok.start()+1, tok.end(), ' ')
	}
}

// spacedWithin tells whether white space but no line's end stands before token i.
func (m *swiftMend) spacedWithin(i int) bool {
	return i < len(m.tokens) && m.tokens[i].spaced && !m.tokens[i].newline
}

// hugs tells whether token i follows the one before at once.
func (m *swiftMend) hugs(i int) bool { return i < len(m.tokens) && !m.tokens[i].spaced }

// keyPathOperator mends what the grammar does not know in key paths: \.! and \.[0]!.
func (m *swiftMend) keyPathOperator(i int, text string) bool {
	tok := m.tokens[i]
	switch {
	case m.mark(i-1) == '.' && m.text(i-2) == "\\" && !tok.spaced:
		m.paint(tok.start(), tok.end(), 'x')
	case strings.HasPrefix(text, "!") && m.mark(i-1) == ']' && m.keyPath(i-1):
		m.show(i, "")
	default:
		return false
	}
	return true
}

// operatorName shows the name of a function that is an operator as a word.
func (m *swiftMend) operatorName(i int, text string) {
	tok := m.tokens[i]
	end := tok.end()
	if m.mark(i+1) != '(' && strings.HasSuffix(text, "<") && len(text) > 1 {
		end-- // func ==<T>(…)
	}
	m.paint(tok.start(), end, 'o')
}

// boundOptional mends (let a, let b?).
func (m *swiftMend) boundOptional(i int) bool {
	bound := m.word(i-2) == "let" || m.word(i-2) == "var"
	if !bound || m.mark(i+1) != ')' && m.mark(i+1) != ',' {
		return false
	}
	m.show(i, "")
	return true
}

// suppression mends ~Copyable (SE-0427).
func (m *swiftMend) suppression(i int) bool {
	if !swiftSuppressed[m.word(i+1)] || !m.hugs(i+1) {
		return false
	}
	m.out[m.tokens[i].start()] = '_'
	return true
}

// openRange mends for i in 0... { }.
func (m *swiftMend) openRange(i int) bool {
	if m.mark(i+1) != '{' || !m.places[i].cond {
		return false
	}
	m.show(i, "")
	return true
}

// casePath hides the prefix operator of case paths: /State.child.
func (m *swiftMend) casePath(i int) bool {
	if m.word(i+1) == "" || !m.hugs(i+1) || !m.operandBegins(i) {
		return false
	}
	m.show(i, "")
	return true
}

// swiftSuppressed are the protocols that ~ takes away.
var swiftSuppressed = setOf("Copyable", "Escapable", "BitwiseCopyable", "Sendable", "SendableMetatype", "Swift")

// typeArguments hides the types between a name and the arguments of a call where
// the grammar takes < and > for comparisons: A.B<C>(d), #m<C> { }, A<C>.init(d).
func (m *swiftMend) typeArguments(i int) bool {
	if m.word(i-1) == "func" || m.tokens[i].spaced || i == 0 {
		return false
	}
	end := m.closing(i)
	if end == i || m.text(end) != ">" {
		return false
	}
	macro := m.tokens[i-1].kind == swiftPound
	next := m.mark(end + 1)
	switch {
	case macro, next == '(' && !m.tokens[end+1].spaced && m.mark(i-2) == '.' && m.word(i-1) != "":
	case next == '.' && m.word(i-1) != "" && !m.typeBefore(i-1) && lower(m.word(end+2)):
	default:
		return false
	}
	m.hide(i, end)
	return true
}

// lower tells a name that does not begin like a type's.
func lower(name string) bool { return name != "" && name[0] >= 'a' && name[0] <= 'z' }

// swiftInfix are the operators between operands that begin no operand.
var swiftInfix = setOf("|", "^", "*", "%", "/", "<<", ">>", "<=", ">=", "!=", "!==", "===", "..<", "...")

// keyPath tells whether the subscript that token i closes is the begin of a key
// path.
func (m *swiftMend) keyPath(i int) bool {
	open := m.match(i)
	return open > 1 && m.mark(open-1) == '.' && m.text(open-2) == "\\"
}

// optionalEnds tells whether the ?? at token i belong to what stands before.
func (m *swiftMend) optionalEnds(i int) bool {
	return i+1 >= len(m.tokens) || m.tokens[i+1].spaced || m.tokens[i+1].kind == swiftMark
}

// operandBegins tells whether token i stands where an operand begins.
func (m *swiftMend) operandBegins(i int) bool {
	switch b := m.mark(i - 1); b {
	case '(', '[', '{', ',', ':':
		return true
	}
	if m.word(i-1) == "case" {
		return true
	}
	return i > 0 && m.tokens[i-1].kind == swiftOperator && m.tokens[i].spaced
}
