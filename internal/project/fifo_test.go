//go:build unix

package project_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Opening a pipe without a writer would block the reader forever.
func TestAPipeIsNoFile(t *testing.T) {
	dir := folder(t, map[string]string{"a.go": ""})
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.go"), 0o644); err != nil {
		t.Skipf("skipped: no pipes here: %v", err)
	}
	p := open(t, dir)
	const want = "pipe.go is not a regular file"
	if _, err := p.ReadFile("pipe.go"); err == nil || err.Error() != want {
		t.Error(err)
	}
	if _, err := p.List(t.Context(), "pipe.go"); err == nil || err.Error() != want {
		t.Error(err)
	}
	if got := list(t, p, "."); len(got.Files) != 1 || got.Skipped.Unreadable != 1 {
		t.Errorf("%+v", got)
	}
}

// TestAnObjectThatIsAFIFO checks git cat-file, which would wait for a writer.
func TestAnObjectThatIsAFIFO(t *testing.T) {
	dir := repository(t, map[string]string{"a.go": "package a\n"})
	commit(t, dir, "one")
	id := strings.TrimSpace(git(t, dir, "rev-parse", "HEAD:a.go"))
	p := at(t, open(t, dir), "HEAD")
	object := filepath.Join(dir, ".git", "objects", id[:2], id[2:])
	must(t, os.Remove(object))
	must(t, syscall.Mkfifo(object, 0o644))
	if _, err := p.ReadFile("a.go"); err == nil || !strings.Contains(err.Error(), "is a FIFO, not a regular file") {
		t.Errorf("error: %v", err)
	}
}
