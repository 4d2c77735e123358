package lang

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scalaToken is a token of Scala's lexical syntax (reference, "Lexical Syntax").
// An interpolated string and an XML literal are one token each, with all the
// code in them.
type scalaToken struct {
	start, end int32
	column     int32 // of a first token: the width of the blanks before it
	kind       scalaKind
	first      bool // on its line
}

type scalaKind uint8

const (
	scalaWord     scalaKind = iota // identifiers of letters and keywords
	scalaOperator                  // identifiers of signs, and =, =>, <-, :, @, #
	scalaLiteral                   // strings, characters, numbers
	scalaBracket                   // ( ) [ ] { }
	scalaMark                      // , . ;
	scalaQuote                     // ' before a quoted expression or a symbol
	scalaXML
)

// scalaTokens reads the tokens of a text, comments left out, and where the
// comments stand that document.
func scalaTokens(text []byte) (tokens []scalaToken, docs []span) {
	l := scalaLexer{text: text, fresh: true}
	if bytes.HasPrefix(text, []byte("#!")) {
		l.at = endOfLine(text, 0)
	}
	for l.blanks(); l.at < len(text); l.blanks() {
		t := scalaToken{start: int32(l.at), first: l.fresh, column: int32(l.column)}
		t.kind = l.next()
		t.end = int32(l.at)
		l.fresh = false
		l.tokens = append(l.tokens, t)
	}
	return l.tokens, l.docs
}

type scalaLexer struct {
	text   []byte
	at     int
	fresh  bool // a line has just begun
	column int  // blanks since it began
	lost   int  // signs that looked like the beginning of XML
	tokens []scalaToken
	docs   []span // the comments that document
}

// maxLostXML is how often XML is looked for in vain.
const maxLostXML = 16

// blanks skips white space and comments.
func (l *scalaLexer) blanks() {
	for l.at < len(l.text) {
		rest := l.text[l.at:]
		switch c := rest[0]; {
		case c == '\n':
			l.fresh, l.column = true, 0
			l.at++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == 0x1a:
			l.column++
			l.at++
		case bytes.HasPrefix(rest, []byte("//")):
			l.at = endOfLine(l.text, l.at)
		case bytes.HasPrefix(rest, []byte("/*")):
			end := scalaComment(l.text, l.at)
			if text := l.text[l.at:end]; len(text) > len("/**/") && text[2] == '*' {
				l.docs = append(l.docs, span{start: l.at, end: end})
			}
			l.column += end - l.at
			if i := bytes.LastIndexByte(l.text[l.at:end], '\n'); i >= 0 {
				l.fresh, l.column = true, end-l.at-i-1
			}
			l.at = end
		default:
			return
		}
	}
}

// scalaComment returns the end of the block comment at an offset; they nest.
func scalaComment(text []byte, at int) int {
	depth := 0
	for at < len(text) {
		switch {
		case bytes.HasPrefix(text[at:], []byte("/*")):
			depth++
			at += 2
		case bytes.HasPrefix(text[at:], []byte("*/")):
			depth--
			at += 2
			if depth == 0 {
				return at
			}
		default:
			at++
		}
	}
	return len(text)
}

// next moves behind the token at hand and returns its kind.
func (l *scalaLexer) next() scalaKind {
	c, size := utf8.DecodeRune(l.text[l.at:])
	switch {
	case strings.ContainsRune("()[]{}", c):
		l.at++
		return scalaBracket
	case c == ',' || c == ';' || c == '.' && !l.digitAt(l.at+1):
		l.at++
		return scalaMark
	case c == '"':
		l.at = scalaString(l.text, l.at, false, 0)
		return scalaLiteral
	case c == '`':
		if i := bytes.IndexAny(l.text[l.at+1:], "`\n"); i >= 0 {
			l.at += i + 2
			return scalaWord
		}
		l.at++
		return scalaOperator
	case c == '\'':
		return l.quote()
	case c >= '0' && c <= '9' || c == '.':
		l.number()
		return scalaLiteral
	case scalaLetter(c):
		return l.word()
	}
	return l.operator(c, size)
}

// operator reads XML, or an identifier of signs that begins with c.
func (l *scalaLexer) operator(c rune, size int) scalaKind {
	if c == '<' && l.xmlMayStart() {
		if end := scalaXMLEnd(l.text, l.at, 0); end > 0 {
			l.at = end
			return scalaXML
		}
		l.lost++
	}
	l.at += size
	if scalaSign(c) {
		l.signs()
	}
	return scalaOperator
}

func (l *scalaLexer) digitAt(at int) bool {
	return at < len(l.text) && l.text[at] >= '0' && l.text[at] <= '9'
}

