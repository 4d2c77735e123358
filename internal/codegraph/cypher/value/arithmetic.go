package value

import (
	"math"
	"math/bits"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Errors of calculations, besides [MismatchError].
var (
	ErrOverflow = message.Errorf("the result does not fit into an integer of 64 bits")
	ErrDivision = message.Errorf("an integer is divided by zero")
	ErrTooLarge = message.Errorf("a value grows too large: there are at most %d elements in a list, "+
		"%d MB in a string and %d MB in all", MaxList, MaxString>>20, MaxSize>>20)
)

// MismatchError says that an operator does not accept the types of its operands.
type MismatchError struct {
	Operator string
	L, R     Type // L is "" for a unary operator
}

func (e *MismatchError) text() message.Text {
	if e.L == "" {
		return message.New("%s does not take %s", e.Operator, string(e.R))
	}
	return message.New("%s does not take %s and %s", e.Operator, string(e.L), string(e.R))
}

func (e *MismatchError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *MismatchError) In(lang message.Lang) string { return e.text().In(lang) }

// Add returns a + b: the sum of two numbers; the concatenation of two strings, or of a string and a number or
// boolean; the concatenation of two lists, or a list with one more element. As for all operators, the result is
// null if an operand is.
func Add(a, b Value) (Value, error) {
	if a == nil || b == nil {
		return nil, nil
	}
	la, aIsList := a.(List)
	lb, bIsList := b.(List)
	switch {
	case aIsList && bIsList:
		return Concat(la, lb)
	case aIsList:
		return Concat(la, List{b})
	case bIsList:
		return Concat(List{a}, lb)
	}
	if sum, ok, err := join(a, b); ok || err != nil {
		return sum, err
	}
	return addition.on(a, b)
}

// Concat concatenates lists. It returns [ErrTooLarge] if the result is too long.
func Concat(a, b List) (Value, error) {
	if len(a)+len(b) > MaxList {
		return nil, ErrTooLarge
	}
	return Bounded(append(append(make(List, 0, len(a)+len(b)), a...), b...))
}

// join implements + if one operand is a string.
func join(a, b Value) (s Value, ok bool, err error) {
	_, aIsString := a.(string)
	_, bIsString := b.(string)
	ta, aIsText := Text(a)
	tb, bIsText := Text(b)
	if !aIsString && !bIsString || !aIsText || !bIsText {
		return nil, false, nil
	}
	if len(ta)+len(tb) > MaxString {
		return nil, false, ErrTooLarge
	}
	return ta + tb, true, nil
}

// Subtract returns a - b.
func Subtract(a, b Value) (Value, error) { return subtraction.on(a, b) }

// Multiply returns a * b.
func Multiply(a, b Value) (Value, error) { return multiplication.on(a, b) }

// Divide returns a / b. Integer division truncates.
func Divide(a, b Value) (Value, error) { return division.on(a, b) }

// Modulo returns a % b, with the sign of a.
func Modulo(a, b Value) (Value, error) { return remainder.on(a, b) }

// Power returns a ^ b as a float.
func Power(a, b Value) (Value, error) { return power.on(a, b) }

// Negate returns -v.
func Negate(v Value) (Value, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case int64:
		if v == math.MinInt64 {
			return nil, ErrOverflow
		}
		return -v, nil
	case float64:
		return 0 - v, nil // not -v, because openCypher has no -0.0
	}
	return nil, &MismatchError{Operator: "-", R: TypeOf(v)}
}

// Float64 converts a number to a float; ok is false for other values.
func Float64(v Value) (f float64, ok bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// operation is an arithmetic operation for integers and floats.
type operation struct {
	operator string
	integers func(a, b int64) (int64, error) // nil if the result is always a float
	floats   func(a, b float64) float64
}

// The operations.
var (
	addition       = operation{"+", addIntegers, func(a, b float64) float64 { return a + b }}
	subtraction    = operation{"-", subtractIntegers, func(a, b float64) float64 { return a - b }}
	multiplication = operation{"*", multiplyIntegers, func(a, b float64) float64 { return a * b }}
	division       = operation{"/", divideIntegers, func(a, b float64) float64 { return a / b }}
	remainder      = operation{"%", moduloIntegers, math.Mod}
	power          = operation{"^", nil, math.Pow}
)

func (o *operation) on(a, b Value) (Value, error) {
	if a == nil || b == nil {
		return nil, nil
	}
	ia, aIsInteger := a.(int64)
	ib, bIsInteger := b.(int64)
	if aIsInteger && bIsInteger && o.integers != nil {
		result, err := o.integers(ia, ib)
		if err != nil {
			return nil, err
		}
		return result, nil
	}
	fa, aIsNumber := Float64(a)
	fb, bIsNumber := Float64(b)
	if !aIsNumber || !bIsNumber {
		return nil, &MismatchError{Operator: o.operator, L: TypeOf(a), R: TypeOf(b)}
	}
	return o.floats(fa, fb), nil
}

func addIntegers(a, b int64) (int64, error) {
	sum := a + b
	if (sum > a) != (b > 0) && b != 0 {
		return 0, ErrOverflow
	}
	return sum, nil
}

func subtractIntegers(a, b int64) (int64, error) {
	difference := a - b
	if (difference < a) != (b > 0) && b != 0 {
		return 0, ErrOverflow
	}
	return difference, nil
}

func multiplyIntegers(a, b int64) (int64, error) {
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	negative := (a < 0) != (b < 0)
	switch {
	case high != 0, !negative && low > math.MaxInt64, negative && low > 1<<63:
		return 0, ErrOverflow
	}
	return a * b, nil
}

func magnitude(i int64) uint64 {
	if i < 0 {
		return -uint64(i)
	}
	return uint64(i)
}

func divideIntegers(a, b int64) (int64, error) {
	switch {
	case b == 0:
		return 0, ErrDivision
	case a == math.MinInt64 && b == -1:
		return 0, ErrOverflow
	}
	return a / b, nil
}

func moduloIntegers(a, b int64) (int64, error) {
	if b == 0 {
		return 0, ErrDivision
	}
	return a % b, nil
}
