package live

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMountOf(t *testing.T) {
	for line, want := range map[string][2]string{
		`36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue`: {"/mnt2", "ext3"},
		`1 0 0:3 / /with\040space\134 rw - nfs4 host:/a rw`:                              {`/with space\`, "nfs4"},
		`1 0 0:3 / /x rw shared:1 propagate_from:2 - fuse.sshfs a rw`:                    {"/x", "fuse.sshfs"},
		`nothing`: {"", ""},
	} {
		if at, kind := mountOf(line); at != want[0] || kind != want[1] {
			t.Errorf("%s: %q, %q", line, at, kind)
		}
	}
	for kind, want := range map[string]bool{"ext4": true, "overlay": true, "tmpfs": true, "nfs4": false, "9p": false, "fuse.sshfs": false, "virtiofs": false, "cifs": false} {
		if isLocal(kind) != want {
			t.Errorf("%s: %v", kind, !want)
		}
	}
}

// /proc changes without events: a project there, and one around it, are not followed.
func TestAFileSystemWithoutEvents(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip(err)
	}
	for _, dir := range []string{"/proc/self", "/"} {
		if err := hasEvents(dir); err == nil {
			t.Errorf("%s: there are said to be events", dir)
		}
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := hasEvents(dir); err != nil {
		t.Skipf("no events here: %v", err)
	}
}
