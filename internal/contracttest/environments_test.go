package contracttest_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// tested is a small project whose tests a real tool runs.
type tested struct {
	needs []string // programs
	probe string   // a command of bash that fails where the tool is not fit; "" for none
	files map[string]string
}

// projects are by tool.
func projects() map[string]tested {
	return map[string]tested{
		"go test": {[]string{"go"}, "", map[string]string{
			"go.mod": "module example.com/cart\n\ngo 1.20\n", "cart.go": "package cart\n\n// Add adds.\nfunc Add(a, b int) int { return a + b }\n",
			"cart_test.go": goTestOf("\"testing\"", ""),
		}},
		"pytest": {[]string{"python3"}, "python3 -c 'import pytest'", map[string]string{
			"pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = [\".\"]\n", "cart.py": "def add(a, b):\n    return a + b\n",
			"test_cart.py": "from cart import add\n\ndef test_add():\n    assert add(1, 2) == 3\n",
		}},
		"node --test": {[]string{"node"}, "node --test /dev/null || node -e 'require(\"node:test\")'", map[string]string{
			"package.json": `{"name": "cart", "type": "module", "scripts": {"test": "node --test"}}`, "cart.js": "export function add(a, b) { return a + b }\n",
			"cart.test.js": nodeTestOf(""),
		}},
		"vitest": {[]string{"npx"}, "", map[string]string{
			"package.json": `{"name": "cart", "type": "module", "scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "3.0.0"}}`, "cart.js": "export function add(a, b) { return a + b }\n",
			"cart.test.js": "import { expect, test } from 'vitest'\nimport { add } from './cart.js'\n\ntest('adds', () => { expect(add(1, 2)).toBe(3) })\n",
		}},
		"cargo test": {[]string{"cargo"}, "", map[string]string{
			"Cargo.toml": "[package]\nname = \"cart\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": rustOf(""),
		}},
		"mvn": {[]string{"mvn", "java"}, "test -d /usr/share/maven-repo/org/junit/jupiter/junit-jupiter/debian", map[string]string{
			"pom.xml": pomOf("8", ""), ".mvn/maven.config": "-o\n-s\n/etc/maven/settings-debian.xml\n",
			"src/main/java/cart/Cart.java":     "package cart;\n\npublic class Cart {\n  public static int add(int a, int b) { return a + b; }\n}\n",
			"src/test/java/cart/CartTest.java": javaTestOf(""),
		}},
		"minitest": {[]string{"ruby"}, "ruby -e 'require \"minitest\"'", map[string]string{
			"lib/cart.rb": "module Cart\n  def self.add(a, b) = a + b\nend\n", "test/cart_test.rb": rubyTestOf(""),
		}},
	}
}

func goTestOf(imports, first string) string {
	return "package cart\n\nimport (" + imports + ")\n\nfunc TestAdd(t *testing.T) {\n" + first + "\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal(\"not 3\")\n\t}\n}\n"
}

func nodeTestOf(first string) string {
	return "import test from 'node:test'\nimport assert from 'node:assert'\nimport { add } from './cart.js'\n\ntest('adds', async () => {\n" + first + "\n  assert.equal(add(1, 2), 3)\n})\n"
}

func rustOf(first string) string {
	return "/// Adds.\npub fn add(a: i32, b: i32) -> i32 { a + b }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n" + first + "\n        assert_eq!(super::add(1, 2), 3);\n    }\n}\n"
}

func javaTestOf(first string) string {
	return "package cart;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport org.junit.jupiter.api.Test;\n\nclass CartTest {\n  @Test\n  void adds() throws Exception {\n" + first + "\n    assertEquals(3, Cart.add(1, 2));\n  }\n}\n"
}

func rubyTestOf(first string) string {
	return "require \"minitest/autorun\"\nrequire \"cart\"\n\nclass CartTest < Minitest::Test\n  def test_add\n" + first + "\n    assert_equal 3, Cart.add(1, 2)\n  end\nend\n"
}

func pomOf(release, dependency string) string {
	return `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>cart</groupId><artifactId>cart</artifactId><version>1</version>
<properties><maven.compiler.release>` + release + `</maven.compiler.release><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>debian</version><scope>test</scope></dependency>` + dependency + `</dependencies></project>
`
}

// environment is a place where the tests of a project cannot be run, with the real tool.
type environment struct {
	name, tool string
	files      map[string]string // that are written after the spec
	env        map[string]string
	prepare    func(t *testing.T, root string) // nil for nothing
	timeout    time.Duration                   // 0 for enough
	reason     string                          // a regular expression
}

