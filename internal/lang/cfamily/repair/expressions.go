package repair

import (
	"bytes"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// showExpressions rewrites, in place, expressions that the C++ grammar does not accept.
func showExpressions(text []byte) {
	e := expressionText{text, Tokens(text, true)}
	for i := range e.tokens {
		switch e.at(i) {
		case "consteval":
			e.consteval(i)
		case "static":
			e.lambda(i)
		case "new":
			e.pointers(i)
		case "operator":
			e.operator(i)
		case "typename":
			if before := e.at(i - 1); before == "=" || before == "return" {
				e.hide(i)
			}
		case "*": // a pointer to a member ([expr.mptr.oper]): the operator * instead of ->*
			if before := e.at(i - 1); i > 0 && (before == "->" || before == ".") && e.tokens[i-1].End == e.tokens[i].Start {
				e.hide(i - 1)
			}
		}
	}
}

// expressionText is a text with its tokens.
type expressionText struct {
	text   []byte
	tokens []Token
}

func (e *expressionText) at(i int) string {
	if i < 0 || i >= len(e.tokens) {
		return ""
	}
	return string(e.text[e.tokens[i].Start:e.tokens[i].End])
}

func (e *expressionText) hide(i int) { srctext.Blank(e.text[e.tokens[i].Start:e.tokens[i].End]) }

// consteval rewrites if consteval (C++23 [stmt.if]) as if (1).
func (e *expressionText) consteval(i int) {
	not := e.at(i-1) == "!" || e.at(i-1) == "not"
	if e.at(i-1) != "if" && (!not || e.at(i-2) != "if") {
		return
	}
	e.hide(i)
	copy(e.text[e.tokens[i].Start:], "(1)")
	if not {
		e.hide(i - 1)
	}
}

// lambda hides "static" of a lambda (C++23 [expr.prim.lambda]).
func (e *expressionText) lambda(i int) {
	switch e.at(i + 1) {
	case "->", "{", "noexcept", "mutable":
		if e.at(i-1) == ")" {
			e.hide(i)
		}
	}
}

// pointers hides the * of a new-expression for an array of pointers: new T*[n].
func (e *expressionText) pointers(i int) {
	const most = 40 // maximum number of tokens of a type
	first, depth := 0, 0
	for k := i + 1; k < min(len(e.tokens), i+most); k++ {
		switch text := e.at(k); {
		case text == "<":
			depth++
		case text == ">":
			depth--
		case depth > 0 || text == "::":
		case text == "*" && k > i+1:
			if first == 0 {
				first = k
			}
		case e.tokens[k].Kind == Word:
			if first > 0 && text != "const" {
				return
			}
		default:
			if text == "[" && first > 0 {
				srctext.Blank(e.text[e.tokens[first].Start:e.tokens[k].Start])
			}
			return
		}
	}
}

// operator rewrites the name of an operator called as a member as one word: p->operator[](0).
func (e *expressionText) operator(i int) {
	if before := e.at(i - 1); before != "->" && before != "." {
		return
	}
	end := i + 1
	if e.at(end) == "(" && e.at(end+1) == ")" {
		end += 2
	}
	for end < len(e.tokens) && e.at(end) != "(" {
		if e.tokens[end].Kind != Punct && !isOperatorWord(e.at(end)) || end > i+3 {
			return
		}
		end++
	}
	if end >= len(e.tokens) {
		return
	}
	name := e.text[e.tokens[i].Start:e.tokens[end].Start]
	if bytes.IndexByte(name, '\n') >= 0 {
		return
	}
	for k, b := range name {
		if !srctext.NameByte(b) {
			name[k] = '_'
		}
	}
}

func isOperatorWord(text string) bool {
	return text == "new" || text == "delete" || text == "co_await"
}
