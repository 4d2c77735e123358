package ckb

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// target is the CKB that was found for a project.
type target struct {
	connect func(ctx context.Context) (Session, error)
	print   []string // instead of connect: a program, with arguments, that may just print a graph
	index   index    // that it has loaded, or will load
}

// find finds the project's CKB: the program of CKB_MCP_CLIENT, else the server that
// is configured, else the ckb on PATH.
func (c *Client) find() (target, error) {
	t := target{index: readIndex(c.options.Root)}
	switch path, err := exec.LookPath("ckb"); {
	case c.settings.client != "":
		t.print = commandLine(c.settings.client)
	case c.options.Err != nil:
		return t, message.Errorf("the server ckb that is configured: %w", c.options.Err)
	case c.options.Configured != nil:
		t.connect = c.options.Configured
	case c.options.Start == nil, errors.Is(err, exec.ErrNotFound):
		return t, errNotConfigured
	case err != nil:
		return t, message.Errorf("ckb on PATH: %w", err)
	case t.index == index{}:
		// CKB would write .ckb into every project in which it is started.
		return t, message.Errorf("there is a ckb on PATH, but no index of it for this project: run ckb init and ckb index")
	default:
		t.connect = c.start(native(path), "mcp", "--repo", c.options.Root)
	}
	return t, nil
}

// start returns the function that starts a program.
func (c *Client) start(path string, args ...string) func(context.Context) (Session, error) {
	return func(ctx context.Context) (Session, error) {
		if c.options.Start == nil {
			return nil, errNotConfigured
		}
		return c.options.Start(ctx, Command{Path: path, Args: args, Dir: c.options.Root})
	}
}

// commandLine is a program, or a program with arguments where no program has the
// name as a whole.
func commandLine(text string) []string {
	if _, err := exec.LookPath(text); err == nil || !strings.Contains(text, " ") {
		return []string{text}
	}
	return strings.Fields(text)
}

// native returns the program that the script of the npm package runs. The script
// takes a second to start, and its child process outlives it.
func native(path string) string {
	script, err := filepath.EvalSymlinks(path)
	if err != nil || filepath.Base(script) != "ckb.js" {
		return path
	}
	system, arch, name := runtime.GOOS, runtime.GOARCH, "ckb"
	if system == "windows" {
		system, name = "win32", "ckb.exe"
	}
	if arch == "amd64" {
		arch = "x64"
	}
	packed := filepath.Join("@tastehub", "ckb-"+system+"-"+arch, "bin", name)
	home := filepath.Dir(filepath.Dir(script)) // node_modules/@tastehub/ckb
	for _, modules := range []string{filepath.Join(home, "node_modules"), filepath.Dir(filepath.Dir(home))} {
		if program := filepath.Join(modules, packed); executable(program) {
			return program
		}
	}
	return path
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// index identifies a version of a project's CKB index; the zero index is none. A
// server keeps the one that it loaded when it started.
type index struct {
	scip, meta mark
}

type mark struct {
	time time.Time
	size int64
}

func readIndex(root string) index {
	return index{
		scip: markOf(filepath.Join(root, "index.scip")),
		meta: markOf(filepath.Join(root, ".ckb", "index-meta.json")),
	}
}

func markOf(path string) mark {
	info, err := os.Stat(path)
	if err != nil {
		return mark{}
	}
	return mark{info.ModTime(), info.Size()}
}

// HasIndex reports whether CKB has an index of the project in a folder.
func HasIndex(root string) bool { return readIndex(root) != index{} }
