package lazyregexp_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// TestWrongExpressionFailsAtOnce in a test: in the program it would fail where it is used, perhaps in no test.
func TestWrongExpressionFailsAtOnce(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it does not")
		}
	}()
	lazyregexp.New(`(`)
}

func TestMatches(t *testing.T) {
	r := lazyregexp.New(`(\w+)@(\w+)`)
	if got := r.ReplaceAllString("a@b c@d", "$2@$1"); got != "b@a d@c" {
		t.Error(got)
	}
	if m := r.FindStringSubmatch("x a@b"); len(m) != 3 || m[2] != "b" {
		t.Error(m)
	}
}
