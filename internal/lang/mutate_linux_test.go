package lang_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// The limits of processor time and memory for a file, however broken. Small files count as
// leastMemory bytes.
const (
	maxCPU      = time.Second // per cpuUnit bytes
	cpuUnit     = 100_000
	maxMemory   = 250       // times the size of the file: up to 152 for the parser, the rest for the result
	leastMemory = 256 << 10 // shorter texts are repeated, so that the constant part is small
)

// mutateVariable is the time that TestMutatedFiles takes for each language: "10m".
// REVERSE_SPEC_LANGUAGE selects one language, REVERSE_SPEC_SEED other mutations.
const mutateVariable = "REVERSE_SPEC_MUTATE"

// TestMutatedFiles reads public code with random mistakes and checks that there is no crash,
// that symbols are within the text, and that processor time and memory are bounded.
func TestMutatedFiles(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv(mutateVariable))
	if err != nil {
		t.Skipf("%s does not say how long to run for each language", mutateVariable)
	}
	seed, _ := strconv.ParseUint(os.Getenv("REVERSE_SPEC_SEED"), 10, 64)
	done := map[string]bool{}
	for _, l := range lang.Languages() {
		if only := os.Getenv("REVERSE_SPEC_LANGUAGE"); done[l.Name] || only != "" && only != l.Name {
			continue
		}
		done[l.Name] = true
		t.Run(l.Name, func(t *testing.T) {
			m := mutator{Rand: rand.New(rand.NewPCG(seed, 1)), language: l.Name}
			for _, b := range publicCode(t, l.Name) {
				m.files = append(m.files, b.files...)
			}
			m.run(t, length)
		})
	}
}

// mutator inserts mistakes into files and measures the cost of reading them.
type mutator struct {
	*rand.Rand
	language           string
	files              []text
	cases              int
	slowest, heaviest  float64 // the maxima: seconds of processor time per cpuUnit bytes; memory in multiples of the file
	weights            []float64
	slowFile, heavyOne string
}

func (m *mutator) run(t *testing.T, length time.Duration) {
	runtime.LockOSThread() // so that the processor time is that of this test
	defer runtime.UnlockOSThread()
	for end := time.Now().Add(length); time.Now().Before(end) && !t.Failed(); m.cases++ {
		f := m.files[m.IntN(len(m.files))]
		src := bytes.Clone(f.src)
		for range 1 + m.IntN(4) {
			src = m.mutate(src)
		}
		m.read(t, f.path, src)
	}
	slices.Sort(m.weights)
	share, _ := slices.BinarySearch(m.weights, 50)
	t.Logf("%s: %d cases; at most %.2f s of processor time for 100 kB (%s), memory at most %.0f times the file (%s), up to 50 times in %d of %d",
		m.language, m.cases, m.slowest, m.slowFile, m.heaviest, m.heavyOne, share, len(m.weights))
}

// Memory is measured for one in so many cases, since it takes time, and only for files of at
// least so many bytes, since in short ones the mistakes are most of the text.
const (
	weighed   = 20
	weighable = 8 << 10
)

// read reads one text and checks the limits.
func (m *mutator) read(t *testing.T, name string, src []byte) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: panic: %v\n%s", m.keep(name, src), p, debug.Stack())
		}
	}()
	before, percent := 0, 0
	if len(src) >= weighable && m.IntN(weighed) == 0 {
		src = bytes.Repeat(src, 1+leastMemory/len(src))
		percent = debug.SetGCPercent(10) // count memory in use, not garbage
		before = resetPeak()
	}
	start := processorTime()
	f, err := lang.Parse(t.Context(), name, src, lang.All)
	spent := processorTime() - start
	if before > 0 {
		debug.SetGCPercent(percent)
		times := float64(peak()-before) / float64(len(src))
		m.weights = append(m.weights, times)
		if times > m.heaviest {
			m.heaviest, m.heavyOne = times, name
		}
		if m.heaviest > maxMemory {
			t.Errorf("%s: memory of %.0f times the file", m.keep(name, src), m.heaviest)
		}
	}
	units := max(1, float64(len(src))/cpuUnit)
	if s := spent.Seconds() / units; s > m.slowest {
		m.slowest, m.slowFile = s, name
	}
	if m.slowest > maxCPU.Seconds() {
		t.Errorf("%s: %v of processor time for %d bytes", m.keep(name, src), spent, len(src))
	}
	if err == nil {
		inText(t, f.Symbols, f.LOC)
	}
	if t.Failed() {
		t.Logf("the text is kept in %s", m.keep(name, src))
	}
}

