package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// each runs the attacks of a class, four in parallel, each with its own run.
func (r *run) each(count int, attack func(r *run, i int)) { r.atOnce(4, count, attack) }

// atOnce is like each with a number of workers.
func (r *run) atOnce(workers, count int, attack func(r *run, i int)) {
	children := make([]*run, count)
	for i := range children {
		child := *r
		child.rand = rand.New(rand.NewPCG(r.rand.Uint64(), uint64(i))) // attacks are to be repeated
		child.tried, child.failures = 0, nil
		child.place = filepath.Join(r.place, strconv.Itoa(i))
		children[i] = &child
	}
	var all sync.WaitGroup
	free := make(chan struct{}, workers)
	for i, child := range children {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			attack(child, i)
			_ = os.RemoveAll(child.projects())
		})
	}
	all.Wait()
	for _, child := range children {
		r.tried += child.tried
		r.failures = append(r.failures, child.failures...)
		r.note = cmp.Or(r.note, child.note)
		if child.slowest > r.slowest {
			r.slowest, r.slow = child.slowest, child.slow
		}
	}
}

// patience is the time limit of a command. It is no measure of speed; it detects hangs.
const patience = 2 * time.Minute

// run is the run of one class.
type run struct {
	program string
	rand    *rand.Rand
	ctx     context.Context //nolint:containedctx // of the whole class
	top     string          // contains the projects, the outside and the user's home
	canary  string          // the secret outside
	before  string          // hash of the outside at the start
	place   string          // of the projects, within those of the class
	env     []string        // added to every command's environment

	tried    int
	failures []string
	note     string // what could not be tried, and why

	slowest time.Duration // longest processor time of a command
	slow    string        // the command
}

// outside returns the folder that no project may reach.
func (r *run) outside() string { return filepath.Join(r.top, "outside") }

// plant creates the outside and the user's home.
func (r *run) plant() error {
	r.canary = fmt.Sprintf("canary%016x", r.rand.Uint64())
	files := map[string]string{
		"outside/token":         r.canary + "\n",
		"outside/key.go":        "package key\n\nconst Key = \"" + r.canary + "\"\n",
		"outside/settings.json": "{\"llm\": {\"provider\": \"" + r.canary + "\"}, " + r.canary + "}",
		"outside/deep/token":    r.canary + "\n",
		"home/.gitconfig":       "[user]\n\tname = a\n\temail = a@example.org\n",
	}
	for name, text := range files {
		if err := writeFile(filepath.Join(r.top, name), text); err != nil {
			return err
		}
	}
	r.before = r.treeHash(r.outside())
	return nil
}

// checkOutside counts changes of the outside as a failure.
func (r *run) checkOutside() {
	if r.treeHash(r.outside()) != r.before {
		r.fail("a file outside the project was changed")
	}
}

// projects returns the folder of the projects.
func (r *run) projects() string { return filepath.Join(r.top, "projects", r.place) }

// project creates a project with files.
func (r *run) project(name string, files map[string]string) string {
	dir := filepath.Join(r.projects(), name)
	if err := os.RemoveAll(dir); err != nil {
		r.fail("set-up: %v", err)
	}
	for file, text := range files {
		if err := writeFile(filepath.Join(dir, file), text); err != nil {
			r.fail("set-up: %v", err)
		}
	}
	return dir
}

// environment returns the environment of every command: its own home, no keys.
func (r *run) environment() []string {
	home := filepath.Join(r.top, "home")
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C", "TMPDIR=" + os.TempDir(),
		"REVERSE_SPEC_HOME=" + filepath.Join(home, "data"), "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"),
	}
	return append(env, r.env...)
}

// result is the result of a command.
type result struct {
	output string // standard output and error
	status int
}

// command runs the program in a project and checks that it ends, does not crash and does not
// show the secret.
func (r *run) command(what, dir string, args ...string) result {
	r.tried++
	ctx, cancel := context.WithTimeout(r.ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.program, args...)
	cmd.Dir, cmd.Env = dir, r.environment()
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	res := result{output: out.String()}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		res.status = exit.ExitCode()
	}
	if used := cmd.ProcessState; used != nil && used.UserTime() > r.slowest {
		r.slowest, r.slow = used.UserTime(), what
	}
	what = what + ": reverse-spec " + strings.Join(args, " ")
	if ctx.Err() != nil {
		r.fail("%.300s: no end after %v", what, patience)
	}
	r.judge(what, res)
	return res
}

// judge checks for a crash and for the secret.
func (r *run) judge(what string, res result) {
	switch {
	case crashed(res.output):
		r.fail("%.300s: it crashed: %.400q", what, res.output)
	case res.status < 0:
		r.fail("%.300s: ended by a signal: %.400q", what, res.output)
	case strings.Contains(res.output, r.canary):
		r.fail("%.300s: the secret is shown: %.400q", what, res.output)
	}
}

func crashed(output string) bool {
	return strings.Contains(output, "goroutine 1 [") || strings.Contains(output, "fatal error: ") || strings.Contains(output, "panic: runtime")
}

// fail counts a successful attack.
func (r *run) fail(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

// one returns a random choice.
func one[T any](r *run, of []T) T { return of[r.rand.IntN(len(of))] }

// leaked reports whether a file below a folder contains the secret. Links are not followed.
func (r *run) leaked(dir string) string {
	found := ""
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil //nolint:nilerr // what is gone holds nothing
		}
		if text, err := os.ReadFile(path); err == nil && bytes.Contains(text, []byte(r.canary)) {
			found = path
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// treeHash returns a hash of all files below a folder.
func (r *run) treeHash(dir string) string {
	h := sha256.New()
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		text := []byte(nil)
		if err == nil && e.Type().IsRegular() {
			text, err = os.ReadFile(path)
		}
		fmt.Fprintf(h, "%s %v %d\n%s\n", path, err, len(text), text)
		return nil
	})
	return fmt.Sprintf("%x", h.Sum(nil))
}

func writeFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { // a folder of our own
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644) // the same
}
