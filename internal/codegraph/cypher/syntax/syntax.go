// Package syntax is the text of openCypher queries: [Parse] makes a tree of it.
//
// The grammar is the reading part of openCypher 9. Clauses that write, LOAD CSV and
// CALL are refused by their names.
package syntax

import "github.com/reverse-spec/reverse-spec/internal/message"

// Pos is a place in the text of a query. The zero Pos is no place.
type Pos struct {
	Offset int // in bytes, from 0
	Line   int // from 1
	Column int // in characters, from 1
}

func (p Pos) String() string { return p.In(message.English) }

// In is the place in a language.
func (p Pos) In(lang message.Lang) string {
	return message.New("line %d, column %d", p.Line, p.Column).In(lang)
}

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
	Message message.Text
	// Advice says what to do; empty for nothing.
	Advice message.Text
}

func (e *Error) text() message.Text {
	if e.At == (Pos{}) {
		return message.New("%s: %s", string(e.Class), e.Message)
	}
	return message.New("%s at %s: %s", string(e.Class), e.At, e.Message)
}

func (e *Error) Error() string { return e.text().String() }

// In is the fault in a language.
func (e *Error) In(lang message.Lang) string { return e.text().In(lang) }

// Hint returns the advice.
func (e *Error) Hint() message.Text { return e.Advice }
