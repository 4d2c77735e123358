package main

import "testing"

func TestTheMemoryOfAServerIsConfigurable(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "0": -1, "64": 64 << 20} {
		t.Setenv(memoryVariable, text)
		if got, err := liveMemory(); got != want || err != nil {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"-1", "much", "9999999999", "1.5"} {
		t.Setenv(memoryVariable, text)
		if got, err := liveMemory(); err == nil {
			t.Errorf("%q: %d", text, got)
		}
	}
}
