//go:build unix

package openfile_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestOnlyRegularFilesAreRead, and nothing waits.
func TestOnlyRegularFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	outside := filepath.Join(t.TempDir(), "outside")
	check(t, os.WriteFile(outside, []byte("out"), 0o600))
	check(t, os.WriteFile("file", []byte("text"), 0o600))
	check(t, os.WriteFile("large", make([]byte, 101), 0o600))
	check(t, os.WriteFile("secret", []byte("text"), 0o000))
	check(t, syscall.Mkfifo("fifo", 0o600))
	check(t, os.Mkdir("folder", 0o700))
	check(t, os.Symlink("/dev/zero", "device"))
	check(t, os.Symlink("file", "link"))
	check(t, os.Symlink(outside, "out"))
	socket, err := net.Listen("unix", "socket")
	check(t, err)
	defer socket.Close()

	for _, c := range []struct{ name, read, in string }{
		{"file", "", ""},
		{"link", "", ""},
		{"fifo", "is a FIFO, not a regular file", "is a FIFO, not a regular file"},
		{"folder", "is a folder, not a regular file", "is a folder, not a regular file"},
		{"device", "is a device, not a regular file", "leads out"},
		{"socket", "is a socket", "is a socket"},
		{"large", "is larger than", "is larger than"},
		{"out", "", "leads out"},
		{"missing", fs.ErrNotExist.Error(), fs.ErrNotExist.Error()},
		{"secret", fs.ErrPermission.Error(), fs.ErrPermission.Error()},
	} {
		if c.name == "secret" && os.Getuid() == 0 {
			continue
		}
		_, read := openfile.Read(filepath.Join(dir, c.name), 100)
		_, in := openfile.ReadIn(dir, c.name, 100)
		for _, got := range []struct {
			want string
			err  error
		}{{c.read, read}, {c.in, in}} {
			if got.want == "" && got.err != nil || got.want != "" && (got.err == nil || !strings.Contains(errText(got.err), got.want)) {
				t.Errorf("%s: error %v, want %q", c.name, got.err, got.want)
			}
		}
	}
	if text, err := openfile.Read("file", 4); string(text) != "text" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

// errText is an error's text; those of the system differ in their words.
func errText(err error) string {
	for _, known := range []error{fs.ErrNotExist, fs.ErrPermission} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return err.Error()
}
