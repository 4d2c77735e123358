package postgres

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// The kinds of tallies.
const (
	tallyNodes = iota
	tallyEdges
)

// Sizes of rows with their entries in indexes, without texts.
const (
	nodeSize = 150
	edgeSize = 130
	fileSize = 250
)

// Counts returns the sizes of the graph. Size is what its rows take, as far as that is known: free space, and what
// PostgreSQL compresses, are not.
func (g *Graph) Counts(ctx context.Context) (store.Counts, error) {
	n := store.Counts{Nodes: map[codegraph.Label]int{}, Edges: map[codegraph.Relationship]int{}, Unresolved: map[string]int{}}
	err := g.read(ctx, "the counts", func(tx pgx.Tx) error {
		words, err := g.loadWords(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := readState(ctx, tx, g.id); err != nil {
			return err
		}
		if err := g.countFiles(ctx, tx, &n); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, "SELECT kind, word, n, size FROM reverse_spec.tally WHERE graph = $1", g.id)
		if err != nil {
			return err
		}
		var kind int16
		var word int32
		var count, size int64
		_, err = pgx.ForEachRow(rows, []any{&kind, &word, &count, &size}, func() error {
			text, err := words.of(word)
			if kind == tallyNodes {
				n.Nodes[codegraph.Label(text)] = int(count)
			} else {
				n.Edges[codegraph.Relationship(text)] = int(count)
			}
			n.Size += size
			return err
		})
		return err
	})
	return n, err
}

// countFiles counts files, their parse errors and call sites without an edge.
func (g *Graph) countFiles(ctx context.Context, tx pgx.Tx, n *store.Counts) error {
	const query = `SELECT parse_errors, unresolved, coalesce(octet_length(facts), 0) + coalesce(octet_length(lookups), 0) + coalesce(octet_length(words), 0)
		FROM reverse_spec.file WHERE graph = $1`
	rows, err := tx.Query(ctx, query, g.id)
	if err != nil {
		return err
	}
	var failed int
	var text string
	var size int64
	n.Size += fileSize
	_, err = pgx.ForEachRow(rows, []any{&failed, &text, &size}, func() error {
		n.Files++
		n.Errors += failed
		n.Size += size + fileSize
		sites, err := decodeCounts(text)
		for reason, count := range sites {
			n.Unresolved[reason] += count
		}
		return err
	})
	return err
}

// encodeCounts encodes numbers by name as JSON; none is "".
func encodeCounts(counts map[string]int) (string, error) {
	if len(counts) == 0 {
		return "", nil
	}
	text, err := json.Marshal(counts)
	return string(text), err
}

func decodeCounts(text string) (counts map[string]int, err error) {
	if text == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(textOut(text)), &counts); err != nil {
		return nil, message.Errorf("%w: call sites: %w", errContents, err)
	}
	return counts, nil
}

// Files returns all files, sorted by path.
func (g *Graph) Files(ctx context.Context) ([]store.File, error) {
	var files []store.File
	err := g.read(ctx, "the files", func(tx pgx.Tx) error {
		files = nil
		const query = "SELECT id, path, language, size, mod_time, hash, parse_errors, stamp, unresolved FROM reverse_spec.file WHERE graph = $1"
		rows, err := tx.Query(ctx, query, g.id)
		if err != nil {
			return err
		}
		var id int32
		var f store.File
		var written *int64
		var stamp int64
		var sites string
		_, err = pgx.ForEachRow(rows, []any{&id, &f.Path, &f.Language, &f.Size, &written, &f.Hash, &f.ParseErrors, &stamp, &sites}, func() error {
			next := f
			next.ID, next.ModTime, next.Stamp = store.FileID(id), timeOut(written), uint64(stamp)
			next.Path, next.Language, next.Hash = textOut(f.Path), textOut(f.Language), textOut(f.Hash)
			var err error
			next.Unresolved, err = decodeCounts(sites)
			files = append(files, next)
			return err
		})
		return err
	})
	slices.SortFunc(files, func(a, b store.File) int { return cmp.Compare(a.Path, b.Path) })
	return files, err
}

// Facts calls yield with the facts of the files, in the order of their ids.
func (g *Graph) Facts(ctx context.Context, ids []store.FileID, yield func(id store.FileID, facts []byte) error) error {
	return g.blobs(ctx, "the facts", "facts", ids, yield)
}

// Lookups calls yield with the lookups of all files, in the order of their ids.
func (g *Graph) Lookups(ctx context.Context, yield func(id store.FileID, lookups []byte) error) error {
	return g.blobs(ctx, "the lookups", "lookups", nil, yield)
}

// Words calls yield with the words of the files, in the order of their ids.
func (g *Graph) Words(ctx context.Context, ids []store.FileID, yield func(id store.FileID, words []byte) error) error {
	return g.blobs(ctx, "the words", "words", ids, yield)
}

// blobs calls yield with a column of the files with the given ids, or of all for nil.
func (g *Graph) blobs(ctx context.Context, what, column string, ids []store.FileID, yield func(id store.FileID, data []byte) error) error {
	return g.read(ctx, what, func(tx pgx.Tx) error {
		query, args := "SELECT id, "+column+" FROM reverse_spec.file WHERE graph = $1 AND "+column+" IS NOT NULL", []any{g.id}
		if ids != nil {
			query += " AND id = ANY($2)"
			args = append(args, fits(ids))
		}
		return each(ctx, tx, query+" ORDER BY id", args, func(row [][]byte) error {
			return store.Stop(yield(store.FileID(int32At(row, 0)), row[1]))
		})
	})
}

