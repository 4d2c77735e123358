package repair

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// phpKind is what a token of PHP is.
type phpKind uint8

// The kinds of tokens.
const (
	phpWord     phpKind = iota // a keyword or a name without its backslashes
	phpVariable                // $name
	String                     // a literal of any kind, with what is interpolated
	phpSign                    // an operator or a bracket
	phpOther                   // numbers, text outside PHP
)

// Token is a token of PHP; comments are none.
type Token struct {
	from, to uint32 // offsets; a file may have many tokens
	Kind     phpKind
}

// Start returns the offset of the first byte.
func (t Token) Start() int { return int(t.from) }

// End returns the offset after the last byte.
func (t Token) End() int { return int(t.to) }

// phpLexer splits PHP into tokens without building a tree, so that syntax which
// the grammar does not know has the same tokens as every other. It knows of
// strings and heredocs where they end.
type phpLexer struct {
	text   []byte
	at     int
	tokens []Token
	// endless are the labels of heredocs that nothing closes from where one was
	// looked for: those are no heredocs, nor are later ones.
	endless map[string]bool
}

// Tokens returns the tokens of a file.
func Tokens(text []byte) []Token {
	l := &phpLexer{text: text, tokens: make([]Token, 0, len(text)/6)}
	l.outside()
	for l.at < len(text) {
		l.token()
	}
	return l.tokens
}

// TokensIn returns the tokens of a part of PHP code.
func TokensIn(code []byte) []Token {
	l := &phpLexer{text: code}
	for l.at < len(code) {
		l.token()
	}
	return l.tokens
}

// PhpHeadTokens returns the tokens of the attributes and modifiers that code
// begins with, and the one behind them.
func PhpHeadTokens(code []byte) []Token {
	l := &phpLexer{text: code}
	for depth := 0; l.at < len(code); {
		before := len(l.tokens)
		l.token()
		if len(l.tokens) == before {
			continue
		}
		last := l.tokens[before]
		switch text := string(code[last.from:last.to]); text {
		case "#[", "[", "(", "{":
			depth++
		case "]", ")", "}":
			depth--
		default:
			if depth == 0 && !slices.Contains(Modifiers, strings.ToLower(text)) {
				return l.tokens
			}
		}
	}
	return l.tokens
}

// outside passes over text that is no PHP, to the end of the next opening tag.
func (l *phpLexer) outside() {
	start := l.at
	open := bytes.Index(l.text[l.at:], []byte("<?"))
	if open < 0 {
		l.at = len(l.text)
	} else {
		l.at += open + len("<?")
		rest := l.text[l.at:]
		switch {
		case len(rest) >= 3 && strings.EqualFold(string(rest[:3]), "php"):
			l.at += len("php")
		case len(rest) > 0 && rest[0] == '=':
			l.at++
		}
	}
	l.add(phpOther, start)
}

func (l *phpLexer) add(kind phpKind, start int) {
	if l.at > start {
		l.tokens = append(l.tokens, Token{uint32(start), uint32(l.at), kind}) // the parser takes no longer texts
	}
}

// has tells whether the text goes on with mark.
func (l *phpLexer) has(mark string) bool {
	return strings.HasPrefix(string(l.text[l.at:min(len(l.text), l.at+len(mark))]), mark)
}

// token reads the next token, or passes over what is none.
func (l *phpLexer) token() {
	start := l.at
	c := l.text[start]
	switch {
	case c <= ' ':
		l.at++
	case core.NameByte(c):
		l.word()
		l.add(wordOrNumber(c), start)
	case c == '$' && start+1 < len(l.text) && core.NameByte(l.text[start+1]):
		l.at++
		l.word()
		l.add(phpVariable, start)
	case c == '\'' || c == '"' || c == '`':
		l.quoted(c)
		l.add(String, start)
	case l.has("<<<") && l.heredoc():
		l.add(String, start)
	case l.comment():
	case l.has("?>"):
		l.at += len("?>")
		l.outside()
	default:
		l.at += signLength(l.text[start:])
		l.add(phpSign, start)
	}
}

// comment passes over a comment and tells whether there was one.
func (l *phpLexer) comment() bool {
	switch {
	case l.has("/*"):
		l.to("*/")
	case l.has("//"), l.has("#") && !l.has("#["):
		l.lineComment()
	default:
		return false
	}
	return true
}

