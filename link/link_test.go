package link_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/code"
	"github.com/reverse-spec/reverse-spec/graph"
	"github.com/reverse-spec/reverse-spec/internal/golden"
	"github.com/reverse-spec/reverse-spec/lang"
	"github.com/reverse-spec/reverse-spec/link"
)

// TestEdges shows by the cases in testdata, a folder for each language, what
// becomes of small projects: who calls, uses and builds on what, by which rule, and
// which calls stay without an edge.
func TestEdges(t *testing.T) {
	folders, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		t.Run(folder.Name(), func(t *testing.T) {
			golden.Archives(t, folder.Name(), func(t *testing.T, files map[string][]byte) string {
				return drawn(project(t, files))
			})
		})
	}
}

// project parses files and makes them ready.
func project(t *testing.T, files map[string][]byte) (*link.Project, []*code.File) {
	t.Helper()
	paths := slices.Sorted(maps.Keys(files))
	var parsed []*code.File
	for _, path := range paths {
		f, err := lang.ParseFacts(t.Context(), path, files[path])
		if errors.Is(err, lang.ErrUnknown) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	m, err := graph.ReadManifests(paths, func(path string) ([]byte, error) {
		if data, ok := files[path]; ok {
			return data, nil
		}
		return nil, fs.ErrNotExist
	})
	if err != nil {
		t.Fatal(err)
	}
	return link.New(parsed, graph.Resolve(parsed, m)), parsed
}

// drawn draws what linking each file gives, an edge a line.
func drawn(p *link.Project, files []*code.File) string {
	var b strings.Builder
	name := func(path string, ordinal int) string {
		s := p.Symbols(path)[ordinal]
		if ordinal == 0 {
			return path
		}
		return path + ":" + s.Qualified
	}
	l := p.Linker()
	for _, f := range files {
		r := l.File(f.Path)
		for _, e := range r.Edges {
			fmt.Fprintf(&b, "%s:%d %s %s -> %s (%s %.2f)\n", f.Path, e.Line, name(f.Path, e.From), e.Type, name(e.Path, e.To), e.Rule, e.Weight)
		}
		for _, reason := range slices.Sorted(maps.Keys(r.Unresolved)) {
			fmt.Fprintf(&b, "%s unresolved %s %d\n", f.Path, reason, r.Unresolved[reason])
		}
	}
	return b.String()
}
