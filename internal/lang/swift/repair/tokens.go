package repair

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// The grammar is older than much of the language, and one unknown token can make it
// fail for a whole file. The text is therefore tokenized first by the rules of The
// Swift Programming Language, "Lexical Structure". The rewrites work on tokens, never
// on bytes.

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	Word        Kind = iota // an identifier or keyword; $0; `in backticks`
	numberToken             // 1, 0xff, 1.5e3
	Operator                // a sequence of operator characters
	Mark                    // one of ( ) [ ] { } , : ; @ \ . or any other character
	stringToken             // a string literal, including interpolations
	regexToken              // /…/ or #/…/#
	poundToken              // #word
	Directive               // #if, #elseif, #else or #endif, up to the end of the condition
)

// Token is a token and its position.
type Token struct {
	from, to int32
	Kind     Kind
	Newline  bool // first token of its line
	Spaced   bool // preceded by white space or a comment
}

// Start returns the offset of the first byte.
func (t Token) Start() int { return int(t.from) }

// End returns the offset after the last byte.
func (t Token) End() int { return int(t.to) }

// lexer splits a text into tokens.
type lexer struct {
	text   []byte
	at     int
	tokens []Token
}

func tokenize(text []byte) []Token {
	l := lexer{text: text, tokens: make([]Token, 0, len(text)/4)}
	if bytes.HasPrefix(text, []byte("#!")) {
		l.at = Within(text, 0, "\n")
	}
	for {
		newline, spaced := l.space()
		if l.at >= len(text) {
			return l.tokens
		}
		start := l.at
		kind := l.token()
		l.at = max(l.at, start+1)
		l.tokens = append(l.tokens, Token{int32(start), int32(l.at), kind, newline || start == 0, spaced || start == 0})
	}
}

// space skips white space and comments.
func (l *lexer) space() (newline, spaced bool) {
	start := l.at
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case c == '\n':
			newline = true
			l.at++
		case c == ' ' || c == '\t' || c == '\r' || c == 0 || c == '\v' || c == '\f':
			l.at++
		case l.looking("//"):
			l.at = Within(l.text, l.at, "\n")
		case l.looking("/*"):
			end := CommentEnd(l.text, l.at)
			newline = newline || bytes.IndexByte(l.text[l.at:end], '\n') >= 0
			l.at = end
		default:
			return newline, l.at > start
		}
	}
	return newline, l.at > start
}

