package postgres

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// writer writes to a graph within the caller's transaction.
type writer struct {
	tx      pgx.Tx
	graph   int32
	fresh   bool // the graph was empty: inserts replace nothing
	words   numbering[string]
	rules   numbering[weightedRule]
	tallies map[tally]amount // changes of the counts
	touched map[int32]bool   // files whose rows changed
}

// tally is a key of counts: a kind, such as nodes, and a word.
type tally struct {
	kind int16
	word int32
}

// amount is a number of rows, and the bytes that they take.
type amount struct{ n, size int64 }

// numbering gives numbers to values, from 1; 0 is the zero value.
type numbering[T comparable] struct {
	of      map[T]int32
	written int // of them are stored
	values  []T
}

func newNumbering[T comparable](stored []T) numbering[T] {
	n := numbering[T]{of: make(map[T]int32, len(stored)), written: len(stored), values: slices.Clip(stored)}
	for i, v := range stored {
		n.of[v] = int32(i + 1)
	}
	return n
}

func (n *numbering[T]) number(v T) int32 {
	var zero T
	if v == zero {
		return 0
	}
	id, known := n.of[v]
	if !known {
		n.values = append(n.values, v)
		id = int32(len(n.values))
		n.of[v] = id
	}
	return id
}

// newWriter returns a writer to a new graph.
func newWriter(tx pgx.Tx, graph int32) *writer {
	return &writer{
		tx: tx, graph: graph, fresh: true, words: newNumbering[string](nil), rules: newNumbering[weightedRule](nil), tallies: map[tally]amount{}, touched: map[int32]bool{},
	}
}

// writer returns a writer to a graph.
func (g *Graph) writer(ctx context.Context, tx pgx.Tx) (*writer, error) {
	words, err := g.loadWords(ctx, tx)
	if err != nil {
		return nil, err
	}
	rules, err := g.loadRules(ctx, tx)
	return &writer{tx: tx, graph: g.id, words: newNumbering(words), rules: newNumbering(rules), tallies: map[tally]amount{}, touched: map[int32]bool{}}, err
}

// add inserts files, nodes and edges.
func (w *writer) add(ctx context.Context, u *store.Update) error {
	if err := w.addFiles(ctx, u.Files); err != nil {
		return err
	}
	if err := w.addNodes(ctx, u.Nodes); err != nil {
		return err
	}
	return w.addEdges(ctx, u.Edges)
}

// copyRows inserts rows of a table by COPY.
func (w *writer) copyRows(ctx context.Context, table string, columns []string, n int, row func(i int) ([]any, error)) error {
	if n == 0 {
		return nil
	}
	longer, cancel := grace(ctx)
	defer cancel()
	_, err := w.tx.CopyFrom(longer, pgx.Identifier{"reverse_spec", table}, columns, pgx.CopyFromSlice(n, func(i int) ([]any, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return row(i)
	}))
	return err
}

// send runs a batch of statements.
func (w *writer) send(ctx context.Context, b *pgx.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	longer, cancel := grace(ctx) // the driver closes a connection on which a batch was interrupted
	defer cancel()
	return w.tx.SendBatch(longer, b).Close()
}

func (w *writer) addFiles(ctx context.Context, files []store.File) error {
	columns := []string{"graph", "id", "path", "language", "size", "mod_time", "hash", "parse_errors", "stamp", "unresolved", "facts", "lookups", "words"}
	if w.fresh {
		return w.copyRows(ctx, "file", columns, len(files), func(i int) ([]any, error) { return w.fileRow(&files[i]) })
	}
	const upsert = `INSERT INTO reverse_spec.file AS old(graph, id, path, language, size, mod_time, hash, parse_errors, stamp, unresolved, facts, lookups, words)
		VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
		ON CONFLICT(graph, id) DO UPDATE SET path = excluded.path, language = excluded.language, size = excluded.size, mod_time = excluded.mod_time,
		hash = excluded.hash, parse_errors = excluded.parse_errors, stamp = excluded.stamp, unresolved = excluded.unresolved,
		facts = coalesce(excluded.facts, old.facts), lookups = coalesce(excluded.lookups, old.lookups), words = coalesce(excluded.words, old.words)`
	for part := range slices.Chunk(files, batchSize) {
		var b pgx.Batch
		for i := range part {
			row, err := w.fileRow(&part[i])
			if err != nil {
				return err
			}
			b.Queue(upsert, row...)
		}
		if err := w.send(ctx, &b); err != nil {
			return message.Errorf("file %s: %w", part[0].Path, err)
		}
	}
	return nil
}

