package eval

import (
	"context"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// conversions are the functions that convert between types. A type that never converts is an error, except for the
// ...OrNull functions; a string that does not convert gives null.
var conversions = []*function{
	{name: "toString", min: 1, max: 1, call: pure(toString)},
	{name: "toStringOrNull", min: 1, max: 1, call: orNull(toString)},
	{name: "toStringList", min: 1, max: 1, call: ofEach(toString)},
	{name: "toInteger", min: 1, max: 1, call: pure(toInteger)},
	{name: "toInt", min: 1, max: 1, call: pure(toInteger)},
	{name: "toIntegerOrNull", min: 1, max: 1, call: orNull(toInteger)},
	{name: "toIntegerList", min: 1, max: 1, call: ofEach(toInteger)},
	{name: "toFloat", min: 1, max: 1, call: pure(toFloat)},
	{name: "toFloatOrNull", min: 1, max: 1, call: orNull(toFloat)},
	{name: "toFloatList", min: 1, max: 1, call: ofEach(toFloat)},
	{name: "toBoolean", min: 1, max: 1, call: pure(toBoolean)},
	{name: "toBooleanOrNull", min: 1, max: 1, call: orNull(toBoolean)},
	{name: "toBooleanList", min: 1, max: 1, call: ofEach(toBoolean)},
}

// orNull returns null for values that do not convert.
func orNull(convert func(args []value.Value) (value.Value, error)) body {
	return pure(func(args []value.Value) (value.Value, error) {
		v, err := convert(args)
		if err != nil {
			return nil, nil //nolint:nilerr // null is the answer
		}
		return v, nil
	})
}

// ofEach converts the elements of a list, with null for those that do not convert.
func ofEach(convert func(args []value.Value) (value.Value, error)) body {
	one := orNull(convert)
	return func(ctx context.Context, g Graph, args []value.Value) (value.Value, error) {
		list, ok := args[0].(value.List)
		if !ok {
			return nil, &argumentError{message.Key("a list"), args[0]}
		}
		converted := make(value.List, len(list))
		for i := range list {
			if list[i] != nil {
				converted[i], _ = one(ctx, g, list[i:i+1])
			}
		}
		return converted, nil
	}
}

func toString(args []value.Value) (value.Value, error) {
	if s, ok := value.Text(args[0]); ok {
		return s, nil
	}
	return nil, &argumentError{message.Key("a string, a number or a boolean"), args[0]}
}

// decimal matches the strings that convert to numbers.
var decimal = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

// parseNumber parses a number.
func parseNumber(s string) (f float64, ok bool) {
	s = strings.TrimSpace(s)
	if !decimal.MatchString(s) {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// toInteger truncates toward zero.
func toInteger(args []value.Value) (value.Value, error) {
	switch v := args[0].(type) {
	case int64:
		return v, nil
	case float64:
		if i, ok := whole(v); ok {
			return i, nil
		}
		return nil, outOfRange(message.New("toInteger() has %s, which does not fit into an integer", value.Format(v)))
	case bool:
		if v {
			return int64(1), nil
		}
		return int64(0), nil
	case string:
		if i, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64); err == nil {
			return i, nil
		}
		if f, ok := parseNumber(v); ok {
			if i, ok := whole(f); ok {
				return i, nil
			}
		}
		return nil, nil
	}
	return nil, &argumentError{message.Key("a number, a boolean or a string"), args[0]}
}

// whole returns the integer part of a number.
func whole(f float64) (i int64, ok bool) {
	if math.IsNaN(f) || f >= 1<<63 || f < -1<<63 {
		return 0, false
	}
	return int64(f), true
}

func toFloat(args []value.Value) (value.Value, error) {
	if s, ok := args[0].(string); ok {
		if f, ok := parseNumber(s); ok {
			return f, nil
		}
		return nil, nil
	}
	if f, ok := value.Float64(args[0]); ok {
		return f, nil
	}
	return nil, &argumentError{message.Key("a number or a string"), args[0]}
}

func toBoolean(args []value.Value) (value.Value, error) {
	switch v := args[0].(type) {
	case bool:
		return v, nil
	case int64:
		return v != 0, nil
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, nil
	}
	return nil, &argumentError{message.Key("a boolean, a string or an integer"), args[0]}
}
