package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// kind is the kind of a token.
type kind int8

const (
	end    kind = iota // end of the text
	bad                // invalid text: the last token
	word               // a name or keyword, depending on the context
	quoted             // a name in backticks
	number             // an integer or a float
	str                // a string
	param              // $name
	symbol             // everything else
)

// token is a lexical token.
type token struct {
	kind kind
	at   Pos
	stop int // offset of its end
	text string
	// key is the text to compare with: an upper-case word or a symbol; "" for other kinds.
	key string
	// value is the value of a number or string, or the name in a quoted name or parameter.
	value any
	// fault is the error of a bad token or number.
	fault *Error
}

// isName reports whether the token may be a name.
func (t *token) isName() bool { return t.kind == word || t.kind == quoted }

// name returns the name that a token denotes.
func (t *token) name() string {
	if t.kind == word {
		return t.text
	}
	name, _ := t.value.(string)
	return name
}

// describe returns the description of the token for messages.
func (t *token) describe() message.Text {
	if t.kind == end {
		return message.New("the end of the query")
	}
	text := clipped(t.text)
	unseen := strings.ContainsFunc(text, unicode.IsControl)
	switch {
	case unseen && t.kind == str:
		return message.New("the string %q", text)
	case unseen:
		return message.New("%q", text)
	case t.kind == str:
		return message.New("the string %s", text)
	default:
		return message.New("'%s'", text)
	}
}

// clipped shortens a text for messages.
func clipped(text string) string {
	const longest = 40
	if utf8.RuneCountInString(text) > longest {
		return string([]rune(text)[:longest]) + "…"
	}
	return text
}

// lexer splits a text into tokens.
type lexer struct {
	text string
	at   Pos
}

// lex returns the tokens of a text. The last one has kind end or bad.
func lex(text string) []token {
	l := &lexer{text: text, at: Pos{Line: 1, Column: 1}}
	tokens := make([]token, 0, len(text)/4+1)
	for {
		t := l.next()
		tokens = append(tokens, t)
		if t.kind == end || t.kind == bad {
			return tokens
		}
	}
}

// rest returns the unread text.
func (l *lexer) rest() string { return l.text[l.at.Offset:] }

// advance skips n bytes.
func (l *lexer) advance(n int) {
	passed := l.text[l.at.Offset : l.at.Offset+n]
	l.at.Offset += n
	if lines := strings.Count(passed, "\n"); lines > 0 {
		l.at.Line += lines
		l.at.Column = 1
		passed = passed[strings.LastIndexByte(passed, '\n')+1:]
	}
	l.at.Column += utf8.RuneCountInString(passed)
}

// next returns the next token.
func (l *lexer) next() token {
	if fault := l.blank(); fault != nil {
		return token{kind: bad, at: fault.At, fault: fault, stop: len(l.text)}
	}
	start := l.at
	t := l.scan()
	t.at = start
	if t.fault != nil && t.fault.At == (Pos{}) {
		t.fault.At = start
	}
	l.advance(len(t.text))
	t.stop = l.at.Offset
	return t
}

// scan reads the token at the current position.
func (l *lexer) scan() token {
	rest := l.rest()
	if rest == "" {
		return token{kind: end}
	}
	first, size := utf8.DecodeRuneInString(rest)
	switch {
	case startsName(first):
		text := rest[:nameLength(rest)]
		return token{kind: word, text: text, key: strings.ToUpper(text)}
	case isDigit(rest, 0), first == '.' && isDigit(rest, 1):
		return scanNumber(rest)
	case first == '\'' || first == '"':
		return l.scanString()
	case first == '`':
		return scanQuoted(rest, quoted)
	case first == '$':
		return scanParameter(rest)
	case first >= utf8.RuneSelf:
		return token{kind: bad, text: rest[:size], fault: unexpectedCharacter(first, size)}
	}
	return scanSymbol(rest)
}

