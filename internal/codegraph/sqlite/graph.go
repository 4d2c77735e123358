package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"sync"
	"time"

	"zombiezen.com/go/sqlite"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// maxConns bounds the read connections of a graph.
const maxConns = 4

// Graph is the graph in one database.
type Graph struct {
	store  *Store
	file   string
	info   os.FileInfo // of the database when it was opened
	opened store.State // at that time
	conns  chan *conn  // idle connections
	slots  chan struct{}
	done   chan struct{} // closed by Close
	close  sync.Once
}

var _ store.Graph = (*Graph)(nil)

// newGraph returns a graph whose database is opened by first.
func newGraph(s *Store, file string) *Graph {
	return &Graph{store: s, file: file, conns: make(chan *conn, maxConns), slots: make(chan struct{}, maxConns), done: make(chan struct{})}
}

// conn is a connection with a cache of the database's dictionaries, which only grow.
type conn struct {
	*sqlite.Conn
	words map[int64]string
	hows  map[int64]weightedRule
}

// weightedRule is a rule with its confidence.
type weightedRule struct {
	rule       string
	confidence float32
}

// first opens the first connection, while the gate keeps the database from being replaced.
func (g *Graph) first(ctx context.Context) error {
	info, err := g.store.dir.Stat(g.file)
	if err != nil {
		return err
	}
	g.info = info
	c, err := g.connect(ctx)
	if err != nil {
		return err
	}
	g.slots <- struct{}{}
	g.conns <- c
	return nil
}

// connect opens a connection and reads once, so that it has opened the log, too.
func (g *Graph) connect(ctx context.Context) (*conn, error) {
	c, err := g.store.reader(ctx, g.file)
	if err != nil {
		return nil, err
	}
	err = transact(ctx, c, reading, func() error {
		g.opened, err = readState(c)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, closeConn(c))
	}
	return &conn{Conn: c, words: map[int64]string{}, hows: map[int64]weightedRule{}}, nil
}

// errClosed is returned by a closed graph.
var errClosed = message.Errorf("the graph is closed")

