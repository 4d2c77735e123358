package eval

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// listFunctions are the functions of lists; some also take strings.
var listFunctions = []*function{
	{name: "size", min: 1, max: 1, call: pure(size)},
	{name: "isEmpty", min: 1, max: 1, call: pure(isEmpty)},
	{name: "reverse", min: 1, max: 1, call: pure(reverse)},
	{name: "head", min: 1, max: 1, call: of(message.Key("a list"), head)},
	{name: "last", min: 1, max: 1, call: of(message.Key("a list"), last)},
	{name: "tail", min: 1, max: 1, call: of(message.Key("a list"), tail)},
	{name: "range", min: 2, max: 3, call: pure(rangeOf)},
}

var stringOrList = message.Key("a string or a list")

// size returns the number of elements or characters.
func size(args []value.Value) (value.Value, error) {
	switch v := args[0].(type) {
	case value.List:
		return int64(len(v)), nil
	case string:
		return int64(utf8.RuneCountInString(v)), nil
	}
	return nil, &argumentError{stringOrList, args[0]}
}

func isEmpty(args []value.Value) (value.Value, error) {
	switch v := args[0].(type) {
	case value.List:
		return len(v) == 0, nil
	case value.Map:
		return len(v) == 0, nil
	case string:
		return v == "", nil
	}
	return nil, &argumentError{message.Key("a string, a list or a map"), args[0]}
}

func reverse(args []value.Value) (value.Value, error) {
	switch v := args[0].(type) {
	case value.List:
		list := slices.Clone(v)
		slices.Reverse(list)
		return list, nil
	case string:
		runes := []rune(v)
		slices.Reverse(runes)
		return string(runes), nil
	}
	return nil, &argumentError{stringOrList, args[0]}
}

func head(l value.List) (value.Value, error) {
	if len(l) == 0 {
		return nil, nil
	}
	return l[0], nil
}

func last(l value.List) (value.Value, error) {
	if len(l) == 0 {
		return nil, nil
	}
	return l[len(l)-1], nil
}

func tail(l value.List) (value.Value, error) { return l[min(1, len(l)):], nil }

// rangeOf implements range(from, to, step), with both ends inclusive.
func rangeOf(args []value.Value) (value.Value, error) {
	bounds := [3]int64{2: 1}
	for i, v := range args {
		n, ok := v.(int64)
		if !ok {
			return nil, fault(syntax.ArgumentError, "InvalidArgumentType",
				message.New("range() takes integers, not %s", described(v)))
		}
		bounds[i] = n
	}
	from, to, step := bounds[0], bounds[1], bounds[2]
	switch {
	case step == 0:
		return nil, outOfRange(message.New("the step of range() must not be 0"))
	case step > 0 && from > to || step < 0 && from < to:
		return value.List{}, nil
	}
	// As floats, because the difference may overflow.
	steps := math.Abs(float64(to)-float64(from)) / math.Abs(float64(step))
	if steps >= value.MaxList {
		return nil, outOfRange(message.New("range() makes at most %d elements", value.MaxList))
	}
	list := make(value.List, 0, int(steps)+1)
	for i := from; ; i += step {
		list = append(list, i)
		if step > 0 && i > to-step || step < 0 && i < to-step {
			return list, nil
		}
	}
}
