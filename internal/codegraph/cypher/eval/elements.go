package eval

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// loop iterates over a list, with the element in a slot of the row.
type loop struct {
	pos  syntax.Pos
	what string // name of the expression in messages
	in   Expr
	slot int
}

// newLoop compiles the list; the inner scope has the variable.
func (c *Compiler) newLoop(
	pos syntax.Pos, what string, in syntax.Expr, v *syntax.Variable, s *Scope,
) (l *loop, inner *Scope, err error) {
	l = &loop{pos: pos, what: what}
	if l.in, err = c.Compile(in, s); err != nil {
		return nil, nil, err
	}
	inner, l.slot = s.Local(v.Name)
	return l, inner, nil
}

// cancelInterval is the number of elements between checks for cancellation. Processing one element may take a tenth of a
// second.
const cancelInterval = 16

// each calls do for every element until it returns done. A null list has no elements.
func (l *loop) each(ctx context.Context, r Row, do func(v value.Value) (done bool, err error)) (isNull bool, err error) {
	v, err := l.in(ctx, r)
	if v == nil || err != nil {
		return true, err
	}
	list, ok := v.(value.List)
	if !ok {
		return false, at(l.pos, typeMismatch(l.what, message.Key("a list"), v))
	}
	for i, element := range list {
		if i%cancelInterval == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		r[l.slot] = element
		if done, err := do(element); done || err != nil {
			return false, at(l.pos, err)
		}
	}
	return false, nil
}

func (c *Compiler) comprehension(e *syntax.ListComprehension, s *Scope) (Expr, error) {
	l, inner, err := c.newLoop(e.At, "a comprehension", e.In, e.Var, s)
	if err != nil {
		return nil, err
	}
	parts, err := c.compileAll(inner, e.Where, e.Map)
	if err != nil {
		return nil, err
	}
	where, mapped := parts[0], parts[1]
	if mapped == nil {
		mapped = fromSlot(l.slot)
	}
	return func(ctx context.Context, r Row) (value.Value, error) {
		result := builder{list: value.List{}}
		isNull, err := l.each(ctx, r, func(value.Value) (bool, error) {
			if where != nil {
				holds, err := condition(ctx, r, where)
				if holds != true || err != nil {
					return false, err
				}
			}
			v, err := mapped(ctx, r)
			if err != nil {
				return false, err
			}
			return false, result.add(v)
		})
		if isNull || err != nil {
			return nil, err
		}
		return result.list, nil
	}, nil
}

// condition evaluates a predicate.
func condition(ctx context.Context, r Row, where Expr) (value.Value, error) {
	v, err := where(ctx, r)
	if err != nil {
		return nil, err
	}
	return truth("WHERE", v)
}

// tally counts for how many elements a predicate is true, and unknown.
type tally struct{ elements, yes, unknown int }

// verdict returns the result of a quantifier for the elements so far, and whether further elements cannot change
// it.
type verdict func(t tally) (settled bool, result value.Value)

var verdicts = map[syntax.QuantifierKind]verdict{
	syntax.All: func(t tally) (bool, value.Value) {
		no := t.elements - t.yes - t.unknown
		return no > 0, unlessUnknown(t, no > 0, no == 0)
	},
	syntax.Any: func(t tally) (bool, value.Value) {
		return t.yes > 0, unlessUnknown(t, t.yes > 0, t.yes > 0)
	},
	syntax.None: func(t tally) (bool, value.Value) {
		return t.yes > 0, unlessUnknown(t, t.yes > 0, t.yes == 0)
	},
	syntax.One: func(t tally) (bool, value.Value) {
		return t.yes > 1, unlessUnknown(t, t.yes > 1, t.yes == 1)
	},
}

// unlessUnknown returns result, or null if it is not settled and an unknown could change it.
func unlessUnknown(t tally, settled, result bool) value.Value {
	if !settled && t.unknown > 0 {
		return nil
	}
	return result
}

func (c *Compiler) quantifier(e *syntax.Quantifier, s *Scope) (Expr, error) {
	l, inner, err := c.newLoop(e.At, string(e.Kind)+"()", e.In, e.Var, s)
	if err != nil {
		return nil, err
	}
	where := fromSlot(l.slot)
	if e.Where != nil {
		if where, err = c.Compile(e.Where, inner); err != nil {
			return nil, err
		}
	}
	judge := verdicts[e.Kind]
	return func(ctx context.Context, r Row) (value.Value, error) {
		var t tally
		isNull, err := l.each(ctx, r, func(value.Value) (bool, error) {
			holds, err := condition(ctx, r, where)
			t.elements++
			switch holds {
			case true:
				t.yes++
			case nil:
				t.unknown++
			}
			settled, _ := judge(t)
			return settled, err
		})
		if isNull || err != nil {
			return nil, err
		}
		_, result := judge(t)
		return result, nil
	}, nil
}

func (c *Compiler) reduce(e *syntax.Reduce, s *Scope) (Expr, error) {
	first, err := c.Compile(e.Init, s)
	if err != nil {
		return nil, err
	}
	l, inner, err := c.newLoop(e.At, "reduce()", e.In, e.Var, s)
	if err != nil {
		return nil, err
	}
	inner, acc := inner.Local(e.Acc.Name)
	next, err := c.Compile(e.Map, inner)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r Row) (value.Value, error) {
		v, err := first(ctx, r)
		if err != nil {
			return nil, err
		}
		r[acc] = v
		isNull, err := l.each(ctx, r, func(value.Value) (bool, error) {
			v, err := next(ctx, r)
			r[acc] = v
			return false, err
		})
		if isNull || err != nil {
			return nil, err
		}
		return r[acc], nil
	}, nil
}
