package rag

import (
	"context"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/search"
	"github.com/reverse-spec/reverse-spec/internal/x/atomicfile"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// HistorySuffix is appended to the path of the graph's derived file, for what the history of the project says of its files; it is removed
// with the graph.
const HistorySuffix = ".history"

const (
	historyLength = 3000    // commits
	historyBytes  = 8 << 20 // of the file
	historyMark   = "reverse-spec history 1 "
)

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
	file, head := q.graph.Stored().Derived()+HistorySuffix, historyMark+state.Commit
	if list, ok := readChanges(file, head); ok {
		return list
	}
	var list []search.Change
	for _, c := range p.History(ctx, state.Commit, historyLength) {
		list = append(list, search.NewChange(c.Subject, c.Files))
	}
	if len(list) > 0 {
		writeChanges(file, head, list)
	}
	return list
}

// readChanges reads the changes that were kept under a head.
func readChanges(file, head string) ([]search.Change, bool) {
	data, err := openfile.Read(file, historyBytes)
	if err != nil {
		return nil, false
	}
	first, rest, _ := strings.Cut(string(data), "\n")
	if first != head {
		return nil, false
	}
	var list []search.Change
	for line := range strings.Lines(rest) {
		said, files, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		list = append(list, search.Change{Words: strings.Fields(said), Files: strings.Split(files, "\t")})
	}
	return list, true
}

// writeChanges keeps changes. Errors are ignored: then git is asked again.
func writeChanges(file, head string, list []search.Change) {
	var b strings.Builder
	b.WriteString(head + "\n")
	for _, c := range list {
		b.WriteString(strings.Join(c.Words, " ") + "\t" + strings.Join(c.Files, "\t") + "\n")
	}
	_ = atomicfile.File(file, []byte(b.String()), 0o600)
}
