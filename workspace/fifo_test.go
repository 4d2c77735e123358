//go:build unix

package workspace_test

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe that nobody writes to would keep its reader waiting for ever.
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
