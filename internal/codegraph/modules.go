package codegraph

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// DependencyGraph is the contract's graph of a project's modules.
type DependencyGraph struct {
	ProjectRoot      string       `json:"projectRoot"`
	Modules          []Module     `json:"modules"`          // sorted by source
	Edges            []ModuleEdge `json:"edges"`            // sorted by from, to
	TopologicalOrder []string     `json:"topologicalOrder"` // what a module needs comes before it
	SCCs             []SCC        `json:"sccs"`             // in that order; every module is in one
	TotalModules     int          `json:"totalModules"`
	TotalEdges       int          `json:"totalEdges"`
	AnalyzedAt       string       `json:"analyzedAt"` // RFC 3339, UTC
	MermaidSource    string       `json:"mermaidSource"`
}

// Module is a group of files: a folder, when nothing else is asked.
type Module struct {
	Source    string `json:"source"`    // its name: a folder
	IsOrphan  bool   `json:"isOrphan"`  // no module depends on it
	InDegree  int    `json:"inDegree"`  // modules that depend on it
	OutDegree int    `json:"outDegree"` // modules that it depends on
	// Level is 0 for a module that depends on none, else one more than the
	// highest level it depends on. Modules of a cycle have one level.
	Level int `json:"level"`
}

// ModuleEdge says that one module depends on another.
type ModuleEdge struct {
	From       string          `json:"from"`
	To         string          `json:"to"`
	IsCircular bool            `json:"isCircular"` // the other depends on the one, too
	ImportType code.ImportKind `json:"importType"` // static, dynamic or type-only: the closest of the imports between them
}

// SCC is a strongly connected component: modules that all need each other, or a
// single one.
type SCC struct {
	ID      int      `json:"id"`      // its index
	Modules []string `json:"modules"` // sorted
}

// Options say what modules are.
type Options struct {
	ProjectRoot string // as it shall stand in the graph
	// Group returns the module that a file is of, "" for none. Nil: the file's
	// folder; a folder of tests alone, of vendored or of generated code is none.
	Group func(f *code.File) string
	Now   func() time.Time // nil: time.Now
}

// Modules draws files together into modules and puts them in order. Imports in
// test files do not count, as what is built for tests may depend on what is
// built upon it; neither do those of Go files that are not of the package beside
// them. No files, or
// no modules among them, give an empty graph.
func Modules(files []*code.File, r *Resolution, opts Options) *DependencyGraph {
	now := opts.Now
	if now == nil {
		now = time.Now
	}
	group := opts.Group
	if group == nil {
		group = Folders(files)
	}
	m := &moduler{
		resolution: r, of: make(map[string]string, len(files)), packages: goPackages{},
		edges: map[[2]string]code.ImportKind{}, weak: map[[2]string]bool{},
	}
	for _, f := range files {
		m.packages.add(f)
		if name := group(f); name != "" {
			m.of[f.Path] = name
		}
	}
	for _, f := range files {
		m.imports(f)
	}
	g := m.graph()
	g.ProjectRoot, g.AnalyzedAt = opts.ProjectRoot, now().UTC().Format(time.RFC3339)
	g.MermaidSource = g.mermaid()
	return g
}

// Folders returns the grouping by folder: a folder that holds source files
// directly is a module, unless all of them are tests, vendored or generated.
// Beside others these are of the module.
func Folders(files []*code.File) func(f *code.File) string {
	modules := map[string]bool{}
	for _, f := range files {
		if !f.Test && !f.Vendored && !f.Generated {
			modules[path.Dir(f.Path)] = true
		}
	}
	return func(f *code.File) string {
		if dir := path.Dir(f.Path); modules[dir] {
			return dir
		}
		return ""
	}
}

// TestData tells a folder of inputs for tests: code in it belongs to nobody's
// program. The name is Go's, whose tools pass such folders over.
func TestData(dir string) bool {
	return slices.Contains(strings.Split(dir, "/"), "testdata")
}

// moduler collects the edges between modules.
type moduler struct {
	resolution *Resolution
	of         map[string]string // file -> module
	packages   goPackages
	edges      map[[2]string]code.ImportKind
	weak       map[[2]string]bool // edges that only say what a module contains
}

// imports adds the edges that a file's imports make.
func (m *moduler) imports(f *code.File) {
	from := m.of[f.Path]
	if from == "" || f.Test || m.packages.aside(f) {
		return
	}
	for i := range f.Imports {
		t := m.resolution.Target(f.Path, i)
		if t.Origin != Internal {
			continue
		}
		last := ""
		for _, file := range t.Files {
			if to := m.of[file]; to != last { // files of a folder stand together
				last = to
				m.edge(from, to, f.Imports[i].Kind, t.Contains)
			}
		}
		if len(t.Files) == 0 { // a package as a whole; its folder may be a module
			m.edge(from, t.Path, f.Imports[i].Kind, t.Contains)
		}
	}
}

