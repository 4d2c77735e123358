package eval

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Compile compiles an expression to a function of a row. Errors that do not depend on a row are a [*syntax.Error]:
// an undefined name, a missing parameter, an unknown function, and an aggregate function, for which there is
// [NewAggregation]. The result is safe for concurrent use with different rows. Evaluation returns a
// [*syntax.Error], too, or an error of the graph or the context.
func (c *Compiler) Compile(e syntax.Expr, s *Scope) (Expr, error) {
	if v, ok, err := c.constant(e); ok || err != nil {
		return always(v), err
	}
	switch e := e.(type) {
	case *syntax.Variable:
		slot, ok := s.Slot(e.Name)
		if !ok {
			return nil, at(e.At, fault(syntax.SyntaxError, "UndefinedVariable", message.New("there is no variable %s", e.Name)))
		}
		return fromSlot(slot), nil
	case *syntax.Property:
		return c.property(e, s)
	case *syntax.Index:
		return c.index(e, s)
	case *syntax.Slice:
		return c.slice(e, s)
	case *syntax.List:
		return c.list(e, s)
	case *syntax.Map:
		return c.mapOf(e, s)
	case *syntax.MapProjection:
		return c.mapProjection(e, s)
	case *syntax.Call:
		return c.call(e, s)
	case *syntax.CountStar:
		return nil, misplacedAggregate(e.At, "count")
	case *syntax.PatternComprehension, *syntax.PatternPredicate, *syntax.Subquery:
		return c.Subquery(e, s)
	}
	return c.compileOperator(e, s)
}

// compileOperator compiles expressions with operators or keywords.
func (c *Compiler) compileOperator(e syntax.Expr, s *Scope) (Expr, error) {
	switch e := e.(type) {
	case *syntax.Unary:
		return c.unary(e, s)
	case *syntax.Binary:
		return c.binary(e, s)
	case *syntax.Comparison:
		return c.comparison(e, s)
	case *syntax.IsNull:
		return c.isNull(e, s)
	case *syntax.HasLabels:
		return c.hasLabels(e, s)
	case *syntax.Case:
		return c.cases(e, s)
	case *syntax.ListComprehension:
		return c.comprehension(e, s)
	case *syntax.Quantifier:
		return c.quantifier(e, s)
	case *syntax.Reduce:
		return c.reduce(e, s)
	}
	return nil, message.Errorf("compile a %T: not an expression", e)
}

// compileAll compiles several expressions; nil stays nil.
func (c *Compiler) compileAll(s *Scope, es ...syntax.Expr) ([]Expr, error) {
	compiled := make([]Expr, len(es))
	for i, e := range es {
		if e == nil {
			continue
		}
		var err error
		if compiled[i], err = c.Compile(e, s); err != nil {
			return nil, err
		}
	}
	return compiled, nil
}

// constant returns the value of a literal, a parameter, or a list or map of them.
func (c *Compiler) constant(e syntax.Expr) (v value.Value, ok bool, err error) {
	switch e := e.(type) {
	case *syntax.Literal:
		return e.Value, true, nil
	case *syntax.Parameter:
		v, ok := c.Parameters[e.Name]
		if !ok {
			err := fault(syntax.ParameterMissing, "MissingParameter", message.New("the parameter $%s is not given", e.Name))
			return nil, false, at(e.At, err)
		}
		return v, true, nil
	case *syntax.List:
		items, ok, err := c.constants(e.Items)
		return value.List(items), ok, err
	case *syntax.Map:
		values, ok, err := c.constants(e.Values)
		if !ok || err != nil {
			return nil, false, err
		}
		return newMap(e.Keys, values), true, nil
	}
	return nil, false, nil
}

// constants returns the values of expressions if all are constant.
func (c *Compiler) constants(es []syntax.Expr) (vs []value.Value, ok bool, err error) {
	vs = make([]value.Value, len(es))
	for i, e := range es {
		if vs[i], ok, err = c.constant(e); !ok || err != nil {
			return nil, false, err
		}
	}
	return vs, true, nil
}

// always returns a constant expression.
func always(v value.Value) Expr {
	return func(context.Context, Row) (value.Value, error) { return v, nil }
}

func fromSlot(slot int) Expr {
	return func(_ context.Context, r Row) (value.Value, error) { return r[slot], nil }
}

func (c *Compiler) list(e *syntax.List, s *Scope) (Expr, error) {
	items, err := c.compileAll(s, e.Items...)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r Row) (value.Value, error) {
		list := builder{list: make(value.List, 0, len(items))}
		for _, item := range items {
			v, err := item(ctx, r)
			if err != nil {
				return nil, err
			}
			if err := list.add(v); err != nil {
				return nil, at(e.At, err)
			}
		}
		return list.list, nil
	}, nil
}

func (c *Compiler) mapOf(e *syntax.Map, s *Scope) (Expr, error) {
	compiled, err := c.compileAll(s, e.Values...)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r Row) (value.Value, error) {
		values, err := evaluate(ctx, r, compiled)
		if err != nil {
			return nil, err
		}
		v, err := value.Bounded(newMap(e.Keys, values))
		return v, at(e.At, err)
	}, nil
}

func newMap(keys []string, values []value.Value) value.Map {
	m := make(value.Map, len(keys))
	for i, key := range keys {
		m[key] = values[i]
	}
	return m
}

// evaluate returns the values of expressions; null for nil.
func evaluate(ctx context.Context, r Row, es []Expr) ([]value.Value, error) {
	values := make([]value.Value, len(es))
	for i, e := range es {
		var err error
		if values[i], err = optional(ctx, r, e); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// optional returns the value of an expression; null for nil.
func optional(ctx context.Context, r Row, e Expr) (value.Value, error) {
	if e == nil {
		return nil, nil
	}
	return e(ctx, r)
}

// builder builds a list of bounded size.
type builder struct {
	list value.List
	size int64
}

func (b *builder) add(v value.Value) error {
	b.size += value.SizeOf(v)
	if b.size > value.MaxSize || len(b.list) >= value.MaxList {
		return value.ErrTooLarge
	}
	b.list = append(b.list, v)
	return nil
}
