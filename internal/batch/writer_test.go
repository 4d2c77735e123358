package batch_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/batch"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// scribe is a writer with a fixed answer that fails for some modules.
type scribe struct {
	mu    sync.Mutex
	fails map[string]func() error
	asked []string
}

func (s *scribe) Name() string { return "test/scribe" }

func (s *scribe) Write(ctx context.Context, task spec.Task) (spec.Written, error) {
	_, name, _ := strings.Cut(task.Text, "The module is `")
	name, _, _ = strings.Cut(name, "`")
	s.mu.Lock()
	s.asked = append(s.asked, name)
	s.mu.Unlock()
	progress.Report(ctx, progress.Event{Stage: "model", Item: s.Name(), Done: 100})
	if f := s.fails[name]; f != nil {
		if err := f(); err != nil {
			return spec.Written{}, err
		}
	}
	answer := `{"intent": [{"text": "It is written about.", "cites": [], "inferred": true}], "requirements": [],
		"business_logic": [], "constraints": [], "edge_cases": [], "technical_debt": []}`
	return spec.Written{Answer: json.RawMessage(answer), Usage: spec.Usage{Input: 10, Output: 2}}, nil
}

// TestFailingWriterLosesOnlyTheProse: the spec is written without it, and the result says so.
func TestFailingWriterLosesOnlyTheProse(t *testing.T) {
	p := newProject(t, shop)
	w := &scribe{fails: map[string]func() error{
		"cart": func() error { return errors.New("the service is down") },
		"web":  func() error { panic("a fault of the writer") },
	}}
	r := run(t, p, batch.Options{Now: clock(), Writer: w})
	checkResult(t, r, batch.Result{
		TotalModules: 5, Successful: order, Degraded: []string{"cart", "web"}, IndexGenerated: true, LeftOut: leftOut,
		Warnings: []string{
			"the service is down; the spec holds what the code proves",
			"internal error: a fault of the writer",
		},
	})
	want := map[string]bool{"_root": true, "log": true, "money": true, "cart": false, "web": false}
	got := map[string]bool{}
	for file := range want {
		got[file] = strings.Contains(read(t, p, "specs/"+file+".spec.md"), "It is written about.")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("specs with prose (-want +got):\n%s", diff)
	}
	if text := read(t, p, "specs/cart.spec.md"); !strings.Contains(text, "\n[LLM UNAVAILABLE — pending enrichment]\n") || !strings.Contains(text, "confidence: low") {
		t.Errorf("cart's spec does not say that nobody wrote:\n%s", text)
	}
}

