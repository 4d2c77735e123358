//go:build unix

package lang_test

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// BenchmarkOneWalk compares reading all parts at once with reading facts, and bodies and hashes, in two walks. The
// metrics are ratios of processor time: of one walk to the slower of the two, and to both; those of the parts alone
// are to symbols without parts.
func BenchmarkOneWalk(b *testing.B) {
	for _, o := range opinions() {
		b.Run(o.language, func(b *testing.B) {
			files := benchText(b, o.language)
			cost := map[lang.Parts]time.Duration{}
			for b.Loop() {
				for _, parts := range []lang.Parts{0, lang.Facts, lang.Bodies, lang.Hashes, lang.Bodies | lang.Hashes, lang.All} {
					runtime.GC()
					start := spent(b)
					for _, f := range files {
						if _, err := lang.Parse(b.Context(), f.path, f.src, parts); err != nil {
							b.Fatal(err)
						}
					}
					cost[parts] += spent(b) - start
				}
			}
			ratio := func(part, whole time.Duration) float64 { return float64(part) / float64(whole) }
			facts, rest := cost[lang.Facts], cost[lang.Bodies|lang.Hashes]
			b.ReportMetric(ratio(cost[lang.All], max(facts, rest)), "one/slower")
			b.ReportMetric(ratio(cost[lang.All], facts+rest), "one/both")
			b.ReportMetric(ratio(facts, cost[0]), "facts/none")
			b.ReportMetric(ratio(cost[lang.Bodies], cost[0]), "bodies/none")
			b.ReportMetric(ratio(cost[lang.Hashes], cost[0]), "hashes/none")
		})
	}
}

// spent returns the processor time of this process, that of the garbage collector included.
func spent(b *testing.B) time.Duration {
	b.Helper()
	var use unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
