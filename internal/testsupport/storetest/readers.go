package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// stage returns a graph whose nodes and edges all carry the stage, which is also their number.
func stage(n int) store.Update {
	u := store.Update{State: store.State{Schema: n}, Files: []store.File{{ID: 1, Path: "a", ParseErrors: n, Facts: fmt.Append(nil, n)}}}
	for i := range codegraph.ID(50 + n%7) {
		u.Nodes = append(u.Nodes, store.Node{File: 1, Ordinal: int(i), Node: codegraph.Node{ID: i + 1, Label: codegraph.LabelClass, StartLine: n}})
		u.Edges = append(u.Edges, store.Edge{File: 1, Edge: codegraph.Edge{From: i + 1, To: 1, Type: codegraph.Calls, Line: n}})
	}
	return u
}

// stageOf returns the stage of a graph, read in one call, and an error if its parts are of several stages.
func stageOf(ctx context.Context, g store.Graph) (int, error) {
	n, nodes, edges := -1, 0, 0
	see := func(stage int) error {
		if n == -1 {
			n = stage
		}
		if stage != n {
			return fmt.Errorf("of stage %d and %d", n, stage)
		}
		return nil
	}
	err := g.All(ctx, nil, func(x store.Node) error { nodes++; return see(x.StartLine) }, func(x store.Edge) error { edges++; return see(x.Line) })
	if err == nil && (nodes != 50+n%7 || edges != nodes) {
		err = fmt.Errorf("stage %d: %d nodes, %d edges", n, nodes, edges)
	}
	return n, err
}

// watch runs several readers until stop is called. Each reopens the graph now and then, and must never see an
// earlier stage after a later one.
func watch(t *testing.T, s store.Store, root string) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for last := 0; ctx.Err() == nil; {
				if err := readOnce(ctx, s, root, &last); err != nil && ctx.Err() == nil {
					t.Error(err)
					return
				}
			}
		})
	}
	return func() { cancel(); wg.Wait() }
}

func readOnce(ctx context.Context, s store.Store, root string, last *int) error {
	g, err := s.Open(ctx, root)
	if err != nil {
		return err
	}
	for range 5 {
		n, err := stageOf(ctx, g)
		if err == nil && n < *last {
			err = fmt.Errorf("stage %d after %d", n, *last)
		}
		if err != nil {
			return errors.Join(err, g.Close())
		}
		*last = n
	}
	return g.Close()
}

func readersDuringUpdates(t *testing.T, s store.Store) {
	root := t.TempDir()
	defer lock(t, s, root)()
	build(t, s, root, stage(0))
	defer watch(t, s, root)()
	g := open(t, s, root)
	for n := 1; n <= 60; n++ {
		u := stage(n)
		u.DropFiles = []store.FileID{1}
		check(t, g.Update(t.Context(), u))
	}
}

func readersDuringRebuilds(t *testing.T, s store.Store) {
	root := t.TempDir()
	defer lock(t, s, root)()
	build(t, s, root, stage(0))
	defer watch(t, s, root)()
	for n := 1; n <= 40; n += 2 {
		build(t, s, root, stage(n))
		g, err := s.Open(t.Context(), root)
		check(t, err)
		u := stage(n + 1)
		u.DropFiles = []store.FileID{1}
		check(t, g.Update(t.Context(), u)) // so that there is a log when the next graph replaces it
		check(t, g.Close())
	}
}
