package postgres

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// A file of rows has what a snapshot is derived from: the rows of a graph in one state, as the server sent them. After an update only the
// rows of the files that it touched are fetched, and put into the place of theirs.
//
//	mark, identity, serial, and then records: a kind, the length, the data
//	'w' a text, 'h' a rule: both numbered from 1
//	'n' a node: its columns, each with its length; sorted by id
//	'e' an edge: its seven numbers; sorted by ends and type
//	't' the words of a file
//	'.' the checksum of all before
const (
	rowsEnding = ".rows"
	rowsMark   = "reverse-spec rows 1\n"
)

// near is the contents of a graph in one state, in a file of rows.
type near struct {
	path  string
	state store.State
}

// Near implements [store.Distant]. Where no file can be written, the contents are those of the server.
func (g *Graph) Near(ctx context.Context) (contents store.Contents, err error) {
	if g.server.cache.dir == "" {
		return g, nil
	}
	n := &near{path: g.Derived() + rowsEnding}
	unwritable := false
	err = g.read(ctx, "what changed", func(tx pgx.Tx) (err error) {
		if n.state, err = readState(ctx, tx, g.id); err != nil {
			return err
		}
		err = g.bring(ctx, tx, n)
		unwritable = openfile.ReadOnly(err)
		return err
	})
	if unwritable {
		return g, nil
	}
	return n, err
}

// bring brings the file of rows to a state.
func (g *Graph) bring(ctx context.Context, tx pgx.Tx, n *near) error {
	old := wholeRows(n.path)
	if old != nil {
		defer old.close()
		if old.identity != n.state.Identity {
			old = nil
		}
	}
	if old != nil && old.serial == n.state.Serial {
		return nil
	}
	var files []int32
	if old != nil {
		var err error
		if files, err = g.touchedSince(ctx, tx, old.serial); err != nil {
			return err
		}
		if files == nil {
			old = nil
		}
	}
	return g.writeRows(ctx, tx, n, old, files)
}

// touchedSince returns the files that were touched since a state; nil if that is not known.
func (g *Graph) touchedSince(ctx context.Context, tx pgx.Tx, serial uint64) ([]int32, error) {
	known := false
	if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM reverse_spec.step WHERE graph = $1 AND serial = $2)", g.id, int64(serial)).Scan(&known); err != nil || !known {
		return nil, err
	}
	rows, err := tx.Query(ctx, "SELECT file FROM reverse_spec.touched WHERE graph = $1 AND serial > $2 ORDER BY file", g.id, int64(serial))
	if err != nil {
		return nil, err
	}
	files, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	return append([]int32{}, files...), err
}

// writeRows writes a new file of rows: those of an old one but for some files, and the rows of these from the server; all from
// there without an old one.
func (g *Graph) writeRows(ctx context.Context, tx pgx.Tx, n *near, old *rowsReader, files []int32) (err error) {
	f, err := os.CreateTemp(filepath.Dir(n.path), filepath.Base(n.path)+".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	w := newRowsWriter(f, n.state)
	m := &merging{graph: g, tx: tx, old: old, files: files, to: w}
	err = errors.Join(m.run(ctx), w.finish(), f.Close())
	if old != nil {
		old.close() // some systems replace no file that is open
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), n.path)
}

// merging makes a file of rows from an old one and the server.
type merging struct {
	graph *Graph
	tx    pgx.Tx
	old   *rowsReader // nil for none
	files []int32     // whose rows come from the server, sorted
	to    *rowsWriter
}

func (m *merging) run(ctx context.Context) error {
	if err := m.names(ctx); err != nil {
		return err
	}
	where, args := " WHERE graph = $1", []any{m.graph.id}
	if m.old != nil {
		where, args = where+" AND file = ANY($2)", append(args, m.files)
	}
	err := m.merge(ctx, 'n', "SELECT "+nodeColumns+" FROM reverse_spec.node"+where+" ORDER BY id", args, packNode, nodeOrder)
	if err != nil {
		return err
	}
	err = m.merge(ctx, 'e', "SELECT src, type, dst, file, line, count, how FROM reverse_spec.edge"+where+" ORDER BY src, type, dst", args, packEdge, edgeOrder)
	if err != nil {
		return err
	}
	where = " WHERE graph = $1 AND words IS NOT NULL"
	if m.old != nil {
		where += " AND id = ANY($2)"
	}
	return m.merge(ctx, 't', "SELECT id, words FROM reverse_spec.file"+where+" ORDER BY id", args, packWords, wordsOrder)
}

