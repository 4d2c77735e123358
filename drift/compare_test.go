package drift_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/code"
	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/golden"
	"github.com/reverse-spec/reverse-spec/lang"
)

// TestFindsWhatChanged shows, case by case, what comparing old/ with new/ finds
// and how it is judged. A case is an archive under testdata/<language>.
func TestFindsWhatChanged(t *testing.T) {
	for _, name := range []string{"go", "java", "python", "typescript"} {
		t.Run(name, func(t *testing.T) {
			golden.Archives(t, name, func(t *testing.T, files map[string][]byte) string {
				return lines(drift.Compare(merged(t, files, "old/"), merged(t, files, "new/")))
			})
		})
	}
}

// merged is the skeleton of the files below prefix, which their paths lose.
func merged(t *testing.T, files map[string][]byte, prefix string) code.Skeleton {
	t.Helper()
	var list []*code.File
	for name, src := range files {
		rel, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		f, err := lang.Parse(t.Context(), rel, src)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, f)
	}
	return code.Merge(".", list, time.Unix(0, 0))
}

// lines writes a result, a line for each item and each kind of noise.
func lines(r drift.Result) string {
	var b strings.Builder
	for _, i := range r.Items {
		breaking := "compatible"
		if i.Breaking {
			breaking = "breaking"
		}
		fmt.Fprintf(&b, "%s %s %s %s %s\n", i.Location, i.Rule, i.Severity, breaking, i.SymbolName)
	}
	for _, kind := range slices.Sorted(maps.Keys(r.Noise)) {
		fmt.Fprintf(&b, "noise %s %d\n", kind, r.Noise[kind])
	}
	return b.String()
}
