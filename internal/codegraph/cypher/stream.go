package cypher

import (
	"context"
	"iter"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// stream is rows on their way, in batches. An error is the last thing in it.
type stream = iter.Seq2[[]eval.Row, error]

// operator is one step of a plan: rows go in, rows come out. It may change the rows
// that come in. Where it does not say otherwise, what comes of a row comes out before
// what comes of the next.
type operator interface {
	run(ctx context.Context, in stream) stream
	// explain says what the step does, and with which steps inside it.
	explain() step
}

// pipeline is steps, each of which takes what the one before gives.
type pipeline []operator

func (p pipeline) run(ctx context.Context, in stream) stream {
	for _, o := range p {
		in = watched(ctx, o.run(ctx, in))
	}
	return in
}

// watched is a stream that ends when the context does.
func watched(ctx context.Context, in stream) stream {
	return fill(in, func([]eval.Row) error { return ctx.Err() })
}

// batch is a stream of the rows alone.
func batch(rows ...eval.Row) stream {
	return func(yield func([]eval.Row, error) bool) { yield(rows, nil) }
}

// The sizes of batches: small at first, since a LIMIT may soon have enough.
const (
	firstBatch = 32
	fullBatch  = 1024
)

// emitter gathers rows into batches.
type emitter struct {
	yield func([]eval.Row, error) bool
	width int
	size  int // of the batch being gathered
	rows  []eval.Row
	room  []value.Value // for the rows to come
}

func newEmitter(width int, yield func([]eval.Row, error) bool) *emitter {
	return &emitter{yield: yield, width: width, size: firstBatch}
}

// copy returns a row that begins with what another has.
func (e *emitter) copy(of eval.Row) eval.Row {
	if len(e.room) < e.width {
		e.room = make([]value.Value, e.width*max(1, min(e.size, 4*(len(e.rows)+4))))
	}
	r := e.room[:e.width:e.width]
	e.room = e.room[e.width:]
	copy(r, of)
	return r
}

// add adds a row, and reports whether more are wanted.
func (e *emitter) add(r eval.Row) bool {
	e.rows = append(e.rows, r)
	if len(e.rows) < e.size {
		return true
	}
	e.size = min(2*e.size, fullBatch)
	return e.flush()
}

// flush gives on what was gathered, and reports whether more is wanted.
func (e *emitter) flush() bool {
	if len(e.rows) == 0 {
		return true
	}
	rows := e.rows
	e.rows = nil
	return e.yield(rows, nil)
}

// each gives the batches of a stream to a step that makes others of them, rows of a
// scope, and reports whether more are wanted. What it has made of a batch is passed on
// before the next is asked for, which may take long and not be needed.
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

// fill gives the batches of a stream to a step that writes into their rows.
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
