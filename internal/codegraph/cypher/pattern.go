package cypher

import (
	"fmt"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
)

// pattern is the content of a MATCH: nodes, relationships between them, and conditions.
type pattern struct {
	nodes      []*patternNode
	rels       []*patternRel
	paths      []*patternPath
	conditions []*condition
	// new are the names that the pattern binds.
	new map[string]bool
}

// patternNode is a node, which may occur several times in the text.
type patternNode struct {
	name   string
	labels syntax.Labels
}

// patternRel is a relationship.
type patternRel struct {
	*syntax.RelPattern
	name     string
	from, to string // names of the nodes, in the order of the text
	shortest syntax.Shortest
	done     bool
}

// patternPath is a named path.
type patternPath struct {
	name  string
	nodes []string
	rels  []string
}

// condition is a predicate with the names that it uses.
type condition struct {
	expr  syntax.Expr
	needs []string
	done  bool
}

// hidden returns a unique generated name.
func (p *planner) hidden() string {
	p.names++
	return fmt.Sprintf("%s%d", hiddenMark, p.names)
}

// read converts the syntax of a pattern.
func (p *planner) read(paths []*syntax.Path, where syntax.Expr, f *frame) *pattern {
	pt := &pattern{new: map[string]bool{}}
	for _, path := range paths {
		p.readPath(pt, path)
	}
	for _, n := range pt.nodes {
		pt.new[n.name] = true
	}
	for _, r := range pt.rels {
		pt.new[r.name] = true
	}
	for _, path := range pt.paths {
		pt.new[path.name] = true
	}
	for name := range pt.new {
		if f.has(name) {
			delete(pt.new, name)
		}
	}
	pt.require(where)
	for _, c := range pt.conditions {
		for name := range namesIn(c.expr) {
			if pt.new[name] {
				c.needs = append(c.needs, name)
			}
		}
	}
	return pt
}

func (p *planner) readPath(pt *pattern, path *syntax.Path) {
	names := make([]string, len(path.Nodes))
	for i, n := range path.Nodes {
		names[i] = p.readNode(pt, n)
	}
	var rels []string
	for i, r := range path.Rels {
		name := p.hidden()
		if r.Var != nil {
			name = r.Var.Name
		}
		rels = append(rels, name)
		pt.rels = append(pt.rels, &patternRel{RelPattern: r, name: name, from: names[i], to: names[i+1], shortest: path.Shortest})
		if r.Length == nil && path.Shortest == syntax.AnyLength {
			pt.want(name, r.Properties)
		}
		pt.require(r.Where)
	}
	if path.Var != nil {
		pt.paths = append(pt.paths, &patternPath{name: path.Var.Name, nodes: names, rels: rels})
	}
}

// readNode adds a node, and returns its name.
func (p *planner) readNode(pt *pattern, n *syntax.NodePattern) string {
	name := p.hidden()
	if n.Var != nil {
		name = n.Var.Name
	}
	i := slices.IndexFunc(pt.nodes, func(known *patternNode) bool { return known.name == name })
	if i < 0 {
		i = len(pt.nodes)
		pt.nodes = append(pt.nodes, &patternNode{name: name})
	}
	pt.nodes[i].labels = append(pt.nodes[i].labels, n.Labels...)
	pt.want(name, n.Properties)
	pt.require(n.Where)
	return name
}

// require adds the operands of a conjunction as conditions.
func (pt *pattern) require(where syntax.Expr) {
	for _, e := range conjuncts(where) {
		pt.conditions = append(pt.conditions, &condition{expr: e})
	}
}

// want converts a property map to conditions.
func (pt *pattern) want(name string, properties syntax.Expr) {
	m, ok := properties.(*syntax.Map)
	if !ok {
		return
	}
	for i, key := range m.Keys {
		pt.conditions = append(pt.conditions, &condition{
			expr: &syntax.Comparison{
				At: m.At, Ops: []syntax.Op{syntax.Equal},
				Operands: []syntax.Expr{&syntax.Property{At: m.At, Of: &syntax.Variable{At: m.At, Name: name}, Key: key}, m.Values[i]},
			},
		})
	}
}

// conjuncts returns the operands of a conjunction.
func conjuncts(e syntax.Expr) []syntax.Expr {
	if e == nil {
		return nil
	}
	if b, ok := e.(*syntax.Binary); ok && b.Op == syntax.And {
		return append(conjuncts(b.L), conjuncts(b.R)...)
	}
	return []syntax.Expr{e}
}

// ready reports whether all names of a condition are bound.
func (c *condition) ready(f *frame) bool {
	for _, name := range c.needs {
		if !f.has(name) {
			return false
		}
	}
	return true
}

// bind allocates a slot for a node.
func (f *frame) bind(node string) int {
	f.nodes[node] = true
	return f.slot(node)
}
