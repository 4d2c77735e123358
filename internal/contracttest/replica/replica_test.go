package replica_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/replica"
)

// TestMake copies a project with packages, links, an environment of Python and what tools built.
func TestMake(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	write("src/a.js", "a", 0o600)
	write("mvnw", "#!/bin/sh", 0o700)
	write(".git/HEAD", "ref", 0o600)
	write("Cargo.toml", "", 0o600)
	write("target/debug/x", "built", 0o600)
	write("lib/target/kept", "not built", 0o600)
	write("node_modules/dep/index.js", "dep", 0o600)
	write("node_modules/.vite/results.json", "{}", 0o600)
	write("packages/own/index.js", "own", 0o600)
	link("../../packages/own", "node_modules/@me/own")
	write(".venv/pyvenv.cfg", "", 0o600)
	link("src/a.js", "linked.js")

	r, err := replica.Make(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(r.Root, name) }
	for _, absent := range []string{".git", "target", "node_modules/.vite"} {
		if _, err := os.Lstat(at(absent)); err == nil {
			t.Errorf("%s is in the copy", absent)
		}
	}
	for name, want := range map[string]string{
		"src/a.js": "a", "lib/target/kept": "not built", "node_modules/dep/index.js": "dep", "linked.js": "changed", "node_modules/@me/own/index.js": "mutant",
	} {
		if name == "linked.js" {
			change(t, at("src/a.js"), want)
		}
		if want == "mutant" {
			change(t, at("packages/own/index.js"), want)
		}
		if text, err := os.ReadFile(at(name)); err != nil || string(text) != want && string(text) != "changed" {
			t.Errorf("%s: %q, %v; want %q", name, text, err, want)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(root, "src/a.js")); string(text) != "a" {
		t.Errorf("the project was changed: %q", text)
	}
	if info, err := os.Stat(at("mvnw")); err != nil || info.Mode().Perm()&0o100 == 0 {
		t.Errorf("mvnw cannot be run: %v", err)
	}
	if to, err := os.Readlink(at(".venv")); err != nil || filepath.Base(to) != ".venv" {
		t.Errorf(".venv: %s, %v", to, err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(r.Root); err == nil {
		t.Error("the copy is still there")
	}
	if _, err := os.Stat(filepath.Join(root, "node_modules/dep/index.js")); err != nil {
		t.Error(err)
	}
}

func change(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
