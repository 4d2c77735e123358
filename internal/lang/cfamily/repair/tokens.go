package repair

import (
	"bytes"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// Token is a preprocessing token (C23 6.4, C++23 [lex.pptoken]). A directive is one token,
// from its # to the end of its last line.
type Token struct {
	Start, End int
	Kind       tokenKind
	first      bool // the first token of its line
	fresh      bool // follows a directive that is still shown
	match      int  // index of the matching bracket; -1 for none
}

type tokenKind uint8

// The kinds of tokens.
const (
	Word tokenKind = iota // identifiers and keywords
	numberToken
	stringToken // string and character literals, with prefix
	Punct
	Directive
)

// Tokens returns the tokens of a text without comments and white space. They are counted
// first, since their number varies widely: a table of numbers has more than one per two bytes.
func Tokens(text []byte, cpp bool) []Token {
	count := 0
	EachToken(text, cpp, func(Token) { count++ })
	out := make([]Token, 0, count)
	EachToken(text, cpp, func(t Token) { out = append(out, t) })
	return out
}

// EachToken calls pass with each token of a text.
func EachToken(text []byte, cpp bool, pass func(Token)) {
	first := true
	for at := 0; at < len(text); {
		if text[at] == '\n' {
			first = true
			at++
			continue
		}
		if end := blankEnd(text, at); end > at {
			at = end
			continue
		}
		end, kind := tokenEnd(text, at, first, cpp)
		pass(Token{Start: at, End: end, Kind: kind, first: first, match: -1})
		first = false
		at = end
	}
}

// blankEnd returns the end of the white space, comment or line continuation at an offset.
func blankEnd(text []byte, at int) int {
	next := byte(0)
	if at+1 < len(text) {
		next = text[at+1]
	}
	switch c := text[at]; {
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		return at + 1
	case c == '/' && (next == '/' || next == '*'):
		return SkipComment(text, at)
	case c == '\\' && (next == '\n' || next == '\r'):
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			return len(text)
		}
		return at + end + 1
	}
	return at
}

// tokenEnd returns the end and the kind of the token at an offset.
func tokenEnd(text []byte, at int, first, cpp bool) (int, tokenKind) {
	c := text[at]
	switch {
	case c == '#' && first:
		return directiveEnd(text, at), Directive
	case digit(c) || c == '.' && at+1 < len(text) && digit(text[at+1]):
		return numberEnd(text, at), numberToken
	case srctext.NameByte(c) || c == '$':
		return wordEnd(text, at, cpp)
	case c == '"' || c == '\'':
		return quoteEnd(text, at), stringToken
	case bytes.IndexByte([]byte(":-&|"), c) >= 0:
		return at + len(twoBytes(text[at:], cpp)), Punct
	case bytes.HasPrefix(text[at:], []byte("...")):
		return at + len("..."), Punct
	}
	return at + 1, Punct
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// twoBytes returns the punctuator at the start of a text: two bytes if the second one matters,
// else one.
func twoBytes(text []byte, cpp bool) []byte {
	if len(text) > 1 {
		switch string(text[:2]) {
		case "::":
			if cpp {
				return text[:2]
			}
		case "->", "&&", "||":
			return text[:2]
		}
	}
	return text[:1]
}

// SkipComment returns the end of the comment at an offset.
func SkipComment(text []byte, at int) int {
	if text[at+1] == '*' {
		if i := bytes.Index(text[at+2:], []byte("*/")); i >= 0 {
			return at + 2 + i + 2
		}
		return len(text)
	}
	return LineEnd(text, at)
}

// LineEnd returns the end of the logical line at an offset; lines joined by a backslash are
// one.
func LineEnd(text []byte, at int) int {
	for {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		row := bytes.TrimRight(text[at:at+i], "\r")
		if len(row) == 0 || row[len(row)-1] != '\\' {
			return at + len(row)
		}
		at += i + 1
	}
}

// directiveEnd returns the end of the directive at an offset. Comments in it may span lines.
func directiveEnd(text []byte, at int) int {
	end := LineEnd(text, at)
	for i := at; i+1 < end; i++ {
		switch {
		case text[i] == '"' || text[i] == '\'':
			if to := quoteEnd(text[:end], i); to < end && bytes.IndexByte(text[i:to], '\n') < 0 {
				i = to - 1
			}
		case text[i] == '/' && text[i+1] == '/':
			return i
		case text[i] == '/' && text[i+1] == '*':
			i = SkipComment(text, i) - 1
			if i >= end {
				end = LineEnd(text, min(i+1, len(text)))
			}
		}
	}
	return end
}

// wordEnd returns the end of a word, or of the literal that it is a prefix of.
func wordEnd(text []byte, at int, cpp bool) (int, tokenKind) {
	end := at
	for end < len(text) && (srctext.NameByte(text[end]) || text[end] == '$') {
		end++
	}
	if end == len(text) || end-at > 3 || text[end] != '"' && text[end] != '\'' {
		return end, Word
	}
	switch string(text[at:end]) {
	case "L", "u", "U", "u8":
		return quoteEnd(text, end), stringToken
	case "R", "LR", "uR", "UR", "u8R":
		if cpp && text[end] == '"' {
			return rawEnd(text, end), stringToken
		}
	}
	return end, Word
}

// rawEnd returns the end of the raw string whose quote is at an offset ([lex.string]).
func rawEnd(text []byte, quote int) int {
	open := bytes.IndexByte(text[quote:min(len(text), quote+18)], '(')
	if open < 0 {
		return quoteEnd(text, quote)
	}
	mark := append([]byte{')'}, text[quote+1:quote+open]...)
	mark = append(mark, '"')
	if i := bytes.Index(text[quote+open:], mark); i >= 0 {
		return quote + open + i + len(mark)
	}
	return len(text)
}

// quoteEnd returns the end of the literal whose quote is at an offset, at most the end of its
// line.
func quoteEnd(text []byte, quote int) int {
	for i := quote + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
			if i < len(text) && text[i] == '\r' {
				i++
			}
		case '\n':
			return i
		case text[quote]:
			return i + 1
		}
	}
	return len(text)
}

// numberEnd returns the end of a preprocessing number.
func numberEnd(text []byte, at int) int {
	for at++; at < len(text); at++ {
		c, before := text[at], text[at-1]|0x20
		sign := (c == '+' || c == '-') && (before == 'e' || before == 'p')
		quote := c == '\'' && at+1 < len(text) && srctext.NameByte(text[at+1])
		if !srctext.NameByte(c) && c != '.' && !sign && !quote {
			break
		}
	}
	return at
}
