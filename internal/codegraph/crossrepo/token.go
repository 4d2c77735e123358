package crossrepo

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// token is a word, a number, a quoted text or a mark of a contract's language.
type token struct {
	text  string
	line  int
	quote bool // text is what stood between quotes
}

// tokens takes apart a text in the manner of protocol buffers and GraphQL: words with
// dots in them where dotted is set, marks of one character. Comments are left out:
// those that begin with a mark of line, and, where blocks is set, /* */.
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

// quoted takes a text between quotes, if there is one.
func (t *tokenizer) quoted(scan func()) {
	before := len(t.out)
	scan()
	for _, l := range t.out[before:] {
		t.list = append(t.list, token{l.text, l.line, true})
	}
}

// reader reads tokens one after another. Behind the last it reads empty ones.
type reader struct {
	list []token
	at   int
}

func (r *reader) done() bool { return r.at >= len(r.list) }

// peek returns the text of the token ahead; "" for a quoted one and at the end.
func (r *reader) peek() string {
	if r.done() || r.list[r.at].quote {
		return ""
	}
	return r.list[r.at].text
}

// line returns the line of the token ahead, at the end that of the last.
func (r *reader) line() int {
	if len(r.list) == 0 {
		return 1
	}
	return r.list[min(r.at, len(r.list)-1)].line
}

// before returns the line of the token that was read last.
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

// take reads a token if it is the one.
func (r *reader) take(text string) bool {
	if !r.done() && r.peek() == text {
		r.at++
		return true
	}
	return false
}

// want reads a token that must be the one.
func (r *reader) want(text string) error {
	if !r.take(text) {
		return message.Errorf("line %d: %q where %q is expected", r.line(), r.peek(), text)
	}
	return nil
}

// closing are the marks that close what others open.
var closing = map[string]string{"{": "}", "(": ")", "[": "]"} //nolint:gochecknoglobals // a table

// skip reads one token and, where that opens something, all up to what closes it.
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

// skipTo reads up to a mark outside of brackets, and the mark.
func (r *reader) skipTo(mark string) {
	for !r.done() && !r.take(mark) {
		r.skip()
	}
}
