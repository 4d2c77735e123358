package eval

import (
	"context"
	"maps"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// mapProjection compiles n {.key, .*, key: value}. Of two entries with one key, the last one counts.
func (c *Compiler) mapProjection(e *syntax.MapProjection, s *Scope) (Expr, error) {
	of, err := c.Compile(e.Of, s)
	if err != nil {
		return nil, err
	}
	compiled, err := c.compileAll(s, e.Values...)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r Row) (value.Value, error) {
		if v, err := of(ctx, r); v == nil || err != nil {
			return nil, err
		}
		values, err := evaluate(ctx, r, compiled)
		if err != nil {
			return nil, err
		}
		m := make(value.Map, len(e.Keys))
		for i, key := range e.Keys {
			if key != "" {
				m[key] = values[i]
			} else if all, ok := values[i].(value.Map); ok {
				maps.Copy(m, all)
			}
		}
		v, err := value.Bounded(m)
		return v, at(e.At, err)
	}, nil
}
