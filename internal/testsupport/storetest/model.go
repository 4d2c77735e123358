package storetest

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// model is an in-memory graph to compare with.
type model struct {
	state store.State
	files map[store.FileID]store.File
	nodes map[codegraph.ID]store.Node
	edges map[edgeKey]store.Edge
}

type edgeKey struct {
	from codegraph.ID
	kind codegraph.Relationship
	to   codegraph.ID
}

func keyOf(e store.Edge) edgeKey { return edgeKey{e.From, e.Type, e.To} }

func newModel() *model {
	return &model{files: map[store.FileID]store.File{}, nodes: map[codegraph.ID]store.Node{}, edges: map[edgeKey]store.Edge{}}
}

// apply applies an update.
func (m *model) apply(u store.Update) {
	for _, id := range u.DropFiles {
		delete(m.files, id)
		maps.DeleteFunc(m.edges, func(_ edgeKey, e store.Edge) bool { return e.File == id })
		for _, n := range m.nodes {
			if n.File == id {
				m.dropNode(n.ID)
			}
		}
	}
	for _, id := range u.DropNodes {
		m.dropNode(id)
	}
	for _, id := range u.DropEdges {
		maps.DeleteFunc(m.edges, func(_ edgeKey, e store.Edge) bool { return e.File == id })
	}
	for _, f := range u.Files {
		if f.Facts == nil {
			f.Facts = m.files[f.ID].Facts
		}
		if f.Lookups == nil {
			f.Lookups = m.files[f.ID].Lookups
		}
		if f.Words == nil {
			f.Words = m.files[f.ID].Words
		}
		m.files[f.ID] = f
	}
	for _, n := range u.Nodes {
		m.nodes[n.ID] = n
	}
	for _, e := range u.Edges {
		m.edges[keyOf(e)] = e
	}
	for _, label := range u.Prune {
		m.prune(label)
	}
	project, root := m.state.Project, m.state.Root
	m.state = u.State
	m.state.Project, m.state.Root = project, root
}

func (m *model) prune(label codegraph.Label) {
	var orphans []codegraph.ID
	for id, n := range m.nodes {
		if n.Label == label && n.File == 0 && !m.isTarget(id) {
			orphans = append(orphans, id)
		}
	}
	for _, id := range orphans {
		m.dropNode(id)
	}
}

func (m *model) isTarget(id codegraph.ID) bool {
	for k := range m.edges {
		if k.to == id {
			return true
		}
	}
	return false
}

func (m *model) dropNode(id codegraph.ID) {
	delete(m.nodes, id)
	maps.DeleteFunc(m.edges, func(k edgeKey, _ store.Edge) bool { return k.from == id || k.to == id })
}

// contents returns what a store should return. The order of edge types is unspecified, so the edges of a node are
// sorted by type.
func (m *model) contents() contents {
	c := contents{
		State: m.state, Facts: map[store.FileID]string{}, Lookups: map[store.FileID]string{}, Words: map[store.FileID]string{}, Of: map[store.FileID][]store.Node{},
		Counts: store.Counts{Files: len(m.files), Nodes: map[codegraph.Label]int{}, Edges: map[codegraph.Relationship]int{}, Unresolved: map[string]int{}},
	}
	for id, f := range m.files {
		if f.Facts != nil {
			c.Facts[id] = string(f.Facts)
		}
		if f.Lookups != nil {
			c.Lookups[id] = string(f.Lookups)
		}
		if f.Words != nil {
			c.Words[id] = string(f.Words)
		}
		f.Facts, f.Lookups, f.Words = nil, nil, nil
		c.Files = append(c.Files, f)
		c.Counts.Errors += f.ParseErrors
		for reason, n := range f.Unresolved {
			c.Counts.Unresolved[reason] += n
		}
	}
	slices.SortFunc(c.Files, func(a, b store.File) int { return cmp.Compare(a.Path, b.Path) })
	c.Nodes = slices.SortedFunc(maps.Values(m.nodes), func(a, b store.Node) int { return cmp.Compare(a.ID, b.ID) })
	for _, n := range c.Nodes {
		c.Counts.Nodes[n.Label]++
		c.Of[n.File] = append(c.Of[n.File], n)
	}
	for _, nodes := range c.Of {
		slices.SortFunc(nodes, func(a, b store.Node) int { return cmp.Compare(a.Ordinal, b.Ordinal) })
	}
	c.Edges = slices.Collect(maps.Values(m.edges))
	sortEdges(c.Edges)
	for _, e := range c.Edges {
		c.Counts.Edges[e.Type]++
	}
	return c
}

// sortEdges sorts edges by From, Type and To.
func sortEdges(edges []store.Edge) {
	slices.SortFunc(edges, func(a, b store.Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Type, b.Type), cmp.Compare(a.To, b.To))
	})
}

// author generates random graphs and updates.
type author struct {
	*rand.Rand
	m *model
}

var (
	labels        = []codegraph.Label{codegraph.LabelClass, codegraph.LabelFunction, codegraph.LabelMethod, codegraph.LabelModule}
	relationships = []codegraph.Relationship{codegraph.Calls, codegraph.Defines, codegraph.References, codegraph.Imports}
	rules         = []string{"import", "receiver:declared", "same-module", ""}
)

