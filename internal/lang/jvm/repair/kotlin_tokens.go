package repair

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// kotlinKind is the kind of a token.
type kotlinKind uint8

const (
	kotlinSign   kotlinKind = iota // an operator, bracket or separator
	kotlinName                     // an identifier or keyword
	kotlinNumber                   // a number literal
	kotlinChar                     // a character literal
	kotlinQuote                    // the quotes at the start or end of a string
	kotlinText                     // text of a string, without templates
)

// kotlinToken is a token of Kotlin. Comments and blanks are not tokens.
type kotlinToken struct {
	from, to    int32 // bytes
	pair        int32 // index of the matching bracket, or -1
	around      int32 // index of the enclosing bracket, or -1
	kind        kotlinKind
	line        bool  // first token of its line
	leadComment bool  // first token of its line after a block comment
	raw         bool  // part of a string in triple quotes
	dollars     uint8 // number of dollars that start a template in the string
}

// Start returns the offset of the first byte of token i.
func (l *KotlinLexer) Start(i int) int { return int(l.Tokens[i].from) }

// End returns the offset after the last byte of token i.
func (l *KotlinLexer) End(i int) int { return int(l.Tokens[i].to) }

func (l *KotlinLexer) pair(i int) int   { return int(l.Tokens[i].pair) }
func (l *KotlinLexer) around(i int) int { return int(l.Tokens[i].around) }

// KotlinLexer splits Kotlin into tokens. It accepts any text and reads it once; invalid
// bytes become signs.
type KotlinLexer struct {
	text          string
	at            int
	Tokens        []kotlinToken
	open          []int          // indexes of the open brackets
	quotes        []kotlinString // strings around the open templates
	line          bool
	leadComment   int         // start of a block comment at the beginning of the line, or -1
	commentStarts map[int]int // index of a token -> start of the comment before it
	findUnclosed  bool        // look for unclosed brackets
	lost          []kotlinBracket
	cut           []int       // ends of unclosed strings
	deep          []core.Span // quotes of strings that are nested too deeply
}

// kotlinString is the form of a string.
type kotlinString struct {
	raw     bool
	dollars int // number of dollars that start a template (multi-dollar interpolation, 2.2)
	depth   int // number of open brackets at its start
}

// kotlinMaxTemplates is the maximum nesting of strings in templates. The grammar's
// scanner aborts the process at 1024.
const kotlinMaxTemplates = 64

// KotlinTokens returns a lexer that has read all tokens of a text.
func KotlinTokens(text string) *KotlinLexer {
	l := tokenizeKotlin(text, false)
	if l.balanced() {
		return l
	}
	return tokenizeKotlin(text, true)
}

func tokenizeKotlin(text string, findUnclosed bool) *KotlinLexer {
	l := &KotlinLexer{text: text, Tokens: make([]kotlinToken, 0, len(text)/5), line: true, leadComment: -1, commentStarts: map[int]int{}, findUnclosed: findUnclosed}
	if strings.HasPrefix(text, "#!") {
		l.at = kotlinSkip(text, 0, "\n")
	}
	for l.at < len(text) {
		l.next()
	}
	return l
}

// next reads a blank, a comment or a token.
func (l *KotlinLexer) next() {
	c, rest := l.text[l.at], l.text[l.at:]
	switch {
	case strings.IndexByte(" \t\f\r\n", c) >= 0:
		if c == '\n' || c == '\r' {
			l.line, l.leadComment = true, -1
		}
		l.at++
	case strings.HasPrefix(rest, "//"):
		l.at = kotlinSkip(l.text, l.at, "\n")
	case strings.HasPrefix(rest, "/*"):
		l.comment()
	case c == '"', c == '$' && l.dollars() > 0:
		l.string(l.dollars())
	case c == '\'':
		l.add(kotlinChar, l.charEnd())
	case c == '`':
		end := kotlinSkip(l.text, l.at+1, "`\n")
		l.add(kotlinName, min(end+1, len(l.text)))
	case c >= '0' && c <= '9':
		l.add(kotlinNumber, l.numberEnd())
	default:
		if end := l.nameEnd(); end > l.at {
			if l.findUnclosed {
				l.closeLost(end)
			}
			l.add(kotlinName, end)
			return
		}
		l.sign()
	}
}

