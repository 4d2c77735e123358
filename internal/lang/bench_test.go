package lang_test

import (
	"go/parser"
	"go/token"
	"os"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// benchBytes is the amount of text per language that a benchmark reads, in bytes.
const benchBytes = 4 << 20

// text is one file of public code.
type text struct {
	path string
	src  []byte
}

// benchText returns benchBytes of a language's public code, in equal parts from each project.
func benchText(b *testing.B, language string) []text {
	b.Helper()
	bodies := publicCode(b, language)
	var out []text
	total := 0
	for _, body := range bodies {
		own := 0
		for _, f := range body.files {
			if own > benchBytes/len(bodies) {
				break
			}
			out = append(out, f)
			own += len(f.src)
		}
		total += own
	}
	b.SetBytes(int64(total))
	return out
}

// BenchmarkParse compares Parse with the parser alone, and with universal-ctags, which lists
// only names.
func BenchmarkParse(b *testing.B) {
	for _, o := range opinions() {
		b.Run(o.language+"/lang", func(b *testing.B) {
			files := benchText(b, o.language)
			for b.Loop() {
				for _, f := range files {
					if _, err := lang.Parse(b.Context(), f.path, f.src, lang.All); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		b.Run(o.language+"/bare", func(b *testing.B) {
			files := benchText(b, o.language)
			for b.Loop() {
				for _, f := range files {
					bare(o.grammar, f.src)
				}
			}
		})
		if o.list == nil {
			b.Run(o.language+"/ctags", func(b *testing.B) { o.benchCtags(b, benchText(b, o.language)) })
		}
	}
}

func (o opinion) benchCtags(b *testing.B, files []text) {
	dir, names := writeFiles(b, files)
	for b.Loop() {
		if out, err := o.ctagsCommand(dir, names, "--output-format=u-ctags", "-f", os.DevNull).CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
}

// bare parses src and discards the tree.
func bare(g *syntax.Grammar, src []byte) {
	if g == nil {
		_, _ = parser.ParseFile(token.NewFileSet(), "", src, parser.ParseComments|parser.SkipObjectResolution)
		return
	}
	_, _ = g.Parse(src)
}
