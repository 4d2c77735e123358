package intern_test

import (
	"fmt"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/x/intern"
)

// TestNumbers numbers many texts twice: each has one number, by which it is found.
func TestNumbers(t *testing.T) {
	var table intern.Table
	if n := table.Add([]byte("3")); n != 0 {
		t.Errorf("the first text is number %d", n)
	}
	const many = 5000
	for round := range 2 {
		for i := range many {
			n, known := table.Number([]byte(fmt.Sprint(i)))
			if int(n) != i+1 || known != (round == 1) {
				t.Fatalf("round %d: %d is number %d, known: %t", round, i, n, known)
			}
		}
	}
	for i := range many {
		if got := string(table.Get(uint32(i + 1))); got != fmt.Sprint(i) {
			t.Fatalf("number %d is %q", i+1, got)
		}
	}
	if table.Len() != many+1 || string(table.Get(0)) != "3" {
		t.Errorf("%d texts, the first is %q", table.Len(), table.Get(0))
	}
	table.Reset()
	if n, known := table.Number([]byte("")); n != 0 || known || table.Len() != 1 {
		t.Errorf("after a reset: number %d, known: %t, %d texts", n, known, table.Len())
	}
}
