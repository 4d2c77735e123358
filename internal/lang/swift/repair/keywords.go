package repair

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// rewriteWord rewrites the word at token i depending on its context.
func (m *rewriter) rewriteWord(i int) {
	word := m.Text(i)
	if m.spelling(i, word) || m.label(i, word) || m.Mark(i+1) == ':' || m.Word(i-1) == "func" {
		return
	}
	if contextual[word] && m.isName(i) {
		m.out[m.Tokens[i].Start()] = '_'
		return
	}
	if rewrite := wordRewrites[word]; rewrite != nil && rewrite(m, i) {
		return
	}
	if m.typeWord(i, word) || m.operandWord(i, word) || m.accessorWord(i, word) {
		return
	}
	m.version(i)
	m.opaque(i, word)
}

// opaque blanks the arguments of the attribute whose name is token i, if they have a
// syntax of their own.
func (m *rewriter) opaque(i int, word string) {
	if m.Mark(i-1) == '@' && opaqueAttributes[word] && m.opens(i+1) {
		m.hide(i+1, m.Match(i+1))
	}
}

// opens reports whether token i is an opening parenthesis with a partner.
func (m *rewriter) opens(i int) bool { return m.Mark(i) == '(' && m.Match(i) > i }

// spelling rewrites words with unusual characters, and keywords used as names after a
// dot. It reports whether it did.
func (m *rewriter) spelling(i int, word string) bool {
	tok := m.Tokens[i]
	switch {
	case strings.HasPrefix(word, "`"): // raw identifiers (SE-0451)
		for at := tok.Start() + 1; at < tok.End()-1; at++ {
			if !srctext.NameByte(m.Src[at]) {
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
		if reserved[word] || word == "self" && m.Mark(i+1) == '(' && m.adjacent(i+1) {
			m.out[tok.Start()] = '_'
		}
	default:
		return false
	}
	return true
}

// label rewrites words before a colon: the label of a trailing closure on a line of its
// own, and an underscore instead of a label.
func (m *rewriter) label(i int, word string) bool {
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

// wordRewrites rewrite words with one meaning. They report whether they changed
// anything.
var wordRewrites = map[string]func(m *rewriter, i int) bool{
	"nonisolated": (*rewriter).isolation, "throws": (*rewriter).typedThrows, "try": (*rewriter).effect, "await": (*rewriter).effect,
	"where": (*rewriter).lateWhere, "let": (*rewriter).valueParameter, "of": (*rewriter).arrayLength, "func": (*rewriter).bodyless,
	"package": (*rewriter).packageLevel, "using": (*rewriter).usingDeclaration,
	"reasync": func(m *rewriter, i int) bool {
		m.replace(i, "async")
		return true
	},
	"fallthrough": func(m *rewriter, i int) bool {
		m.out[m.Tokens[i].Start()] = '_'
		return true
	},
	"case": func(m *rewriter, i int) bool { // for case (let a, let b?) in
		if m.Word(i-1) == "for" && m.Mark(i+1) == '(' {
			m.replace(i, "")
		}
		return true
	},
	"yield": func(m *rewriter, i int) bool { // a function named yield
		if m.opens(i+1) && m.Match(i+1) == i+2 {
			m.out[m.Tokens[i].Start()] = '_'
		}
		return true
	},
	"deinit": func(m *rewriter, i int) bool { // without a body, see bodyless
		if m.inType(i) && m.Mark(i+1) != '{' {
			m.replace(i, "init()")
		}
		return true
	},
}

// isolation rewrites nonisolated(unsafe) and nonisolated(nonsending).
func (m *rewriter) isolation(i int) bool {
	if !m.opens(i + 1) {
		return false
	}
	m.attribute(i, m.Match(i+1))
	return true
}

// typedThrows rewrites throws(E) (SE-0413).
func (m *rewriter) typedThrows(i int) bool {
	if !m.opens(i+1) || !m.adjacent(i+1) {
		return false
	}
	from := i + 1
	if m.Word(i-1) == "do" {
		from = i
	}
	m.hide(from, m.Match(i+1))
	return true
}

// valueParameter rewrites <let N: Int> (SE-0452).
func (m *rewriter) valueParameter(i int) bool {
	if m.Text(i-1) != "<" && (m.Mark(i-1) != ',' || !m.generic(i)) {
		return false
	}
	m.replace(i, "")
	return true
}

// arrayLength rewrites [N of Int] (SE-0483).
func (m *rewriter) arrayLength(i int) bool {
	if m.Mark(i-2) != '[' || m.Word(i-1) == "" || m.Word(i+1) == "" {
		return false
	}
	m.hide(i-1, i)
	return true
}

// packageLevel replaces the access level package (SE-0386) with private.
func (m *rewriter) packageLevel(i int) bool {
	next := m.Word(i + 1)
	if !headWords[next] && !slices.Contains(Modifiers, next) && next != "import" && m.Text(i+2) != "set" {
		return false
	}
	m.replace(i, "private")
	return true
}

// usingDeclaration blanks using @MainActor, which sets the isolation of a file
// (SE-0466).
func (m *rewriter) usingDeclaration(i int) bool {
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

// reserved are the words that the grammar treats as keywords even after a dot.
var reserved = core.SetOf(
	"try", "await", "as", "is", "in", "throws", "rethrows", "reasync", "where", "else", "catch", "default", "async", "switch", "if", "for", "while",
	"return", "throw", "case", "func", "var", "let", "class", "struct", "enum", "protocol", "extension", "import", "super", "guard", "do",
	"repeat", "break", "continue", "fallthrough", "defer", "nil", "true", "false", "any", "some", "yield", "each", "open", "prefix", "infix",
	"postfix", "operator", "subscript", "typealias", "associatedtype", "static", "public", "private", "internal", "fileprivate", "package",
)

// contextual are the words that begin declarations but may also be names.
var contextual = core.SetOf(
	"open", "package", "prefix", "postfix", "infix", "dynamic", "optional", "required", "convenience", "override", "final", "lazy", "weak",
	"unowned", "mutating", "nonmutating", "distributed", "indirect", "nonisolated", "precedencegroup", "macro", "actor", "borrowing", "consuming",
)

// isName reports whether the contextual word at token i is a name, because no
// declaration follows.
func (m *rewriter) isName(i int) bool {
	next := m.Mark(i + 1)
	if m.Word(i+1) != "" || next == '[' && m.typeBefore(i) || next == '@' || i+1 >= len(m.Tokens) || m.Tokens[i+1].Kind == Directive || m.Tokens[i+1].Kind == poundToken {
		return false
	}
	if next == '(' { // private(set), unowned(safe)
		inside := m.Word(i + 2)
		return !m.Tokens[i+1].Spaced && (inside != "set" && inside != "safe" && inside != "unsafe" && inside != "nonsending" || m.Mark(i+3) != ')')
	}
	return true
}

// typeModifiers may precede a type; some may precede a declaration.
var typeModifiers = core.SetOf("borrowing", "consuming", "sending", "isolated", "__owned", "__shared", "__consuming", "_const", "_local")

// typeWord rewrites modifiers before a type.
func (m *rewriter) typeWord(i int, word string) bool {
	if !typeModifiers[word] || !m.typeFollows(i) || ownership[word] && !m.typeBefore(i) && m.Text(i+1) != "get" {
		return false
	}
	m.attribute(i, i)
	return true
}

// effect replaces try and await in a condition before a block with an operator.
// Otherwise the brace after it would be parsed as an argument.
func (m *rewriter) effect(i int) bool {
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

// lateWhere blanks where clauses that the grammar does not accept: of type aliases, and
// of all patterns of a case but the first.
func (m *rewriter) lateWhere(i int) bool {
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

// continues reports whether the line that begins with token k continues the previous
// one.
func (m *rewriter) continues(k int) bool {
	mark := m.Mark(k)
	return m.Tokens[k].Kind == Operator || mark == '.' || mark == ',' || mark == ':'
}

// ownership are the type modifiers that the grammar accepts before a declaration.
var ownership = core.SetOf("borrowing", "consuming")

// typeFollows reports whether a type or declaration follows token i.
func (m *rewriter) typeFollows(i int) bool {
	if i+1 >= len(m.Tokens) || m.Tokens[i+1].Newline || !m.Tokens[i+1].Spaced {
		return false
	}
	mark := m.Mark(i + 1)
	word := m.Word(i + 1)
	return word != "" && word != "in" && word != "as" && word != "is" || mark == '(' || mark == '[' || mark == '@'
}

// operandWords precede an operand like operators.
var operandWords = core.SetOf("consume", "copy", "discard", "unsafe", "borrow")

// operandWord rewrites words that precede an operand.
func (m *rewriter) operandWord(i int, word string) bool {
	if !operandWords[word] || i+1 >= len(m.Tokens) || m.Tokens[i+1].Newline {
		return false
	}
	next := m.Word(i + 1)
	if next == "" && (word != "unsafe" || !m.Tokens[i+1].Spaced || m.Mark(i+1) != '(') || slices.Contains([]string{"in", "as", "is", "else", "where"}, next) {
		return false
	}
	before := m.Word(i - 1)
	if before != "" && !m.Tokens[i].Newline && !slices.Contains(operandBefore, before) || m.Mark(i-1) == ')' && !m.Tokens[i].Newline {
		return false
	}
	if before == "for" {
		m.replace(i, "")
		return true
	}
	m.replace(i, strings.Repeat("~", len(word)))
	return true
}

// accessorWords maps other accessors to get or set, which the grammar accepts.
var accessorWords = map[string]string{
	"_read": "get", "read": "get", "unsafeAddress": "get", "borrow": "get", "_borrow": "get",
	"modify": "set", "unsafeMutableAddress": "set", "mutate": "set", "_mutate": "set", "init": "set",
}

// accessorWord rewrites the names of accessors.
func (m *rewriter) accessorWord(i int, word string) bool {
	as := accessorWords[word]
	f := m.Frame(i)
	if as == "" || f < 0 || m.Role(f) != Accessors {
		return false
	}
	required := m.inProtocol(f)
	next := m.Mark(i + 1)
	if next == '{' || required || next == '(' && word == "init" {
		m.replace(i, as)
		return true
	}
	return false
}

// inProtocol reports whether token i is directly among the requirements of a protocol.
func (m *rewriter) inProtocol(i int) bool {
	f := m.Frame(i)
	return f >= 0 && m.Role(f) == Protocol
}

// version replaces the name of a set of versions, as in #available(SwiftStdlib6, *),
// with one version.
func (m *rewriter) version(i int) {
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

// opaqueAttributes are the attributes whose arguments have a syntax of their own.
var opaqueAttributes = core.SetOf(
	"_specialize", "specialized", "_lifetime", "lifetime", "abi", "differentiable", "derivative", "transpose", "_dynamicReplacement",
	"storageRestrictions", "attached", "_implements", "_originallyDefinedIn", "backDeployed", "_documentation", "_rawLayout", "_typeEraser",
)
