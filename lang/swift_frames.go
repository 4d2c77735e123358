package lang

import "slices"

// swiftRole is what stands between two brackets.
type swiftRole uint8

const (
	swiftCode      swiftRole = iota // statements
	swiftBody                       // the members of a type
	swiftProtocol                   // the requirements of a protocol
	swiftAccessors                  // get, set and their like
	swiftList                       // what stands in ( ) or [ ]
)

// swiftText is a text in tokens, each with the bracket it stands in.
type swiftText struct {
	src    []byte
	tokens []swiftToken
	frame  []int       // for each token the one that opens the bracket around it; -1 for none
	role   []swiftRole // for each token that opens a bracket, what it holds
	match  []int       // for each bracket the other one; -1 for none
	head   []string    // for each token the word that says what its statement declares
	cond   []bool      // for each token, whether it stands between if, while, for or switch and the brace behind
	late   []bool      // for each token, whether it stands in a case behind its first pattern
}

// swiftTypeWords begin the declarations that have members.
var swiftTypeWords = setOf("struct", "class", "enum", "extension", "protocol", "actor")

// swiftHead is what the statement being read has shown of itself.
type swiftHead struct {
	word     string // the keyword that says what it declares; "" for none
	assigned bool   // an = stands behind it
	cond     bool   // it is the condition before a block
	pattern  bool   // it is the patterns of a case
	late     bool   // the first of them has been read
}

func newSwiftText(src []byte) *swiftText {
	t := &swiftText{src: src, tokens: swiftTokens(src)}
	n := len(t.tokens)
	t.frame, t.role, t.match = make([]int, n), make([]swiftRole, n), make([]int, n)
	t.head, t.cond, t.late = make([]string, n), make([]bool, n), make([]bool, n)
	open, heads := []int{}, []swiftHead{{}}
	for i := range t.tokens {
		t.frame[i], t.match[i] = -1, -1
		if len(open) > 0 {
			t.frame[i] = open[len(open)-1]
		}
		head := &heads[len(heads)-1]
		switch text := t.mark(i); text {
		case '(', '[', '{':
			t.role[i] = t.roleOf(i, text, head)
			if text == '{' && (!head.assigned || head.cond) {
				*head = swiftHead{}
			}
			open, heads = append(open, i), append(heads, swiftHead{})
		case ')', ']', '}':
			at := t.opener(open, text)
			if at < 0 {
				continue
			}
			t.match[i], t.match[open[at]] = open[at], i
			open, heads = open[:at], heads[:at+1]
			t.frame[i] = -1
			if at > 0 {
				t.frame[i] = open[at-1]
			}
		default:
			t.follow(i, head)
		}
		head = &heads[len(heads)-1]
		t.head[i], t.cond[i], t.late[i] = head.word, head.cond, head.late
	}
	return t
}

// opener returns which of the open brackets the mark closes. A brace closes the
// brackets of other kinds in it.
func (t *swiftText) opener(open []int, mark byte) int {
	for at := len(open) - 1; at >= 0; at-- {
		switch other := t.mark(open[at]); {
		case other == '(' && mark == ')', other == '[' && mark == ']', other == '{' && mark == '}':
			return at
		case other == '{':
			return -1
		}
	}
	return -1
}

// mark returns the byte of a token that is one mark; else 0.
func (t *swiftText) mark(i int) byte {
	if i < 0 || i >= len(t.tokens) || t.tokens[i].kind != swiftMark {
		return 0
	}
	return t.src[t.tokens[i].start]
}

// text returns a token's text; "" outside of the file.
func (t *swiftText) text(i int) string {
	if i < 0 || i >= len(t.tokens) {
		return ""
	}
	return string(t.src[t.tokens[i].start:t.tokens[i].end])
}

// word returns the text of a token that is a word; else "".
func (t *swiftText) word(i int) string {
	if i < 0 || i >= len(t.tokens) || t.tokens[i].kind != swiftWord {
		return ""
	}
	return t.text(i)
}

// roleOf says what the bracket at token i holds.
func (t *swiftText) roleOf(i int, mark byte, head *swiftHead) swiftRole {
	switch {
	case mark != '{':
		return swiftList
	case head.word == "protocol":
		return swiftProtocol
	case swiftTypeWords[head.word]:
		return swiftBody
	case head.word == "subscript":
		return swiftAccessors
	case head.word == "var" && !head.assigned, head.word != "" && swiftObservers[t.word(i+1)] && t.mark(i+2) != ',':
		return swiftAccessors
	}
	return swiftCode
}

