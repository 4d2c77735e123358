package reversespec_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// directive finds a comment that silences linters.
var directive = regexp.MustCompile(`^//nolint(?::(\S+))?`)

// TestSilencedLintersRun checks that nolint comments name linters that .golangci.yml enables. That such a
// comment is needed is checked by nolintlint, which ignores linters that do not run.
func TestSilencedLintersRun(t *testing.T) {
	text, err := os.ReadFile(".golangci.yml")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Linters struct{ Enable []string }
	}
	if err := yaml.Unmarshal(text, &config); err != nil || !slices.Contains(config.Linters.Enable, "nolintlint") {
		t.Fatalf("%v: %q", err, config.Linters.Enable)
	}
	seen := 0
	for _, file := range allGoFiles(t) {
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, filepath.FromSlash(file), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range tree.Comments {
			for _, c := range group.List {
				found := directive.FindStringSubmatch(c.Text)
				if found == nil {
					continue
				}
				seen++
				for name := range strings.SplitSeq(found[1], ",") {
					if !slices.Contains(config.Linters.Enable, name) {
						t.Errorf("%s: %q is not a linter that runs", set.Position(c.Pos()), name)
					}
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("%d comments found; the test looks in the wrong place", seen)
	}
}

// allGoFiles returns all Go files, including those of tests and nested modules, except test data.
func allGoFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(file string, d os.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && file != "."):
			return filepath.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".go"):
			files = append(files, filepath.ToSlash(file))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
