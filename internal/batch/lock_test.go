package batch_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/batch"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

const lockPath = "specs/.reverse-spec-batch.lock"

func TestTwoBatchesDoNotRunAtOnce(t *testing.T) {
	p := newProject(t, shop)
	at := time.Date(2026, 2, 14, 12, 0, 0, 0, time.UTC)
	tried := false
	var second error
	run(t, p, batch.Options{Workers: 1, Now: func() time.Time { return at }, Generate: func(ctx context.Context, p *project.Project, tree *source.Tree, opts spec.GenerateOptions) (*spec.GenerateResult, error) {
		if !tried {
			tried = true
			_, second = batch.Run(ctx, p, batch.Options{})
		}
		return spec.GenerateTree(ctx, p, tree, opts)
	}})
	running := (*batch.RunningError)(nil)
	if !errors.As(second, &running) {
		t.Fatalf("error %v", second)
	}
	want := fmt.Sprintf("another batch is running: pid %d since 2026-02-14T12:00:00Z", os.Getpid())
	if second.Error() != want || running.Hint().Empty() {
		t.Errorf("error %q, want %q", second.Error(), want)
	}
	if exists(p, lockPath) {
		t.Error("the lock is still there")
	}
	run(t, p, batch.Options{})
}

// TestLockOfADeadProcessIsTakenOver: the process that held it is gone.
func TestLockOfADeadProcessIsTakenOver(t *testing.T) {
	p := newProject(t, shop)
	write(t, filepath.Join(p.Root(), lockPath), `{"pid": 4242, "startedAt": "2026-02-14T11:00:00Z"}`)
	r := run(t, p, batch.Options{})
	if len(r.Successful) != 5 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "pid 4242 since 2026-02-14T11:00:00Z") {
		t.Errorf("result %+v", r)
	}
	if exists(p, lockPath) {
		t.Error("the lock is still there")
	}
}

// TestKilledProcessLeavesAResumableState runs a batch in a child process and kills it midway,
// without clean-up.
func TestKilledProcessLeavesAResumableState(t *testing.T) {
	if dir := os.Getenv("BATCH_TEST_PROJECT"); dir != "" {
		hang(t, dir)
		return
	}
	p := newProject(t, shop)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestKilledProcessLeavesAResumableState$")
	cmd.Env = append(os.Environ(), "BATCH_TEST_PROJECT="+p.Root())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil { // it hangs now
		t.Fatal(err)
	}
	running := (*batch.RunningError)(nil)
	if _, err := batch.Run(t.Context(), p, batch.Options{}); !errors.As(err, &running) || running.PID != cmd.Process.Pid {
		t.Errorf("while it runs: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	r := run(t, p, batch.Options{})
	if len(r.Successful)+len(r.Skipped) != 5 || len(r.Failed) != 0 || !r.Resumed || len(r.Warnings) != 1 {
		t.Errorf("result %+v", r)
	}
	if exists(p, lockPath) || exists(p, "specs/.reverse-spec-checkpoint.json") {
		t.Error("lock or checkpoint are still there")
	}
}

// hang runs a batch that blocks in its third module.
func hang(t *testing.T, dir string) {
	_, err := batch.Run(t.Context(), open(t, dir), batch.Options{Workers: 1, Generate: func(ctx context.Context, p *project.Project, tree *source.Tree, opts spec.GenerateOptions) (*spec.GenerateResult, error) {
		if tree.Target == "cart" {
			if _, err := os.Stdout.WriteString("x"); err != nil {
				return nil, err
			}
			<-ctx.Done()
		}
		return spec.GenerateTree(ctx, p, tree, opts)
	}})
	t.Log(err)
}
