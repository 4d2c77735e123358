package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// modules creates a project with a few modules.
func (r *run) modules(name string) string {
	files := map[string]string{"go.mod": "module example.org/m\n\ngo 1.24\n"}
	for i := range 12 {
		dir := fmt.Sprintf("m%02d", i)
		files[dir+"/a.go"] = fmt.Sprintf("// Package m%02d is one of them.\npackage m%02d\n\nimport \"errors\"\n\n// Half returns the half of n. The error says that n is odd.\nfunc Half(n int) (int, error) {\n\tif n%%2 != 0 {\n\t\treturn 0, errors.New(\"odd\")\n\t}\n\treturn n / 2, nil\n}\n", i, i)
	}
	return r.project(name, files)
}

// kills kills the program at random moments. The next run must complete as if nothing had
// happened.
func kills(r *run) {
	whole := r.modules("whole")
	r.command("kills", whole, "batch", "--no-llm")
	want := specs(whole)
	for i := range 30 {
		dir := r.modules("whole") // the same name, because specs contain the path
		command := one(r, [][]string{{"batch", "--no-llm"}, {"index"}, {"generate", "m00", "--no-llm"}})
		r.killed(dir, time.Duration(r.rand.IntN(400))*time.Millisecond, command...)
		r.command(fmt.Sprintf("after kill %d", i), dir, "batch", "--no-llm")
		if got := specs(dir); got != want {
			r.fail("kill %d of %v: other specs than without it: %.300s", i, command, difference(want, got))
		}
		if res := r.command("after a kill", dir, "query", "MATCH (f:Function) RETURN count(f)"); !strings.Contains(res.output, "12") {
			r.fail("kill %d of %v: the graph is not whole: %.300q", i, command, res.output)
		}
		if left := leftovers(dir); left != "" {
			r.fail("kill %d of %v: %s is left", i, command, left)
		}
	}
}

// killed starts a command and kills it after a while.
func (r *run) killed(dir string, after time.Duration, args ...string) {
	cmd := exec.CommandContext(r.ctx, r.program, args...)
	cmd.Dir, cmd.Env = dir, r.environment()
	if err := cmd.Start(); err != nil {
		r.fail("set-up: %v", err)
		return
	}
	timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	_ = cmd.Wait()
}

// dates matches text that differs between runs.
var dates = regexp.MustCompile(`\d{4}-\d\d-\d\d(T[\d:.]+Z?)?`)

// specs returns all specs of a project, with their locks, as one text without dates.
func specs(dir string) string {
	var all bytes.Buffer
	_ = filepath.WalkDir(filepath.Join(dir, "specs"), func(path string, _ fs.DirEntry, err error) error {
		if err == nil && (strings.HasSuffix(path, ".spec.md") || strings.HasSuffix(path, ".jsonl")) {
			text, _ := os.ReadFile(path)
			fmt.Fprintf(&all, "%s\n%s\n", filepath.Base(path), dates.ReplaceAll(text, nil))
		}
		return nil
	})
	return all.String()
}

// difference returns the first line where two texts differ.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: %q, want %q", i+1, b[i], a[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(b), len(a))
}

// leftovers returns a temporary file left in the project.
func leftovers(dir string) (left string) {
	_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, _ error) error {
		if name := filepath.Base(path); strings.Contains(name, ".tmp") || strings.HasSuffix(name, "~") || strings.HasSuffix(name, ".new") {
			left = path
		}
		return nil
	})
	return left
}
