//go:build unix

package mcp

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// TakeStdout returns the process's standard output and redirects descriptor 1 to standard
// error: output of any other code, by [os.Stdout] or by fd 1,
// cannot get between the messages. The new descriptor is not inherited by
// child processes. Call it once, before anything else runs; the caller closes
// the file.
//
// A client that is gone is then an error of a write (EPIPE): SIGPIPE ends a Go program
// only for the descriptors 1 and 2.
func TakeStdout() (*os.File, error) {
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, message.Errorf("duplicate standard output: %w", err)
	}
	if err := unix.Dup2(2, 1); err != nil {
		_ = unix.Close(fd)
		return nil, message.Errorf("put standard error in place of standard output: %w", err)
	}
	return os.NewFile(uintptr(fd), "protocol"), nil
}
