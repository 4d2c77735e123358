package contracttest_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

// broken is an environment: a tool that behaves as the real one does in it.
type broken struct {
	name string
	tool string // as the lock calls it
	// program is a script that stands for the tool; "" if it is not installed.
	program string
	timeout time.Duration
	outcome contracttest.Outcome
	reason  string
}

// environments are the answers of real tools in environments that were made so.
func environments() []broken {
	const probing = `case "$*" in `
	blocked, failed := contracttest.Blocked, contracttest.Failed
	return []broken{
		{name: "no tool", tool: "go test", outcome: blocked, reason: "go is not installed"},
		{
			name: "wrong version", tool: "go test", outcome: blocked, reason: "go: go.mod requires go >= 1.99 (running go 1.26.8; GOTOOLCHAIN=local)",
			program: `echo 'go: go.mod requires go >= 1.99 (running go 1.26.8; GOTOOLCHAIN=local)' >&2; exit 1`,
		},
		{
			name: "offline", tool: "go test", outcome: blocked,
			reason:  "go: example.com/money@v1.0.0: Get \"https://proxy.example.com/money\": dial tcp: lookup proxy.example.com: no such host",
			program: `echo 'go: example.com/money@v1.0.0: Get "https://proxy.example.com/money": dial tcp: lookup proxy.example.com: no such host' >&2; exit 1`,
		},
		{
			name: "read-only cache", tool: "go test", outcome: blocked, reason: "failed to initialize build cache at /c: mkdir /c: read-only file system",
			program: `echo 'failed to initialize build cache at /c: mkdir /c: read-only file system' >&2; exit 1`,
		},
		{
			name: "module missing in one interpreter", tool: "pytest", outcome: blocked, reason: "ModuleNotFoundError: No module named 'pytest'",
			program: probing + `"-c import pytest") echo "ModuleNotFoundError: No module named 'pytest'" >&2; exit 1;; esac; echo "/usr/bin/python3: No module named pytest" >&2; exit 1`,
		},
		{
			name: "a dependency missing", tool: "pytest", outcome: blocked, reason: "E   ModuleNotFoundError: No module named 'werkzeug'",
			program: probing + `"-c import pytest") exit 0;; esac; echo "E   ModuleNotFoundError: No module named 'werkzeug'"; echo "ERROR test_shop.py"; exit 4`,
		},
		{name: "no node_modules", tool: "vitest", outcome: blocked, reason: "node_modules/.bin/vitest is not installed"},
		{
			name: "unfit Node.js", tool: "vitest", outcome: blocked,
			reason:  "SyntaxError: The requested module 'node:util' does not provide an export named 'styleText'",
			program: `echo "SyntaxError: The requested module 'node:util' does not provide an export named 'styleText'" >&2; echo 'Node.js v18.0.0' >&2; exit 1`,
		},
		{
			name: "a crate missing", tool: "cargo test", outcome: blocked, reason: "error: failed to get `serde` as a dependency of package `shop v0.1.0`",
			program: `echo 'error: failed to get ` + "`serde` as a dependency of package `shop v0.1.0`" + `' >&2; exit 101`,
		},
		{
			name: "a plugin missing", tool: "mvn", outcome: blocked,
			reason:  "[ERROR] Plugin org.apache.maven.plugins:maven-surefire-plugin:3.2 or one of its dependencies could not be resolved",
			program: probing + `*validate) exit 0;; esac; echo '[ERROR] Plugin org.apache.maven.plugins:maven-surefire-plugin:3.2 or one of its dependencies could not be resolved'; echo '[ERROR] [Help 1] x'; exit 1`,
		},
		{name: "killed", tool: "cargo test", outcome: blocked, reason: "the tool was killed: signal: killed", program: `kill -9 $PPID`},
		{name: "too slow", tool: "go test", outcome: contracttest.TimedOut, reason: "not done after 300ms", program: `sleep 60`, timeout: 300 * time.Millisecond},
		// What is wrong with the code fails.
		{
			name: "does not compile", tool: "go test", outcome: failed, reason: "exit status 1: ./shop.go:14:13: undefined: x",
			program: probing + `list*) exit 0;; esac; echo '# shop'; echo './shop.go:14:13: undefined: x'; echo 'FAIL shop [build failed]'; exit 1`,
		},
		{
			name: "own module gone", tool: "pytest", outcome: failed, reason: "exit status 2: E   ModuleNotFoundError: No module named 'shop.till'",
			program: probing + `"-c import pytest") exit 0;; esac; echo "E   ModuleNotFoundError: No module named 'shop.till'"; exit 2`,
		},
		{
			name: "test gone", tool: "cargo test", outcome: failed, reason: "1 of 1 tests are gone: sells (test_shop.py)",
			program: `echo 'test keeps ... ok'`,
		},
		{
			name: "test fails", tool: "go test", outcome: failed, reason: "1 of 1 tests failed; sells: shop_test.go:3: got 2",
			program: `echo '{"Action":"output","Package":"shop","Test":"sells","Output":"    shop_test.go:3: got 2\n"}'; echo '{"Action":"fail","Package":"shop","Test":"sells"}'; exit 1`,
		},
	}
}

