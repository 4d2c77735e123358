package proposal

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// expression is a condition as written, or a part of it. It is a call with its name and arguments, a name, or a literal.
type expression struct {
	op    string // an operator, "call", "member", "index", "name" or "literal"
	text  string // of a name, or of what is called or selected
	value any    // of a literal
	args  []*expression
}

// errUnread is returned for an expression that is not simple: it calls what is not known, or has another form.
var errUnread = message.Errorf("not a simple expression")

// parse reads a condition of any of our languages, as far as these write simple ones alike.
func parse(text string) (*expression, error) {
	p := &parser{}
	if !p.scan(text) {
		return nil, errUnread
	}
	e, err := p.comparison()
	if err == nil && len(p.tokens) > 0 {
		err = errUnread
	}
	return e, err
}

// token is a word, a number, an operator, or a text with its quotes.
type parser struct{ tokens []string }

// operators, longest first.
var operators = []string{"===", "!==", "**", "//", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", ",", ".", "!", ":"}

// scan splits a text into tokens; false for what cannot be read.
func (p *parser) scan(text string) bool {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		n := tokenEnd(text)
		if n == 0 {
			return false
		}
		p.tokens = append(p.tokens, text[:n])
		text = text[n:]
	}
	return len(p.tokens) > 0
}

// tokenEnd returns the length of the token at the start of a text; 0 for none.
func tokenEnd(text string) int {
	isWord := func(c rune) bool { return c == '_' || c == '$' || unicode.IsLetter(c) || unicode.IsDigit(c) }
	switch c := text[0]; {
	case c == '"' || c == '\'' || c == '`':
		return textEnd(text)
	case c >= '0' && c <= '9':
		return len(text) - len(strings.TrimLeftFunc(text, func(c rune) bool { return isWord(c) || c == '.' }))
	case isWord(rune(c)):
		return len(text) - len(strings.TrimLeftFunc(text, isWord))
	}
	for _, o := range operators {
		if strings.HasPrefix(text, o) {
			return len(o)
		}
	}
	return 0
}

// textEnd returns the length of the text in quotes at the start of a text; 0 if it does not end.
func textEnd(text string) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote != '`':
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return 0
}

func (p *parser) peek() string {
	if len(p.tokens) == 0 {
		return ""
	}
	return p.tokens[0]
}

// take takes the next token if it is one of some.
func (p *parser) take(tokens ...string) string {
	for _, t := range tokens {
		if words := strings.Fields(t); len(p.tokens) >= len(words) && strings.Join(p.tokens[:len(words)], " ") == t {
			p.tokens = p.tokens[len(words):]
			return t
		}
	}
	return ""
}

// comparison reads a comparison, or a chain of them as Python has it: each holds.
func (p *parser) comparison() (*expression, error) {
	left, err := p.sum()
	if err != nil {
		return nil, err
	}
	var all *expression
	for {
		op := p.take("===", "!==", "==", "!=", "<=", ">=", "<", ">", "is not", "is", "not in", "in")
		if op == "" {
			break
		}
		right, err := p.sum()
		if err != nil {
			return nil, err
		}
		one := &expression{op: op, args: []*expression{left, right}}
		if all == nil {
			all = one
		} else {
			all = &expression{op: "and", args: []*expression{all, one}}
		}
		left = right
	}
	if all == nil {
		return left, nil
	}
	return all, nil
}

func (p *parser) sum() (*expression, error) {
	return p.binary(p.product, "+", "-")
}

func (p *parser) product() (*expression, error) {
	return p.binary(p.unary, "*", "//", "/", "%")
}

func (p *parser) binary(part func() (*expression, error), ops ...string) (*expression, error) {
	left, err := part()
	for err == nil {
		op := p.take(ops...)
		if op == "" {
			return left, nil
		}
		var right *expression
		right, err = part()
		left = &expression{op: op, args: []*expression{left, right}}
	}
	return nil, err
}

