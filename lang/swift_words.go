package lang

import (
	"slices"
	"strings"
)

// mendWord mends the word at token i by what stands around it.
func (m *swiftMend) mendWord(i int) {
	tok := m.tokens[i]
	word := m.text(i)
	switch {
	case strings.HasPrefix(word, "`"): // raw identifiers (SE-0451)
		if len(word) > 2 {
			for at := tok.start() + 1; at < tok.end()-1; at++ {
				if !nameByte(m.src[at]) {
					m.out[at] = '_'
				}
			}
		}
		return
	case strings.Contains(word[1:], "$"):
		for at := tok.start() + 1; at < tok.end(); at++ {
			if m.src[at] == '$' {
				m.out[at] = '_'
			}
		}
		return
	case m.mark(i-1) == '.':
		if word == "self" && m.mark(i+1) == '(' && !m.tokens[i+1].spaced || swiftReserved[word] {
			m.out[tok.start()] = '_' // a case of that name
		}
		return
	case m.mark(i+1) == ':' && tok.newline && m.mark(i-1) == '}' && m.mark(i+2) == '{' && word != "default":
		m.hide(i, i+1) // the label of a closure, on a line of its own
		m.out[tok.start()] = '='
		return
	case word == "_" && m.mark(i+1) == ':' && m.isList(i):
		m.out[tok.start()] = 'x'
		return
	case m.mark(i+1) == ':' || m.word(i-1) == "func":
		return
	}
	switch {
	case swiftContextual[word] && m.isName(i):
		m.out[tok.start()] = '_'
	case m.typeWord(i, word), m.operandWord(i, word), m.accessorWord(i, word):
	case word == "func":
		m.bodyless(i)
	default:
		m.declarationWord(i, word)
	}
}

// swiftReserved are the keywords that the grammar takes for such even behind a dot.
var swiftReserved = setOf(
	"try", "await", "as", "is", "in", "throws", "rethrows", "reasync", "where", "else", "catch", "default", "async", "switch", "if", "for", "while",
	"return", "throw", "case", "func", "var", "let", "class", "struct", "enum", "protocol", "extension", "import", "super", "guard", "do",
	"repeat", "break", "continue", "fallthrough", "defer", "nil", "true", "false", "any", "some", "yield", "each", "open", "prefix", "infix",
	"postfix", "operator", "subscript", "typealias", "associatedtype", "static", "public", "private", "internal", "fileprivate", "package",
)

// swiftContextual are the words that begin declarations, and may be names too.
var swiftContextual = setOf(
	"open", "package", "prefix", "postfix", "infix", "dynamic", "optional", "required", "convenience", "override", "final", "lazy", "weak",
	"unowned", "mutating", "nonmutating", "distributed", "indirect", "nonisolated", "precedencegroup", "macro", "actor", "borrowing", "consuming",
)

// isName tells whether the contextual word at token i is a name: nothing that is
// declared follows.
func (m *swiftMend) isName(i int) bool {
	next := m.mark(i + 1)
	if m.word(i+1) != "" || next == '[' && m.typeBefore(i) || next == '@' || i+1 >= len(m.tokens) || m.tokens[i+1].kind == swiftDirective || m.tokens[i+1].kind == swiftPound {
		return false
	}
	if next == '(' { // private(set), unowned(safe)
		inside := m.word(i + 2)
		return !m.tokens[i+1].spaced && (inside != "set" && inside != "safe" && inside != "unsafe" && inside != "nonsending" || m.mark(i+3) != ')')
	}
	return true
}

// swiftTypeModifiers stand before a type, and some before a declaration.
var swiftTypeModifiers = setOf("borrowing", "consuming", "sending", "isolated", "__owned", "__shared", "__consuming", "_const", "_local")