func wordOrNumber(c byte) phpKind {
	if c >= '0' && c <= '9' {
		return phpOther
	}
	return phpWord
}

func (l *phpLexer) word() {
	for l.at < len(l.text) && core.NameByte(l.text[l.at]) {
		l.at++
	}
}

// to passes over the text up to the end of mark, or of the text.
func (l *phpLexer) to(mark string) {
	i := bytes.Index(l.text[l.at+1:], []byte(mark))
	if i < 0 {
		l.at = len(l.text)
		return
	}
	l.at += 1 + i + len(mark)
}

// lineComment passes over a comment, which ends with its line or with PHP.
func (l *phpLexer) lineComment() {
	for l.at < len(l.text) && l.text[l.at] != '\n' && l.text[l.at] != '\r' && !l.has("?>") {
		l.at++
	}
}

// quoted passes over a literal in quotes.
func (l *phpLexer) quoted(quote byte) {
	for l.at++; l.at < len(l.text); {
		switch c := l.text[l.at]; {
		case c == '\\':
			l.at += 2
		case c == quote:
			l.at++
			return
		case quote != '\'' && l.interpolates():
			l.interpolation()
		default:
			l.at++
		}
	}
	l.at = len(l.text)
}

func (l *phpLexer) interpolates() bool { return l.has("{$") || l.has("${") }

// maxInterpolation is how far the end of an interpolated expression is looked
// for: one that is never closed must not swallow the text, nor be searched again
// and again.
const maxInterpolation = 4096

// interpolation passes over {$expression} in a string, and over nothing but its
// first byte when it has no end.
func (l *phpLexer) interpolation() {
	begin, depth := l.at, 0
	for limit := min(len(l.text), begin+maxInterpolation); l.at < limit; {
		switch c := l.text[l.at]; c {
		case '{':
			depth++
		case '}':
			depth--
			if depth == 0 {
				l.at++
				return
			}
		case '\'', '"':
			l.skipPlain(c, limit)
			continue
		}
		l.at++
	}
	l.at = begin + 1
}

// skipPlain passes over a literal inside an interpolated expression; what is
// interpolated in it again is not looked at.
func (l *phpLexer) skipPlain(quote byte, limit int) {
	for l.at++; l.at < limit; l.at++ {
		switch l.text[l.at] {
		case '\\':
			l.at++
		case quote:
			l.at++
			return
		}
	}
}

// maxEndless is how many labels without an end are looked for.
const maxEndless = 64

// heredoc passes over <<<LABEL … LABEL and tells whether there is one. The
// closing label begins a line, blanks before it not counted (PHP 7.3).
func (l *phpLexer) heredoc() bool {
	rest := bytes.TrimLeft(l.text[l.at+len("<<<"):], " \t")
	rest = bytes.TrimLeft(rest, `'"`)
	n := 0
	for n < len(rest) && core.NameByte(rest[n]) {
		n++
	}
	if n == 0 {
		return false
	}
	label := rest[:n]
	if l.endless[string(label)] || len(l.endless) > maxEndless {
		return false
	}
	after := bytes.IndexByte(rest, '\n')
	if after < 0 {
		return false
	}
	at := len(l.text) - len(rest) + after + 1
	for row := range bytes.Lines(l.text[at:]) {
		body := bytes.TrimLeft(row, " \t")
		if tail, ok := bytes.CutPrefix(body, label); ok && (len(tail) == 0 || !core.NameByte(tail[0])) {
			l.at = at + len(row) - len(tail)
			return true
		}
		at += len(row)
	}
	if l.endless == nil {
		l.endless = map[string]bool{}
	}
	l.endless[string(label)] = true
	return false
}

// phpSigns are the operators of several bytes whose parts mean something else,
// the longer ones first.
var phpSigns = []string{"...", "?->", "===", "!==", "<=>", "**=", "<<=", ">>=", "??=", "->", "=>", "::", "|>", "||", "|=", "&&", "??", "==", "!=", "<=", ">=", "<<", ">>", "**", "#["}

func signLength(text []byte) int {
	for _, s := range phpSigns {
		if text[0] == s[0] && bytes.HasPrefix(text, []byte(s)) {
			return len(s)
		}
	}
	return 1
}