// word reads an identifier of letters, or an interpolated string after one.
func (l *scalaLexer) word() scalaKind {
	underscore, start := false, l.at
	for l.at < len(l.text) {
		c, size := utf8.DecodeRune(l.text[l.at:])
		if !scalaLetter(c) && !unicode.IsDigit(c) {
			if underscore && scalaSign(c) { // idrest: an operator may follow an underscore
				l.signs()
			}
			break
		}
		underscore = c == '_' && l.at > start
		l.at += size
	}
	if l.at < len(l.text) && l.text[l.at] == '"' {
		l.at = scalaString(l.text, l.at, true, 0)
		return scalaLiteral
	}
	return scalaWord
}

// signs moves behind operator characters; a comment ends them.
func (l *scalaLexer) signs() {
	for l.at < len(l.text) {
		c, size := utf8.DecodeRune(l.text[l.at:])
		rest := l.text[l.at:]
		if !scalaSign(c) || bytes.HasPrefix(rest, []byte("//")) || bytes.HasPrefix(rest, []byte("/*")) {
			return
		}
		l.at += size
	}
}

// number reads a number: digits, letters and points that digits follow.
func (l *scalaLexer) number() {
	for l.at < len(l.text) {
		c := l.text[l.at]
		exponent := (c == '+' || c == '-') && l.text[l.at-1]|0x20 == 'e' && l.digitAt(l.at+1)
		if !nameByte(c) && !exponent && (c != '.' || !l.digitAt(l.at+1)) {
			return
		}
		l.at++
	}
}

// quote reads a character literal, or the mark before a quote or a symbol.
func (l *scalaLexer) quote() scalaKind {
	rest := l.text[l.at+1:]
	if bytes.HasPrefix(rest, []byte(`\u`)) && len(rest) > 6 && rest[6] == '\'' {
		l.at += 8
		return scalaLiteral
	}
	if len(rest) > 2 && rest[0] == '\\' {
		if end := bytes.IndexByte(rest[2:min(len(rest), 8)], '\''); end >= 0 {
			l.at += end + 4
			return scalaLiteral
		}
	}
	_, size := utf8.DecodeRune(rest)
	if len(rest) > size && size > 0 && rest[size] == '\'' && rest[0] != '\n' {
		l.at += size + 2
		return scalaLiteral
	}
	l.at++
	return scalaQuote
}

// xmlMayStart follows "XML mode" of the reference: a blank or an opening bracket
// before the sign, a name after it.
func (l *scalaLexer) xmlMayStart() bool {
	if l.lost > maxLostXML || l.at+1 >= len(l.text) || l.at > 0 && bytes.IndexByte([]byte(" \t\r\n({"), l.text[l.at-1]) < 0 {
		return false
	}
	c, _ := utf8.DecodeRune(l.text[l.at+1:])
	return unicode.IsLetter(c) || c == '_' || c == '!' || c == '?'
}

func scalaLetter(c rune) bool {
	return c == '_' || c == '$' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 && (unicode.IsLetter(c) || unicode.Is(unicode.Nl, c))
}

func scalaSign(c rune) bool {
	if c < 0x80 {
		return c > ' ' && strings.IndexByte("!#%&*+-/:<=>?@\\^|~", byte(c)) >= 0
	}
	return unicode.IsSymbol(c) || unicode.Is(unicode.Po, c)
}

// scalaString returns the end of the string whose quote stands at an offset. In
// an interpolated one, the code in ${…} may hold strings itself.
func scalaString(text []byte, at int, interpolated bool, depth int) int {
	quotes := []byte(`"`)
	if bytes.HasPrefix(text[at:], []byte(`"""`)) {
		quotes = []byte(`"""`)
	}
	triple := len(quotes) == 3
	for i := at + len(quotes); i < len(text); i++ {
		switch c := text[i]; {
		case bytes.HasPrefix(text[i:], quotes):
			i += len(quotes)
			for triple && i < len(text) && text[i] == '"' {
				i++
			}
			return i
		case c == '\\' && !triple:
			i++
		case c == '\n' && !triple:
			return i
		case c == '$' && interpolated && i+1 < len(text):
			i = afterDollar(text, i, depth) - 1
		}
	}
	return len(text)
}

// afterDollar returns where an interpolated string goes on behind a dollar.
func afterDollar(text []byte, at, depth int) int {
	switch text[at+1] {
	case '$', '"':
		return at + 2
	case '{':
		if depth < maxNesting {
			return scalaSpliced(text, at+1, depth+1)
		}
	}
	return at + 1
}

// scalaSpliced returns the end of the code in braces that stands in a string.
func scalaSpliced(text []byte, at, depth int) int {
	open := 0
	for at < len(text) {
		switch c := text[at]; {
		case c == '{':
			open++
		case c == '}':
			open--
			if open == 0 {
				return at + 1
			}
		case bytes.HasPrefix(text[at:], []byte(`'"'`)):
			at += 2
		case bytes.HasPrefix(text[at:], []byte(`'\"'`)):
			at += 3
		case c == '"':
			at = scalaString(text, at, at > 0 && nameByte(text[at-1]), depth) - 1
		case bytes.HasPrefix(text[at:], []byte("/*")):
			at = scalaComment(text, at) - 1
		}
		at++
	}
	return len(text)
}
