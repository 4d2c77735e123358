package codegraph

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Limits of a readable diagram; Mermaid itself refuses more than 500 edges.
const (
	maxModules = 20  // above this, modules are collapsed into folders
	maxNodes   = 50  // above this, the least connected are omitted
	maxEdges   = 400 // above this, edges are omitted
	fewGroups  = 8   // below this, the largest folder is expanded in any case
)

// mermaid renders the graph. Edges of cycles are dashed.
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

// diagram holds the nodes and edges to draw. A node is one module or several.
type diagram struct {
	of    map[string]string  // module -> node
	size  map[string]int     // node -> number of its modules
	edges map[[2]string]bool // value: part of a cycle
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

// kept returns the nodes to draw, sorted: all of them, or those with the most edges.
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

// collapse maps each module to the folder that represents it. Starting at the top, it expands the folder with the
// most modules as long as the diagram stays readable.
func collapse(names []string) map[string]string {
	groups := map[string][]string{"": names}
	closed := map[string]bool{} // folders that cannot be expanded
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
		case len(groups) == 1: // the common folder of all modules is always expanded
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

// split groups the modules of a folder by their next path element. A module that is the folder itself stays.
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

// safeIDs gives each node a unique id of letters, digits and "_" that is not a keyword of Mermaid.
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

// escapeLabel escapes a name for a quoted label.
func escapeLabel(name string) string {
	return strings.NewReplacer(`"`, "#quot;", "#", "#35;", "\n", " ", "<", "#lt;", ">", "#gt;").Replace(name)
}
