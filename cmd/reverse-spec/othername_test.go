package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheProgramUnderAnotherNameRunsItsContractTests: scripts of specs call reverse-spec,
// which must be the running program even if nothing on PATH has that name.
func TestTheProgramUnderAnotherNameRunsItsContractTests(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("SKIPPED: bash is not installed")
	}
	bin := t.TempDir()
	built := filepath.Join(bin, "reverse-spec")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", built, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	system := filepath.Join(bin, "system") // only bash on PATH
	if err := os.Mkdir(system, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"bash", "sh", "cat", "env", "grep"} {
		if path, err := exec.LookPath(tool); err == nil {
			if err := os.Symlink(path, filepath.Join(system, tool)); err != nil {
				t.Skipf("SKIPPED: no links here: %v", err)
			}
		}
	}
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"go.mod":    "module example.com/shop\n",
		"cart.go":   "package shop\n\nfunc Add(a, b int) int { return a + b }\n",
		"x.spec.md": "---\nhealth: unverified\n---\n\n# X\n\n## 4. Contract Tests\n\n### CT-X-001: it is itself\n\n**验证脚本**：\n```bash\nreverse-spec version\nreverse-spec prepare cart.go | grep -q 'func Add'\n```\n",
	})
	for _, name := range []string{"rs", "rs tool"} {
		renamed := filepath.Join(bin, name)
		copyFile(t, built, renamed)
		cmd := exec.CommandContext(t.Context(), renamed, "verify", "x.spec.md")
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + system, "HOME=" + dir, "LC_ALL=C", "REVERSE_SPEC_HOME=" + filepath.Join(dir, ".home")}
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "1 passed, 0 failed") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// copyFile copies a program.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
