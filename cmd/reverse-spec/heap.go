package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// heapLimit is the soft memory limit of index and batch in bytes; the Linux kernel's graph is built within 4 GiB.
const heapLimit = 3600 << 20

// How much the heap may grow between collections, in percent. An index is garbage for the most part;
// what batch reads lives until the last module is written.
const (
	indexGrowth = 200
	batchGrowth = 40
)

// firstCollection is the memory of the process, in bytes, up to which nothing is collected. Most commands end before; of what they
// did, a third was collections of a heap of a few megabytes.
const firstCollection = 96 << 20

// heapBounds are the bounds of the heap after the first collection. They are nobody's if the user set GOGC or GOMEMLIMIT.
type heapBounds struct {
	mu     sync.Mutex
	growth int   // in percent
	limit  int64 // in bytes
	waits  bool  // for the first collection
}

var bounds = heapBounds{growth: 100, limit: math.MaxInt64} // Go's own

// userBounds reports whether the user bounds the heap.
func userBounds() bool { return os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" }

// delayCollection delays the first collection.
func delayCollection() {
	if userBounds() {
		return
	}
	bounds.waits = true
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(firstCollection)
	runtime.AddCleanup(new([16]byte), (*heapBounds).begin, &bounds)
}

// begin ends the delay: at the first collection, or in a server, whose heap is to be as small as what it keeps.
func (b *heapBounds) begin() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waits {
		b.waits = false
		debug.SetGCPercent(b.growth)
		debug.SetMemoryLimit(b.limit)
	}
}

// boundHeap sets the limit and a growth.
func boundHeap(growth int) {
	if userBounds() {
		return
	}
	bounds.mu.Lock()
	defer bounds.mu.Unlock()
	bounds.growth, bounds.limit = growth, heapLimit
	if !bounds.waits {
		debug.SetGCPercent(growth)
		debug.SetMemoryLimit(heapLimit)
	}
}

// boundHeapWithPeaks is like boundHeap for work whose memory has peaks: after a large one, the heap may grow to a good part of
// what it was then before it is collected. The process had that memory already.
func boundHeapWithPeaks(growth int) {
	boundHeap(growth)
	if !userBounds() {
		(&heapTuner{growth: growth}).afterNext()
	}
}

// heapTuner sets the bounds of the heap after each collection.
type heapTuner struct {
	growth int    // in percent
	peak   uint64 // the largest size of the heap, in bytes, that the growth allowed
}

// afterNext tunes after the next collection, and all later ones.
func (t *heapTuner) afterNext() { runtime.AddCleanup(new([16]byte), (*heapTuner).tune, t) }

// tune bounds the heap by the growth, or after a peak by a memory limit alone: a percentage would allow too much for a while
// when the next peak begins.
func (t *heapTuner) tune() {
	m := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
	}
	metrics.Read(m)
	others := m[1].Value.Uint64() - m[2].Value.Uint64() - m[3].Value.Uint64() - m[4].Value.Uint64()
	if size := t.afterPeak(m[0].Value.Uint64()); size > 0 && size+others < heapLimit {
		debug.SetMemoryLimit(int64(size + others))
		debug.SetGCPercent(-1)
	} else {
		debug.SetGCPercent(t.growth)
		debug.SetMemoryLimit(heapLimit)
	}
	t.afterNext()
}

// largePeak is the least size of a heap, in bytes, that counts as a peak.
const largePeak = 128 << 20

// afterPeak returns the size at which the heap is collected next, given how much of it is in use: three fifths of the peak, since
// other memory, that of parsers, has peaks, too. It returns 0 if that is less than what the growth allows, or there was no large peak.
func (t *heapTuner) afterPeak(live uint64) uint64 {
	grown := live + live*uint64(t.growth)/100
	t.peak = max(t.peak, grown)
	if size := t.peak * 3 / 5; t.peak >= largePeak && size > grown {
		return size
	}
	return 0
}