// keep writes a failing text beside the reports and returns its path.
func (m *mutator) keep(name string, src []byte) string {
	dir := filepath.Join(os.Getenv(corporaVariable), "reports", "failed")
	_ = os.MkdirAll(dir, 0o755)
	file := filepath.Join(dir, fmt.Sprintf("%s-%d%s", m.language, m.cases, path.Ext(name)))
	_ = os.WriteFile(file, src, 0o600)
	return file
}

// span returns a random range of a text, usually a short one.
func (m *mutator) span(src []byte) (from, to int) {
	if len(src) == 0 {
		return 0, 0
	}
	from = m.IntN(len(src))
	size := 1 + m.IntN(8)
	if m.IntN(4) == 0 {
		size = 1 + m.IntN(len(src)/4+1)
	}
	return from, min(from+size, len(src))
}

// mutate makes one mistake in a text.
func (m *mutator) mutate(src []byte) []byte {
	from, to := m.span(src)
	piece := string(src[from:to])
	with := func(middle string) []byte { return []byte(string(src[:from]) + middle + string(src[to:])) }
	switch m.IntN(11) {
	case 0:
		return with("")
	case 1:
		return with(piece + piece)
	case 2: // truncated, as if still being typed
		return src[:from]
	case 3:
		tokens := strings.Fields("( ) [ ] { } < > \" ' ` ; : , . / /* */ // # @ $ \\ = => -> ? ! | & ${ #{ <<<A \"\"\" end if class def fun func struct template operator")
		return with(tokens[m.IntN(len(tokens))] + piece)
	case 4: // remove all tokens of one kind
		return bytes.ReplaceAll(src, []byte{"()[]{};:,\"'<>="[m.IntN(14)]}, nil)
	case 5: // insert the start of another file
		other := m.files[m.IntN(len(m.files))].src
		return with(string(other[:m.IntN(len(other)+1)]))
	case 6:
		return with(strings.Repeat(piece[:min(len(piece), 8)], 1+m.IntN(200)))
	case 7:
		return bytes.ReplaceAll(src, []byte("\n"), []byte(" "))
	case 8:
		a, b := m.span(src)
		return with(string(src[a:b]))
	case 9:
		return with(string([]byte{byte(m.IntN(256)), byte(m.IntN(256))}))
	default: // remove a line
		rows := bytes.SplitAfter(src, []byte("\n"))
		i := m.IntN(len(rows))
		return bytes.Join(append(rows[:i:i], rows[i+1:]...), nil)
	}
}

// processorTime returns the processor time used by this thread.
func processorTime() time.Duration {
	var use syscall.Rusage
	const thread = 1
	if err := syscall.Getrusage(thread, &use); err != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// resetPeak returns unused memory to the system, resets [peak], and returns the number of
// bytes in use; 0 if the system does not report it.
func resetPeak() int {
	debug.FreeOSMemory()
	if os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) != nil {
		return 0
	}
	return status("VmRSS:")
}

// peak returns the maximum number of bytes in use since [resetPeak].
func peak() int { return status("VmHWM:") }

func status(label string) int {
	data, _ := os.ReadFile("/proc/self/status")
	for row := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(row, label); ok {
			kB, _ := strconv.Atoi(strings.Fields(rest)[0])
			return kB << 10
		}
	}
	return 0
}
