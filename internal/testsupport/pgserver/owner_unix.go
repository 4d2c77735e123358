//go:build unix

package pgserver

import (
	"errors"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// owner is the user that the server runs as; nil for the user of the test.
type owner struct{ as *syscall.Credential }

// serverOwner returns who the server runs as: PostgreSQL refuses to run as root.
func serverOwner() (owner, error) {
	if os.Geteuid() != 0 {
		return owner{}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
			gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
			return owner{&syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, errors.Join(err1, err2)
		}
	}
	return owner{}, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody")
}

func (o owner) apply(c *exec.Cmd) {
	if o.as != nil {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: o.as}
	}
}

// take gives a file to the owner.
func (o owner) take(path string) error {
	if o.as == nil {
		return nil
	}
	return os.Chown(path, int(o.as.Uid), int(o.as.Gid))
}
