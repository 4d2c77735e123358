package search_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// retrievalVariable names the file of repositories that scripts/retrieval.sh writes:
// a line each of name, git folder, extensions with commas between them, use and, if
// there is one, a folder of ready questions.
const retrievalVariable = "REVERSE_SPEC_RETRIEVAL"

func isFunction(n *codegraph.Node) bool {
	return n.Label == codegraph.LabelFunction || n.Label == codegraph.LabelMethod
}

// places reports which of the first ten wanted nodes are answers.
func places(nodes []codegraph.Node, gold, wanted func(n *codegraph.Node) bool) (hits []bool) {
	for i := range nodes {
		if wanted != nil && !wanted(&nodes[i]) {
			continue
		}
		if hits = append(hits, gold(&nodes[i])); len(hits) == 10 {
			break
		}
	}
	return hits
}

// codeGraph is the graph of some code.
type codeGraph struct {
	snap  *snapshot.Snapshot
	nodes []codegraph.Node // all
}

// indexed indexes a folder.
func indexed(t testing.TB, dir string) *codeGraph {
	t.Helper()
	ctx := context.Background()
	p, err := project.Open(dir)
	check(t, err)
	t.Cleanup(func() { check(t, p.Close()) })
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	check(t, err)
	t.Cleanup(func() { check(t, s.Close()) })
	_, err = index.Run(ctx, p, s, index.Options{})
	check(t, err)
	stored, err := s.Open(ctx, p.Root())
	check(t, err)
	t.Cleanup(func() { check(t, stored.Close()) })
	g := &codeGraph{}
	g.snap, err = snapshot.Load(ctx, stored)
	check(t, err)
	t.Cleanup(func() { check(t, g.snap.Close()) })
	ids, err := g.snap.Labelled(ctx)
	check(t, err)
	g.nodes, err = g.snap.Nodes(ctx, ids)
	check(t, err)
	return g
}

// ask returns the nodes that answer a question.
func (g *codeGraph) ask(t *testing.T, text string) []codegraph.Node {
	t.Helper()
	hits, err := search.Find(t.Context(), g.snap, text, search.Options{})
	check(t, err)
	return g.of(t, hits)
}

func (g *codeGraph) of(t *testing.T, hits []search.Hit) []codegraph.Node {
	t.Helper()
	ids := make([]codegraph.ID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	nodes, err := g.snap.Nodes(t.Context(), ids)
	check(t, err)
	return nodes
}

// functionTexts are the functions with their source.
func functionTexts(t *testing.T, g *codeGraph, dir string) (list []document) {
	t.Helper()
	lines := map[string][]string{}
	for i := range g.nodes {
		n := &g.nodes[i]
		if !isFunction(n) {
			continue
		}
		if lines[n.Path] == nil {
			src, err := os.ReadFile(filepath.Join(dir, n.Path))
			check(t, err)
			lines[n.Path] = strings.Split(string(src), "\n")
		}
		of := lines[n.Path]
		list = append(list, document{*n, n.Name + " " + n.Path, strings.Join(of[n.StartLine-1:min(n.EndLine, len(of))], "\n")})
	}
	return list
}
