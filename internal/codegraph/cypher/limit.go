package cypher

import (
	"context"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// count is the number of SKIP or LIMIT: an expression without variables.
type count struct {
	expr   eval.Expr // nil for none
	clause string
	at     syntax.Pos
	shown  string
}

// value evaluates it; -1 if there is none.
func (c *count) value(ctx context.Context) (int, error) {
	if c.expr == nil {
		return -1, nil
	}
	v, err := c.expr(ctx, nil)
	if err != nil {
		return 0, err
	}
	n, ok := v.(int64)
	fault := &syntax.Error{At: c.at, Class: syntax.SyntaxError, Code: "InvalidArgumentType"}
	if !ok {
		fault.Message = message.New("%s wants a whole number, not %s", c.clause, value.Format(v))
		return 0, fault
	}
	if n < 0 {
		fault.Code, fault.Message = "NegativeIntegerArgument", message.New("%s wants a number that is not negative, not %d", c.clause, n)
		return 0, fault
	}
	return int(n), nil
}

// skip drops the first rows.
type skip struct{ count count }

func (s *skip) explain() step { return step{name: "Skip", detail: s.count.shown} }

func (s *skip) run(ctx context.Context, in stream) stream {
	return func(yield func([]eval.Row, error) bool) {
		left, err := s.count.value(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		keep(in, func(eval.Row) (bool, error) {
			left--
			return left < 0, nil
		})(yield)
	}
}

// limit passes the first rows.
type limit struct {
	x     *execution
	count count
	// countRest is set to count the dropped rows.
	countRest bool
}

func (l *limit) explain() step { return step{name: "Limit", detail: l.count.shown} }

func (l *limit) run(ctx context.Context, in stream) stream {
	return func(yield func([]eval.Row, error) bool) {
		left, err := l.count.value(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		if left == 0 && !l.countRest {
			return
		}
		cut := tally{x: l.x}
		for rows, err := range in {
			if err != nil && left == 0 { // it was only counting
				l.x.over = true
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			n := min(left, len(rows))
			left -= n
			if n > 0 && !yield(rows[:n], nil) {
				return
			}
			if left == 0 && !l.countRest {
				return
			}
			if left == 0 {
				cut.add(len(rows) - n)
			}
		}
	}
}

// countTimeout bounds the time for counting rows that are not returned.
const countTimeout = 2 * time.Second

// tally counts dropped rows for a limited time. Then it stops the previous steps with an error, which only means
// that there may be more rows.
type tally struct {
	x       *execution
	started bool
}

// add counts rows.
func (t *tally) add(n int) {
	t.x.cut += n
	if !t.started {
		t.started = true
		time.AfterFunc(countTimeout, t.x.stop)
	}
}
