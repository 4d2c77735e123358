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

// launcher is the one file of the plugin that is run.
const launcher = "bin/reverse-spec"

// Unpack writes a plugin into a folder of its own in dir, in one step, and returns the
// folder's path: the version, and the first digits of a hash of what is in it, so that
// what is there already stays. Its launcher finds the program there.
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
	defer func() { _ = os.RemoveAll(temp) }() // there is none when all went well
	if err := unpackInto(plugin, temp, program); err != nil {
		return "", message.Errorf("unpack the plugin: %w", err)
	}
	err = os.Rename(temp, to)
	if _, there := os.Stat(to); err != nil && there == nil { // another was faster
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

// place puts the program at another path. A script that starts it is a file that every
// client copies; Codex leaves links out. Where there are no scripts it is a link, or a
// copy.
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
	defer from.Close() //nolint:errcheck // it was read
	to, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}

// eachFile calls yield with the files, by their paths.
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

// IsPlugin reports whether a folder is a plugin that was installed, and no clone of the
// repository that somebody works in. Agent Plugins clients name the plugin's folder, which
// may be a copy of a clone, as PLUGIN_ROOT.
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

// same reports whether two paths lead to one folder.
func same(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}
