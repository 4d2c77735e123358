package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// heapLimit is the soft memory limit in bytes, unless GOMEMLIMIT is set; the Linux kernel's
// graph is built within 4 GiB.
const heapLimit = 3600 << 20

// How much the heap may grow between collections, in percent, unless GOGC is set. An index is garbage for the most part;
// what batch reads lives until the last module is written.
const (
	indexGrowth = 200
	batchGrowth = 40
)

// boundHeap sets the limit and a growth.
func boundHeap(growth int) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(heapLimit)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(growth)
	}
}

// boundHeapWithPeaks is like boundHeap for work whose memory has peaks: after a large one, the heap may grow to a good part of
// what it was then before it is collected. The process had that memory already.
func boundHeapWithPeaks(growth int) {
	boundHeap(growth)
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
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
