package main

import (
	"os"
	"runtime/debug"
)

// ballast is counted as used and never touched, so it takes no memory: the first collection comes when as much again is in use. Most
// commands end before; of what they did, a third was collections of a heap of a few megabytes.
var ballast = make([]byte, ballastSize)

const ballastSize = 64 << 20 // bytes

// dropBallast lets the heap of a server be as small as what it keeps.
func dropBallast() { ballast = nil }

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