// typeWord mends the words of types.
func (m *swiftMend) typeWord(i int, word string) bool {
	next := m.text(i + 1)
	switch word {
	case "nonisolated":
		if next == "(" && m.match(i+1) > 0 {
			m.attribute(i, m.match(i+1))
			return true
		}
	case "throws":
		if next == "(" && !m.tokens[i+1].spaced && m.match(i+1) > 0 { // throws(E), SE-0413
			from := i + 1
			if m.word(i-1) == "do" {
				from = i
			}
			m.hide(from, m.match(i+1))
			return true
		}
	case "try", "await":
		return m.effect(i)
	case "case":
		if m.word(i-1) == "for" && m.mark(i+1) == '(' {
			m.show(i, "") // for case (let a, let b?) in
		}
	case "yield":
		if m.mark(i+1) == '(' && m.match(i+1) == i+2 {
			m.out[m.tokens[i].start()] = '_'
		}
	case "fallthrough":
		m.out[m.tokens[i].start()] = '_'
	case "where":
		m.lateWhere(i)
	case "reasync":
		m.show(i, "async")
		return true
	case "let": // <let N: Int>, SE-0452
		if m.text(i-1) == "<" || m.mark(i-1) == ',' && m.generic(i) {
			m.show(i, "")
			return true
		}
	case "of":
		if m.mark(i-2) == '[' && m.word(i-1) != "" && m.word(i+1) != "" {
			m.hide(i-1, i)
			return true
		}
	}
	if swiftTypeModifiers[word] && m.typeFollows(i) && (!swiftOwnership[word] || m.typeBefore(i) || m.text(i+1) == "get") {
		m.attribute(i, i)
		return true
	}
	return false
}

// effect shows try and await in the condition before a block as an operator, else
// the brace behind would be an argument.
func (m *swiftMend) effect(i int) bool {
	if before := m.word(i - 1); !m.places[i].cond || before == "for" || before == "try" && m.word(i-2) == "for" {
		return false
	}
	last := i
	for next := m.text(last + 1); next == "?" || next == "!" || next == "await" || next == "unsafe"; next = m.text(last + 1) {
		last++
	}
	for at := m.tokens[i].start(); at < m.tokens[last].end(); at++ {
		m.out[at] = '~'
	}
	m.done = last + 1
	return true
}

// lateWhere hides the conditions that the grammar does not expect: of type
// aliases, and of the patterns of a case behind the first.
func (m *swiftMend) lateWhere(i int) {
	last := i
	for k := i + 1; k < len(m.tokens) && m.frame(k) == m.frame(i); k++ {
		switch mark := m.mark(k); {
		case m.places[i].late && (mark == ',' || mark == ':'):
			m.hide(i, last)
			return
		case m.head(i) == "typealias" && m.tokens[k].newline && m.ends(k-1) && !m.continues(k):
			m.hide(i, last)
			return
		}
		if m.match(k) > k {
			k = m.match(k)
		}
		last = k
	}
	if m.head(i) == "typealias" {
		m.hide(i, last)
	}
}

// continues tells whether the line that begins with token k goes on with what
// stands before.
func (m *swiftMend) continues(k int) bool {
	mark := m.mark(k)
	return m.tokens[k].kind == swiftOperator || mark == '.' || mark == ',' || mark == ':'
}

// swiftOwnership are those of them that the grammar knows before a declaration.
var swiftOwnership = setOf("borrowing", "consuming")

// typeFollows tells whether a type or a declaration stands behind token i.
func (m *swiftMend) typeFollows(i int) bool {
	if i+1 >= len(m.tokens) || m.tokens[i+1].newline || !m.tokens[i+1].spaced {
		return false
	}
	mark := m.mark(i + 1)
	word := m.word(i + 1)
	return word != "" && word != "in" && word != "as" && word != "is" || mark == '(' || mark == '[' || mark == '@'
}

// swiftOperandWords stand before an operand as operators do.
var swiftOperandWords = setOf("consume", "copy", "discard", "unsafe", "borrow")

