package eval

import (
	"cmp"
	"math"
	"math/rand/v2"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// numberFunctions are the functions of numbers.
var numberFunctions = []*function{
	{name: "abs", min: 1, max: 1, call: pure(abs)},
	{name: "sign", min: 1, max: 1, call: pure(sign)},
	{name: "isNaN", min: 1, max: 1, call: pure(isNaN)},
	{name: "round", min: 1, max: 2, call: pure(round)},
	{name: "ceil", min: 1, max: 1, call: onFloat(math.Ceil)},
	{name: "floor", min: 1, max: 1, call: onFloat(math.Floor)},
	{name: "sqrt", min: 1, max: 1, call: onFloat(math.Sqrt)},
	{name: "exp", min: 1, max: 1, call: onFloat(math.Exp)},
	{name: "log", min: 1, max: 1, call: onFloat(math.Log)},
	{name: "log10", min: 1, max: 1, call: onFloat(math.Log10)},
	{name: "sin", min: 1, max: 1, call: onFloat(math.Sin)},
	{name: "cos", min: 1, max: 1, call: onFloat(math.Cos)},
	{name: "tan", min: 1, max: 1, call: onFloat(math.Tan)},
	{name: "cot", min: 1, max: 1, call: onFloat(func(x float64) float64 { return 1 / math.Tan(x) })},
	{name: "asin", min: 1, max: 1, call: onFloat(math.Asin)},
	{name: "acos", min: 1, max: 1, call: onFloat(math.Acos)},
	{name: "atan", min: 1, max: 1, call: onFloat(math.Atan)},
	{name: "atan2", min: 2, max: 2, call: pure(atan2)},
	{name: "degrees", min: 1, max: 1, call: onFloat(func(x float64) float64 { return x * 180 / math.Pi })},
	{name: "radians", min: 1, max: 1, call: onFloat(func(x float64) float64 { return x * math.Pi / 180 })},
	{name: "haversin", min: 1, max: 1, call: onFloat(func(x float64) float64 { return (1 - math.Cos(x)) / 2 })},
	{name: "e", call: pure(func([]value.Value) (value.Value, error) { return math.E, nil })},
	{name: "pi", call: pure(func([]value.Value) (value.Value, error) { return math.Pi, nil })},
	{name: "rand", call: pure(func([]value.Value) (value.Value, error) { return rand.Float64(), nil })},
}

const number = "a number"

// onFloat makes the body of a function from number to float.
func onFloat(f func(x float64) float64) body {
	return pure(func(args []value.Value) (value.Value, error) {
		x, ok := value.Float64(args[0])
		if !ok {
			return nil, &argumentError{number, args[0]}
		}
		return f(x), nil
	})
}

// abs keeps the type of its argument.
func abs(args []value.Value) (value.Value, error) {
	switch v := args[0].(type) {
	case int64:
		if v < 0 {
			return value.Negate(v)
		}
		return v, nil
	case float64:
		return math.Abs(v), nil
	}
	return nil, &argumentError{number, args[0]}
}

func sign(args []value.Value) (value.Value, error) {
	switch v := args[0].(type) {
	case int64:
		return int64(cmp.Compare(v, 0)), nil
	case float64:
		if math.IsNaN(v) {
			return int64(0), nil
		}
		return int64(cmp.Compare(v, 0)), nil
	}
	return nil, &argumentError{number, args[0]}
}

func isNaN(args []value.Value) (value.Value, error) {
	x, ok := value.Float64(args[0])
	if !ok {
		return nil, &argumentError{number, args[0]}
	}
	return math.IsNaN(x), nil
}

// maxDigits is the maximum number of significant decimal places of a float.
const maxDigits = 308

// round implements round(x, digits). Halves are rounded up without digits, and away from zero with digits.
func round(args []value.Value) (value.Value, error) {
	x, ok := value.Float64(args[0])
	if !ok {
		return nil, &argumentError{number, args[0]}
	}
	if len(args) == 1 {
		if whole := math.Floor(x); x-whole < 0.5 {
			return whole, nil
		}
		return math.Ceil(x), nil
	}
	digits, ok := args[1].(int64)
	if !ok {
		return nil, &argumentError{message.Key("an integer of digits"), args[1]}
	}
	if digits < 0 || digits > maxDigits {
		return nil, outOfRange(message.New("round() takes 0 to %d digits, not %d", maxDigits, digits))
	}
	shift := math.Pow10(int(digits))
	if rounded := math.Round(x*shift) / shift; !math.IsInf(rounded, 0) && !math.IsNaN(rounded) {
		return rounded, nil
	}
	return x, nil
}

func atan2(args []value.Value) (value.Value, error) {
	y, yIsNumber := value.Float64(args[0])
	x, xIsNumber := value.Float64(args[1])
	if !yIsNumber || !xIsNumber {
		return nil, &argumentError{message.Key("numbers"), value.List(args)}
	}
	return math.Atan2(y, x), nil
}
