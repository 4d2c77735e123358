package grounding_test

import (
	"go/build"
	"os"
	"path/filepath"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/grounding"
)

// BenchmarkNewSource indexes net/http; compare its MB/s with that of the parser (BenchmarkRead
// in package source).
func BenchmarkNewSource(b *testing.B) {
	paths, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src/net/http/*.go"))
	if err != nil || len(paths) == 0 {
		b.Skipf("Go's sources are not here: %v", err)
	}
	texts := map[string]string{}
	size := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		texts[filepath.Base(path)] = string(text)
		size += len(text)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		grounding.NewSource(texts, &code.Skeleton{FilePath: "http"}, nil)
	}
}
