//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkHooks runs the hooks as processes in Go's standard library, with and without specs.
// The limit of each is 100 ms on a machine without other work; it also reports how often
// the program could have started and exited in that time.
func BenchmarkHooks(b *testing.B) {
	bin, dir := built(b), standardLibrary(b, 0)
	b.Setenv("REVERSE_SPEC_HOME", b.TempDir())
	if out, err := exec.Command(bin, "batch", dir).CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	bare := start(b, dir, nil, bin, "version")
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			start(b, dir, nil, bin, "version")
		}
	})
	hook := func(name, event, file string) {
		b.Run(name, func(b *testing.B) {
			text, err := json.Marshal(map[string]any{"cwd": dir, "tool_input": map[string]string{"file_path": filepath.Join(dir, file)}})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				start(b, dir, text, bin, "hook", event)
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(bare), "starts/op")
		})
	}
	hook("session-start/600-specs", "session-start", "")
	hook("post-edit/small", "post-edit", "container/ring/ring.go")
	hook("post-edit/net-http", "post-edit", "net/http/server.go")
	hook("post-edit/large", "post-edit", "cmd/compile/internal/ssa/rewriteAMD64.go")
	specs := filepath.Join(dir, "specs")
	if err := errors.Join(os.RemoveAll(filepath.Join(specs, "cmd")), os.RemoveAll(filepath.Join(specs, "internal"))); err != nil {
		b.Fatal(err)
	}
	hook("session-start/200-specs", "session-start", "")
}

// start runs a program to completion and returns the elapsed time.
func start(b *testing.B, dir string, in []byte, program string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(in)
	begin := time.Now()
	out, err := cmd.Output()
	if err != nil || len(out) == 0 {
		b.Fatalf("%v: %s", err, out)
	}
	return time.Since(begin)
}
