package crossrepo

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// token is a word, a number, a string literal or a punctuation mark.
type token struct {
	text  string
	line  int
	quote bool // text is the content of a string literal
}

// tokens splits a text in the lexical syntax of protocol buffers and GraphQL. Words may contain dots if dotted is
// set; marks are single characters. Comments are dropped: line comments begin with one of line, and /* */ if blocks
// is set.
func tokens(src string, line []string, blocks, dotted bool) []token {
	t := &tokenizer{literalScanner: literalScanner{src: src, line: 1}, comments: line, blocks: blocks, dotted: dotted}
	for t.at < len(src) {
		t.next()
	}
	return t.list
}

type tokenizer struct {
	literalScanner
	comments       []string
	blocks, dotted bool
	list           []token
}

func (t *tokenizer) next() {
	rest := t.src[t.at:]
	for _, c := range t.comments {
		if strings.HasPrefix(rest, c) {
			t.skipTo("\n", 0)
			return
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case t.blocks && strings.HasPrefix(rest, "/*"):
		t.skipTo("*/", 2)
	case strings.HasPrefix(rest, `"""`):
		t.quoted(func() { t.long(`"""`) })
	case r == '"' || r == '\'':
		t.quoted(func() { t.short(byte(r)) })
	case t.word(r):
		n := strings.IndexFunc(rest, func(r rune) bool { return !t.word(r) })
		if n < 0 {
			n = len(rest)
		}
		t.list = append(t.list, token{text: rest[:n], line: t.line})
		t.advance(n)
	default:
		if !unicode.IsSpace(r) {
			t.list = append(t.list, token{text: rest[:size], line: t.line})
		}
		t.advance(size)
	}
}

func (t *tokenizer) word(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || t.dotted && r == '.'
}

// quoted reads a string literal, if there is one.
func (t *tokenizer) quoted(scan func()) {
	before := len(t.out)
	scan()
	for _, l := range t.out[before:] {
		t.list = append(t.list, token{l.text, l.line, true})
	}
}

// reader reads tokens in sequence. After the last one it returns empty tokens.
type reader struct {
	list []token
	at   int
}

func (r *reader) done() bool { return r.at >= len(r.list) }

// peek returns the text of the next token; "" for a string literal and at the end.
func (r *reader) peek() string {
	if r.done() || r.list[r.at].quote {
		return ""
	}
	return r.list[r.at].text
}

// line returns the line of the next token; at the end, that of the last.
func (r *reader) line() int {
	if len(r.list) == 0 {
		return 1
	}
	return r.list[min(r.at, len(r.list)-1)].line
}

// before returns the line of the previous token.
func (r *reader) before() int {
	if r.at == 0 || len(r.list) == 0 {
		return 1
	}
	return r.list[min(r.at, len(r.list))-1].line
}

func (r *reader) next() string {
	text := r.peek()
	if !r.done() {
		r.at++
	}
	return text
}

// take consumes the next token if it is text.
func (r *reader) take(text string) bool {
	if !r.done() && r.peek() == text {
		r.at++
		return true
	}
	return false
}

// want consumes the next token, which must be text.
func (r *reader) want(text string) error {
	if !r.take(text) {
		return message.Errorf("line %d: %q where %q is expected", r.line(), r.peek(), text)
	}
	return nil
}

// closing maps opening brackets to closing ones.
var closing = map[string]string{"{": "}", "(": ")", "[": "]"}

// skip skips one token and, if it is an opening bracket, everything up to the closing one.
func (r *reader) skip() {
	var open []string
	for first := true; first || len(open) > 0 && !r.done(); first = false {
		text := r.next()
		if end, opens := closing[text]; opens {
			open = append(open, end)
		} else if len(open) > 0 && text == open[len(open)-1] {
			open = open[:len(open)-1]
		}
	}
}

// skipTo skips to a mark outside brackets, inclusive.
func (r *reader) skipTo(mark string) {
	for !r.done() && !r.take(mark) {
		r.skip()
	}
}
