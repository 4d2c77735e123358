package reach_test

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// ecma runs vitest with a set-up file that reads V8's coverage after each test. Each repository is run once.
type ecma struct{ ran map[string][]noted }

// noted is what the set-up file notes of a test.
type noted struct {
	File    string   `json:"file"`
	Names   []string `json:"names"` // of the groups and the test
	Entered []string `json:"entered"`
}

//go:embed testdata/entered.mjs
var enteredSetup []byte

// name returns the names of the innermost group and of the test: a test may be declared in another file than its groups.
func (ecma) name(_ string, t *code.Test) string { return lastTwo(strings.Split(t.Name, " > ")) }

func lastTwo(names []string) string { return strings.Join(names[max(0, len(names)-2):], " > ") }

// entered runs all tests of the repository's src folder.
func (e ecma) entered(ctx context.Context, t *testing.T, m *module, sources, named []string) (map[string]outcome, error) {
	t.Helper()
	if e.ran[m.root] == nil {
		list, err := vitest(ctx, t, m.root)
		if err != nil {
			return nil, err
		}
		e.ran[m.root] = list
	}
	out := map[string]outcome{}
	importing := map[string]bool{}
	for _, n := range e.ran[m.root] {
		file, err := filepath.Rel(m.root, n.File)
		if err != nil {
			return nil, err
		}
		file = filepath.ToSlash(file)
		if _, known := importing[file]; !known {
			importing[file] = slices.Contains(named, file) || imports(m, file, sources)
		}
		name := lastTwo(n.Names)
		o := out[name]
		o.names = o.names || importing[file]
		for _, at := range n.Entered {
			rel, err := filepath.Rel(m.root, at)
			o.enters = o.enters || err == nil && slices.Contains(sources, filepath.ToSlash(rel))
		}
		out[name] = o
	}
	return out, nil
}

var specifier = regexp.MustCompile(`(?:from|import)\s*\(?\s*['"](\.[^'"]*)['"]`)

// imports reports whether a file imports one of the sources of a module, or its folder.
func imports(m *module, file string, sources []string) bool {
	text, err := os.ReadFile(filepath.Join(m.root, filepath.FromSlash(file)))
	if err != nil {
		return false
	}
	for _, found := range specifier.FindAllStringSubmatch(string(text), -1) {
		at := path.Join(path.Dir(file), found[1])
		if at == m.path || slices.ContainsFunc(sources, func(s string) bool {
			return at == s || at == strings.TrimSuffix(s, path.Ext(s)) || strings.TrimSuffix(at, path.Ext(at)) == strings.TrimSuffix(s, path.Ext(s))
		}) {
			return true
		}
	}
	return false
}

// vitest runs the tests of a repository. The tool is in the node_modules folder beside it.
func vitest(ctx context.Context, t *testing.T, root string) ([]noted, error) {
	t.Helper()
	temp, err := os.MkdirTemp(filepath.Dir(root), "vitest") // below the folder of node_modules
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	setup, config, result := filepath.Join(temp, "entered.mjs"), filepath.Join(temp, "config.mjs"), filepath.Join(temp, "result")
	text := "export default { test: { globals: true, include: ['src/**/*.test.{ts,tsx}'], exclude: ['**/*.case.test.*', '**/node_modules/**'], " +
		"setupFiles: ['" + setup + "'], maxConcurrency: 1, testTimeout: 20000 } }\n"
	for file, content := range map[string][]byte{setup: enteredSetup, config: []byte(text)} {
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return nil, err
		}
	}
	t.Setenv("REACH_RESULT", result)
	_, failed := output(ctx, root, "node", filepath.Join(filepath.Dir(root), "node_modules", "vitest", "vitest.mjs"), "run", "--root", root, "--config", config)
	f, err := os.Open(result)
	if err != nil {
		return nil, failed
	}
	defer f.Close()
	var out []noted
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var n noted
		if err := json.Unmarshal(lines.Bytes(), &n); err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, lines.Err()
}
