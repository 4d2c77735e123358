package search_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// TestFusion asks graph-rag the questions of TestRetrieval, with the search alone and with
// the graph, and writes the table of docs/retrieval.md beside the file of
// repositories.
func TestFusion(t *testing.T) {
	list := os.Getenv(retrievalVariable)
	if list == "" {
		t.Skipf("%s is not set: make retrieval fetches the repositories to ask", retrievalVariable)
	}
	text, err := os.ReadFile(list)
	check(t, err)
	b := new(strings.Builder)
	b.WriteString("| graph-rag | use | functions: search alone | with the graph | files: search alone | with the graph |\n|---|---|---|---|---|---|\n")
	means := map[string]*[4]metric{}
	for line := range strings.Lines(string(text)) {
		f := append(strings.Fields(line), "")
		r := &repository{name: f[0], git: f[1], extensions: strings.Split(f[2], ","), use: f[3], queries: f[4]}
		functions, files := fuseFunctions(t, r), fuseFiles(t, r)
		cells := [4]metric{functions[0], functions[1], files[0], files[1]}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", r.name, r.use, cells[0], cells[1], cells[2], cells[3])
		if means[r.use] == nil {
			means[r.use] = new([4]metric)
		}
		for i, c := range cells {
			means[r.use][i] = means[r.use][i].plus(c)
		}
	}
	for use, m := range means {
		fmt.Fprintf(b, "| **mean** | %s | %s | **%s** | %s | **%s** |\n", use, m[0], m[1], m[2], m[3])
	}
	check(t, os.WriteFile(list+".graph.md", []byte(b.String()), 0o600))
	t.Log("\n" + b.String())
}

// fuseFunctions asks for functions by their documentation; the metrics are by the
// fusion depth.
func fuseFunctions(t *testing.T, r *repository) (metrics [2]metric) {
	t.Helper()
	corpus := t.TempDir()
	questions := docQuestions(t, r, corpus)
	g := explored(t, corpus)
	for i := range questions {
		q := &questions[i]
		for depth := range metrics {
			metrics[depth].add(places(fused(t, g, q.Text, depth), func(n *codegraph.Node) bool { return q.is(n) }, isFunction), 1)
		}
	}
	return metrics
}

// fuseFiles asks for the files of commits by their first lines.
func fuseFiles(t *testing.T, r *repository) (metrics [2]metric) {
	t.Helper()
	graphs := map[string]*explore.Graph{}
	for _, q := range commitQuestions(t, r) {
		g := graphs[q.Snapshot]
		if g == nil {
			g = explored(t, r.checkOut(t, q.Snapshot))
			graphs[q.Snapshot] = g
		}
		gold := func(n *codegraph.Node) bool { return slices.Contains(q.Files, n.Path) }
		asked := func(n *codegraph.Node) bool { return r.asked(n.Path) }
		for depth := range metrics {
			metrics[depth].add(places(distinct(fused(t, g, q.Text, depth)), gold, asked), len(q.Files))
		}
	}
	return metrics
}

// explored indexes a folder and opens its graph.
func explored(t *testing.T, dir string) *explore.Graph {
	t.Helper()
	p, err := project.Open(dir)
	check(t, err)
	t.Cleanup(func() { check(t, p.Close()) })
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	check(t, err)
	t.Cleanup(func() { check(t, s.Close()) })
	g, err := explore.Open(t.Context(), p, s, explore.Options{})
	check(t, err)
	t.Cleanup(func() { check(t, g.Close()) })
	return g
}

// fused asks graph-rag as it is asked by default, and returns the nodes of the
// candidates.
func fused(t *testing.T, g *explore.Graph, text string, depth int) []codegraph.Node {
	t.Helper()
	opts := rag.Defaults()
	opts.FusionDepth, opts.NoCache = depth, true
	a, err := rag.Query(t.Context(), g, text, opts)
	check(t, err)
	ids := make([]codegraph.ID, len(a.Candidates))
	for i := range a.Candidates {
		ids[i], err = g.Reader().Qualified(t.Context(), a.Candidates[i].Symbol)
		check(t, err)
	}
	nodes, err := g.Reader().Nodes(t.Context(), ids)
	check(t, err)
	return nodes
}

// distinct returns the files of nodes without duplicates, in order.
func distinct(nodes []codegraph.Node) (files []codegraph.Node) {
	seen := map[string]bool{}
	for i := range nodes {
		if path := nodes[i].Path; !seen[path] {
			seen[path] = true
			files = append(files, codegraph.Node{Path: path})
		}
	}
	return files
}
