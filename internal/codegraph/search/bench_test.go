package search_test

import (
	"go/build"
	"os"
	"path/filepath"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/search"
)

// BenchmarkFind asks of one folder of the standard library, a fixed public input.
func BenchmarkFind(b *testing.B) {
	dir := filepath.Join(build.Default.GOROOT, "src", "net")
	if _, err := os.Stat(dir); err != nil {
		b.Skipf("skipped: no Go source here: %v", err)
	}
	g := indexed(b, dir)
	for name, question := range map[string]string{
		"name": "ListenAndServe", "words": "where are idle connections of a client closed", "common": "returns an error of the connection or of the request",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := search.Find(b.Context(), g.snap, question, search.Options{})
				check(b, err)
			}
		})
	}
}
