package postgres

import (
	"context"
	"errors"
	"math"

	"github.com/jackc/pgx/v5"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Update applies an update in one transaction.
func (g *Graph) Update(ctx context.Context, u store.Update) error {
	err := g.change(ctx, func(tx pgx.Tx) error {
		before, err := readState(ctx, tx, g.id)
		if err != nil {
			return err
		}
		w, err := g.writer(ctx, tx)
		if err != nil {
			return err
		}
		if err := w.dropAll(ctx, &u); err != nil {
			return err
		}
		if err := w.add(ctx, &u); err != nil {
			return err
		}
		for _, label := range u.Prune {
			if err := w.prune(ctx, label); err != nil {
				return err
			}
		}
		if err := w.finish(ctx); err != nil {
			return err
		}
		s := u.State
		s.Serial = g.server.serialAfter(before.Serial)
		if u.Touch {
			s.Serial = before.Serial
		} else if err := w.step(ctx, s.Serial); err != nil {
			return err
		}
		return writeState(ctx, tx, g.id, s)
	})
	if err != nil {
		return message.Errorf("update project %s: %w", g.project, err)
	}
	return nil
}

// serialAfter returns a serial after another. It has the time in it: when a replica takes over that has missed updates, or a backup is
// restored, the next update gets another serial than those that readers have seen.
func (s *server) serialAfter(serial uint64) uint64 {
	return max(serial+1, uint64(s.now().UnixMicro()))
}

// change runs f in a transaction under the project's lock. The graph must be the current one.
func (g *Graph) change(ctx context.Context, f func(tx pgx.Tx) error) error {
	return g.server.write(ctx, g.key, func(tx pgx.Tx) error {
		var id int32
		err := tx.QueryRow(ctx, "SELECT graph FROM reverse_spec.project WHERE key = $1 AND graph IS NOT NULL FOR UPDATE", textIn(g.key)).Scan(&id)
		if err == nil && id != g.id || errors.Is(err, pgx.ErrNoRows) {
			return store.ErrReplaced
		}
		if err != nil {
			return err
		}
		return f(tx)
	})
}

// fits returns the ids that a column can hold: there is nothing under others.
func fits[T ~uint32](ids []T) []int32 {
	out := make([]int32, 0, len(ids))
	for _, id := range ids {
		if id <= math.MaxInt32 {
			out = append(out, int32(id))
		}
	}
	return out
}

// dropAll applies the Drop fields of an update.
func (w *writer) dropAll(ctx context.Context, u *store.Update) error {
	files := fits(u.DropFiles)
	if len(files) > 0 {
		nodes, err := w.nodesOf(ctx, files)
		if err != nil {
			return err
		}
		if err := errors.Join(w.dropNodes(ctx, nodes), w.uncountEdges(ctx, "file = ANY($2)", files)); err != nil {
			return err
		}
		if _, err := w.tx.Exec(ctx, "DELETE FROM reverse_spec.file WHERE graph = $1 AND id = ANY($2)", w.graph, files); err != nil {
			return err
		}
		for _, file := range files {
			w.touched[file] = true
		}
	}
	if err := w.dropNodes(ctx, fits(u.DropNodes)); err != nil {
		return err
	}
	return w.uncountEdges(ctx, "file = ANY($2)", fits(u.DropEdges))
}

// nodesOf returns the ids of the nodes of files.
func (w *writer) nodesOf(ctx context.Context, files []int32) ([]int32, error) {
	rows, err := w.tx.Query(ctx, "SELECT id FROM reverse_spec.node WHERE graph = $1 AND file = ANY($2)", w.graph, files)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int32])
}

// dropNodes deletes nodes with all edges at them.
func (w *writer) dropNodes(ctx context.Context, ids []int32) error {
	if err := w.uncountEdges(ctx, "src = ANY($2)", ids); err != nil {
		return err
	}
	if err := w.uncountEdges(ctx, "dst = ANY($2)", ids); err != nil {
		return err
	}
	return w.uncountNodes(ctx, "id = ANY($2)", ids)
}

// prune drops the nodes of no file that have a label and to which no edge leads.
func (w *writer) prune(ctx context.Context, label codegraph.Label) error {
	const query = `SELECT id FROM reverse_spec.node n WHERE graph = $1 AND file = 0 AND label = $2
		AND NOT EXISTS (SELECT 1 FROM reverse_spec.edge e WHERE e.graph = $1 AND e.dst = n.id)`
	rows, err := w.tx.Query(ctx, query, w.graph, w.words.number(string(label)))
	if err != nil {
		return err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	if err != nil {
		return err
	}
	return w.dropNodes(ctx, ids)
}