// TestSpecsAwaitingAWriterAreRewritten once there is a writer.
func TestSpecsAwaitingAWriterAreRewritten(t *testing.T) {
	p := newProject(t, shop)
	down := func() error { return errors.New("the service is down") }
	run(t, p, batch.Options{Writer: &scribe{fails: map[string]func() error{"cart": down}}})
	r := run(t, p, batch.Options{})
	checkResult(t, r, batch.Result{TotalModules: 5, Skipped: order, IndexGenerated: true, LeftOut: leftOut})

	w := &scribe{}
	r = run(t, p, batch.Options{Writer: w})
	checkResult(t, r, batch.Result{
		TotalModules: 5, Successful: []string{"cart"}, Skipped: []string{"log", "money", "web", "."}, IndexGenerated: true, LeftOut: leftOut,
	})
	if diff := cmp.Diff([]string{"cart"}, w.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

// TestNotesAreWarnings: the reason for a missing writer is reported once, not per module.
func TestNotesAreWarnings(t *testing.T) {
	p := newProject(t, shop)
	notes := []string{"未检测到 ANTHROPIC_API_KEY"}
	r := run(t, p, batch.Options{Notes: notes, Summary: true})
	if diff := cmp.Diff(notes, r.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if summary := read(t, p, r.SummaryLogPath); !strings.Contains(summary, "\n- 未检测到 ANTHROPIC_API_KEY\n") {
		t.Errorf("the summary lacks the note:\n%s", summary)
	}
}

func TestProgressIsReported(t *testing.T) {
	p := newProject(t, shop)
	var got []progress.Event
	ctx := progress.With(t.Context(), func(e progress.Event) {
		if e.Stage == "generate" {
			got = append(got, e)
		}
	})
	if _, err := batch.Run(ctx, p, batch.Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	var want []progress.Event
	for i, m := range order {
		want = append(want, progress.Event{Stage: "generate", Item: m, Done: i, Total: 5})
	}
	want = append(want, progress.Event{Stage: "generate", Done: 5, Total: 5})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestProgressOfAWriterCountsModules, not the writer's own units.
func TestProgressOfAWriterCountsModules(t *testing.T) {
	p := newProject(t, "-- a/a.go --\npackage a\n-- b/b.go --\npackage b\n")
	var got []progress.Event
	ctx := progress.With(t.Context(), func(e progress.Event) {
		if e.Stage != "parse" {
			got = append(got, e)
		}
	})
	if _, err := batch.Run(ctx, p, batch.Options{Workers: 1, Writer: &scribe{}}); err != nil {
		t.Fatal(err)
	}
	want := []progress.Event{
		{Stage: "generate", Item: "a", Done: 0, Total: 2},
		{Stage: "generate", Item: "a (test/scribe)", Done: 0, Total: 2},
		{Stage: "generate", Item: "b", Done: 1, Total: 2},
		{Stage: "generate", Item: "b (test/scribe)", Done: 1, Total: 2},
		{Stage: "generate", Done: 2, Total: 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestEstimatePredictsRun: the same modules and reasons, nothing written, no requests, and the
// number of tokens that the writer then gets.
func TestEstimatePredictsRun(t *testing.T) {
	p := newProject(t, shop)
	w := &scribe{fails: map[string]func() error{"cart": func() error { return errors.New("down") }}}
	before := estimate(t, p, batch.Options{Writer: w})
	if w.asked != nil || exists(p, "specs") {
		t.Errorf("the writer was asked of %v; specs are there: %t", w.asked, exists(p, "specs"))
	}
	want := map[string]batch.Reason{".": batch.New, "cart": batch.New, "log": batch.New, "money": batch.New, "web": batch.New}
	if diff := cmp.Diff(want, reasons(before)); diff != "" || before.Unchanged != 0 || before.Requests != 5 || before.Writer != "test/scribe" {
		t.Errorf("estimate %+v, reasons (-want +got):\n%s", before, diff)
	}
	sum := 0
	for _, m := range before.Modules {
		if m.Tokens < 100 || m.Requests != 1 {
			t.Errorf("%s: %d tokens in %d requests", m.Path, m.Tokens, m.Requests)
		}
		sum += m.Tokens
	}
	if before.Tokens != sum {
		t.Errorf("%d tokens in all, the modules have %d", before.Tokens, sum)
	}

	run(t, p, batch.Options{Writer: w})
	write(t, p.Root()+"/log/log.go", "package log\n")
	text := read(t, p, "specs/money.spec.md")
	write(t, p.Root()+"/specs/money.spec.md", strings.Replace(text, spec.Generator, "reverse-spec v1.0", 1))
	want = map[string]batch.Reason{"log": batch.Changed, "money": batch.Outdated, "cart": batch.Awaiting}
	if diff := cmp.Diff(want, reasons(estimate(t, p, batch.Options{Writer: w}))); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
	want = map[string]batch.Reason{"log": batch.Changed, "money": batch.Outdated, "cart": batch.Forced, "web": batch.Forced, ".": batch.Forced}
	if diff := cmp.Diff(want, reasons(estimate(t, p, batch.Options{Force: true}))); diff != "" {
		t.Errorf("reasons with force (-want +got):\n%s", diff)
	}
}

func estimate(t *testing.T, p *project.Project, opts batch.Options) *batch.Estimated {
	t.Helper()
	e, err := batch.Estimate(t.Context(), p, opts)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func reasons(e *batch.Estimated) map[string]batch.Reason {
	out := map[string]batch.Reason{}
	for _, m := range e.Modules {
		out[m.Path] = m.Reason
	}
	return out
}

// TestNoAnswerIsAskedForTwice: an interrupted run with a writer has recorded all finished
// modules.
func TestNoAnswerIsAskedForTwice(t *testing.T) {
	for _, force := range []bool{false, true} {
		p := newProject(t, shop)
		run(t, p, batch.Options{})
		write(t, p.Root()+"/log/log.go", "package log\n\n// Print is another.\nfunc Print() {}\n")
		w := &scribe{}
		if _, err := batch.Run(stop(t, 4), p, batch.Options{Workers: 1, Writer: w, Force: force}); force != errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		run(t, p, batch.Options{Workers: 1, Writer: w, Force: force})
		want := map[bool][]string{false: {"log"}, true: order}[force]
		slices.Sort(w.asked)
		times := map[string]int{}
		for _, name := range w.asked {
			times[name]++
		}
		if len(times) != len(want) || slices.Max(slices.Collect(maps.Values(times))) != 1 {
			t.Errorf("force %t: asked %v, want %v", force, w.asked, want)
		}
	}
}
