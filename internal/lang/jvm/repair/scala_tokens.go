package repair

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// scalaToken is a token of Scala's lexical syntax (reference, "Lexical Syntax"). An
// interpolated string and an XML literal are one token each, including their code.
type scalaToken struct {
	Start, End int32
	column     int32 // of the first token of a line: width of the blanks before it
	kind       scalaKind
	first      bool // first token of its line
}

type scalaKind uint8

const (
	scalaWord     scalaKind = iota // identifiers of letters, and keywords
	scalaOperator                  // identifiers of operator characters, and =, =>, <-, :, @, #
	scalaLiteral                   // strings, characters, numbers
	scalaBracket                   // ( ) [ ] { }
	scalaMark                      // , . ;
	scalaQuote                     // ' before a quoted expression or a symbol
	scalaXML
)

// ScalaTokens returns the tokens of a text without comments, and the spans of the
// documentation comments.
func ScalaTokens(text []byte) (tokens []scalaToken, docs []core.Span) {
	l := ScalaLexer{Text: text, fresh: true}
	if bytes.HasPrefix(text, []byte("#!")) {
		l.At = srctext.EndOfLine(text, 0)
	}
	for l.Blanks(); l.At < len(text); l.Blanks() {
		t := scalaToken{Start: int32(l.At), first: l.fresh, column: int32(l.column)}
		t.kind = l.Next()
		t.End = int32(l.At)
		l.fresh = false
		l.tokens = append(l.tokens, t)
	}
	return l.tokens, l.docs
}

// ScalaLexer reads the tokens of a text from an offset on.
type ScalaLexer struct {
	Text   []byte
	At     int
	fresh  bool // at the start of a line
	column int  // blanks since the start of the line
	lost   int  // number of signs that looked like the start of XML but were not
	tokens []scalaToken
	docs   []core.Span // documentation comments
}

// maxLostXML is the maximum number of failed attempts to read XML.
const maxLostXML = 16

// Blanks skips white space and comments.
func (l *ScalaLexer) Blanks() {
	for l.At < len(l.Text) {
		rest := l.Text[l.At:]
		switch c := rest[0]; {
		case c == '\n':
			l.fresh, l.column = true, 0
			l.At++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == 0x1a:
			l.column++
			l.At++
		case bytes.HasPrefix(rest, []byte("//")):
			l.At = srctext.EndOfLine(l.Text, l.At)
		case bytes.HasPrefix(rest, []byte("/*")):
			end := scalaComment(l.Text, l.At)
			if text := l.Text[l.At:end]; len(text) > len("/**/") && text[2] == '*' {
				l.docs = append(l.docs, core.Span{Start: l.At, End: end})
			}
			l.column += end - l.At
			if i := bytes.LastIndexByte(l.Text[l.At:end], '\n'); i >= 0 {
				l.fresh, l.column = true, end-l.At-i-1
			}
			l.At = end
		default:
			return
		}
	}
}

// scalaComment returns the end of the block comment at an offset. Comments nest.
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