// batchSize is the number of statements sent at once.
const batchSize = 256

// fileRow returns the columns of a file.
func (w *writer) fileRow(f *store.File) ([]any, error) {
	if f.ID == 0 {
		return nil, message.Errorf("file %s: %w", f.Path, errNoID)
	}
	if y := f.ModTime.Year(); !f.ModTime.IsZero() && (y < 1678 || y > 2261) {
		return nil, message.Errorf("file %s: %w", f.Path, errTooLate)
	}
	sites, err := encodeCounts(f.Unresolved)
	if err != nil {
		return nil, err
	}
	if f.Words != nil {
		w.touched[int32(f.ID)] = true
	}
	var n numbers
	row := []any{
		w.graph, n.of(int64(f.ID)), textIn(f.Path), textIn(f.Language), f.Size, timeIn(f.ModTime), textIn(f.Hash), n.of(int64(f.ParseErrors)), int64(f.Stamp),
		textIn(sites), f.Facts, f.Lookups, f.Words,
	}
	return row, n.err
}

func (w *writer) addNodes(ctx context.Context, nodes []store.Node) error {
	if !w.fresh {
		last := map[codegraph.ID]int{} // a node given twice is the later one
		ids := make([]int32, len(nodes))
		for i := range nodes {
			last[nodes[i].ID], ids[i] = i, int32(nodes[i].ID)
		}
		if len(last) < len(nodes) {
			kept := slices.Sorted(maps.Values(last))
			one := make([]store.Node, len(kept))
			for i, at := range kept {
				one[i] = nodes[at]
			}
			nodes = one
		}
		if err := w.uncountNodes(ctx, "id = ANY($2)", ids); err != nil {
			return err
		}
	}
	columns := []string{
		"graph", "id", "file", "ordinal", "label", "kind", "path", "start_line", "end_line", "language", "version", "flags",
		"qualified_name", "name", "signature", "doc", "decorators",
	}
	return w.copyRows(ctx, "node", columns, len(nodes), func(i int) ([]any, error) { return w.nodeRow(&nodes[i]) })
}

// nodeRow returns the columns of a node, and counts it.
func (w *writer) nodeRow(n *store.Node) ([]any, error) {
	if n.ID == 0 {
		return nil, message.Errorf("node %s: %w", n.QualifiedName, errNoID)
	}
	decorators := ""
	if len(n.Decorators) > 0 {
		text, err := json.Marshal(n.Decorators)
		if err != nil {
			return nil, err
		}
		decorators = string(text)
	}
	flags := int32(0)
	if n.Exported {
		flags |= flagExported
	}
	if n.Test {
		flags |= flagTest
	}
	label := w.words.number(string(n.Label))
	qualified, name, signature, doc := textIn(n.QualifiedName), textIn(n.Name), textIn(n.Signature), textIn(n.Doc)
	decorators = textIn(decorators)
	w.count(tally{tallyNodes, label}, 1, nodeSize+len(qualified)+len(name)+len(signature)+len(doc)+len(decorators))
	w.touched[int32(n.File)] = true
	var c numbers
	row := []any{
		w.graph, c.of(int64(n.ID)), c.of(int64(n.File)), c.of(int64(n.Ordinal)), label, w.words.number(n.Kind), w.words.number(n.Path),
		c.of(int64(n.StartLine)), c.of(int64(n.EndLine)), w.words.number(n.Language), w.words.number(n.Version), flags,
		qualified, name, signature, doc, decorators,
	}
	return row, c.err
}

func (w *writer) addEdges(ctx context.Context, edges []store.Edge) error {
	columns := []string{"graph", "src", "type", "dst", "file", "line", "count", "how"}
	return w.copyRows(ctx, "edge", columns, len(edges), func(i int) ([]any, error) { return w.edgeRow(&edges[i]) })
}

// edgeRow returns the columns of an edge, and counts it.
func (w *writer) edgeRow(e *store.Edge) ([]any, error) {
	if e.From == 0 || e.To == 0 {
		return nil, message.Errorf("edge %d %s %d: %w", e.From, e.Type, e.To, errNoID)
	}
	if c := float64(e.Confidence); math.IsNaN(c) || math.IsInf(c, 0) {
		return nil, message.Errorf("confidence %v", c)
	}
	kind := w.words.number(string(e.Type))
	w.count(tally{tallyEdges, kind}, 1, edgeSize)
	w.touched[int32(e.File)] = true
	var c numbers
	row := []any{
		w.graph, c.of(int64(e.From)), kind, c.of(int64(e.To)), c.of(int64(e.File)), c.of(int64(e.Line)), c.of(int64(e.Count)),
		w.rules.number(weightedRule{e.Rule, e.Confidence}),
	}
	return row, c.err
}