func (l *KotlinLexer) add(kind kotlinKind, end int) {
	around := -1
	if len(l.open) > 0 {
		around = l.open[len(l.open)-1]
	}
	if l.leadComment >= 0 {
		l.commentStarts[len(l.Tokens)] = l.leadComment
	}
	l.Tokens = append(l.Tokens, kotlinToken{
		from: int32(l.at), to: int32(end), pair: -1, around: int32(around), kind: kind, line: l.line, leadComment: l.leadComment >= 0,
	})
	l.at, l.line, l.leadComment = end, false, -1
}

// comment skips a block comment. Block comments nest.
func (l *KotlinLexer) comment() {
	if l.line {
		l.leadComment = l.at
	}
	depth := 0
	for l.at < len(l.text) {
		rest := l.text[l.at:]
		switch {
		case strings.HasPrefix(rest, "/*"):
			depth++
			l.at += 2
		case strings.HasPrefix(rest, "*/"):
			depth--
			l.at += 2
			if depth == 0 {
				return
			}
		default:
			if rest[0] == '\n' {
				l.line = true
			}
			l.at++
		}
	}
}

func (l *KotlinLexer) charEnd() int {
	end := l.at + 1
	for end < len(l.text) && l.text[end] != '\n' && l.text[end] != '\'' {
		if l.text[end] == '\\' {
			end++
		}
		end++
	}
	return min(end+1, len(l.text))
}

func (l *KotlinLexer) numberEnd() int {
	end := l.at
	for end < len(l.text) {
		c := l.text[end]
		exponent := (c == '+' || c == '-') && l.text[end-1]|0x20 == 'e' && !strings.HasPrefix(l.text[l.at:], "0x")
		point := c == '.' && end+1 < len(l.text) && l.text[end+1] >= '0' && l.text[end+1] <= '9' && strings.IndexByte(l.text[l.at:end], '.') < 0
		if !srctext.NameByte(c) && !exponent && !point {
			break
		}
		end++
	}
	return end
}

func (l *KotlinLexer) nameEnd() int {
	end := l.at
	for end < len(l.text) {
		c, size := utf8.DecodeRuneInString(l.text[end:])
		if c != '_' && !unicode.IsLetter(c) && (end == l.at || !unicode.IsDigit(c)) {
			break
		}
		end += size
	}
	return end
}

// dollars returns the number of dollars before the quotes of a string, or 0 if no
// string begins here.
func (l *KotlinLexer) dollars() int {
	row := l.text[l.at:min(len(l.text), l.at+srctext.MaxMarks)]
	rest := strings.TrimLeft(row, "$")
	if len(rest) == 0 || rest[0] != '"' {
		return 0
	}
	return len(row) - len(rest)
}

// kotlinSigns are the operators of several characters, longest first.
var kotlinSigns = strings.Fields("!== === ..< ?. ?: !! && || <= >= == != += -= *= /= %= ++ -- -> :: ..")

func (l *KotlinLexer) sign() {
	rest := l.text[l.at:]
	size := 1
	for _, s := range kotlinSigns {
		if strings.HasPrefix(rest, s) {
			size = len(s)
			break
		}
	}
	if strings.HasPrefix(rest, "?::") {
		size = 1
	}
	if _, n := utf8.DecodeRuneInString(rest); size == 1 {
		size = n
	}
	i, pair := len(l.Tokens), -1
	if strings.IndexByte(")]}", rest[0]) >= 0 {
		pair = l.close(rest[0])
	}
	l.add(kotlinSign, l.at+size)
	if pair >= 0 {
		l.Tokens[i].pair, l.Tokens[pair].pair = int32(pair), int32(i)
	}
	switch rest[0] {
	case '(', '[', '{':
		l.open = append(l.open, i)
	case '}':
		if n := len(l.quotes); n > 0 && len(l.open) == l.quotes[n-1].depth {
			form := l.quotes[n-1]
			l.quotes = l.quotes[:n-1]
			l.content(form)
		}
	}
}

// maxUnclosed is the maximum number of unclosed brackets that one closing bracket ends.
const maxUnclosed = 256