// realEnvironments returns what the table of docs/contract-tests.md has. An environment that needs another tool than that of
// its project says so in prepare.
func realEnvironments() []environment {
	var out []environment
	for _, tool := range slices.Sorted(maps.Keys(projects())) {
		if tool != "vitest" {
			name := map[string]string{"go test": "go", "pytest": "python3", "node --test": "node", "cargo test": "cargo", "mvn": "(java|mvn)", "minitest": "ruby"}[tool]
			out = append(out, environment{name: "no tool", tool: tool, prepare: noPrograms, reason: "^" + name + " is not installed$"})
		}
	}
	dead := "http://127.0.0.1:1"
	return append(out, []environment{
		{name: "wrong version", tool: "go test", files: map[string]string{"go.mod": "module example.com/cart\n\ngo 1.99\n"}, env: map[string]string{"GOTOOLCHAIN": "local"}, reason: "requires go >= 1.99"},
		{name: "wrong version", tool: "pytest", files: map[string]string{"pyproject.toml": "[tool.pytest.ini_options]\nminversion = \"99.0\"\n"}, reason: "requires pytest-99.0, actual pytest-"},
		{name: "wrong version", tool: "cargo test", files: map[string]string{"Cargo.toml": "[package]\nname = \"cart\"\nversion = \"0.1.0\"\nedition = \"2021\"\nrust-version = \"1.999\"\n"}, reason: "1.999"},
		{name: "wrong version", tool: "mvn", files: map[string]string{"pom.xml": pomOf("99", "")}, reason: "release version 99 not supported"},
		{name: "wrong version", tool: "minitest", files: map[string]string{"test/cart_test.rb": "gem \"minitest\", \">= 99\"\n" + rubyTestOf("")}, reason: "minitest.*99"},
		{name: "module missing in one interpreter", tool: "pytest", prepare: bareInterpreter, reason: "No module named '?pytest"},
		{name: "module missing in one interpreter", tool: "minitest", env: map[string]string{"RUBYOPT": "--disable-gems"}, reason: "cannot load such file -- minitest/autorun"},
		{
			name: "offline", tool: "go test", files: map[string]string{"go.mod": "module example.com/cart\n\ngo 1.20\n\nrequire example.com/money v1.0.0\n", "cart_test.go": goTestOf("\"testing\"\n_ \"example.com/money\"", "")},
			env: map[string]string{"GOPROXY": dead, "GOFLAGS": "-mod=mod", "GONOSUMDB": "*"}, reason: "connection refused",
		},
		{name: "offline", tool: "cargo test", files: map[string]string{"Cargo.toml": "[package]\nname = \"cart\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nno-such-crate-in-any-cache = \"1\"\n"}, env: map[string]string{"CARGO_NET_OFFLINE": "true"}, reason: "^error: no matching package named `no-such-crate-in-any-cache` found"},
		{name: "offline", tool: "mvn", files: map[string]string{"pom.xml": pomOf("8", "<dependency><groupId>x</groupId><artifactId>money</artifactId><version>1</version></dependency>")}, reason: "x:money:jar:1"},
		{name: "no node_modules", tool: "vitest", reason: "vitest"},
		{name: "read-only tree", tool: "cargo test", prepare: readOnly, reason: "(?i)read-only file system"},
		{name: "read-only tree", tool: "mvn", prepare: readOnly, reason: "error while writing"},
		{name: "time-out", tool: "go test", files: map[string]string{"cart_test.go": goTestOf("\"testing\"\n\"time\"", "time.Sleep(time.Hour)")}, timeout: 20 * time.Second, reason: "not done after 20s"},
		{name: "time-out", tool: "pytest", files: map[string]string{"test_cart.py": "import time\nfrom cart import add\n\ndef test_add():\n    time.sleep(3600)\n"}, timeout: 5 * time.Second, reason: "not done after 5s"},
		{name: "time-out", tool: "node --test", files: map[string]string{"cart.test.js": nodeTestOf("await new Promise(r => setTimeout(r, 3600000))")}, timeout: 5 * time.Second, reason: "not done after 5s"},
		{name: "time-out", tool: "minitest", files: map[string]string{"test/cart_test.rb": rubyTestOf("sleep 3600")}, timeout: 5 * time.Second, reason: "not done after 5s"},
		{name: "killed", tool: "go test", files: map[string]string{"cart_test.go": goTestOf("\"testing\"\n\"syscall\"", "_ = syscall.Kill(syscall.Getppid(), syscall.SIGKILL)\nselect {}")}, reason: "killed"},
		{name: "killed", tool: "pytest", files: map[string]string{"test_cart.py": "import os, signal\nfrom cart import add\n\ndef test_add():\n    os.kill(os.getpid(), signal.SIGKILL)\n"}, reason: "killed"},
		{name: "killed", tool: "node --test", files: map[string]string{"cart.test.js": nodeTestOf("process.kill(process.ppid, 'SIGKILL'); await new Promise(r => setTimeout(r, 5000))")}, reason: "killed"},
		{name: "killed", tool: "cargo test", files: map[string]string{"src/lib.rs": rustOf("std::process::Command::new(\"bash\").arg(\"-c\").arg(\"kill -9 $(ps -o ppid= $PPID); sleep 2\").status().unwrap();")}, reason: "killed"},
		{name: "killed", tool: "minitest", files: map[string]string{"test/cart_test.rb": rubyTestOf("Process.kill(:KILL, Process.pid); sleep 5")}, reason: "killed"},
		{name: "missing toolchain", tool: "go test", files: map[string]string{"go.mod": "module example.com/cart\n\ngo 1.20\n\ntoolchain go1.99.0\n"}, env: map[string]string{"GOPROXY": "off", "GOTOOLCHAIN": "auto"}, reason: "toolchain not available|module lookup disabled"},
		{name: "missing compiler", tool: "go test", files: map[string]string{"c.go": "package cart\n\n// int one(void) { return 1; }\nimport \"C\"\n\nvar one = C.one()\n"}, env: map[string]string{"CC": "no-such-cc", "CGO_ENABLED": "1"}, reason: "C compiler \"no-such-cc\" not found"},
		{name: "missing compiler", tool: "cargo test", env: map[string]string{"CARGO_TARGET_" + strings.ToUpper(strings.NewReplacer("amd64", "x86_64", "arm64", "aarch64").Replace(runtime.GOARCH)) + "_UNKNOWN_LINUX_GNU_LINKER": "no-such-cc"}, reason: "linker `no-such-cc` not found"},
		{name: "broken lock file", tool: "go test", files: map[string]string{"go.mod": "module example.com/cart\n\ngo 1.20\n\nrequire example.com/money v1.0.0\n", "go.sum": "<<<<<<< HEAD\n", "cart_test.go": goTestOf("\"testing\"\n_ \"example.com/money\"", "")}, reason: `go\.sum:1`},
		{name: "broken lock file", tool: "cargo test", files: map[string]string{"Cargo.lock": "<<<<<<< HEAD\n"}, reason: "Cargo.lock|lock file"},
		{name: "broken lock file", tool: "vitest", files: map[string]string{"package-lock.json": "<<<<<<< HEAD\n"}, reason: "vitest"},
		{name: "disk full", tool: "go test", prepare: fullDisk, reason: "(?i)no space left on device"},
		{name: "disk full", tool: "cargo test", prepare: fullDisk, reason: "(?i)no space left on device"},
		{name: "missing service", tool: "go test", files: map[string]string{"cart_test.go": goTestOf("\"testing\"\n\"net\"", "if _, err := net.Dial(\"tcp\", \"127.0.0.1:1\"); err != nil { t.Fatal(err) }")}, reason: "dial tcp 127.0.0.1:1: connect: connection refused"},
		{name: "missing service", tool: "pytest", files: map[string]string{"test_cart.py": "import socket\nfrom cart import add\n\ndef test_add():\n    socket.create_connection((\"127.0.0.1\", 1))\n"}, reason: "ConnectionRefusedError"},
		{name: "missing service", tool: "node --test", files: map[string]string{"cart.test.js": nodeTestOf("const { connect } = await import('node:net'); await new Promise((_, fail) => connect(1, '127.0.0.1').on('error', fail))")}, reason: "connect ECONNREFUSED 127.0.0.1:1"},
		{name: "missing service", tool: "cargo test", files: map[string]string{"src/lib.rs": rustOf("std::net::TcpStream::connect(\"127.0.0.1:1\").unwrap();")}, reason: "(?i)connection ?refused"},
		{name: "missing service", tool: "mvn", files: map[string]string{"src/test/java/cart/CartTest.java": javaTestOf("new java.net.Socket(\"127.0.0.1\", 1);")}, reason: "Connection refused"},
		{name: "missing service", tool: "minitest", files: map[string]string{"test/cart_test.rb": rubyTestOf("require \"socket\"; TCPSocket.new(\"127.0.0.1\", 1)")}, reason: "ECONNREFUSED"},
	}...)
}