// names writes the texts and rules. Those of the old file are known without the server.
func (m *merging) names(ctx context.Context) error {
	g := m.graph
	if m.old != nil {
		words, rules, err := m.old.names()
		if err != nil {
			return err
		}
		g.words.extend(0, words)
		g.rules.extend(0, rules)
	}
	words, err := g.loadWords(ctx, m.tx)
	if err != nil {
		return err
	}
	rules, err := g.loadRules(ctx, m.tx)
	if err != nil {
		return err
	}
	for _, word := range words {
		m.to.record('w', []byte(word))
	}
	for _, r := range rules {
		m.to.record('h', append(binary.BigEndian.AppendUint32(nil, math.Float32bits(r.confidence)), r.rule...))
	}
	return nil
}

// merge writes the records of a kind, sorted: those of the old file that are of no touched file, and those of a query.
func (m *merging) merge(ctx context.Context, kind byte, query string, args []any, pack func(to []byte, row [][]byte) []byte, order func(record []byte) (at [3]int32, file int32)) error {
	var buffer []byte
	err := each(ctx, m.tx, query, args, func(row [][]byte) error {
		buffer = pack(buffer[:0], row)
		at, _ := order(buffer)
		if err := m.keep(kind, &at, order); err != nil {
			return err
		}
		m.to.record(kind, buffer)
		return nil
	})
	if err != nil {
		return err
	}
	return m.keep(kind, nil, order)
}

// keep writes the records of the old file that come before one; nil for all that are left.
func (m *merging) keep(kind byte, before *[3]int32, order func(record []byte) (at [3]int32, file int32)) error {
	for m.old != nil {
		record, err := m.old.peek(kind)
		if record == nil || err != nil {
			return err
		}
		at, file := order(record)
		if before != nil && slices.Compare(at[:], before[:]) >= 0 {
			if at != *before {
				return nil
			}
		} else if _, touched := slices.BinarySearch(m.files, file); !touched {
			m.to.record(kind, record)
		}
		m.old.skip()
	}
	return nil
}

func packNode(to []byte, row [][]byte) []byte {
	for _, column := range row {
		to = append(binary.AppendUvarint(to, uint64(len(column))), column...)
	}
	return to
}

// unpackNode is the opposite of packNode.
func unpackNode(data []byte, row [][]byte) ([][]byte, error) {
	row = row[:0]
	for len(data) > 0 {
		n, size := binary.Uvarint(data)
		if size <= 0 || n > uint64(len(data)-size) {
			return nil, errRows
		}
		row, data = append(row, data[size:size+int(n)]), data[size+int(n):]
	}
	if len(row) != nodeWidth {
		return nil, errRows
	}
	for _, number := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10} {
		if len(row[number]) != 4 {
			return nil, errRows
		}
	}
	return row, nil
}

func nodeOrder(record []byte) (at [3]int32, file int32) { // two columns of four bytes, after their lengths
	return [3]int32{int32(binary.BigEndian.Uint32(record[1:]))}, int32(binary.BigEndian.Uint32(record[6:]))
}

func packEdge(to []byte, row [][]byte) []byte {
	for _, column := range row {
		to = append(to, column...)
	}
	return to
}

// edgeNumber returns one of the numbers of an edge.
func edgeNumber(record []byte, i int) int32 { return int32(binary.BigEndian.Uint32(record[4*i:])) }

func edgeOrder(record []byte) (at [3]int32, file int32) {
	return [3]int32{edgeNumber(record, 0), edgeNumber(record, 1), edgeNumber(record, 2)}, edgeNumber(record, 3)
}

func packWords(to []byte, row [][]byte) []byte { return append(append(to, row[0]...), row[1]...) }

func wordsOrder(record []byte) (at [3]int32, file int32) {
	file = int32(binary.BigEndian.Uint32(record))
	return [3]int32{file}, file
}

