package project_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadStart(t *testing.T) {
	p := open(t, folder(t, map[string]string{"a.txt": "0123456789"}))
	for most, want := range map[int64]string{0: "", 4: "0123", 10: "0123456789", 99: "0123456789"} {
		got, err := p.ReadStart("a.txt", most)
		if err != nil || string(got) != want {
			t.Errorf("%d bytes: %q, %v", most, got, err)
		}
	}
	if _, err := p.ReadStart("none", 1); err == nil {
		t.Error("a file that is not there was read")
	}
}

func TestModTime(t *testing.T) {
	p := open(t, folder(t, map[string]string{"src/a.txt": "a"}))
	written := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	file := filepath.Join(p.Root(), "src", "a.txt")
	if err := os.Chtimes(file, written, written); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("src", filepath.Join(p.Root(), "link")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]time.Time{"src/a.txt": written, "link/a.txt": written, file: written, "none": {}, "../x": {}} {
		if got := p.ModTime(name); !got.Equal(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	names := []string{"src/a.txt", "src/none", "link/a.txt", file, "none", "../x", "src", "", "src/..", "."}
	var want []time.Time
	for _, name := range names {
		want = append(want, p.ModTime(name))
	}
	if diff := cmp.Diff(want, p.ModTimes(names)); diff != "" {
		t.Error(diff)
	}
	if p.ModTime("src").IsZero() {
		t.Error("a folder has no time")
	}
}
