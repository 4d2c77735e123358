package repair

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	wordToken     Kind = iota // a keyword or a name without its backslashes
	variableToken             // $name
	String                    // a literal of any kind, including interpolated expressions
	signToken                 // an operator or a bracket
	otherToken                // numbers, text outside PHP
)

// Token is a token of PHP. Comments are not tokens.
type Token struct {
	from, to uint32 // byte offsets, narrow because files have many tokens
	Kind     Kind
}

// Start returns the offset of the first byte.
func (t Token) Start() int { return int(t.from) }

// End returns the offset after the last byte.
func (t Token) End() int { return int(t.to) }

// lexer splits PHP into tokens without a grammar, so that syntax newer than the
// grammar is tokenized like any other. Of strings and heredocs it finds the end only.
type lexer struct {
	text   []byte
	at     int
	tokens []Token
	// endless are heredoc labels for which no closing label was found. Later uses of
	// the label are not searched again.
	endless map[string]bool
}

// Tokens returns the tokens of a file, which begins outside PHP.
func Tokens(text []byte) []Token {
	l := &lexer{text: text, tokens: make([]Token, 0, len(text)/6)}
	l.outside()
	for l.at < len(text) {
		l.token()
	}
	return l.tokens
}

// TokensIn returns the tokens of PHP code without an opening tag.
func TokensIn(code []byte) []Token {
	l := &lexer{text: code}
	for l.at < len(code) {
		l.token()
	}
	return l.tokens
}

// HeadTokens returns the tokens of the attributes and modifiers at the start of
// code, and the token after them.
func HeadTokens(code []byte) []Token {
	l := &lexer{text: code}
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

// outside skips text outside PHP, up to the end of the next opening tag.
func (l *lexer) outside() {
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
	l.add(otherToken, start)
}

func (l *lexer) add(kind Kind, start int) {
	if l.at > start {
		l.tokens = append(l.tokens, Token{uint32(start), uint32(l.at), kind}) // the parser rejects longer texts
	}
}

// has reports whether the remaining text begins with mark.
func (l *lexer) has(mark string) bool {
	return strings.HasPrefix(string(l.text[l.at:min(len(l.text), l.at+len(mark))]), mark)
}

// token reads the next token, or skips a blank or comment.
func (l *lexer) token() {
	start := l.at
	c := l.text[start]
	switch {
	case c <= ' ':
		l.at++
	case srctext.NameByte(c):
		l.word()
		l.add(wordOrNumber(c), start)
	case c == '$' && start+1 < len(l.text) && srctext.NameByte(l.text[start+1]):
		l.at++
		l.word()
		l.add(variableToken, start)
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
		l.add(signToken, start)
	}
}

// comment skips a comment. It reports false if there is none.
func (l *lexer) comment() bool {
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

func wordOrNumber(c byte) Kind {
	if c >= '0' && c <= '9' {
		return otherToken
	}
	return wordToken
}

func (l *lexer) word() {
	for l.at < len(l.text) && srctext.NameByte(l.text[l.at]) {
		l.at++
	}
}

// to skips the text up to the end of mark, or to the end of the text.
func (l *lexer) to(mark string) {
	i := bytes.Index(l.text[l.at+1:], []byte(mark))
	if i < 0 {
		l.at = len(l.text)
		return
	}
	l.at += 1 + i + len(mark)
}

// lineComment skips a comment that ends at the end of the line or at ?>.
func (l *lexer) lineComment() {
	for l.at < len(l.text) && l.text[l.at] != '\n' && l.text[l.at] != '\r' && !l.has("?>") {
		l.at++
	}
}

// quoted skips a quoted literal.
func (l *lexer) quoted(quote byte) {
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

func (l *lexer) interpolates() bool { return l.has("{$") || l.has("${") }

// maxInterpolation is the maximum length in bytes of an interpolated expression. It
// keeps an unclosed brace from consuming the rest of the text and bounds repeated
// searches.
const maxInterpolation = 4096

// interpolation skips {$expression} in a string, or one byte if the expression is not
// closed.
func (l *lexer) interpolation() {
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

// skipPlain skips a literal inside an interpolated expression. Nested interpolation is
// ignored.
func (l *lexer) skipPlain(quote byte, limit int) {
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

// maxEndless is the maximum number of unclosed heredoc labels that are remembered.
const maxEndless = 64

// heredoc skips <<<LABEL … LABEL. It reports false if there is none. The closing label
// begins a line, after optional blanks (PHP 7.3).
func (l *lexer) heredoc() bool {
	rest := bytes.TrimLeft(l.text[l.at+len("<<<"):], " \t")
	rest = bytes.TrimLeft(rest, `'"`)
	n := 0
	for n < len(rest) && srctext.NameByte(rest[n]) {
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
		if tail, ok := bytes.CutPrefix(body, label); ok && (len(tail) == 0 || !srctext.NameByte(tail[0])) {
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

// signs are the operators of several bytes, longest first.
var signs = []string{"...", "?->", "===", "!==", "<=>", "**=", "<<=", ">>=", "??=", "->", "=>", "::", "|>", "||", "|=", "&&", "??", "==", "!=", "<=", ">=", "<<", ">>", "**", "#["}

func signLength(text []byte) int {
	for _, s := range signs {
		if text[0] == s[0] && bytes.HasPrefix(text, []byte(s)) {
			return len(s)
		}
	}
	return 1
}
