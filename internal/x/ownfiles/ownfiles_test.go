package ownfiles_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/x/ownfiles"
)

// TestFind finds what is about one project, and all of it.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{ownfiles.Name("/a") + ".json", ownfiles.Name("/a", "page") + ".json", ownfiles.Name("/b") + ".json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("1234"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ownfiles.Name("/a")), 0o700); err != nil {
		t.Fatal(err)
	}
	for root, want := range map[string]int{"/a": 2, "/b": 1, "/c": 0, "": 3} {
		files, size, err := ownfiles.Find(root, dir, filepath.Join(dir, "none"))
		if err != nil || len(files) != want || size != int64(4*want) {
			t.Errorf("of %q: %q, %d bytes, %v", root, files, size, err)
		}
	}
}
