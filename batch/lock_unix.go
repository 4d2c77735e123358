//go:build unix

package batch

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// removableOpen tells whether an open file can be removed.
const removableOpen = true

// errHeld is returned by lockExclusive for a file that another has locked.
var errHeld = errors.New("locked")

// lockExclusive locks a file without waiting. The lock ends when the file is
// closed.
func lockExclusive(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return errHeld
		}
		return err
	}
}
