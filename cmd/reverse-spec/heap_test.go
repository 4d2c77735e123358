package main

import "testing"

// TestTheHeapGrowsAgainAfterAPeak: work after a large peak collects garbage less often, other work no less, and little is not collected.
func TestTheHeapGrowsAgainAfterAPeak(t *testing.T) {
	tuner := &heapTuner{growth: 40, peaks: true}
	for _, step := range []struct{ live, want uint64 }{
		{1 << 20, leastHeap},
		{80 << 20, leastHeap},
		{20 << 20, leastHeap},  // that was no large peak
		{200 << 20, 280 << 20}, // the peak
		{50 << 20, 168 << 20},  // after it
		{150 << 20, 210 << 20}, // the growth allows more
		{300 << 20, 420 << 20}, // another peak
		{100 << 20, 252 << 20},
	} {
		if got := tuner.next(step.live); got != step.want {
			t.Errorf("%d bytes are in use: collected at %d, want %d", step.live, got, step.want)
		}
	}
}