// Widths of records.
const (
	nodeWidth = 16 // columns
	edgeWidth = 28 // bytes
)

// errRows says that a file of rows is damaged.
var errRows = message.Errorf("the rows of a shared graph are damaged: remove the folder shared of REVERSE_SPEC_HOME")

// checksum is that of what was written to it.
type checksum interface {
	io.Writer
	Sum32() uint32
}

// rowsWriter writes a file of rows.
type rowsWriter struct {
	to  *bufio.Writer
	sum checksum
	err error
}

func newRowsWriter(f io.Writer, s store.State) *rowsWriter {
	w := &rowsWriter{sum: crc32.NewIEEE()}
	w.to = bufio.NewWriterSize(io.MultiWriter(f, w.sum), 1<<16)
	_, w.err = w.to.WriteString(rowsMark)
	w.record('i', []byte(s.Identity))
	w.record('s', binary.BigEndian.AppendUint64(nil, s.Serial))
	return w
}

func (w *rowsWriter) record(kind byte, data []byte) {
	var head [1 + binary.MaxVarintLen64]byte
	head[0] = kind
	n := 1 + binary.PutUvarint(head[1:], uint64(len(data)))
	if w.err == nil {
		_, w.err = w.to.Write(head[:n])
	}
	if w.err == nil {
		_, w.err = w.to.Write(data)
	}
}

func (w *rowsWriter) finish() error {
	if w.err == nil {
		w.err = w.to.Flush()
	}
	w.record('.', binary.BigEndian.AppendUint32(nil, w.sum.Sum32()))
	if w.err == nil {
		w.err = w.to.Flush()
	}
	return w.err
}

// rowsReader reads a file of rows.
type rowsReader struct {
	f        *os.File
	from     *bufio.Reader
	sum      checksum
	identity string
	serial   uint64
	kind     byte // of the next record; 0 if it was not read yet
	head     []byte
	data     []byte
}

// openRows opens a file of rows.
func openRows(path string) (r *rowsReader, err error) {
	f, err := openfile.Open(path)
	if err != nil {
		return nil, err
	}
	r = &rowsReader{f: f, from: bufio.NewReaderSize(f, 1<<16), sum: crc32.NewIEEE()}
	mark := make([]byte, len(rowsMark))
	if _, err = io.ReadFull(r.from, mark); err == nil && string(mark) != rowsMark {
		err = errRows
	}
	_, _ = r.sum.Write(mark) // a hash never fails
	var identity, serial []byte
	if err == nil {
		identity, err = r.next('i')
	}
	r.identity = string(identity)
	if err == nil {
		serial, err = r.next('s')
	}
	if err == nil && len(serial) != 8 {
		err = errRows
	}
	if err != nil {
		r.close()
		return nil, err
	}
	r.serial = binary.BigEndian.Uint64(serial)
	return r, nil
}

// wholeRows opens a file of rows that is not damaged; nil if there is none.
func wholeRows(path string) *rowsReader {
	r, err := openRows(path)
	if err != nil {
		return nil
	}
	for r.kind != '.' && err == nil {
		err = r.read()
	}
	r.close()
	if err == nil {
		r, err = openRows(path)
	}
	if err != nil {
		return nil
	}
	return r
}

func (r *rowsReader) close() { _ = r.f.Close() } // it was only read

// next returns the next record, which must be of a kind.
func (r *rowsReader) next(kind byte) ([]byte, error) {
	data, err := r.peek(kind)
	if err == nil && data == nil {
		err = errRows
	}
	data = slices.Clone(data)
	r.skip()
	return data, err
}

// maxRecord is the most bytes of a record.
const maxRecord = 256 << 20

// peek returns the next record if it is of a kind, else nil. It is valid until skip.
func (r *rowsReader) peek(kind byte) ([]byte, error) {
	if r.kind == 0 {
		if err := r.read(); err != nil {
			return nil, err
		}
	}
	if r.kind != kind {
		return nil, nil
	}
	return r.data, nil
}

func (r *rowsReader) skip() { r.kind = 0 }

