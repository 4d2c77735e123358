package batch_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/batch"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

// stop returns a context that ends when n modules have started.
func stop(t *testing.T, n int) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	var mu sync.Mutex
	begun := 0
	return progress.With(ctx, func(e progress.Event) {
		mu.Lock()
		defer mu.Unlock()
		if e.Stage == "generate" {
			if begun++; begun > n {
				cancel()
			}
		}
	})
}

func checkpoint(t *testing.T, p *project.Project) (done []string) {
	t.Helper()
	var state struct {
		BatchID          string
		ProjectRoot      string
		TotalModules     int
		ProcessingOrder  []string
		CompletedModules []struct{ Path, SpecPath, CompletedAt string }
	}
	if err := json.Unmarshal([]byte(read(t, p, "specs/.reverse-spec-checkpoint.json")), &state); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(order, state.ProcessingOrder); diff != "" || state.TotalModules != 5 || !strings.HasPrefix(state.BatchID, "batch-") {
		t.Errorf("checkpoint %+v", state)
	}
	for _, m := range state.CompletedModules {
		done = append(done, m.Path)
	}
	return done
}

func TestKilledRunResumes(t *testing.T) {
	for _, force := range []bool{false, true} {
		t.Run(fmt.Sprintf("force=%t", force), func(t *testing.T) {
			t.Setenv("ANTHROPIC_API_KEY", "none")
			p := newProject(t, shop)
			if force {
				run(t, p, batch.Options{})
			}
			r, err := batch.Run(stop(t, 2), p, batch.Options{Workers: 1, Force: force})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("error %v", err)
			}
			checkResult(t, r, batch.Result{TotalModules: 5, Successful: []string{"log", "money"}, LeftOut: leftOut})
			if diff := cmp.Diff([]string{"log", "money"}, checkpoint(t, p)); diff != "" {
				t.Errorf("checkpoint (-want +got):\n%s", diff)
			}
			write(t, filepath.Join(p.Root(), "money", "more.go"), "package money\n")

			var redone []string
			r = run(t, p, batch.Options{Workers: 1, Force: force, Generate: func(ctx context.Context, p *project.Project, tree *source.Tree, opts spec.GenerateOptions) (*spec.GenerateResult, error) {
				redone = append(redone, tree.Target)
				return spec.GenerateTree(ctx, p, tree, opts)
			}})
			checkResult(t, r, batch.Result{TotalModules: 5, Successful: order, IndexGenerated: true, Resumed: true, LeftOut: leftOut})
			if diff := cmp.Diff([]string{"money", "cart", "web", "."}, redone); diff != "" {
				t.Errorf("redone (-want +got):\n%s", diff)
			}
			if exists(p, "specs/.reverse-spec-checkpoint.json") {
				t.Error("the checkpoint is still there")
			}
		})
	}
}

// TestForceDoesNotResumeARunWithoutForce: a run with Force must not reuse the work of one
// without.
func TestForceDoesNotResumeARunWithoutForce(t *testing.T) {
	p := newProject(t, shop)
	if _, err := batch.Run(stop(t, 2), p, batch.Options{Workers: 1}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	r := run(t, p, batch.Options{Force: true})
	checkResult(t, r, batch.Result{TotalModules: 5, Successful: order, IndexGenerated: true, LeftOut: leftOut})
}

func TestDamagedCheckpointIsAWarning(t *testing.T) {
	p := newProject(t, shop)
	write(t, filepath.Join(p.Root(), "specs", ".reverse-spec-checkpoint.json"), `{"batchId": "batch-1", "comp`)
	r := run(t, p, batch.Options{})
	if len(r.Successful) != 5 || r.Resumed || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "checkpoint") {
		t.Errorf("result %+v", r)
	}
}

// failing fails for some modules and writes the others.
func failing(failures map[string]func() error) func(context.Context, *project.Project, *source.Tree, spec.GenerateOptions) (*spec.GenerateResult, error) {
	return func(ctx context.Context, p *project.Project, tree *source.Tree, opts spec.GenerateOptions) (*spec.GenerateResult, error) {
		if f := failures[tree.Target]; f != nil {
			if err := f(); err != nil {
				return nil, err
			}
		}
		return spec.GenerateTree(ctx, p, tree, opts)
	}
}

func TestOneFailureDoesNotStopTheOthers(t *testing.T) {
	p := newProject(t, shop)
	bad := failing(map[string]func() error{
		"log":  func() error { return errors.New("disk | full") },
		"cart": func() error { panic("index out of range") },
	})
	want := batch.Result{
		TotalModules: 5, Successful: []string{"money", "web", "."},
		Failed:         []batch.Failed{{Path: "log", Error: "disk | full"}, {Path: "cart", Error: "内部错误: index out of range"}},
		IndexGenerated: true, LeftOut: leftOut,
	}
	r := run(t, p, batch.Options{Generate: bad, Lang: "zh", Summary: true})
	checkResult(t, r, want)
	if done := checkpoint(t, p); !slices.Equal(done, []string{"money", "web", "."}) {
		t.Errorf("checkpoint %v", done)
	}
	summary := read(t, p, r.SummaryLogPath)
	for _, want := range []string{"# 批处理摘要日志", "| 成功 | 3 |", "| 失败 | 2 |", "| `log` | disk \\| full | 0 |", "| 仅含测试的文件夹 | 1 |"} {
		if !strings.Contains(summary, want) {
			t.Errorf("the summary lacks %q:\n%s", want, summary)
		}
	}
	if index := read(t, p, "specs/_index.spec.md"); strings.Contains(index, "](log.spec.md)") || !strings.Contains(index, "| `log` |") {
		t.Errorf("the index leads to a spec that is not there:\n%s", index)
	}

	want.Resumed = true
	want.Failed = []batch.Failed{{Path: "log", Error: "disk | full", RetryCount: 1}, {Path: "cart", Error: "内部错误: index out of range", RetryCount: 1}}
	checkResult(t, run(t, p, batch.Options{Generate: bad, Lang: "zh"}), want)

	checkResult(t, run(t, p, batch.Options{Lang: "zh"}), batch.Result{
		TotalModules: 5, Successful: order, IndexGenerated: true, Resumed: true, LeftOut: leftOut,
	})
}

// TestForeignFileIsLeftAlone: the path of a spec is taken by another file.
func TestForeignFileIsLeftAlone(t *testing.T) {
	p := newProject(t, shop)
	write(t, filepath.Join(p.Root(), "specs", "log.spec.md"), "# mine\n")
	r := run(t, p, batch.Options{Force: true})
	if len(r.Failed) != 1 || r.Failed[0].Path != "log" || len(r.Successful) != 4 {
		t.Errorf("result %+v", r)
	}
	if text := read(t, p, "specs/log.spec.md"); text != "# mine\n" {
		t.Errorf("overwritten with %q", text)
	}
}
