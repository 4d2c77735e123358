package codegraph

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// DependencyGraph is the contract's module graph of a project.
type DependencyGraph struct {
	ProjectRoot      string       `json:"projectRoot"`
	Modules          []Module     `json:"modules"`          // sorted by source
	Edges            []ModuleEdge `json:"edges"`            // sorted by from, to
	TopologicalOrder []string     `json:"topologicalOrder"` // dependencies first
	SCCs             []SCC        `json:"sccs"`             // in topological order; every module is in one
	TotalModules     int          `json:"totalModules"`
	TotalEdges       int          `json:"totalEdges"`
	AnalyzedAt       string       `json:"analyzedAt"` // RFC 3339, UTC
	MermaidSource    string       `json:"mermaidSource"`
}

// Module is a group of files: by default, a folder.
type Module struct {
	Source    string `json:"source"`    // name: a folder
	IsOrphan  bool   `json:"isOrphan"`  // no module depends on it
	InDegree  int    `json:"inDegree"`  // modules that depend on it
	OutDegree int    `json:"outDegree"` // modules that it depends on
	// Level is 0 for a module without dependencies, else one more than the highest level among its dependencies.
	// The modules of a cycle have one level.
	Level int `json:"level"`
}

// ModuleEdge says that module From depends on module To.
type ModuleEdge struct {
	From       string          `json:"from"`
	To         string          `json:"to"`
	IsCircular bool            `json:"isCircular"` // To also depends on From
	ImportType code.ImportKind `json:"importType"` // static, dynamic or type-only: the strongest of the imports between them
}

// SCC is a strongly connected component: the modules of a cycle, or a single module.
type SCC struct {
	ID      int      `json:"id"`      // its index
	Modules []string `json:"modules"` // sorted
}

// Options configure [Modules].
type Options struct {
	ProjectRoot string // as shown in the graph
	// Group returns the module of a file, or "" for none. Nil groups by folder, see [Folders].
	Group func(f *code.File) string
	Now   func() time.Time // nil: time.Now
}

// Modules groups files into modules and sorts these topologically. Imports of test files do not count, because test
// support may depend on what depends on it; neither do imports of Go files outside the package of their folder.
// Without files or modules the graph is empty.
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

// Folders returns the grouping by folder: a folder with source files is a module, unless all of them are tests,
// vendored or generated. In other folders such files belong to the module.
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

// IsTestData reports whether a folder holds test inputs, whose code is part of no program. Go tools ignore folders of
// this name, too.
func IsTestData(dir string) bool {
	return slices.Contains(strings.Split(dir, "/"), "testdata")
}

// moduler collects the edges between modules.
type moduler struct {
	resolution *Resolution
	of         map[string]string // file -> module
	packages   goPackages
	edges      map[[2]string]code.ImportKind
	weak       map[[2]string]bool // edges of Target.Contains only
}

// imports adds the edges of a file's imports.
func (m *moduler) imports(f *code.File) {
	from := m.of[f.Path]
	if from == "" || f.Test || m.packages.outsidePackage(f) {
		return
	}
	for i := range f.Imports {
		t := m.resolution.Target(f.Path, i)
		if t.Origin != Internal {
			continue
		}
		last := ""
		for _, file := range t.Files {
			if to := m.of[file]; to != last { // files of a folder are adjacent
				last = to
				m.edge(from, to, f.Imports[i].Kind, t.Contains)
			}
		}
		if len(t.Files) == 0 { // a whole package; its folder may be a module
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

// graph sorts the collected modules.
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

// dropWeak removes edges of Target.Contains that close a cycle: if a part depends on its parent, the parent does
// not depend on the part. It returns the component of each module.
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

// inCycle returns the set of modules in cycles.
func (g *DependencyGraph) inCycle() map[string]bool {
	in := map[string]bool{}
	for _, scc := range g.SCCs {
		for _, name := range scc.Modules {
			in[name] = len(scc.Modules) > 1
		}
	}
	return in
}

// Dependencies returns the sorted dependencies of each module.
func (g *DependencyGraph) Dependencies() map[string][]string {
	out := make(map[string][]string, len(g.Modules))
	for _, e := range g.Edges {
		out[e.From] = append(out[e.From], e.To)
	}
	return out
}

// folderName returns the label of a module in a diagram.
func folderName(module string) string {
	if module == "." {
		return "(root)"
	}
	return strings.TrimPrefix(module, "./")
}
