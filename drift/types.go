package drift

import (
	"slices"
	"strings"
)

// relation compares a type with its former version.
type relation int

const (
	sameType relation = iota
	wider
	narrower
	unknownType // one of them is not written and may be inferred
	otherType
)

// relate compares two types as written.
func (d *differ) relate(p pair, was, is string) relation {
	if p.compat.exact {
		if was == "" && is == "" {
			return sameType
		}
		if was == "" || is == "" {
			return unknownType
		}
		if d.goBase.canon(p.old, was) == d.goNow.canon(p.now, is) {
			return sameType
		}
		return otherType
	}
	if p.compat.quotedTypes {
		was, is = strings.Trim(was, `"'`), strings.Trim(is, `"'`)
	}
	a, b := typeText(was), typeText(is)
	switch {
	case a == b:
		return sameType
	case (a == "" || b == "") && p.compat.inferred:
		return unknownType
	case p.compat.nullable:
		return relateNullable(p.compat, a, b)
	case !p.compat.unions:
		return otherType
	}
	return relateUnions(nullUnion(a), nullUnion(b))
}

// relateNullable compares a type with its nullable form.
func relateNullable(h compatRules, a, b string) relation {
	enclosed := func(t, in string) bool { return in == t+"?" || in == "("+t+")?" }
	switch {
	case enclosed(a, b):
		return wider
	case enclosed(b, a) && !h.unwraps && !slices.Contains(structs, b):
		return narrower
	}
	return otherType
}

// structs are C#'s value types that have a keyword. For them T? is a different type, with
// members of its own.
var structs = []string{
	"bool", "byte", "sbyte", "char", "decimal", "double", "float", "int", "uint", "nint", "nuint", "long", "ulong", "short", "ushort",
}

// nullUnion rewrites PHP's ?T as a union.
func nullUnion(t string) string {
	if rest, ok := strings.CutPrefix(t, "?"); ok {
		return typeText(rest + "|null")
	}
	return t
}

// top are the types that hold every value.
var top = []string{"any", "unknown", "object", "Any", "typing.Any", "mixed"}

// relateUnions compares two types as sets of alternatives.
func relateUnions(a, b string) relation {
	was, is := divide(a, '|'), divide(b, '|')
	switch {
	case a == "boolean" && strings.Contains(b, " is "): // a type guard returns a boolean
		return narrower
	case slices.Contains(top, b) || covers(is, was):
		return wider
	case slices.Contains(top, a) || covers(was, is):
		return narrower
	}
	return otherType
}

// covers reports whether a has every type of b, or for a literal its type.
func covers(a, b []string) bool {
	for _, t := range b {
		switch {
		case slices.Contains(a, t):
		case strings.HasPrefix(t, `"`) && (slices.Contains(a, "string") || slices.Contains(a, "str")):
		case t != "" && t[0] >= '0' && t[0] <= '9' && slices.Contains(a, "number"):
		case (t == "true" || t == "false") && slices.Contains(a, "boolean"):
		default:
			return false
		}
	}
	return true
}
