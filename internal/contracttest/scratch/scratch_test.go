package scratch_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/scratch"
)

const prefix = "reverse-spec-test-"

// TestHold is the process that is killed: it does nothing unless it is asked to.
func TestHold(t *testing.T) {
	if os.Getenv("SCRATCH_HOLD") == "" {
		t.Skip("nothing is to be held")
	}
	f, err := scratch.Make(prefix)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = os.Stdout.WriteString(f.Path + "\n")
	_, _ = os.Stdin.Read(make([]byte, 1)) // until it is killed
}

// TestWhatAKilledProcessLeftIsRemoved has another process use a folder while others are made, and kills it.
func TestWhatAKilledProcessLeftIsRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.TempDir())
	foreign := filepath.Join(os.TempDir(), prefix+"other") // has no lock
	if err := os.Mkdir(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SCRATCH_HOLD", "1")
	other := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHold$")
	if _, err := other.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	theirs := lines.Text()
	locked := filepath.Join(theirs, "deep", "read-only")
	if err := os.MkdirAll(locked, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(locked, "file"), nil, 0o400); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	made := func() *scratch.Folder {
		t.Helper()
		f, err := scratch.Make(prefix)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	exists := func(name string) bool { _, err := os.Lstat(name); return err == nil }
	first := made()
	if !exists(theirs) {
		t.Error("a folder in use was removed")
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait()
	second := made()
	if exists(theirs) {
		t.Error("the folder of the killed process is still there")
	}
	if !exists(first.Path) || !exists(foreign) {
		t.Error("a folder of this process, or one without a lock, was removed")
	}
	for _, f := range []*scratch.Folder{first, second} {
		if err := f.Close(); err != nil || exists(f.Path) {
			t.Errorf("closed: %v, still there: %v", err, exists(f.Path))
		}
	}
}
