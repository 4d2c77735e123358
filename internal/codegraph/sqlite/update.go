package sqlite

import (
	"context"
	"errors"

	"zombiezen.com/go/sqlite"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Update applies an update in one transaction.
func (g *Graph) Update(ctx context.Context, u store.Update) error {
	err := g.change(ctx, func(c *sqlite.Conn) error {
		before, err := readState(c)
		if err != nil {
			return err
		}
		w, err := newWriter(c, false)
		if err != nil {
			return err
		}
		if err := w.dropAll(&u); err != nil {
			return err
		}
		if err := w.add(&u); err != nil {
			return err
		}
		for _, label := range u.Prune {
			if err := w.prune(label); err != nil {
				return err
			}
		}
		s := u.State
		s.Project, s.Root, s.Identity, s.Serial = before.Project, before.Root, before.Identity, before.Serial+1
		if u.Touch {
			s.Serial = before.Serial
		} else if err := w.writeTouched(s.Serial); err != nil {
			return err
		}
		return errors.Join(w.finish(), writeState(c, s))
	})
	if err != nil {
		return message.Errorf("update project %s: %w", g.opened.Project, g.store.checkDamage(ctx, g.file, g.info, err))
	}
	return nil
}

// change runs f in a write transaction.
//
// Its connection lives no longer than the call: when another graph is built, no writable connection to the old one
// may be open; see connect.
func (g *Graph) change(ctx context.Context, f func(c *sqlite.Conn) error) error {
	if !g.store.holds(g.file) {
		return store.ErrNotLocked
	}
	if same, err := g.store.same(g.file, g.info); err != nil || !same {
		return errors.Join(err, store.ErrReplaced)
	}
	c, err := connect(ctx, g.store.path(g.file), true)
	if err != nil {
		return err
	}
	err = transact(ctx, c, writing, func() error { return f(c) })
	if err == nil {
		// Checkpoint, so that the database is complete without its log for readers in a folder that they cannot
		// write. If there are readers right now, the log stays and is used.
		c.SetBusyTimeout(0)
		_ = run(c, "PRAGMA wal_checkpoint(TRUNCATE)")
	}
	return errors.Join(err, closeConn(c))
}

// dropAll applies the Drop fields of an update.
func (w *writer) dropAll(u *store.Update) error {
	for _, id := range u.DropFiles {
		if err := w.dropFile(id); err != nil {
			return message.Errorf("drop file %d: %w", id, err)
		}
	}
	for _, id := range u.DropNodes {
		if err := w.dropNode(id); err != nil {
			return message.Errorf("drop node %d: %w", id, err)
		}
	}
	for _, id := range u.DropEdges {
		if err := w.dropEdges(id); err != nil {
			return message.Errorf("drop the edges of file %d: %w", id, err)
		}
	}
	return nil
}

func (w *writer) dropFile(id store.FileID) error {
	var nodes []codegraph.ID
	err := each(w.c, "SELECT id FROM node WHERE file = ?", []int64{int64(id)}, func(row *sqlite.Stmt) error {
		n, err := uint32Column(row, 0)
		nodes = append(nodes, codegraph.ID(n))
		return err
	})
	if err != nil {
		return err
	}
	for _, n := range nodes {
		if err := w.dropNode(n); err != nil {
			return err
		}
	}
	if err := w.dropEdges(id); err != nil {
		return err
	}
	w.touched[int64(id)] = true
	for _, table := range []string{"unresolved WHERE file", "facts WHERE file", "lookups WHERE file", "words WHERE file", "file WHERE id"} {
		if err := w.run("DELETE FROM "+table+" = ?", int64(id)); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) dropNode(id codegraph.ID) error {
	return errors.Join(
		w.uncount(tallyEdges, "DELETE FROM edge WHERE src = ? RETURNING type, file", int64(id)),
		w.uncount(tallyEdges, "DELETE FROM edge WHERE dst = ? RETURNING type, file", int64(id)),
		w.uncount(tallyNodes, "DELETE FROM node WHERE id = ? RETURNING label, file", int64(id)))
}

// prune drops the nodes of no file that have a label and to which no edge leads.
func (w *writer) prune(label codegraph.Label) error {
	word, err := w.word(string(label))
	if err != nil {
		return err
	}
	var ids []codegraph.ID
	const orphans = "SELECT id FROM node WHERE file = 0 AND label = ? AND NOT EXISTS (SELECT 1 FROM edge WHERE dst = node.id)"
	err = each(w.c, orphans, []int64{word}, func(row *sqlite.Stmt) error {
		n, err := uint32Column(row, 0)
		ids = append(ids, codegraph.ID(n))
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := w.dropNode(id); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) dropEdges(file store.FileID) error {
	return w.uncount(tallyEdges, "DELETE FROM edge WHERE file = ? RETURNING type, file", int64(file))
}
