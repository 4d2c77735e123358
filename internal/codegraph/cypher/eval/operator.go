package eval

import (
	"context"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// onTwo compiles a binary operator.
func (c *Compiler) onTwo(
	pos syntax.Pos, left, right syntax.Expr, s *Scope,
	do func(ctx context.Context, l, r value.Value) (value.Value, error),
) (Expr, error) {
	operands, err := c.compileAll(s, left, right)
	if err != nil {
		return nil, err
	}
	first, second := operands[0], operands[1]
	return func(ctx context.Context, row Row) (value.Value, error) {
		l, err := first(ctx, row)
		if err != nil {
			return nil, err
		}
		r, err := second(ctx, row)
		if err != nil {
			return nil, err
		}
		v, err := do(ctx, l, r)
		return v, at(pos, err)
	}, nil
}

// calculations are the operators on the values of both operands.
var calculations = map[syntax.Op]func(l, r value.Value) (value.Value, error){
	syntax.Add:        value.Add,
	syntax.Subtract:   value.Subtract,
	syntax.Multiply:   value.Multiply,
	syntax.Divide:     value.Divide,
	syntax.Modulo:     value.Modulo,
	syntax.Power:      value.Power,
	syntax.Xor:        xor,
	syntax.StartsWith: onStrings(strings.HasPrefix),
	syntax.EndsWith:   onStrings(strings.HasSuffix),
	syntax.Contains:   onStrings(strings.Contains),
}

func (c *Compiler) binary(e *syntax.Binary, s *Scope) (Expr, error) {
	switch e.Op {
	case syntax.And:
		return c.shortCircuit(e, s, false)
	case syntax.Or:
		return c.shortCircuit(e, s, true)
	case syntax.Matches:
		return c.matches(e, s)
	case syntax.In:
		return c.inList(e, s)
	default:
		calculate := calculations[e.Op]
		return c.onTwo(e.At, e.L, e.R, s, func(_ context.Context, l, r value.Value) (value.Value, error) {
			return calculate(l, r)
		})
	}
}

// onStrings returns a test that is null unless both values are strings.
func onStrings(test func(s, t string) bool) func(l, r value.Value) (value.Value, error) {
	return func(l, r value.Value) (value.Value, error) {
		s, leftIsString := l.(string)
		t, rightIsString := r.(string)
		if !leftIsString || !rightIsString {
			return nil, nil
		}
		return test(s, t), nil
	}
}

func in(v, of value.Value) (value.Value, error) {
	if of == nil {
		return nil, nil
	}
	list, ok := of.(value.List)
	if !ok {
		return nil, typeMismatch("IN", message.Key("a list"), of)
	}
	var result value.Value = false
	for _, element := range list {
		switch value.Equal(v, element) {
		case true:
			return true, nil
		case nil:
			result = nil
		}
	}
	return result, nil
}

// hashThreshold is the list length from which a hash table is faster than a linear search.
const hashThreshold = 8

// inList compiles IN.
func (c *Compiler) inList(e *syntax.Binary, s *Scope) (Expr, error) {
	constant, _, err := c.constant(e.R)
	if err != nil {
		return nil, err
	}
	if table := tableOf(constant); table != nil {
		return c.onTwo(e.At, e.L, e.R, s, func(_ context.Context, l, _ value.Value) (value.Value, error) {
			if l == nil {
				return nil, nil
			}
			return table[string(value.AppendKey(nil, l))], nil
		})
	}
	return c.onTwo(e.At, e.L, e.R, s, func(_ context.Context, l, r value.Value) (value.Value, error) {
		return in(l, r)
	})
}

// tableOf returns a set of the keys of a long list of strings, integers or booleans, for which equality is equality
// of keys; nil for other values.
func tableOf(v value.Value) map[string]bool {
	list, _ := v.(value.List)
	if len(list) < hashThreshold || slices.ContainsFunc(list, hasNestedNull) {
		return nil
	}
	table := make(map[string]bool, len(list))
	for _, v := range list {
		table[string(value.AppendKey(nil, v))] = true
	}
	return table
}

// hasNestedNull reports whether equality with a value may be unknown, or differ from [value.Same].
func hasNestedNull(v value.Value) bool {
	switch v.(type) {
	case string, int64, bool:
		return false
	}
	return true
}

func (c *Compiler) unary(e *syntax.Unary, s *Scope) (Expr, error) {
	operand, err := c.Compile(e.X, s)
	if err != nil {
		return nil, err
	}
	do := map[syntax.Op]func(value.Value) (value.Value, error){
		syntax.Not:    not,
		syntax.Negate: value.Negate,
		syntax.Plus:   plus,
	}[e.Op]
	return func(ctx context.Context, r Row) (value.Value, error) {
		v, err := operand(ctx, r)
		if err != nil {
			return nil, err
		}
		v, err = do(v)
		return v, at(e.At, err)
	}, nil
}

func plus(v value.Value) (value.Value, error) {
	if _, ok := value.Float64(v); !ok && v != nil {
		return nil, typeMismatch("+", message.Key("a number"), v)
	}
	return v, nil
}

func (c *Compiler) isNull(e *syntax.IsNull, s *Scope) (Expr, error) {
	operand, err := c.Compile(e.X, s)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r Row) (value.Value, error) {
		v, err := operand(ctx, r)
		if err != nil {
			return nil, err
		}
		return (v == nil) != e.Not, nil
	}, nil
}
