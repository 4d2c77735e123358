package postgres

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// dictionary keeps what numbers stand for in a graph; 0 is the zero value. It only grows: the numbers are given in
// order, and mean the same as long as the graph is there.
type dictionary[T any] struct {
	mu     sync.Mutex
	values []T
}

// after returns how many values are known.
func (d *dictionary[T]) known() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.values)
}

// extend adds the values after the first n, and returns all.
func (d *dictionary[T]) extend(n int, more []T) []T {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.values) < n+len(more) {
		d.values = append(d.values[:n:n], more...)
	}
	return d.values
}

// lookup finds what numbers stand for, in one state of the graph.
type lookup[T any] []T

func (l lookup[T]) of(number int32) (value T, err error) {
	switch {
	case number == 0:
		return value, nil
	case number < 0 || int(number) > len(l):
		return value, message.Errorf("%w: nothing has the number %d", errContents, number)
	}
	return l[number-1], nil
}

// loadWords returns the texts of a graph.
func (g *Graph) loadWords(ctx context.Context, tx pgx.Tx) (lookup[string], error) {
	n := g.words.known()
	rows, err := tx.Query(ctx, "SELECT id, content FROM reverse_spec.word WHERE graph = $1 AND id > $2 ORDER BY id", g.id, n)
	if err != nil {
		return nil, err
	}
	var more []string
	var id int32
	var content string
	_, err = pgx.ForEachRow(rows, []any{&id, &content}, func() error {
		more = append(more, textOut(content))
		return inOrder(id, n+len(more))
	})
	if err != nil {
		return nil, err
	}
	return g.words.extend(n, more), nil
}

// loadRules returns the rules of a graph.
func (g *Graph) loadRules(ctx context.Context, tx pgx.Tx) (lookup[weightedRule], error) {
	n := g.rules.known()
	rows, err := tx.Query(ctx, "SELECT id, rule, confidence FROM reverse_spec.how WHERE graph = $1 AND id > $2 ORDER BY id", g.id, n)
	if err != nil {
		return nil, err
	}
	var more []weightedRule
	var id int32
	var h weightedRule
	_, err = pgx.ForEachRow(rows, []any{&id, &h.rule, &h.confidence}, func() error {
		more = append(more, weightedRule{textOut(h.rule), h.confidence})
		return inOrder(id, n+len(more))
	})
	if err != nil {
		return nil, err
	}
	return g.rules.extend(n, more), nil
}

// inOrder checks that a number is the next one.
func inOrder(id int32, want int) error {
	if int(id) != want {
		return message.Errorf("%w: number %d is missing", errContents, want)
	}
	return nil
}
