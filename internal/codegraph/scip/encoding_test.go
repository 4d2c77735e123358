package scip_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/scip"
)

func TestColumnsAreCountedInTheirUnit(t *testing.T) {
	const line = "aé中🚀z" // of 1, 2, 3, 4 and 1 bytes
	for encoding, want := range map[scip.Encoding][]int{
		scip.UTF8:        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11},
		scip.UTF16:       {0, 1, 3, 6, 6, 10, 11, 11},
		scip.Unspecified: {0, 1, 3, 6, 6, 10, 11, 11},
		scip.UTF32:       {0, 1, 3, 6, 10, 11, 11},
	} {
		for column, offset := range want {
			if got := encoding.Offset(line, column); got != offset {
				t.Errorf("encoding %d: column %d is byte %d, want %d", encoding, column, got, offset)
			}
		}
	}
	if got := scip.UTF8.Offset(line, -1) + scip.UTF16.Offset(line, -1); got != 0 {
		t.Errorf("a negative column is byte %d", got)
	}
}
