package cypher

import (
	"context"
	"time"

	"github.com/reverse-spec/reverse-spec/cypher/value"
)

// Options bound a query.
type Options struct {
	Parameters map[string]value.Value
	MaxRows    int           // most rows in the answer; 0 for [MaxRows]
	Timeout    time.Duration // 0 for [Timeout]
	MaxMemory  int64         // bytes that rows in waiting may take; 0 for [MaxMemory]
	// CountCut counts the rows that the last LIMIT of the query cuts off, too.
	CountCut bool
}

// The bounds unless told otherwise.
const (
	MaxRows   = 500
	Timeout   = 60 * time.Second
	MaxMemory = 1 << 30
	// MaxQuery is how long a query may be, in characters.
	MaxQuery = 10_000
)

// Result is the answer to a query.
type Result struct {
	Columns []string
	Rows    [][]value.Value // by row and then by column
	// Cut is how many rows more there are; with AtLeast there may be others.
	Cut     int
	AtLeast bool
	// Notes say what the one who asks should know: a label that no node has, a walk
	// that was bounded.
	Notes []string
}

// Run answers a query. Its faults are a [*syntax.Error].
func Run(ctx context.Context, g Graph, query string, opts Options) (*Result, error) {
	_, _, _, _ = ctx, g, query, opts
	panic("being written")
}

// Explain returns the plan of a query, as text.
func Explain(ctx context.Context, g Graph, query string, opts Options) (string, error) {
	_, _, _, _ = ctx, g, query, opts
	panic("being written")
}
