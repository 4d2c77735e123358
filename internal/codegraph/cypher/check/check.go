// Package check finds what is wrong with a query before it runs: names that nobody
// gave, values of a kind that cannot fit, aggregates where nothing is grouped.
//
// A fault is reported only when it is sure. What a value is, is followed from the text
// upwards ([kind]); where that is not known, the check is silent and the fault, if it
// is one, comes when the query runs.
package check

import (
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Check returns the first fault of a query, as a [*syntax.Error], or nil. The
// parameters are those that the query will run with: each that it names must be there.
func Check(q *syntax.Query, parameters map[string]value.Value) error {
	c := &checker{parameters: parameters, dropped: map[string]bool{}}
	c.query(q, nil)
	if c.first == nil {
		return nil
	}
	return c.first
}

// checker goes through one query.
type checker struct {
	parameters map[string]value.Value
	// dropped has the names that a projection did not pass on.
	dropped map[string]bool
	// first is the first fault. The check goes on after it, as if the value in
	// question could be anything, so that nothing has to return errors.
	first *syntax.Error
}

// The codes, by their names in the TCK.
const (
	ambiguousAggregation  = "AmbiguousAggregationExpression"
	columnNameConflict    = "ColumnNameConflict"
	differentColumns      = "DifferentColumnsInUnion"
	indexIsNoInteger      = "ListElementAccessByNonInteger"
	invalidAggregation    = "InvalidAggregation"
	invalidArgumentType   = "InvalidArgumentType"
	invalidComposition    = "InvalidClauseComposition"
	invalidParameterUse   = "InvalidParameterUse"
	keyIsNoString         = "MapElementAccessByNonString"
	missingParameter      = "MissingParameter"
	negativeInteger       = "NegativeIntegerArgument"
	nestedAggregation     = "NestedAggregation"
	noAlias               = "NoExpressionAlias"
	noVariables           = "NoVariablesInScope"
	notConstant           = "NonConstantExpression"
	relationshipUsedTwice = "RelationshipUniquenessViolation"
	unexpectedSyntax      = "UnexpectedSyntax"
	undefinedVariable     = "UndefinedVariable"
	variableBound         = "VariableAlreadyBound"
	variableConflict      = "VariableTypeConflict"
)

// fault keeps a fault of syntax, which most are, if it is the first.
func (c *checker) fault(at syntax.Pos, code string, advice, text message.Text) {
	c.report(syntax.SyntaxError, at, code, advice, text)
}

// report keeps a fault if it is the first.
func (c *checker) report(class syntax.Class, at syntax.Pos, code string, advice, text message.Text) {
	c.keep(&syntax.Error{At: at, Class: class, Code: code, Message: text, Advice: advice})
}

// keep keeps a fault if it is the first.
func (c *checker) keep(fault *syntax.Error) {
	if c.first == nil {
		c.first = fault
	}
}
