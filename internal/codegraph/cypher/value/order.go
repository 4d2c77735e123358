package value

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// Order compares any two values for ORDER BY, min and max. It is negative if a comes first, positive if b does, and
// 0 if they are the same. The order of types is: maps, nodes, relationships, lists, paths, strings, booleans,
// numbers, NaN, null. It is consistent with [AppendKey].
func Order(a, b Value) int {
	if order := cmp.Compare(rank(a), rank(b)); order != 0 {
		return order
	}
	switch a := a.(type) {
	case string:
		return strings.Compare(a, b.(string))
	case int64, float64:
		return orderNumbers(a, b)
	case bool:
		return compareBooleans(a, b.(bool))
	case Node:
		return cmp.Compare(a, b.(Node))
	case List:
		return slices.CompareFunc(a, b.(List), Order)
	case Map:
		return orderMaps(a, b.(Map))
	case *Path:
		return orderPaths(a, b.(*Path))
	case Relationship:
		return orderKeys(a.Key(), b.(Relationship).Key())
	}
	return 0
}

// rank returns the position of a value's type in the order.
func rank(v Value) int {
	switch v := v.(type) {
	case Map:
		return 0
	case Node:
		return 1
	case Relationship:
		return 2
	case List:
		return 3
	case *Path:
		return 4
	case string:
		return 5
	case bool:
		return 6
	case int64:
		return 7
	case float64:
		if math.IsNaN(v) {
			return 8
		}
		return 7
	}
	return 9
}

// orderNumbers compares two numbers, or two NaNs.
func orderNumbers(a, b Value) int {
	if r := compareNumbers(a, b); r != Unordered {
		return int(r - Alike)
	}
	return 0
}

// orderMaps compares by number of keys, then keys, then values.
func orderMaps(a, b Map) int {
	if order := cmp.Compare(len(a), len(b)); order != 0 {
		return order
	}
	ka, kb := slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b))
	if order := slices.Compare(ka, kb); order != 0 {
		return order
	}
	for _, key := range ka {
		if order := Order(a[key], b[key]); order != 0 {
			return order
		}
	}
	return 0
}

func orderKeys(a, b Key) int {
	return cmp.Or(
		cmp.Compare(a.From, b.From),
		cmp.Compare(a.To, b.To),
		strings.Compare(a.Type, b.Type),
		cmp.Compare(a.Number, b.Number),
	)
}

// orderPaths compares paths node by node.
func orderPaths(a, b *Path) int {
	for i := range min(len(a.Nodes), len(b.Nodes)) {
		if i > 0 {
			order := orderKeys(a.Relationships[i-1].Key(), b.Relationships[i-1].Key())
			if order != 0 {
				return order
			}
		}
		if order := cmp.Compare(a.Nodes[i], b.Nodes[i]); order != 0 {
			return order
		}
	}
	return cmp.Compare(len(a.Nodes), len(b.Nodes))
}
