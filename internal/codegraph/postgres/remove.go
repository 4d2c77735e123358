package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Delete removes a project by its name.
func (s *Store) Delete(ctx context.Context, name string) error {
	if err := s.delete(ctx, name); err != nil {
		return message.Errorf("delete project %s: %w", name, err)
	}
	s.collect(ctx)
	return nil
}

func (s *Store) delete(ctx context.Context, name string) error {
	projects, err := s.Origins(ctx)
	if err != nil {
		return err
	}
	for _, p := range projects {
		if p.Name == name {
			return s.deleteKey(ctx, p.Origin.Key, name)
		}
	}
	return store.ErrNone
}

// deleteKey removes a project under its lock.
func (s *Store) deleteKey(ctx context.Context, key, name string) error {
	l, err := s.lock(ctx, key, name)
	if err != nil {
		return err
	}
	err = s.write(ctx, key, func(tx pgx.Tx) error { return forget(ctx, tx, key) })
	if err == nil {
		err = s.cache.remove(key)
	}
	return errors.Join(err, l.release(ctx))
}

// forget removes a project's row; its graphs are collected.
func forget(ctx context.Context, tx pgx.Tx, key string) error {
	if _, err := tx.Exec(ctx, "DELETE FROM reverse_spec.project WHERE key = $1", textIn(key)); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "DELETE FROM reverse_spec.writer WHERE key = $1", textIn(key)); err != nil {
		return err
	}
	if err := errors.Join(forgetPublished(ctx, tx, key), forgetDocuments(ctx, tx, key)); err != nil {
		return err
	}
	return forgetLinks(ctx, tx, key)
}

// Wipe removes all projects.
func (s *Store) Wipe(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			err = message.Errorf("wipe the store: %w", err)
		}
	}()
	keys := map[string]string{} // key -> name; also of projects without a graph
	err = s.use(ctx, func(c *pgxpool.Conn) error {
		rows, err := c.Query(ctx, "SELECT key, name FROM reverse_spec.project")
		if err != nil {
			return err
		}
		var key, name string
		_, err = pgx.ForEachRow(rows, []any{&key, &name}, func() error {
			keys[textOut(key)] = textOut(name)
			return nil
		})
		return err
	})
	if err != nil {
		return err
	}
	for key, name := range keys {
		l, err2 := s.lock(ctx, key, name)
		if err2 != nil {
			return err2
		}
		defer func() { err = errors.Join(err, l.release(ctx)) }()
	}
	for key := range keys {
		err = s.write(ctx, key, func(tx pgx.Tx) error { return forget(ctx, tx, key) })
		if err == nil {
			err = s.cache.remove(key)
		}
		if err != nil {
			return err
		}
	}
	s.collect(ctx)
	return nil
}

// collect deletes the graphs that no project refers to and nobody reads. What it cannot delete is left to the next
// writer.
func (s *server) collect(ctx context.Context) {
	c, err := s.acquire(ctx)
	if err != nil {
		return
	}
	defer c.Release()
	rows, err := c.Query(ctx, "SELECT id FROM reverse_spec.graph g WHERE NOT EXISTS (SELECT 1 FROM reverse_spec.project p WHERE p.graph = g.id)")
	if err != nil {
		return
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	for _, id := range ids {
		if err == nil {
			err = transact(ctx, c.Conn(), pgx.TxOptions{}, func(tx pgx.Tx) error { return deleteGraph(ctx, tx, id) })
		}
	}
}

// deleteGraph deletes a graph unless somebody reads it.
func deleteGraph(ctx context.Context, tx pgx.Tx, id int32) error {
	free := false
	if err := tx.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1, $2)", int32(graphClass), id).Scan(&free); err != nil || !free {
		return err
	}
	for _, table := range []string{"touched", "step", "virtual_edge", "edge", "node", "file", "tally", "how", "word"} {
		if _, err := tx.Exec(ctx, "DELETE FROM reverse_spec."+table+" WHERE graph = $1", id); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, "DELETE FROM reverse_spec.graph WHERE id = $1", id)
	return err
}
