package repair

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// mendWord mends the word at token i by what stands around it.
func (m *swiftMend) mendWord(i int) {
	word := m.Text(i)
	if m.spelling(i, word) || m.label(i, word) || m.Mark(i+1) == ':' || m.Word(i-1) == "func" {
		return
	}
	if swiftContextual[word] && m.isName(i) {
		m.out[m.Tokens[i].Start()] = '_'
		return
	}
	if mend := swiftWordMends[word]; mend != nil && mend(m, i) {
		return
	}
	if m.typeWord(i, word) || m.operandWord(i, word) || m.accessorWord(i, word) {
		return
	}
	m.version(i)
	m.opaque(i, word)
}

// opaque hides the arguments of the attribute whose name is token i, if they have
// a syntax of their own.
func (m *swiftMend) opaque(i int, word string) {
	if m.Mark(i-1) == '@' && swiftOpaque[word] && m.opens(i+1) {
		m.hide(i+1, m.Match(i+1))
	}
}

// opens tells whether token i is a round bracket that is closed.
func (m *swiftMend) opens(i int) bool { return m.Mark(i) == '(' && m.Match(i) > i }

// spelling mends what words are made of, and words that are names behind a dot.
func (m *swiftMend) spelling(i int, word string) bool {
	tok := m.Tokens[i]
	switch {
	case strings.HasPrefix(word, "`"): // raw identifiers (SE-0451)
		for at := tok.Start() + 1; at < tok.End()-1; at++ {
			if !core.NameByte(m.Src[at]) {
				m.out[at] = '_'
			}
		}
	case strings.Contains(word[1:], "$"):
		for at := tok.Start() + 1; at < tok.End(); at++ {
			if m.Src[at] == '$' {
				m.out[at] = '_'
			}
		}
	case m.Mark(i-1) == '.':
		if swiftReserved[word] || word == "self" && m.Mark(i+1) == '(' && m.hugs(i+1) {
			m.out[tok.Start()] = '_'
		}
	default:
		return false
	}
	return true
}

// label mends words before a colon: the label of a closure on a line of its own,
// and the underscore in place of a label.
func (m *swiftMend) label(i int, word string) bool {
	if m.Mark(i+1) != ':' {
		return false
	}
	at := m.Tokens[i].Start()
	switch {
	case m.Tokens[i].Newline && m.Mark(i-1) == '}' && m.Mark(i+2) == '{' && word != "default":
		m.hide(i, i+1)
		m.out[at] = '='
	case word == "_" && m.isList(i):
		m.out[at] = 'x'
	default:
		return false
	}
	return true
}

// swiftWordMends mend words that mean one thing. They tell whether they did.
var swiftWordMends = map[string]func(m *swiftMend, i int) bool{
	"nonisolated": (*swiftMend).isolation, "throws": (*swiftMend).typedThrows, "try": (*swiftMend).effect, "await": (*swiftMend).effect,
	"where": (*swiftMend).lateWhere, "let": (*swiftMend).valueParameter, "of": (*swiftMend).arrayLength, "func": (*swiftMend).bodyless,
	"package": (*swiftMend).packageLevel, "using": (*swiftMend).usingDeclaration,
	"reasync": func(m *swiftMend, i int) bool {
		m.show(i, "async")
		return true
	},
	"fallthrough": func(m *swiftMend, i int) bool {
		m.out[m.Tokens[i].Start()] = '_'
		return true
	},
	"case": func(m *swiftMend, i int) bool { // for case (let a, let b?) in
		if m.Word(i-1) == "for" && m.Mark(i+1) == '(' {
			m.show(i, "")
		}
		return true
	},
	"yield": func(m *swiftMend, i int) bool { // a function of that name
		if m.opens(i+1) && m.Match(i+1) == i+2 {
			m.out[m.Tokens[i].Start()] = '_'
		}
		return true
	},
	"deinit": func(m *swiftMend, i int) bool { // without a body, see bodyless
		if m.inType(i) && m.Mark(i+1) != '{' {
			m.show(i, "init()")
		}
		return true
	},
}

// isolation mends nonisolated(unsafe) and nonisolated(nonsending).
func (m *swiftMend) isolation(i int) bool {
	if !m.opens(i + 1) {
		return false
	}
	m.attribute(i, m.Match(i+1))
	return true
}

