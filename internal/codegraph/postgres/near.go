package postgres

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// near is the contents of a graph in one state, in memory.
type near struct {
	state store.State
	rows  *rows
	words lookup[string]
	rules lookup[weightedRule]
	// since is the serial of the rows that were near before, and files are those that were touched since then; nil if there were none.
	since uint64
	files []int32
}

// Near implements [store.Distant]. The rows are kept in a file: after an update, only those of the files that it touched are fetched, and
// put into the place of theirs.
func (g *Graph) Near(ctx context.Context) (store.Contents, error) {
	if g.server.cache.dir == "" {
		return g, nil
	}
	path := g.Derived() + rowsEnding
	n := &near{}
	old := readRows(path)
	err := g.read(ctx, "what changed", func(tx pgx.Tx) (err error) {
		if n.state, err = readState(ctx, tx, g.id); err != nil {
			return err
		}
		return g.bring(ctx, tx, n, old)
	})
	if err == nil && n.rows != old {
		err = n.rows.write(path)
	}
	if openfile.ReadOnly(err) {
		err = nil // the next one fetches all again
	}
	return n, err
}

// bring brings the rows of a graph, those of an old state or nil, to the current one.
func (g *Graph) bring(ctx context.Context, tx pgx.Tx, n *near, old *rows) error {
	var files []int32 // that were touched since
	if old != nil && old.identity == n.state.Identity {
		g.words.extend(0, old.words)
		g.rules.extend(0, old.rules)
	} else {
		old = nil
	}
	var err error
	if n.words, err = g.loadWords(ctx, tx); err != nil {
		return err
	}
	if n.rules, err = g.loadRules(ctx, tx); err != nil {
		return err
	}
	if old != nil && old.serial == n.state.Serial {
		n.rows = old
		return nil
	}
	if old != nil {
		if files, err = g.touchedSince(ctx, tx, old.serial); err != nil {
			return err
		}
	}
	if files == nil {
		old = &rows{}
	}
	n.since, n.files = old.serial, files
	n.rows = &rows{identity: n.state.Identity, serial: n.state.Serial, words: n.words, rules: n.rules}
	return g.fetch(ctx, tx, n.rows, old, files)
}

// touchedSince returns the files that were touched since a state; nil if that is not known.
func (g *Graph) touchedSince(ctx context.Context, tx pgx.Tx, serial uint64) ([]int32, error) {
	known := false
	if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM reverse_spec.step WHERE graph = $1 AND serial = $2)", g.id, int64(serial)).Scan(&known); err != nil || !known {
		return nil, err
	}
	found, err := tx.Query(ctx, "SELECT file FROM reverse_spec.touched WHERE graph = $1 AND serial > $2 ORDER BY file", g.id, int64(serial))
	if err != nil {
		return nil, err
	}
	files, err := pgx.CollectRows(found, pgx.RowTo[int32])
	return append([]int32{}, files...), err
}

// fetch fills rows with those of an old state except some files, and the rows of these from the server; with nil for files, all come from
// there.
func (g *Graph) fetch(ctx context.Context, tx pgx.Tx, to, old *rows, files []int32) error {
	where, of, args := " WHERE graph = $1", "", []any{g.id}
	if files != nil {
		where, of, args = where+" AND file = ANY($2)", " AND id = ANY($2)", append(args, files)
	}
	for _, s := range []struct {
		section int
		query   string
	}{
		{nodeRows, "SELECT " + nodeColumns + " FROM reverse_spec.node" + where + " ORDER BY id"},
		{edgeRows, "SELECT src, type, dst, file, line, count, how FROM reverse_spec.edge" + where + " ORDER BY src, type, dst"},
		{wordRows, "SELECT id, words FROM reverse_spec.file WHERE graph = $1 AND words IS NOT NULL" + of + " ORDER BY id"},
	} {
		m := &merging{section: s.section, old: old.sections[s.section], files: files, to: slices.Grow([]byte(nil), len(old.sections[s.section]))}
		err := each(ctx, tx, s.query, args, func(row [][]byte) error {
			m.add(row)
			return nil
		})
		if err != nil {
			return err
		}
		m.keep(nil)
		to.sections[s.section] = m.to
	}
	return nil
}

// merging makes a section from an old one and new rows, sorted.
type merging struct {
	section int
	old     []byte
	files   []int32 // whose old rows are gone, sorted
	to      []byte
	row     []byte
}

