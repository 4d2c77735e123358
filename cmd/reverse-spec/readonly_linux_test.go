package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// confined runs a command in a folder while some folders are read-only: in a mount namespace,
// or by permissions for a user other than root.
type confined struct {
	dir  string
	data string // the program's data folder
	ro   []string
}

// input is the standard input of a command; output is what it writes and its exit status.
func (c confined) run(t *testing.T, input string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	mounts := "set -e\n"
	for _, dir := range c.ro {
		mounts += "mount --bind '" + dir + "' '" + dir + "'\nmount -o remount,ro,bind '" + dir + "'\n"
	}
	cmd := exec.CommandContext(t.Context(), "unshare", append([]string{"-m", "sh", "-c", mounts + `cd "$0"; exec reverse-spec "$@"`, c.dir}, args...)...)
	if os.Geteuid() != 0 {
		cmd = exec.CommandContext(t.Context(), "reverse-spec", args...)
		cmd.Dir = c.dir
		for _, dir := range c.ro {
			lock(t, dir)
		}
	} else if exec.CommandContext(t.Context(), "unshare", "-m", "true").Run() != nil {
		t.Skip("SKIPPED: root writes anywhere, and a mount namespace cannot be had here")
	}
	var out, errs strings.Builder
	cmd.Env = append(os.Environ(), "REVERSE_SPEC_HOME="+c.data, "GRAPH_DB_PATH=", "LC_ALL=C", "REVERSE_SPEC_LANG=", "CKB_UNAVAILABLE=1", "TARGET_REPO_PATH=",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "REVERSE_SPEC_PROVIDER=none")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &errs
	err := cmd.Run()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// lock removes write permission from a folder and its contents until the test ends.
func lock(t *testing.T, dir string) {
	t.Helper()
	change := func(from func(fs.FileMode) fs.FileMode) {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if info, infoErr := d.Info(); err == nil && infoErr == nil && info.Mode()&fs.ModeSymlink == 0 {
				_ = os.Chmod(path, from(info.Mode().Perm()))
			}
			return err
		})
	}
	change(func(m fs.FileMode) fs.FileMode { return m &^ 0o222 })
	t.Cleanup(func() { change(func(m fs.FileMode) fs.FileMode { return m | 0o200 }) })
}

// baked returns a project with a finished index, both in read-only folders.
func baked(t *testing.T, files map[string]string) confined {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := confined{dir: filepath.Join(base, "shop"), data: filepath.Join(base, "data")}
	writeTree(t, c.dir, files)
	run := func(args ...string) {
		if out, errs, status := c.run(t, "", args...); status != 0 {
			t.Fatalf("%v: %d\n%s%s", args, status, out, errs)
		}
	}
	run("index")
	writeTree(t, c.dir, map[string]string{"late.go": "package shop\n\nfunc Late() {}\n"})
	run("index") // the second run removes the log
	c.ro = []string{c.dir, c.data}
	return c
}

var shopFiles = map[string]string{
	"go.mod": "module example.com/shop\n", "cart.go": "package shop\n\n// Add adds.\nfunc Add(a, b int) int { return helper(a) + b }\n\nfunc helper(a int) int { return a }\n",
}

func TestAnIndexInAReadOnlyFolderAnswers(t *testing.T) {
	c := baked(t, shopFiles)
	for want, args := range map[string][]string{
		"embedding  Add":                   {"graph-rag", "where is Add"},
		"Successfully retrieved 3 item(s)": {"query", "MATCH (n:Function) RETURN n.name"},
		"helper  cart.go:4  0.99":          {"call-chain", "Add"},
		"a change affects 1 symbol":        {"impact", "helper"},
		"0 files changed, 0 removed":       {"status"},
		"func Late() {}":                   {"snippet", "Late"},
	} {
		out, errs, status := c.run(t, "", args...)
		if status != 0 || !strings.Contains(out+errs, want) || strings.Contains(errs, "warning") {
			t.Errorf("%v: %d, want %q\n%s%s", args, status, want, out, errs)
		}
	}
	calls := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ci_graph_rag","arguments":{"query":"Add"}}}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ci_call_chain","arguments":{"symbol":"Add"}}}` + "\n" +
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"index_repository","arguments":{}}}` + "\n"
	out, errs, _ := c.run(t, calls, "mcp-server")
	for _, want := range []string{`\"symbol\":\"shop.cart.Add\"`, `shop.cart.helper`, "cannot be written"} {
		if !strings.Contains(out, want) {
			t.Errorf("MCP: no %s\n%s%s", want, out, errs)
		}
	}
	if _, errs, status := c.run(t, "", "index"); status != 1 || !strings.Contains(errs, "cannot be written") || !strings.Contains(errs, "REVERSE_SPEC_HOME") {
		t.Errorf("index: %d %s", status, errs)
	}
	writeTree(t, c.dir, map[string]string{"new.go": "package shop\n\nfunc New() {}\n"})
	out, errs, status := c.run(t, "", "impact", "helper")
	if status != 0 || !strings.Contains(out, "a change affects 1 symbol") || !strings.Contains(errs, "1 file has changed since, and it cannot be renewed") {
		t.Errorf("a stale index: %d\n%s%s", status, out, errs)
	}
}

