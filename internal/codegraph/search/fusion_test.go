package search_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// TestFusion asks graph-rag, as a user gets its answers, and plain BM25 the same questions, and writes the tables of
// docs/retrieval.md beside the file of repositories.
func TestFusion(t *testing.T) {
	list := os.Getenv(retrievalVariable)
	if list == "" {
		t.Skipf("%s is not set: make retrieval fetches the repositories to ask", retrievalVariable)
	}
	text, err := os.ReadFile(list)
	check(t, err)
	functions, files := comparison{asked: "documentation -> function"}, comparison{asked: "commit -> file"}
	var sure calibration
	for line := range strings.Lines(string(text)) {
		f := append(strings.Fields(line), "")
		r := &repository{name: f[0], git: f[1], extensions: strings.Split(f[2], ","), use: f[3], queries: f[4]}
		functions.add(r, fuseFunctions(t, r, &sure))
		files.add(r, fuseFiles(t, r, &sure))
		tables := functions.String() + files.String() + sure.String() // a run that ends early has them, too
		check(t, os.WriteFile(list+".graph.md", []byte(tables), 0o600))
	}
}

// fuseFunctions asks for functions by their documentation.
func fuseFunctions(t *testing.T, r *repository, sure *calibration) *compared {
	t.Helper()
	corpus := t.TempDir()
	questions := sampled(docQuestions(t, r, corpus))
	g := explored(t, corpus)
	c := &compared{}
	baseline := plainsOf(functionTexts(t, graphOf(t, g), corpus))
	for i := range questions {
		q := &questions[i]
		gold := func(n *codegraph.Node) bool { return q.is(n) }
		nodes, relevance := fused(t, g, q.Text)
		c.ask(places(nodes, gold, isFunction), baseline.places(q.Text, gold), 1)
		sure.add(r, relevance, len(nodes) > 0 && gold(&nodes[0]))
	}
	return c
}

// fuseFiles asks for the files of commits by their first lines.
func fuseFiles(t *testing.T, r *repository, sure *calibration) *compared {
	t.Helper()
	c := &compared{}
	graphs, baselines := map[string]*explore.Graph{}, map[string]plains{}
	for _, q := range sampled(commitQuestions(t, r)) {
		if graphs[q.Snapshot] == nil {
			dir := r.clone(t, q.Snapshot)
			graphs[q.Snapshot] = explored(t, dir)
			baselines[q.Snapshot] = plainsOf(fileTexts(t, r, dir))
		}
		gold := func(n *codegraph.Node) bool { return slices.Contains(q.Files, n.Path) }
		asked := func(n *codegraph.Node) bool { return r.asked(n.Path) }
		nodes, relevance := fused(t, graphs[q.Snapshot], q.Text)
		c.ask(places(distinct(nodes), gold, asked), baselines[q.Snapshot].places(q.Text, gold), len(q.Files))
		sure.add(r, relevance, len(nodes) > 0 && gold(&nodes[0]))
	}
	return c
}

// sampleVariable bounds the questions of each kind and repository; all if it is not set.
const sampleVariable = "REVERSE_SPEC_RETRIEVAL_SAMPLE"

// sampled returns questions at equal distances.
func sampled(all []question) []question {
	n, err := strconv.Atoi(os.Getenv(sampleVariable))
	if err != nil || n >= len(all) {
		return all
	}
	list := make([]question, n)
	for i := range list {
		list[i] = all[i*len(all)/n]
	}
	return list
}

// fileTexts are the files that questions are about.
func fileTexts(t *testing.T, r *repository, dir string) (list []document) {
	t.Helper()
	id := codegraph.ID(0)
	check(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		if err != nil || !d.Type().IsRegular() || !r.asked(rel) {
			return err
		}
		src, err := os.ReadFile(path)
		id++
		list = append(list, document{codegraph.Node{ID: id, Path: rel}, rel, string(src)})
		return err
	}))
	return list
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

// graphOf returns the nodes of a graph.
func graphOf(t *testing.T, g *explore.Graph) *codeGraph {
	t.Helper()
	ids, err := g.Reader().Labelled(t.Context())
	check(t, err)
	nodes, err := g.Reader().Nodes(t.Context(), ids)
	check(t, err)
	return &codeGraph{nodes: nodes}
}

// fused asks graph-rag as it is asked by default, and returns the nodes of the candidates, and the relevance of the
// first.
func fused(t *testing.T, g *explore.Graph, text string) (nodes []codegraph.Node, relevance float64) {
	t.Helper()
	opts := rag.Defaults()
	opts.NoCache = true
	a, err := rag.Query(t.Context(), g, text, opts)
	check(t, err)
	ids := make([]codegraph.ID, len(a.Candidates))
	for i := range a.Candidates {
		ids[i], err = g.Reader().Qualified(t.Context(), a.Candidates[i].Symbol)
		check(t, err)
	}
	if len(a.Candidates) > 0 {
		relevance = a.Candidates[0].Relevance
	}
	nodes, err = g.Reader().Nodes(t.Context(), ids)
	check(t, err)
	return nodes, relevance
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

// calibration compares relevance with how often the first candidate is an answer.
type calibration struct {
	bins map[string]*[10]struct{ n, right, sum float64 }
}

func (c *calibration) add(r *repository, relevance float64, right bool) {
	if c.bins == nil {
		c.bins = map[string]*[10]struct{ n, right, sum float64 }{}
	}
	if c.bins[r.use] == nil {
		c.bins[r.use] = &[10]struct{ n, right, sum float64 }{}
	}
	b := &c.bins[r.use][min(9, int(relevance*10))]
	b.n++
	b.sum += relevance
	if right {
		b.right++
	}
}

// String is a table: the first candidates by their relevance.
func (c *calibration) String() string {
	var b strings.Builder
	b.WriteString("| relevance of the first candidate | use | questions | mean relevance | an answer |\n|---|---|---|---|---|\n")
	for _, use := range []string{"tuned", "held"} {
		if c.bins[use] == nil {
			continue
		}
		for i, bin := range c.bins[use] {
			if bin.n > 0 {
				fmt.Fprintf(&b, "| %.1f-%.1f | %s | %.0f | %.2f | %.2f |\n", float64(i)/10, float64(i+1)/10, use, bin.n, bin.sum/bin.n, bin.right/bin.n)
			}
		}
	}
	return b.String() + "\n"
}
