package cypher

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/check"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Options are the limits of a query.
type Options struct {
	Parameters map[string]value.Value
	MaxRows    int           // maximum number of rows; 0 or less for [MaxRows]
	Skip       int           // number of rows to skip
	Timeout    time.Duration // 0 for [Timeout]
	MaxMemory  int64         // bytes for buffered rows; 0 for [MaxMemory]
	// CountCut also counts the rows cut off by the last LIMIT of the query.
	CountCut bool
}

// Default limits.
const (
	MaxRows   = 500
	Timeout   = 60 * time.Second
	MaxMemory = 1 << 30
	// MaxQuery is the maximum length of a query, in characters.
	MaxQuery = 100_000
)

// Result is the result of a query.
type Result struct {
	Columns []string
	Rows    [][]value.Value // by row and column
	// Cut is the number of rows left out; if AtLeast is set, there may be more.
	Cut     int
	AtLeast bool
	// Notes are warnings for the caller: a label that does not exist, a bounded walk.
	Notes []string
}

// TimeoutError says that a query exceeded its time limit.
type TimeoutError struct{ After time.Duration }

func (e *TimeoutError) text() message.Text {
	return message.New("Query exceeded the %.1fs timeout and was cancelled. "+
		"Avoid unbounded traversals; add depth bounds or use a graph-algorithm procedure.", e.After.Seconds())
}

func (e *TimeoutError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *TimeoutError) In(lang message.Lang) string { return e.text().In(lang) }

// Hint says how to reduce the work.
func (e *TimeoutError) Hint() message.Text {
	return message.New("start from a name, bound paths (such as [:CALLS*1..3]), and RETURN DISTINCT the nodes at their ends")
}

// Query is a prepared query.
type Query struct {
	x       *execution
	opts    Options
	steps   pipeline
	first   *frame // of the initial row
	last    *frame
	columns []string
	mode    syntax.Mode
}

// Prepare parses, checks and plans a query. The error for an invalid query is a [*syntax.Error].
func Prepare(ctx context.Context, g Graph, query string, opts Options) (*Query, error) {
	if n := utf8.RuneCountInString(query); n > MaxQuery {
		return nil, &syntax.Error{
			Class: syntax.SyntaxError, Code: "QueryTooLong",
			Message: message.New("the query has %d characters, and %d are the most", n, MaxQuery),
		}
	}
	tree, err := syntax.Parse(query)
	if err != nil {
		return nil, err
	}
	if err := check.Check(tree, opts.Parameters); err != nil {
		return nil, err
	}
	opts = opts.complete()
	x := &execution{graph: g, limit: opts.MaxMemory}
	p := &planner{x: x}
	p.compiler = &eval.Compiler{Graph: g, Parameters: opts.Parameters, Subquery: func(e syntax.Expr, s *eval.Scope) (eval.Expr, error) {
		return p.subquery(ctx, e, s)
	}}
	q := &Query{x: x, opts: opts, first: newFrame(), mode: tree.Mode}
	q.steps, q.last, q.columns, err = p.query(ctx, tree, q.first, opts.CountCut)
	if err != nil {
		return nil, err
	}
	return q, noteUnknownNames(ctx, x, tree)
}

// complete replaces zero values by the defaults.
func (o Options) complete() Options {
	if o.MaxRows <= 0 {
		o.MaxRows = MaxRows
	}
	if o.Timeout == 0 {
		o.Timeout = Timeout
	}
	if o.MaxMemory == 0 {
		o.MaxMemory = MaxMemory
	}
	return o
}

// Explain returns the plan as text, one step per line, in order of execution.
func (q *Query) Explain() string { return render(explainAll(q.steps)) }

// Run runs the query. It may be called once. The error is a [*syntax.Error], a [*TimeoutError] or one of the graph.
func (q *Query) Run(ctx context.Context) (*Result, error) {
	limited, cancel := context.WithTimeout(ctx, q.opts.Timeout)
	defer cancel()
	if q.mode != "" {
		return q.plan(ctx, limited)
	}
	result := &Result{Columns: q.columns}
	slots := make([]int, len(q.columns))
	for i, name := range q.columns {
		slots[i] = q.last.slot(name)
	}
	q.x.stop = cancel
	cut, skip := tally{x: q.x}, q.opts.Skip
	for rows, err := range q.rows(limited) {
		switch {
		case err != nil && ctx.Err() == nil && len(result.Rows) == q.opts.MaxRows: // it was only counting
			q.x.over = true
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			return nil, &TimeoutError{After: q.opts.Timeout}
		case err != nil:
			return nil, err
		}
		passed := min(skip, len(rows))
		rows, skip = rows[passed:], skip-passed
		n := min(len(rows), q.opts.MaxRows-len(result.Rows))
		for _, r := range rows[:n] {
			result.Rows = append(result.Rows, columnsOf(r, slots))
		}
		if n < len(rows) {
			cut.add(len(rows) - n)
		}
	}
	result.Cut, result.AtLeast, result.Notes = q.x.cut, q.x.over, q.x.notes
	return result, nil
}

// rows runs the steps from the initial row.
func (q *Query) rows(ctx context.Context) stream {
	return q.steps.run(ctx, batch(make(eval.Row, q.first.scope.Width())))
}

// plan returns the plan as the result: for PROFILE with the numbers of rows, for which it runs the query in limited.
func (q *Query) plan(ctx, limited context.Context) (*Result, error) {
	var counts rowCounts
	if q.mode == syntax.Profile {
		counts = rowCounts{}
		for _, err := range q.rows(context.WithValue(limited, countsKey{}, counts)) {
			switch {
			case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
				return nil, &TimeoutError{After: q.opts.Timeout}
			case err != nil:
				return nil, err
			}
		}
	}
	result := plan(explainAll(q.steps), counts)
	result.Rows = result.Rows[min(q.opts.Skip, len(result.Rows)):]
	result.Notes = q.x.notes
	return result, nil
}

func columnsOf(r eval.Row, slots []int) []value.Value {
	values := make([]value.Value, len(slots))
	for i, slot := range slots {
		values[i] = r[slot]
	}
	return values
}

// Run prepares and runs a query.
func Run(ctx context.Context, g Graph, query string, opts Options) (*Result, error) {
	q, err := Prepare(ctx, g, query, opts)
	if err != nil {
		return nil, err
	}
	return q.Run(ctx)
}