// take returns an idle connection, or opens one if the graph is current.
func (g *Graph) take(ctx context.Context) (*conn, error) {
	select {
	case <-g.done:
		return nil, errClosed
	default:
	}
	select {
	case c := <-g.conns:
		return c, nil
	default:
	}
	select {
	case g.slots <- struct{}{}:
		c, err := g.another(ctx)
		if err == nil {
			return c, nil
		}
		<-g.slots
		if !errors.Is(err, store.ErrReplaced) {
			return nil, err
		}
	default:
	}
	select {
	case c := <-g.conns:
		return c, nil
	case <-g.done:
		return nil, errClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// another opens an additional connection.
func (g *Graph) another(ctx context.Context) (c *conn, err error) {
	err = g.store.withGate(ctx, g.file, func() error {
		if same, err := g.store.same(g.file, g.info); err != nil || !same {
			return errors.Join(err, store.ErrReplaced)
		}
		db, err := g.store.reader(ctx, g.file)
		if err != nil {
			return err
		}
		c = &conn{Conn: db, words: map[int64]string{}, hows: map[int64]weightedRule{}}
		return transact(ctx, db, reading, func() error {
			_, err := readState(db)
			return err
		})
	})
	if err != nil && c != nil {
		err = errors.Join(err, closeConn(c.Conn))
	}
	return c, err
}

// read runs f in a read transaction.
func (g *Graph) read(ctx context.Context, what string, f func(c *conn) error) error {
	c, err := g.take(ctx)
	if err == nil {
		err = transact(ctx, c.Conn, reading, func() error { return f(c) })
		g.conns <- c
	}
	if given := (store.CallbackError{}); errors.As(err, &given) {
		return given.Unwrap()
	}
	if err != nil {
		return message.Errorf("read %s of project %s: %w", what, g.opened.Project, g.store.checkDamage(ctx, g.file, g.info, err))
	}
	return nil
}

// Close waits for the readers and closes the connections.
func (g *Graph) Close() error {
	var err error
	g.close.Do(func() {
		close(g.done)
		for range maxConns {
			select {
			case g.slots <- struct{}{}: // never opened
			case c := <-g.conns:
				err = errors.Join(err, closeConn(c.Conn))
			}
		}
	})
	return err
}

// Current reports whether the file still is the opened database.
func (g *Graph) Current(ctx context.Context) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	same, err := g.store.same(g.file, g.info)
	if err != nil {
		return false, message.Errorf("look for the graph of project %s: %w", g.opened.Project, err)
	}
	return same, nil
}

// derivedSuffix is appended to the name of a database for the form derived from it.
const derivedSuffix = ".snap"

// Derived returns the path of the ".snap" file next to the database.
func (g *Graph) Derived() string { return g.store.path(g.file + derivedSuffix) }

// State returns the state of the graph.
func (g *Graph) State(ctx context.Context) (state store.State, err error) {
	err = g.read(ctx, "the state", func(c *conn) error {
		state, err = readState(c.Conn)
		return err
	})
	return state, err
}

// readState reads the state.
func readState(c *sqlite.Conn) (store.State, error) {
	var s store.State
	found := false
	err := each(c, `SELECT project, root, built_at, git_commit, version, facts_schema, next_node, next_file, serial, identity, inputs FROM state`, nil,
		func(row *sqlite.Stmt) error {
			found = true
			node, err := uint32Column(row, 6)
			if err != nil {
				return err
			}
			file, err := uint32Column(row, 7)
			s = store.State{
				Project: row.ColumnText(0), Root: row.ColumnText(1), BuiltAt: timeOf(row, 2), Commit: row.ColumnText(3),
				Version: row.ColumnText(4), Schema: int(row.ColumnInt64(5)), NextNode: codegraph.ID(node), NextFile: store.FileID(file),
				Serial: uint64(row.ColumnInt64(8)), Identity: row.ColumnText(9),
			}
			if text := row.ColumnText(10); text != "" {
				if bad := json.Unmarshal([]byte(text), &s.Inputs); bad != nil {
					err = message.Errorf("%w: inputs: %w", errContents, bad)
				}
			}
			return err
		})
	if err == nil && !found {
		err = errNoState
	}
	return s, err
}

// writeState writes the state.
func writeState(c *sqlite.Conn, s store.State) error {
	stmt, err := c.Prepare(`INSERT OR REPLACE INTO state VALUES(1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	inputs, err := encodeInputs(s.Inputs)
	if err != nil {
		return err
	}
	stmt.BindText(1, s.Project)
	stmt.BindText(2, s.Root)
	bindTime(stmt, 3, s.BuiltAt)
	stmt.BindText(4, s.Commit)
	stmt.BindText(5, s.Version)
	stmt.BindInt64(6, int64(s.Schema))
	stmt.BindInt64(7, int64(s.NextNode))
	stmt.BindInt64(8, int64(s.NextFile))
	stmt.BindInt64(9, int64(s.Serial))
	stmt.BindText(10, s.Identity)
	stmt.BindText(11, inputs)
	return exec(stmt)
}

// encodeInputs encodes inputs as JSON; none is "".
func encodeInputs(inputs []store.Input) (string, error) {
	if len(inputs) == 0 {
		return "", nil
	}
	text, err := json.Marshal(inputs)
	return string(text), err
}

// bindTime binds a time as nanoseconds since 1970, NULL for the zero time.
func bindTime(stmt *sqlite.Stmt, param int, t time.Time) {
	if t.IsZero() {
		stmt.BindNull(param)
		return
	}
	stmt.BindInt64(param, t.UnixNano())
}

// timeOf reads a time written by bindTime.
func timeOf(row *sqlite.Stmt, col int) time.Time {
	if row.ColumnIsNull(col) {
		return time.Time{}
	}
	return time.Unix(0, row.ColumnInt64(col)).UTC()
}