// An image may contain only the database, without SQLite's companion files.
func TestADatabaseAloneInAReadOnlyFolderAnswers(t *testing.T) {
	c := baked(t, shopFiles)
	beside, err := filepath.Glob(filepath.Join(c.data, "projects", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range beside {
		if !strings.HasSuffix(name, ".db") || strings.HasSuffix(name, "catalog.db") {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if out, errs, status := c.run(t, "", "impact", "helper"); status != 0 || !strings.Contains(out, "a change affects 1 symbol") || errs != "" {
		t.Errorf("%d\n%s%s", status, out, errs)
	}
}

// TestCommandsOnAReadOnlyProject: results are complete, and failed writes are reported.
func TestCommandsOnAReadOnlyProject(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("SKIPPED: bash is not installed")
	}
	c := baked(t, map[string]string{"go.mod": shopFiles["go.mod"], "cart.go": shopFiles["cart.go"]})
	c.ro = nil
	if out, errs, status := c.run(t, "", "generate", "."); status != 0 {
		t.Fatalf("%s%s", out, errs)
	}
	writeTree(t, c.dir, map[string]string{"x.spec.md": "---\nhealth: unverified\nlast_verified: never\n---\n\n# X\n\n## 4. Contract Tests\n\n### CT-X-001: it is itself\n\n**验证脚本**：\n```bash\ntrue\n```\n"})
	c.ro = []string{c.dir}
	specs, err := filepath.Glob(filepath.Join(c.dir, "specs", "*.spec.md"))
	if err != nil || len(specs) == 0 {
		specs, _ = filepath.Glob(filepath.Join(c.dir, "specs", "*", "*.spec.md"))
	}
	if len(specs) == 0 {
		t.Fatal("no spec was written")
	}
	out, errs, status := c.run(t, "", "verify", "x.spec.md", "--json")
	var report struct {
		Passed int
		Specs  []struct{ Note, Health string }
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || status != 0 || report.Passed != 1 || !strings.Contains(report.Specs[0].Note, "front matter left as it is") || report.Specs[0].Health != "unverified" {
		t.Errorf("verify: %d %v\n%s%s", status, err, out, errs)
	}
	out, errs, status = c.run(t, "", "diff", specs[0], "--report")
	if status != 0 || !strings.Contains(errs, "the report was not written") {
		t.Errorf("diff: %d\n%s%s", status, out, errs)
	}
	for _, args := range [][]string{{"diff", specs[0]}, {"prepare", "cart.go"}, {"generate", "cart.go", "--stdout"}, {"impact", "helper"}, {"list"}} {
		if out, errs, status := c.run(t, "", args...); status != 0 || out == "" {
			t.Errorf("%v: %d\n%s%s", args, status, out, errs)
		}
	}
	if _, errs, status := c.run(t, "", "generate", "cart.go"); status != 1 || !strings.Contains(errs, "write specs/") {
		t.Errorf("generate: %d\n%s", status, errs)
	}
	writeTree(t, c.dir, map[string]string{"cart.go": "package shop\n\nfunc Add(a int) int { return a }\n"})
	if out, errs, status := c.run(t, "", "diff", specs[0], "--report"); status != 3 {
		t.Errorf("diff of a change: %d\n%s%s", status, out, errs)
	}
}