// TestRealEnvironments runs real tools where their tests cannot be run: each outcome has the cause, and the spec is as it was.
// REVERSE_SPEC_ENVIRONMENTS=all runs those of all tools, and is for `make environments`; else those of Go are run.
func TestRealEnvironments(t *testing.T) {
	all := os.Getenv("REVERSE_SPEC_ENVIRONMENTS") != ""
	var rows []string
	for _, tool := range slices.Sorted(maps.Keys(projects())) {
		if tool != "vitest" && (all || tool == "go test") {
			t.Run("healthy/"+tool, func(t *testing.T) {
				if got, _ := (environment{tool: tool}).verify(t); got.Outcome != contracttest.Passed {
					t.Errorf("%s: %s\n%s", got.Outcome, got.Reason, got.Output)
				}
			})
		}
	}
	for _, e := range realEnvironments() {
		if !all && e.tool != "go test" {
			continue
		}
		t.Run(e.name+"/"+e.tool, func(t *testing.T) {
			got, touched := e.verify(t)
			want := contracttest.Blocked
			if e.timeout != 0 {
				want = contracttest.TimedOut
			}
			if got.Outcome != want || !regexp.MustCompile(e.reason).MatchString(got.Reason) || touched {
				t.Errorf("%s (%s), spec touched: %v\n%s", got.Outcome, got.Reason, touched, got.Output)
			}
			rows = append(rows, fmt.Sprintf("| %s | %s | %s | `%s` |", e.name, e.tool, got.Outcome, strings.ReplaceAll(got.Reason, "|", `\|`)))
		})
	}
	t.Log("\n" + strings.Join(rows, "\n"))
}

