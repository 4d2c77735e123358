package eval

import (
	"context"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// function is a built-in function.
type function struct {
	name     string // as openCypher writes it; calls ignore case
	min, max int    // number of arguments
	call     body
	// takesNull is set for functions that handle null; the result of others is null if an argument is.
	takesNull bool
}

// body implements a function. The position is added to errors at the call.
type body func(ctx context.Context, g Graph, args []value.Value) (value.Value, error)

// many is the max of a variadic function.
const many = 1 << 10

// byName maps lower-case names to functions.
var byName = index(
	graphFunctions, listFunctions, textFunctions, numberFunctions, conversions, otherFunctions,
)

var otherFunctions = []*function{
	{name: "coalesce", min: 1, max: many, call: pure(coalesce), takesNull: true},
	{name: "nullIf", min: 2, max: 2, call: pure(nullIf), takesNull: true},
	{name: "exists", min: 1, max: 1, call: pure(exists), takesNull: true},
}

func index(tables ...[]*function) map[string]*function {
	all := map[string]*function{}
	for _, f := range slices.Concat(tables...) {
		all[strings.ToLower(f.name)] = f
	}
	return all
}

func coalesce(args []value.Value) (value.Value, error) {
	for _, v := range args {
		if v != nil {
			return v, nil
		}
	}
	return nil, nil
}

func nullIf(args []value.Value) (value.Value, error) {
	if value.Equal(args[0], args[1]) == true {
		return nil, nil
	}
	return args[0], nil
}

func exists(args []value.Value) (value.Value, error) { return args[0] != nil, nil }

func (c *Compiler) call(e *syntax.Call, s *Scope) (Expr, error) {
	f, err := lookUp(e)
	if err != nil {
		return nil, err
	}
	if f.name == "exists" {
		// exists(pattern) is the pattern as a boolean.
		if p, ok := e.Args[0].(*syntax.PatternPredicate); ok {
			return c.Compile(p, s)
		}
	}
	args, err := c.compileAll(s, e.Args...)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r Row) (value.Value, error) {
		values, err := evaluate(ctx, r, args)
		if err != nil {
			return nil, err
		}
		if !f.takesNull && slices.Contains(values, nil) {
			return nil, nil
		}
		v, err := f.call(ctx, c.Graph, values)
		return v, at(e.At, named(f.name, err))
	}, nil
}

// CheckCall returns the errors of a call that do not depend on the values of its arguments: unknown function, wrong
// number of arguments, meaningless DISTINCT.
func CheckCall(e *syntax.Call) error {
	if a, ok := aggregates[strings.ToLower(e.Name)]; ok {
		return checkCount(e, a.name, a.args, a.args)
	}
	_, err := lookUp(e)
	return err
}

// lookUp finds the function of a call. Aggregates are handled elsewhere.
func lookUp(e *syntax.Call) (*function, error) {
	name := strings.ToLower(e.Name)
	if IsAggregate(name) {
		return nil, misplacedAggregate(e.At, e.Name)
	}
	f, ok := byName[name]
	if !ok {
		return nil, unknownFunction(e)
	}
	if e.Distinct {
		return nil, at(e.At, fault(syntax.SyntaxError, "UnexpectedSyntax",
			message.New("DISTINCT is for functions that aggregate, and %s() does not", f.name)))
	}
	return f, checkCount(e, f.name, f.min, f.max)
}

func misplacedAggregate(pos syntax.Pos, name string) error {
	return &syntax.Error{
		At: pos, Class: syntax.SyntaxError, Code: "InvalidAggregation",
		Message: message.New("%s() aggregates, which is possible in WITH and RETURN only", name),
		Advice:  message.New("aggregate in a WITH before, and use its result here"),
	}
}

// checkCount checks the number of arguments.
func checkCount(e *syntax.Call, name string, least, most int) error {
	if n := len(e.Args); least <= n && n <= most {
		return nil
	}
	want := message.Count(least, "%d argument", "%d arguments")
	switch {
	case most == many:
		want = message.New("%d or more arguments", least)
	case most > least:
		want = message.New("%d to %d arguments", least, most)
	}
	return at(e.At, fault(syntax.SyntaxError, "InvalidNumberOfArguments",
		message.New("%s() takes %s, not %d", name, want, len(e.Args))))
}

// absent are openCypher functions that are not implemented, by the part of the name before the first dot.
var absent = []string{
	"date", "time", "datetime", "localtime", "localdatetime", "duration", "timestamp", "point", "distance",
}

func unknownFunction(e *syntax.Call) error {
	group, _, _ := strings.Cut(strings.ToLower(e.Name), ".")
	if slices.Contains(absent, group) {
		return at(e.At, fault(syntax.Unsupported, "UnsupportedFunction",
			message.New("%s() is not there: there are no dates, durations and points", e.Name)))
	}
	err := fault(syntax.SyntaxError, "UnknownFunction", message.New("there is no function %s()", e.Name))
	if near := nearest(e.Name); near != "" {
		err.Advice = message.New("did you mean %s?", near+"()")
	}
	return at(e.At, err)
}

// argumentError is an argument of the wrong type.
type argumentError struct {
	want string // such as "a string": the key of a message
	got  value.Value
}

func (e *argumentError) Error() string {
	return "takes " + e.want + ", not " + described(e.got).String()
}

// named adds a function's name to an error about its arguments.
func named(name string, err error) error {
	if e, ok := err.(*argumentError); ok { //nolint:errorlint // functions do not wrap it
		return fault(syntax.TypeError, "InvalidArgumentValue", message.New("%s() takes %s, not %s", name, typeWords(e.want), described(e.got)))
	}
	return err
}

// outOfRange returns the error for an invalid argument of the right type.
func outOfRange(text message.Text) error {
	return fault(syntax.ArgumentError, "NumberOutOfRange", text)
}

// pure makes the body of a function that does not use the graph.
func pure(f func(args []value.Value) (value.Value, error)) body {
	return func(_ context.Context, _ Graph, args []value.Value) (value.Value, error) { return f(args) }
}

// of makes the body of a function with one argument, of type T.
func of[T value.Value](want string, f func(v T) (value.Value, error)) body {
	return pure(func(args []value.Value) (value.Value, error) {
		v, ok := args[0].(T)
		if !ok {
			return nil, &argumentError{want, args[0]}
		}
		return f(v)
	})
}

// Function describes a function for lists of them.
type Function struct{ Name, Category string }

// Functions returns the functions and aggregates, sorted by name.
func Functions() []Function {
	var all []Function
	for category, table := range map[string][]*function{
		"Graph": graphFunctions, "List": listFunctions, "String": textFunctions, "Numeric": numberFunctions, "Conversion": conversions,
		"Predicate and null": otherFunctions,
	} {
		for _, f := range table {
			all = append(all, Function{f.name, category})
		}
	}
	for name := range aggregates {
		all = append(all, Function{name, "Aggregating"})
	}
	slices.SortFunc(all, func(a, b Function) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return all
}