// typedThrows mends throws(E) (SE-0413).
func (m *swiftMend) typedThrows(i int) bool {
	if !m.opens(i+1) || !m.hugs(i+1) {
		return false
	}
	from := i + 1
	if m.Word(i-1) == "do" {
		from = i
	}
	m.hide(from, m.Match(i+1))
	return true
}

// valueParameter mends <let N: Int> (SE-0452).
func (m *swiftMend) valueParameter(i int) bool {
	if m.Text(i-1) != "<" && (m.Mark(i-1) != ',' || !m.generic(i)) {
		return false
	}
	m.show(i, "")
	return true
}

// arrayLength mends [N of Int] (SE-0483).
func (m *swiftMend) arrayLength(i int) bool {
	if m.Mark(i-2) != '[' || m.Word(i-1) == "" || m.Word(i+1) == "" {
		return false
	}
	m.hide(i-1, i)
	return true
}

// packageLevel shows the access level package (SE-0386) as private.
func (m *swiftMend) packageLevel(i int) bool {
	next := m.Word(i + 1)
	if !swiftHeadWords[next] && !slices.Contains(Modifiers, next) && next != "import" && m.Text(i+2) != "set" {
		return false
	}
	m.show(i, "private")
	return true
}

// usingDeclaration hides using @MainActor, which sets the isolation of a file
// (SE-0466).
func (m *swiftMend) usingDeclaration(i int) bool {
	next := m.Word(i + 1)
	if !m.Tokens[i].Newline || m.Frame(i) >= 0 || !m.spacedWithin(i+1) || m.Mark(i+1) != '@' && next != "nonisolated" {
		return false
	}
	last := i + 1
	if next == "" {
		last++
	}
	m.hide(i, last)
	return true
}

// swiftReserved are the keywords that the grammar takes for such even behind a dot.
var swiftReserved = core.SetOf(
	"try", "await", "as", "is", "in", "throws", "rethrows", "reasync", "where", "else", "catch", "default", "async", "switch", "if", "for", "while",
	"return", "throw", "case", "func", "var", "let", "class", "struct", "enum", "protocol", "extension", "import", "super", "guard", "do",
	"repeat", "break", "continue", "fallthrough", "defer", "nil", "true", "false", "any", "some", "yield", "each", "open", "prefix", "infix",
	"postfix", "operator", "subscript", "typealias", "associatedtype", "static", "public", "private", "internal", "fileprivate", "package",
)

// swiftContextual are the words that begin declarations, and may be names too.
var swiftContextual = core.SetOf(
	"open", "package", "prefix", "postfix", "infix", "dynamic", "optional", "required", "convenience", "override", "final", "lazy", "weak",
	"unowned", "mutating", "nonmutating", "distributed", "indirect", "nonisolated", "precedencegroup", "macro", "actor", "borrowing", "consuming",
)

// isName tells whether the contextual word at token i is a name: nothing that is
// declared follows.
func (m *swiftMend) isName(i int) bool {
	next := m.Mark(i + 1)
	if m.Word(i+1) != "" || next == '[' && m.typeBefore(i) || next == '@' || i+1 >= len(m.Tokens) || m.Tokens[i+1].Kind == Directive || m.Tokens[i+1].Kind == swiftPound {
		return false
	}
	if next == '(' { // private(set), unowned(safe)
		inside := m.Word(i + 2)
		return !m.Tokens[i+1].Spaced && (inside != "set" && inside != "safe" && inside != "unsafe" && inside != "nonsending" || m.Mark(i+3) != ')')
	}
	return true
}

// swiftTypeModifiers stand before a type, and some before a declaration.
var swiftTypeModifiers = core.SetOf("borrowing", "consuming", "sending", "isolated", "__owned", "__shared", "__consuming", "_const", "_local")

// typeWord mends the words that stand before a type.
func (m *swiftMend) typeWord(i int, word string) bool {
	if !swiftTypeModifiers[word] || !m.typeFollows(i) || swiftOwnership[word] && !m.typeBefore(i) && m.Text(i+1) != "get" {
		return false
	}
	m.attribute(i, i)
	return true
}

// effect shows try and await in the condition before a block as an operator, else
// the brace behind would be an argument.
func (m *swiftMend) effect(i int) bool {
	if before := m.Word(i - 1); !m.places[i].cond || before == "for" || before == "try" && m.Word(i-2) == "for" {
		return false
	}
	last := i
	for next := m.Text(last + 1); next == "?" || next == "!" || next == "try" || next == "await" || next == "unsafe"; next = m.Text(last + 1) {
		last++
	}
	for at := m.Tokens[i].Start(); at < m.Tokens[last].End(); at++ {
		m.out[at] = '~'
	}
	m.done = last + 1
	return true
}

