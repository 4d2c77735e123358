package lockfile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// removableOpen reports whether an open file can be removed.
const removableOpen = false

// errHeld is returned by lock if another process holds the lock.
var errHeld = message.Errorf("locked")

// lockOffset is the locked byte: far beyond the text, because others cannot read a locked byte.
const lockOffset = 1 << 30

// lock locks a file without waiting. The lock ends when the file is closed.
func lock(f *os.File, m mode) error {
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if m == exclusive {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	at := &windows.Overlapped{Offset: lockOffset}
	err := windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errHeld
	}
	return err
}

// hasExited always returns false: on Windows a child process does not inherit the lock.
func hasExited(int) bool { return false }
