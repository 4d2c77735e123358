package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/view/mermaid"
)

// mostBoxes limits the boxes of the module map; above it, modules are grouped by folder.
const mostBoxes = 60

// moduleMap is the dependency graph of the modules in a folder.
type moduleMap struct {
	in    string            // the folder; "" for all of the project
	rows  []moduleRow       // the modules in it
	boxes []*box            // by name
	edges map[[2]string]int // number of dependencies between modules of two boxes
}

// box is a module, or a folder of modules.
type box struct {
	name    string
	modules int
	address string // of its spec, or of the map of the folder; "" for neither
	health  string // the worst in it
}

// newMap groups the modules in a folder into a readable number of boxes.
func newMap(rows []moduleRow, in string) *moduleMap {
	var inside []moduleRow
	for _, r := range rows {
		if in == "" || r.Name == in || strings.HasPrefix(r.Name, in+"/") {
			inside = append(inside, r)
		}
	}
	depth := 1
	for names(inside, in, depth+1) <= mostBoxes && names(inside, in, depth) < len(inside) {
		depth++
	}
	m := &moduleMap{in: in, rows: inside, edges: map[[2]string]int{}}
	of := map[string]*box{} // by module
	known := map[string]*box{}
	for _, r := range inside {
		name := cut(r.Name, in, depth)
		b := known[name]
		if b == nil {
			b = &box{name: name, address: r.Spec, health: r.Health}
			known[name] = b
			m.boxes = append(m.boxes, b)
		}
		if b.modules++; b.modules > 1 {
			b.address = modulesAddress(name, false)
		}
		if gravity(r.Health) > gravity(b.health) {
			b.health = r.Health
		}
		of[r.Name] = b
	}
	for _, r := range inside {
		for _, to := range r.Needs {
			if from, to := of[r.Name], of[to]; to != nil && to != from {
				m.edges[[2]string{from.name, to.name}]++
			}
		}
	}
	slices.SortFunc(m.boxes, func(a, b *box) int { return strings.Compare(a.name, b.name) })
	return m
}

// cut shortens a path to a number of elements below a folder.
func cut(name, in string, depth int) string {
	from := 0
	if in != "" {
		from = len(in) + 1
	}
	if name == in {
		return name
	}
	at := from
	for ; depth > 0; depth-- {
		i := strings.IndexByte(name[at:], '/')
		if i < 0 {
			return name
		}
		at += i + 1
	}
	return name[:at-1]
}

// names counts the boxes if modules are cut to a depth.
func names(rows []moduleRow, in string, depth int) int {
	seen := map[string]bool{}
	for _, r := range rows {
		seen[cut(r.Name, in, depth)] = true
	}
	return len(seen)
}

// thin removes edges for readability and returns their number: edges implied by others, and
// between folders that depend on each other the direction with fewer dependencies. Modules
// that depend on each other keep all edges.
func (m *moduleMap) thin() int {
	all := len(m.edges)
	edges := m.sorted()
	slices.SortStableFunc(edges, func(a, b [2]string) int { return m.edges[b] - m.edges[a] })
	next := map[string][]string{}
	for _, e := range edges {
		if (m.folder(e[0]) || m.folder(e[1])) && reaches(next, e[1], e[0]) {
			delete(m.edges, e)
			continue
		}
		next[e[0]] = append(next[e[0]], e[1])
	}
	for _, e := range m.sorted() {
		direct := next[e[0]]
		next[e[0]] = without(direct, e[1])
		if !reaches(next, e[0], e[1]) || reaches(next, e[1], e[0]) {
			next[e[0]] = direct
			continue
		}
		delete(m.edges, e)
	}
	return all - len(m.edges)
}

// folder reports whether a box has several modules.
func (m *moduleMap) folder(name string) bool {
	i, _ := slices.BinarySearchFunc(m.boxes, name, func(b *box, name string) int { return strings.Compare(b.name, name) })
	return m.boxes[i].modules > 1
}

// without returns list without the string s.
func without(list []string, s string) []string {
	i := slices.Index(list, s)
	return slices.Concat(list[:i], list[i+1:])
}

// reaches reports whether there is a path between two boxes.
func reaches(next map[string][]string, from, to string) bool {
	seen := map[string]bool{from: true}
	for todo := []string{from}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, n := range next[at] {
			if n == to {
				return true
			}
			if !seen[n] {
				seen[n] = true
				todo = append(todo, n)
			}
		}
	}
	return false
}

// sorted returns the edges sorted by their ends.
func (m *moduleMap) sorted() [][2]string {
	var out [][2]string
	for e := range m.edges {
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b [2]string) int {
		return cmp.Or(strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1]))
	})
	return out
}

// shared returns the folder that the names of the boxes share, if the map is not that of a folder.
func (m *moduleMap) shared() string {
	var list []string
	for _, b := range m.boxes {
		if b.name != "." && m.in == "" {
			list = append(list, b.name)
		}
	}
	return sharedFolder(list)
}

// svg draws the map with dependents above their dependencies. Boxes have the class of their
// number and edges those of their ends, for the script.
func (m *moduleMap) svg(lang message.Lang) (string, error) {
	g := &mermaid.Graph{Title: message.New("Modules and their dependencies").In(lang), Direction: mermaid.Down, Lang: lang}
	number, shared := map[string]int{}, m.shared()
	for i, b := range m.boxes {
		number[b.name] = i
		label := within(shared, strings.TrimPrefix(b.name, m.in+"/"))
		if label == "." {
			label = message.New("(root)").In(lang)
		}
		if b.modules > 1 {
			label += "\n" + message.Count(b.modules, "%d module", "%d modules").In(lang)
		}
		g.Nodes = append(g.Nodes, mermaid.Node{ID: b.name, Label: label, Class: fmt.Sprintf("box %s n%d", b.health, i), Href: b.address})
	}
	for _, e := range m.sorted() {
		g.Edges = append(g.Edges, mermaid.Edge{From: e[0], To: e[1], Class: fmt.Sprintf("line from-n%d to-n%d", number[e[0]], number[e[1]])})
	}
	return g.SVG()
}
