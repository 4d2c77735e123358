package rag_test

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// BenchmarkQuery asks 200 questions, made of the code's own documentation, of Go's
// standard library, or of the folder in REVERSE_SPEC_BENCH: with the search alone, and
// with the graph. Beside the mean it reports the median and the 95th percentile of
// one question.
func BenchmarkQuery(b *testing.B) {
	dir := cmp.Or(os.Getenv("REVERSE_SPEC_BENCH"), filepath.Join(runtime.GOROOT(), "src")) //nolint:staticcheck // the tests' own toolchain is meant
	p, err := project.Open(dir)
	if err != nil {
		b.Skip(err)
	}
	defer p.Close()
	s, err := sqlite.Open(sqlite.Options{Home: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	g, err := explore.Open(b.Context(), p, s, explore.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer g.Close()
	texts := questionsOf(b, g)
	for depth, name := range []string{"search", "graph"} {
		b.Run(name, func(b *testing.B) {
			opts := rag.Defaults()
			opts.FusionDepth, opts.NoCache = depth, true
			ask := func(text string) time.Duration {
				begin := time.Now()
				if _, err := rag.Query(b.Context(), g, text, opts); err != nil {
					b.Fatal(err)
				}
				return time.Since(begin)
			}
			for _, text := range texts { // so that what is read of the disk is there
				ask(text)
			}
			var took []time.Duration
			for b.Loop() {
				for _, text := range texts {
					took = append(took, ask(text))
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}

// questionsOf are the first sentences of functions' documentation, from all over the
// code.
func questionsOf(b *testing.B, g *explore.Graph) (texts []string) {
	b.Helper()
	ids, err := g.Reader().Labelled(b.Context(), codegraph.LabelFunction, codegraph.LabelMethod)
	if err != nil {
		b.Fatal(err)
	}
	const wanted = 200
	for at := 0; at < len(ids) && len(texts) < wanted; at += max(1, len(ids)/(4*wanted)) {
		nodes, err := g.Reader().Nodes(b.Context(), ids[at:at+1])
		if err != nil {
			b.Fatal(err)
		}
		_, text, _ := strings.Cut(nodes[0].Doc, " ") // without the function's name
		text, _, _ = strings.Cut(text, ".")
		if len(text) > 20 {
			texts = append(texts, strings.Join(strings.Fields(text), " "))
		}
	}
	return texts
}
