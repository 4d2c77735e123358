package syntax

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// maxNesting is the maximum nesting of an expression.
const maxNesting = 200

// maxLength is the maximum length of a query in bytes.
const maxLength = 1 << 20

// Parse parses a query. The error is an [*Error] with a position.
func Parse(text string) (*Query, error) {
	return parse(text, func(p *parser) *Query {
		mode := p.mode()
		query := p.query(false)
		query.Text, query.Mode = text, mode
		for p.accept(";") {
			continue
		}
		return query
	})
}

// ParsePattern parses a comma-separated list of paths.
func ParsePattern(text string) ([]*Path, error) {
	return parse(text, (*parser).pattern)
}

// ParseExpr parses an expression.
func ParseExpr(text string) (Expr, error) {
	return parse(text, (*parser).expr)
}

// parse applies a rule of the grammar to a whole text.
func parse[T any](text string, rule func(*parser) T) (T, error) {
	var nothing T
	if len(text) > maxLength {
		return nothing, &Error{
			Class: Unsupported, Code: "TooLong", Message: message.New("the query has more than %d bytes", maxLength),
			Advice: message.New("give long lists as parameters"),
		}
	}
	p := newParser(text)
	tree := rule(p)
	if p.tok().kind != end {
		p.expected(message.New("the end of the query"))
	}
	if p.err != nil {
		return nothing, p.err
	}
	return tree, nil
}

// parser is a recursive descent parser. After the first error it moves to the last token, which no rule accepts:
// all rules then return, and their results are discarded.
type parser struct {
	text string
	toks []token
	brackets
	i     int // index of the next token
	depth int // nesting of expressions
	err   *Error
	// bar is set if a | may end the expression, so that x:A | y has only the label A.
	bar bool
}

func newParser(text string) *parser {
	toks := lex(text)
	return &parser{text: text, toks: toks, brackets: findBrackets(toks)}
}

// tok returns the next token.
func (p *parser) tok() *token { return &p.toks[p.i] }

// peek returns the token n places ahead, at most the last one.
func (p *parser) peek(n int) *token { return &p.toks[min(p.i+n, len(p.toks)-1)] }

// is reports whether the next tokens have these keys.
func (p *parser) is(keys ...string) bool {
	for n, key := range keys {
		if p.peek(n).key != key {
			return false
		}
	}
	return true
}

// isOneOf reports whether the next token has one of these keys.
func (p *parser) isOneOf(keys ...string) bool { return slices.Contains(keys, p.tok().key) }

// take consumes the next token.
func (p *parser) take() *token {
	t := p.tok()
	p.i = min(p.i+1, len(p.toks)-1)
	return t
}

// accept consumes the next tokens if they have these keys.
func (p *parser) accept(keys ...string) bool {
	found := p.is(keys...)
	if found {
		p.i += len(keys)
	}
	return found
}

// expect consumes a token that must have this key.
func (p *parser) expect(key string) {
	if !p.accept(key) {
		p.expected(message.New("%s", quoteKey(key)))
	}
}

// close consumes the bracket that closes open. Instead describes the alternatives for an error.
func (p *parser) close(open *token, instead ...message.Text) {
	key := closers[open.key]
	if p.err != nil || p.accept(key) {
		return
	}
	wanted := message.New("%s", quoteKey(key))
	for _, other := range instead {
		wanted = message.New("%s or %s", other, wanted)
	}
	p.expected(wanted)
	if p.err.Advice.Empty() {
		p.err.Advice = message.New("the '%s' at %s is not closed", open.key, open.at)
	}
}

// quoteKey returns a keyword as it is, and a symbol in quotes.
func quoteKey(key string) string {
	if startsName(rune(key[0])) {
		return key
	}
	return "'" + key + "'"
}

// name consumes a name, which may be a keyword. What says for errors what it names.
func (p *parser) name(what message.Text) string {
	if !p.tok().isName() {
		p.expected(what)
		return ""
	}
	return p.take().name()
}

// variable consumes the name of a declared variable.
func (p *parser) variable() *Variable {
	at := p.tok().at
	return &Variable{At: at, Name: p.name(message.New("a variable"))}
}

// enter increases the nesting, and reports whether that is allowed. The caller calls leave in either case.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxNesting {
		p.refuse(p.tok().at, message.New("the query is nested more than %d levels deep", maxNesting), message.New("give deep values as parameters"))
	}
	return p.err == nil
}

func (p *parser) leave() { p.depth-- }

// fail records a syntax error. Only the first one counts.
func (p *parser) fail(at Pos, code string, text, advice message.Text) {
	p.report(&Error{At: at, Class: SyntaxError, Code: code, Message: text, Advice: advice})
}

// refuse records the use of an unsupported feature of Cypher.
func (p *parser) refuse(at Pos, text, advice message.Text) {
	p.report(&Error{At: at, Class: Unsupported, Code: "NotSupported", Message: text, Advice: advice})
}

func (p *parser) report(fault *Error) {
	if p.err == nil {
		p.err = fault
		p.i = len(p.toks) - 1
	}
}

// expected records that something else was expected.
func (p *parser) expected(what message.Text) {
	t := p.tok()
	if t.kind == bad {
		p.report(t.fault)
		return
	}
	text := message.New("expected %s, found %s", what, t.describe())
	if p.i > 0 {
		text = message.New("expected %s after %s, found %s", what, p.toks[p.i-1].describe(), t.describe())
	}
	p.fail(t.at, "UnexpectedSyntax", text, foreignSymbols[t.key])
}

// foreignSymbols maps symbols of other languages to advice.
var foreignSymbols = map[string]message.Text{
	"!=": message.New("write <> for not equal"),
	"==": message.New("write = for equal"),
	"&&": message.New("write AND"),
	"||": message.New("write OR for a choice, + to join strings"),
	"!":  message.New("write NOT"),
	"&":  message.New("write :A:B for both labels, AND between conditions"),
	"?":  message.New("write $name for a parameter"),
	"=>": message.New("write >= for at least"),
	"::": message.New("types of values are not part of the language"),
	"#":  message.New("comments begin with //"),
}

// source returns the text from a token to the last one consumed.
func (p *parser) source(first *token) string {
	if p.err != nil {
		return ""
	}
	return p.text[first.at.Offset:p.toks[p.i-1].stop]
}
