package sqlite

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"

	"zombiezen.com/go/sqlite"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// writer writes to a database within the caller's transaction.
type writer struct {
	c       *sqlite.Conn
	fresh   bool // the database was empty: inserts replace nothing
	words   map[string]int64
	hows    map[weightedRule]int64
	tallies map[tally]int64 // changes of the counts
	touched map[int64]bool  // files whose nodes, edges or words changed
	node    *sqlite.Stmt
	edge    *sqlite.Stmt
	edges   *sqlite.Stmt // of manyEdges edges
	// The words of the fields of the previous node, and of the type of the previous edge; its rule.
	last [5]numbered[string]
	kind numbered[string]
	how  numbered[weightedRule]
}

// numbered is a value that was given a number; many that follow it are the same.
type numbered[T comparable] struct {
	value T
	id    int64
}

// of returns the number of a value, which find finds.
func (n *numbered[T]) of(value T, find func(T) (int64, error)) (int64, error) {
	if value == n.value {
		return n.id, nil
	}
	id, err := find(value)
	if err == nil {
		n.value, n.id = value, id
	}
	return id, err
}

// manyEdges is how many edges one statement adds: a statement costs as much as adding some.
const manyEdges = 16

// tally is a key of counts: a kind, such as nodes, and a word.
type tally struct{ kind, word int64 }

