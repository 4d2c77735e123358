package schema

import "strings"

// generic is a parsed type of the form Name<A, B> or Name[A, B].
type generic struct {
	name string // last part of the name: "Map" for java.util.Map
	args []string
	text string
}

// cutGeneric parses a generic type with a pair of brackets; separator separates the parts of a
// qualified name.
func cutGeneric(text, open, shut, separator string) generic {
	g := generic{name: text, text: text}
	if i := strings.Index(text, open); i > 0 && strings.HasSuffix(text, shut) {
		g.name, g.args = strings.TrimSuffix(text[:i], separator), split(text[i+len(open):len(text)-len(shut)], ",")
	}
	g.name = g.name[strings.LastIndex(g.name, separator)+1:]
	if separator != "." {
		g.name = strings.TrimPrefix(g.name, ":")
	}
	return g
}

// container is the JSON form of a generic library type.
type container int

const (
	sequence container = iota + 1 // array of the first argument
	set
	dictionary // object with values of the last argument
	maybe      // the first argument or null
	wrapper    // the first argument
)

// contain returns the schema of a container; ok is false if arguments are missing.
func (s scope) contain(c container, g generic) (object, bool) {
	if c == 0 {
		return nil, false
	}
	element := anything()
	if len(g.args) > 0 {
		at := 0
		if c == dictionary {
			at = len(g.args) - 1
		}
		element = s.of(g.args[at])
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
