package codegraph

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// The bounds of a diagram that can still be read, and that viewers still draw:
// Mermaid refuses more than 500 edges.
const (
	maxModules = 20  // more are collapsed into folders
	maxNodes   = 50  // more are left out, the least connected first
	maxEdges   = 400 // more are left out
	fewGroups  = 8   // with fewer, a folder is opened even when it holds many
)

// mermaid draws the graph. The edges of cycles are dashed.
func (g *DependencyGraph) mermaid() string {
	if len(g.Modules) == 0 {
		return "graph TD\n"
	}
	names := make([]string, len(g.Modules))
	for i, n := range g.Modules {
		names[i] = n.Source
	}
	d := diagram{of: map[string]string{}, size: map[string]int{}, edges: map[[2]string]bool{}, cycle: map[string]bool{}}
	for _, name := range names {
		d.of[name] = name
	}
	if len(names) > maxModules {
		d.of = collapse(names)
	}
	cyclic := g.inCycle()
	for _, name := range names {
		node := d.of[name]
		d.size[node]++
		d.cycle[node] = d.cycle[node] || cyclic[name]
	}
	for _, e := range g.Edges {
		if key := [2]string{d.of[e.From], d.of[e.To]}; key[0] != key[1] {
			d.edges[key] = d.edges[key] || e.IsCircular
		}
	}
	return d.draw()
}

// diagram is what is drawn: nodes, each of one module or of several.
type diagram struct {
	of    map[string]string  // module -> node
	size  map[string]int     // node -> modules in it
	edges map[[2]string]bool // whether it is of a cycle
	cycle map[string]bool
}

func (d *diagram) draw() string {
	nodes := d.kept()
	ids := safeIDs(nodes)
	var b strings.Builder
	b.WriteString("graph TD\n")
	for _, n := range nodes {
		label := folderName(n)
		if d.size[n] > 1 {
			label = fmt.Sprintf("%s (%d)", label, d.size[n])
		}
		fmt.Fprintf(&b, "  %s[\"%s\"]\n", ids[n], escapeLabel(label))
	}
	drawn, left := 0, 0
	for _, e := range slices.SortedFunc(maps.Keys(d.edges), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		from, to := ids[e[0]], ids[e[1]]
		switch {
		case from == "" || to == "":
		case drawn == maxEdges:
			left++
		case d.edges[e]:
			drawn++
			fmt.Fprintf(&b, "  %s -.->|circular| %s\n", from, to)
		default:
			drawn++
			fmt.Fprintf(&b, "  %s --> %s\n", from, to)
		}
	}
	var circular []string
	for _, n := range nodes {
		if d.cycle[n] {
			circular = append(circular, ids[n])
		}
	}
	if len(circular) > 0 {
		b.WriteString("  classDef cycle fill:#fdd,stroke:#c33,stroke-width:2px\n")
		fmt.Fprintf(&b, "  class %s cycle\n", strings.Join(circular, ","))
	}
	if n := len(d.size) - len(nodes); n > 0 {
		fmt.Fprintf(&b, "  %%%% %d more nodes are left out\n", n)
	}
	if left > 0 {
		fmt.Fprintf(&b, "  %%%% %d more edges are left out\n", left)
	}
	return b.String()
}

// kept returns the nodes to draw, sorted: all, or those with the most edges.
func (d *diagram) kept() []string {
	nodes := slices.Sorted(maps.Keys(d.size))
	if len(nodes) <= maxNodes {
		return nodes
	}
	degree := map[string]int{}
	for e := range d.edges {
		degree[e[0]]++
		degree[e[1]]++
	}
	slices.SortStableFunc(nodes, func(a, b string) int { return cmp.Compare(degree[b], degree[a]) })
	nodes = nodes[:maxNodes]
	slices.Sort(nodes)
	return nodes
}

// collapse returns for each module the folder that stands for it. It starts
// from the top and opens the folder with the most modules as long as the
// diagram stays readable.
func collapse(names []string) map[string]string {
	groups := map[string][]string{"": names}
	closed := map[string]bool{} // folders that cannot be opened further
	for {
		largest := ""
		found := false
		for _, dir := range slices.Sorted(maps.Keys(groups)) {
			if !closed[dir] && (!found || len(groups[dir]) > len(groups[largest])) {
				largest, found = dir, true
			}
		}
		if !found || len(groups[largest]) == 1 {
			break
		}
		parts := split(largest, groups[largest])
		limit := maxModules
		switch {
		case len(groups) == 1: // what all modules lie in is opened whatever is in it
			limit = len(names)
		case len(groups) < fewGroups:
			limit = maxNodes
		}
		if len(groups)-1+len(parts) > limit {
			closed[largest] = true
			continue
		}
		list := groups[largest]
		delete(groups, largest)
		maps.Copy(groups, parts)
		if len(parts) == 1 && len(parts[largest]) == len(list) {
			closed[largest] = true
		}
	}
	of := map[string]string{}
	for dir, list := range groups {
		for _, name := range list {
			of[name] = cmp.Or(dir, ".")
		}
	}
	return of
}

// split opens a folder: its modules by their next path element. A module that
// is the folder itself stays.
func split(dir string, names []string) map[string][]string {
	parts := map[string][]string{}
	for _, name := range names {
		next := dir
		if name != dir {
			first, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(name, dir), "/"), "/")
			next = path.Join(dir, first)
		}
		parts[next] = append(parts[next], name)
	}
	return parts
}

// safeIDs gives each node an id of letters, digits and "_" that is its own and
// no word of Mermaid's.
func safeIDs(nodes []string) map[string]string {
	ids, taken := map[string]string{}, map[string]bool{}
	for _, n := range nodes {
		id := "m_" + strings.Map(func(c rune) rune {
			if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
				return c
			}
			return '_'
		}, n)
		unique := id
		for i := 2; taken[unique]; i++ {
			unique = fmt.Sprintf("%s_%d", id, i)
		}
		ids[n], taken[unique] = unique, true
	}
	return ids
}

// escapeLabel writes a name so that it stands between quotes in a diagram.
func escapeLabel(name string) string {
	return strings.NewReplacer(`"`, "#quot;", "#", "#35;", "\n", " ", "<", "#lt;", ">", "#gt;").Replace(name)
}
