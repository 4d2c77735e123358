package proposal

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// values are those of names. A name that is not there stands for an expression of others, or is not known.
type values struct {
	of    map[string]any
	means map[string]*expression
	depth int
}

// maxMeaning limits how often names stand for expressions with names.
const maxMeaning = 6

// evaluate returns the value of an expression: nil, a bool, a float64, a string, a list or undefined.
func (v *values) evaluate(e *expression) (any, error) {
	switch e.op {
	case "literal":
		return e.value, nil
	case "name":
		return v.name(e.text)
	case "list":
		return v.all(e.args)
	case "call":
		return v.call(e)
	case "member":
		if known, err := v.name(e.path()); e.path() != "" && err == nil {
			return known, nil
		}
		return v.member(e)
	case "index":
		return v.index(e)
	case "unary -", "unary !", "unary not", "unary typeof":
		return v.unary(e)
	case "and":
		a, err := v.evaluate(e.args[0])
		if err != nil || !truthy(a) {
			return false, err
		}
		return v.evaluate(e.args[1])
	}
	args, err := v.all(e.args)
	if err != nil {
		return nil, err
	}
	return compare(e.op, args[0], args[1])
}

func (v *values) all(list []*expression) ([]any, error) {
	out := []any{}
	for _, e := range list {
		x, err := v.evaluate(e)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

func (v *values) name(name string) (any, error) {
	if x, ok := v.of[name]; ok {
		return x, nil
	}
	e := v.means[name]
	if e == nil || v.depth >= maxMeaning {
		return nil, errUnread
	}
	inner := &values{v.of, v.means, v.depth + 1}
	return inner.evaluate(e)
}

func (v *values) unary(e *expression) (any, error) {
	x, err := v.evaluate(e.args[0])
	if err != nil {
		return nil, err
	}
	switch e.op {
	case "unary -":
		if n, ok := x.(float64); ok {
			return -n, nil
		}
		return nil, errUnread
	case "unary typeof":
		return typeof(x), nil
	}
	return !truthy(x), nil
}

// typeof returns what JavaScript calls the type of a value.
func typeof(x any) string {
	switch x.(type) {
	case undefined:
		return "undefined"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	}
	return "object"
}

// truthy is what Python and JavaScript take for true, besides empty lists, which are false in Python and nil in Go.
func truthy(x any) bool {
	switch x := x.(type) {
	case nil, undefined:
		return false
	case bool:
		return x
	case float64:
		return x != 0 && !math.IsNaN(x)
	case string:
		return x != ""
	case []any:
		return len(x) > 0
	}
	return true
}

// member evaluates a length.
func (v *values) member(e *expression) (any, error) {
	of, err := v.evaluate(e.args[0])
	if err != nil || e.text != "length" {
		return nil, errUnread
	}
	return length(of)
}

func length(of any) (any, error) {
	switch of := of.(type) {
	case nil: // a slice or map of Go; in other languages the call fails, as tests will say
		return 0.0, nil
	case string:
		return float64(len(of)), nil
	case []any:
		return float64(len(of)), nil
	}
	return nil, errUnread
}

func (v *values) index(e *expression) (any, error) {
	args, err := v.all(e.args)
	if err != nil {
		return nil, err
	}
	at, ok := args[1].(float64)
	if text, isText := args[0].(string); ok && isText && at >= 0 && int(at) < len(text) {
		return string(text[int(at)]), nil
	}
	return nil, errUnread
}

// call evaluates calls of functions and methods that are known.
func (v *values) call(e *expression) (any, error) {
	args := e.args[1:]
	name := e.text
	if e.text == "isinstance" && len(args) > 1 {
		return v.instance(args)
	}
	if m := e.args[0]; m.op == "member" && functions[name] == nil { // a method
		name, args = "."+m.text, append([]*expression{m.args[0]}, args...)
	}
	list, err := v.all(args)
	f := functions[name]
	if err != nil || f == nil {
		return nil, errUnread
	}
	return f(list)
}

// instance evaluates isinstance of Python.
func (v *values) instance(args []*expression) (any, error) {
	x, err := v.evaluate(args[0])
	if err != nil {
		return nil, err
	}
	of := []*expression{args[1]}
	if args[1].op == "list" {
		of = args[1].args
	}
	is := map[string]bool{}
	switch x := x.(type) {
	case string:
		is["str"] = true
	case bool:
		is["bool"], is["int"] = true, true
	case float64:
		is["int"], is["float"] = x == math.Trunc(x), x != math.Trunc(x)
	case []any:
		is["list"] = true
	}
	for _, e := range of {
		if x != nil && !slices.Contains(pythonTypes, e.path()) {
			return nil, errUnread // it may be a class of anything but None
		}
	}
	return slices.ContainsFunc(of, func(e *expression) bool { return is[e.path()] }), nil
}

// pythonTypes are the types of which it is known whether a simple value is one.
var pythonTypes = []string{"str", "bytes", "bytearray", "bool", "int", "float", "complex", "list", "tuple", "dict", "set", "frozenset", "type"}

// functions are those of libraries that are known, by their names; methods begin with a dot.
var functions = map[string]func(args []any) (any, error){
	"len": one(length), "strings.TrimSpace": text(strings.TrimSpace), ".trim": text(strings.TrimSpace), ".strip": text(strings.TrimSpace),
	"strings.ToLower": text(strings.ToLower), ".lower": text(strings.ToLower), ".toLowerCase": text(strings.ToLower),
	"strings.ToUpper": text(strings.ToUpper), ".upper": text(strings.ToUpper), ".toUpperCase": text(strings.ToUpper),
	"strings.HasPrefix": texts(strings.HasPrefix), ".startswith": texts(strings.HasPrefix), ".startsWith": texts(strings.HasPrefix),
	"strings.HasSuffix": texts(strings.HasSuffix), ".endswith": texts(strings.HasSuffix), ".endsWith": texts(strings.HasSuffix),
	"strings.Contains": texts(strings.Contains), ".includes": texts(strings.Contains),
	"utf8.RuneCountInString": one(func(x any) (any, error) {
		if s, ok := x.(string); ok {
			return float64(utf8.RuneCountInString(s)), nil
		}
		return nil, errUnread
	}),
	"isNaN": number(math.IsNaN), "Number.isNaN": number(math.IsNaN), "math.IsNaN": number(math.IsNaN), "math.isnan": number(math.IsNaN),
	"Number.isInteger": number(func(x float64) bool { return x == math.Trunc(x) && !math.IsInf(x, 0) }),
	"Number.isFinite":  number(func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }),
	"isFinite":         number(func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }),
	"Array.isArray": one(func(x any) (any, error) {
		_, ok := x.([]any)
		return ok, nil
	}),
	"int": one(same), "int64": one(same), "float64": one(same), "string": one(same), "uint64": one(same), "str": one(textOf),
}

