package search_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// TestRetrieval asks questions whose answers are known, of public code, and writes
// the first table of docs/retrieval.md beside the file of repositories.
func TestRetrieval(t *testing.T) {
	list := os.Getenv(retrievalVariable)
	if list == "" {
		t.Skipf("%s is not set: make retrieval fetches the repositories to ask", retrievalVariable)
	}
	text, err := os.ReadFile(list)
	check(t, err)
	var tables report
	for line := range strings.Lines(string(text)) {
		f := append(strings.Fields(line), "")
		r := &repository{name: f[0], git: f[1], extensions: strings.Split(f[2], ","), use: f[3], queries: f[4]}
		tables.ask(t, r)
	}
	check(t, os.WriteFile(list+".md", []byte(tables.String()), 0o600))
	t.Log("\n" + tables.String())
}

// ask asks all questions of a repository.
func (o *report) ask(t *testing.T, r *repository) {
	t.Helper()
	corpus := t.TempDir()
	questions := docQuestions(t, r, corpus)
	g := indexed(t, corpus)
	row := o.row(r)
	baseline := plainsOf(functionTexts(t, g, corpus))
	for i := range questions {
		q := &questions[i]
		gold := func(n *codegraph.Node) bool { return q.is(n) }
		nodes := g.ask(t, q.Text)
		row.functions.ours.add(places(nodes, gold, isFunction), 1)
		row.functions.any.add(places(nodes, gold, nil), 1)
		baseline.add(&row.functions.plain, q.Text, gold, 1)
		row.functions.names.add(places(g.byName(q.Text), gold, nil), 1)
	}
}

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
	names *plain
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

// byName asks for functions by their names and their files' alone.
func (g *codeGraph) byName(text string) []codegraph.Node {
	if g.names == nil {
		var list []document
		for i := range g.nodes {
			if n := &g.nodes[i]; isFunction(n) {
				list = append(list, document{node: *n, text: n.Name + " " + n.Path})
			}
		}
		g.names = plainOf(list, way{stem: true})
	}
	return g.names.ask(text)
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

// report is what was measured.
type report struct{ rows []*row }

// row is a repository.
type row struct {
	repository *repository
	functions  ways
}

// ways are the compared searches: ours among the candidates (functions), ours among everything, by names alone, and the
// best plain BM25 over the same text.
type ways struct {
	ours, any, names metric
	plain            bestMetric
}

func (o *report) row(r *repository) *row {
	o.rows = append(o.rows, &row{repository: r})
	return o.rows[len(o.rows)-1]
}

// metric is the mean reciprocal rank of the first answer, and the share of the
// answers that are found, among the first ten.
type metric struct {
	rank, recall float64
	questions    int
}

func (m *metric) add(hits []bool, answers int) {
	m.questions++
	if first := slices.Index(hits, true); first >= 0 {
		m.rank += 1 / float64(first+1)
	}
	for _, hit := range hits {
		if hit {
			m.recall += 1 / float64(answers)
		}
	}
}

func (m metric) String() string {
	n := float64(max(1, m.questions))
	return fmt.Sprintf("%.3f / %.3f", m.rank/n, m.recall/n)
}

// plus adds another's means.
func (m metric) plus(other metric) metric {
	n := float64(max(1, other.questions))
	return metric{m.rank + other.rank/n, m.recall + other.recall/n, m.questions + 1}
}

// String is the table.
func (o *report) String() string {
	var b strings.Builder
	b.WriteString("| documentation -> function | use | questions | ours | plain BM25 | names alone | ours among everything |\n|---|---|---|---|---|---|---|\n")
	means := map[string]*ways{}
	for _, r := range o.rows {
		c := r.functions
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %s | %s |\n", r.repository.name, r.repository.use, c.ours.questions, c.ours, c.plain.best(), c.names, c.any)
		m := means[r.repository.use]
		if m == nil {
			m = &ways{}
			means[r.repository.use] = m
		}
		*m = ways{m.ours.plus(c.ours), m.any.plus(c.any), m.names.plus(c.names), bestMetric{m.plain.best().plus(c.plain.best())}}
	}
	for _, use := range slices.Backward(slices.Sorted(maps.Keys(means))) {
		m := means[use]
		fmt.Fprintf(&b, "| **mean** | %s | | **%s** | %s | %s | %s |\n", use, m.ours, m.plain.best(), m.names, m.any)
	}
	b.WriteString("\n")
	return b.String()
}
