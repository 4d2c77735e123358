package rag

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/search"
)

// HistorySuffix is appended to the path of the graph's derived file, for what the history of the project says of its files; it is removed
// with the graph.
const HistorySuffix = ".history"

// historyLength is the number of commits that are looked at.
const historyLength = 3000

// changes returns the last changes of the project before the graph was made. They are kept in a file, because git takes longer than the
// search. None are known of a graph of a shared store.
func (q *question) changes(ctx context.Context) []search.Change {
	p := q.graph.Project()
	if p == nil {
		return nil
	}
	state, err := q.graph.Stored().State(ctx)
	if err != nil || state.Commit == "" {
		return nil
	}
	file := q.graph.Stored().Derived() + HistorySuffix
	if list, ok := search.ReadChanges(file, state.Commit); ok {
		return list
	}
	var list []search.Change
	for _, c := range p.History(ctx, state.Commit, historyLength) {
		list = append(list, search.NewChange(c.Subject, c.Files))
	}
	if len(list) > 0 {
		search.WriteChanges(file, state.Commit, list)
	}
	return list
}