// read reads a record. The last one is checked.
func (r *rowsReader) read() error {
	kind, err := r.from.ReadByte()
	if err != nil {
		return errRows
	}
	n, err := binary.ReadUvarint(r.from)
	if err != nil || n > maxRecord {
		return errRows
	}
	r.data = slices.Grow(r.data[:0], int(n))[:n]
	if _, err := io.ReadFull(r.from, r.data); err != nil {
		return errRows
	}
	least := map[byte]int{'h': 4, 'n': 10, 'e': edgeWidth, 't': 4, '.': 4}[kind]
	if len(r.data) < least || kind == '.' && binary.BigEndian.Uint32(r.data) != r.sum.Sum32() {
		return errRows
	}
	r.head = binary.AppendUvarint(append(r.head[:0], kind), n)
	_, _ = r.sum.Write(r.head) // a hash never fails
	_, _ = r.sum.Write(r.data)
	r.kind = kind
	return nil
}

// names returns the texts and rules.
func (r *rowsReader) names() (words []string, rules []weightedRule, err error) {
	err = r.all('w', func(data []byte) error {
		words = append(words, string(data))
		return nil
	})
	if err == nil {
		err = r.all('h', func(data []byte) error {
			rules = append(rules, weightedRule{string(data[4:]), math.Float32frombits(binary.BigEndian.Uint32(data))})
			return nil
		})
	}
	return words, rules, err
}

// all calls f with the next records of a kind.
func (r *rowsReader) all(kind byte, f func(data []byte) error) error {
	for {
		data, err := r.peek(kind)
		if data == nil || err != nil {
			return err
		}
		if err := f(data); err != nil {
			return err
		}
		r.skip()
	}
}

// State implements [store.Contents].
func (n *near) State(context.Context) (store.State, error) { return n.state, nil }

// open opens the file, which must be of the state.
func (n *near) open() (r *rowsReader, words lookup[string], rules lookup[weightedRule], err error) {
	if r, err = openRows(n.path); err != nil {
		return nil, nil, nil, err
	}
	if r.identity != n.state.Identity || r.serial != n.state.Serial { // another process was faster
		err = store.ErrMoved
	}
	if err == nil {
		words, rules, err = r.names()
	}
	if err != nil {
		r.close()
	}
	return r, words, rules, err
}

// All implements [store.Contents].
func (n *near) All(ctx context.Context, node func(store.Node) error, edge func(store.Edge) error) error {
	r, words, rules, err := n.open()
	if err != nil {
		return err
	}
	defer r.close()
	var row [][]byte
	err = r.all('n', func(data []byte) (err error) {
		if row, err = unpackNode(data, row); err != nil {
			return err
		}
		one, err := nodeOf(row, words)
		if err == nil {
			err = cmp.Or(ctx.Err(), node(one))
		}
		return err
	})
	if err == nil {
		err = r.all('e', func(data []byte) error {
			one, err := edgeOf(func(i int) int32 { return edgeNumber(data, i) }, words, rules)
			if err == nil {
				err = edge(one)
			}
			return err
		})
	}
	return err
}

// Words implements [store.Contents].
func (n *near) Words(_ context.Context, yield func(id store.FileID, words []byte) error) error {
	r, _, _, err := n.open()
	if err != nil {
		return err
	}
	defer r.close()
	for _, kind := range []byte("ne") {
		if err := r.all(kind, func([]byte) error { return nil }); err != nil {
			return err
		}
	}
	if err := r.all('t', func(data []byte) error { return yield(store.FileID(binary.BigEndian.Uint32(data)), data[4:]) }); err != nil {
		return err
	}
	_, err = r.next('.')
	return err
}

// edgeOf reads an edge from its numbers.
func edgeOf(number func(i int) int32, words lookup[string], rules lookup[weightedRule]) (store.Edge, error) {
	kind, err1 := words.of(number(1))
	how, err2 := rules.of(number(6))
	return store.Edge{File: store.FileID(number(3)), Edge: codegraph.Edge{
		From: codegraph.ID(number(0)), To: codegraph.ID(number(2)), Type: codegraph.Relationship(kind),
		Line: int(number(4)), Count: int(number(5)), Rule: how.rule, Confidence: how.confidence,
	}}, cmp.Or(err1, err2)
}
