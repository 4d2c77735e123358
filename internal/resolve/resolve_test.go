package resolve_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestEdges compares the edges of small projects in testdata, a folder per language: calls, uses and base types
// with their rules, and call sites without an edge.
func TestEdges(t *testing.T) {
	folders, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		t.Run(folder.Name(), func(t *testing.T) {
			golden.Archives(t, folder.Name(), func(t *testing.T, files map[string][]byte) string {
				p, parsed := openProject(t, files)
				whole := drawn(p, parsed, false)
				heads := make([]*code.File, len(parsed))
				for i, f := range parsed {
					head := *f
					head.Facts = f.Facts.Head()
					heads[i] = &head
				}
				if diff := cmp.Diff(whole, drawn(resolve.New(heads, resolved(t, files, heads)), parsed, true)); diff != "" {
					t.Errorf("with the heads of the other files alone (-whole +heads):\n%s", diff)
				}
				return whole
			})
		})
	}
}

// project parses files and makes them ready.
func openProject(t *testing.T, files map[string][]byte) (*resolve.Project, []*code.File) {
	t.Helper()
	paths := slices.Sorted(maps.Keys(files))
	var parsed []*code.File
	for _, path := range paths {
		f, err := lang.Parse(t.Context(), path, files[path], lang.Facts)
		if errors.Is(err, lang.ErrUnknown) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	return resolve.New(parsed, resolved(t, files, parsed)), parsed
}

// resolved says what the imports of files mean.
func resolved(t *testing.T, files map[string][]byte, parsed []*code.File) *codegraph.Resolution {
	t.Helper()
	m, err := manifest.Read(slices.Collect(maps.Keys(files)), func(path string) ([]byte, error) {
		if data, ok := files[path]; ok {
			return data, nil
		}
		return nil, fs.ErrNotExist
	})
	if err != nil {
		t.Fatal(err)
	}
	return codegraph.Resolve(parsed, m)
}

// drawn formats the edges of each file, one per line; with complete facts if the project has only heads.
func drawn(p *resolve.Project, files []*code.File, heads bool) string {
	var b strings.Builder
	name := func(path string, ordinal int) string {
		switch ordinal {
		case 0:
			return path
		case resolve.ExternalType, resolve.ExternalMethod:
			return "external " + path
		}
		for _, f := range files {
			if f.Path == path {
				return path + ":" + resolve.Symbols(f)[ordinal].Qualified
			}
		}
		return "?"
	}
	l := p.Linker()
	for _, f := range files {
		facts := f.Facts
		if !heads {
			facts = nil
		}
		r := l.File(f.Path, facts)
		for _, e := range r.Edges {
			switch e.Type {
			case codegraph.Defines, codegraph.DefinesMethod, codegraph.ExportsSymbol, codegraph.Imports:
				continue // as one would think
			default:
			}
			from := f.Path
			if e.Of != "" {
				from = e.Of
			}
			fmt.Fprintf(&b, "%s:%d %s %s -> %s (%s %.2f)\n", f.Path, e.Line, name(from, e.From), e.Type, name(e.Path, e.To), e.Rule, e.Weight)
		}
		for _, reason := range slices.Sorted(maps.Keys(r.Unresolved)) {
			fmt.Fprintf(&b, "%s unresolved %s %d\n", f.Path, reason, r.Unresolved[reason])
		}
	}
	return b.String()
}
