package search_test

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// notDocumented are files that no pair is from: tests, what is generated, and instructions of processors, whose names follow rules of their own.
var notDocumented = regexp.MustCompile(`_test\.|/tests?(/|$)|\.pb\.go$|/zz_generated|\.d\.ts$|/core_arch/`)

// TestDocumented writes the documented functions in the folders that a variable names to a file that another names: a line each of name and
// first sentence of the documentation, with a tab between them.
func TestDocumented(t *testing.T) {
	folders, to := os.Getenv("REVERSE_SPEC_DOCUMENTED"), os.Getenv("REVERSE_SPEC_DOCUMENTED_TO")
	if folders == "" {
		t.Skip("REVERSE_SPEC_DOCUMENTED is not set: make described fetches the documented code")
	}
	out, err := os.Create(to)
	check(t, err)
	w := bufio.NewWriter(out)
	seen := map[string]bool{}
	for folder := range strings.FieldsSeq(folders) {
		before := len(seen)
		check(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && slices.Contains(documentedExtensions, filepath.Ext(path)) && !notDocumented.MatchString(path) {
				documented(t, path, seen, w)
			}
			return err
		}))
		t.Logf("%s: %d", folder, len(seen)-before)
	}
	check(t, w.Flush())
	check(t, out.Close())
}

var documentedExtensions = []string{".go", ".py", ".java", ".rs", ".ts", ".php", ".rb"}

// documented writes the documented functions of a file that are not seen yet. What no language reads, or is very long, is left out.
func documented(t *testing.T, path string, seen map[string]bool, w *bufio.Writer) {
	t.Helper()
	src, err := os.ReadFile(path)
	check(t, err)
	f, err := lang.Parse(t.Context(), path, src, lang.All)
	if err != nil || len(src) > 300_000 {
		return
	}
	each(f.Symbols, "", func(name string, s *code.Symbol) {
		if q, ok := fromDoc(path, name, s); ok && !seen[q.Text] {
			seen[q.Text] = true
			fmt.Fprintf(w, "%s\t%s\n", s.Name[strings.LastIndexByte(s.Name, '.')+1:], q.Text)
		}
	})
}
