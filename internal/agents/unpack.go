package agents

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// launcher is the only executable file of the plugin.
const launcher = "bin/reverse-spec"

// Unpack atomically writes a plugin into a folder in dir and returns its path. The folder's
// name has the version and the first digits of a hash of the contents, so that an existing one
// is reused. Its launcher starts the given program.
func Unpack(plugin fs.FS, dir, version, program string) (string, error) {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q\n", program)
	err := eachFile(plugin, func(file string, text []byte) error {
		_, err := fmt.Fprintf(sum, "%q %x\n", file, sha256.Sum256(text))
		return err
	})
	if err != nil {
		return "", message.Errorf("unpack the plugin: %w", err)
	}
	const digits = 8
	to := filepath.Join(dir, version+"-"+hex.EncodeToString(sum.Sum(nil))[:digits])
	if _, err := os.Stat(to); err == nil {
		return to, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", message.Errorf("unpack the plugin: %w", err)
	}
	temp, err := os.MkdirTemp(dir, ".new-*")
	if err != nil {
		return "", message.Errorf("unpack the plugin: %w", err)
	}
	defer func() { _ = os.RemoveAll(temp) }() // gone already if all went well
	if err := unpackInto(plugin, temp, program); err != nil {
		return "", message.Errorf("unpack the plugin: %w", err)
	}
	err = os.Rename(temp, to)
	if _, there := os.Stat(to); err != nil && there == nil { // another process was faster
		err = nil
	}
	return to, err
}

func unpackInto(plugin fs.FS, dir, program string) error {
	err := eachFile(plugin, func(file string, text []byte) error {
		to := filepath.Join(dir, filepath.FromSlash(file))
		mode := fs.FileMode(0o644)
		if file == launcher {
			mode = 0o755
		}
		return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, text, mode))
	})
	if err != nil {
		return err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	native := filepath.Join(dir, "native", runtime.GOOS+"-"+runtime.GOARCH)
	if err := os.MkdirAll(native, 0o755); err != nil {
		return err
	}
	return place(program, filepath.Join(native, filepath.Base(launcher)+filepath.Ext(program)))
}

// place makes the program available at another path: by a script, because clients copy files
// and Codex omits links; where there are no scripts by a link, or else a copy.
func place(program, at string) error {
	if runtime.GOOS != "windows" {
		quoted := "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
		return os.WriteFile(at, []byte("#!/bin/sh\nexec "+quoted+" \"$@\"\n"), 0o755)
	}
	if os.Link(program, at) == nil {
		return nil
	}
	from, err := openfile.Open(program)
	if err != nil {
		return err
	}
	defer from.Close() //nolint:errcheck // opened for reading
	to, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}

// eachFile calls yield for each file, in path order.
func eachFile(files fs.FS, yield func(file string, text []byte) error) error {
	return fs.WalkDir(files, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return err
		}
		return yield(file, text)
	})
}

// IsPlugin reports whether a folder is an installed plugin, not a clone of the repository in
// which someone works. Agent Plugins clients set PLUGIN_ROOT to the plugin's folder, which may
// be a copy of a clone.
func IsPlugin(dir string, getenv func(string) string) bool {
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		return err == nil
	}
	if root := getenv("PLUGIN_ROOT"); root != "" && same(root, dir) {
		return true
	}
	return has(launcher) && has("plugin.json") && !has(".git")
}

// same reports whether two paths refer to the same folder.
func same(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}
