package wording_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/wording"
)

func TestCount(t *testing.T) {
	for want, c := range map[string]struct {
		n    int
		noun string
	}{
		"1 module": {1, "module"}, "2 modules": {2, "module"}, "0 entries": {0, "entry"}, "1 entry": {1, "entry"},
		"2 capabilities": {2, "capability"}, "3 classes": {3, "class"}, "2 days": {2, "day"},
	} {
		if got := wording.Count(c.n, c.noun); got != want {
			t.Errorf("%s: %s", want, got)
		}
	}
}
