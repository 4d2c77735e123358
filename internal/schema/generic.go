package schema

import "github.com/reverse-spec/reverse-spec/internal/code"

// container is the JSON form of a generic library type.
type container int

const (
	sequence container = iota + 1 // array of the first argument
	set
	dictionary // object with values of the last argument
	maybe      // the first argument or null
	wrapper    // the first argument
)

// contain returns the schema of a container; ok is false if c is none.
func (s scope) contain(c container, t code.Type) (n object, ok bool) {
	if c == 0 {
		return nil, false
	}
	element := anything()
	switch {
	case len(t.Args) == 0:
	case c == dictionary:
		element = s.of(t.Args[len(t.Args)-1])
	default:
		element = s.of(t.Args[0])
	}
	switch c {
	case sequence:
		return arrayOf(element), true
	case set:
		return setOf(element), true
	case dictionary:
		return mapOf(element), true
	case maybe:
		return nullable(element), true
	default:
		return element, true
	}
}

// fixed returns the schema of an array with the length of a list type, if it is a number.
func (s scope) fixed(t code.Type) object {
	out := arrayOf(s.of(t.Args[0]))
	if len(t.Args) > 1 {
		if n, ok := literal(t.Args[1].Text); ok {
			out = append(out, member{"minItems", n}, member{"maxItems", n})
		}
	}
	return out
}
