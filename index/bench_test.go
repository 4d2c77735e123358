package index_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/index"
	"github.com/reverse-spec/reverse-spec/lang"
	"github.com/reverse-spec/reverse-spec/store/sqlite"
	"github.com/reverse-spec/reverse-spec/workspace"
)

// benched is a folder of much code: the one that REVERSE_SPEC_BENCH names, or a part
// of Go's standard library.
func benched(b *testing.B) *workspace.Project {
	b.Helper()
	dir := os.Getenv("REVERSE_SPEC_BENCH")
	if dir == "" {
		dir = filepath.Join(goroot(b), "src/net")
	}
	p, err := workspace.Open(dir)
	if err != nil {
		b.Skip("no sources to index: ", err)
	}
	b.Cleanup(func() { _ = p.Close() })
	return p
}

// BenchmarkIndex builds the whole graph, next to the bare parse of the same files
// (lang.Parse, as specs use it) and the parse with facts.
func BenchmarkIndex(b *testing.B) {
	p := benched(b)
	b.Run("parse", func(b *testing.B) { parseAll(b, p, false) })
	b.Run("facts", func(b *testing.B) { parseAll(b, p, true) })
	b.Run("full", func(b *testing.B) {
		for b.Loop() {
			s, err := sqlite.Open(sqlite.Options{Home: b.TempDir()})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := index.Run(b.Context(), p, s, index.Options{Workers: 1}); err != nil {
				b.Fatal(err)
			}
			_ = s.Close()
		}
	})
}

func parseAll(b *testing.B, p *workspace.Project, facts bool) {
	l, err := p.List(b.Context(), ".")
	if err != nil {
		b.Fatal(err)
	}
	parse := lang.Parse
	if facts {
		parse = lang.ParseFacts
	}
	var bytes int64
	for b.Loop() {
		bytes = 0
		for _, f := range l.Files {
			if _, known := lang.ByPath(f.Path); !known {
				continue
			}
			src, err := p.ReadFile(f.Path)
			if err != nil {
				continue
			}
			bytes += int64(len(src))
			if _, err := parse(b.Context(), f.Path, src); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.SetBytes(bytes)
}

// goroot is where Go and its sources are installed.
func goroot(t testing.TB) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no go command: ", err)
	}
	return strings.TrimSpace(string(out))
}
