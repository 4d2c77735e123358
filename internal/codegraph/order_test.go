package codegraph_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// linked makes a project of Go folders that import each other as edges say:
// module -> modules.
func linked(edges map[string][]string) ([]*code.File, *codegraph.Resolution) {
	names := map[string]bool{}
	for from, list := range edges {
		names[from] = true
		for _, to := range list {
			names[to] = true
		}
	}
	var files []*code.File
	r := &codegraph.Resolution{Targets: map[string][]codegraph.Target{}}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		f := &code.File{Path: name + "/x.go", Language: "go"}
		for _, to := range edges[name] {
			f.Imports = append(f.Imports, code.Import{Module: to, Kind: code.StaticImport})
			r.Targets[f.Path] = append(r.Targets[f.Path], codegraph.Target{Origin: codegraph.Internal, Path: to, Files: []string{to + "/x.go"}})
		}
		files = append(files, f)
	}
	return files, r
}

// TestOrderHoldsForAllGraphs checks the contract's rules on random graphs.
func TestOrderHoldsForAllGraphs(t *testing.T) {
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		n := 1 + rnd.IntN(40)
		edges := map[string][]string{}
		for i := range n {
			edges[fmt.Sprintf("m%02d", i)] = nil
		}
		for range rnd.IntN(2 * n) {
			from := fmt.Sprintf("m%02d", rnd.IntN(n))
			edges[from] = append(edges[from], fmt.Sprintf("m%02d", rnd.IntN(n)))
		}
		files, r := linked(edges)
		g := codegraph.Modules(files, r, codegraph.Options{Now: noon})
		checkOrder(t, g, edges)
		for range 3 {
			rnd.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
			if diff := cmp.Diff(g, codegraph.Modules(files, r, codegraph.Options{Now: noon})); diff != "" {
				t.Fatalf("seed %d: another order of files gives another graph:\n%s", seed, diff)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %v", seed, edges)
		}
	}
}

func checkOrder(t *testing.T, g *codegraph.DependencyGraph, edges map[string][]string) {
	t.Helper()
	place, scc, level := map[string]int{}, map[string]int{}, map[string]int{}
	for i, m := range g.TopologicalOrder {
		place[m] = i
	}
	var union []string
	for id, s := range g.SCCs {
		if s.ID != id || !slices.IsSorted(s.Modules) {
			t.Errorf("component %d is %+v", id, s)
		}
		union = append(union, s.Modules...)
		for _, m := range s.Modules {
			scc[m] = s.ID
		}
	}
	if !slices.Equal(union, g.TopologicalOrder) {
		t.Errorf("the order %v does not keep components together: %v", g.TopologicalOrder, union)
	}
	in, out := map[string]int{}, map[string]int{}
	for _, e := range g.Edges {
		in[e.To]++
		out[e.From]++
	}
	for _, n := range g.Modules {
		level[n.Source] = n.Level
		if n.InDegree != in[n.Source] || n.OutDegree != out[n.Source] || n.IsOrphan != (in[n.Source] == 0) {
			t.Errorf("degrees of %+v are %d, %d", n, in[n.Source], out[n.Source])
		}
	}
	if len(place) != len(edges) || g.TotalModules != len(edges) || len(level) != len(edges) || g.TotalEdges != len(g.Edges) {
		t.Errorf("%d modules ordered, %d named, of %d", len(place), g.TotalModules, len(edges))
	}
	reach := reachable(edges)
	highest := map[int]int{} // component -> the highest level it depends on
	for _, e := range g.Edges {
		if circular := reach[e.To][e.From]; circular != e.IsCircular || circular != (scc[e.From] == scc[e.To]) {
			t.Errorf("%+v: circular is %t", e, circular)
		}
		if !e.IsCircular {
			highest[scc[e.From]] = max(highest[scc[e.From]], level[e.To]+1)
			if place[e.From] < place[e.To] {
				t.Errorf("%+v: %s stands first", e, e.From)
			}
		}
	}
	for m, l := range level {
		if l != highest[scc[m]] {
			t.Errorf("level of %s is %d, not %d", m, l, highest[scc[m]])
		}
	}
}

// reachable says what can be reached from where, the simple way.
func reachable(edges map[string][]string) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for from := range edges {
		seen := map[string]bool{}
		var walk func(string)
		walk = func(m string) {
			for _, to := range edges[m] {
				if !seen[to] {
					seen[to] = true
					walk(to)
				}
			}
		}
		walk(from)
		out[from] = seen
	}
	return out
}