// file generates a file.
func (a *author) file(id store.FileID) store.File {
	f := store.File{
		ID: id, Path: fmt.Sprintf("src/d%d/文件%d.go", id%7, id), Language: "go", Size: a.Int64N(1 << 40),
		ModTime: time.Unix(1_700_000_000+a.Int64N(1e6), a.Int64N(1e9)).UTC(), Hash: fmt.Sprintf("%064x", a.Uint64()), Stamp: a.Uint64(),
		Facts: fmt.Appendf(nil, "facts %d %d", id, a.Uint64()), Lookups: fmt.Appendf(nil, "lookups %d", a.Uint64()),
		Words: fmt.Appendf(nil, "words %d", a.Uint64()), ParseErrors: a.IntN(3),
	}
	for range a.IntN(3) {
		if f.Unresolved == nil {
			f.Unresolved = map[string]int{}
		}
		f.Unresolved[[]string{"dynamic", "external", "ambiguous"}[a.IntN(3)]] = 1 + a.IntN(9)
	}
	return f
}

// node generates a node.
func (a *author) node(id codegraph.ID, file store.FileID, ordinal int) store.Node {
	n := store.Node{File: file, Ordinal: ordinal, Node: codegraph.Node{
		ID: id, Label: labels[a.IntN(len(labels))], QualifiedName: fmt.Sprintf("shop.src.f%d.n%d", file, id), Name: fmt.Sprintf("n%d", id),
		Kind: []string{"", "struct", "func"}[a.IntN(3)], Path: fmt.Sprintf("src/f%d.go", file), StartLine: ordinal*10 + 1, EndLine: ordinal*10 + a.IntN(9) + 1,
		Signature: fmt.Sprintf("func n%d(a, b int) \"%d\"", id, a.IntN(100)), Doc: []string{"", "Says\nit. 说明。"}[a.IntN(2)], Exported: a.IntN(2) == 0, Test: a.IntN(2) == 0,
		Language: "go", Version: []string{"", "^1.2"}[a.IntN(2)],
	}}
	if a.IntN(4) == 0 {
		n.Decorators = []string{"@cached", `@route("/a, b")`}
	}
	return n
}

// edge generates an edge.
func (a *author) edge(from, to codegraph.ID, file store.FileID) store.Edge {
	return store.Edge{File: file, Edge: codegraph.Edge{
		From: from, To: to, Type: relationships[a.IntN(len(relationships))], Line: a.IntN(5000), Count: 1 + a.IntN(3),
		Rule: rules[a.IntN(len(rules))], Confidence: []float32{0, 0.5, 0.97, 1}[a.IntN(4)],
	}}
}

// edges generates new edges between nodes of the model.
func (a *author) edges(n int) []store.Edge {
	ids := slices.Sorted(maps.Keys(a.m.nodes))
	var edges []store.Edge
	new := map[edgeKey]bool{}
	for range n {
		from := ids[a.IntN(len(ids))]
		e := a.edge(from, ids[a.IntN(len(ids))], a.m.nodes[from].File)
		if _, there := a.m.edges[keyOf(e)]; !there && !new[keyOf(e)] {
			new[keyOf(e)] = true
			edges = append(edges, e)
		}
	}
	return edges
}

// graph generates a graph with the given numbers of files and of nodes per file.
func (a *author) graph(name, root string, files, nodes int) store.Update {
	a.m = newModel()
	u := store.Update{}
	for f := range store.FileID(files) {
		u.Files = append(u.Files, a.file(f+1))
		for n := range nodes {
			u.Nodes = append(u.Nodes, a.node(codegraph.ID(len(u.Nodes)+1), f+1, n))
		}
	}
	u.State = a.state()
	a.m.state.Project, a.m.state.Root = name, root
	a.m.apply(u)
	edges := a.edges(3 * len(u.Nodes))
	a.m.apply(store.Update{Edges: edges, State: u.State})
	u.Edges = edges
	return u
}

// state generates a state.
func (a *author) state() store.State {
	return store.State{
		Project: "not this", Root: "not this", BuiltAt: time.Unix(1_700_000_000+a.Int64N(1e6), a.Int64N(1e9)).UTC(),
		Commit: fmt.Sprintf("%040x", a.Uint64()), Version: "2.0.0", Schema: a.IntN(5), NextNode: codegraph.ID(a.Uint32()), NextFile: store.FileID(a.Uint32()),
		Inputs: a.inputs(),
	}
}

// inputs generates input files, often none.
func (a *author) inputs() []store.Input {
	var out []store.Input
	for range a.IntN(3) {
		out = append(out, store.Input{
			Path: fmt.Sprintf("/在/%x", a.Uint32()), Size: a.Int64N(1e12), ModTime: time.Unix(1_700_000_000, a.Int64N(1e9)).UTC(),
			Hash: fmt.Sprintf("%064x", a.Uint64()),
		})
	}
	return out
}

func newAuthor(seed uint64) *author {
	return &author{Rand: rand.New(rand.NewPCG(seed, 0)), m: newModel()}
}