// close pops the open brackets up to the one that c closes and returns its index, or -1
// if there is none. A template is only ended by its own bracket.
func (l *KotlinLexer) close(c byte) int {
	floor := max(0, len(l.open)-maxUnclosed)
	if n := len(l.quotes); n > 0 {
		floor = max(floor, l.quotes[n-1].depth)
	}
	for j := len(l.open) - 1; j >= floor; j-- {
		p := l.open[j]
		if syntax.Closers[l.text[l.Tokens[p].from:l.Tokens[p].to]][0] == c {
			for _, lost := range l.open[j+1:] {
				if l.findUnclosed {
					l.lost = append(l.lost, kotlinBracket{lost, len(l.Tokens)})
				}
			}
			l.open = l.open[:j]
			return p
		}
	}
	return -1
}

// kotlinSkip returns the offset of the first byte of stop at or after from, or the length
// of text.
func kotlinSkip(text string, from int, stop string) int {
	if i := strings.IndexAny(text[min(from, len(text)):], stop); i >= 0 {
		return from + i
	}
	return len(text)
}

// string reads the opening quotes of a string, after its dollars, and its content up to
// the first template or the end.
func (l *KotlinLexer) string(dollars int) {
	form := kotlinString{dollars: max(1, dollars)}
	quotes := 1
	if strings.HasPrefix(l.text[l.at+dollars:], `"""`) {
		form.raw, quotes = true, 3
	}
	if len(l.quotes) >= kotlinMaxTemplates {
		l.deep = append(l.deep, core.Span{Start: l.at, End: l.at + dollars + quotes})
		l.add(kotlinSign, l.at+dollars+quotes)
		return
	}
	l.add(kotlinQuote, l.at+dollars+quotes)
	l.mark(form)
	l.content(form)
}

// mark records the form of the string that the last token is part of.
func (l *KotlinLexer) mark(form kotlinString) {
	t := &l.Tokens[len(l.Tokens)-1]
	t.raw, t.dollars = form.raw, uint8(min(form.dollars, 255))
}

// content reads the text of a string up to its next template or its end.
func (l *KotlinLexer) content(form kotlinString) {
	from := l.at
	for l.at < len(l.text) {
		c := l.text[l.at]
		switch {
		case c == '\\' && !form.raw:
			l.at++
		case c == '\n' && !form.raw:
			l.unclosed(from, form)
			return
		case c == '"' && !form.raw:
			l.endText(from, l.at, form)
			l.add(kotlinQuote, l.at+1)
			return
		case c == '"' && strings.HasPrefix(l.text[l.at:], `"""`):
			end := l.at + 3
			for end < len(l.text) && l.text[end] == '"' {
				end++
			}
			l.endText(from, l.at, form)
			l.add(kotlinQuote, end)
			return
		case c == '$' && l.template(from, form):
			return
		}
		l.at++
	}
	l.at = min(l.at, len(l.text))
	l.endText(from, l.at, form)
}

// unclosed ends a string that is not closed on its line. Its last character becomes the
// quotes; punctuation that may follow a string is excluded.
func (l *KotlinLexer) unclosed(from int, form kotlinString) {
	end := from + len(strings.TrimRight(l.text[from:l.at], ") \t\r,;{}"))
	if end <= from {
		end = min(from+1, l.at)
	}
	if end > from {
		l.endText(from, end-1, form)
		l.at = end - 1
		l.add(kotlinQuote, end)
	}
	l.cut = append(l.cut, end)
}

// endText adds the text of a string up to end.
func (l *KotlinLexer) endText(from, end int, form kotlinString) {
	l.at = from
	if end > from {
		l.add(kotlinText, end)
		l.mark(form)
	}
}

// template reads the start of a template: the dollars and the bracket or the whole
// name. It reports whether code follows.
func (l *KotlinLexer) template(from int, form kotlinString) bool {
	end := l.at
	for end < len(l.text) && l.text[end] == '$' {
		end++
	}
	if end-l.at < form.dollars || end == len(l.text) || l.text[end] != '{' {
		l.at = end - 1
		return false
	}
	l.endText(from, end, form)
	form.depth = len(l.open)
	l.quotes = append(l.quotes, form)
	l.sign()
	return true
}