// blank skips white space and comments. It is an error if a comment is not closed.
func (l *lexer) blank() *Error {
	for {
		rest := l.rest()
		switch {
		case strings.HasPrefix(rest, "//"):
			line, _, _ := strings.Cut(rest, "\n")
			l.advance(len(line))
		case strings.HasPrefix(rest, "/*"):
			long := strings.Index(rest[2:], "*/")
			if long < 0 {
				return &Error{
					At: l.at, Class: SyntaxError, Code: "UnexpectedSyntax",
					Message: message.New("the comment that begins here has no end"), Advice: message.New("close it with */"),
				}
			}
			l.advance(long + len("/**/"))
		default:
			long := len(rest) - len(strings.TrimLeftFunc(rest, isBlank))
			if long == 0 {
				return nil
			}
			l.advance(long)
		}
	}
}

// isBlank reports whether a character is white space, including the ASCII separators and the byte order mark.
func isBlank(r rune) bool {
	return unicode.IsSpace(r) || '\x1c' <= r && r <= '\x1f' || r == '\ufeff'
}

// startsName reports whether a name may begin with a character.
func startsName(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Pc)
}

// continuesName reports whether a name may contain a character.
func continuesName(r rune) bool {
	return startsName(r) || unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd)
}

// nameLength returns the length of the leading characters that a name may contain, in bytes.
func nameLength(text string) int {
	return len(text) - len(strings.TrimLeftFunc(text, continuesName))
}

func isDigit(text string, i int) bool {
	return i < len(text) && '0' <= text[i] && text[i] <= '9'
}

// pairs are the two-character symbols. Arrows are not among them: a<-1 is a comparison.
const pairs = "<> <= >= =~ .. != == && || :: += =>"

func scanSymbol(text string) token {
	size := 1
	if len(text) > 1 && text[1] > ' ' && strings.Contains(pairs, text[:2]) {
		size = 2
	}
	return token{kind: symbol, text: text[:size], key: text[:size]}
}

// scanQuoted reads a name in backticks; two backticks are an escaped one.
func scanQuoted(text string, as kind) token {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] != '`':
		case i+1 < len(text) && text[i+1] == '`':
			i++
		default:
			name := strings.ReplaceAll(text[1:i], "``", "`")
			return token{kind: as, text: text[:i+1], value: name}
		}
	}
	return token{kind: bad, text: text, fault: &Error{
		Class: SyntaxError, Code: "UnexpectedSyntax",
		Message: message.New("the name that begins with this backtick has no end"), Advice: message.New("close it with `"),
	}}
}

// scanParameter reads $name, $0 or $ and a name in backticks.
func scanParameter(text string) token {
	if strings.HasPrefix(text, "$`") {
		t := scanQuoted(text[1:], param)
		t.text = text[:1+len(t.text)]
		return t
	}
	long := 1 + nameLength(text[1:])
	if long == 1 {
		return token{kind: bad, text: text[:1], fault: &Error{
			Class: SyntaxError, Code: "UnexpectedSyntax",
			Message: message.New("expected the name of a parameter after '$'"), Advice: message.New("write $name"),
		}}
	}
	return token{kind: param, text: text[:long], value: text[1:long]}
}

// lookalikes maps characters to those that were probably meant.
var lookalikes = map[rune]string{
	'—': "-", '–': "-", '−': "-", '‐': "-", '→': "->", '←': "<-", '≠': "<>", '≤': "<=", '≥': ">=",
	'‘': "'", '’': "'", '“': `"`, '”': `"`, '，': ",", '（': "(", '）': ")", '：': ":", '；': ";",
	'。': ".", '｛': "{", '｝': "}", '［': "[", '］': "]", '｜': "|", '＝': "=", '＜': "<", '＞': ">",
}

// unexpectedCharacter returns the error for a character that is not allowed outside strings and names.
func unexpectedCharacter(r rune, size int) *Error {
	fault := &Error{Class: SyntaxError, Code: "InvalidUnicodeCharacter"}
	switch meant, known := lookalikes[r]; {
	case r == utf8.RuneError && size == 1:
		fault.Message = message.New("the text is not UTF-8 here")
	case known:
		fault.Message = message.New("the character '%c' (U+%04X) means nothing here", r, r)
		fault.Advice = message.New("write %s", meant)
	default:
		fault.Message = message.New("the character %+q means nothing here", r)
		fault.Advice = message.New("put names with such characters in backticks")
	}
	return fault
}
