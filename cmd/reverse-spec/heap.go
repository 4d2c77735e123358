package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

const (
	// heapLimit is the soft memory limit of index, batch and review in bytes; the Linux kernel's graph is built within 4 GiB.
	heapLimit = 3600 << 20
	// leastHeap is the size of the heap, in bytes, up to which nothing is collected. Most commands end before; of what they did, a third
	// was collections of a heap of a few megabytes.
	leastHeap = 128 << 20
	// largePeak is the least size of a heap, in bytes, that counts as a peak.
	largePeak = 128 << 20
)

// How much the heap may grow between collections, in percent. What index and review make is garbage for the most part; what batch reads
// lives until the last module is written.
const (
	usualGrowth = 100
	indexGrowth = 200
	batchGrowth = 40
)

// heapTuner bounds the heap of a process: after each collection it says when the next one comes. The bounds are the user's where GOGC or
// GOMEMLIMIT is set.
type heapTuner struct {
	mu     sync.Mutex
	growth int    // in percent
	limit  uint64 // in bytes
	peaks  bool   // the heap of the work has peaks
	peak   uint64 // the largest size of the heap, in bytes, that the growth allowed
	off    bool   // Go's own bounds hold
}

// heap is the tuner of the process.
var heap = heapTuner{growth: usualGrowth, limit: math.MaxInt64}

// begin bounds the heap from now on.
func (t *heapTuner) begin() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		t.tune()
	}
}

// stop leaves the heap to Go: that of a server is to be as small as what it keeps.
func (t *heapTuner) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		t.off = true
		debug.SetGCPercent(usualGrowth)
		debug.SetMemoryLimit(math.MaxInt64)
	}
}

// bound sets the growth, and the limit of the work. With peaks, the heap may grow after a large one to a good part of what it
// was then before it is collected: the process had that memory already.
func (t *heapTuner) bound(growth int, peaks bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.growth, t.limit, t.peaks = growth, heapLimit, peaks
}

// muchSource is a size of sources, in bytes, from which an index fills the least heap.
const muchSource = 3 << 20

// expect is told the size of the sources of a full index, in bytes. If they fill the least heap anyway, it has the kernel back most of that
// memory in one call: a fault for each page takes a thirtieth of the time of an index of four megabytes.
func (t *heapTuner) expect(size int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if size >= muchSource && !t.off && os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		populate(leastHeap * 7 / 8)
	}
}

// tune sets the bounds now and after each collection: a memory limit alone while that is below the limit of the work. A percentage
// would allow too much for a while when a peak begins.
func (t *heapTuner) tune() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.off {
		return
	}
	m := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
	}
	metrics.Read(m)
	others := m[1].Value.Uint64() - m[2].Value.Uint64() - m[3].Value.Uint64() - m[4].Value.Uint64()
	if bound := t.next(m[0].Value.Uint64()) + others; bound < t.limit {
		debug.SetMemoryLimit(int64(bound))
		debug.SetGCPercent(-1)
	} else {
		debug.SetGCPercent(t.growth)
		debug.SetMemoryLimit(int64(t.limit))
	}
	runtime.AddCleanup(new([16]byte), (*heapTuner).tune, t)
}

// next returns the size at which the heap is collected next, given how much of it is in use: what the growth allows, and after a large
// peak three fifths of that, since other memory, that of parsers, has peaks, too.
func (t *heapTuner) next(live uint64) uint64 {
	grown := live + live*uint64(t.growth)/100
	t.peak = max(t.peak, grown)
	if t.peaks && t.peak >= largePeak {
		grown = max(grown, t.peak*3/5)
	}
	return max(grown, leastHeap)
}