// each calls f with the columns of each row as PostgreSQL sends them: numbers in network order, texts in UTF-8. They are
// valid during the call. If f fails, the query is cancelled.
func each(ctx context.Context, tx pgx.Tx, query string, args []any, f func(row [][]byte) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	rows, err := tx.Query(ctx, query, append([]any{pgx.QueryResultFormats{1}}, args...)...)
	if err != nil {
		return err
	}
	for rows.Next() {
		if err := f(rows.RawValues()); err != nil {
			cancel()
			rows.Close()
			return err
		}
	}
	rows.Close()
	return rows.Err()
}

// int32At returns a column of type int.
func int32At(row [][]byte, i int) int32 { return int32(binary.BigEndian.Uint32(row[i])) }

// textAt returns a column of type text.
func textAt(row [][]byte, i int) string { return textOut(string(row[i])) }

// nodeColumns are the columns of table node that nodeOf reads, after graph.
const nodeColumns = `id, file, ordinal, label, kind, path, start_line, end_line, language, version, flags, qualified_name, name, signature, doc, decorators`

// Flags of a node.
const (
	flagExported = 1 << iota
	flagTest
)

// nodeOf reads a node from a row.
func nodeOf(row [][]byte, words lookup[string]) (store.Node, error) {
	label, err1 := words.of(int32At(row, 3))
	kind, err2 := words.of(int32At(row, 4))
	path, err3 := words.of(int32At(row, 5))
	language, err4 := words.of(int32At(row, 8))
	version, err5 := words.of(int32At(row, 9))
	flags := int32At(row, 10)
	n := store.Node{File: store.FileID(int32At(row, 1)), Ordinal: int(int32At(row, 2)), Node: codegraph.Node{
		ID: codegraph.ID(int32At(row, 0)), Label: codegraph.Label(label), Kind: kind, Path: path,
		StartLine: int(int32At(row, 6)), EndLine: int(int32At(row, 7)), Language: language, Version: version,
		Exported: flags&flagExported != 0, Test: flags&flagTest != 0,
		QualifiedName: textAt(row, 11), Name: textAt(row, 12), Signature: textAt(row, 13), Doc: textAt(row, 14),
	}}
	var err6 error
	if len(row[15]) > 0 {
		if err := json.Unmarshal([]byte(textAt(row, 15)), &n.Decorators); err != nil {
			err6 = message.Errorf("%w: decorators: %w", errContents, err)
		}
	}
	return n, cmp.Or(err1, err2, err3, err4, err5, err6)
}

// NodesOf returns the nodes of a file, sorted by ordinal.
func (g *Graph) NodesOf(ctx context.Context, file store.FileID) ([]store.Node, error) {
	var nodes []store.Node
	err := g.read(ctx, "the nodes of a file", func(tx pgx.Tx) error {
		nodes = nil
		words, err := g.loadWords(ctx, tx)
		if err != nil {
			return err
		}
		query := "SELECT " + nodeColumns + " FROM reverse_spec.node WHERE graph = $1 AND file = $2 ORDER BY ordinal, id"
		return each(ctx, tx, query, []any{g.id, int32(file)}, func(row [][]byte) error {
			n, err := nodeOf(row, words)
			nodes = append(nodes, n)
			return err
		})
	})
	return nodes, err
}

// All calls node for every node of the files and then edge for every edge.
func (g *Graph) All(ctx context.Context, ids []store.FileID, node func(store.Node) error, edge func(store.Edge) error) error {
	where, args := " WHERE graph = $1", []any{g.id}
	if ids != nil {
		where, args = where+" AND file = ANY($2)", append(args, fits(ids))
	}
	return g.read(ctx, "the graph", func(tx pgx.Tx) error {
		words, err := g.loadWords(ctx, tx)
		if err != nil {
			return err
		}
		if node != nil {
			query := "SELECT " + nodeColumns + " FROM reverse_spec.node" + where + " ORDER BY id"
			err := each(ctx, tx, query, args, func(row [][]byte) error {
				n, err := nodeOf(row, words)
				if err != nil {
					return err
				}
				return store.Stop(node(n))
			})
			if err != nil {
				return err
			}
		}
		if edge == nil {
			return nil
		}
		return g.allEdges(ctx, tx, where, args, words, edge)
	})
}

// allEdges calls edge for every edge.
func (g *Graph) allEdges(ctx context.Context, tx pgx.Tx, where string, args []any, words lookup[string], edge func(store.Edge) error) error {
	rules, err := g.loadRules(ctx, tx)
	if err != nil {
		return err
	}
	query := "SELECT src, type, dst, file, line, count, how FROM reverse_spec.edge" + where + " ORDER BY src, type, dst"
	return each(ctx, tx, query, args, func(row [][]byte) error {
		one, err := edgeOf(row, words, rules)
		if err != nil {
			return err
		}
		return store.Stop(edge(one))
	})
}

// Touched returns the files that were touched since a state.
func (g *Graph) Touched(ctx context.Context, serial uint64) (files []store.FileID, err error) {
	err = g.read(ctx, "what changed", func(tx pgx.Tx) error {
		some, err := g.touchedSince(ctx, tx, serial)
		files = fileIDs(some)
		return err
	})
	return files, err
}

// edgeOf reads an edge from a row.
func edgeOf(row [][]byte, words lookup[string], rules lookup[weightedRule]) (store.Edge, error) {
	kind, err1 := words.of(int32At(row, 1))
	how, err2 := rules.of(int32At(row, 6))
	return store.Edge{File: store.FileID(int32At(row, 3)), Edge: codegraph.Edge{
		From: codegraph.ID(int32At(row, 0)), To: codegraph.ID(int32At(row, 2)), Type: codegraph.Relationship(kind),
		Line: int(int32At(row, 4)), Count: int(int32At(row, 5)), Rule: how.rule, Confidence: how.confidence,
	}}, cmp.Or(err1, err2)
}
