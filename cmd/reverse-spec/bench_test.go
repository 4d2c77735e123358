//go:build unix

package main

import (
	"bufio"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// built builds the command like a release.
func built(b *testing.B) string {
	b.Helper()
	bin := filepath.Join(b.TempDir(), "reverse-spec")
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, ".").CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	return bin
}

// standardLibrary copies Go's standard library, or its first n files, into a project.
func standardLibrary(b *testing.B, n int) string {
	b.Helper()
	src := filepath.Join(runtime.GOROOT(), "src") //nolint:staticcheck // the tests' own toolchain is meant
	dir := filepath.Join(b.TempDir(), "src")
	count := 0
	err := filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") && d.Name() != "go.mod" || n > 0 && count >= n {
			return err
		}
		count++
		rel, err := filepath.Rel(src, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o644)
	})
	if err != nil {
		b.Fatal(err)
	}
	return dir
}

// BenchmarkInitialize measures the time from exec to the response to initialize, and compares
// it with a command that does nothing.
func BenchmarkInitialize(b *testing.B) {
	bin := built(b)
	b.Run("mcp-server", func(b *testing.B) {
		for b.Loop() {
			initialize(b, bin)
		}
	})
	b.Run("version", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command(bin, "version").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func initialize(b *testing.B, bin string) {
	b.Helper()
	cmd := exec.Command(bin, "mcp-server")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`)
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, "serverInfo") {
		b.Fatalf("answer %q: %v", line, err)
	}
	b.StopTimer()
	in.Close()
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	b.StartTimer()
}

// BenchmarkPrepare500 prepares 500 files, compared with parsing them.
func BenchmarkPrepare500(b *testing.B) {
	bin, dir := built(b), standardLibrary(b, 500)
	b.Run("prepare", func(b *testing.B) {
		for b.Loop() {
			spent(b, exec.Command(bin, "prepare", ".", "--project", dir, "--json", "--max-tokens", "0"))
		}
	})
	b.Run("bare", func(b *testing.B) { bareGo(b, dir) })
}

// BenchmarkBatch writes the specs of Go's standard library, compared with parsing the same
// files.
func BenchmarkBatch(b *testing.B) {
	bin, dir := built(b), standardLibrary(b, 0)
	b.Run("batch", func(b *testing.B) {
		for b.Loop() {
			spent(b, exec.Command(bin, "batch", dir, "--force"))
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			spent(b, exec.Command(bin, "batch", dir))
		}
	})
	b.Run("bare", func(b *testing.B) { bareGo(b, dir) })
}

// spent runs a command and reports processor time and peak memory.
func spent(b *testing.B, cmd *exec.Cmd) {
	b.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out[max(0, len(out)-2000):])
	}
	state := cmd.ProcessState
	b.ReportMetric((state.UserTime() + state.SystemTime()).Seconds(), "cpu-s/op")
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		b.ReportMetric(float64(u.Maxrss)/1024, "peak-MiB")
	}
}

func bareGo(b *testing.B, dir string) {
	b.Helper()
	for b.Loop() {
		_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".go") {
				_, _ = parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
			}
			return err
		})
	}
}
