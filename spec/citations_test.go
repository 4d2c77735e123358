package spec_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/spec"
)

// TestCitationsHold generates the spec of real code, parses it back, and looks at
// every file:line in it: the line is there, and that of a documented symbol holds
// its name.
func TestCitationsHold(t *testing.T) {
	root := filepath.Join(runtime.GOROOT(), "src") //nolint:staticcheck // the tests' own toolchain is meant
	for _, pkg := range []string{"net/url", "text/template", "encoding/json"} {
		t.Run(pkg, func(t *testing.T) {
			files := map[string][]byte{}
			entries, err := fs.ReadDir(os.DirFS(root), pkg)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if strings.HasSuffix(e.Name(), ".go") {
					if files[e.Name()], err = os.ReadFile(filepath.Join(root, pkg, e.Name())); err != nil {
						t.Fatal(err)
					}
				}
			}
			s, text := generate(t, project(t, files), ".", spec.GenerateOptions{})
			citationsExist(t, files, string(text))
			for _, r := range s.Requirements {
				name := r.Symbol[strings.LastIndexByte(r.Symbol, '.')+1:]
				for _, e := range r.Evidence {
					if row := lineAt(t, files, e.Place); e.Kind == "doc" && !strings.Contains(row, name) {
						t.Errorf("%s: %s is %q", r.ID, e.Place, row)
					}
				}
			}
			for _, c := range s.Scenarios {
				name := c.Title[strings.LastIndex(c.Title, " > ")+1:]
				if row := lineAt(t, files, c.Evidence[0].Place); !strings.Contains(row, strings.TrimPrefix(name, "> ")) {
					t.Errorf("%s: %s is %q", c.ID, c.Evidence[0].Place, row)
				}
			}
		})
	}
}

// citation is a place in a spec.
var citation = regexp.MustCompile("`([\\w./-]+\\.go:[0-9]+)`")

func citationsExist(t *testing.T, files map[string][]byte, text string) {
	t.Helper()
	all := citation.FindAllStringSubmatch(text, -1)
	if len(all) < 50 {
		t.Errorf("only %d citations", len(all))
	}
	for _, c := range all {
		lineAt(t, files, c[1])
	}
}

// lineAt returns a line of a file by "file:line".
func lineAt(t *testing.T, files map[string][]byte, place string) string {
	t.Helper()
	name, number, _ := strings.Cut(place, ":")
	n, err := strconv.Atoi(number)
	rows := strings.Split(string(files[name]), "\n")
	if err != nil || files[name] == nil || n < 1 || n > len(rows) {
		t.Errorf("there is no %s", place)
		return ""
	}
	return rows[n-1]
}
