package sqlite

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"

	"zombiezen.com/go/sqlite"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// word returns a text of the dictionary; "" for 0.
func (c *conn) word(id int64) (string, error) {
	if id == 0 {
		return "", nil
	}
	if text, known := c.words[id]; known {
		return text, nil
	}
	found := false
	err := each(c.Conn, "SELECT text FROM word WHERE id = ?", []int64{id}, func(row *sqlite.Stmt) error {
		c.words[id], found = row.ColumnText(0), true
		return nil
	})
	if err == nil && !found {
		err = message.Errorf("%w: there is no word %d", errContents, id)
	}
	return c.words[id], err
}

// rule returns a rule with its confidence; the zero value for 0.
func (c *conn) rule(id int64) (weightedRule, error) {
	if h, known := c.hows[id]; known || id == 0 {
		return h, nil
	}
	found := false
	err := each(c.Conn, "SELECT rule, confidence FROM how WHERE id = ?", []int64{id}, func(row *sqlite.Stmt) error {
		c.hows[id], found = weightedRule{row.ColumnText(0), float32(row.ColumnFloat(1))}, true
		return nil
	})
	if err == nil && !found {
		err = message.Errorf("%w: there is no rule %d", errContents, id)
	}
	return c.hows[id], err
}

// The kinds of tallies.
const (
	tallyNodes = iota
	tallyEdges
)

// Counts returns the size of the graph.
func (g *Graph) Counts(ctx context.Context) (store.Counts, error) {
	n := store.Counts{Nodes: map[codegraph.Label]int{}, Edges: map[codegraph.Relationship]int{}, Unresolved: map[string]int{}}
	err := g.read(ctx, "the counts", func(c *conn) error {
		err := each(c.Conn, "SELECT count(*), total(parse_errors) FROM file", nil, func(row *sqlite.Stmt) error {
			n.Files, n.Errors = row.ColumnInt(0), row.ColumnInt(1)
			return nil
		})
		pages, err2 := number(c.Conn, "PRAGMA page_count")
		size, err3 := number(c.Conn, "PRAGMA page_size")
		n.Size = pages * size
		return errors.Join(err, err2, err3,
			c.tallies(tallyNodes, func(word string, count int) { n.Nodes[codegraph.Label(word)] = count }),
			c.tallies(tallyEdges, func(word string, count int) { n.Edges[codegraph.Relationship(word)] = count }),
			c.counts("SELECT reason, sum(n) FROM unresolved GROUP BY reason", nil, func(word string, count int) { n.Unresolved[word] = count }))
	})
	return n, err
}

func (c *conn) tallies(kind int64, f func(word string, n int)) error {
	return c.counts("SELECT word, n FROM tally WHERE kind = ?", []int64{kind}, f)
}

// counts calls f for each row of a query: a word and a number.
func (c *conn) counts(query string, args []int64, f func(word string, n int)) error {
	return each(c.Conn, query, args, func(row *sqlite.Stmt) error {
		id, n := row.ColumnInt64(0), row.ColumnInt(1)
		word, err := c.word(id)
		f(word, n)
		return err
	})
}

// Files returns all files, sorted by path.
func (g *Graph) Files(ctx context.Context) ([]store.File, error) {
	var files []store.File
	err := g.read(ctx, "the files", func(c *conn) error {
		files = nil
		at := map[store.FileID]int{}
		err := each(c.Conn, "SELECT id, path, language, size, mod_time, hash, parse_errors, stamp FROM file ORDER BY id", nil, func(row *sqlite.Stmt) error {
			f, err := c.file(row)
			at[f.ID] = len(files)
			files = append(files, f)
			return err
		})
		if err != nil {
			return err
		}
		return each(c.Conn, "SELECT reason, n, file FROM unresolved", nil, func(row *sqlite.Stmt) error {
			reason, err := c.word(row.ColumnInt64(0))
			if err != nil {
				return err
			}
			i, ok := at[store.FileID(row.ColumnInt64(2))]
			if !ok {
				return message.Errorf("%w: call sites of no file", errContents)
			}
			if files[i].Unresolved == nil {
				files[i].Unresolved = map[string]int{}
			}
			files[i].Unresolved[reason] = row.ColumnInt(1)
			return nil
		})
	})
	slices.SortFunc(files, func(a, b store.File) int { return cmp.Compare(a.Path, b.Path) })
	return files, err
}

