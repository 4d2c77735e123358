package resolve_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Definitions that share a name, and a variable bound in a branch, are one symbol each, with the properties of
// their own lines.
func TestSymbolsByLine(t *testing.T) {
	f, err := lang.Parse(t.Context(), "a.py", []byte(`import functools
if WINDOWS:
    frame = lambda: 1
else:
    @functools.cache
    def frame():
        return 2
class C:
    @property
    def x(self):
        return self._x
    @x.setter
    def x(self, v):
        @functools.wraps(v)
        def g(): ...
        if v:
            key = lambda: g
            self.h(key)
`), lang.Facts)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, s := range resolve.Symbols(f)[1:] {
		fmt.Fprintf(&got, "%s %s %d-%d %s %q\n", s.Label, s.Qualified, s.StartLine, s.EndLine, s.Kind, s.Decorators)
	}
	want := `Function frame 3-3 function []
Function frame@6 6-7 function ["@functools.cache"]
Class C 8-18 class []
Method C.x 10-11 getter ["@property"]
Method C.x@13 13-18 setter ["@x.setter"]
Function C.x@13.g 15-15 function ["@functools.wraps(v)"]
Function C.x@13.key 17-17 function []
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("symbols (-want +got):\n%s", diff)
	}
}
