//go:build unix

package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSilentGitIsKilled(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	check(t, os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nexec sleep 1000\n"), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	limits := gitLimits{look: time.Millisecond, end: 50 * time.Millisecond}
	_, _, err := gitOutputWithin(t.Context(), limits, dir, "ls-files")
	if err == nil || err.Error() != "git ls-files: it said nothing for 50ms and was ended" {
		t.Errorf("error: %v", err)
	}
}

func TestActiveGitIsNotKilled(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	script := "#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.1; done\n"
	check(t, os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	limits := gitLimits{look: time.Millisecond, end: 900 * time.Millisecond}
	out, _, err := gitOutputWithin(t.Context(), limits, dir, "ls-files")
	if err != nil || len(strings.Fields(string(out))) != 10 {
		t.Errorf("output %q, error %v", out, err)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
