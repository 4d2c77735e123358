package eval

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// truth accepts only true, false and null.
func truth(what string, v value.Value) (value.Value, error) {
	if _, ok := v.(bool); !ok && v != nil {
		return nil, typeMismatch(what, message.Key("a boolean"), v)
	}
	return v, nil
}

func not(v value.Value) (value.Value, error) {
	v, err := truth("NOT", v)
	return value.Not(v), err
}

func xor(l, r value.Value) (value.Value, error) {
	for _, v := range []value.Value{l, r} {
		if _, err := truth("XOR", v); err != nil {
			return nil, err
		}
	}
	if l == nil || r == nil {
		return nil, nil
	}
	return l != r, nil
}

// shortCircuit compiles AND or OR, which do not evaluate the second operand if the first decides.
func (c *Compiler) shortCircuit(e *syntax.Binary, s *Scope, decides bool) (Expr, error) {
	operands, err := c.compileAll(s, e.L, e.R)
	if err != nil {
		return nil, err
	}
	var decided value.Value = decides
	return func(ctx context.Context, row Row) (value.Value, error) {
		var result value.Value = !decides
		for _, operand := range operands {
			v, err := operand(ctx, row)
			if err != nil {
				return nil, err
			}
			if v, err = truth(string(e.Op), v); err != nil {
				return nil, at(e.At, err)
			}
			switch v {
			case decided:
				return v, nil
			case nil:
				result = nil
			}
		}
		return result, nil
	}, nil
}

// relations are the comparison operators.
var relations = map[syntax.Op]func(l, r value.Value) value.Value{
	syntax.Equal:        value.Equal,
	syntax.NotEqual:     func(l, r value.Value) value.Value { return value.Not(value.Equal(l, r)) },
	syntax.Less:         eitherRelation(value.Less, value.Less),
	syntax.LessEqual:    eitherRelation(value.Less, value.Alike),
	syntax.Greater:      eitherRelation(value.Greater, value.Greater),
	syntax.GreaterEqual: eitherRelation(value.Alike, value.Greater),
}

// eitherRelation returns a comparison that is true for either of two relations.
func eitherRelation(first, second value.Relation) func(l, r value.Value) value.Value {
	return func(l, r value.Value) value.Value {
		relation := value.Compare(l, r)
		if relation == value.Unknown {
			return nil
		}
		return relation == first || relation == second
	}
}

func (c *Compiler) comparison(e *syntax.Comparison, s *Scope) (Expr, error) {
	if len(e.Ops) == 1 {
		relation := relations[e.Ops[0]]
		return c.onTwo(e.At, e.Operands[0], e.Operands[1], s,
			func(_ context.Context, l, r value.Value) (value.Value, error) { return relation(l, r), nil })
	}
	operands, err := c.compileAll(s, e.Operands...)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, row Row) (value.Value, error) {
		left, err := operands[0](ctx, row)
		if err != nil {
			return nil, err
		}
		var result value.Value = true
		for i, op := range e.Ops {
			right, err := operands[i+1](ctx, row)
			if err != nil {
				return nil, err
			}
			switch relations[op](left, right) {
			case false:
				return false, nil
			case nil:
				result = nil
			}
			left = right
		}
		return result, nil
	}, nil
}

func (c *Compiler) cases(e *syntax.Case, s *Scope) (Expr, error) {
	whens := make([]syntax.Expr, len(e.Whens))
	thens := make([]syntax.Expr, len(e.Whens))
	for i, w := range e.Whens {
		whens[i], thens[i] = w.When, w.Then
	}
	conditions, err := c.compileAll(s, whens...)
	if err != nil {
		return nil, err
	}
	results, err := c.compileAll(s, thens...)
	if err != nil {
		return nil, err
	}
	around, err := c.compileAll(s, e.Subject, e.Else)
	if err != nil {
		return nil, err
	}
	subject, otherwise := around[0], around[1]
	return func(ctx context.Context, r Row) (value.Value, error) {
		looked, err := optional(ctx, r, subject)
		if err != nil {
			return nil, err
		}
		for i, condition := range conditions {
			v, err := condition(ctx, r)
			if err != nil {
				return nil, err
			}
			if holds, err := whenMatches(e, looked, v); err != nil {
				return nil, err
			} else if holds {
				return results[i](ctx, r)
			}
		}
		return optional(ctx, r, otherwise)
	}, nil
}

// whenMatches reports whether a WHEN applies: it equals the subject, or is true if there is no subject.
func whenMatches(e *syntax.Case, subject, when value.Value) (bool, error) {
	if e.Subject != nil {
		return value.Equal(subject, when) == true, nil
	}
	v, err := truth("WHEN", when)
	return v == true, at(e.At, err)
}