func same(x any) (any, error) { return x, nil }

func textOf(x any) (any, error) {
	if s, ok := x.(string); ok {
		return s, nil
	}
	return nil, errUnread
}

func one(f func(any) (any, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		if len(args) != 1 {
			return nil, errUnread
		}
		return f(args[0])
	}
}

func text(f func(string) string) func([]any) (any, error) {
	return one(func(x any) (any, error) {
		if s, ok := x.(string); ok {
			return f(s), nil
		}
		return nil, errUnread
	})
}

func texts(f func(a, b string) bool) func([]any) (any, error) {
	return func(args []any) (any, error) {
		const pair = 2
		if len(args) == pair {
			a, ok := args[0].(string)
			b, also := args[1].(string)
			if ok && also {
				return f(a, b), nil
			}
		}
		return nil, errUnread
	}
}

func number(f func(float64) bool) func([]any) (any, error) {
	return one(func(x any) (any, error) {
		n, ok := x.(float64)
		return ok && f(n), nil
	})
}

// compare evaluates an operator with two sides.
func compare(op string, a, b any) (any, error) {
	switch op {
	case "==", "===", "is":
		return equal(a, b), nil
	case "!=", "!==", "is not":
		return !equal(a, b), nil
	case "in", "not in":
		found, err := contains(b, a)
		return found == (op == "in"), err
	}
	if x, ok := a.(string); ok {
		if y, also := b.(string); also {
			return ordered(op, strings.Compare(x, y), x+y)
		}
		return nil, errUnread
	}
	x, ok := a.(float64)
	y, also := b.(float64)
	if !ok || !also {
		return nil, errUnread
	}
	return arithmetic(op, x, y)
}

// arithmetic evaluates an operator with two numbers.
func arithmetic(op string, x, y float64) (any, error) {
	switch op {
	case "<":
		return x < y, nil
	case "<=":
		return x <= y, nil
	case ">":
		return x > y, nil
	case ">=":
		return x >= y, nil
	case "+":
		return x + y, nil
	case "-":
		return x - y, nil
	case "*":
		return x * y, nil
	}
	switch {
	case y == 0:
		return nil, errUnread
	case op == "//":
		return math.Floor(x / y), nil
	case op == "%":
		return math.Mod(x, y), nil
	}
	return x / y, nil
}

func ordered(op string, c int, joined string) (any, error) {
	switch op {
	case "<":
		return c < 0, nil
	case "<=":
		return c <= 0, nil
	case ">":
		return c > 0, nil
	case ">=":
		return c >= 0, nil
	case "+":
		return joined, nil
	}
	return nil, errUnread
}

func equal(a, b any) bool {
	if (a == nil || a == any(undefined{})) && (b == nil || b == any(undefined{})) {
		return true
	}
	x, isList := a.([]any)
	y, also := b.([]any)
	if isList || also {
		return isList && also && slices.EqualFunc(x, y, equal) || len(x) == 0 && a == nil || len(y) == 0 && b == nil && isList && x == nil
	}
	return a == b
}

func contains(list, x any) (bool, error) {
	switch list := list.(type) {
	case []any:
		return slices.ContainsFunc(list, func(y any) bool { return equal(x, y) }), nil
	case string:
		if s, ok := x.(string); ok {
			return strings.Contains(list, s), nil
		}
	}
	return false, errUnread
}
