package repair

import (
	"bytes"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// Token is a token of C#'s lexical grammar (ECMA-334, 6.4). The texts of
// an interpolated string between its holes are tokens of their own, the holes
// brackets.
type Token struct {
	from, to uint32 // bytes
	Kind     csharpTokenKind
}

// Start returns the offset of the first byte.
func (t Token) Start() int { return int(t.from) }

// End returns the offset after the last byte.
func (t Token) End() int { return int(t.to) }

type csharpTokenKind uint8

// The kinds of tokens.
const (
	Word csharpTokenKind = iota // an identifier or keyword
	csharpNumber
	csharpText         // a string or character literal, or a part of one
	csharpPart         // a part of an interpolated string that is neither verbatim nor raw
	csharpVerbatimPart // a part of a verbatim one
	csharpCut          // a string that nothing closes on its line
	csharpSign
	csharpDirective // a line for the preprocessor
)

// csharpString is how a string literal is written.
type csharpString struct {
	dollars  int // that open a hole with as many braces; 0: no holes
	quotes   int // three and more: a raw string
	verbatim bool
}

// csharpHole is a hole of an interpolated string that is being read.
type csharpHole struct {
	in    csharpString
	depth int // brackets open in it
}

// csharpLexer takes a text to tokens, comments left out. Text that is none of C#
// gives signs of one byte.
type csharpLexer struct {
	src    []byte
	at     int
	fresh  bool // nothing but blanks before at on its line
	tokens []Token
	holes  []csharpHole
}

// Tokens returns the tokens of a text without comments and white space.
func Tokens(src []byte) []Token {
	l := csharpLexer{src: src, fresh: true, tokens: make([]Token, 0, len(src)/5+8)}
	for l.at < len(src) {
		l.next()
	}
	return l.tokens
}

func (l *csharpLexer) emit(kind csharpTokenKind, end int) {
	l.tokens = append(l.tokens, Token{uint32(l.at), uint32(end), kind})
	l.at, l.fresh = end, false
}

// peek returns the byte some bytes on, 0 behind the end.
func (l *csharpLexer) peek(n int) byte {
	if l.at+n < len(l.src) {
		return l.src[l.at+n]
	}
	return 0
}

// next reads a token, or what stands between tokens.
func (l *csharpLexer) next() {
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
func (l *csharpLexer) token(c byte) {
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
	case core.NameByte(c) || c == '\\' && (l.peek(1)|0x20) == 'u':
		l.word(l.at)
	default:
		l.sign()
	}
}

// lineEnd returns where the line ends.
func (l *csharpLexer) lineEnd() int {
	if i := bytes.IndexByte(l.src[l.at:], '\n'); i >= 0 {
		return l.at + i
	}
	return len(l.src)
}

// past returns where the next mark ends that begins from bytes on, the end of
// the text when there is none.
func (l *csharpLexer) past(mark string, from int) int {
	from = min(l.at+from, len(l.src))
	if i := bytes.Index(l.src[from:], []byte(mark)); i >= 0 {
		return from + i + len(mark)
	}
	return len(l.src)
}

// directive reads a line for the preprocessor. What stands under a condition
// that is false by itself need not be C#: no tokens are read from it.
func (l *csharpLexer) directive() {
	end := l.lineEnd()
	word, rest := csharpDirectiveOf(l.src[l.at:end])
	l.emit(csharpDirective, end)
	if word != "if" && word != "elif" || rest != "false" && rest != "0" {
		return
	}
	for depth := 0; l.at < len(l.src); l.at = min(len(l.src), l.lineEnd()+1) {
		row := bytes.TrimSpace(l.src[l.at:l.lineEnd()])
		switch word, _ := csharpDirectiveOf(row); word {
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

// csharpDirectiveOf splits a directive into its word and the rest, comments left
// out; "" for another line.
func csharpDirectiveOf(row []byte) (word, rest string) {
	row, ok := bytes.CutPrefix(row, []byte("#"))
	if !ok {
		return "", ""
	}
	row, _, _ = bytes.Cut(row, []byte("//"))
	row = bytes.TrimSpace(row)
	end := 0
	for end < len(row) && core.NameByte(row[end]) {
		end++
	}
	return string(row[:end]), string(bytes.TrimSpace(row[end:]))
}

// word reads an identifier or keyword whose mark "@" may stand before from.
func (l *csharpLexer) word(from int) {
	for from < len(l.src) && (core.NameByte(l.src[from]) || l.src[from] == '\\') {
		from++
	}
	l.emit(Word, from)
}

func (l *csharpLexer) number() {
	end := l.at
	for end < len(l.src) {
		c := l.src[end]
		exponent := (c == '+' || c == '-') && l.src[end-1]|0x20 == 'e' && l.peek(1)|0x20 != 'x'
		dot := c == '.' && end+1 < len(l.src) && l.src[end+1] >= '0' && l.src[end+1] <= '9'
		if end > l.at && !core.NameByte(c) && !dot && !exponent {
			break
		}
		end++
	}
	l.emit(csharpNumber, end)
}

// character reads a character literal; a quote that none closes on its line is a
// sign.
func (l *csharpLexer) character() {
	for end := l.at + 1; end < len(l.src) && l.src[end] != '\n'; end++ {
		switch l.src[end] {
		case '\\':
			end++
		case '\'':
			l.emit(csharpText, end+1)
			return
		}
	}
	l.emit(csharpSign, l.at+1)
}

// quoted reads what begins with a quote or a mark before one.
func (l *csharpLexer) quoted() {
	at, s := l.at, csharpString{}
	for at < min(len(l.src), l.at+core.MaxMarks) && (l.src[at] == '$' || l.src[at] == '@' && !s.verbatim) {
		if l.src[at] == '$' {
			s.dollars++
		} else {
			s.verbatim = true
		}
		at++
	}
	run := csharpRun(l.src[at:], '"')
	switch {
	case run == 0 && s.verbatim && s.dollars == 0:
		l.word(at)
		return
	case run == 0:
		l.emit(csharpSign, l.at+1)
		return
	case run == 2 && !s.verbatim:
		l.emit(csharpText, l.suffix(at+2))
		return
	case s.verbatim || run == 1:
		s.quotes = 1
	default:
		s.quotes = run
	}
	l.text(s, at+s.quotes)
}

// csharpRun counts the bytes c that a text begins with.
func csharpRun(text []byte, c byte) int {
	n := 0
	for n < len(text) && text[n] == c {
		n++
	}
	return n
}

// suffix returns where a literal ends whose closing quote ends at end: u8 may
// follow.
func (l *csharpLexer) suffix(end int) int {
	if end+1 < len(l.src) && l.src[end]|0x20 == 'u' && l.src[end+1] == '8' {
		return end + 2
	}
	return end
}

// text reads a string's text from the byte from on, up to its end or to a hole.
func (l *csharpLexer) text(s csharpString, from int) {
	for at := from; at < len(l.src); at++ {
		switch c := l.src[at]; {
		case c == '\n' && s.escapes(): // never closed
			l.emit(csharpCut, at)
			return
		case c == '\\' && s.escapes():
			at++
		case c == '"':
			run := csharpRun(l.src[at:], '"')
			if end := s.closes(run); end > 0 {
				l.emit(s.kind(), l.suffix(at+end))
				return
			}
			at += s.step(run) - 1
		case c == '{' && s.dollars > 0:
			run := csharpRun(l.src[at:], '{')
			if s.opens(run) {
				l.hole(s, at+run-s.width())
				return
			}
			at += run - 1
		}
	}
	end := len(l.src)
	if s.dollars == 0 { // never closed: no reason to give up what follows
		end = max(min(from, len(l.src)), l.lineEnd())
	}
	l.emit(csharpText, end)
}

// hole ends a part of a string where a hole begins.
func (l *csharpLexer) hole(s csharpString, at int) {
	l.emit(s.kind(), at)
	l.emit(csharpSign, l.at+s.width())
	l.holes = append(l.holes, csharpHole{in: s})
}

// escapes tells a string of one line with escapes.
func (s csharpString) escapes() bool { return s.quotes == 1 && !s.verbatim }

// closes returns how many of a run of quotes end the string; 0 when none does.
func (s csharpString) closes(run int) int {
	switch {
	case s.verbatim && run >= 2 || run < s.quotes:
		return 0
	case s.quotes == 1:
		return 1
	}
	return run
}

// step is how many of a run of quotes are text together.
func (s csharpString) step(run int) int {
	if s.verbatim {
		return 2
	}
	return run
}

// kind is the kind of a part of the string.
func (s csharpString) kind() csharpTokenKind {
	switch {
	case s.dollars == 0 || s.quotes > 1:
		return csharpText
	case s.verbatim:
		return csharpVerbatimPart
	}
	return csharpPart
}

// opens reports whether the last of a run of braces opens a hole.
func (s csharpString) opens(run int) bool {
	if s.quotes > 1 {
		return run >= s.dollars
	}
	return run%2 == 1
}

// width is how many braces open and close a hole.
func (s csharpString) width() int {
	if s.quotes > 1 {
		return s.dollars
	}
	return 1
}

// sign reads punctuation, and goes on in a string when it closes a hole.
func (l *csharpLexer) sign() {
	if n := len(l.holes); n > 0 && l.inHole(&l.holes[n-1], l.src[l.at]) {
		return
	}
	l.emit(csharpSign, l.at+l.signWidth())
}

// inHole reads the signs that mean something else in a hole of a string.
func (l *csharpLexer) inHole(hole *csharpHole, c byte) bool {
	switch {
	case c == '(' || c == '[' || c == '{':
		hole.depth++
	case c == '}' && hole.depth == 0:
		in := hole.in
		l.holes = l.holes[:len(l.holes)-1]
		l.emit(csharpSign, min(len(l.src), l.at+in.width()))
		l.text(in, l.at)
		return true
	case c == ')' || c == ']' || c == '}':
		hole.depth = max(0, hole.depth-1)
	case c == ':' && hole.depth == 0 && l.peek(1) != ':': // how the value is to be formatted
		end := l.at
		for end < len(l.src) && l.src[end] != '}' && l.src[end] != '\n' {
			end++
		}
		l.emit(csharpText, end)
		return true
	}
	return false
}

// csharpSigns are the signs of several bytes. Those that begin with ">" are left
// out but one: they may close lists of type arguments.
var csharpSigns = []string{
	"??=", "<<=", "=>", "..", "::", "??", "?.", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
	"==", "!=", "<=", ">=", "&&", "||", "++", "--", "->",
}

func (l *csharpLexer) signWidth() int {
	if bytes.IndexByte([]byte("=.:?<>&|+-"), l.peek(1)) < 0 {
		return 1
	}
	for _, s := range csharpSigns {
		if s[0] == l.src[l.at] && bytes.HasPrefix(l.src[l.at:], []byte(s)) && (s != "?." || l.peek(2) < '0' || l.peek(2) > '9') {
			return len(s)
		}
	}
	return 1
}
