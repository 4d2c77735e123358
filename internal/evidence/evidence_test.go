package evidence_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// find returns the claims about a folder of a project; those of its commands only on request.
func find(t *testing.T, dir, target string, commands bool) []evidence.Claim {
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
	if err := tree.ReadWhole(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	tree.Links = resolve.Module(tree.Files, nil, codegraph.Resolve(tree.Files, nil))
	services := source.NewServices(p, nil, nil)
	if err := services.FindSettings(t.Context(), tree); err != nil {
		t.Fatal(err)
	}
	if commands {
		if err := services.FindCommands(t.Context(), tree); err != nil {
			t.Fatal(err)
		}
	}
	return evidence.Find(t.Context(), tree.Files, code.Merge(tree.Target, tree.Files, time.Unix(0, 0)), tree.Links, evidence.Known{Endpoints: tree.Endpoints, Commands: tree.Commands, Settings: tree.Settings, Sharing: tree.Sharing})
}

// TestClaims compares the claims per language and checks their citations.
func TestClaims(t *testing.T) {
	golden.Archives(t, "claims", func(t *testing.T, files map[string][]byte) string {
		dir := unpack(t, files)
		list := find(t, dir, ".", false)
		citationsHold(t, dir, list)
		var b strings.Builder
		for i := range list {
			write(&b, &list[i])
		}
		return b.String()
	})
}

// TestProcess compares the claims about how programs end, with their commands.
func TestProcess(t *testing.T) {
	golden.Archives(t, "process", func(t *testing.T, files map[string][]byte) string {
		list := find(t, unpack(t, files), ".", true)
		var b strings.Builder
		for i := range list {
			if slices.Contains([]evidence.Kind{evidence.Command, evidence.ExitStatus, evidence.Signal, evidence.StandardInput}, list[i].Kind) {
				write(&b, &list[i])
			}
		}
		return b.String()
	})
}

// unpack writes files into a folder of their own.
func unpack(t *testing.T, files map[string][]byte) string {
	t.Helper()
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
	return dir
}

// write writes a claim as text.
func write(b *strings.Builder, c *evidence.Claim) {
	fmt.Fprintf(b, "%s: %s", c.Kind, title(c))
	if o := c.Option; o != nil {
		fmt.Fprintf(b, " type=%q default=%q help=%q", o.Type, o.Default, o.Help)
		if o.Required {
			b.WriteString(" required")
		}
		if o.Also != "" {
			fmt.Fprintf(b, " also=%q", o.Also)
		}
	}
	for _, more := range []struct{ name, text string }{{"of", c.Of}, {"role", c.Role}, {"text", c.Text}} {
		if more.text != "" {
			fmt.Fprintf(b, " %s=%q", more.name, more.text)
		}
	}
	if o := c.Outcome; o != nil && len(o.Wraps)+len(o.Beside) > 0 {
		fmt.Fprintf(b, " wraps=%q beside=%q", o.Wraps, o.Beside)
	}
	b.WriteString("\n")
	for _, when := range c.When {
		fmt.Fprintf(b, "    when %s%s\n", map[bool]string{true: "(partial) "}[when.Partial]+map[bool]string{true: "(later) "}[when.Later], when)
		for _, term := range when.All {
			if term.Origin != "" {
				fmt.Fprintf(b, "    origin %s\n", term.Origin)
			}
		}
	}
	if len(c.Exits) > 0 {
		fmt.Fprintf(b, "    exits %s\n", strings.Join(c.Exits, ", "))
	}
	if c.From != nil {
		fmt.Fprintf(b, "    from %s\n", strings.Join(c.From, ", "))
	}
	for _, p := range c.At {
		fmt.Fprintf(b, "    %s:%d\n", p.File, p.Line)
	}
}

// title returns what a claim is about on one line.
func title(c *evidence.Claim) string {
	parts := []string{c.Subject, c.Name, strings.Join(c.Values, ", ")}
	if c.Outcome != nil {
		parts = append(append(parts, c.Outcome.Error, c.Outcome.Member, c.Outcome.Message, c.Outcome.Status), c.Outcome.Details...)
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " · ")
}

// citationsHold checks that each place exists and has the given text.
func citationsHold(t *testing.T, dir string, list []evidence.Claim) (places int) {
	t.Helper()
	lines := map[string][]string{}
	for i := range list {
		f := &list[i]
		if len(f.At) == 0 && f.Kind != evidence.Platform {
			t.Errorf("%s: no place", title(f))
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
				t.Errorf("%s: %s has no line %d", title(f), p.File, p.Line)
			} else if row := lines[p.File][p.Line-1]; !strings.Contains(row, p.Text) {
				t.Errorf("%s: %s:%d is %q without %q", title(f), p.File, p.Line, row, p.Text)
			}
		}
	}
	return places
}

// TestCitationsInTheStandardLibrary checks the citations of claims in Go's library.
func TestCitationsInTheStandardLibrary(t *testing.T) {
	dir := filepath.Join(runtime.GOROOT(), "src") //nolint:staticcheck // the tests' own toolchain is meant
	for _, target := range []string{"net/url", "encoding/json", "net/http", "archive/zip", "os/exec", "flag", "expvar", "database/sql", "cmd/gofmt"} {
		t.Run(target, func(t *testing.T) {
			if places := citationsHold(t, dir, find(t, dir, target, false)); places < 5 {
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
			if places := citationsHold(t, root, find(t, root, target, false)); places < 5 {
				t.Errorf("only %d places", places)
			}
		})
	}
}

// TestIDsAreUnique checks the ids of claims in a large module.
func TestIDsAreUnique(t *testing.T) {
	dir := filepath.Join(runtime.GOROOT(), "src") //nolint:staticcheck // the tests' own toolchain is meant
	seen := map[string]bool{}
	list := find(t, dir, "net/http", false)
	for i := range list {
		if id := list[i].ID(); seen[id] {
			t.Errorf("%s %s: twice", id, title(&list[i]))
		} else {
			seen[id] = true
		}
	}
}

// TestIDsStay checks that an id does not depend on lines, conditions and values.
func TestIDsStay(t *testing.T) {
	dir := t.TempDir()
	ids := func(source string) (out []string) {
		if err := os.WriteFile(filepath.Join(dir, "a.py"), []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
		list := find(t, dir, ".", false)
		for i := range list {
			out = append(out, list[i].ID())
		}
		return out
	}
	before := ids("MAX_SIZE = 3\ndef f(a, b=1):\n    if a > 2:\n        raise ValueError('too large')\n")
	after := ids("import os\n\nMAX_SIZE = 4\n\ndef f(a, b=2):\n    if a >= MAX_SIZE:\n        raise ValueError('too large')\n")
	if len(before) != 4 || !slices.Equal(before, after) {
		t.Errorf("%q became %q", before, after)
	}
}
