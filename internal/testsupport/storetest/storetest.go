// Package storetest is a test suite for implementations of [store.Store]. It checks what the comments of package
// store promise.
package storetest

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// Run tests a store. The function open opens an empty one for one test, which closes it.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, s store.Store)
	}{
		{"AnEmptyStore", anEmptyStore},
		{"WhatIsBuiltIsRead", whatIsBuiltIsRead},
		{"AGraphOfNothing", aGraphOfNothing},
		{"ADiscardedGraphLeavesNoTrace", aDiscardedGraph},
		{"ABuilderRefusesWhatCannotBe", aBuilderRefuses},
		{"UpdatesAreAppliedInOrder", updatesInOrder},
		{"OrphansArePruned", orphansArePruned},
		{"ManyUpdates", manyUpdates},
		{"NilLeavesFactsAsTheyAre", nilLeavesFacts},
		{"AnUpdateIsMadeWholeOrNotAtAll", wholeOrNotAtAll},
		{"SerialAndIdentity", serialAndIdentity},
		{"FunctionsStopTheReading", functionsStop},
		{"WhatWasTouched", whatWasTouched},
		{"NamesAreUnique", namesAreUnique},
		{"OneWriter", oneWriter},
		{"WritersHoldTheLock", writersHoldTheLock},
		{"AReplacedGraphStaysReadable", aReplacedGraph},
		{"ReadersDuringUpdates", readersDuringUpdates},
		{"ReadersDuringRebuilds", readersDuringRebuilds},
		{"VirtualEdgesAreSet", virtualEdgesAreSet},
		{"VirtualEdgesOutliveTheGraph", virtualEdgesAreKept},
		{"DeletedIsGone", deletedIsGone},
		{"WipedIsAllGone", wipedIsAllGone},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			t.Cleanup(func() { check(t, s.Close()) })
			c.test(t, s)
		})
	}
}

// check fails the test on an error.
func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantError fails the test unless err is want.
func wantError(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error %v, want %v", err, want)
	}
}

// lock locks a project for the rest of the test.
func lock(t *testing.T, s store.Store, root string) (release func()) {
	t.Helper()
	let, err := s.Lock(t.Context(), root)
	check(t, err)
	return func() { t.Helper(); check(t, let()) }
}

// build builds a graph from what an update inserts, in several parts.
func build(t *testing.T, s store.Store, root string, u store.Update) {
	t.Helper()
	b, err := s.Build(t.Context(), root)
	check(t, err)
	check(t, b.Add(t.Context(), store.Update{Files: u.Files, Edges: u.Edges[:len(u.Edges)/2]}))
	half := len(u.Nodes) / 2
	check(t, b.Add(t.Context(), store.Update{Nodes: u.Nodes[half:]}))
	check(t, b.Add(t.Context(), store.Update{Nodes: u.Nodes[:half], Edges: u.Edges[len(u.Edges)/2:]}))
	check(t, b.Commit(t.Context(), u.State))
	check(t, b.Discard())
}

// open opens a graph, and closes it at the end of the test.
func open(t *testing.T, s store.Store, root string) store.Graph {
	t.Helper()
	g, err := s.Open(t.Context(), root)
	check(t, err)
	t.Cleanup(func() { check(t, g.Close()) })
	return g
}

// contents is everything that a graph returns.
type contents struct {
	State   store.State
	Counts  store.Counts
	Files   []store.File
	Facts   map[store.FileID]string
	Lookups map[store.FileID]string
	Words   map[store.FileID]string
	Nodes   []store.Node
	Edges   []store.Edge
	Of      map[store.FileID][]store.Node
}

// read reads everything.
func read(t *testing.T, g store.Graph) contents {
	t.Helper()
	c, err := readAll(t.Context(), g)
	check(t, err)
	return c
}

func readAll(ctx context.Context, g store.Graph) (c contents, err error) {
	var errs [7]error
	c.State, errs[0] = g.State(ctx)
	c.Counts, errs[1] = g.Counts(ctx)
	c.Files, errs[2] = g.Files(ctx)
	c.Facts, c.Lookups, c.Words = map[store.FileID]string{}, map[store.FileID]string{}, map[store.FileID]string{}
	c.Of = map[store.FileID][]store.Node{}
	errs[3] = g.Facts(ctx, nil, func(id store.FileID, data []byte) error {
		c.Facts[id] = string(data)
		return nil
	})
	errs[4] = g.Lookups(ctx, func(id store.FileID, data []byte) error {
		c.Lookups[id] = string(data)
		return nil
	})
	errs[5] = g.Words(ctx, nil, func(id store.FileID, data []byte) error {
		c.Words[id] = string(data)
		return nil
	})
	errs[6] = g.All(ctx, nil, func(n store.Node) error {
		c.Nodes = append(c.Nodes, n)
		c.Of[n.File] = nil
		return nil
	}, func(e store.Edge) error {
		c.Edges = append(c.Edges, e)
		return nil
	})
	err = errors.Join(errs[:]...)
	for file := range c.Of {
		nodes, err2 := g.NodesOf(ctx, file)
		c.Of[file], err = nodes, errors.Join(err, err2)
	}
	return c, err
}

// compare compares contents, ignoring fields set by the store.
func compare(t *testing.T, got, want contents) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(),
		cmpopts.IgnoreFields(store.State{}, "Serial", "Identity"), cmpopts.IgnoreFields(store.Counts{}, "Size")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
