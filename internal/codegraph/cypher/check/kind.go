package check

import (
	"math/bits"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// types is a set of types. A value may always be null, too: the empty set means always null.
type types uint16

// The types.
const (
	boolean types = 1 << iota
	integer
	float
	text
	list
	mapping
	node
	relationship
	path
	end

	number   = integer | float
	entity   = node | relationship
	anything = end - 1
)

// kind describes the possible values of an expression: a set of types and, for lists, the kind of the elements.
type kind struct {
	of types
	// elem is the kind of the elements of a list; nil for any kind.
	elem *kind
}

// unknown is the kind of any value.
var unknown = kind{of: anything}

// is returns the kind with the given types.
func is(t types) kind { return kind{of: t} }

// listOf returns the kind of a list with elements of a kind.
func listOf(k kind) kind { return kind{of: list, elem: &k} }

// may reports whether a value of the kind can have one of the types, or is null.
func (k kind) may(t types) bool { return k.of == 0 || k.of&t != 0 }

// only reports whether every value of the kind has one of the types, or is null.
func (k kind) only(t types) bool { return k.of&^t == 0 }

// element returns the kind of the elements of a list.
func (k kind) element() kind {
	if k.of&list == 0 || k.elem == nil {
		return unknown
	}
	return *k.elem
}

// or returns the union of two kinds.
func (k kind) or(other kind) kind {
	both := kind{of: k.of | other.of}
	switch {
	case k.of&list == 0:
		both.elem = other.elem
	case other.of&list == 0:
		both.elem = k.elem
	case k.elem != nil && other.elem != nil:
		elem := k.elem.or(*other.elem)
		both.elem = &elem
	}
	return both
}

// fits reports whether the kinds have a value in common.
func (k kind) fits(other kind) bool {
	if !k.may(other.of) {
		return false
	}
	return !other.only(list) || k.elem == nil || other.elem == nil || k.elem.fits(*other.elem)
}

// kindOf returns the kind of a value.
func kindOf(v value.Value) kind {
	items, ok := v.(value.List)
	if !ok {
		return is(typeSets[value.TypeOf(v)])
	}
	var elem kind
	for _, i := range items {
		elem = elem.or(kindOf(i))
	}
	return listOf(elem)
}

// typeSets maps a value's type to the set of it.
var typeSets = map[value.Type]types{
	value.Null:             0,
	value.Boolean:          boolean,
	value.Integer:          integer,
	value.Float:            float,
	value.String:           text,
	value.ListType:         list,
	value.MapType:          mapping,
	value.NodeType:         node,
	value.RelationshipType: relationship,
	value.PathType:         path,
}

// typeNames are the names of the types, in the order of their bits.
var typeNames = []string{
	message.Key("a boolean"), message.Key("an integer"), message.Key("a float"), message.Key("a string"), message.Key("a list"),
	message.Key("a map"), message.Key("a node"), message.Key("a relationship"), message.Key("a path"),
}

// String returns the types in English, see [types.In].
func (t types) String() string { return t.In(message.English) }

// In returns the types as in "a list or a map".
func (t types) In(lang message.Lang) string {
	if t == 0 {
		return "null"
	}
	if t == anything {
		return message.New("anything").In(lang)
	}
	var names []string
	if t&number == number {
		names = append(names, message.New("a number").In(lang))
		t &^= number
	}
	for ; t != 0; t &= t - 1 {
		names = append(names, message.Translate(lang, typeNames[bits.TrailingZeros16(uint16(t))]))
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return message.New("%s or %s", strings.Join(names[:last], message.New(", ").In(lang)), names[last]).In(lang)
}