// add adds a row after the old ones that come before it.
func (m *merging) add(row [][]byte) {
	m.row = m.row[:0]
	for _, column := range row {
		m.row = append(binary.AppendUvarint(m.row, uint64(len(column))), column...)
	}
	at, _ := orderOf(m.section, m.row)
	m.keep(&at)
	m.to = append(binary.AppendUvarint(m.to, uint64(len(m.row))), m.row...)
}

// keep adds the old rows that come before a place; nil for all that are left.
func (m *merging) keep(before *place) {
	for len(m.old) > 0 {
		row, rest := cutBytes(m.old)
		at, file := orderOf(m.section, row)
		if before != nil && slices.Compare(at[:], before[:]) > 0 {
			return
		}
		if _, gone := slices.BinarySearch(m.files, file); !gone {
			m.to = append(m.to, m.old[:len(m.old)-len(rest)]...)
		}
		m.old = rest
	}
}

// State implements [store.Contents].
func (n *near) State(context.Context) (store.State, error) { return n.state, nil }

// All implements [store.Contents].
func (n *near) All(ctx context.Context, ids []store.FileID, node func(store.Node) error, edge func(store.Edge) error) error {
	var columns [][]byte
	err := n.each(ctx, nodeRows, ids, func(row []byte) error {
		columns = columnsOf(columns[:0], row)
		one, err := nodeOf(columns, n.words)
		if err != nil {
			return err
		}
		return node(one)
	})
	if err != nil {
		return err
	}
	return n.each(ctx, edgeRows, ids, func(row []byte) error {
		columns = columnsOf(columns[:0], row)
		one, err := edgeOf(columns, n.words, n.rules)
		if err != nil {
			return err
		}
		return edge(one)
	})
}

// Words implements [store.Contents].
func (n *near) Words(ctx context.Context, ids []store.FileID, yield func(id store.FileID, words []byte) error) error {
	var columns [][]byte
	return n.each(ctx, wordRows, ids, func(row []byte) error {
		columns = columnsOf(columns[:0], row)
		return yield(store.FileID(int32At(columns, 0)), columns[1])
	})
}

// Touched implements [store.Contents]: what was touched since the rows that were near before.
func (n *near) Touched(_ context.Context, serial uint64) ([]store.FileID, error) {
	switch serial {
	case n.state.Serial:
		return []store.FileID{}, nil
	case n.since:
		return fileIDs(n.files), nil
	}
	return nil, nil
}

// fileIDs returns the ids of files; nil for nil.
func fileIDs(ids []int32) []store.FileID {
	if ids == nil {
		return nil
	}
	out := make([]store.FileID, len(ids))
	for i, id := range ids {
		out[i] = store.FileID(id)
	}
	return out
}

// each calls f for the rows of a section: those of the files, or all if ids is nil.
func (n *near) each(ctx context.Context, section int, ids []store.FileID, f func(row []byte) error) error {
	of := fits(ids)
	slices.Sort(of)
	for rest := n.rows.sections[section]; len(rest) > 0; {
		var row []byte
		row, rest = cutBytes(rest)
		if ids != nil {
			_, file := orderOf(section, row)
			if _, wanted := slices.BinarySearch(of, file); !wanted {
				continue
			}
		}
		if err := cmp.Or(ctx.Err(), f(row)); err != nil {
			return err
		}
	}
	return nil
}

// place is where a row is in the order of its section.
type place [3]int32

// orderOf returns the place of a row, and its file.
func orderOf(section int, row []byte) (at place, file int32) {
	number := func(i int) int32 { return int32(binary.BigEndian.Uint32(row[5*i+1:])) } // four bytes, after their length
	switch section {
	case nodeRows:
		return place{number(0)}, number(1)
	case edgeRows:
		return place{number(0), number(1), number(2)}, number(3)
	}
	return place{number(0)}, number(0)
}

// cutBytes cuts bytes after their length off.
func cutBytes(data []byte) (first, rest []byte) {
	n, size := binary.Uvarint(data)
	return data[size : size+int(n)], data[size+int(n):]
}

// columnsOf appends the columns of a row.
func columnsOf(to [][]byte, row []byte) [][]byte {
	for len(row) > 0 {
		var column []byte
		column, row = cutBytes(row)
		to = append(to, column)
	}
	return to
}

// float32Bits returns a number as it is in a file.
func float32Bits(f float32) []byte { return binary.BigEndian.AppendUint32(nil, math.Float32bits(f)) }
