package resolve

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// TestNames: a name's declarations are found in the order in which they were added, and others are not; with as many names as
// declarations, few names, and none.
func TestNames(t *testing.T) {
	for _, count := range []int{0, 1, 2, 3, 24, 1000} {
		for _, different := range []int{1, 7, 5000} {
			want, all := map[string][]*decl{}, &names{}
			for i := range count {
				d := &decl{index: int32(i), name: fmt.Sprint(rand.IntN(different)), def: &code.Def{}}
				want[d.name] = append(want[d.name], d)
				all.add(d)
			}
			all.index()
			for name := range different {
				if name := fmt.Sprint(name); !slices.Equal(all.of(name), want[name]) {
					t.Fatalf("%d of %d names: %q has %v, want %v", count, different, name, all.of(name), want[name])
				}
			}
			if found := all.of("x"); len(found) != 0 {
				t.Errorf("%d of %d names: %v are found by another name", count, different, found)
			}
		}
	}
	if found := (*names)(nil).of("x"); len(found) != 0 {
		t.Errorf("nil has %v", found)
	}
}
