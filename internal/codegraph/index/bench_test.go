package index_test

import (
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// benched is the folder named by REVERSE_SPEC_BENCH, or a part of Go's standard library.
func benched(b *testing.B) *project.Project {
	b.Helper()
	dir := os.Getenv("REVERSE_SPEC_BENCH")
	if dir == "" {
		dir = filepath.Join(build.Default.GOROOT, "src/net")
	}
	p, err := project.Open(dir)
	if err != nil {
		b.Skip("no sources to index: ", err)
	}
	b.Cleanup(func() { _ = p.Close() })
	return p
}

// BenchmarkIndex builds the whole graph on one core, next to the bare parse of the same
// files (go/parser's of the Go files), the parse that specs use, and the one with facts.
func BenchmarkIndex(b *testing.B) {
	p := benched(b)
	b.Run("bare", func(b *testing.B) {
		eachFile(b, p, func(name string, src []byte) error {
			if strings.HasSuffix(name, ".go") {
				_, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
				return err
			}
			return nil
		})
	})
	b.Run("parse", func(b *testing.B) { parseAll(b, p, lang.All) })
	b.Run("facts", func(b *testing.B) { parseAll(b, p, lang.Facts) })
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

func parseAll(b *testing.B, p *project.Project, parts lang.Parts) {
	eachFile(b, p, func(name string, src []byte) error {
		_, err := lang.Parse(b.Context(), name, src, parts)
		return err
	})
}

// eachFile measures what is done with every source file; reading it is part of that.
func eachFile(b *testing.B, p *project.Project, do func(name string, src []byte) error) {
	b.Helper()
	l, err := p.List(b.Context(), ".")
	if err != nil {
		b.Fatal(err)
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
			if err := do(f.Path, src); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.SetBytes(bytes)
}

// BenchmarkReindex indexes one changed file, with a change of a body or of its exported surface, each without and with
// what a server keeps in memory; and for comparison nothing changed, and the whole project.
func BenchmarkReindex(b *testing.B) {
	from := benched(b).Root()
	dir := b.TempDir()
	if out, err := exec.CommandContext(b.Context(), "cp", "-rL", from+"/.", dir).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	s, err := sqlite.Open(sqlite.Options{Home: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	var memory *index.Memory
	run := func(b *testing.B, force bool) *index.Summary {
		b.Helper()
		p, err := project.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		defer p.Close()
		sum, err := index.Run(b.Context(), p, s, index.Options{Force: force, Memory: memory, NoSizes: !force})
		if err != nil {
			b.Fatal(err)
		}
		return sum
	}
	sum := run(b, true)
	b.Logf("%d files, %d nodes", sum.Files, len(sum.Nodes))
	file := filepath.Join(dir, "zz_bench.go")
	for name, text := range map[string]string{
		"body": "package zz\n\nfunc Changed() { Other(%d) }\n\nfunc Other(int) {}\n", "interface": "package zz\n\nfunc Changed() {}\n\nfunc Other%d(int) {}\n",
	} {
		n := 0
		change := func(b *testing.B) {
			for b.Loop() {
				n++
				if err := os.WriteFile(file, fmt.Appendf(nil, text, n), 0o644); err != nil {
					b.Fatal(err)
				}
				if got := run(b, false); got.Mode != index.Incremental {
					b.Fatal(got.Mode, got.Why)
				}
			}
		}
		memory = nil
		b.Run(name, change)
		memory = &index.Memory{}
		b.Run(name+"/memory", change)
	}
	memory = nil
	time.Sleep(50 * time.Millisecond) // the time of the last change is to tell
	run(b, false)
	b.Run("nothing", func(b *testing.B) {
		for b.Loop() {
			if got := run(b, false); got.Mode != index.Unchanged {
				b.Fatal(got.Mode, got.Why)
			}
		}
	})
	b.Run("full", func(b *testing.B) {
		for b.Loop() {
			run(b, true)
		}
	})
}
