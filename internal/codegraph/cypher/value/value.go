// Package value implements the values of openCypher expressions: their types, arithmetic, comparison and notation.
package value

import "github.com/reverse-spec/reverse-spec/internal/codegraph"

// Value is one of nil (null), bool, int64, float64, string, [List], [Map], [Node], [Relationship] and [*Path].
// Values are immutable.
type Value any

// List is a list.
type List []Value

// Map is a map.
type Map map[string]Value

// Node is the id of a node. Its labels and properties are read from the graph.
type Node codegraph.ID

// Relationship is a relationship with its properties.
type Relationship interface {
	// Key returns the identity of the relationship.
	Key() Key
	// Property returns the value of a property; nil if there is none.
	Property(name string) Value
	// Properties returns the sorted names of the properties.
	Properties() []string
}

// Key is the identity of a relationship.
type Key struct {
	From, To codegraph.ID
	Type     string
	// Number distinguishes several relationships of one type between the same nodes; 0 if there is at most one.
	Number int64
}

// Path is a sequence of nodes and the relationships between them, one fewer.
type Path struct {
	Nodes         []Node
	Relationships []Relationship
}

// Type is the name of a value's type, as used in messages.
type Type string

// The types.
const (
	Null             Type = "Null"
	Boolean          Type = "Boolean"
	Integer          Type = "Integer"
	Float            Type = "Float"
	String           Type = "String"
	ListType         Type = "List"
	MapType          Type = "Map"
	NodeType         Type = "Node"
	RelationshipType Type = "Relationship"
	PathType         Type = "Path"
)

// TypeOf returns the type of a value.
func TypeOf(v Value) Type {
	switch v.(type) {
	case nil:
		return Null
	case bool:
		return Boolean
	case int64:
		return Integer
	case float64:
		return Float
	case string:
		return String
	case List:
		return ListType
	case Map:
		return MapType
	case Node:
		return NodeType
	case Relationship:
		return RelationshipType
	case *Path:
		return PathType
	}
	panic("not a value")
}
