package repair

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// Upper reports whether name begins with an upper-case letter, as types do.
func Upper(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// Role is the kind of content between two brackets.
type Role uint8

// The roles of brackets.
const (
	Code      Role = iota // statements
	Body                  // members of a type
	Protocol              // requirements of a protocol
	Accessors             // get, set and other accessors
	listRole              // content of ( ) or [ ]
)

// SourceText is a text as tokens, each with its context.
type SourceText struct {
	Src    []byte
	Tokens []Token
	places []place // context of each token
}

// place is the context of a token.
type place struct {
	frame int32 // opening token of the enclosing bracket, or -1
	match int32 // for a bracket, its partner, or -1
	role  Role  // for an opening bracket, the kind of its content
	head  uint8 // what its statement declares: an index of headKeywords
	cond  bool  // between if, while, for or switch and the following brace
	late  bool  // in a case, after its first pattern
}

// Frame returns the opening token of the bracket around token i, or -1.
func (t *SourceText) Frame(i int) int { return int(t.places[i].frame) }

// Match returns the partner of the bracket token i, or -1.
func (t *SourceText) Match(i int) int { return int(t.places[i].match) }

// Role returns the kind of content of the bracket that token i opens.
func (t *SourceText) Role(i int) Role { return t.places[i].role }

// head returns the keyword of the declaration around token i, or "".
func (t *SourceText) head(i int) string { return headKeywords[t.places[i].head] }

// typeWords are the keywords of declarations with members.
var typeWords = core.SetOf("struct", "class", "enum", "extension", "protocol", "actor")

// statementHead is the state of the statement being read.
type statementHead struct {
	word     string // keyword of the declaration; "" for none
	index    uint8  // index of word in headKeywords
	assigned bool   // an = follows the keyword
	cond     bool   // it is a condition before a block
	pattern  bool   // it is the patterns of a case
	late     bool   // its first pattern has been read
}

// NewSourceText returns the tokens of a text with their brackets matched.
func NewSourceText(src []byte) *SourceText {
	t := &SourceText{Src: src, Tokens: tokenize(src)}
	n := len(t.Tokens)
	t.places = make([]place, n)
	open, heads := []int{}, []statementHead{{}}
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
				*head = statementHead{}
			}
			open, heads = append(open, i), append(heads, statementHead{})
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

// opener returns the index in open of the bracket that mark closes, or -1. A closing
// brace also ends unclosed brackets of other kinds inside it.
func (t *SourceText) opener(open []int, mark byte) int {
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

// Mark returns the byte of a punctuation token, or 0 for other tokens.
func (t *SourceText) Mark(i int) byte {
	if i < 0 || i >= len(t.Tokens) || t.Tokens[i].Kind != Mark {
		return 0
	}
	return t.Src[t.Tokens[i].Start()]
}

// Text returns a token's text, or "" if i is out of range.
func (t *SourceText) Text(i int) string {
	if i < 0 || i >= len(t.Tokens) {
		return ""
	}
	return string(t.Src[t.Tokens[i].Start():t.Tokens[i].End()])
}

// Word returns the text of a word token, or "" for other tokens.
func (t *SourceText) Word(i int) string {
	if i < 0 || i >= len(t.Tokens) || t.Tokens[i].Kind != Word {
		return ""
	}
	return t.Text(i)
}

// roleOf returns the kind of content of the bracket at token i.
func (t *SourceText) roleOf(i int, mark byte, head *statementHead) Role {
	switch {
	case mark != '{':
		return listRole
	case head.word == "protocol":
		return Protocol
	case typeWords[head.word]:
		return Body
	case head.word == "subscript":
		return Accessors
	case head.word == "var" && !head.assigned, head.word != "" && observers[t.Word(i+1)] && t.Mark(i+2) != ',':
		return Accessors
	}
	return Code
}

// observers are the first words of a list of observers after a value.
var observers = core.SetOf("willSet", "didSet")

// headKeywords are the keywords of declarations. The first entry means none.
var headKeywords = []string{
	"", "struct", "class", "enum", "extension", "protocol", "actor", "var", "let", "subscript", "func", "init", "deinit", "macro", "case",
	"associatedtype", "typealias",
}

var headWords = core.SetOf(headKeywords[1:]...)

// follow updates the state of a statement with token i, which is not a bracket.
func (t *SourceText) follow(i int, head *statementHead) {
	switch mark := t.Mark(i); {
	case t.Tokens[i].Kind == Operator:
		head.assigned = head.assigned || head.word != "" && t.Text(i) == "="
	case mark == ';', mark == ':' && head.pattern:
		*head = statementHead{}
	case mark == ',':
		head.late = head.pattern
	case t.Tokens[i].Kind == Word && t.Mark(i-1) != '.':
		t.followWord(i, head)
	}
}

// followWord updates the state of a statement with the word at token i.
func (t *SourceText) followWord(i int, head *statementHead) {
	word := t.Text(i)
	if !t.isList(i) {
		switch {
		case conditionWords[word] && t.Mark(i+1) != ':':
			*head = statementHead{cond: true}
			return
		case word == "case" && !head.cond && !t.inType(i):
			*head = statementHead{pattern: true}
			return
		}
	}
	switch {
	case head.cond || head.pattern:
	case headWords[word] && t.declares(i, word):
		*head = statementHead{word: word, index: uint8(slices.Index(headKeywords, word))}
	case t.Tokens[i].Newline && head.word != "" && !Continues[word] && t.ends(i-1):
		*head = statementHead{}
	}
}

// conditionWords begin a condition that ends with a block.
var conditionWords = core.SetOf("if", "while", "for", "switch", "guard")

// isList reports whether token i is directly in ( ) or [ ].
func (t *SourceText) isList(i int) bool {
	f := t.Frame(i)
	return f >= 0 && t.Role(f) == listRole
}

// Continues are the words that continue a declaration on a new line.
var Continues = core.SetOf("where", "throws", "rethrows", "async", "in", "as", "is", "else")

// ends reports whether a statement may end with token i.
func (t *SourceText) ends(i int) bool {
	switch m := t.Mark(i); {
	case m == ',', m == ':', m == '(', m == '[', m == '.', m == '@':
		return false
	case i >= 0 && t.Tokens[i].Kind == Operator:
		return t.Text(i) == "?" || t.Text(i) == "!" || t.Text(i) == ">"
	}
	return !goesOn[t.Word(i)]
}

// goesOn are the words that a statement cannot end with.
var goesOn = core.SetOf("where", "any", "some", "as", "is", "each", "func", "var", "let", "import", "try", "await", "case")

// declares reports whether the word at token i begins a declaration, and is not a label
// or a modifier of another declaration.
func (t *SourceText) declares(i int, word string) bool {
	next := t.Word(i + 1)
	switch {
	case t.Mark(i+1) == ':' || t.Mark(i+1) == ',':
		return false
	case word == "class":
		return next != "" && !MemberWords[next] && !slices.Contains(Modifiers, next) && t.Word(i-1) != "import"
	case word == "actor", word == "macro", word == "extension", word == "protocol", word == "struct", word == "enum":
		return next != "" && !t.Tokens[i+1].Newline && t.Word(i-1) != "import"
	case word == "init", word == "deinit", word == "subscript":
		return t.inType(i)
	case word == "case":
		return t.inType(i)
	}
	return true
}

// MemberWords may follow class and static as modifiers.
var MemberWords = core.SetOf("func", "var", "let", "subscript", "init")

// inType reports whether token i is directly among the members of a type.
func (t *SourceText) inType(i int) bool {
	f := t.Frame(i)
	return f >= 0 && (t.Role(f) == Body || t.Role(f) == Protocol)
}

// Modifiers are the words that may precede a declaration.
var Modifiers = []string{
	"open", "public", "package", "internal", "fileprivate", "private", "static", "class", "final", "override", "mutating", "nonmutating",
	"lazy", "weak", "unowned", "required", "convenience", "dynamic", "optional", "indirect", "prefix", "infix", "postfix", "nonisolated",
	"isolated", "distributed", "borrowing", "consuming", "__consuming", "async",
}

// Begins reports whether the line that begins with token i is a statement of its own.
func (t *SourceText) Begins(i int) bool {
	return t.ends(i-1) && !Continues[t.Word(i)] && t.Tokens[i].Kind != Operator && strings.IndexByte(".,:([{)]}", max(t.Mark(i), 1)) < 0
}

// Closing returns the token that closes the angle bracket at token i, or i if there is
// none.
func (t *SourceText) Closing(i int) int {
	depth := 0
	for k := i; k < min(len(t.Tokens), i+maxAngles); k++ {
		depth += t.Angle(k)
		switch mark := t.Mark(k); {
		case depth <= 0:
			return k
		case mark == '(' || mark == '[':
			k = max(k, t.Match(k))
		case mark == ')' || mark == ']' || mark == '{' || mark == '}' || mark == ';':
			return i
		}
	}
	return i
}

// maxAngles is the maximum number of tokens between angle brackets.
const maxAngles = 256

// Angle returns the number of angle brackets that token i opens minus the number it
// closes.
func (t *SourceText) Angle(i int) int {
	if t.Tokens[i].Kind != Operator {
		return 0
	}
	text := t.Text(i)
	if text == "->" || strings.Trim(text, "<>?!=~.&*") != "" {
		return 0
	}
	return strings.Count(text, "<") - strings.Count(text, ">")
}
