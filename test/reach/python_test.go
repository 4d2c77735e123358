package reach_test

import (
	"bufio"
	"context"
	_ "embed"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// python runs pytest with a plugin that notes which tests call functions of the module.
type python struct{}

//go:embed testdata/entered.py
var enteredPlugin []byte

func (python) name(file string, t *code.Test) string {
	return file + "::" + strings.ReplaceAll(t.Name, " > ", "::")
}

// entered runs all tests of the repository.
func (python) entered(ctx context.Context, t *testing.T, m *module, sources, named []string) (map[string]outcome, error) {
	t.Helper()
	temp := t.TempDir()
	if err := os.WriteFile(filepath.Join(temp, "reach_entered.py"), enteredPlugin, 0o600); err != nil {
		return nil, err
	}
	var paths []string
	for _, file := range sources {
		paths = append(paths, filepath.Join(m.root, filepath.FromSlash(file)))
	}
	result := filepath.Join(temp, "result")
	t.Setenv("REACH_SOURCES", strings.Join(paths, string(os.PathListSeparator)))
	t.Setenv("REACH_RESULT", result)
	t.Setenv("PYTHONPATH", strings.Join([]string{temp, filepath.Join(m.root, "src"), m.root}, string(os.PathListSeparator)))
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	interpreter := os.Getenv("REVERSE_SPEC_PYTHON")
	if interpreter == "" {
		interpreter = "python3"
	}
	_, err := output(ctx, m.root, interpreter, "-m", "pytest", "-q", "-p", "reach_entered", "-p", "no:cacheprovider", "-x", "--maxfail=1000")
	f, opened := os.Open(result)
	if opened != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string]outcome{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		cells := strings.SplitN(lines.Text(), " ", 3)
		name, _, _ := strings.Cut(cells[2], "[") // the rows of a table are one test
		file, _, _ := strings.Cut(name, "::")
		out[name] = outcome{enters: out[name].enters || cells[0] == "1", names: cells[1] == "1" || slices.Contains(named, file)}
	}
	return out, lines.Err()
}