// lateWhere hides the conditions that the grammar does not expect: of type
// aliases, and of the patterns of a case behind the first.
func (m *swiftMend) lateWhere(i int) bool {
	if !m.places[i].late && m.head(i) != "typealias" {
		return true
	}
	last := i
	for k := i + 1; k < len(m.Tokens) && m.Frame(k) == m.Frame(i); k++ {
		switch mark := m.Mark(k); {
		case m.places[i].late && (mark == ',' || mark == ':'):
			m.hide(i, last)
			return true
		case m.head(i) == "typealias" && m.Tokens[k].Newline && m.ends(k-1) && !m.continues(k):
			m.hide(i, last)
			return true
		}
		if m.Match(k) > k {
			k = m.Match(k)
		}
		last = k
	}
	if m.head(i) == "typealias" {
		m.hide(i, last)
	}
	return true
}

// continues tells whether the line that begins with token k goes on with what
// stands before.
func (m *swiftMend) continues(k int) bool {
	mark := m.Mark(k)
	return m.Tokens[k].Kind == Operator || mark == '.' || mark == ',' || mark == ':'
}

// swiftOwnership are those of them that the grammar knows before a declaration.
var swiftOwnership = core.SetOf("borrowing", "consuming")

// typeFollows tells whether a type or a declaration stands behind token i.
func (m *swiftMend) typeFollows(i int) bool {
	if i+1 >= len(m.Tokens) || m.Tokens[i+1].Newline || !m.Tokens[i+1].Spaced {
		return false
	}
	mark := m.Mark(i + 1)
	word := m.Word(i + 1)
	return word != "" && word != "in" && word != "as" && word != "is" || mark == '(' || mark == '[' || mark == '@'
}

// swiftOperandWords stand before an operand as operators do.
var swiftOperandWords = core.SetOf("consume", "copy", "discard", "unsafe", "borrow")

// operandWord mends the words that stand before an operand.
func (m *swiftMend) operandWord(i int, word string) bool {
	if !swiftOperandWords[word] || i+1 >= len(m.Tokens) || m.Tokens[i+1].Newline {
		return false
	}
	next := m.Word(i + 1)
	if next == "" && (word != "unsafe" || !m.Tokens[i+1].Spaced || m.Mark(i+1) != '(') || slices.Contains([]string{"in", "as", "is", "else", "where"}, next) {
		return false
	}
	before := m.Word(i - 1)
	if before != "" && !m.Tokens[i].Newline && !slices.Contains(swiftOperandBefore, before) || m.Mark(i-1) == ')' && !m.Tokens[i].Newline {
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
	f := m.Frame(i)
	if as == "" || f < 0 || m.Role(f) != Accessors {
		return false
	}
	required := m.inProtocol(f)
	next := m.Mark(i + 1)
	if next == '{' || required || next == '(' && word == "init" {
		m.show(i, as)
		return true
	}
	return false
}

// inProtocol tells whether token i stands among the requirements of a protocol.
func (m *swiftMend) inProtocol(i int) bool {
	f := m.Frame(i)
	return f >= 0 && m.Role(f) == Protocol
}

// version shows the name of a set of versions, as in #available(SwiftStdlib6, *),
// as one version.
func (m *swiftMend) version(i int) {
	f := m.Frame(i)
	if f < 1 || i-1 != f && m.Mark(i-1) != ',' || m.Mark(i+1) != ',' && m.Mark(i+1) != ')' {
		return
	}
	if of := m.Text(f - 1); of != "#available" && of != "#unavailable" {
		return
	}
	if tok := m.Tokens[i]; tok.End()-tok.Start() >= len("A 1") {
		m.out[tok.End()-2], m.out[tok.End()-1] = ' ', '1'
	}
}

// swiftOpaque are the attributes with arguments of a syntax of their own.
var swiftOpaque = core.SetOf(
	"_specialize", "specialized", "_lifetime", "lifetime", "abi", "differentiable", "derivative", "transpose", "_dynamicReplacement",
	"storageRestrictions", "attached", "_implements", "_originallyDefinedIn", "backDeployed", "_documentation", "_rawLayout", "_typeEraser",
)