func (w *writer) count(t tally, n int64, size int) {
	a := w.tallies[t]
	w.tallies[t] = amount{a.n + n, a.size + int64(size)}
}

// uncountNodes deletes nodes. The condition may use the graph, $1, and a list of ids, $2.
func (w *writer) uncountNodes(ctx context.Context, condition string, ids []int32) error {
	const texts = "octet_length(qualified_name) + octet_length(name) + octet_length(signature) + octet_length(doc) + octet_length(decorators)"
	return w.uncount(ctx, tallyNodes, nodeSize, "DELETE FROM reverse_spec.node WHERE graph = $1 AND "+condition+" RETURNING label, file, "+texts, ids)
}

// uncountEdges deletes edges.
func (w *writer) uncountEdges(ctx context.Context, condition string, ids []int32) error {
	return w.uncount(ctx, tallyEdges, edgeSize, "DELETE FROM reverse_spec.edge WHERE graph = $1 AND "+condition+" RETURNING type, file, 0", ids)
}

// uncount runs a statement that deletes rows, and returns the words they are counted under, their files and the sizes of their texts.
func (w *writer) uncount(ctx context.Context, kind int16, size int, statement string, ids []int32) error {
	if len(ids) == 0 {
		return nil
	}
	rows, err := w.tx.Query(ctx, "WITH gone(word, file, size) AS ("+statement+") SELECT word, file, count(*), sum(size) FROM gone GROUP BY word, file", w.graph, ids)
	if err != nil {
		return err
	}
	var word, file int32
	var n, texts int64
	_, err = pgx.ForEachRow(rows, []any{&word, &file, &n, &texts}, func() error {
		w.touched[file] = true
		w.count(tally{kind, word}, -n, -int(texts)-int(n)*size)
		return nil
	})
	return err
}

// finish writes the counts and what has new numbers.
func (w *writer) finish(ctx context.Context) error {
	words, rules := w.words.values[w.words.written:], w.rules.values[w.rules.written:]
	err := w.copyRows(ctx, "word", []string{"graph", "id", "content"}, len(words), func(i int) ([]any, error) {
		return []any{w.graph, int32(w.words.written + i + 1), textIn(words[i])}, nil
	})
	if err != nil {
		return err
	}
	err = w.copyRows(ctx, "how", []string{"graph", "id", "rule", "confidence"}, len(rules), func(i int) ([]any, error) {
		return []any{w.graph, int32(w.rules.written + i + 1), textIn(rules[i].rule), rules[i].confidence}, nil
	})
	if err != nil {
		return err
	}
	var b pgx.Batch
	for t, a := range w.tallies {
		b.Queue(`INSERT INTO reverse_spec.tally AS old VALUES($1, $2, $3, $4, $5)
			ON CONFLICT(graph, kind, word) DO UPDATE SET n = old.n + excluded.n, size = old.size + excluded.size`, w.graph, t.kind, t.word, a.n, a.size)
	}
	b.Queue("DELETE FROM reverse_spec.tally WHERE graph = $1 AND n = 0", w.graph)
	return w.send(ctx, &b)
}

// mostSteps is how many serials of a graph are known to readers.
const mostSteps = 500

// step writes down which files an update touched.
func (w *writer) step(ctx context.Context, serial uint64) error {
	var b pgx.Batch
	b.Queue("INSERT INTO reverse_spec.step VALUES($1, $2) ON CONFLICT DO NOTHING", w.graph, int64(serial))
	if !w.fresh {
		b.Queue(`INSERT INTO reverse_spec.touched SELECT $1, f, $3 FROM unnest($2::int[]) f ON CONFLICT(graph, file) DO UPDATE SET serial = excluded.serial`,
			w.graph, slices.Sorted(maps.Keys(w.touched)), int64(serial))
		b.Queue(`DELETE FROM reverse_spec.step WHERE graph = $1 AND serial < (SELECT serial FROM reverse_spec.step WHERE graph = $1 ORDER BY serial DESC OFFSET $2 LIMIT 1)`,
			w.graph, mostSteps)
	}
	return w.send(ctx, &b)
}
