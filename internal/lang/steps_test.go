package lang_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestSteps compares the steps and table rows read from tests with the expected ones.
func TestSteps(t *testing.T) {
	golden.Archives(t, "steps", func(t *testing.T, files map[string][]byte) string {
		var b strings.Builder
		for _, path := range slices.Sorted(maps.Keys(files)) {
			f, err := lang.Parse(t.Context(), path, files[path], lang.All)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "== %s\n", path)
			for _, x := range f.Tests {
				fmt.Fprintf(&b, "%d-%d %s %s %q\n", x.Line, x.EndLine, x.Runner, x.Name, x.Rows)
			}
			for _, s := range f.Bodies.Steps {
				fmt.Fprintf(&b, "%d-%d %s\n", s.Line, s.End, map[bool]string{true: "nested "}[s.Nested]+map[bool]string{true: "fails if "}[s.FailsIf]+s.Text)
			}
		}
		return b.String()
	})
}
