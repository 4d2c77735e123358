package project_test

import (
	"go/build"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// goSource is a fixed, public tree outside any repository.
func goSource(b *testing.B) string {
	b.Helper()
	dir := filepath.Join(build.Default.GOROOT, "src")
	if _, err := filepath.EvalSymlinks(dir); err != nil {
		b.Skipf("skipped: no Go source here: %v", err)
	}
	return dir
}

// BenchmarkList lists $GOROOT/src by our walk; compare with BenchmarkWalkDir.
func BenchmarkList(b *testing.B) {
	p := open(b, goSource(b))
	files := 0
	for b.Loop() {
		files = len(list(b, p, ".").Files)
	}
	b.ReportMetric(float64(files), "files")
}

// BenchmarkWalkDir is what the standard library needs for the same tree:
// names and sizes, no rules, no sorting of the whole.
func BenchmarkWalkDir(b *testing.B) {
	dir := goSource(b)
	files := 0
	for b.Loop() {
		files = 0
		must(b, filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			files++
			_, err = d.Info()
			return err
		}))
	}
	b.ReportMetric(float64(files), "files")
}

// BenchmarkReadFile reads every file of one package.
func BenchmarkReadFile(b *testing.B) {
	p := open(b, goSource(b))
	files := list(b, p, "net/http").Files
	for b.Loop() {
		for _, f := range files {
			_, err := p.ReadFile(f.Path)
			must(b, err)
		}
	}
	b.ReportMetric(float64(len(files)), "files")
}

// BenchmarkReadLines takes ten lines near the end of a file of 64 MB.
func BenchmarkReadLines(b *testing.B) {
	const line = "a line of source text that is about as long as they are, on the whole\n"
	text := strings.Repeat(line, 64<<20/len(line))
	dir := folder(b, map[string]string{"large": text})
	p := open(b, dir)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		_, err := p.ReadLines(b.Context(), "large", 900_000, 10)
		must(b, err)
	}
}
