//go:build unix

package mcp_test

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// trap makes a project that is full of ways out, next to a folder that must be
// neither read nor changed.
func trap(t *testing.T) (root, outside string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	root, outside = filepath.Join(base, "project"), filepath.Join(base, "outside")
	for name, text := range map[string]string{
		"project/a.go": "package a\n", "project/dir/b.go": "package b\n", "project/.git/HEAD": "ref: refs/heads/main\n",
		"outside/secret.go": "package secret\n", "outside/dir/x.go": "package secret\n", "outside/marker-of-the-outside": "",
	} {
		file := filepath.Join(base, name)
		check(t, os.MkdirAll(filepath.Dir(file), 0o755))
		check(t, os.WriteFile(file, []byte(text), 0o644))
	}
	for name, target := range map[string]string{
		"out": "../outside", "outfile": "../outside/secret.go", "outabs": outside, "outfileabs": filepath.Join(outside, "secret.go"),
		"chain1": "chain2", "chain2": "dir/chain3", "dir/chain3": "../../outside/secret.go",
		"dangling": "../outside/none.go", "danglingabs": filepath.Join(outside, "none", "none.go"),
		"up": "..", "dir/up": "../..", "outandin": "../project/a.go",
		"procroot": "/proc/self/root", "procout": "/proc/self/root" + outside, "proccwd": "/proc/self/cwd/../..", "fd": "/dev/fd", "null": "/dev/null",
		"loop": "loop", "loop1": "loop2", "loop2": "loop1", "looping": "loop1/x",
	} {
		check(t, os.Symlink(target, filepath.Join(root, name)))
	}
	check(t, syscall.Mkfifo(filepath.Join(root, "pipe"), 0o644))
	socket, err := net.Listen("unix", filepath.Join(root, "socket"))
	check(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	_ = syscall.Mknod(filepath.Join(root, "zero"), syscall.S_IFCHR|0o644, 1<<8|5) // none without the right to make it
	return root, outside
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// pathCalls is every tool with a path, and every argument of it that is one.
func pathCalls(path string) []toolCall {
	return []toolCall{
		{"prepare", map[string]any{"targetPath": path}},
		{"generate", map[string]any{"targetPath": path}},
		{"generate", map[string]any{"targetPath": "dir", "outputDir": path}},
		{"batch", map[string]any{"projectRoot": path}},
		{"batch", map[string]any{"outputDir": path}},
		{"diff", map[string]any{"specPath": path, "sourcePath": "dir"}},
		{"diff", map[string]any{"specPath": "dir", "sourcePath": path}},
		{"read_file", map[string]any{"file_path": path}},
		{"read_file", map[string]any{"file_path": path, "offset": 0, "limit": 1}},
		{"write_file", map[string]any{"file_path": path, "content": "planted"}},
		{"surgical_replace_code", map[string]any{"file_path": path, "target_code": "package", "replacement_code": "planted"}},
		{"list_directory", map[string]any{"directory_path": path}},
	}
}

type toolCall struct {
	tool      string
	arguments map[string]any
}

// escapes calls every tool with a path and returns what they answered. It fails
// the test when one does not answer soon, tells what is outside, or changed it.
func escapes(t *testing.T, root, outside, path string) (answers []string) {
	t.Helper()
	before := tree(t, outside)
	p, err := project.Open(root)
	check(t, err)
	defer p.Close()
	s := mcp.New(mcp.Options{Project: p, Version: "2.0.0"})
	for _, c := range pathCalls(path) {
		arguments, err := json.Marshal(c.arguments)
		check(t, err)
		done := make(chan message, 1)
		go func() { done <- decode(t, talk(t, s, fmt.Sprintf(call2, c.tool, arguments))[0]) }()
		select {
		case m := <-done:
			text := m.Result.Content[0].Text
			if len(text) > 20_000 || strings.Contains(text, "package secret") || strings.Contains(text, "marker-of-the-outside") {
				t.Errorf("%s %.100q: %.300s", c.tool, path, text)
			}
			mark := "done: "
			if m.Result.IsError {
				mark = ""
			}
			answers = append(answers, c.tool+": "+mark+text)
		case <-time.After(20 * time.Second):
			t.Fatalf("%s %.100q: no answer", c.tool, path)
		}
		if diff := cmp.Diff(before, tree(t, outside)); diff != "" {
			t.Fatalf("%s %.100q changed the outside: %s", c.tool, path, diff)
		}
	}
	return answers
}

func TestNoPathLeadsOutOfTheProject(t *testing.T) {
	root, outside := trap(t)
	for _, path := range []string{
		"..", "../outside", "../outside/secret.go", "dir/../../outside/secret.go", "./../outside/secret.go", "..//outside//secret.go",
		"../outside/", "../outside/.", "dir/../..", "../project/../outside/secret.go", "../new/file.go",
		outside, outside + "/secret.go", root + "/../outside/secret.go", root + "2", filepath.Dir(root), "/", "//", "/etc/passwd", "//etc/passwd", "/proc/self/environ",
		"/dev/null", "/dev/stdin", "/proc/self/root" + outside + "/secret.go", "/proc/self/cwd/../../nothing",
		"out", "out/", "out/secret.go", "out/new/file.go", "out/../a.go/../../outside/secret.go", "outabs", "outabs/secret.go", "outfile", "outfileabs",
		"chain1", "chain2", "dir/chain3", "dangling", "danglingabs", "up", "up/outside/secret.go", "dir/up/outside/secret.go", "up/project/a.go", "outandin",
		"procroot", "procroot/etc/passwd", "procroot" + outside + "/secret.go", "procout/secret.go", "proccwd", "fd/0", "null",
	} {
		for _, answer := range escapes(t, root, outside, path) {
			if !strings.Contains(answer, "outside the project") && !strings.Contains(answer, ": Error: Security risk: Attempted to ") {
				t.Errorf("%s: %s", path, answer)
			}
		}
	}
}

// What is no path, or the path of no file, is refused, and nothing is lost.
func TestBadPathsAreRefused(t *testing.T) {
	root, outside := trap(t)
	before := tree(t, root)
	for _, path := range []string{
		"a.go\x00", "\x00", "../outside/secret.go\x00.go", "loop", "loop/x", "loop1", "looping", "pipe", "socket", "zero", "pipe/x",
		strings.Repeat("n", 1<<20), strings.Repeat("../", 30_000), strings.Repeat("d/", 50_000), strings.Repeat("/", 100_000), strings.Repeat("n", 256),
		".git", ".git/HEAD/x",
	} {
		if _, err := os.Lstat(filepath.Join(root, "zero")); err != nil && path == "zero" {
			continue // no device could be made
		}
		for _, answer := range escapes(t, root, outside, path) {
			if strings.Contains(answer, ": done: ") && path != ".git" {
				t.Errorf("%.100q: %s", path, answer)
			}
		}
	}
	if diff := cmp.Diff(before, tree(t, root)); diff != "" {
		t.Error(diff)
	}
}

func TestANameOfTenMegabytesIsRefused(t *testing.T) {
	p := openProject(t)
	m := callTool(t, p, "read_file", map[string]any{"file_path": strings.Repeat("n", 10<<20)})
	want := "Error: the path " + strings.Repeat("n", 60) + "… has 10485760 bytes; the limit is 4096"
	if diff := cmp.Diff(want, m.Result.Content[0].Text); diff != "" || !m.Result.IsError {
		t.Errorf("%.300s", diff)
	}
}

// Names of other systems, and other spellings, are names like others: whatever
// comes of them stays inside.
func TestOtherSpellingsStayInside(t *testing.T) {
	root, outside := trap(t)
	for _, path := range []string{
		`..\outside\secret.go`, `dir\..\..\..\outside\secret.go`, `C:\secret.go`, `\\server\share`, "...", "....//", "..;/outside", "%2e%2e/outside/secret.go", "..%2foutside",
		"A.GO", "DIR/B.GO", "Out/secret.go", "../OUTSIDE/secret.go", "a.go.", "a.go ", " a.go", "a.go/", "a.go/.", "dir/.", "./dir", "dir//b.go", "./././a.go",
		"~", "~/secret.go", "$HOME", "file:///etc/passwd", "\uff0e\uff0e/outside/secret.go", "..\u2215outside", "a\nb", "\n", " ", ".", "-rf", "\u202egorp",
		root, root + "/a.go", root + "//dir/../a.go", "/proc/self/root" + root + "/a.go",
	} {
		escapes(t, root, outside, path)
	}
}