// commands are the scripts of contract tests, by tool, and the program that each calls.
var commands = map[string][2]string{
	"go test": {"go test .", "go"}, "pytest": {"python3 -m pytest -q test_shop.py", "python3"}, "vitest": {"npx vitest run", "npx"},
	"cargo test": {"cargo test --lib", "cargo"}, "mvn": {"mvn -q -Dtest=Shop test", "mvn"},
}

// TestNothingButAFailureChangesTheHealth runs a spec whose health is active in environments that break the tools.
func TestNothingButAFailureChangesTheHealth(t *testing.T) {
	for _, c := range environments() {
		t.Run(c.name, func(t *testing.T) {
			p, opts := inEnvironment(t, c), contracttest.Options{Timeout: c.timeout}
			s := verified(t, p, opts)
			want := "active"
			if c.outcome == contracttest.Failed {
				want = "failing"
			}
			if got := s.Tests[0]; got.Outcome != c.outcome || got.Reason != c.reason || s.Health != want {
				t.Errorf("%s %q, health %s; want %s %q", got.Outcome, got.Reason, s.Health, c.outcome, c.reason)
			}
			if text := read(t, filepath.Join(p.Root(), "a.spec.md")); !strings.Contains(text, "health: "+want+"\n") {
				t.Error(text)
			}
		})
	}
}

// inEnvironment returns a project whose PATH has nothing but the program of an environment.
func inEnvironment(t *testing.T, c broken) *project.Project {
	t.Helper()
	command := commands[c.tool]
	needs := command[1]
	if c.tool == "vitest" {
		needs = "npx, node_modules/.bin/vitest"
	}
	text := strings.Replace(front, "unverified", "active", 1) +
		strings.Replace(script("CT-1", command[0]), "**Script**", "**Needs**: "+needs+"\n\n**Script**", 1)
	s := &spec.Spec{ContractTests: []spec.ContractTest{{ID: "CT-1", Runs: []lock.Tests{{File: "test_shop.py", Tool: c.tool, Tests: []lock.Test{{Name: "sells"}}}}}}}
	files := map[string]string{"a.spec.md": text, "test_shop.py": "", "shop/__init__.py": ""}
	bin := t.TempDir()
	if c.program != "" {
		write(t, filepath.Join(bin, command[1]), "#!/bin/bash\n"+c.program+"\n")
		files["node_modules/.bin/vitest"] = "#!/bin/sh\n"
	} else if c.tool == "vitest" {
		write(t, filepath.Join(bin, command[1]), "#!/bin/bash\n")
	}
	p := openProject(t, files)
	lockFor(t, p, s)
	link(t, bin, "bash", "sleep", "cat")
	for _, file := range []string{filepath.Join(bin, command[1]), filepath.Join(p.Root(), "node_modules/.bin/vitest")} {
		if err := os.Chmod(file, 0o755); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	return p
}

// lockFor writes the lock of a.spec.md.
func lockFor(t *testing.T, p *project.Project, s *spec.Spec) {
	t.Helper()
	l := lock.Lock{Generator: "reverse-spec"}
	for _, ct := range s.ContractTests {
		for _, r := range ct.Runs {
			r.Contract = ct.ID
			l.Tests = append(l.Tests, r)
		}
	}
	page := filepath.Join(p.Root(), "a.spec.md")
	parsed, err := lock.Parse(l.Encode())
	if err != nil {
		t.Fatal(err)
	}
	write(t, page, strings.Replace(read(t, page), "type: module-spec\n", fmt.Sprintf("type: module-spec\nskeletonHash: %s\n", parsed.Skeleton.Hash), 1))
	write(t, filepath.Join(p.Root(), spec.LockPath("a.spec.md", "")), string(l.Encode()))
}

// link puts programs into a folder.
func link(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		at, err := exec.LookPath(name)
		if err != nil {
			t.Skip(name + " is not installed")
		}
		if err := os.Symlink(at, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
}
