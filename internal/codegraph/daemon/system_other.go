//go:build !linux

package daemon

import (
	"errors"
	"net"
	"os"
	"syscall"
)

// surroundings returns an error: files are followed on Linux alone, and nothing else would be gained.
func surroundings() (string, error) { return "", errors.ErrUnsupported }

func identity(string) (string, error) { return "", errors.ErrUnsupported }

func private(*os.File) error { return errors.ErrUnsupported }

func within(_ *os.File, name string) string { return name }

func checkUser(*net.UnixConn) error { return errors.ErrUnsupported }

func isRefused(error) bool { return false }

func detached() *syscall.SysProcAttr { return nil }

const program = ""
