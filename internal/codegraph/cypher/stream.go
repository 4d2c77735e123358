package cypher

import (
	"context"
	"iter"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// stream is a sequence of batches of rows. An error ends it.
type stream = iter.Seq2[[]eval.Row, error]

// operator is one step of a plan, from rows to rows. It may modify its input rows. Unless it says otherwise, it
// preserves order.
type operator interface {
	run(ctx context.Context, in stream) stream
	// explain describes the step, with its nested steps.
	explain() step
}

// pipeline is a sequence of operators.
type pipeline []operator

func (p pipeline) run(ctx context.Context, in stream) stream {
	counts, _ := ctx.Value(countsKey{}).(rowCounts)
	for _, o := range p {
		in = watched(ctx, o.run(ctx, in))
		if counts != nil {
			in = counts.counted(o, in)
		}
	}
	return in
}

// watched is a stream that ends when the context ends.
func watched(ctx context.Context, in stream) stream {
	return fill(in, func([]eval.Row) error { return ctx.Err() })
}

// batch returns a stream of one batch.
func batch(rows ...eval.Row) stream {
	return func(yield func([]eval.Row, error) bool) { yield(rows, nil) }
}

// The sizes of batches: small at first, because a LIMIT may soon be reached.
const (
	firstBatch = 32
	fullBatch  = 1024
)

// emitter collects rows into batches.
type emitter struct {
	yield func([]eval.Row, error) bool
	width int
	size  int // capacity of the current batch
	rows  []eval.Row
	room  []value.Value // memory for the next rows
}

func newEmitter(width int, yield func([]eval.Row, error) bool) *emitter {
	return &emitter{yield: yield, width: width, size: firstBatch}
}

// copy returns a new row that begins with the values of another.
func (e *emitter) copy(of eval.Row) eval.Row {
	if len(e.room) < e.width {
		e.room = make([]value.Value, e.width*max(1, min(e.size, 4*(len(e.rows)+4))))
	}
	r := e.room[:e.width:e.width]
	e.room = e.room[e.width:]
	copy(r, of)
	return r
}

// add adds a row, and reports whether to continue.
func (e *emitter) add(r eval.Row) bool {
	e.rows = append(e.rows, r)
	if len(e.rows) < e.size {
		return true
	}
	e.size = min(2*e.size, fullBatch)
	return e.flush()
}

// flush passes the current batch on, and reports whether to continue.
func (e *emitter) flush() bool {
	if len(e.rows) == 0 {
		return true
	}
	rows := e.rows
	e.rows = nil
	return e.yield(rows, nil)
}

// each passes the batches of a stream to make, which adds rows of a scope to the emitter and reports whether to
// continue. The rows made from a batch are passed on before the next batch is requested, which may be expensive and
// unnecessary.
func each(in stream, scope *eval.Scope, make func(out *emitter, rows []eval.Row) (more bool, err error)) stream {
	return func(yield func([]eval.Row, error) bool) {
		out := newEmitter(scope.Width(), yield)
		for rows, err := range in {
			more := true
			if err == nil {
				more, err = make(out, rows)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !more || !out.flush() {
				return
			}
		}
	}
}

// fill passes the batches of a stream to a function that writes to their rows.
func fill(in stream, write func(rows []eval.Row) error) stream {
	return func(yield func([]eval.Row, error) bool) {
		for rows, err := range in {
			if err == nil {
				err = write(rows)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(rows, nil) {
				return
			}
		}
	}
}
