package search_test

import (
	"bufio"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// notDocumented are files that no pair is from: tests, what is generated, and instructions of processors, whose names follow rules of their own.
var notDocumented = regexp.MustCompile(`_test\.|/tests?(/|$)|\.pb\.go$|/zz_generated|\.d\.ts$|/core_arch/`)

// TestDocumented writes the documented functions in the folders that a variable names to a file that another names: a line each of the
// file's extension, name, first sentence of the documentation, enclosing declarations, signature and words of the body, with tabs between them.
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

var documentedExtensions = []string{".go", ".py", ".java", ".rs", ".ts", ".php", ".rb", ".js"}

// documented writes the documented functions of a file that are not seen yet. What no language reads, or is very long, is left out.
func documented(t *testing.T, path string, seen map[string]bool, w *bufio.Writer) {
	t.Helper()
	src, err := os.ReadFile(path)
	check(t, err)
	f, err := lang.Parse(t.Context(), path, src, lang.All)
	if err != nil || len(src) > 300_000 {
		return
	}
	lines := strings.Split(string(src), "\n")
	each(f.Symbols, "", func(_ string, s *code.Symbol) { blank(lines, s, path) })
	each(f.Symbols, "", func(name string, s *code.Symbol) {
		q, ok := fromDoc(path, name, s)
		if !ok || seen[q.Text] {
			return
		}
		seen[q.Text] = true
		own := s.Name[strings.LastIndexByte(s.Name, '.')+1:]
		body := map[string]bool{}
		words.Each(strings.Join(lines[s.StartLine-1:min(s.EndLine, len(lines))], "\n"), func(word string, whole bool) { body[word] = body[word] || !whole })
		fields := []string{filepath.Ext(path), own, q.Text, strings.TrimSuffix(name, own), strings.Replace(s.Signature, own, "", 1), strings.Join(slices.Sorted(maps.Keys(body)), " ")}
		for i, field := range fields {
			fields[i] = strings.Join(strings.Fields(field), " ")
		}
		fmt.Fprintln(w, strings.Join(fields, "\t"))
	})
}