// operandWord mends the words that stand before an operand.
func (m *swiftMend) operandWord(i int, word string) bool {
	if !swiftOperandWords[word] || i+1 >= len(m.tokens) || m.tokens[i+1].newline {
		return false
	}
	next := m.word(i + 1)
	if next == "" && (word != "unsafe" || !m.tokens[i+1].spaced || m.mark(i+1) != '(') || slices.Contains([]string{"in", "as", "is", "else", "where"}, next) {
		return false
	}
	before := m.word(i - 1)
	if before != "" && !m.tokens[i].newline && !slices.Contains(swiftOperandBefore, before) || m.mark(i-1) == ')' && !m.tokens[i].newline {
		return false
	}
	if before == "for" {
		m.show(i, "")
		return true
	}
	m.show(i, strings.Repeat("~", len(word)))
	return true
}

// swiftAccessorWords are the accessors beside get, set and _modify, and as which
// of those they are shown.
var swiftAccessorWords = map[string]string{
	"_read": "get", "read": "get", "unsafeAddress": "get", "borrow": "get", "_borrow": "get",
	"modify": "set", "unsafeMutableAddress": "set", "mutate": "set", "_mutate": "set", "init": "set",
}

// accessorWord mends the names of accessors.
func (m *swiftMend) accessorWord(i int, word string) bool {
	as := swiftAccessorWords[word]
	f := m.frame(i)
	if as == "" || f < 0 || m.role(f) != swiftAccessors {
		return false
	}
	required := m.inProtocol(f)
	next := m.mark(i + 1)
	if next == '{' || required || next == '(' && word == "init" {
		m.show(i, as)
		return true
	}
	return false
}

// inProtocol tells whether token i stands among the requirements of a protocol.
func (m *swiftMend) inProtocol(i int) bool {
	f := m.frame(i)
	return f >= 0 && m.role(f) == swiftProtocol
}

// declarationWord mends the words that declarations begin with.
func (m *swiftMend) declarationWord(i int, word string) {
	next := m.word(i + 1)
	if f := m.frame(i); f > 0 && m.match(f) == i+1 || m.mark(i+1) == ',' {
		m.version(i)
	}
	if next == "" && m.mark(i+1) != '@' && m.mark(i+1) != '(' {
		return
	}
	switch word {
	case "package":
		if swiftHeadWords[next] || slices.Contains(swiftModifiers, next) || next == "typealias" || next == "import" || m.text(i+2) == "set" {
			m.show(i, "private")
		}
	case "using": // using @MainActor
		if m.tokens[i].newline && m.frame(i) < 0 && !m.tokens[i+1].newline && (m.mark(i+1) == '@' || next == "nonisolated") {
			last := i + 1
			if next == "" {
				last++
			}
			m.hide(i, last)
		}
	}
	if m.mark(i-1) == '@' && swiftOpaque[word] && m.mark(i+1) == '(' && m.match(i+1) > 0 {
		m.hide(i+1, m.match(i+1))
	}
}

// version shows the name of a set of versions, as in #available(SwiftStdlib6, *),
// as one version.
func (m *swiftMend) version(i int) {
	f := m.frame(i)
	if f < 1 || i-1 != f && m.mark(i-1) != ',' || m.mark(i+1) != ',' && m.mark(i+1) != ')' {
		return
	}
	if of := m.text(f - 1); of != "#available" && of != "#unavailable" {
		return
	}
	if tok := m.tokens[i]; tok.end()-tok.start() >= len("A 1") {
		m.out[tok.end()-2], m.out[tok.end()-1] = ' ', '1'
	}
}

// swiftOpaque are the attributes with arguments of a syntax of their own.
var swiftOpaque = setOf(
	"_specialize", "specialized", "_lifetime", "lifetime", "abi", "differentiable", "derivative", "transpose", "_dynamicReplacement",
	"storageRestrictions", "attached", "_implements", "_originallyDefinedIn", "backDeployed", "_documentation", "_rawLayout", "_typeEraser",
)