func (m *moduler) edge(from, to string, kind code.ImportKind, contains bool) {
	if to == "" || to == from {
		return
	}
	if kind != code.DynamicImport && kind != code.TypeOnlyImport {
		kind = code.StaticImport
	}
	key := [2]string{from, to}
	closeness := []code.ImportKind{"", code.TypeOnlyImport, code.DynamicImport, code.StaticImport}
	if slices.Index(closeness, kind) > slices.Index(closeness, m.edges[key]) {
		m.edges[key] = kind
	}
	if was, known := m.weak[key]; !known || was {
		m.weak[key] = contains
	}
}

// graph orders what was collected.
func (m *moduler) graph() *DependencyGraph {
	index := map[string]int{}
	var names []string
	for _, name := range m.of {
		if _, known := index[name]; !known {
			index[name] = 0
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for i, name := range names {
		index[name] = i
	}
	next := make([][]int, len(names))
	for key := range m.edges {
		from, ok := index[key[0]]
		to, known := index[key[1]]
		if !ok || !known {
			delete(m.edges, key)
			continue
		}
		next[from] = append(next[from], to)
	}
	for _, list := range next {
		slices.Sort(list)
	}
	component := m.dropWeak(index, next)
	return m.fill(names, next, component)
}

// dropWeak takes out the edges that close a cycle and only say what a module
// contains: a parent does not need its part when the part needs the parent. It
// returns the component of each module.
func (m *moduler) dropWeak(index map[string]int, next [][]int) []int {
	component := components(next)
	dropped := false
	for key, weak := range m.weak {
		from, to := index[key[0]], index[key[1]]
		if _, there := m.edges[key]; !weak || !there || component[from] != component[to] {
			continue
		}
		delete(m.edges, key)
		next[from] = slices.DeleteFunc(next[from], func(n int) bool { return n == to })
		dropped = true
	}
	if dropped {
		return components(next)
	}
	return component
}

func (m *moduler) fill(names []string, next [][]int, component []int) *DependencyGraph {
	levels := levels(next, component)
	g := &DependencyGraph{
		Modules: make([]Module, len(names)), Edges: make([]ModuleEdge, 0, len(m.edges)),
		TopologicalOrder: make([]string, 0, len(names)), SCCs: []SCC{},
		TotalModules: len(names), TotalEdges: len(m.edges),
	}
	for i, name := range names {
		g.Modules[i].Source, g.Modules[i].Level = name, levels[i]
		g.Modules[i].OutDegree = len(next[i])
		for _, to := range next[i] {
			g.Modules[to].InDegree++
			kind := m.edges[[2]string{name, names[to]}]
			g.Edges = append(g.Edges, ModuleEdge{name, names[to], component[i] == component[to], kind})
		}
	}
	for i := range g.Modules {
		g.Modules[i].IsOrphan = g.Modules[i].InDegree == 0
	}
	members := make([][]int, len(names))
	for i, c := range component {
		members[c] = append(members[c], i)
	}
	members = slices.DeleteFunc(members, func(list []int) bool { return len(list) == 0 })
	slices.SortFunc(members, func(a, b []int) int { return cmp.Or(cmp.Compare(levels[a[0]], levels[b[0]]), cmp.Compare(a[0], b[0])) })
	for id, list := range members {
		scc := SCC{ID: id}
		for _, i := range list {
			scc.Modules = append(scc.Modules, names[i])
		}
		g.SCCs = append(g.SCCs, scc)
		g.TopologicalOrder = append(g.TopologicalOrder, scc.Modules...)
	}
	return g
}

// inCycle returns the modules that are in a cycle.
func (g *DependencyGraph) inCycle() map[string]bool {
	in := map[string]bool{}
	for _, scc := range g.SCCs {
		for _, name := range scc.Modules {
			in[name] = len(scc.Modules) > 1
		}
	}
	return in
}

// Dependencies returns what each module depends on, sorted.
func (g *DependencyGraph) Dependencies() map[string][]string {
	out := make(map[string][]string, len(g.Modules))
	for _, e := range g.Edges {
		out[e.From] = append(out[e.From], e.To)
	}
	return out
}

// folderName is how a module is called in a diagram.
func folderName(module string) string {
	if module == "." {
		return "(root)"
	}
	return strings.TrimPrefix(module, "./")
}
