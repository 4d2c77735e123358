//go:build unix

package lockfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// removableOpen reports whether an open file can be removed.
const removableOpen = true

// errHeld is returned by lock if another process holds the lock.
var errHeld = message.Errorf("locked")

// lock locks a file without waiting. The lock ends when the file is closed.
func lock(f *os.File, m mode) error {
	how := unix.LOCK_SH | unix.LOCK_NB
	if m == exclusive {
		how = unix.LOCK_EX | unix.LOCK_NB
	}
	for {
		err := unix.Flock(int(f.Fd()), how)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return errHeld
		}
		return err
	}
}

// hasExited reports whether no process has the id.
func hasExited(pid int) bool { return errors.Is(unix.Kill(pid, 0), unix.ESRCH) }
