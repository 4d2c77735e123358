package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// shownPackages are packages of Go's standard library; make contracts has more.
var shownPackages = []string{"container/list", "encoding/hex", "path"}

// TestContractTestsOfStandardPackagesPass: contract tests generated for working code pass,
// both signatures and behavior, and cover requirements.
func TestContractTestsOfStandardPackagesPass(t *testing.T) {
	for _, name := range []string{"go", "jq", "bash", "awk"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name + " is not installed")
		}
	}
	t.Setenv("GOROOT", standardPackages(t))
	t.Setenv("REVERSE_SPEC_HOME", t.TempDir())
	t.Setenv("PATH", ourselves(t)+string(os.PathListSeparator)+os.Getenv("PATH"))
	p, err := project.Open(filepath.Join(os.Getenv("GOROOT"), "src"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, name := range shownPackages {
		r, err := spec.Generate(t.Context(), p, name, spec.GenerateOptions{Check: contracttest.Checker(contracttest.Options{Jobs: 2})})
		if err != nil {
			t.Fatal(err)
		}
		s, err := spec.Load(p, r.SpecPath)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, ct := range s.ContractTests {
			got[ct.Type+" "+ct.Checked]++
		}
		if got["schema read from the code"] != 1 || got["behavior passed"] == 0 || len(got) != 2 {
			t.Errorf("%s: %v", name, got)
		}
		if strings.Contains(s.Risks, "fails: ") {
			t.Errorf("%s: %s", name, s.Risks)
		}
	}
}

// standardPackages creates a GOROOT of links to the installed packages, except copies of the
// tested ones.
func standardPackages(t *testing.T) string {
	t.Helper()
	text, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	from, to := string(bytes.TrimSpace(text)), t.TempDir()
	link(t, from, to, "src")
	link(t, filepath.Join(from, "src"), filepath.Join(to, "src"), "go.mod", "container", "encoding", "path")
	for _, group := range []string{"container", "encoding"} {
		link(t, filepath.Join(from, "src", group), filepath.Join(to, "src", group), "list", "hex")
	}
	module, err := os.ReadFile(filepath.Join(from, "src", "go.mod")) // no file of the project may be outside
	if err == nil {
		err = os.WriteFile(filepath.Join(to, "src", "go.mod"), module, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range shownPackages {
		dir := filepath.Join("src", filepath.FromSlash(name))
		if err := os.CopyFS(filepath.Join(to, dir), os.DirFS(filepath.Join(from, dir))); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// link creates a folder with links to the contents of another, with exceptions.
func link(t *testing.T, from, to string, but ...string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	skip := "/" + strings.Join(but, "/") + "/"
	for _, e := range entries {
		if strings.Contains(skip, "/"+e.Name()+"/") {
			continue
		}
		if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			t.Skip("no symbolic links here")
		}
	}
}

// ourselves returns a folder with the program under test as reverse-spec.
func ourselves(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, "reverse-spec")); err != nil {
		t.Skip("no symbolic links here")
	}
	return dir
}
