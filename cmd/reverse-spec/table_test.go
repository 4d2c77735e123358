package main

import "testing"

func TestCutLine(t *testing.T) {
	for _, c := range []struct {
		line  string
		width int
		want  string
	}{{"abcdef", 0, "abcdef"}, {"abcdef", 6, "abcdef"}, {"abcdef", 4, "abc…"}, {"äöüß", 3, "äö…"}} {
		if got := cutLine(c.line, c.width); got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.line, c.width, got, c.want)
		}
	}
}
