package mcp

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// Arguments are the arguments of one call, checked against the tool's
// parameters: every parameter has a value, its default where the call left it
// out or passed null or, for an optional string, "".
type Arguments map[string]any

// String returns a string argument, "" where the tool has no such parameter.
func (a Arguments) String(name string) string {
	s, _ := a[name].(string)
	return s
}

// Bool returns a boolean argument, false where the tool has no such parameter.
func (a Arguments) Bool(name string) bool {
	b, _ := a[name].(bool)
	return b
}

// Int returns an integer argument, 0 where it was left out and has no default.
func (a Arguments) Int(name string) int {
	n, _ := a[name].(int)
	return n
}

// Float returns a number argument, 0 where it was left out and has no default.
func (a Arguments) Float(name string) float64 {
	x, _ := a[name].(float64)
	return x
}

// Has reports whether a number was passed or has a default: 0 may be a valid
// number.
func (a Arguments) Has(name string) bool { return a[name] != nil }

// arguments checks the arguments of a call, decoded from JSON, against the tool's
// parameters. Its error lists every problem.
func (t Tool) arguments(given any) (Arguments, error) {
	object, ok := given.(map[string]any)
	if given != nil && !ok {
		return nil, message.Errorf("arguments must be an object, got %s", shown(given))
	}
	problems := t.unknown(object)
	a := Arguments{}
	for _, p := range t.Params {
		value, problem := p.value(object[p.Name])
		if !problem.Empty() {
			problems = append(problems, problem)
		}
		a[p.Name] = value
	}
	if problems != nil {
		return nil, argumentsError(problems)
	}
	return a, nil
}

// argumentsError is the problems of a call's arguments.
type argumentsError []message.Text

func (e argumentsError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e argumentsError) In(lang message.Lang) string {
	texts := make([]string, len(e))
	for i, problem := range e {
		texts[i] = problem.In(lang)
	}
	return strings.Join(texts, message.Translate(lang, "; "))
}

// unknown reports the first few arguments that are not parameters of the tool, each with the
// parameter that was probably meant.
func (t Tool) unknown(object map[string]any) (problems []message.Text) {
	const most = 3
	known := t.names()
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if slices.Contains(known, name) || len(problems) == most {
			continue
		}
		problem := message.New("unknown argument %s (known are %s)", literal(name), strings.Join(known, ", "))
		if near := suggest.Nearest(name, known); near != "" {
			problem = message.New("unknown argument %s, did you mean %s? (known are %s)", literal(name), near, strings.Join(known, ", "))
		}
		problems = append(problems, problem)
	}
	return problems
}

// value returns the parameter's value for an argument, or why the argument is not
// valid.
func (p Param) value(given any) (value any, problem message.Text) {
	if given == nil || given == "" && !p.Required {
		if p.Required {
			return nil, message.New("missing argument %s: expected %s", p.Name, p.expected())
		}
		return p.initial(), message.Text{}
	}
	switch p.Type {
	case String:
		return p.text(given)
	case Boolean:
		if _, isText := given.(string); isText && p.Strict {
			break
		}
		if b, ok := boolean(given); ok {
			return b, message.Text{}
		}
	case Integer, Number:
		if x, ok := p.number(given); ok {
			return x, message.Text{}
		}
	}
	return nil, p.wrong(given)
}

// number returns a number within the parameter's bounds.
func (p Param) number(given any) (value any, ok bool) {
	least := math.Inf(-1)
	if p.Minimum != nil {
		least = float64(*p.Minimum)
	}
	if p.Type == Integer {
		n, ok := integer(given)
		return n, ok && float64(n) >= least
	}
	x, ok := number(given)
	return x, ok && x >= least
}

func (p Param) text(given any) (value any, problem message.Text) {
	s, ok := given.(string)
	switch {
	case !ok:
		return nil, p.wrong(given)
	case s == "" && !p.Empty:
		return nil, message.New("argument %s must not be empty", p.Name)
	case p.Enum != nil && !slices.Contains(p.Enum, s):
		return nil, p.wrong(given)
	}
	return s, message.Text{}
}

// initial is the value of the parameter where no argument was passed.
func (p Param) initial() any {
	if p.Default != nil {
		return p.Default
	}
	switch p.Type {
	case Boolean:
		return false
	case Integer, Number:
		return nil
	default:
		return ""
	}
}

// wrong names the argument that was passed and what is expected.
func (p Param) wrong(given any) message.Text {
	return message.New("argument %s: expected %s, got %s", p.Name, p.expected(), shown(given))
}

// expected describes the values that the parameter accepts.
func (p Param) expected() message.Text {
	switch {
	case p.Enum != nil:
		last := len(p.Enum) - 1
		return message.New("either %s or %s", strings.Join(p.Enum[:last], ", "), p.Enum[last])
	case p.Type == Integer && p.Minimum != nil:
		return message.New("an integer of at least %d", *p.Minimum)
	case p.Type == Number && p.Minimum != nil:
		return message.New("a number of at least %d", *p.Minimum)
	case p.Type == Integer:
		return message.New("an integer")
	case p.Type == Number:
		return message.New("a number")
	case p.Type == Boolean:
		return message.New("a boolean")
	default:
		return message.New("a string")
	}
}

// boolean returns a JSON boolean, or the one that a string spells: some clients
// send every argument as a string.
func boolean(given any) (value, ok bool) {
	if s, isText := given.(string); isText {
		return strings.EqualFold(s, "true"), strings.EqualFold(s, "true") || strings.EqualFold(s, "false")
	}
	value, ok = given.(bool)
	return value, ok
}

// integer returns a JSON number as an int: 20000, 2e4 and 20000.0 are the same,
// and so is a string of digits.
func integer(given any) (int, bool) {
	if s, isText := given.(string); isText {
		n, err := strconv.ParseInt(s, 10, 32)
		return int(n), err == nil
	}
	f, ok := given.(float64)
	if !ok || f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
		return 0, false
	}
	return int(f), true
}

// number returns a JSON number, or the one that a string spells.
func number(given any) (float64, bool) {
	if s, isText := given.(string); isText {
		x, err := strconv.ParseFloat(s, 64)
		return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
	}
	x, ok := given.(float64)
	return x, ok
}

// shown is a JSON value with its type, for a message.
func shown(given any) string {
	switch given.(type) {
	case string:
		return "string " + literal(given)
	case float64:
		return "number " + literal(given)
	case bool:
		return "boolean " + literal(given)
	case []any:
		return "array " + literal(given)
	case map[string]any:
		return "object " + literal(given)
	default:
		return literal(given)
	}
}

// literal is a value as JSON, cut short.
func literal(given any) string {
	const most = 60 // runes
	b, err := jsonrpc.Encode(given)
	if err != nil {
		return "?"
	}
	text := string(b)
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most]) + "…"
	}
	return text
}
