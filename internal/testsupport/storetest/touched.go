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
	now := perFile(t, g, nil)
	for _, m := range moments {
		touched, err := g.Touched(t.Context(), m.serial)
		check(t, err)
		if touched == nil || !slices.IsSorted(touched) {
			t.Fatalf("touched since %d: %v", m.serial, touched)
		}
		for id := range union(m.files, now) {
			if diff := cmp.Diff(m.files[id], now[id]); diff != "" && !slices.Contains(touched, id) {
				t.Errorf("file %d is another since %d, and not touched:\n%s", id, m.serial, diff)
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
	last := a.m.state
	last.Serial = moments[len(moments)-1].serial + 1<<60
	if touched, err := g.Touched(t.Context(), last.Serial); touched != nil || err != nil {
		t.Errorf("since a state that never was: %v, %v", touched, err)
	}
	state, err := g.State(t.Context())
	check(t, err)
	if touched, err := g.Touched(t.Context(), state.Serial); touched == nil || len(touched) > 0 || err != nil {
		t.Errorf("since now: %v, %v", touched, err)
	}
}

// perFile returns the nodes, edges and words of the files, as text.
func perFile(t *testing.T, g store.Graph, ids []store.FileID) map[store.FileID][]string {
	t.Helper()
	out := map[store.FileID][]string{}
	add := func(id store.FileID, text string) error {
		out[id] = append(out[id], text)
		return nil
	}
	check(t, g.All(t.Context(), ids, func(n store.Node) error { return add(n.File, fmt.Sprintf("%+v", n)) },
		func(e store.Edge) error { return add(e.File, fmt.Sprintf("%+v", e)) }))
	check(t, g.Words(t.Context(), ids, func(id store.FileID, words []byte) error { return add(id, fmt.Sprintf("words %x", words)) }))
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
