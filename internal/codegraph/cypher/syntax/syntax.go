// Package syntax parses openCypher queries: [Parse] returns the tree of a [Query].
//
// The grammar is the reading part of openCypher 9, with subqueries, map projections, CALL, SHOW, EXPLAIN and PROFILE
// of Neo4j. Writing clauses and LOAD CSV are recognized and rejected.
package syntax

import "github.com/reverse-spec/reverse-spec/internal/message"

// Pos is a position in the text of a query. The zero value is no position.
type Pos struct {
	Offset int // in bytes, 0-based
	Line   int // 1-based
	Column int // in characters, 1-based
}

func (p Pos) String() string { return p.In(message.English) }

// In returns the position in words.
func (p Pos) In(lang message.Lang) string {
	return message.New("line %d, column %d", p.Line, p.Column).In(lang)
}

// Class is the class of an [Error]: an error type of the openCypher TCK.
type Class string

// The classes.
const (
	SyntaxError   Class = "SyntaxError"   // the query is not valid
	SemanticError Class = "SemanticError" // the query is not meaningful
	TypeError     Class = "TypeError"     // a value has the wrong type
	ArgumentError Class = "ArgumentError" // a value is out of range
	EntityError   Class = "EntityNotFound"
	// ArithmeticError is for a calculation without a result.
	ArithmeticError Class = "ArithmeticError"
	// ParameterMissing is for a missing parameter.
	ParameterMissing Class = "ParameterMissing"
	// Unsupported is for openCypher features that this engine lacks.
	Unsupported Class = "Unsupported"
)

// Error is an error in a query.
type Error struct {
	At    Pos // the zero Pos if unknown
	Class Class
	// Code is the TCK's name of the error, such as "UndefinedVariable".
	Code    string
	Message message.Text
	// Advice says what to do; may be empty.
	Advice message.Text
}

func (e *Error) text() message.Text {
	if e.At == (Pos{}) {
		return message.New("%s: %s", string(e.Class), e.Message)
	}
	return message.New("%s at %s: %s", string(e.Class), e.At, e.Message)
}

func (e *Error) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *Error) In(lang message.Lang) string { return e.text().In(lang) }

// Hint returns the advice.
func (e *Error) Hint() message.Text { return e.Advice }
