package daemon

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// surroundings returns what must be the same for two processes to see the same files by the same names and to be the same
// program: the file of the program, the root folder, the machine since it was started, the file systems, the user.
func surroundings() (string, error) {
	program, err := identity("/proc/self/exe")
	if err != nil {
		return "", err
	}
	top, err := identity("/")
	if err != nil {
		return "", err
	}
	mounts, err := os.Readlink("/proc/self/ns/mnt")
	if err != nil {
		return "", err
	}
	boot, err := openfile.Read("/proc/sys/kernel/random/boot_id", openfile.MaxConfig)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s %s %s %d", program, top, mounts, strings.TrimSpace(string(boot)), os.Geteuid()), nil
}

// identity says which file a path leads to, and for a regular one in which state.
func identity(path string) (string, error) {
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		return "", &os.PathError{Op: "stat", Path: path, Err: err}
	}
	text := fmt.Sprintf("%d:%d", s.Dev, s.Ino)
	if s.Mode&unix.S_IFMT == unix.S_IFREG {
		text += fmt.Sprintf(":%d:%d", s.Size, s.Mtim.Nano())
	}
	return text, nil
}

// private returns an error if others than the user have access to an open folder.
func private(f *os.File) error {
	var s unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &s); err != nil {
		return err
	}
	if int(s.Uid) != os.Geteuid() || s.Mode&0o077 != 0 {
		return errShared
	}
	return nil
}

// within returns a short path of a file in an open folder: paths of sockets have at most 107 bytes.
func within(folder *os.File, name string) string {
	return fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), name)
}

// errOther is returned if another user is at the other end of a connection.
var errOther = message.Errorf("the process is of another user")

// checkUser returns an error if the process at the other end is of another user.
func checkUser(c *net.UnixConn) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var who *unix.Ucred
	var failed error
	if err := raw.Control(func(fd uintptr) { who, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); err != nil {
		return err
	}
	if failed == nil && int(who.Uid) != os.Geteuid() {
		failed = errOther
	}
	return failed
}

// isRefused reports whether there is a socket, but nobody listens.
func isRefused(err error) bool { return errors.Is(err, unix.ECONNREFUSED) }

// detached lets a process live on after the one that starts it, without its terminal.
func detached() *unix.SysProcAttr { return &unix.SysProcAttr{Setsid: true} }

// program is the file of this program, also when it has been replaced since it was started.
const program = "/proc/self/exe"
