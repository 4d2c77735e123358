package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/batch"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/llmtest"
	"github.com/reverse-spec/reverse-spec/spec"
)

// kills is the number of kills per batch, and jobs the number of parallel modules.
const (
	kills = 3
	jobs  = 2
)

// TestKilledBatchLosesNothing kills a batch with a model at random moments and resumes it. The
// result must equal that of an undisturbed run except for times. A module is sent once, and
// again for each kill between its answer and its spec.
//
// REVERSE_SPEC_BATCH_KILLS sets the number of kills and uses three trees of Go's standard
// library instead of eight small modules; SEED selects other moments.
func TestKilledBatchLosesNothing(t *testing.T) {
	copies, times := smallModules, kills
	if n, err := strconv.Atoi(os.Getenv("REVERSE_SPEC_BATCH_KILLS")); err == nil {
		copies, times = standardTrees, n
	}
	seed, _ := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	rng := rand.New(rand.NewPCG(seed, 0))
	model := newCensus(t)
	undisturbed, killed := filepath.Join(t.TempDir(), "std"), filepath.Join(t.TempDir(), "std")
	copies(t, undisturbed)
	copies(t, killed)

	begin := time.Now()
	want := finish(t, model, undisturbed)
	took := time.Since(begin)
	if n := len(want.Successful); n != want.TotalModules || len(want.Degraded) > 0 || len(model.asked) != n {
		t.Fatalf("undisturbed: %+v; asked about %d modules", want, len(model.asked))
	}
	model.forget()
	again := map[string]int{}
	for range times {
		lost := killOnce(t, model, killed, rng, 2*want.TotalModules/times, took)
		if len(lost) > jobs {
			t.Errorf("a kill cost %d modules: %v", len(lost), lost)
		}
		for _, m := range lost {
			again[m]++
		}
	}
	got := finish(t, model, killed)
	if n := len(got.Successful) + len(got.Skipped); n != want.TotalModules || got.TotalModules != n || len(got.Degraded) > 0 {
		t.Errorf("after %d kills: %+v", times, got)
	}
	for _, m := range want.Successful {
		if model.asked[m] != 1+again[m] {
			t.Errorf("%s: asked %d times, lost by %d kills", m, model.asked[m], again[m])
		}
	}
	if diff := cmp.Diff(timeless(t, undisturbed), timeless(t, killed)); diff != "" {
		t.Errorf("specs (-undisturbed +killed):\n%s", diff)
	}
	t.Logf("%d modules, %d kills, %d answers lost, undisturbed %s", want.TotalModules, times, added(again), took.Round(time.Millisecond))
}

func added(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// census is a model that counts requests per module.
type census struct {
	url string

	mu    sync.Mutex
	asked map[string]int
	total int
	kill  func(total int) // called for each request before it is answered
}

func newCensus(t *testing.T) *census {
	c := &census{asked: map[string]int{}}
	s := llmtest.StartFunc(c.answer)
	t.Cleanup(s.Close)
	c.url = s.URL
	return c
}

func (c *census) answer(r llmtest.Request) llmtest.Reply {
	_, name, _ := strings.Cut(r.Messages[0].Text, "The module is `")
	name, _, _ = strings.Cut(name, "`")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[name]++
	c.total++
	if c.kill != nil {
		c.kill(c.total)
	}
	text, _ := json.Marshal("It is what " + name + " is.")
	return llmtest.Reply{Usage: llm.Usage{Input: 10, Output: 3}, JSON: `{"intent": [{"text": ` + string(text) + `, "cites": [], "inferred": true}],
		"requirements": [], "business_logic": [], "constraints": [], "edge_cases": [], "technical_debt": []}`}
}

// forget resets the counts.
func (c *census) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.total, c.kill = map[string]int{}, 0, nil
}

// counts returns a copy of the counts.
func (c *census) counts() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.asked)
}

// command returns a command that runs the program on a project.
func (c *census) command(t *testing.T, project string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Args = []string{"reverse-spec", "batch", "--provider", "anthropic", "--jobs", strconv.Itoa(jobs), "--json", project}
	cmd.Env = append(os.Environ(), "ANTHROPIC_API_KEY=sk-ant-test", "ANTHROPIC_BASE_URL="+c.url, "HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())
	return cmd
}

// finish runs a batch to completion.
func finish(t *testing.T, c *census, project string) *batch.Result {
	t.Helper()
	cmd := c.command(t, project)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	r := &batch.Result{}
	if err != nil || json.Unmarshal(out, r) != nil {
		t.Fatalf("batch: %v\n%s%s", err, errs.String(), out)
	}
	return r
}

// killOnce starts a batch, kills it at a random moment, and returns the modules whose requests
// were lost. The moment is a random time after the start or after one of the next few
// requests.
func killOnce(t *testing.T, c *census, project string, rng *rand.Rand, few int, took time.Duration) (lost []string) {
	t.Helper()
	cmd := c.command(t, project)
	before := c.counts()
	nth, later := added(before)+rng.IntN(few+1), time.Duration(rng.Int64N(int64(20*time.Millisecond)))
	var once sync.Once
	kill := func(after time.Duration) {
		once.Do(func() { time.AfterFunc(after, func() { _ = cmd.Process.Kill() }) })
	}
	started := make(chan struct{})
	c.mu.Lock()
	c.kill = func(total int) {
		<-started
		if total == nth {
			kill(later)
		}
	}
	c.mu.Unlock()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	close(started)
	if nth == added(before) {
		kill(time.Duration(rng.Int64N(int64(took / 4))))
	}
	_ = cmd.Wait() // it was killed, or had nothing left to do
	for m, n := range c.counts() {
		if _, err := os.Stat(filepath.Join(project, spec.PathFor(spec.DefaultOutputDir, m))); err != nil && n > before[m] {
			lost = append(lost, m)
		}
	}
	slices.Sort(lost)
	return lost
}

// timeless returns the specs of a project without times, and without the summaries of runs.
func timeless(t *testing.T, project string) map[string]string {
	t.Helper()
	moment := regexp.MustCompile(`\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?`)
	out := map[string]string{}
	dir := filepath.Join(project, spec.DefaultOutputDir)
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), "batch-summary-") {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		out[strings.TrimPrefix(file, dir)] = moment.ReplaceAllString(string(text), "TIME")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// smallModules writes eight modules, most of them with dependencies.
func smallModules(t *testing.T, dir string) {
	t.Helper()
	files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n"}
	for i := range 8 {
		text := fmt.Sprintf("// Package m%d is number %d.\npackage m%d\n", i, i, i)
		if i > 1 {
			text += fmt.Sprintf("\nimport \"example.com/m/m%d\"\n\n// Do does.\nfunc Do() { m%d.Do() }\n", i-2, i-2)
		} else {
			text += "\n// Do does.\nfunc Do() {}\n"
		}
		files[fmt.Sprintf("m%d/m%d.go", i, i)] = text
	}
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// standardTrees copies three trees of the standard library.
func standardTrees(t *testing.T, dir string) {
	t.Helper()
	root := filepath.Join(runtime.GOROOT(), "src") //nolint:staticcheck // the tests' own toolchain is meant
	for _, tree := range []string{"net", "go", "encoding"} {
		if err := os.CopyFS(filepath.Join(dir, tree), os.DirFS(filepath.Join(root, tree))); err != nil {
			t.Skipf("the standard library's sources cannot be copied: %v", err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module std\n\ngo 1.26\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
