package lang_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestFacts compares the bindings of each scope and the calls with the expected ones. A case
// is an archive in testdata/facts/<language>.
func TestFacts(t *testing.T) {
	folders, err := os.ReadDir("testdata/facts")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		t.Run(folder.Name(), func(t *testing.T) {
			golden.Archives(t, "facts/"+folder.Name(), func(t *testing.T, files map[string][]byte) string {
				var b strings.Builder
				for _, path := range slices.Sorted(maps.Keys(files)) {
					f, err := lang.Parse(t.Context(), path, files[path], lang.Facts)
					if err != nil {
						t.Fatal(err)
					}
					b.WriteString("== " + path + "\n" + f.Facts.String())
				}
				return b.String()
			})
		})
	}
}
