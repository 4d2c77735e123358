package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/view/mermaid"
)

// mostBoxes is how many boxes the picture of the modules has: with more, modules stand
// together in their folders.
const mostBoxes = 60

// moduleMap is the picture of the modules in a folder.
type moduleMap struct {
	in    string      // the folder; "" for all of the project
	rows  []moduleRow // the modules in it
	boxes []*box      // by name
	edges map[[2]string]bool
}

// box is a module, or a folder of modules.
type box struct {
	name    string
	modules int
	address string // of its spec, or of the map of the folder; "" for neither
	health  string // the gravest in it
}

// newMap draws the modules in a folder together until they can be looked at.
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
	m := &moduleMap{in: in, rows: inside, edges: map[[2]string]bool{}}
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
				m.edges[[2]string{from.name, to.name}] = true
			}
		}
	}
	slices.SortFunc(m.boxes, func(a, b *box) int { return strings.Compare(a.name, b.name) })
	return m
}

// cut is a path cut to a number of names below a folder.
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

// names counts the boxes that modules cut to a depth make.
func names(rows []moduleRow, in string, depth int) int {
	seen := map[string]bool{}
	for _, r := range rows {
		seen[cut(r.Name, in, depth)] = true
	}
	return len(seen)
}

// thin leaves out edges that follow from others, and returns how many: what one module
// rests on by way of another needs no line of its own.
func (m *moduleMap) thin() int {
	next := map[string][]string{}
	edges := m.sorted()
	for _, e := range edges {
		next[e[0]] = append(next[e[0]], e[1])
	}
	left := 0
	for _, e := range edges {
		direct := next[e[0]]
		i := slices.Index(direct, e[1])
		next[e[0]] = slices.Delete(slices.Clone(direct), i, i+1)
		if !reaches(next, e[0], e[1]) {
			next[e[0]] = direct
			continue
		}
		delete(m.edges, e)
		left++
	}
	return left
}

// reaches tells whether edges lead from one box to another.
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

// sorted is the edges, by their ends.
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

// svg draws the map: what rests on others stands above them.
func (m *moduleMap) svg() (string, error) {
	g := &mermaid.Graph{Title: "Modules and what they rest on", Direction: mermaid.Down}
	for _, b := range m.boxes {
		label := strings.TrimPrefix(b.name, m.in+"/")
		if b.modules > 1 {
			label += fmt.Sprintf("\n%d modules", b.modules)
		}
		g.Nodes = append(g.Nodes, mermaid.Node{ID: b.name, Label: label, Class: "box " + b.health, Href: b.address})
	}
	for _, e := range m.sorted() {
		g.Edges = append(g.Edges, mermaid.Edge{From: e[0], To: e[1]})
	}
	return g.SVG()
}
