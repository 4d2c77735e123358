package lang

import "bytes"

// cToken is a preprocessing token (C23 6.4, C++23 [lex.pptoken]); a directive is
// one token, from its # to the end of its last line.
type cToken struct {
	start, end int
	kind       cTokenKind
	first      bool // the first token of its line
	fresh      bool // a directive that is still shown stands before it
	match      int  // the index of the bracket that belongs to this one; -1 for none
}

type cTokenKind uint8

const (
	cWord cTokenKind = iota // identifiers and keywords
	cNumber
	cString // string and character literals, with prefix
	cPunct
	cDirective
)

// cTokens returns the tokens of a text. Comments and white space are left out.
// They are counted first: a table of numbers has more than one for two bytes.
func cTokens(text []byte, cpp bool) []cToken {
	count := 0
	eachToken(text, cpp, func(cToken) { count++ })
	out := make([]cToken, 0, count)
	eachToken(text, cpp, func(t cToken) { out = append(out, t) })
	return out
}

// eachToken passes the tokens of a text on, one by one.
func eachToken(text []byte, cpp bool, pass func(cToken)) {
	first := true
	for at := 0; at < len(text); {
		c := text[at]
		end, kind := at+1, cPunct
		switch {
		case c == '\n':
			first = true
			at++
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			at++
			continue
		case c == '/' && at+1 < len(text) && (text[at+1] == '/' || text[at+1] == '*'):
			at = skipComment(text, at)
			continue
		case c == '\\' && at+1 < len(text) && (text[at+1] == '\n' || text[at+1] == '\r'):
			at++
			for at < len(text) && text[at] != '\n' {
				at++
			}
			at++ // a line that goes on is one with the next
			continue
		case c == '#' && first:
			end, kind = directiveEnd(text, at), cDirective
		case nameByte(c) && (c < '0' || c > '9') || c == '$':
			end, kind = wordEnd(text, at, cpp)
		case c >= '0' && c <= '9' || c == '.' && at+1 < len(text) && text[at+1] >= '0' && text[at+1] <= '9':
			end, kind = numberEnd(text, at), cNumber
		case c == '"' || c == '\'':
			end, kind = quoteEnd(text, at), cString
		case c == ':' || c == '-' || c == '&' || c == '|' || c == '[' || c == ']':
			end = at + len(twoBytes(text[at:], cpp))
		case c == '.' && bytes.HasPrefix(text[at:], []byte("...")):
			end = at + len("...")
		}
		pass(cToken{start: at, end: end, kind: kind, first: first, match: -1})
		first = false
		at = end
	}
}

// twoBytes returns the punctuator at the start of a text: one that is told apart
// by its second byte, or the first byte alone.
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

// skipComment returns where the comment that begins at a place ends.
func skipComment(text []byte, at int) int {
	if text[at+1] == '*' {
		if i := bytes.Index(text[at+2:], []byte("*/")); i >= 0 {
			return at + 2 + i + 2
		}
		return len(text)
	}
	return lineEnd(text, at)
}

// lineEnd returns the end of the line at a place, lines joined by a backslash
// taken together.
func lineEnd(text []byte, at int) int {
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

// directiveEnd returns the end of the directive at a place; comments in it may
// span lines.
func directiveEnd(text []byte, at int) int {
	end := lineEnd(text, at)
	for i := at; i+1 < end; i++ {
		switch {
		case text[i] == '"' || text[i] == '\'':
			if to := quoteEnd(text[:end], i); to < end && bytes.IndexByte(text[i:to], '\n') < 0 {
				i = to - 1
			}
		case text[i] == '/' && text[i+1] == '/':
			return i
		case text[i] == '/' && text[i+1] == '*':
			i = skipComment(text, i) - 1
			if i >= end {
				end = lineEnd(text, min(i+1, len(text)))
			}
		}
	}
	return end
}

// wordEnd returns the end of a word, or of the literal that it is a prefix of.
func wordEnd(text []byte, at int, cpp bool) (int, cTokenKind) {
	end := at
	for end < len(text) && (nameByte(text[end]) || text[end] == '$') {
		end++
	}
	if end == len(text) || end-at > 3 || text[end] != '"' && text[end] != '\'' {
		return end, cWord
	}
	switch string(text[at:end]) {
	case "L", "u", "U", "u8":
		return quoteEnd(text, end), cString
	case "R", "LR", "uR", "UR", "u8R":
		if cpp && text[end] == '"' {
			return rawEnd(text, end), cString
		}
	}
	return end, cWord
}

// rawEnd returns the end of the raw string whose quote is at a place ([lex.string]).
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

// quoteEnd returns the end of the literal whose quote is at a place; it ends with
// its line at the latest.
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
		quote := c == '\'' && at+1 < len(text) && nameByte(text[at+1])
		if !nameByte(c) && c != '.' && !sign && !quote {
			break
		}
	}
	return at
}