// swiftObservers are the words that begin a list of accessors behind a value.
var swiftObservers = setOf("willSet", "didSet")

// swiftHeadWords say what a statement declares.
var swiftHeadWords = setOf("struct", "class", "enum", "extension", "protocol", "actor", "var", "let", "subscript", "func", "init", "deinit", "macro", "case", "associatedtype", "typealias")

// follow takes the token i, which is no bracket, into the head of its statement.
func (t *swiftText) follow(i int, head *swiftHead) {
	tok := t.tokens[i]
	word := t.word(i)
	switch {
	case tok.kind == swiftOperator:
		head.assigned = head.assigned || head.word != "" && t.text(i) == "="
		return
	case t.mark(i) == ';', t.mark(i) == ':' && head.pattern:
		*head = swiftHead{}
		return
	case t.mark(i) == ',':
		head.late = head.pattern
		return
	case word == "" || t.mark(i-1) == '.':
		return
	case swiftConditionWords[word] && t.mark(i+1) != ':' && !t.isList(i):
		*head = swiftHead{cond: true}
	case word == "case" && !head.cond && !t.inType(i) && !t.isList(i):
		*head = swiftHead{pattern: true}
	case head.cond || head.pattern:
	case swiftHeadWords[word] && t.declares(i, word):
		*head = swiftHead{word: word}
	case tok.newline && head.word != "" && !head.pattern && !swiftContinues[word] && t.ends(i-1):
		*head = swiftHead{}
	}
}

// swiftConditionWords are followed by what ends with a block.
var swiftConditionWords = setOf("if", "while", "for", "switch", "guard")

// isList tells whether the token stands in ( ) or [ ].
func (t *swiftText) isList(i int) bool {
	f := t.frame[i]
	return f >= 0 && t.role[f] == swiftList
}

// swiftContinues are the words that begin a line of the declaration before it.
var swiftContinues = setOf("where", "throws", "rethrows", "async", "in", "as", "is", "else")

// ends tells whether a statement may end with token i.
func (t *swiftText) ends(i int) bool {
	switch m := t.mark(i); {
	case m == ',', m == ':', m == '(', m == '[', m == '.', m == '@':
		return false
	case i >= 0 && t.tokens[i].kind == swiftOperator:
		return t.text(i) == "?" || t.text(i) == "!" || t.text(i) == ">"
	}
	return !swiftGoesOn[t.word(i)]
}

// swiftGoesOn are the words that a statement cannot end with.
var swiftGoesOn = setOf("where", "any", "some", "as", "is", "each", "func", "var", "let", "import", "try", "await", "case")

// declares tells whether the word at token i declares something: it is no label,
// and no modifier of another declaration.
func (t *swiftText) declares(i int, word string) bool {
	next := t.word(i + 1)
	switch {
	case t.mark(i+1) == ':' || t.mark(i+1) == ',':
		return false
	case word == "class":
		return next != "" && !swiftMemberWords[next] && !slices.Contains(swiftModifiers, next) && t.word(i-1) != "import"
	case word == "actor", word == "macro", word == "extension", word == "protocol", word == "struct", word == "enum":
		return next != "" && !t.tokens[i+1].newline && t.word(i-1) != "import"
	case word == "init", word == "deinit", word == "subscript":
		return t.inType(i)
	case word == "case":
		return t.inType(i)
	}
	return true
}

// swiftMemberWords follow class and static as modifiers.
var swiftMemberWords = setOf("func", "var", "let", "subscript", "init")

// inType tells whether the token stands among the members of a type.
func (t *swiftText) inType(i int) bool {
	f := t.frame[i]
	return f >= 0 && (t.role[f] == swiftBody || t.role[f] == swiftProtocol)
}

// swiftModifiers are the words that stand before a declaration.
var swiftModifiers = []string{
	"open", "public", "package", "internal", "fileprivate", "private", "static", "class", "final", "override", "mutating", "nonmutating",
	"lazy", "weak", "unowned", "required", "convenience", "dynamic", "optional", "indirect", "prefix", "infix", "postfix", "nonisolated",
	"isolated", "distributed", "borrowing", "consuming", "__consuming", "async",
}
