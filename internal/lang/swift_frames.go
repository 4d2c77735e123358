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

// swiftText is a text in tokens, each with the place where it stands.
type swiftText struct {
	Src    []byte
	Tokens []swiftToken
	places []swiftPlace // for each token
}

// swiftPlace is where a token stands.
type swiftPlace struct {
	frame int32     // the token that opens the bracket around; -1 for none
	match int32     // of a bracket the other one; -1 for none
	role  swiftRole // of what opens a bracket, what it holds
	head  uint8     // what its statement declares, an index of swiftHeads
	cond  bool      // it stands between if, while, for or switch and the brace behind
	late  bool      // it stands in a case behind its first pattern
}

// Frame returns the token that opens the bracket around token i; -1 for none.
func (t *swiftText) Frame(i int) int { return int(t.places[i].frame) }

// Match returns the other bracket to the one that is token i; -1 for none.
func (t *swiftText) Match(i int) int { return int(t.places[i].match) }

// Role returns what the bracket holds that token i opens.
func (t *swiftText) Role(i int) swiftRole { return t.places[i].role }

// head returns the word that says what the statement around token i declares.
func (t *swiftText) head(i int) string { return swiftHeads[t.places[i].head] }

// swiftTypeWords begin the declarations that have members.
var swiftTypeWords = SetOf("struct", "class", "enum", "extension", "protocol", "actor")

// swiftHead is what the statement being read has shown of itself.
type swiftHead struct {
	word     string // the keyword that says what it declares; "" for none
	index    uint8  // of the word in swiftHeads
	assigned bool   // an = stands behind it
	cond     bool   // it is the condition before a block
	pattern  bool   // it is the patterns of a case
	late     bool   // the first of them has been read
}

func newSwiftText(src []byte) *swiftText {
	t := &swiftText{Src: src, Tokens: swiftTokens(src)}
	n := len(t.Tokens)
	t.places = make([]swiftPlace, n)
	open, heads := []int{}, []swiftHead{{}}
	for i := range t.Tokens {
		at := &t.places[i]
		at.frame, at.match = -1, -1
		if len(open) > 0 {
			at.frame = int32(open[len(open)-1])
		}
		head := &heads[len(heads)-1]
		switch text := t.Mark(i); text {
		case '(', '[', '{':
			at.role = t.roleOf(i, text, head)
			if text == '{' && (!head.assigned || head.cond) {
				*head = swiftHead{}
			}
			open, heads = append(open, i), append(heads, swiftHead{})
		case ')', ']', '}':
			k := t.opener(open, text)
			if k < 0 {
				continue
			}
			at.match, t.places[open[k]].match = int32(open[k]), int32(i)
			open, heads = open[:k], heads[:k+1]
			at.frame = -1
			if k > 0 {
				at.frame = int32(open[k-1])
			}
		default:
			t.follow(i, head)
		}
		head = &heads[len(heads)-1]
		at.head, at.cond, at.late = head.index, head.cond, head.late
	}
	return t
}

// opener returns which of the open brackets the mark closes. A brace closes the
// brackets of other kinds in it.
func (t *swiftText) opener(open []int, mark byte) int {
	for at, token := range slices.Backward(open) {
		switch other := t.Mark(token); {
		case other == '(' && mark == ')', other == '[' && mark == ']', other == '{' && mark == '}':
			return at
		case other == '{':
			return -1
		}
	}
	return -1
}

// Mark returns the byte of a token that is one mark; else 0.
func (t *swiftText) Mark(i int) byte {
	if i < 0 || i >= len(t.Tokens) || t.Tokens[i].Kind != swiftMark {
		return 0
	}
	return t.Src[t.Tokens[i].Start()]
}

// Text returns a token's text; "" outside of the file.
func (t *swiftText) Text(i int) string {
	if i < 0 || i >= len(t.Tokens) {
		return ""
	}
	return string(t.Src[t.Tokens[i].Start():t.Tokens[i].End()])
}

// Word returns the text of a token that is a word; else "".
func (t *swiftText) Word(i int) string {
	if i < 0 || i >= len(t.Tokens) || t.Tokens[i].Kind != swiftWord {
		return ""
	}
	return t.Text(i)
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
	case head.word == "var" && !head.assigned, head.word != "" && swiftObservers[t.Word(i+1)] && t.Mark(i+2) != ',':
		return swiftAccessors
	}
	return swiftCode
}

// swiftObservers are the words that begin a list of accessors behind a value.
var swiftObservers = SetOf("willSet", "didSet")

