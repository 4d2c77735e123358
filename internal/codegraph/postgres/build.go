package postgres

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Builder fills a new graph in one transaction, on the connection that holds the project's lock.
type Builder struct {
	store   *Store
	lock    *lock
	project string
	graph   int32
	tx      pgx.Tx // nil after Commit, Discard or the end of the lock
	w       *writer
	done    bool // after Commit or Discard
	failed  error
}

var _ store.Builder = (*Builder)(nil)

// errDone is returned by a builder after Commit or Discard.
var errDone = message.Errorf("the graph has been built or discarded")

// Build starts a new graph for the project in a folder.
func (s *Store) Build(ctx context.Context, root string) (store.Builder, error) {
	key, base, err := s.key(root)
	if err != nil {
		return nil, err
	}
	b, err := s.build(ctx, key, base)
	if err != nil {
		return nil, message.Errorf("build a graph of %s: %w", key, err)
	}
	return b, nil
}

func (s *Store) build(ctx context.Context, key, base string) (*Builder, error) {
	l, err := s.holds(key)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.conn == nil:
		return nil, store.ErrNotLocked
	case l.building != nil:
		return nil, errBuilding
	}
	name, err := s.reserve(ctx, l.conn, key, base)
	if err != nil {
		return nil, s.fault(ctx, err)
	}
	tx, err := l.conn.Begin(ctx)
	if err != nil {
		return nil, s.fault(ctx, err)
	}
	b := &Builder{store: s, lock: l, project: name, tx: tx}
	const insert = `INSERT INTO reverse_spec.graph(key, project, git_commit, program, facts_schema, next_node, next_file, serial, identity, inputs)
		VALUES($1, $2, '', '', 0, 0, 0, 1, $3, '') RETURNING id`
	if err := tx.QueryRow(ctx, insert, textIn(key), textIn(name), rand.Text()).Scan(&b.graph); err != nil {
		return nil, s.fault(ctx, finish(ctx, tx, err))
	}
	b.w = newWriter(tx, b.graph)
	l.building = b
	return b, nil
}

// reserve gives a key its name, which it keeps until it is deleted.
func (s *server) reserve(ctx context.Context, c *pgx.Conn, key, base string) (name string, err error) {
	err = transact(ctx, c, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "LOCK TABLE reverse_spec.project IN SHARE ROW EXCLUSIVE MODE"); err != nil {
			return err
		}
		had := false
		if name, had, err = nameOf(ctx, tx, key, base); err != nil || had {
			return err
		}
		_, err := tx.Exec(ctx, "INSERT INTO reverse_spec.project(key, name) VALUES($1, $2)", textIn(key), textIn(name))
		return err
	})
	return name, err
}

// Add inserts files, nodes and edges.
func (b *Builder) Add(ctx context.Context, u store.Update) error {
	err := b.within(func() error { return b.w.add(ctx, &u) })
	if err != nil {
		return message.Errorf("build project %s: %w", b.project, b.store.fault(ctx, err))
	}
	return nil
}

// within runs f while the lock is not released.
func (b *Builder) within(f func() error) error {
	b.lock.mu.Lock()
	defer b.lock.mu.Unlock()
	switch {
	case b.done:
		return errDone
	case b.tx == nil:
		return store.ErrNotLocked
	case b.failed != nil:
		return b.failed
	}
	b.failed = f()
	return b.failed
}

// Commit makes the new graph the current one of the project.
func (b *Builder) Commit(ctx context.Context, s store.State) error {
	var old int32
	err := b.within(func() error {
		err := b.finish(ctx, s, &old)
		if err == nil {
			err = ctx.Err()
		}
		err = finish(ctx, b.tx, err)
		b.end()
		return err
	})
	b.done = b.done || err == nil
	if err != nil {
		return message.Errorf("build project %s: %w", b.project, errors.Join(b.store.fault(ctx, err), b.discard(ctx)))
	}
	b.store.collect(ctx)
	return nil
}

// finish writes what is left, and refers the project to the new graph.
func (b *Builder) finish(ctx context.Context, s store.State, old *int32) error {
	if err := b.lock.verify(ctx, b.tx); err != nil {
		return err
	}
	if err := b.w.finish(ctx); err != nil {
		return err
	}
	s.Serial = 1
	if err := b.w.step(ctx, s.Serial); err != nil {
		return err
	}
	if err := writeState(ctx, b.tx, b.graph, s); err != nil {
		return err
	}
	key := textIn(b.lock.key)
	var before *int32
	err := b.tx.QueryRow(ctx, "SELECT graph FROM reverse_spec.project WHERE key = $1 FOR UPDATE", key).Scan(&before)
	if err != nil {
		return err
	}
	if before != nil {
		*old = *before
		if err := copyVirtual(ctx, b.tx, *old, b.graph); err != nil {
			return err
		}
	}
	if _, err := b.tx.Exec(ctx, "UPDATE reverse_spec.project SET graph = $2 WHERE key = $1", key, b.graph); err != nil {
		return err
	}
	return b.lock.record(ctx, b.tx)
}

// end notes that the transaction has ended.
func (b *Builder) end() {
	b.tx, b.lock.building = nil, nil
}

// abandon rolls the transaction back, since the lock is released.
func (b *Builder) abandon(ctx context.Context) {
	ctx, cancel := brief(ctx)
	defer cancel()
	_ = b.tx.Rollback(ctx) // or else the end of the connection does
	b.end()
}

// Discard rolls the new graph back. It does nothing after Commit.
func (b *Builder) Discard() error { return b.discard(context.Background()) }

func (b *Builder) discard(ctx context.Context) error {
	b.lock.mu.Lock()
	defer b.lock.mu.Unlock()
	b.done = true
	if b.tx != nil {
		b.abandon(ctx)
	}
	return nil
}