// file reads a file from a row.
func (c *conn) file(row *sqlite.Stmt) (store.File, error) {
	id, err := uint32Column(row, 0)
	if err != nil {
		return store.File{}, err
	}
	language, err := c.word(row.ColumnInt64(2))
	f := store.File{
		ID: store.FileID(id), Path: row.ColumnText(1), Language: language, Size: row.ColumnInt64(3), ModTime: timeOf(row, 4),
		ParseErrors: row.ColumnInt(6), Stamp: uint64(row.ColumnInt64(7)),
	}
	if row.ColumnType(5) == sqlite.TypeBlob {
		f.Hash = hex.EncodeToString(blob(row, 5, nil))
	} else {
		f.Hash = row.ColumnText(5)
	}
	return f, err
}

// blob returns the bytes of a column, in buf if its capacity suffices.
func blob(row *sqlite.Stmt, col int, buf []byte) []byte {
	n := row.ColumnLen(col)
	buf = slices.Grow(buf[:0], n)[:n]
	return buf[:row.ColumnBytes(col, buf)]
}

// Facts calls yield with the facts of the files, in the order of their ids.
func (g *Graph) Facts(ctx context.Context, ids []store.FileID, yield func(id store.FileID, facts []byte) error) error {
	return g.read(ctx, "the facts", func(c *conn) error {
		return c.blobsOf("facts", ids, yield)
	})
}

// Lookups calls yield with the lookups of all files, in the order of their ids.
func (g *Graph) Lookups(ctx context.Context, yield func(id store.FileID, lookups []byte) error) error {
	return g.read(ctx, "the lookups", func(c *conn) error {
		return c.blobsOf("lookups", nil, yield)
	})
}

// Words calls yield with the words of the files, in the order of their ids.
func (g *Graph) Words(ctx context.Context, ids []store.FileID, yield func(id store.FileID, words []byte) error) error {
	return g.read(ctx, "the words", func(c *conn) error {
		return c.blobsOf("words", ids, yield)
	})
}

// blobsOf calls yield for the rows of a table of files and bytes: those of the files, or all if ids is nil.
func (c *conn) blobsOf(table string, ids []store.FileID, yield func(id store.FileID, data []byte) error) error {
	var buf []byte
	if ids == nil {
		return c.blobs("SELECT file, data FROM "+table+" ORDER BY file", nil, &buf, yield)
	}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		if err := c.blobs("SELECT file, data FROM "+table+" WHERE file = ?", []int64{int64(id)}, &buf, yield); err != nil {
			return err
		}
	}
	return nil
}

// blobs calls yield for each row of a query: a file's id and bytes, read into buf.
func (c *conn) blobs(query string, args []int64, buf *[]byte, yield func(id store.FileID, data []byte) error) error {
	return each(c.Conn, query, args, func(row *sqlite.Stmt) error {
		id, err := uint32Column(row, 0)
		if err != nil {
			return err
		}
		*buf = blob(row, 1, *buf)
		return store.Stop(yield(store.FileID(id), *buf))
	})
}

// nodeColumns are the columns that node reads.
const nodeColumns = `id, file, ordinal, label, kind, qualified_name, name, path, start_line, end_line, flags, language, version, signature, doc, decorators`

// Flags of a node.
const (
	flagExported = 1 << iota
	flagTest
)

