package contracttest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/scratch"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/procgroup"
)

// grace is the time that a terminated test has to exit, and the time to wait for the end of
// its output.
const grace = 2 * time.Second

// sandbox is the environment that tests run in.
type sandbox struct {
	bash    string
	root    string // of the project
	scratch string // a folder for scripts, removed at the end
	folder  *scratch.Folder
	env     []string
	timeout time.Duration
	last    atomic.Int64
}

// newSandbox creates the environment. The caller must close it.
func newSandbox(root string, opts Options) (*sandbox, error) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		return nil, message.Errorf("contract tests are run by bash, which is not on PATH: %w", err)
	}
	folder, err := scratch.Make("reverse-spec-verify-")
	if err != nil {
		return nil, message.Errorf("make a folder for scripts: %w", err)
	}
	b := &sandbox{bash: bash, root: root, scratch: folder.Path, folder: folder, timeout: opts.timeout()}
	path := os.Getenv("PATH")
	if opts.Program != "" {
		if err := aliasProgram(opts.Program, filepath.Join(b.scratch, "reverse-spec")); err != nil {
			return nil, errors.Join(message.Errorf("make a folder for scripts: %w", err), folder.Close())
		}
		path = b.scratch + string(os.PathListSeparator) + path
	}
	b.env = slices.Clip(append(os.Environ(), "PATH="+path, missingHandler)) // clipped, because each test appends to a copy
	return b, nil
}

func (b *sandbox) close() error { return b.folder.Close() }

// aliasProgram makes a program available under another name, by a link or else by a script.
func aliasProgram(program, name string) error {
	if os.Symlink(program, name) == nil {
		return nil
	}
	quoted := "'" + strings.ReplaceAll(filepath.ToSlash(program), "'", `'\''`) + "'"
	return os.WriteFile(name, []byte("#!/bin/sh\nexec "+quoted+" \"$@\"\n"), 0o700) // must be executable
}

// command is the package path of this program.
const command = "github.com/reverse-spec/reverse-spec/cmd/reverse-spec"

// Self returns the path of the running program if it is reverse-spec, whatever the file is
// called, so that scripts call the same program; otherwise, as in a test, "".
func Self() string {
	file, err := os.Executable()
	if err != nil {
		return ""
	}
	if built, ok := debug.ReadBuildInfo(); ok && built.Path == command || strings.TrimSuffix(filepath.Base(file), ".exe") == "reverse-spec" {
		return file
	}
	return ""
}

// run runs a test and records its outcome; it does nothing if ctx is done.
func (b *sandbox) run(ctx context.Context, t *Test) {
	if ctx.Err() != nil {
		return
	}
	if absent := absentOf(b.root, t.Needs); absent != "" {
		t.lack(ctx, absent)
		return
	}
	if strings.TrimSpace(t.Script) == "" {
		t.Outcome, t.Reason = Failed, message.Sprintf(ctx, "the test has no script")
		return
	}
	if t.measured != "" {
		measuring := *t
		if b.execute(ctx, &measuring, t.measured); measuring.Outcome == Passed || ctx.Err() != nil {
			*t = measuring
			return
		}
	}
	b.execute(ctx, t, t.Script) // what fails while coverage is measured may fail because of that
}

// execute runs the script of a test, or one like it, and records its outcome; it does nothing if ctx is done.
func (b *sandbox) execute(ctx context.Context, t *Test, script string) {
	start := time.Now()
	name := b.nextName()
	out, err := b.script(ctx, name, script)
	if ctx.Err() != nil {
		return
	}
	t.Millis = time.Since(start).Milliseconds()
	t.Output = out.text(message.From(ctx))
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		t.Outcome, t.Reason = TimedOut, message.Sprintf(ctx, "not done after %s", b.timeout)
	case errors.Is(err, errFlood):
		t.Outcome, t.Reason = Failed, message.Sprintf(ctx, "%v", err)
	case len(t.runs) > 0:
		b.judge(ctx, t, ended{err, t.Output, b.reportsOf(t, name+reportSuffix, out.whole.Bytes(), start)})
	case err == nil:
		t.Outcome = Passed
	default:
		t.judgeAlone(ctx, err)
	}
	if t.Outcome == Passed {
		t.Output = ""
		return
	}
	t.blame(ctx, missingIn(name+missingSuffix))
}

// judgeAlone judges a script of which nothing but its end is known.
func (t *Test) judgeAlone(ctx context.Context, err error) {
	const cannotSay = 2 // diff exits with 3 if it finds what it was asked for
	exit, exited := errors.AsType[*exec.ExitError](err)
	line := lastLine(t.Output)
	switch {
	case killed(err):
		t.block(ctx, message.New("the tool was killed: %v", err))
	case exited && exit.ExitCode() <= cannotSay && strings.HasPrefix(t.Script, interfaceTest):
		t.block(ctx, message.New("%s", line))
	case line != "":
		t.Outcome, t.Reason = Failed, message.Sprintf(ctx, "%v: %s", exitText(err), line)
	default:
		t.Outcome, t.Reason = Failed, message.Sprintf(ctx, "%v, and the test printed nothing", exitText(err))
	}
}

// interfaceTest begins the script of the test of the interface.
const interfaceTest = "reverse-spec diff "

// nextName returns a name for the files of a script.
func (b *sandbox) nextName() string {
	return filepath.Join(b.scratch, "contract-test-"+strconv.FormatInt(b.last.Add(1), 10))
}

// reportSuffix ends the name of the file for a tool's report.
const reportSuffix = ".report"

// lack records that a test was not run, or is not meaningful, because a program is missing.
func (t *Test) lack(ctx context.Context, absent string) {
	t.Absent = absent
	t.block(ctx, message.New("%s is not installed", absent))
}

// script runs one script until it ends or times out, and kills its process group. The error is
// nil for exit status 0, context.DeadlineExceeded, [errFlood], or an *exec.ExitError.
func (b *sandbox) script(ctx context.Context, name, script string) (*capture, error) {
	out := &capture{whole: &bytes.Buffer{}}
	if err := os.WriteFile(name+".sh", []byte(script+"\n"), 0o600); err != nil {
		return out, message.Errorf("write the script: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, b.timeout)
	defer cancel()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	cmd := exec.CommandContext(ctx, b.bash, "-eo", "pipefail", name+".sh")
	cmd.Dir = b.root
	cmd.Env = append(b.env, missingVariable+"="+name+missingSuffix, runner.ReportVariable+"="+name+reportSuffix)
	cmd.WaitDelay = grace
	procgroup.Own(cmd)
	r, w, err := os.Pipe() // exec's own pipe would wait for all processes that hold it
	if err != nil {
		return out, message.Errorf("make a pipe: %w", err)
	}
	cmd.Stdout, cmd.Stderr = w, w
	err = cmd.Start()
	_ = w.Close() // our copy; the script has its own
	if err != nil {
		return out, errors.Join(message.Errorf("start bash: %w", err), r.Close())
	}
	if strings.HasPrefix(script, interfaceTest) { // it ends before the tests that run beside it anyway, and must not hold them up
		procgroup.Lower(cmd)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		if _, err := io.Copy(out, r); errors.Is(err, errFlood) {
			end(errFlood)
		}
	}()
	err = cmd.Wait()
	procgroup.Kill(cmd)
	drain(r, read)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	return out, err
}

// drain waits for the rest of the output, but not for processes that left the group and still
// hold the stream.
func drain(r *os.File, read <-chan struct{}) {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-read:
		_ = r.Close()
	case <-timer.C:
		_ = r.Close() // ends the read
		<-read
	}
}
