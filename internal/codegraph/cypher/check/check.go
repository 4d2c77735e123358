// Package check finds semantic errors of a query before it runs: undefined names, type errors, misplaced
// aggregates.
//
// Only certain errors are reported. Types are inferred bottom-up ([kind]); if a type is unknown, an error shows
// only when the query runs.
package check

import (
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Check returns the first error of a query as a [*syntax.Error], or nil. Every parameter that the query uses must
// be in parameters.
func Check(q *syntax.Query, parameters map[string]value.Value) error {
	c := &checker{parameters: parameters, dropped: map[string]bool{}}
	c.query(q, nil, nil)
	if c.first == nil {
		return nil
	}
	return c.first
}

// checker checks one query.
type checker struct {
	parameters map[string]value.Value
	// dropped are the names that a projection removed from scope.
	dropped map[string]bool
	// first is the first error. The check continues after it with unknown kinds, so that no function has to return
	// an error.
	first *syntax.Error
}

// The codes, named as in the TCK.
const (
	ambiguousAggregation     = "AmbiguousAggregationExpression"
	columnNameConflict       = "ColumnNameConflict"
	differentColumns         = "DifferentColumnsInUnion"
	indexIsNoInteger         = "ListElementAccessByNonInteger"
	invalidAggregation       = "InvalidAggregation"
	invalidArgumentType      = "InvalidArgumentType"
	invalidComposition       = "InvalidClauseComposition"
	invalidParameterUse      = "InvalidParameterUse"
	invalidNumberOfArguments = "InvalidNumberOfArguments"
	procedureNotFound        = "ProcedureNotFound"
	keyIsNoString            = "MapElementAccessByNonString"
	missingParameter         = "MissingParameter"
	negativeInteger          = "NegativeIntegerArgument"
	nestedAggregation        = "NestedAggregation"
	noAlias                  = "NoExpressionAlias"
	noVariables              = "NoVariablesInScope"
	notConstant              = "NonConstantExpression"
	relationshipUsedTwice    = "RelationshipUniquenessViolation"
	unexpectedSyntax         = "UnexpectedSyntax"
	undefinedVariable        = "UndefinedVariable"
	variableBound            = "VariableAlreadyBound"
	variableConflict         = "VariableTypeConflict"
)

// fault records a syntax error, the most common class, if it is the first error.
func (c *checker) fault(at syntax.Pos, code string, advice, text message.Text) {
	c.report(syntax.SyntaxError, at, code, advice, text)
}

// report records an error if it is the first.
func (c *checker) report(class syntax.Class, at syntax.Pos, code string, advice, text message.Text) {
	c.keep(&syntax.Error{At: at, Class: class, Code: code, Message: text, Advice: advice})
}

// keep records an error if it is the first.
func (c *checker) keep(fault *syntax.Error) {
	if c.first == nil {
		c.first = fault
	}
}