// node reads a node from a row.
func (c *conn) node(row *sqlite.Stmt) (store.Node, error) {
	id, err := uint32Column(row, 0)
	if err != nil {
		return store.Node{}, err
	}
	file, err := uint32Column(row, 1)
	if err != nil {
		return store.Node{}, err
	}
	label, err1 := c.word(row.ColumnInt64(3))
	kind, err2 := c.word(row.ColumnInt64(4))
	path, err3 := c.word(row.ColumnInt64(7))
	language, err4 := c.word(row.ColumnInt64(11))
	version, err5 := c.word(row.ColumnInt64(12))
	flags := row.ColumnInt64(10)
	n := store.Node{File: store.FileID(file), Ordinal: row.ColumnInt(2), Node: codegraph.Node{
		ID: codegraph.ID(id), Label: codegraph.Label(label), Kind: kind, QualifiedName: row.ColumnText(5), Name: row.ColumnText(6), Path: path,
		StartLine: row.ColumnInt(8), EndLine: row.ColumnInt(9), Exported: flags&flagExported != 0, Test: flags&flagTest != 0,
		Language: language, Version: version, Signature: row.ColumnText(13), Doc: row.ColumnText(14),
	}}
	var err6 error
	if text := row.ColumnText(15); text != "" {
		if err := json.Unmarshal([]byte(text), &n.Decorators); err != nil {
			err6 = message.Errorf("%w: decorators: %w", errContents, err)
		}
	}
	return n, cmp.Or(err1, err2, err3, err4, err5, err6)
}

// NodesOf returns the nodes of a file, sorted by ordinal.
func (g *Graph) NodesOf(ctx context.Context, file store.FileID) ([]store.Node, error) {
	var nodes []store.Node
	err := g.read(ctx, "the nodes of a file", func(c *conn) error {
		nodes = nil
		return each(c.Conn, "SELECT "+nodeColumns+" FROM node WHERE file = ? ORDER BY ordinal, id", []int64{int64(file)}, func(row *sqlite.Stmt) error {
			n, err := c.node(row)
			nodes = append(nodes, n)
			return err
		})
	})
	return nodes, err
}

// All calls node for every node of the files and then edge for every edge.
func (g *Graph) All(ctx context.Context, ids []store.FileID, node func(store.Node) error, edge func(store.Edge) error) error {
	return g.read(ctx, "the graph", func(c *conn) error {
		if node != nil {
			err := eachOf(c.Conn, "SELECT "+nodeColumns+" FROM node", " ORDER BY id", ids, func(row *sqlite.Stmt) error {
				n, err := c.node(row)
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
		return eachOf(c.Conn, "SELECT src, type, dst, file, line, count, how FROM edge", " ORDER BY src, type, dst", ids, func(row *sqlite.Stmt) error {
			e, err := c.edge(row)
			if err != nil {
				return err
			}
			return store.Stop(edge(e))
		})
	})
}

// Touched returns the files that were touched since a state.
func (g *Graph) Touched(ctx context.Context, serial uint64) (files []store.FileID, err error) {
	err = g.read(ctx, "what changed", func(c *conn) error {
		files = nil
		state, err := readState(c.Conn)
		if err != nil || serial > state.Serial {
			return err
		}
		files = []store.FileID{}
		return each(c.Conn, "SELECT file FROM touched WHERE serial > ? ORDER BY file", []int64{int64(serial)}, func(row *sqlite.Stmt) error {
			id, err := uint32Column(row, 0)
			files = append(files, store.FileID(id))
			return err
		})
	})
	return files, err
}

// edge reads an edge from a row.
func (c *conn) edge(row *sqlite.Stmt) (store.Edge, error) {
	src, err1 := uint32Column(row, 0)
	dst, err2 := uint32Column(row, 2)
	file, err3 := uint32Column(row, 3)
	kind, err4 := c.word(row.ColumnInt64(1))
	how, err5 := c.rule(row.ColumnInt64(6))
	return store.Edge{File: store.FileID(file), Edge: codegraph.Edge{
		From: codegraph.ID(src), To: codegraph.ID(dst), Type: codegraph.Relationship(kind), Line: row.ColumnInt(4), Count: row.ColumnInt(5),
		Rule: how.rule, Confidence: how.confidence,
	}}, cmp.Or(err1, err2, err3, err4, err5)
}
