package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Graph is one graph of a project.
type Graph struct {
	server  *server
	key     string
	project string
	id      int32
	close   sync.Once

	mu     sync.Mutex
	closed bool
	words  dictionary[string]
	rules  dictionary[weightedRule]
}

var _ store.Graph = (*Graph)(nil)

// weightedRule is a rule with its confidence.
type weightedRule struct {
	rule       string
	confidence float32
}

// Open opens the graph of the project in a folder.
func (s *Store) Open(ctx context.Context, root string) (store.Graph, error) {
	key, _, err := s.key(root)
	if err != nil {
		return nil, err
	}
	g, err := s.open(ctx, key)
	if err != nil {
		return nil, message.Errorf("open graph of %s: %w", key, err)
	}
	return g, nil
}

// open opens the current graph of a key. It may be replaced, and deleted, before it is held: then the next one is opened.
func (s *Store) open(ctx context.Context, key string) (*Graph, error) {
	for {
		id, name, err := s.current(ctx, key)
		if err == nil && id == 0 {
			err = store.ErrNone
		}
		if err != nil {
			return nil, err
		}
		if err := s.readers.hold(ctx, id); err != nil {
			return nil, err
		}
		again, _, err := s.current(ctx, key)
		if err == nil && again == id {
			s.cache.touch(key)
			s.cache.trim()
			return &Graph{server: s.server, key: key, project: name, id: id}, nil
		}
		s.readers.drop(ctx, id)
		if err != nil {
			return nil, err
		}
	}
}

// current returns the current graph of a key, 0 for none, and the project's name.
func (s *server) current(ctx context.Context, key string) (id int32, name string, err error) {
	c, err := s.acquire(ctx)
	if err != nil {
		return 0, "", err
	}
	defer c.Release()
	err = c.QueryRow(ctx, "SELECT graph, name FROM reverse_spec.project WHERE key = $1 AND graph IS NOT NULL", textIn(key)).Scan(&id, &name)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, "", nil
	}
	return id, textOut(name), s.fault(ctx, err)
}

// Close closes the graph.
func (g *Graph) Close() error {
	g.close.Do(func() {
		g.mu.Lock()
		g.closed = true
		g.mu.Unlock()
		g.server.readers.drop(context.Background(), g.id)
	})
	return nil
}

// Current reports whether the graph is the current one of its project.
func (g *Graph) Current(ctx context.Context) (bool, error) {
	id, _, err := g.server.current(ctx, g.key)
	if err != nil {
		return false, message.Errorf("look for the graph of project %s: %w", g.project, err)
	}
	return id == g.id, nil
}

// Derived returns the path of a file in the cache; "" if there is no cache.
func (g *Graph) Derived() string { return g.server.cache.path(g.key) }

// errClosed is returned by a closed graph.
var errClosed = message.Errorf("the graph is closed")

// read runs f in a transaction that sees one state.
func (g *Graph) read(ctx context.Context, what string, f func(tx pgx.Tx) error) error {
	g.mu.Lock()
	closed := g.closed
	g.mu.Unlock()
	if closed {
		return errClosed
	}
	err := g.transact(ctx, f)
	if given := (store.CallbackError{}); errors.As(err, &given) {
		return given.Unwrap()
	}
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	if isDamage(err) {
		if id, _, err2 := g.server.current(ctx, g.key); err2 == nil && id != g.id { // deleted while the connection was lost
			err = store.ErrReplaced
		}
	}
	return message.Errorf("read %s of project %s: %w", what, g.project, g.server.fault(ctx, err))
}

func (g *Graph) transact(ctx context.Context, f func(tx pgx.Tx) error) error {
	c, err := g.server.acquire(ctx)
	if err != nil {
		return err
	}
	defer c.Release()
	return transact(ctx, c.Conn(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, f)
}

// State returns the state of the graph.
func (g *Graph) State(ctx context.Context) (state store.State, err error) {
	err = g.read(ctx, "the state", func(tx pgx.Tx) error {
		state, err = readState(ctx, tx, g.id)
		return err
	})
	return state, err
}

func readState(ctx context.Context, q querier, graph int32) (s store.State, err error) {
	const query = `SELECT project, key, built_at, git_commit, program, facts_schema, next_node, next_file, serial, identity, inputs
		FROM reverse_spec.graph WHERE id = $1`
	var built *int64
	var schema, node, file, serial int64
	var inputs string
	err = q.QueryRow(ctx, query, graph).Scan(&s.Project, &s.Root, &built, &s.Commit, &s.Version, &schema, &node, &file, &serial, &s.Identity, &inputs)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, errNoState
	}
	if err != nil {
		return s, err
	}
	if node < 0 || node > math.MaxUint32 || file < 0 || file > math.MaxUint32 {
		return s, errContents
	}
	s.Project, s.Root, s.Version, s.Commit = textOut(s.Project), textOut(s.Root), textOut(s.Version), textOut(s.Commit)
	s.BuiltAt, s.Schema, s.Serial = timeOut(built), int(schema), uint64(serial)
	s.NextNode, s.NextFile = codegraph.ID(node), store.FileID(file)
	if inputs != "" {
		if bad := json.Unmarshal([]byte(textOut(inputs)), &s.Inputs); bad != nil {
			return s, message.Errorf("%w: inputs: %w", errContents, bad)
		}
	}
	return s, nil
}

// writeState writes the state of a graph. Its project, key, serial and identity are there.
func writeState(ctx context.Context, tx pgx.Tx, graph int32, s store.State) error {
	inputs, err := encodeInputs(s.Inputs)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE reverse_spec.graph SET built_at = $2, git_commit = $3, program = $4, facts_schema = $5, next_node = $6,
		next_file = $7, serial = $8, inputs = $9 WHERE id = $1`,
		graph, timeIn(s.BuiltAt), textIn(s.Commit), textIn(s.Version), s.Schema, int64(s.NextNode), int64(s.NextFile), int64(s.Serial), textIn(inputs))
	return err
}

// encodeInputs encodes inputs as JSON; none is "".
func encodeInputs(inputs []store.Input) (string, error) {
	if len(inputs) == 0 {
		return "", nil
	}
	text, err := json.Marshal(inputs)
	return string(text), err
}
