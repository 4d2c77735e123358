package prose

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// comparison is a comparison in the source, its operator in the form of Go's.
type comparison struct{ left, op, right string }

// operators are the comparison operators of all languages, the longest first, with Go's.
var operators = []struct{ source, op string }{
	{" is not ", "!="},
	{" is ", "=="},
	{" !== ", "!="},
	{" === ", "=="},
	{" != ", "!="},
	{" == ", "=="},
	{" <> ", "!="},
	{" <= ", "<="},
	{" >= ", ">="},
	{" < ", "<"},
	{" > ", ">"},
}

// comparisonOf reads a comparison without logical operators around it.
func comparisonOf(text string) (comparison, bool) {
	for _, joins := range []string{" && ", " || ", " ? ", " and ", " or ", " if "} {
		if outside(text, joins) {
			return comparison{}, false
		}
	}
	for _, o := range operators {
		if left, right, ok := code.CutOutside(text, o.source); ok {
			for _, more := range operators {
				if outside(right, more.source) {
					return comparison{}, false
				}
			}
			if isLiteral(left) && !isLiteral(right) { // null == x
				return comparison{right, swapped(o.op), left}, true
			}
			return comparison{left, o.op, right}, true
		}
	}
	return comparison{}, false
}

// swapped returns the operator of a comparison whose sides are swapped.
func swapped(op string) string {
	switch op[0] {
	case '<':
		return ">" + op[1:]
	case '>':
		return "<" + op[1:]
	}
	return op
}

// opposites maps operators to their negation.
var opposites = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

// isNothing reports whether a text is the null value of a language.
func isNothing(text string) bool {
	return slices.Contains([]string{"nil", "null", "None", "undefined", "nullptr", "NULL", "void 0"}, text)
}

// compared writes comparisons: with nothing, with a size of nothing, for equality. An order is quoted as code.
func (a *atom) compared(text string, holds bool) string {
	c, ok := comparisonOf(text)
	if !ok {
		return ""
	}
	if !holds {
		c.op = opposites[c.op]
	}
	if value, isEmpty, ok := c.size(); ok {
		return a.empty(value, isEmpty)
	}
	equal := c.op == "=="
	switch {
	case c.op != "==" && c.op != "!=":
		return a.ordered(c)
	case slices.Contains(emptyValues, c.right):
		return a.empty(c.left, equal)
	case c.right == "undefined":
		return a.either(!equal, "%s is given", "%s is not given", "给出 %s", "未给出 %s", c.left)
	}
	return a.either(equal, "%s is %s", "%s is not %s", "%s 为 %s", "%s 不为 %s", c.left, c.right)
}

// orders are the words of comparisons by order.
var orders = map[string][2]string{
	"<": {"%s is less than %s", "%s 小于 %s"}, "<=": {"%s is at most %s", "%s 至多为 %s"},
	">": {"%s is more than %s", "%s 大于 %s"}, ">=": {"%s is at least %s", "%s 至少为 %s"},
}

// ordered writes a comparison by order: in words if both sides are short, else as code.
func (a *atom) ordered(c comparison) string {
	if !isAmount(c.left) || !isAmount(c.right) {
		return span(c.left + " " + c.op + " " + c.right)
	}
	words := orders[c.op]
	return a.say(words[0], words[1], c.left, c.right)
}

// isAmount reports whether a text is a name, a number, or the size of something.
func isAmount(text string) bool {
	if text != "" && (text[0] >= '0' && text[0] <= '9' || text[0] == '-' || text[0] == '\'' || text[0] == '"') {
		return !strings.ContainsAny(text, " (")
	}
	if _, ok := sizeOf(text); ok {
		return true
	}
	return isChain(text)
}

// emptyValues are the literals of values without elements.
var emptyValues = []string{`""`, "''", "[]", "{}"}

// size reports whether a comparison is one of a size with nothing: of which value, and whether that is empty.
func (c comparison) size() (value string, isEmpty, ok bool) {
	if value, ok = sizeOf(c.left); !ok {
		return "", false, false
	}
	switch c.op + " " + c.right {
	case "== 0", "<= 0", "< 1":
		return value, true, true
	case "!= 0", "> 0", ">= 1":
		return value, false, true
	}
	return "", false, false
}

// sizeOf returns the value of which a text is the size.
func sizeOf(text string) (string, bool) {
	for _, end := range []string{".length", ".length()", ".size()", ".size", ".len()", ".Length", ".Count", ".count", ".byteLength"} {
		if value, ok := strings.CutSuffix(text, end); ok && balanced(value) {
			return value, true
		}
	}
	for _, name := range []string{"len", "count", "strlen", "sizeof"} {
		if inner, ok := strings.CutPrefix(text, name+"("); ok && strings.HasSuffix(inner, ")") && balanced(inner[:len(inner)-1]) {
			return inner[:len(inner)-1], true
		}
	}
	return "", false
}

// balanced reports whether every bracket of a text is closed in it.
func balanced(text string) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'', '`':
			i = code.QuoteEnd(text, i)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// outside reports whether a word is in a text outside brackets and quotes.
func outside(text, word string) bool {
	_, _, ok := code.CutOutside(text, word)
	return ok
}

// unwrap removes brackets around a whole text.
func unwrap(text string) string {
	for strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") && balanced(text[1:len(text)-1]) {
		text = strings.TrimSpace(text[1 : len(text)-1])
	}
	return text
}

// isChain reports whether a text is a name, or names joined by dots, arrows and colons.
func isChain(text string) bool {
	if text == "" || text[0] >= '0' && text[0] <= '9' {
		return false
	}
	rest := strings.NewReplacer("?.", "", "->", "", "::", "", ".", "").Replace(strings.TrimLeft(text, "@$&*"))
	return rest != "" && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$?") == ""
}

// methodCall reads "value.method(args)" and "function(args)", whose value is "".
func methodCall(text string) (value, method string, args []string, ok bool) {
	if !strings.HasSuffix(text, ")") {
		return "", "", nil, false
	}
	open := openingOf(text)
	if open <= 0 {
		return "", "", nil, false
	}
	name := strings.ReplaceAll(text[:open], "?.", ".")
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		value, name = name[:i], name[i+1:]
	}
	if !balanced(value) || !isChain(name) {
		return "", "", nil, false
	}
	return value, name, arguments(text), true
}

// openingOf returns the index of the bracket that the last one of a text closes; -1 for none.
func openingOf(text string) int {
	var open []int
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'', '`':
			i = code.QuoteEnd(text, i)
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			if len(open) == 0 {
				return -1
			}
			if i == len(text)-1 {
				return open[len(open)-1]
			}
			open = open[:len(open)-1]
		}
	}
	return -1
}

// arguments returns the arguments of the call that ends a text.
func arguments(text string) []string {
	open := openingOf(text)
	if open < 0 {
		return nil
	}
	inner := strings.TrimSpace(text[open+1 : len(text)-1])
	var out []string
	for inner != "" {
		left, right, ok := code.CutOutside(inner, ",")
		if !ok {
			return append(out, inner)
		}
		out, inner = append(out, left), right
	}
	return out
}