// swiftHeads are the words that say what a statement declares; first that there
// is none.
var swiftHeads = []string{
	"", "struct", "class", "enum", "extension", "protocol", "actor", "var", "let", "subscript", "func", "init", "deinit", "macro", "case",
	"associatedtype", "typealias",
}

var swiftHeadWords = SetOf(swiftHeads[1:]...)

// follow takes the token i, which is no bracket, into the head of its statement.
func (t *swiftText) follow(i int, head *swiftHead) {
	switch mark := t.Mark(i); {
	case t.Tokens[i].Kind == swiftOperator:
		head.assigned = head.assigned || head.word != "" && t.Text(i) == "="
	case mark == ';', mark == ':' && head.pattern:
		*head = swiftHead{}
	case mark == ',':
		head.late = head.pattern
	case t.Tokens[i].Kind == swiftWord && t.Mark(i-1) != '.':
		t.followWord(i, head)
	}
}

// followWord takes the word at token i into the head of its statement.
func (t *swiftText) followWord(i int, head *swiftHead) {
	word := t.Text(i)
	if !t.isList(i) {
		switch {
		case swiftConditionWords[word] && t.Mark(i+1) != ':':
			*head = swiftHead{cond: true}
			return
		case word == "case" && !head.cond && !t.inType(i):
			*head = swiftHead{pattern: true}
			return
		}
	}
	switch {
	case head.cond || head.pattern:
	case swiftHeadWords[word] && t.declares(i, word):
		*head = swiftHead{word: word, index: uint8(slices.Index(swiftHeads, word))}
	case t.Tokens[i].Newline && head.word != "" && !swiftContinues[word] && t.ends(i-1):
		*head = swiftHead{}
	}
}

// swiftConditionWords are followed by what ends with a block.
var swiftConditionWords = SetOf("if", "while", "for", "switch", "guard")

// isList tells whether the token stands in ( ) or [ ].
func (t *swiftText) isList(i int) bool {
	f := t.Frame(i)
	return f >= 0 && t.Role(f) == swiftList
}

// swiftContinues are the words that begin a line of the declaration before it.
var swiftContinues = SetOf("where", "throws", "rethrows", "async", "in", "as", "is", "else")

// ends tells whether a statement may end with token i.
func (t *swiftText) ends(i int) bool {
	switch m := t.Mark(i); {
	case m == ',', m == ':', m == '(', m == '[', m == '.', m == '@':
		return false
	case i >= 0 && t.Tokens[i].Kind == swiftOperator:
		return t.Text(i) == "?" || t.Text(i) == "!" || t.Text(i) == ">"
	}
	return !swiftGoesOn[t.Word(i)]
}

// swiftGoesOn are the words that a statement cannot end with.
var swiftGoesOn = SetOf("where", "any", "some", "as", "is", "each", "func", "var", "let", "import", "try", "await", "case")

// declares tells whether the word at token i declares something: it is no label,
// and no modifier of another declaration.
func (t *swiftText) declares(i int, word string) bool {
	next := t.Word(i + 1)
	switch {
	case t.Mark(i+1) == ':' || t.Mark(i+1) == ',':
		return false
	case word == "class":
		return next != "" && !swiftMemberWords[next] && !slices.Contains(swiftModifiers, next) && t.Word(i-1) != "import"
	case word == "actor", word == "macro", word == "extension", word == "protocol", word == "struct", word == "enum":
		return next != "" && !t.Tokens[i+1].Newline && t.Word(i-1) != "import"
	case word == "init", word == "deinit", word == "subscript":
		return t.inType(i)
	case word == "case":
		return t.inType(i)
	}
	return true
}

// swiftMemberWords follow class and static as modifiers.
var swiftMemberWords = SetOf("func", "var", "let", "subscript", "init")

// inType tells whether the token stands among the members of a type.
func (t *swiftText) inType(i int) bool {
	f := t.Frame(i)
	return f >= 0 && (t.Role(f) == swiftBody || t.Role(f) == swiftProtocol)
}

// swiftModifiers are the words that stand before a declaration.
var swiftModifiers = []string{
	"open", "public", "package", "internal", "fileprivate", "private", "static", "class", "final", "override", "mutating", "nonmutating",
	"lazy", "weak", "unowned", "required", "convenience", "dynamic", "optional", "indirect", "prefix", "infix", "postfix", "nonisolated",
	"isolated", "distributed", "borrowing", "consuming", "__consuming", "async",
}
