package main

import "testing"

// TestTheHeapGrowsAgainAfterAPeak: work after a large peak collects garbage less often, other work no less.
func TestTheHeapGrowsAgainAfterAPeak(t *testing.T) {
	tuner := &heapTuner{growth: 40}
	for _, step := range []struct{ live, want uint64 }{
		{80 << 20, 0},
		{20 << 20, 0},         // that was no large peak
		{200 << 20, 0},        // the peak
		{50 << 20, 168 << 20}, // after it
		{150 << 20, 0},        // the growth allows more
		{300 << 20, 0},        // another peak
		{100 << 20, 252 << 20},
	} {
		if got := tuner.afterPeak(step.live); got != step.want {
			t.Errorf("%d bytes are in use: collected at %d, want %d", step.live, got, step.want)
		}
	}
}
