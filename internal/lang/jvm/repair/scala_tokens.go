package repair

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// scalaToken is a token of Scala's lexical syntax (reference, "Lexical Syntax").
// An interpolated string and an XML literal are one token each, with all the
// code in them.
type scalaToken struct {
	Start, End int32
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

// ScalaTokens reads the tokens of a text, comments left out, and where the
// comments stand that document.
func ScalaTokens(text []byte) (tokens []scalaToken, docs []core.Span) {
	l := ScalaLexer{Text: text, fresh: true}
	if bytes.HasPrefix(text, []byte("#!")) {
		l.At = core.EndOfLine(text, 0)
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
	fresh  bool // a line has just begun
	column int  // blanks since it began
	lost   int  // signs that looked like the beginning of XML
	tokens []scalaToken
	docs   []core.Span // the comments that document
}

// maxLostXML is how often XML is looked for in vain.
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
			l.At = core.EndOfLine(l.Text, l.At)
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

// Next moves behind the token at hand and returns its kind.
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

// operator reads XML, or an identifier of signs that begins with c.
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

// word reads an identifier of letters, or an interpolated string after one.
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

// signs moves behind operator characters; a comment ends them.
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

// number reads a number: digits, letters and points that digits follow.
func (l *ScalaLexer) number() {
	for l.At < len(l.Text) {
		c := l.Text[l.At]
		exponent := (c == '+' || c == '-') && l.Text[l.At-1]|0x20 == 'e' && l.digitAt(l.At+1)
		if !core.NameByte(c) && !exponent && (c != '.' || !l.digitAt(l.At+1)) {
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

// xmlMayStart follows "XML mode" of the reference: a blank or an opening bracket
// before the sign, a name after it.
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
		if depth < core.MaxNesting {
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
			at = scalaString(text, at, at > 0 && core.NameByte(text[at-1]), depth) - 1
		case bytes.HasPrefix(text[at:], []byte("/*")):
			at = scalaComment(text, at) - 1
		}
		at++
	}
	return len(text)
}
