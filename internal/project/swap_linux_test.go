package project_test

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// TestALinkPutInPlaceDuringACallLeadsNowhere exchanges folders and files for links and pipes while others read and
// write. Results must be from the project, and nothing outside may be changed or revealed.
func TestALinkPutInPlaceDuringACallLeadsNowhere(t *testing.T) {
	base := folder(t, map[string]string{
		"p/go.mod": "", "p/dir/a": "inside", "p/abs/a": "inside", "p/file": "inside", "p/pipe": "inside",
		"outside/a": "secret", "outside/only": "secret", "outside/sub/deep": "secret",
	})
	root, outside := filepath.Join(base, "p"), filepath.Join(base, "outside")
	symlink(t, "../outside", filepath.Join(root, "dir2"))
	symlink(t, outside, filepath.Join(root, "abs2"))
	symlink(t, "../outside/a", filepath.Join(root, "file2"))
	must(t, syscall.Mkfifo(filepath.Join(root, "pipe2"), 0o644))
	before := contents(t, outside)
	p := open(t, root)

	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for !stop.Load() {
			for _, name := range []string{"dir", "abs", "file", "pipe"} {
				at := filepath.Join(root, name)
				_ = unix.Renameat2(unix.AT_FDCWD, at, unix.AT_FDCWD, at+"2", unix.RENAME_EXCHANGE)
			}
		}
	})
	for range 20 {
		for _, name := range []string{"dir/a", "dir/only", "dir/sub", "dir/sub/deep", "abs/a", "abs/only", "abs/sub", "file", "pipe"} {
			useAll(t, p, name)
		}
	}
	stop.Store(true)
	wg.Wait()
	if diff := cmp.Diff(before, contents(t, outside)); diff != "" {
		t.Error(diff)
	}
}

// useAll reads and writes at name, and fails the test if something outside is revealed.
func useAll(t *testing.T, p *project.Project, name string) {
	t.Helper()
	for range 100 { // these are quick, and so find the moment between one look and the next
		text, err := p.ReadFile(name)
		shown(t, "ReadFile", name, string(text), err)
		_, err = p.ReadFolder(t.Context(), name, 9)
		shown(t, "ReadFolder", name, "", err)
	}
	lines, err := p.ReadLines(t.Context(), name, 0, -1)
	if err == nil {
		shown(t, "ReadLines", name, lines.Text, nil)
	}
	shown(t, "ReadLines", name, "", err)
	f, err := p.ReadFolder(t.Context(), filepath.Dir(name), 9)
	if err == nil {
		shown(t, "ReadFolder", name, f.String(), nil)
	}
	_, err = p.Replace(t.Context(), name, "secret", "stolen", project.Places{})
	shown(t, "Replace", name, "", err)
	_, err = p.Rel(name)
	shown(t, "Rel", name, "", err)
	if strings.HasSuffix(name, "/a") {
		shown(t, "WriteFile", name, "", p.WriteFile(name, []byte("inside")))
	}
}

// shown fails the test for a text from outside, and for an error that reveals what exists outside: only, sub and
// deep never exist inside.
func shown(t *testing.T, what, name, text string, err error) {
	t.Helper()
	if strings.Contains(text, "secret") || strings.Contains(text, "only") || strings.Contains(text, "deep") {
		t.Errorf("%s %s: %q is of the outside", what, name, text)
	}
	var missing *project.MissingError
	var outside *project.OutsideError
	inside := !strings.Contains(name, "only") && !strings.Contains(name, "sub")
	if err == nil || inside || errors.As(err, &missing) || errors.As(err, &outside) {
		return
	}
	t.Errorf("%s %s: %v tells what is outside", what, name, err)
}
