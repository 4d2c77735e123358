package repair

import (
	"bytes"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// Token is a token of the lexical grammar (ECMA-334, 6.4). Text between the holes of an
// interpolated string is a token; the holes are brackets.
type Token struct {
	from, to uint32 // bytes
	Kind     tokenKind
}

// Start returns the offset of the first byte.
func (t Token) Start() int { return int(t.from) }

// End returns the offset after the last byte.
func (t Token) End() int { return int(t.to) }

type tokenKind uint8

// The kinds of tokens.
const (
	Word tokenKind = iota // an identifier or keyword
	numberToken
	textToken         // a string or character literal, or a part of one
	partToken         // a part of an interpolated string that is neither verbatim nor raw
	verbatimPartToken // a part of a verbatim interpolated string
	unterminatedToken // a string that is not terminated on its line
	signToken
	directiveToken // a preprocessor directive
)

// stringForm describes the form of a string literal.
type stringForm struct {
	dollars  int // number of braces that open a hole; 0: no holes
	quotes   int // three or more: a raw string
	verbatim bool
}

// openHole is an open hole of an interpolated string.
type openHole struct {
	in    stringForm
	depth int // number of brackets open in it
}

// lexer splits a text into tokens without comments. Text that is not C# yields one-byte
// punctuation.
type lexer struct {
	src    []byte
	at     int
	fresh  bool // only white space precedes at on its line
	tokens []Token
	holes  []openHole
}

// Tokens returns the tokens of a text without comments and white space.
func Tokens(src []byte) []Token {
	l := lexer{src: src, fresh: true, tokens: make([]Token, 0, len(src)/5+8)}
	for l.at < len(src) {
		l.next()
	}
	return l.tokens
}

func (l *lexer) emit(kind tokenKind, end int) {
	l.tokens = append(l.tokens, Token{uint32(l.at), uint32(end), kind})
	l.at, l.fresh = end, false
}

// peek returns the byte n bytes ahead, 0 after the end.
func (l *lexer) peek(n int) byte {
	if l.at+n < len(l.src) {
		return l.src[l.at+n]
	}
	return 0
}

// next reads a token, white space or a comment.
func (l *lexer) next() {
	switch c := l.src[l.at]; {
	case c == '\n':
		l.at, l.fresh = l.at+1, true
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		l.at++
	case c == '/' && l.peek(1) == '/':
		l.at = l.lineEnd()
	case c == '/' && l.peek(1) == '*':
		l.at = l.past("*/", 2)
	default:
		l.token(c)
	}
}

// token reads a token that begins with c.
func (l *lexer) token(c byte) {
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	switch {
	case c == '#' && l.fresh:
		l.directive()
	case c == '"' || c == '$' || c == '@':
		l.quoted()
	case c == '\'':
		l.character()
	case digit(c) || c == '.' && digit(l.peek(1)):
		l.number()
	case srctext.NameByte(c) || c == '\\' && (l.peek(1)|0x20) == 'u':
		l.word(l.at)
	default:
		l.sign()
	}
}

// lineEnd returns the end of the line.
func (l *lexer) lineEnd() int {
	if i := bytes.IndexByte(l.src[l.at:], '\n'); i >= 0 {
		return l.at + i
	}
	return len(l.src)
}

// past returns the offset after the next mark at or after from bytes ahead; the end of the
// text if there is none.
func (l *lexer) past(mark string, from int) int {
	from = min(l.at+from, len(l.src))
	if i := bytes.Index(l.src[from:], []byte(mark)); i >= 0 {
		return from + i + len(mark)
	}
	return len(l.src)
}

// directive reads a directive. No tokens are read from a section with a constant false
// condition, since it need not be C#.
func (l *lexer) directive() {
	end := l.lineEnd()
	word, rest := directiveOf(l.src[l.at:end])
	l.emit(directiveToken, end)
	if word != "if" && word != "elif" || rest != "false" && rest != "0" {
		return
	}
	for depth := 0; l.at < len(l.src); l.at = min(len(l.src), l.lineEnd()+1) {
		row := bytes.TrimSpace(l.src[l.at:l.lineEnd()])
		switch word, _ := directiveOf(row); word {
		case "if":
			depth++
		case "endif", "else", "elif":
			if depth == 0 {
				l.fresh = true
				return
			}
			if word == "endif" {
				depth--
			}
		}
	}
}

// directiveOf splits a directive, without comments, into its keyword and the rest; "" if
// row is not a directive.
func directiveOf(row []byte) (word, rest string) {
	row, ok := bytes.CutPrefix(row, []byte("#"))
	if !ok {
		return "", ""
	}
	row, _, _ = bytes.Cut(row, []byte("//"))
	row = bytes.TrimSpace(row)
	end := 0
	for end < len(row) && srctext.NameByte(row[end]) {
		end++
	}
	return string(row[:end]), string(bytes.TrimSpace(row[end:]))
}

// word reads an identifier or keyword; a "@" may precede from.
func (l *lexer) word(from int) {
	for from < len(l.src) && (srctext.NameByte(l.src[from]) || l.src[from] == '\\') {
		from++
	}
	l.emit(Word, from)
}

func (l *lexer) number() {
	end := l.at
	for end < len(l.src) {
		c := l.src[end]
		exponent := (c == '+' || c == '-') && l.src[end-1]|0x20 == 'e' && l.peek(1)|0x20 != 'x'
		dot := c == '.' && end+1 < len(l.src) && l.src[end+1] >= '0' && l.src[end+1] <= '9'
		if end > l.at && !srctext.NameByte(c) && !dot && !exponent {
			break
		}
		end++
	}
	l.emit(numberToken, end)
}

// character reads a character literal. An unterminated quote is punctuation.
func (l *lexer) character() {
	for end := l.at + 1; end < len(l.src) && l.src[end] != '\n'; end++ {
		switch l.src[end] {
		case '\\':
			end++
		case '\'':
			l.emit(textToken, end+1)
			return
		}
	}
	l.emit(signToken, l.at+1)
}

// quoted reads a token that begins with a quote or a string prefix.
func (l *lexer) quoted() {
	at, s := l.at, stringForm{}
	for at < min(len(l.src), l.at+srctext.MaxMarks) && (l.src[at] == '$' || l.src[at] == '@' && !s.verbatim) {
		if l.src[at] == '$' {
			s.dollars++
		} else {
			s.verbatim = true
		}
		at++
	}
	run := runLength(l.src[at:], '"')
	switch {
	case run == 0 && s.verbatim && s.dollars == 0:
		l.word(at)
		return
	case run == 0:
		l.emit(signToken, l.at+1)
		return
	case run == 2 && !s.verbatim:
		l.emit(textToken, l.suffix(at+2))
		return
	case s.verbatim || run == 1:
		s.quotes = 1
	default:
		s.quotes = run
	}
	l.text(s, at+s.quotes)
}

// runLength returns the number of bytes c at the start of a text.
func runLength(text []byte, c byte) int {
	n := 0
	for n < len(text) && text[n] == c {
		n++
	}
	return n
}

// suffix returns the end of a literal whose closing quote ends at end: u8 may follow.
func (l *lexer) suffix(end int) int {
	if end+1 < len(l.src) && l.src[end]|0x20 == 'u' && l.src[end+1] == '8' {
		return end + 2
	}
	return end
}

// text reads the text of a string from the offset from up to its end or a hole.
func (l *lexer) text(s stringForm, from int) {
	for at := from; at < len(l.src); at++ {
		switch c := l.src[at]; {
		case c == '\n' && s.escapes(): // unterminated
			l.emit(unterminatedToken, at)
			return
		case c == '\\' && s.escapes():
			at++
		case c == '"':
			run := runLength(l.src[at:], '"')
			if end := s.closes(run); end > 0 {
				l.emit(s.kind(), l.suffix(at+end))
				return
			}
			at += s.step(run) - 1
		case c == '{' && s.dollars > 0:
			run := runLength(l.src[at:], '{')
			if s.opens(run) {
				l.hole(s, at+run-s.width())
				return
			}
			at += run - 1
		}
	}
	end := len(l.src)
	if s.dollars == 0 { // unterminated: do not discard the text after it
		end = max(min(from, len(l.src)), l.lineEnd())
	}
	l.emit(textToken, end)
}

// hole ends a part of a string at the start of a hole.
func (l *lexer) hole(s stringForm, at int) {
	l.emit(s.kind(), at)
	l.emit(signToken, l.at+s.width())
	l.holes = append(l.holes, openHole{in: s})
}

// escapes reports whether a string is a single-line one with escapes.
func (s stringForm) escapes() bool { return s.quotes == 1 && !s.verbatim }

// closes returns the number of a run of quotes that end the string; 0 for none.
func (s stringForm) closes(run int) int {
	switch {
	case s.verbatim && run >= 2 || run < s.quotes:
		return 0
	case s.quotes == 1:
		return 1
	}
	return run
}

// step returns the number of a run of quotes that are text.
func (s stringForm) step(run int) int {
	if s.verbatim {
		return 2
	}
	return run
}

// kind returns the token kind of a part of the string.
func (s stringForm) kind() tokenKind {
	switch {
	case s.dollars == 0 || s.quotes > 1:
		return textToken
	case s.verbatim:
		return verbatimPartToken
	}
	return partToken
}

// opens reports whether the last of a run of braces opens a hole.
func (s stringForm) opens(run int) bool {
	if s.quotes > 1 {
		return run >= s.dollars
	}
	return run%2 == 1
}

// width returns the number of braces that open and close a hole.
func (s stringForm) width() int {
	if s.quotes > 1 {
		return s.dollars
	}
	return 1
}

// sign reads punctuation. If it closes a hole, it continues the string.
func (l *lexer) sign() {
	if n := len(l.holes); n > 0 && l.inHole(&l.holes[n-1], l.src[l.at]) {
		return
	}
	l.emit(signToken, l.at+l.signWidth())
}

// inHole reads punctuation with a special meaning in a hole.
func (l *lexer) inHole(hole *openHole, c byte) bool {
	switch {
	case c == '(' || c == '[' || c == '{':
		hole.depth++
	case c == '}' && hole.depth == 0:
		in := hole.in
		l.holes = l.holes[:len(l.holes)-1]
		l.emit(signToken, min(len(l.src), l.at+in.width()))
		l.text(in, l.at)
		return true
	case c == ')' || c == ']' || c == '}':
		hole.depth = max(0, hole.depth-1)
	case c == ':' && hole.depth == 0 && l.peek(1) != ':': // a format specifier
		end := l.at
		for end < len(l.src) && l.src[end] != '}' && l.src[end] != '\n' {
			end++
		}
		l.emit(textToken, end)
		return true
	}
	return false
}

// signs are the punctuators of several bytes. Those that begin with ">" are excluded
// except one: they may close type argument lists.
var signs = []string{
	"??=", "<<=", "=>", "..", "::", "??", "?.", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
	"==", "!=", "<=", ">=", "&&", "||", "++", "--", "->",
}

func (l *lexer) signWidth() int {
	if bytes.IndexByte([]byte("=.:?<>&|+-"), l.peek(1)) < 0 {
		return 1
	}
	for _, s := range signs {
		if s[0] == l.src[l.at] && bytes.HasPrefix(l.src[l.at:], []byte(s)) && (s != "?." || l.peek(2) < '0' || l.peek(2) > '9') {
			return len(s)
		}
	}
	return 1
}
