package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// small returns a graph of n files, all of whose nodes and edges carry the stage as their line.
func small(stage, n int) store.Update {
	u := store.Update{State: store.State{Commit: fmt.Sprint(stage), Schema: 1}}
	for i := range n {
		file, node := store.FileID(i+1), codegraph.ID(i+1)
		u.Files = append(u.Files, store.File{ID: file, Path: fmt.Sprintf("f%d.go", i), Language: "go", ParseErrors: stage, Facts: fmt.Append(nil, stage)})
		u.Nodes = append(u.Nodes, store.Node{File: file, Node: codegraph.Node{ID: node, Label: codegraph.LabelFunction, Name: "f", Language: "go", StartLine: stage, Decorators: []string{"d"}}})
		u.Edges = append(u.Edges, store.Edge{File: file, Edge: codegraph.Edge{From: node, To: 1, Type: codegraph.Calls, Line: stage, Rule: "import", Confidence: 1}})
	}
	return u
}

// buildSmall builds a graph in a stage.
func buildSmall(t *testing.T, s store.Store, root string, stage int) {
	t.Helper()
	release, err := s.Lock(t.Context(), root)
	check(t, err)
	check(t, build(t.Context(), s, root, small(stage, 20)), release())
}

func build(ctx context.Context, s store.Store, root string, u store.Update) error {
	b, err := s.Build(ctx, root)
	if err != nil {
		return err
	}
	if err := b.Add(ctx, u); err != nil {
		return errors.Join(err, b.Discard())
	}
	return b.Commit(ctx, u.State)
}

// readAll reads everything of a graph.
func readAll(ctx context.Context, g store.Graph) error {
	_, err := stageOf(ctx, g)
	return err
}

// stageOf returns the stage of a graph, and an error if its parts are of several stages.
func stageOf(ctx context.Context, g store.Graph) (int, error) {
	stage := -1
	see := func(n int) error {
		if stage == -1 {
			stage = n
		}
		if n != stage {
			return fmt.Errorf("of stage %d and %d", stage, n)
		}
		return nil
	}
	_, err1 := g.State(ctx)
	_, err2 := g.Counts(ctx)
	_, err3 := g.Files(ctx)
	nodes, edges := 0, 0
	err4 := g.All(ctx, nil, func(n store.Node) error { nodes++; return see(n.StartLine) }, func(e store.Edge) error { edges++; return see(e.Line) })
	err := errors.Join(err1, err2, err3, err4)
	if err == nil && (nodes == 0 || nodes != edges) {
		err = fmt.Errorf("%d nodes, %d edges", nodes, edges)
	}
	return stage, err
}
