package reach_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// goroot stands for the repository of the Go distribution that runs the comparison.
const goroot = "GOROOT"

// timeLimit is that of one test.
const timeLimit = 30 * time.Second

func rootOfGo(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// golang runs go test with a coverage profile of the module's package.
type golang struct{}

func (golang) name(file string, t *code.Test) string {
	top, _, _ := strings.Cut(t.Name, " > ")
	return path.Dir(file) + " " + top
}

// entered runs the tests of the module, of the packages whose tests import it, and of those that the program names.
func (golang) entered(ctx context.Context, t *testing.T, m *module, _, named []string) (map[string]outcome, error) {
	t.Helper()
	pkg, err := output(ctx, m.root, "go", "list", "./"+m.path)
	if err != nil {
		return nil, err
	}
	pkg = strings.TrimSpace(pkg)
	around := "./..."
	if m.repository == goroot { // its parent and what is below it
		around = "./" + path.Dir(m.path) + "/..."
		if path.Dir(m.path) == "." {
			around = "./" + m.path + "/..."
		}
	}
	list, err := output(ctx, m.root, "go", "list", "-e", "-f", `{{.Dir}}{{range .TestImports}} {{.}}{{end}}{{range .XTestImports}} {{.}}{{end}}`, around)
	if err != nil {
		return nil, err
	}
	folders := []string{m.path}
	for _, file := range named {
		folders = append(folders, path.Dir(file))
	}
	for line := range strings.Lines(list) {
		cells := strings.Fields(line)
		if rel, err := filepath.Rel(m.root, cells[0]); err == nil && slices.Contains(cells[1:], pkg) {
			folders = append(folders, filepath.ToSlash(rel))
		}
	}
	slices.Sort(folders)
	out := map[string]outcome{}
	for _, folder := range slices.Compact(folders) {
		if err := enteredIn(ctx, t.TempDir(), m, pkg, folder, out); err != nil {
			fmt.Fprintf(os.Stdout, "%s: tests of %s were not run: %v\n", m.path, folder, err)
		}
	}
	return out, nil
}

// output runs a command in a folder.
func output(ctx context.Context, folder, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = folder
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		text := problems.String()
		return "", fmt.Errorf("%s: %w: %s", name, err, text[:min(len(text), 300)])
	}
	return string(out), nil
}

// problems runs a command and returns all that it says if it fails.
func problems(ctx context.Context, name string, args ...string) error {
	if text, err := exec.CommandContext(ctx, name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, text)
	}
	return nil
}

// enteredIn runs the tests of one package. What runs without any test, such as init functions, does not count.
func enteredIn(ctx context.Context, temp string, m *module, pkg, folder string, out map[string]outcome) error {
	binary, profile := filepath.Join(temp, "run.test"), filepath.Join(temp, "profile")
	dir := filepath.Join(m.root, filepath.FromSlash(folder))
	if _, err := output(ctx, dir, "go", "test", "-c", "-cover", "-covermode=set", "-coverpkg="+pkg, "-o", binary, "."); err != nil {
		return err
	}
	list, err := output(ctx, dir, binary, "-test.list", ".*")
	if err != nil {
		return err
	}
	run := func(pattern string) (covered set, text string, err error) {
		limited, cancel := context.WithTimeout(ctx, timeLimit)
		defer cancel()
		_ = os.Remove(profile)
		text, _ = output(limited, dir, binary, "-test.run", pattern, "-test.v", "-test.short", "-test.coverprofile", profile) // one that fails covers, too
		covered, err = blocks(profile)
		return covered, text, err
	}
	before, _, err := run("^$")
	if err != nil {
		return err
	}
	for line := range strings.Lines(list) {
		name := strings.TrimSpace(line)
		if strings.HasPrefix(name, "Benchmark") || name == "" {
			continue
		}
		covered, text, err := run("^" + name + "$")
		if err != nil || strings.Contains(text, "--- SKIP: "+name+" ") || strings.Contains(text, "no tests to run") {
			continue // it ended the process, or did not run
		}
		enters := false
		for block := range covered {
			enters = enters || !before[block]
		}
		out[folder+" "+name] = outcome{enters: enters, names: true}
	}
	return nil
}

// blocks returns the blocks of a coverage profile that were run.
func blocks(profile string) (set, error) {
	f, err := os.Open(profile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := set{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if at, count, ok := strings.Cut(lines.Text(), " "); ok && !strings.HasSuffix(count, " 0") && at != "mode:" {
			out[at] = true
		}
	}
	return out, lines.Err()
}
