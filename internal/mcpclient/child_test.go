//go:build unix

package mcpclient_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
)

// fifo makes a pipe with a name, and returns a function that waits until nobody
// holds it for writing any more.
func fifo(t *testing.T) (path string, gone func()) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "held")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	end := make(chan error, 1)
	go func() {
		f, err := os.Open(path) // until there is a writer
		if err == nil {
			_, err = io.ReadAll(f)
		}
		end <- err
	}()
	return path, func() {
		t.Helper()
		select {
		case err := <-end:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(20 * time.Second):
			t.Error("a process is still there")
		}
	}
}

// TestNothingStaysWhenWeAreKilled, not even what a server that ignores every
// signal has started.
func TestNothingStaysWhenWeAreKilled(t *testing.T) {
	path, gone := fifo(t)
	cmd := exec.Command(must(os.Executable()))
	cmd.Env = append(os.Environ(), "FAULTY=parent", "FIFO="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatal(line, err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	gone()
}

// TestNothingStaysAfterClose of a server that does not end by itself.
func TestNothingStaysAfterClose(t *testing.T) {
	path, gone := fifo(t)
	s := connect(t, "grandchild", "FIFO="+path)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	gone()
	if got := say(t, s, "echo"); got != "error: tool it:echo: server it: connection lost: the session is closed" {
		t.Error(got)
	}
}

// TestNothingStaysWhenTheServerDies of what it had started.
func TestNothingStaysWhenTheServerDies(t *testing.T) {
	path, gone := fifo(t)
	s := connect(t, "grandchild", "FIFO="+path)
	say(t, s, "die")
	<-s.Lost()
	gone()
}

// count is the open descriptors and the children of this process.
func count(t *testing.T) (descriptors, children int) {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("there is no /proc to count in")
	}
	tasks, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range tasks {
		text, _ := os.ReadFile(file)
		for _, b := range text {
			if b == ' ' {
				children++
			}
		}
	}
	return len(fds), children
}

// TestRoundsOfDyingLeakNothing kills the server and connects again, round after
// round: REVERSE_SPEC_ROUNDS of them.
func TestRoundsOfDyingLeakNothing(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv("REVERSE_SPEC_ROUNDS"))
	if err != nil {
		rounds = 50
	}
	s := faultyServer(t, "sound")
	round := func(i int) {
		session, err := mcpclient.Dial(t.Context(), s, quick())
		if err != nil {
			t.Fatal(err)
		}
		switch i % 3 {
		case 0:
			say(t, session, "die")
			<-session.Lost()
		case 1:
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, _ = session.Call(ctx, mcpclient.Call{Tool: "slow"})
		}
		session.Close()
	}
	round(0) // what is opened once is opened
	routines := runtime.NumGoroutine()
	descriptors, children := count(t)
	for i := range rounds {
		round(i)
	}
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > routines && time.Now().Before(end); {
		runtime.Gosched() // what was told to end may take a moment for it
	}
	d, c := count(t)
	if n := runtime.NumGoroutine(); n > routines || d > descriptors || c > children {
		t.Errorf("after %d rounds: %d goroutines, %d descriptors, %d children; before %d, %d, %d",
			rounds, n, d, c, routines, descriptors, children)
	}
}
