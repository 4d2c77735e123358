package lang_test

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/lang"
	"github.com/reverse-spec/reverse-spec/lang/syntax"
)

// benchBytes is how much text of a language a benchmark reads.
const benchBytes = 4 << 20

// corpus is public code of one language: folders where it may lie on this
// machine. REVERSE_SPEC_BENCH names a folder with more, see docs/performance.md.
type corpus struct {
	language string
	end      string // of file names
	grammar  *syntax.Grammar
	folders  []string
}

func corpora() []corpus {
	python, _ := exec.Command("python3", "-c", "import os; print(os.path.dirname(os.__file__))").Output()
	more := os.Getenv("REVERSE_SPEC_BENCH")
	cache, _ := os.UserCacheDir()
	npm := filepath.Join(cache, "reverse-spec", "truth", "node_modules")
	return []corpus{
		{"go", ".go", nil, []string{filepath.Join(runtime.GOROOT(), "src", "net"), filepath.Join(runtime.GOROOT(), "src", "go")}}, //nolint:staticcheck // the tests' own toolchain is meant
		{"typescript", ".ts", syntax.TypeScript, []string{filepath.Join(npm, "rxjs", "src"), filepath.Join(more, "typescript")}},
		{"javascript", ".js", syntax.JavaScript, []string{filepath.Join(npm, "rxjs", "dist"), filepath.Join(more, "javascript")}},
		{"python", ".py", syntax.Python, []string{strings.TrimSpace(string(python))}},
		{"java", ".java", syntax.Java, []string{filepath.Join(more, "java")}},
		{"rust", ".rs", syntax.Rust, []string{filepath.Join(more, "rust")}},
	}
}

// text is one file of a corpus.
type text struct {
	path string
	src  []byte
}

func (c corpus) read(b *testing.B) []text {
	b.Helper()
	var out []text
	total := 0
	for _, dir := range c.folders {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, c.end) || total > benchBytes {
				return nil //nolint:nilerr // a folder that is not there has no files
			}
			src, err := os.ReadFile(path)
			if err == nil && bytes.IndexByte(src, 0) < 0 {
				out = append(out, text{path, src})
				total += len(src)
			}
			return nil
		})
	}
	if total < benchBytes/16 {
		b.Skipf("no %s sources on this machine: see docs/performance.md", c.language)
	}
	b.SetBytes(int64(total))
	return out
}

// BenchmarkParse compares what lang does with a file with the bare parse that it
// rests on, and with universal-ctags, which lists names alone.
func BenchmarkParse(b *testing.B) {
	for _, c := range corpora() {
		b.Run(c.language+"/lang", func(b *testing.B) {
			files := c.read(b)
			for b.Loop() {
				for _, f := range files {
					if _, err := lang.Parse(b.Context(), f.path, f.src); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		b.Run(c.language+"/bare", func(b *testing.B) {
			files := c.read(b)
			for b.Loop() {
				for _, f := range files {
					bare(c.grammar, f.src)
				}
			}
		})
		b.Run(c.language+"/ctags", func(b *testing.B) {
			files := c.read(b)
			if _, err := exec.LookPath("ctags"); err != nil {
				b.Skip("universal-ctags is not installed")
			}
			var names bytes.Buffer
			for _, f := range files {
				names.WriteString(f.path + "\n")
			}
			for b.Loop() {
				cmd := exec.Command("ctags", "-L", "-", "-f", os.DevNull)
				cmd.Stdin = bytes.NewReader(names.Bytes())
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// bare parses and throws the tree away.
func bare(g *syntax.Grammar, src []byte) {
	if g == nil {
		_, _ = parser.ParseFile(token.NewFileSet(), "", src, parser.ParseComments|parser.SkipObjectResolution)
		return
	}
	_, _ = g.Parse(src)
}