// Next skips the current token and returns its kind.
func (l *ScalaLexer) Next() scalaKind {
	c, size := utf8.DecodeRune(l.Text[l.At:])
	switch {
	case strings.ContainsRune("()[]{}", c):
		l.At++
		return scalaBracket
	case c == ',' || c == ';' || c == '.' && !l.digitAt(l.At+1):
		l.At++
		return scalaMark
	case c == '"':
		l.At = scalaString(l.Text, l.At, false, 0)
		return scalaLiteral
	case c == '`':
		if i := bytes.IndexAny(l.Text[l.At+1:], "`\n"); i >= 0 {
			l.At += i + 2
			return scalaWord
		}
		l.At++
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

// operator reads XML, or an identifier of operator characters that begins with c.
func (l *ScalaLexer) operator(c rune, size int) scalaKind {
	if c == '<' && l.xmlMayStart() {
		if end := scalaXMLEnd(l.Text, l.At, 0); end > 0 {
			l.At = end
			return scalaXML
		}
		l.lost++
	}
	l.At += size
	if scalaSign(c) {
		l.signs()
	}
	return scalaOperator
}

func (l *ScalaLexer) digitAt(at int) bool {
	return at < len(l.Text) && l.Text[at] >= '0' && l.Text[at] <= '9'
}

// word reads an identifier of letters, or an interpolated string that begins with one.
func (l *ScalaLexer) word() scalaKind {
	underscore, start := false, l.At
	for l.At < len(l.Text) {
		c, size := utf8.DecodeRune(l.Text[l.At:])
		if !scalaLetter(c) && !unicode.IsDigit(c) {
			if underscore && scalaSign(c) { // idrest: an operator may follow an underscore
				l.signs()
			}
			break
		}
		underscore = c == '_' && l.At > start
		l.At += size
	}
	if l.At < len(l.Text) && l.Text[l.At] == '"' {
		l.At = scalaString(l.Text, l.At, true, 0)
		return scalaLiteral
	}
	return scalaWord
}

// signs skips operator characters up to a comment.
func (l *ScalaLexer) signs() {
	for l.At < len(l.Text) {
		c, size := utf8.DecodeRune(l.Text[l.At:])
		rest := l.Text[l.At:]
		if !scalaSign(c) || bytes.HasPrefix(rest, []byte("//")) || bytes.HasPrefix(rest, []byte("/*")) {
			return
		}
		l.At += size
	}
}

// number reads a number: digits, letters, and points followed by digits.
func (l *ScalaLexer) number() {
	for l.At < len(l.Text) {
		c := l.Text[l.At]
		exponent := (c == '+' || c == '-') && l.Text[l.At-1]|0x20 == 'e' && l.digitAt(l.At+1)
		if !srctext.NameByte(c) && !exponent && (c != '.' || !l.digitAt(l.At+1)) {
			return
		}
		l.At++
	}
}

// quote reads a character literal, or the mark before a quote or a symbol.
func (l *ScalaLexer) quote() scalaKind {
	rest := l.Text[l.At+1:]
	if bytes.HasPrefix(rest, []byte(`\u`)) && len(rest) > 6 && rest[6] == '\'' {
		l.At += 8
		return scalaLiteral
	}
	if len(rest) > 2 && rest[0] == '\\' {
		if end := bytes.IndexByte(rest[2:min(len(rest), 8)], '\''); end >= 0 {
			l.At += end + 4
			return scalaLiteral
		}
	}
	_, size := utf8.DecodeRune(rest)
	if len(rest) > size && size > 0 && rest[size] == '\'' && rest[0] != '\n' {
		l.At += size + 2
		return scalaLiteral
	}
	l.At++
	return scalaQuote
}

// xmlMayStart reports whether XML may begin here by the rules of "XML mode" in the
// reference: a blank or an opening bracket before the sign, and a name after it.
func (l *ScalaLexer) xmlMayStart() bool {
	if l.lost > maxLostXML || l.At+1 >= len(l.Text) || l.At > 0 && bytes.IndexByte([]byte(" \t\r\n({"), l.Text[l.At-1]) < 0 {
		return false
	}
	c, _ := utf8.DecodeRune(l.Text[l.At+1:])
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

// scalaString returns the end of the string that begins at an offset. In an
// interpolated string, code in ${…} may contain strings.
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

// afterDollar returns the offset after the interpolation that begins with a dollar.
func afterDollar(text []byte, at, depth int) int {
	switch text[at+1] {
	case '$', '"':
		return at + 2
	case '{':
		if depth < core.MaxNesting {
			return scalaSpliced(text, at+1, depth+1)
		}
	}
	return at + 1
}

// scalaSpliced returns the end of the braced code in a string.
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
			at = scalaString(text, at, at > 0 && srctext.NameByte(text[at-1]), depth) - 1
		case bytes.HasPrefix(text[at:], []byte("/*")):
			at = scalaComment(text, at) - 1
		}
		at++
	}
	return len(text)
}