// CommentEnd returns the end of the comment that begins at from. Comments nest.
func CommentEnd(text []byte, from int) int {
	depth := 0
	for i := from; i+1 < len(text); i++ {
		switch {
		case text[i] == '/' && text[i+1] == '*':
			depth++
			i++
		case text[i] == '*' && text[i+1] == '/':
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

func (l *lexer) looking(text string) bool {
	return l.at+len(text) <= len(l.text) && string(l.text[l.at:l.at+len(text)]) == text
}

// token reads the token at l.at and moves past it.
func (l *lexer) token() Kind {
	switch c := l.text[l.at]; {
	case c == '"':
		l.at = StringEnd(l.text, l.at)
		return stringToken
	case c == '#':
		return l.pound()
	case c == '`':
		l.at = min(Within(l.text, l.at+1, "`\n")+1, len(l.text))
		return Word
	case c >= '0' && c <= '9':
		l.number()
		return numberToken
	case nameByte(c):
		return l.word()
	case c == '/' && l.prefixed() && l.regex():
		return regexToken
	case operatorByte(c), l.looking(".."):
		l.operator(c == '.')
		return Operator
	}
	l.at++
	return Mark
}

// operator reads an operator. dots is set for an operator that begins with a dot and so
// may contain dots.
func (l *lexer) operator(dots bool) {
	for l.at < len(l.text) && (operatorByte(l.text[l.at]) || dots && l.text[l.at] == '.') {
		if l.looking("//") || l.looking("/*") {
			return
		}
		l.at++
	}
}

func nameByte(c byte) bool { return srctext.NameByte(c) || c == '$' }

func operatorByte(c byte) bool { return bytes.IndexByte([]byte("/=-+!*%<>&|^~?"), c) >= 0 }

// word reads a name. Non-ASCII characters are letters unless they are operator
// characters.
func (l *lexer) word() Kind {
	kind := Word
	if r, _ := utf8.DecodeRune(l.text[l.at:]); operatorRune(r) {
		kind = Operator
	}
	for l.at < len(l.text) && nameByte(l.text[l.at]) {
		r, size := utf8.DecodeRune(l.text[l.at:])
		if operatorRune(r) != (kind == Operator) {
			break
		}
		l.at += size
	}
	return kind
}

// operatorRune reports whether r is a non-ASCII operator character.
func operatorRune(r rune) bool {
	return r >= utf8.RuneSelf && unicode.Is(operators, r)
}

// operators are the non-ASCII operator characters: operator-head in the language
// grammar.
var operators = &unicode.RangeTable{LatinOffset: 9, R16: []unicode.Range16{
	{0xA1, 0xA7, 1},
	{0xA9, 0xAB, 2},
	{0xAC, 0xAE, 2},
	{0xB0, 0xB1, 1},
	{0xB6, 0xB6, 1},
	{0xBB, 0xBB, 1},
	{0xBF, 0xBF, 1},
	{0xD7, 0xD7, 1},
	{0xF7, 0xF7, 1},
	{0x2016, 0x2017, 1},
	{0x2020, 0x2027, 1},
	{0x2030, 0x203E, 1},
	{0x2041, 0x2053, 1},
	{0x2055, 0x205E, 1},
	{0x2190, 0x23FF, 1},
	{0x2500, 0x2775, 1},
	{0x2794, 0x2BFF, 1},
	{0x2E00, 0x2E7F, 1},
	{0x3001, 0x3003, 1},
	{0x3008, 0x3020, 1},
	{0x3030, 0x3030, 1},
}}

func (l *lexer) number() {
	for l.at < len(l.text) {
		c := l.text[l.at]
		point := c == '.' && l.at+1 < len(l.text) && l.text[l.at+1] >= '0' && l.text[l.at+1] <= '9' && !l.tuplePlace()
		sign := (c == '+' || c == '-') && bytes.IndexByte([]byte("eEpP"), l.text[l.at-1]) >= 0
		if !point && !sign && !srctext.NameByte(c) {
			return
		}
		l.at++
	}
}

// tuplePlace reports whether the number follows a dot, like the 0 of pair.0.1.
func (l *lexer) tuplePlace() bool {
	n := len(l.tokens)
	return n > 0 && l.text[l.tokens[n-1].Start()] == '.'
}

// pound reads a token that begins with #: a raw string, a regular expression, a
// directive or a macro.
func (l *lexer) pound() Kind {
	end := l.at
	for end < len(l.text) && l.text[end] == '#' {
		end++
	}
	switch {
	case end < len(l.text) && l.text[end] == '"':
		l.at = StringEnd(l.text, l.at)
		return stringToken
	case end < len(l.text) && l.text[end] == '/':
		rest := l.text[end+1 : min(len(l.text), end+1+srctext.MaxHeader)]
		if stop := bytes.Index(rest, append([]byte{'/'}, l.text[l.at:end]...)); stop >= 0 {
			l.at = end + 1 + stop + 1 + end - l.at
			return regexToken
		}
	}
	start := l.at
	if l.at++; end > l.at { // ## begins nothing
		l.at = end
		return Mark
	}
	if l.at < len(l.text) && l.text[l.at] == '`' {
		l.at = min(Within(l.text, l.at+1, "`\n")+1, len(l.text))
		return poundToken
	}
	for l.at < len(l.text) && nameByte(l.text[l.at]) {
		l.at++
	}
	switch string(l.text[start:l.at]) {
	case "#if", "#elseif", "#else", "#endif":
		l.condition()
		return Directive
	case "#":
		return Mark
	}
	return poundToken
}

// condition skips the condition of a directive: the rest of the line, and following
// lines joined by an operator.
func (l *lexer) condition() {
	for {
		end := Within(l.text, l.at, "\n")
		line, _, _ := bytes.Cut(l.text[l.at:end], []byte("//"))
		if open := bytes.Index(line, []byte("/*")); open >= 0 {
			l.at += len(bytes.TrimRight(line[:open], " \t"))
			return
		}
		line = bytes.TrimRight(line, " \t\r")
		if !bytes.HasSuffix(line, []byte("&&")) && !bytes.HasSuffix(line, []byte("||")) || end >= len(l.text) {
			l.at += len(line)
			return
		}
		l.at = end + 1
	}
}

// prefixed reports whether an operand may begin at l.at: at the start, or after a token
// that cannot end an operand.
func (l *lexer) prefixed() bool {
	if len(l.tokens) == 0 {
		return true
	}
	before := l.tokens[len(l.tokens)-1]
	text := string(l.text[before.Start():before.End()])
	switch before.Kind {
	case Word:
		return slices.Contains([]string{"return", "in", "case", "if", "while", "guard", "switch", "try", "await", "else", "where"}, text)
	case Mark:
		return bytes.IndexByte([]byte("([{,:;"), text[0]) >= 0
	case Operator:
		return before.End() < l.at || before.Spaced
	case Directive:
		return true
	case numberToken, stringToken, regexToken, poundToken:
	}
	return false
}

// regex reads a regular expression between slashes: on one line, without a blank at
// either end (SE-0354).
func (l *lexer) regex() bool {
	first := l.at + 1
	if first >= len(l.text) || bytes.IndexByte([]byte(" \t\r\n/*"), l.text[first]) >= 0 {
		return false
	}
	depth := 0
	for i := first; i < len(l.text) && l.text[i] != '\n'; i++ {
		switch l.text[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			depth--
			if depth < 0 {
				return false
			}
		case '[': // a character class; its first character may be ]
			end := Within(l.text, min(i+2, len(l.text)), "]\n")
			if end < len(l.text) && l.text[end] == ']' {
				i = end
			}
		case '/':
			if l.text[i-1] == ' ' || l.text[i-1] == '\t' {
				return false
			}
			l.at = i + 1
			return true
		}
	}
	return false
}

// Within returns the offset of the first byte in marks at or after from, or the length
// of text.
func Within(text []byte, from int, marks string) int {
	if i := bytes.IndexAny(text[from:], marks); i >= 0 {
		return from + i
	}
	return len(text)
}
