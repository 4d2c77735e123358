package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// tools returns the tools with a path argument, and the name of that argument.
func tools() []struct {
	tool, path string
	more       map[string]any
} {
	return []struct {
		tool, path string
		more       map[string]any
	}{
		{"read_file", "file_path", nil},
		{"list_directory", "directory_path", nil},
		{"write_file", "file_path", map[string]any{"content": "// changed\n"}},
		{"surgical_replace_code", "file_path", map[string]any{"target_code": "package", "replacement_code": "changed"}},
		{"prepare", "targetPath", nil},
		{"generate", "targetPath", nil},
		{"generate", "outputDir", map[string]any{"targetPath": "a.go"}},
		{"batch", "outputDir", nil},
		{"diff", "specPath", map[string]any{"sourcePath": "a.go"}},
		{"diff", "sourcePath", map[string]any{"specPath": "specs/a.spec.md"}},
		{"verify", "specPath", nil},
		{"get_code_snippet", "qualified_name", nil},
	}
}

// linked creates a project full of links to the outside.
func (r *run) linked() string {
	dir := r.project("paths", map[string]string{"a.go": "package a\n\nfunc A() int { return 1 }\n", "sub/b.go": "package b\n"})
	for name, to := range map[string]string{
		"token": filepath.Join(r.outside(), "token"), "key.go": filepath.Join(r.outside(), "key.go"), "out": r.outside(),
		"loop": "loop", "up": "..", "sub/out": "../../../outside", "zero": "/dev/zero", "sub/key.go": "../out/key.go",
		"specs": r.outside(), "new.go": filepath.Join(r.outside(), "new.go"), "proc": "/proc/self",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			r.fail("set-up: %v", err)
		}
	}
	return dir
}

// paths calls every tool with paths to the outside.
func paths(r *run) {
	dir := r.linked()
	s, err := r.serve(dir)
	if err != nil {
		r.fail("the server does not start: %v", err)
		return
	}
	for _, path := range r.oddPaths(dir) {
		for _, t := range tools() {
			arguments := map[string]any{t.path: path}
			maps.Copy(arguments, t.more)
			if ok := r.call(s, t.tool, arguments); !ok {
				return
			}
		}
	}
	r.close(s)
	for _, args := range [][]string{{"generate", ".", "--no-llm"}, {"batch", "--no-llm"}, {"index"}, {"prepare", "."}, {"generate", "key.go", "--stdout", "--no-llm"}} {
		r.command("links", dir, args...)
	}
	if file := r.leaked(dir); file != "" {
		r.fail("the secret was written to %s", file)
	}
}

// oddPaths returns paths outside a project, and invalid ones.
func (r *run) oddPaths(dir string) []string {
	out := []string{
		"", ".", "..", "../outside/token", "../../../../../../etc/passwd", "/etc/passwd", "/dev/zero", "/proc/self/environ", r.outside(),
		filepath.Join(r.outside(), "token"), dir + "/../../outside/token", dir + "/./a.go/../../../outside/token",
		"token", "key.go", "out/token", "out/deep/token", "out/key.go", "out", "loop", "loop/x", "up/up/outside/token", "sub/out/token", "zero",
		"sub/key.go", "new.go", "specs/x.spec.md", "out/new.go", "proc/environ", "proc/cwd/../../outside/token", "proc/root" + r.outside() + "/token",
		"a.go\x00.md", "a.go/", "a.go/b", "sub/../out/token", "..\\outside\\token", "file://" + r.outside() + "/token", "%2e%2e/outside/token",
		"~/token", "$HOME/token", "${PWD}/../outside/token", "|cat " + r.outside() + "/token", "-", "--help", "*", "\u202ea.go", "CON", "NUL", "a.go:stream",
		strings.Repeat("a/", 3000), strings.Repeat("x", 5000), strings.Repeat("../", 2000) + "etc/passwd", ".git/config", ".git/hooks/pre-commit", ".GIT/hooks/post-checkout",
	}
	for range 30 { // combinations
		parts := []string{}
		for range 1 + r.rand.IntN(6) {
			parts = append(parts, one(r, []string{"..", ".", "out", "sub", "up", "a.go", "token", "loop", "proc", "", "projects", "outside", "deep"}))
		}
		out = append(out, strings.Join(parts, "/"))
	}
	return out
}

// races replaces a folder of the project by a link to the outside while tools use it.
func races(r *run) {
	dir := r.project("races", map[string]string{"d/token": "mine\n", "d/key.go": "package d\n"})
	s, err := r.serve(dir)
	if err != nil {
		r.fail("the server does not start: %v", err)
		return
	}
	over := make(chan struct{})
	var swapper sync.WaitGroup
	swapper.Go(func() { r.swap(dir, over) })
	for range 400 {
		t := one(r, []string{"read_file", "write_file", "list_directory", "surgical_replace_code"})
		path := one(r, []string{"d/token", "d/key.go", "d/new"})
		arguments := map[string]any{"file_path": path, "directory_path": "d", "content": "mine\n", "target_code": "package", "replacement_code": "package"}
		if ok := r.call(s, t, arguments); !ok {
			break
		}
	}
	close(over)
	swapper.Wait()
	r.close(s)
	if file := r.leaked(dir); file != "" {
		r.fail("the secret was written to %s", file)
	}
}

// swap makes d alternately a link to the outside and a folder.
func (r *run) swap(dir string, over <-chan struct{}) {
	real, link, at := filepath.Join(dir, "real"), filepath.Join(dir, "link"), filepath.Join(dir, "d")
	_ = os.Symlink(r.outside(), link)
	for {
		select {
		case <-over:
			return
		default:
		}
		_ = os.Rename(at, real)
		_ = os.Rename(link, at)
		_ = os.Rename(at, link)
		_ = os.Rename(real, at)
	}
}
