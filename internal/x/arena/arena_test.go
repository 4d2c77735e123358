package arena_test

import (
	"runtime"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/x/arena"
)

type pair struct{ a, b uint32 }

// TestLists fills two lists, one of them beyond its room.
func TestLists(t *testing.T) {
	var a arena.Arena
	const n = 100_000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	pairs, short := arena.List[pair](&a, n), arena.List[byte](&a, 8)
	for i := range n {
		pairs = append(pairs, pair{uint32(i), uint32(2 * i)})
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; runtime.GOOS != "windows" && grown > n {
		t.Errorf("%d bytes of the heap were taken", grown)
	}
	for i := range 100 {
		short = append(short, byte(i))
	}
	for i, p := range pairs {
		if p != (pair{uint32(i), uint32(2 * i)}) {
			t.Fatalf("pair %d is %v", i, p)
		}
	}
	if err := a.Free(); err != nil {
		t.Fatal(err)
	}
	if len(short) != 100 || short[99] != 99 { // it is in the heap
		t.Errorf("the list that went beyond its room: %v", short)
	}
	if err := a.Free(); err != nil {
		t.Errorf("freed twice: %v", err)
	}
}
