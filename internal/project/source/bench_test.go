package source_test

import (
	"go/build"
	"os"
	"path/filepath"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// netHTTP is a fixed, public folder of Go source.
func netHTTP(b *testing.B) *project.Project {
	b.Helper()
	dir := filepath.Join(build.Default.GOROOT, "src", "net", "http")
	if _, err := os.Stat(dir); err != nil {
		b.Skipf("skipped: no Go source here: %v", err)
	}
	p, err := project.Open(dir)
	must(b, err)
	b.Cleanup(func() { must(b, p.Close()) })
	return p
}

// BenchmarkRead reads one package of the standard library; compare with
// BenchmarkParse.
func BenchmarkRead(b *testing.B) {
	p := netHTTP(b)
	for b.Loop() {
		read(b, p, ".")
	}
}

// BenchmarkReadByOne is BenchmarkRead with one worker.
func BenchmarkReadByOne(b *testing.B) {
	p := netHTTP(b)
	for b.Loop() {
		_, err := source.Read(b.Context(), p, ".", source.Options{Workers: 1})
		must(b, err)
	}
}

// BenchmarkParse is the bare parse of the same files, one after another.
func BenchmarkParse(b *testing.B) {
	p := netHTTP(b)
	texts := map[string][]byte{}
	for _, f := range read(b, p, ".").Files {
		text, err := p.ReadFile(f.Path)
		must(b, err)
		texts[f.Path] = text
	}
	for b.Loop() {
		for name, text := range texts {
			_, err := lang.Parse(b.Context(), name, text, lang.All)
			must(b, err)
		}
	}
}
