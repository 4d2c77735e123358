package evidence_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// find returns the findings in a folder of a project.
func find(t *testing.T, dir, target string) []evidence.Finding {
	t.Helper()
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	tree, err := source.Read(t.Context(), p, target, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return evidence.Find(t.Context(), tree.Files, code.Merge(tree.Target, tree.Files, time.Unix(0, 0)))
}

// TestFindings compares the findings per language and checks their citations.
func TestFindings(t *testing.T) {
	golden.Archives(t, "findings", func(t *testing.T, files map[string][]byte) string {
		dir := t.TempDir()
		for name, text := range files {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		list := find(t, dir, ".")
		citationsHold(t, dir, list)
		var b strings.Builder
		for _, f := range list {
			fmt.Fprintf(&b, "%s: %s\n", f.Rule.ID, f.Sentence("en"))
			if f.Detail != "" {
				fmt.Fprintf(&b, "    %s\n", f.Detail)
			}
			for _, when := range f.When {
				fmt.Fprintf(&b, "    when %s\n", strings.Join(when, " | "))
			}
			if f.From != nil {
				fmt.Fprintf(&b, "    from %s\n", strings.Join(f.From, ", "))
			}
			for _, p := range f.At {
				fmt.Fprintf(&b, "    %s:%d\n", p.File, p.Line)
			}
		}
		return b.String()
	})
}

// citationsHold checks that each place exists and has the given text.
func citationsHold(t *testing.T, dir string, list []evidence.Finding) (places int) {
	t.Helper()
	lines := map[string][]string{}
	for _, f := range list {
		if len(f.At) == 0 {
			t.Errorf("%s: no place", f.Sentence("en"))
		}
		for _, p := range f.At {
			places++
			if lines[p.File] == nil {
				text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p.File)))
				if err != nil {
					t.Fatal(err)
				}
				lines[p.File] = strings.Split(string(text), "\n")
			}
			if p.Line < 1 || p.Line > len(lines[p.File]) {
				t.Errorf("%s: %s has no line %d", f.Sentence("en"), p.File, p.Line)
			} else if row := lines[p.File][p.Line-1]; !strings.Contains(row, p.Text) {
				t.Errorf("%s: %s:%d is %q without %q", f.Sentence("en"), p.File, p.Line, row, p.Text)
			}
		}
	}
	return places
}

// TestCitationsInTheStandardLibrary checks the citations of findings in Go's library.
func TestCitationsInTheStandardLibrary(t *testing.T) {
	dir := filepath.Join(runtime.GOROOT(), "src") //nolint:staticcheck // the tests' own toolchain is meant
	for _, target := range []string{"net/url", "encoding/json", "net/http", "archive/zip", "os/exec", "flag", "expvar", "database/sql", "cmd/gofmt"} {
		t.Run(target, func(t *testing.T) {
			if places := citationsHold(t, dir, find(t, dir, target)); places < 5 {
				t.Errorf("only %d places", places)
			}
		})
	}
}

// TestCitationsInPythonsLibrary does the same for Python's.
func TestCitationsInPythonsLibrary(t *testing.T) {
	dir, err := exec.Command("python3", "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])").Output()
	if err != nil {
		t.Skipf("there is no python3 to ask for its library: %v", err)
	}
	for _, target := range []string{"asyncio", "http", "logging", "argparse.py", "zipfile.py", "subprocess.py", "venv", "unittest"} {
		t.Run(target, func(t *testing.T) {
			root := strings.TrimSpace(string(dir))
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Skipf("this Python has no %s", target)
			}
			if places := citationsHold(t, root, find(t, root, target)); places < 5 {
				t.Errorf("only %d places", places)
			}
		})
	}
}

// TestNothingIsFoundTwice checks that titles are unique, because ids depend on them.
func TestNothingIsFoundTwice(t *testing.T) {
	dir := filepath.Join(runtime.GOROOT(), "src") //nolint:staticcheck // the tests' own toolchain is meant
	seen := map[string]bool{}
	for _, f := range find(t, dir, "net/http") {
		if seen[f.Sentence("en")] {
			t.Errorf("%s: twice", f.Sentence("en"))
		}
		seen[f.Sentence("en")] = true
	}
}

// TestRulesAreComplete checks the fields of the rules.
func TestRulesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range evidence.Rules() {
		if r.ID == "" || seen[r.ID] || r.Evidence == "" || r.Section == "" {
			t.Errorf("rule %+v", r)
		}
		seen[r.ID] = true
		if strings.Count(r.En, "%s") != strings.Count(r.Zh, "%s") {
			t.Errorf("%s: the words of the languages differ in number", r.ID)
		}
	}
}
