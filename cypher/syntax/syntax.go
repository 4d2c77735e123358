// Package syntax is the text of openCypher queries: [Parse] makes a tree of it.
//
// The grammar is the reading part of openCypher 9. Clauses that write, LOAD CSV and
// CALL are refused by their names.
package syntax

import "fmt"

// Pos is a place in the text of a query. The zero Pos is no place.
type Pos struct {
	Offset int // in bytes, from 0
	Line   int // from 1
	Column int // in characters, from 1
}

func (p Pos) String() string { return fmt.Sprintf("line %d, column %d", p.Line, p.Column) }

// Class is what sort of fault an [Error] is: the error types of the openCypher TCK.
type Class string

// The classes.
const (
	SyntaxError   Class = "SyntaxError"   // the query is no query
	SemanticError Class = "SemanticError" // the query cannot be meant so
	TypeError     Class = "TypeError"     // a value is of a type that does not fit
	ArgumentError Class = "ArgumentError" // a value is out of range
	EntityError   Class = "EntityNotFound"
	// ArithmeticError is for a calculation that has no result.
	ArithmeticError Class = "ArithmeticError"
	// ParameterMissing is for a parameter that was not given.
	ParameterMissing Class = "ParameterMissing"
	// Unsupported is for what openCypher has and this engine has not.
	Unsupported Class = "Unsupported"
)

// Error is a fault of a query. It is for people, who see where it is and what to do.
type Error struct {
	At    Pos // the zero Pos when the place is not known
	Class Class
	// Code is the TCK's name for the fault, such as "UndefinedVariable".
	Code    string
	Message string
	// Advice says what to do; "" for nothing.
	Advice string
}

func (e *Error) Error() string {
	if e.At == (Pos{}) {
		return fmt.Sprintf("%s: %s", e.Class, e.Message)
	}
	return fmt.Sprintf("%s at %s: %s", e.Class, e.At, e.Message)
}

// Hint returns the advice.
func (e *Error) Hint() string { return e.Advice }
