package eval

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// textFunctions are the functions of strings. Positions and lengths are in characters.
var textFunctions = []*function{
	{name: "toLower", min: 1, max: 1, call: onText(strings.ToLower)},
	{name: "lower", min: 1, max: 1, call: onText(strings.ToLower)},
	{name: "toUpper", min: 1, max: 1, call: onText(strings.ToUpper)},
	{name: "upper", min: 1, max: 1, call: onText(strings.ToUpper)},
	{name: "trim", min: 1, max: 1, call: onText(strings.TrimSpace)},
	{name: "lTrim", min: 1, max: 1, call: onText(trimLeft)},
	{name: "rTrim", min: 1, max: 1, call: onText(trimRight)},
	{name: "replace", min: 3, max: 3, call: pure(replace)},
	{name: "substring", min: 2, max: 3, call: pure(substring)},
	{name: "left", min: 2, max: 2, call: pure(left)},
	{name: "right", min: 2, max: 2, call: pure(right)},
	{name: "split", min: 2, max: 2, call: pure(split)},
	{name: "char_length", min: 1, max: 1, call: of(message.Key("a string"), characters)},
	{name: "character_length", min: 1, max: 1, call: of(message.Key("a string"), characters)},
}

// onText makes the body of a function from string to string.
func onText(f func(string) string) body {
	return of(message.Key("a string"), func(s string) (value.Value, error) { return f(s), nil })
}

func trimLeft(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }

func trimRight(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }

func characters(s string) (value.Value, error) { return int64(utf8.RuneCountInString(s)), nil }

// allStrings converts arguments that must all be strings.
func allStrings(args []value.Value) ([]string, error) {
	ss := make([]string, len(args))
	for i, v := range args {
		s, ok := v.(string)
		if !ok {
			return nil, &argumentError{message.Key("strings"), v}
		}
		ss[i] = s
	}
	return ss, nil
}

// textAndCounts converts arguments that must be a string followed by non-negative integers.
func textAndCounts(args []value.Value) (s string, counts []int64, err error) {
	s, ok := args[0].(string)
	if !ok {
		return "", nil, &argumentError{message.Key("a string"), args[0]}
	}
	counts = make([]int64, len(args)-1)
	for i, v := range args[1:] {
		if counts[i], ok = v.(int64); !ok {
			return "", nil, &argumentError{message.Key("an integer"), v}
		}
		if counts[i] < 0 {
			return "", nil, outOfRange(message.New("positions and lengths in strings must not be negative, as %d is", counts[i]))
		}
	}
	return s, counts, nil
}

func replace(args []value.Value) (value.Value, error) {
	ss, err := allStrings(args)
	if err != nil {
		return nil, err
	}
	text, old, by := ss[0], ss[1], ss[2]
	if old == "" {
		return text, nil
	}
	if more := len(by) - len(old); more > 0 && len(text)+strings.Count(text, old)*more > value.MaxString {
		return nil, value.ErrTooLarge
	}
	return strings.ReplaceAll(text, old, by), nil
}

func split(args []value.Value) (value.Value, error) {
	ss, err := allStrings(args)
	if err != nil {
		return nil, err
	}
	if strings.Count(ss[0], ss[1]) >= value.MaxList {
		return nil, value.ErrTooLarge
	}
	return texts(strings.Split(ss[0], ss[1])), nil
}

// substring implements substring(text, start, length); without length it returns the rest.
func substring(args []value.Value) (value.Value, error) {
	s, counts, err := textAndCounts(args)
	if err != nil {
		return nil, err
	}
	s = s[offset(s, counts[0]):]
	if len(counts) > 1 {
		s = s[:offset(s, counts[1])]
	}
	return s, nil
}

func left(args []value.Value) (value.Value, error) {
	s, counts, err := textAndCounts(args)
	if err != nil {
		return nil, err
	}
	return s[:offset(s, counts[0])], nil
}

func right(args []value.Value) (value.Value, error) {
	s, counts, err := textAndCounts(args)
	if err != nil {
		return nil, err
	}
	before := int64(utf8.RuneCountInString(s)) - counts[0]
	return s[offset(s, max(before, 0)):], nil
}

// offset returns the byte offset of the n-th character, or the length of a shorter text.
func offset(s string, n int64) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}
