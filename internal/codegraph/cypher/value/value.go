// Package value is what openCypher expressions are made of: values, their types,
// how they compare, and how they are written.
package value

import "github.com/reverse-spec/reverse-spec/internal/codegraph"

// Value is one of: nil (null), bool, int64, float64, string, [List], [Map], [Node],
// [Relationship], [*Path]. Values are not changed once they are made.
type Value any

// List is a list.
type List []Value

// Map is a map.
type Map map[string]Value

// Node is a node, by its id; what it has is asked of the graph.
type Node codegraph.ID

// Relationship is a relationship, with all it has.
type Relationship interface {
	// Key tells relationships apart: two values with one key are the same.
	Key() Key
	// Property returns the property of a name; nil when there is none.
	Property(name string) Value
	// Properties returns the names of the properties that are there, sorted.
	Properties() []string
}

// Key is what makes a relationship the one it is.
type Key struct {
	From, To codegraph.ID
	Type     string
	// Number tells apart several of one type between the same two nodes; 0 where
	// there is one at most.
	Number int64
}

// Path is nodes with relationships between them, one less than there are nodes.
type Path struct {
	Nodes         []Node
	Relationships []Relationship
}

// Type is the name of a value's type, as messages have it.
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
