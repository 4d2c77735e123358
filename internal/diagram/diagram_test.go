package diagram_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/diagram"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// TestDiagrams compares the diagrams of each case; its file "lang" has the language.
func TestDiagrams(t *testing.T) {
	golden.Archives(t, "diagrams", func(t *testing.T, files map[string][]byte) string {
		m := diagram.Module{Name: "shop", Lang: strings.TrimSpace(string(files["lang"]))}
		delete(files, "lang")
		parsed := parse(t, files)
		m.Files = slices.DeleteFunc(slices.Clone(parsed), func(f *code.File) bool { return f.Test })
		m.Exports = code.Merge(".", parsed, time.Time{}).Exports
		m.Links = resolve.Module(m.Files, nil, codegraph.Resolve(m.Files, nil))
		var out strings.Builder
		for _, d := range diagram.Diagrams(m) {
			out.WriteString(d.Caption + "\n\n" + markdown.Fenced("mermaid", d.Text) + "\n\n")
		}
		return out.String()
	})
}

// parse parses the source files, in the order of their paths.
func parse(t *testing.T, files map[string][]byte) []*code.File {
	t.Helper()
	var out []*code.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := lang.Parse(t.Context(), name, files[name], lang.All)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}
