package value

import (
	"cmp"
	"math"
	"strings"
)

// Relation is the result of comparing two values.
type Relation int8

// The relations.
const (
	// Unknown: the types are not comparable, or a value is null.
	Unknown Relation = iota
	// Unordered: a value is NaN, which is neither less nor greater nor equal.
	Unordered
	Less
	Alike
	Greater
)

// Compare compares a and b as <, <=, > and >= do. Numbers, strings, booleans (false is less) and lists compare with
// values of the same type.
func Compare(a, b Value) Relation {
	switch a := a.(type) {
	case int64, float64:
		return compareNumbers(a, b)
	case string:
		if b, ok := b.(string); ok {
			return relation(strings.Compare(a, b))
		}
	case bool:
		if b, ok := b.(bool); ok {
			return relation(compareBooleans(a, b))
		}
	case List:
		if b, ok := b.(List); ok {
			return compareLists(a, b)
		}
	}
	return Unknown
}

func relation(order int) Relation { return Alike + Relation(order) }

func compareBooleans(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// compareLists compares lexicographically.
func compareLists(a, b List) Relation {
	for i := range min(len(a), len(b)) {
		if r := Compare(a[i], b[i]); r != Alike {
			return r
		}
	}
	return relation(cmp.Compare(len(a), len(b)))
}

// compareNumbers compares a number with any value.
func compareNumbers(a, b Value) Relation {
	switch a := a.(type) {
	case int64:
		switch b := b.(type) {
		case int64:
			return relation(cmp.Compare(a, b))
		case float64:
			return compareMixed(a, b)
		}
	case float64:
		switch b := b.(type) {
		case int64:
			return inverse(compareMixed(b, a))
		case float64:
			return compareFloats(a, b)
		}
	}
	return Unknown
}

func compareFloats(a, b float64) Relation {
	if math.IsNaN(a) || math.IsNaN(b) {
		return Unordered
	}
	return relation(cmp.Compare(a, b))
}

// compareMixed compares without rounding the integer to a float.
func compareMixed(i int64, f float64) Relation {
	switch {
	case math.IsNaN(f):
		return Unordered
	case f >= 1<<63:
		return Less
	case f < -1<<63:
		return Greater
	}
	whole := math.Trunc(f)
	if order := cmp.Compare(i, int64(whole)); order != 0 {
		return relation(order)
	}
	return relation(cmp.Compare(whole, f))
}

func inverse(r Relation) Relation {
	switch r {
	case Less:
		return Greater
	case Greater:
		return Less
	default:
		return r
	}
}