// newWriter returns a writer.
func newWriter(c *sqlite.Conn, fresh bool) (*writer, error) {
	w := &writer{c: c, fresh: fresh, words: map[string]int64{"": 0}, hows: map[weightedRule]int64{{}: 0}, tallies: map[tally]int64{}, touched: map[int64]bool{}}
	var err1, err2, err3 error
	w.node, err1 = c.Prepare("INSERT INTO node(" + nodeColumns + ") VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
	w.edge, err2 = c.Prepare("INSERT INTO edge VALUES(?, ?, ?, ?, ?, ?, ?)")
	w.edges, err3 = c.Prepare("INSERT INTO edge VALUES" + strings.Repeat(", (?, ?, ?, ?, ?, ?, ?)", manyEdges)[1:])
	if err := errors.Join(err1, err2, err3); err != nil || fresh {
		return w, err
	}
	return w, each(c, "SELECT rule, confidence, id FROM how", nil, func(row *sqlite.Stmt) error {
		w.hows[weightedRule{row.ColumnText(0), float32(row.ColumnFloat(1))}] = row.ColumnInt64(2)
		return nil
	})
}

// word returns the number of a text, adding it if needed.
func (w *writer) word(text string) (int64, error) {
	if id, known := w.words[text]; known {
		return id, nil
	}
	id := int64(0)
	if !w.fresh {
		find, err := w.c.Prepare("SELECT id FROM word WHERE text = ?")
		if err != nil {
			return 0, err
		}
		find.BindText(1, text)
		if more, err := find.Step(); err != nil {
			return 0, err
		} else if more {
			id = find.ColumnInt64(0)
		}
		if err := reset(find, nil); err != nil {
			return 0, err
		}
	}
	if id == 0 {
		add, err := w.c.Prepare("INSERT INTO word(text) VALUES(?)")
		if err != nil {
			return 0, err
		}
		add.BindText(1, text)
		if err := exec(add); err != nil {
			return 0, err
		}
		id = w.c.LastInsertRowID()
	}
	w.words[text] = id
	return id, nil
}

// rule returns the number of a rule with its confidence, adding it if needed.
func (w *writer) rule(h weightedRule) (int64, error) {
	if id, known := w.hows[h]; known {
		return id, nil
	}
	add, err := w.c.Prepare("INSERT INTO how(rule, confidence) VALUES(?, ?)")
	if err != nil {
		return 0, err
	}
	add.BindText(1, h.rule)
	add.BindFloat(2, float64(h.confidence))
	if err := exec(add); err != nil {
		return 0, err
	}
	w.hows[h] = w.c.LastInsertRowID()
	return w.hows[h], nil
}

// add inserts files, nodes and edges.
func (w *writer) add(u *store.Update) error {
	for i := range u.Files {
		if err := w.addFile(&u.Files[i]); err != nil {
			return message.Errorf("file %s: %w", u.Files[i].Path, err)
		}
	}
	for i := range u.Nodes {
		if err := w.addNode(&u.Nodes[i]); err != nil {
			return message.Errorf("node %d %s: %w", u.Nodes[i].ID, u.Nodes[i].QualifiedName, err)
		}
	}
	for edges := range slices.Chunk(u.Edges, manyEdges) {
		if err := w.addEdges(edges); err != nil {
			return err
		}
	}
	return nil
}

// addEdges adds at most manyEdges edges.
func (w *writer) addEdges(edges []store.Edge) error {
	many := len(edges) == manyEdges
	for i := range edges {
		e := &edges[i]
		s, first := w.edge, 0
		if many {
			s, first = w.edges, i*edgeColumns
		}
		err := w.bindEdge(s, first, e)
		if err == nil && !many {
			err = exec(s)
		}
		if err != nil {
			return message.Errorf("edge %d %s %d: %w", e.From, e.Type, e.To, err)
		}
	}
	if many {
		if err := exec(w.edges); err != nil {
			return message.Errorf("edges from %d to %d: %w", edges[0].From, edges[manyEdges-1].From, err)
		}
	}
	return nil
}

// Errors of rows that cannot be stored.
var (
	errNoID    = message.Errorf("0 is no id")
	errTooLate = message.Errorf("a time that is not within 292 years of 1970")
)

func (w *writer) addFile(f *store.File) error {
	if f.ID == 0 {
		return errNoID
	}
	if y := f.ModTime.Year(); !f.ModTime.IsZero() && (y < 1678 || y > 2261) {
		return errTooLate
	}
	language, err := w.word(f.Language)
	if err != nil {
		return err
	}
	insert := "INSERT INTO file VALUES(?, ?, ?, ?, ?, ?, ?, ?)"
	if !w.fresh {
		insert = "INSERT OR REPLACE INTO file VALUES(?, ?, ?, ?, ?, ?, ?, ?)"
		if err := w.run("DELETE FROM unresolved WHERE file = ?", int64(f.ID)); err != nil {
			return err
		}
	}
	stmt, err := w.c.Prepare(insert)
	if err != nil {
		return err
	}
	stmt.BindInt64(1, int64(f.ID))
	stmt.BindText(2, f.Path)
	stmt.BindInt64(3, language)
	stmt.BindInt64(4, f.Size)
	bindTime(stmt, 5, f.ModTime)
	bindHash(stmt, 6, f.Hash)
	stmt.BindInt64(7, int64(f.ParseErrors))
	stmt.BindInt64(8, int64(f.Stamp))
	if err := exec(stmt); err != nil {
		return err
	}
	for reason, n := range f.Unresolved {
		word, err := w.word(reason)
		if err != nil {
			return err
		}
		if err := w.run("INSERT INTO unresolved VALUES(?, ?, ?)", int64(f.ID), word, int64(n)); err != nil {
			return err
		}
	}
	if f.Words != nil {
		w.touched[int64(f.ID)] = true
	}
	return errors.Join(
		w.addBlob("INSERT OR REPLACE INTO facts VALUES(?, ?)", f.ID, f.Facts),
		w.addBlob("INSERT OR REPLACE INTO lookups VALUES(?, ?)", f.ID, f.Lookups),
		w.addBlob("INSERT OR REPLACE INTO words VALUES(?, ?)", f.ID, f.Words))
}

// bindHash binds a hash; a hex hash of our own form is stored as bytes.
func bindHash(stmt *sqlite.Stmt, param int, hash string) {
	if sum, err := hex.DecodeString(hash); err == nil && hex.EncodeToString(sum) == hash && hash != "" {
		stmt.BindBytes(param, sum)
		return
	}
	stmt.BindText(param, hash)
}

// addBlob stores bytes of a file unless they are nil.
func (w *writer) addBlob(insert string, file store.FileID, data []byte) error {
	if data == nil {
		return nil
	}
	stmt, err := w.c.Prepare(insert)
	if err != nil {
		return err
	}
	stmt.BindInt64(1, int64(file))
	if len(data) == 0 {
		stmt.BindZeroBlob(2, 0) // not NULL
	} else {
		stmt.BindBytes(2, data)
	}
	return exec(stmt)
}

func (w *writer) addNode(n *store.Node) error {
	if n.ID == 0 {
		return errNoID
	}
	if !w.fresh {
		if err := w.uncount(tallyNodes, "DELETE FROM node WHERE id = ? RETURNING label, file", int64(n.ID)); err != nil {
			return err
		}
	}
	words := [5]int64{}
	for i, text := range [5]string{string(n.Label), n.Kind, n.Path, n.Language, n.Version} {
		var err error
		if words[i], err = w.last[i].of(text, w.word); err != nil {
			return err
		}
	}
	decorators := ""
	if len(n.Decorators) > 0 {
		text, err := json.Marshal(n.Decorators)
		if err != nil {
			return err
		}
		decorators = string(text)
	}
	flags := int64(0)
	if n.Exported {
		flags |= flagExported
	}
	if n.Test {
		flags |= flagTest
	}
	s := w.node
	for i, value := range [...]int64{int64(n.ID), int64(n.File), int64(n.Ordinal), words[0], words[1]} {
		s.BindInt64(i+1, value)
	}
	s.BindText(6, n.QualifiedName)
	s.BindText(7, n.Name)
	for i, value := range [...]int64{words[2], int64(n.StartLine), int64(n.EndLine), flags, words[3], words[4]} {
		s.BindInt64(i+8, value)
	}
	s.BindText(14, n.Signature)
	s.BindText(15, n.Doc)
	s.BindText(16, decorators)
	w.tallies[tally{tallyNodes, words[0]}]++
	w.touched[int64(n.File)] = true
	return exec(s)
}

// edgeColumns is the number of columns of an edge.
const edgeColumns = 7

// bindEdge binds an edge to the parameters after some first ones.
func (w *writer) bindEdge(s *sqlite.Stmt, first int, e *store.Edge) error {
	if e.From == 0 || e.To == 0 {
		return errNoID
	}
	if c := float64(e.Confidence); math.IsNaN(c) || math.IsInf(c, 0) {
		return message.Errorf("confidence %v", c)
	}
	kind, err := w.kind.of(string(e.Type), w.word)
	if err != nil {
		return err
	}
	how, err := w.how.of(weightedRule{e.Rule, e.Confidence}, w.rule)
	if err != nil {
		return err
	}
	for i, value := range [edgeColumns]int64{int64(e.From), kind, int64(e.To), int64(e.File), int64(e.Line), int64(e.Count), how} {
		s.BindInt64(first+i+1, value)
	}
	w.tallies[tally{tallyEdges, kind}]++
	w.touched[int64(e.File)] = true
	return nil
}

// run runs a statement with numeric parameters.
func (w *writer) run(statement string, args ...int64) error {
	return each(w.c, statement, args, func(*sqlite.Stmt) error { return nil })
}

// uncount runs a statement that deletes rows and returns the words they are counted under, and their files.
func (w *writer) uncount(kind int64, statement string, id int64) error {
	return each(w.c, statement, []int64{id}, func(row *sqlite.Stmt) error {
		w.tallies[tally{kind, row.ColumnInt64(0)}]--
		w.touched[row.ColumnInt64(1)] = true
		return nil
	})
}

// writeTouched writes down which files an update touched.
func (w *writer) writeTouched(serial uint64) error {
	for file := range w.touched {
		if err := w.run("INSERT OR REPLACE INTO touched VALUES(?, ?)", file, int64(serial)); err != nil {
			return err
		}
	}
	return nil
}

// finish writes the counts.
func (w *writer) finish() error {
	for t, n := range w.tallies {
		if err := w.run("INSERT INTO tally VALUES(?1, ?2, ?3) ON CONFLICT DO UPDATE SET n = n + ?3", t.kind, t.word, n); err != nil {
			return err
		}
	}
	return w.run("DELETE FROM tally WHERE n = 0")
}
