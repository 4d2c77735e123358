package snapshot_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
)

// readAll reads everything in a snapshot, and returns the first error.
func readAll(t *testing.T, snap *snapshot.Snapshot) error {
	t.Helper()
	ctx := t.Context()
	ids := []codegraph.ID{0, 1, 3, 4, 9, 90, 91, 400, 70_000, 1<<32 - 1}
	all, err1 := snap.Labelled(ctx)
	_, err2 := snap.Labelled(ctx, codegraph.LabelMethod)
	_, err3 := snap.Nodes(ctx, append(all, ids...))
	_, err4 := snap.Qualified(ctx, "shop.src.UserService.create")
	_, err5 := snap.Named(ctx, "create")
	_, err6 := snap.Suffixed(ctx, "UserService.create")
	_, err6a := snap.Prefixed(ctx, "shop.")
	_, err6b := snap.At(ctx, "src/", true)
	_, err7 := snap.Expand(ctx, append(all, ids...), codegraph.Both)
	_, err8 := snap.Expand(ctx, ids, codegraph.In, codegraph.Calls)
	_, err9 := snap.Search(ctx, termsOf("user create service shop zebra"), 5)
	_, err10 := snap.Counts(ctx)
	err11 := snap.Section("vectors", func([]byte) error { return nil })
	return errors.Join(err1, err2, err3, err4, err5, err6, err6a, err6b, err7, err8, err9, err10, err11)
}

// vectors is an additional section for damaged snapshots.
func vectors() snapshot.Section { return snapshot.Section{Name: "vectors", Data: []byte("123")} }

// Bits between sections are the exception.
func TestFlippedBitsAreDetected(t *testing.T) {
	path := filepath.Join(t.TempDir(), "graph.snap")
	s := shop()
	check(t, snapshot.Write(t.Context(), path, s, vectors()))
	data, err := os.ReadFile(path)
	check(t, err)
	unnoticed := 0
	for i := range data {
		data[i] ^= 1 << (i % 8)
		check(t, os.WriteFile(path, data, 0o600))
		data[i] ^= 1 << (i % 8)
		snap, err := snapshot.Open(path, s.state.Serial, s.state.Identity)
		if err == nil {
			err = readAll(t, snap)
			check(t, snap.Close())
		}
		switch {
		case err == nil:
			unnoticed++ // between two sections
		case !errors.Is(err, snapshot.ErrDamaged) && !errors.Is(err, snapshot.ErrStale):
			t.Fatalf("byte %d: %v", i, err)
		case errors.Is(err, snapshot.ErrDamaged):
			if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				t.Fatalf("byte %d: the file is still there: %v", i, err)
			}
		}
	}
	if unnoticed > 19*64 { // so much is between the sections at most
		t.Errorf("%d of %d unnoticed", unnoticed, len(data))
	}
}

// FuzzRead damages a snapshot and fixes its checksums: reading it must return, with or without an error, and stay
// inside the file.
func FuzzRead(f *testing.F) {
	path := filepath.Join(f.TempDir(), "graph.snap")
	s := shop()
	check(f, snapshot.Write(f.Context(), path, s, vectors()))
	whole, err := os.ReadFile(path)
	check(f, err)
	for i := range 64 {
		f.Add(uint32(i*len(whole)/64), uint32(0xffffffff), uint32(i*len(whole)/64+8), uint32(i), uint32(len(whole)))
	}
	f.Fuzz(func(t *testing.T, at1, value1, at2, value2, size uint32) {
		data := append([]byte(nil), whole[:min(int(size), len(whole))]...)
		for at, value := range map[uint32]uint32{at1: value1, at2: value2} {
			for i := range 4 {
				if k := uint64(at) + uint64(i); k < uint64(len(data)) {
					data[k] = byte(value >> (8 * i))
				}
			}
		}
		snapshot.Reseal(data)
		path := filepath.Join(t.TempDir(), "graph.snap")
		check(t, os.WriteFile(path, data, 0o600))
		snap, err := snapshot.Open(path, s.state.Serial, s.state.Identity)
		if err != nil {
			return
		}
		_ = readAll(t, snap)
		check(t, snap.Close())
	})
}