// TestLongChain checks that the search is not recursive.
func TestLongChain(t *testing.T) {
	edges := map[string][]string{}
	for i := range 20000 {
		edges[fmt.Sprintf("m%05d", i)] = []string{fmt.Sprintf("m%05d", i+1)}
	}
	files, r := linked(edges)
	g := codegraph.Modules(files, r, codegraph.Options{})
	if first, last := g.TopologicalOrder[0], g.TopologicalOrder[20000]; first != "m20000" || last != "m00000" {
		t.Errorf("order from %s to %s", first, last)
	}
}

func TestDiagramStaysReadable(t *testing.T) {
	many := func(pattern string, n int) map[string][]string {
		edges := map[string][]string{}
		for i := range n {
			edges[fmt.Sprintf(pattern, i)] = []string{fmt.Sprintf(pattern, (i+1)%n)}
		}
		return edges
	}
	for _, c := range []struct {
		name  string
		edges map[string][]string
		nodes int
		has   []string
	}{
		{"twenty are drawn one by one", many("src/m%d", 20), 20, []string{`m_src_m0["src/m0"]`, "m_src_m0 -.->|circular| m_src_m1"}},
		{"more stand for their folders", func() map[string][]string {
			all := many("src/a/m%d", 16)
			maps.Copy(all, many("src/b/m%d", 15))
			all["src/a/m0"] = append(all["src/a/m0"], "src/b/m0")
			return all
		}(), 17, []string{`m_src_a_m3["src/a/m3"]`, `m_src_b["src/b (15)"]`, "m_src_a_m0 --> m_src_b"}},
		{"a wide folder is drawn as far as it goes", many("lib/p%d", 120), 50, []string{"%% 70 more nodes are left out"}},
		{"names that look alike keep apart", map[string][]string{"a-b": {"a_b"}, "a.b": {"end"}}, 4, []string{"m_a_b[", "m_a_b_2[", "m_a_b_3[", "m_end["}},
		{"names cannot break out", map[string][]string{`we"ird`: {`<b>`, "graph#1"}}, 3, []string{`["we#quot;ird"]`, `["#lt;b#gt;"]`, `["graph#35;1"]`}},
		{"none gives an empty diagram", nil, 0, []string{"graph TD\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, r := linked(c.edges)
			text := codegraph.Modules(files, r, codegraph.Options{}).MermaidSource
			if got := strings.Count(text, `["`); got != c.nodes {
				t.Errorf("%d nodes, not %d", got, c.nodes)
			}
			for _, want := range c.has {
				if !strings.Contains(text, want) {
					t.Errorf("lacks %q", want)
				}
			}
			for line := range strings.Lines(text) {
				if !mermaidLine.MatchString(line) {
					t.Errorf("line %q", line)
				}
			}
			if t.Failed() {
				t.Log(text)
			}
		})
	}
}

var mermaidLine = regexp.MustCompile(`^(graph TD|  (m_\w*\["[^"]*"\]|m_\w* (-->|-\.->\|circular\|) m_\w*|classDef cycle [^;]*|class [\w,]* cycle|%% .*))\n$`)

// TestCustomGrouping groups files into custom modules.
func TestCustomGrouping(t *testing.T) {
	files, r := linked(map[string][]string{"a/x": {"b/y"}, "a/z": {"a/x"}, "b/y": nil, "skip": {"a/x"}})
	g := codegraph.Modules(files, r, codegraph.Options{ProjectRoot: ".", Now: noon, Group: func(f *code.File) string {
		top, _, _ := strings.Cut(f.Path, "/")
		return strings.TrimPrefix(top, "skip")
	}})
	want := &codegraph.DependencyGraph{
		ProjectRoot: ".",
		Modules: []codegraph.Module{
			{Source: "a", IsOrphan: true, OutDegree: 1, Level: 1},
			{Source: "b", InDegree: 1},
		},
		Edges:            []codegraph.ModuleEdge{{From: "a", To: "b", ImportType: code.StaticImport}},
		TopologicalOrder: []string{"b", "a"},
		SCCs:             []codegraph.SCC{{ID: 0, Modules: []string{"b"}}, {ID: 1, Modules: []string{"a"}}},
		TotalModules:     2, TotalEdges: 1, AnalyzedAt: "2026-02-14T12:00:00Z",
		MermaidSource: "graph TD\n  m_a[\"a\"]\n  m_b[\"b\"]\n  m_a --> m_b\n",
	}
	if diff := cmp.Diff(want, g); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