func (p *parser) unary() (*expression, error) {
	if op := p.take("!", "not", "-", "typeof", "await"); op != "" {
		e, err := p.unary()
		if op == "await" || err != nil {
			return nil, errUnread
		}
		return &expression{op: "unary " + op, args: []*expression{e}}, nil
	}
	return p.postfix()
}

// postfix reads a name, a literal or an expression in parentheses, with calls, members and indexes after it.
func (p *parser) postfix() (*expression, error) {
	e, err := p.primary()
	for err == nil {
		switch {
		case p.take(".") != "":
			if name := p.peek(); name == "" || !isName(name) {
				return nil, errUnread
			}
			e = &expression{op: "member", text: p.peek(), args: []*expression{e}}
			p.tokens = p.tokens[1:]
		case p.take("(") != "":
			var args []*expression
			args, err = p.list(")")
			e = &expression{op: "call", text: e.path(), args: append([]*expression{e}, args...)}
		case p.take("[") != "":
			var args []*expression
			if args, err = p.list("]"); err == nil && len(args) != 1 {
				err = errUnread
			}
			e = &expression{op: "index", args: append([]*expression{e}, args...)}
		default:
			return e, nil
		}
	}
	return nil, err
}

// list reads expressions up to a closing bracket.
func (p *parser) list(end string) ([]*expression, error) {
	var out []*expression
	for p.take(end) == "" {
		if len(out) > 0 && p.take(",") == "" {
			return nil, errUnread
		}
		if p.take(end) != "" {
			break
		}
		e, err := p.comparison()
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

func (p *parser) primary() (*expression, error) {
	t := p.peek()
	if t == "" {
		return nil, errUnread
	}
	p.tokens = p.tokens[1:]
	switch {
	case t == "(":
		list, err := p.list(")")
		if err == nil && len(list) == 1 {
			return list[0], nil
		}
		return &expression{op: "list", args: list}, err
	case t == "[":
		list, err := p.list("]")
		return &expression{op: "list", args: list}, err
	case strings.ContainsAny(t[:1], "\"'`"):
		text, ok := unquoted(t)
		if !ok {
			return nil, errUnread
		}
		return &expression{op: "literal", value: text}, nil
	case t[0] >= '0' && t[0] <= '9':
		n, err := strconv.ParseFloat(strings.ReplaceAll(t, "_", ""), 64)
		if err != nil {
			var i int64
			if i, err = strconv.ParseInt(t, 0, 64); err != nil {
				return nil, errUnread
			}
			n = float64(i)
		}
		return &expression{op: "literal", value: n}, nil
	}
	if v, ok := literals[t]; ok {
		return &expression{op: "literal", value: v}, nil
	}
	if !isName(t) {
		return nil, errUnread
	}
	return &expression{op: "name", text: t}, nil
}

// literals are words that are values.
var literals = map[string]any{"true": true, "false": false, "True": true, "False": false, "nil": nil, "null": nil, "None": nil, "undefined": undefined{}}

// undefined is what JavaScript calls so.
type undefined struct{}

func isName(t string) bool {
	c := rune(t[0])
	return c == '_' || c == '$' || unicode.IsLetter(c) || c >= 0x80
}

// unquoted returns the text of a literal without escapes that we do not read.
func unquoted(literal string) (string, bool) {
	inner := literal[1 : len(literal)-1]
	if !strings.Contains(inner, `\`) {
		return inner, !strings.Contains(inner, "${")
	}
	if literal[0] == '`' {
		return inner, true
	}
	text, err := strconv.Unquote(`"` + strings.ReplaceAll(strings.ReplaceAll(inner, `\'`, "'"), `"`, `\"`) + `"`)
	return text, err == nil
}

// path returns the dotted name of what is called; "" if it is not one.
func (e *expression) path() string {
	switch e.op {
	case "name":
		return e.text
	case "member":
		if of := e.args[0].path(); of != "" {
			return of + "." + e.text
		}
	}
	return ""
}

// each calls see for an expression and its parts.
func (e *expression) each(see func(*expression)) {
	see(e)
	for _, a := range e.args {
		a.each(see)
	}
}