// verify writes the spec of a project, makes the environment, and runs the tests. It reports whether the page changed.
func (e environment) verify(t *testing.T) (got contracttest.Test, touched bool) {
	t.Helper()
	of := projects()[e.tool]
	if e.tool == "pytest" && exec.CommandContext(t.Context(), "bash", "-c", of.probe).Run() != nil {
		t.Setenv("PATH", "/usr/bin"+string(os.PathListSeparator)+os.Getenv("PATH")) // the system's interpreter may have it
	}
	missing := slices.DeleteFunc(slices.Clone(of.needs), func(name string) bool { _, err := exec.LookPath(name); return err == nil })
	if len(missing) > 0 || of.probe != "" && exec.CommandContext(t.Context(), "bash", "-c", of.probe).Run() != nil {
		if os.Getenv("CI") == "true" && e.tool == "go test" {
			t.Fatalf("%s is not installed", e.tool)
		}
		t.Skipf("%s is not installed, or without what its tests need", cmp.Or(strings.Join(missing, ", "), e.tool))
	}
	p := openProject(t, of.files)
	r, err := spec.Generate(t.Context(), p, ".", spec.GenerateOptions{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(p.Root(), r.SpecPath)
	write(t, page, strings.Replace(read(t, page), "health: unverified", "health: active", 1))
	before := read(t, page)
	e.make(t, p)
	report, err := contracttest.Verify(t.Context(), p, []string{r.SpecPath}, contracttest.Options{Only: behaviorsOf(t, p, r.SpecPath), Timeout: cmp.Or(e.timeout, 10*time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	return report.Specs[0].Tests[0], read(t, page) != before && e.name != ""
}

// make makes the environment.
func (e environment) make(t *testing.T, p *project.Project) {
	t.Helper()
	for name, text := range e.files {
		write(t, filepath.Join(p.Root(), name), text)
	}
	for name, value := range e.env {
		t.Setenv(name, value)
	}
	if e.prepare != nil {
		e.prepare(t, p.Root())
	}
}

// behaviorsOf returns the id of the test of a spec that runs tests.
func behaviorsOf(t *testing.T, p *project.Project, page string) []string {
	t.Helper()
	s, err := spec.Load(p, page)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range s.ContractTests {
		if c.Type == "behavior" {
			return []string{c.ID}
		}
	}
	t.Fatalf("%s has no test of behavior: %s", page, s.Risks)
	return nil
}

// noPrograms leaves bash alone on PATH.
func noPrograms(t *testing.T, _ string) {
	t.Helper()
	dir := t.TempDir()
	bash, err := exec.LookPath("bash")
	if err == nil {
		err = os.Symlink(bash, filepath.Join(dir, "bash"))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
}

// bareInterpreter puts an interpreter first that has no packages.
func bareInterpreter(t *testing.T, _ string) {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "python3", "-m", "venv", "--without-pip", dir).CombinedOutput(); err != nil {
		t.Skipf("python3 has no venv: %s", out)
	}
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// readOnly makes the tree of a project read-only.
func readOnly(t *testing.T, root string) {
	t.Helper()
	mount(t, root, "--bind", root)
	mount(t, root, "-o", "remount,bind,ro", root)
}

// fullDisk gives temporary files and what is built a disk of 64 KiB.
func fullDisk(t *testing.T, _ string) {
	t.Helper()
	dir := t.TempDir()
	mount(t, dir, "-t", "tmpfs", "-o", "size=64k", "tmpfs")
	for _, name := range []string{"GOTMPDIR", "CARGO_TARGET_DIR"} {
		t.Setenv(name, dir)
	}
}

// mount calls mount, and unmounts the folder when the test ends.
func mount(t *testing.T, dir string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "mount", append(args, dir)...).CombinedOutput(); err != nil {
		t.Skipf("this system does not let us mount: %s", out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() }) // the context of the test has ended
}
