package atomicfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/x/atomicfile"
)

func TestSymbolicLinkIsKept(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := atomicfile.File(link, []byte("new"), 0o640); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil || string(text) != "new" {
		t.Errorf("%q, %v", text, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is none any more: %v, %v", info, err)
	}
}

func TestTemporaryFileIsRemovedOnError(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.File(folder, []byte("new"), 0o600); err == nil {
		t.Error("a folder is replaced")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
}
