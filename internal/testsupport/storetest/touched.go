package storetest

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// whatWasTouched: the files that are not touched have the same nodes, edges and words, and what is read of some files is a part of all.
func whatWasTouched(t *testing.T, s store.Store) {
	a := newAuthor(11)
	g, _ := built(t, s, a, 12, 3)
	type moment struct {
		serial uint64
		files  map[store.FileID][]string
	}
	var moments []moment
	for range 8 {
		state, err := g.State(t.Context())
		check(t, err)
		moments = append(moments, moment{state.Serial, perFile(t, g, nil)})
		u := a.change()
		a.m.apply(u)
		check(t, g.Update(t.Context(), u))
	}
	for _, m := range moments {
		wantTouched(t, g, m.serial, m.files)
	}
	state, err := g.State(t.Context())
	check(t, err)
	if touched, err := g.Touched(t.Context(), state.Serial+1<<60); touched != nil || err != nil {
		t.Errorf("since a state that never was: %v, %v", touched, err)
	}
	if touched, err := g.Touched(t.Context(), state.Serial); touched == nil || len(touched) > 0 || err != nil {
		t.Errorf("since now: %v, %v", touched, err)
	}
}

// wantTouched looks for files that are others than at an earlier time, and not said to be touched.
func wantTouched(t *testing.T, g store.Graph, since uint64, then map[store.FileID][]string) {
	t.Helper()
	now := perFile(t, g, nil)
	touched, err := g.Touched(t.Context(), since)
	check(t, err)
	if touched == nil || !slices.IsSorted(touched) {
		t.Fatalf("touched since %d: %v", since, touched)
	}
	for id := range union(then, now) {
		if diff := cmp.Diff(then[id], now[id]); diff != "" && !slices.Contains(touched, id) {
			t.Errorf("file %d is another since %d, and not touched:\n%s", id, since, diff)
		}
	}
	want := map[store.FileID][]string{}
	for _, id := range touched {
		if now[id] != nil {
			want[id] = now[id]
		}
	}
	if diff := cmp.Diff(want, perFile(t, g, touched)); diff != "" {
		t.Errorf("the rows of some files: -want +got\n%s", diff)
	}
}

// perFile returns the nodes, edges and words of the files, as text.
func perFile(t *testing.T, g store.Graph, ids []store.FileID) map[store.FileID][]string {
	t.Helper()
	out := map[store.FileID][]string{}
	add := func(id store.FileID, format string, row any) { out[id] = append(out[id], fmt.Sprintf(format, row)) }
	check(t, g.All(t.Context(), ids,
		func(n store.Node) error { add(n.File, "%+v", n); return nil },
		func(e store.Edge) error { add(e.File, "%+v", e); return nil }))
	check(t, g.Words(t.Context(), ids, func(id store.FileID, words []byte) error { add(id, "words %x", words); return nil }))
	for _, rows := range out {
		slices.Sort(rows)
	}
	return out
}

func union[K comparable, V any](a, b map[K]V) map[K]V {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}
