package syntax

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// deepest is how many levels an expression may be nested.
const deepest = 200

// longest is how many bytes the text of a query may have.
const longest = 1 << 20

// Parse makes a tree of the text of a query. Its errors are *Error with a place.
func Parse(text string) (*Query, error) {
	return parse(text, func(p *parser) *Query {
		query := p.query(false)
		query.Text = text
		for p.accept(";") {
			continue
		}
		return query
	})
}

// ParsePattern makes trees of paths with commas between them.
func ParsePattern(text string) ([]*Path, error) {
	return parse(text, (*parser).pattern)
}

// ParseExpr makes a tree of one expression.
func ParseExpr(text string) (Expr, error) {
	return parse(text, (*parser).expr)
}

// parse runs a rule of the grammar over a whole text.
func parse[T any](text string, rule func(*parser) T) (T, error) {
	var nothing T
	if len(text) > longest {
		return nothing, &Error{
			Class: Unsupported, Code: "TooLong", Message: message.New("the query has more than %d bytes", longest),
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

// parser reads tokens by recursive descent. After the first fault it stands at the
// last token, which nothing accepts: every rule then comes to its end, and what it
// returns is thrown away.
type parser struct {
	text string
	toks []token
	brackets
	i     int // the token that is next
	depth int // of the expressions around
	err   *Error
	// bar says that a | may end the expression, so that x:A | y asks for A only.
	bar bool
}

func newParser(text string) *parser {
	toks := lex(text)
	return &parser{text: text, toks: toks, brackets: findBrackets(toks)}
}

// tok returns the token that is next.
func (p *parser) tok() *token { return &p.toks[p.i] }

// peek returns the token n places on; the last one when there are fewer.
func (p *parser) peek(n int) *token { return &p.toks[min(p.i+n, len(p.toks)-1)] }

// is reports whether the next tokens are these words and symbols.
func (p *parser) is(keys ...string) bool {
	for n, key := range keys {
		if p.peek(n).key != key {
			return false
		}
	}
	return true
}

// isOneOf reports whether the next token is one of some words and symbols.
func (p *parser) isOneOf(keys ...string) bool { return slices.Contains(keys, p.tok().key) }

// take returns the next token and moves behind it.
func (p *parser) take() *token {
	t := p.tok()
	p.i = min(p.i+1, len(p.toks)-1)
	return t
}

// accept takes the next tokens if they are these words and symbols.
func (p *parser) accept(keys ...string) bool {
	found := p.is(keys...)
	if found {
		p.i += len(keys)
	}
	return found
}

// expect takes a word or symbol that must be next.
func (p *parser) expect(key string) {
	if !p.accept(key) {
		p.expected(message.New("%s", quoteKey(key)))
	}
}

// close takes the bracket that ends what the token open began. The words say what
// else could have been next.
func (p *parser) close(open *token, instead ...message.Text) {
	key := closers[open.key]
	if p.accept(key) || p.err != nil {
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

// quoteKey returns a keyword as it is and a symbol in quotes.
func quoteKey(key string) string {
	if startsName(rune(key[0])) {
		return key
	}
	return "'" + key + "'"
}

// name takes a name, which may be a keyword. The words say what it is the name of.
func (p *parser) name(what message.Text) string {
	if !p.tok().isName() {
		p.expected(what)
		return ""
	}
	return p.take().name()
}

// variable takes the name of a variable that is declared here.
func (p *parser) variable() *Variable {
	at := p.tok().at
	return &Variable{At: at, Name: p.name(message.New("a variable"))}
}

// enter goes one level deeper, and reports whether that is allowed. The rule calls
// leave either way.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > deepest {
		p.refuse(p.tok().at, message.New("the query is nested more than %d levels deep", deepest), message.New("give deep values as parameters"))
	}
	return p.err == nil
}

func (p *parser) leave() { p.depth-- }

// fail notes a fault of the syntax. Only the first one counts.
func (p *parser) fail(at Pos, code string, text, advice message.Text) {
	p.report(&Error{At: at, Class: SyntaxError, Code: code, Message: text, Advice: advice})
}

// refuse notes something that is Cypher but is not done here.
func (p *parser) refuse(at Pos, text, advice message.Text) {
	p.report(&Error{At: at, Class: Unsupported, Code: "NotSupported", Message: text, Advice: advice})
}

func (p *parser) report(fault *Error) {
	if p.err == nil {
		p.err = fault
		p.i = len(p.toks) - 1
	}
}

// expected notes that something else had to be next.
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
	p.fail(t.at, "UnexpectedSyntax", text, foreign[t.key])
}

// foreign are symbols of other languages, with the advice for those who write them.
//
//nolint:gochecknoglobals // a table
var foreign = map[string]message.Text{
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

// source returns the text from a token to the one that was taken last.
func (p *parser) source(first *token) string {
	if p.err != nil {
		return ""
	}
	return p.text[first.at.Offset:p.toks[p.i-1].stop]
}
