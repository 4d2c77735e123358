package scip_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/scip"
)

// BenchmarkRead reads the Python index a hundred times in a row, which is an
// index, too.
func BenchmarkRead(b *testing.B) {
	index := bytes.Repeat(pythonIndex(b), 100)
	b.SetBytes(int64(len(index)))
	for b.Loop() {
		if _, err := scip.Read(bytes.NewReader(index), func(*scip.Document) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCopy is what it takes to look at the same bytes.
func BenchmarkCopy(b *testing.B) {
	index := bytes.Repeat(pythonIndex(b), 100)
	b.SetBytes(int64(len(index)))
	for b.Loop() {
		if _, err := io.Copy(io.Discard, struct{ io.Reader }{bytes.NewReader(index)}); err != nil {
			b.Fatal(err)
		}
	}
}
