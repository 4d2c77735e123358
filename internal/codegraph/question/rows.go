package question

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// rows converts the rows of a result to objects. A row that is a single node becomes its properties; elsewhere a
// node includes its labels.
func rows(ctx context.Context, g cypher.Graph, r *cypher.Result) ([]Object, error) {
	n := nodes{objects: map[value.Node]Object{}}
	for _, row := range r.Rows {
		for _, v := range row {
			n.add(v)
		}
	}
	if err := n.read(ctx, g); err != nil {
		return nil, err
	}
	out := make([]Object, len(r.Rows))
	for i, row := range r.Rows {
		if alone, ok := row[0].(value.Node); ok && len(row) == 1 {
			out[i] = withoutLabels(n.objects[alone])
			continue
		}
		out[i] = make(Object, len(row))
		for j, v := range row {
			out[i][j] = Field{r.Columns[j], n.plain(v)}
		}
	}
	return out, nil
}

// nodes are the nodes in rows, as objects.
type nodes struct{ objects map[value.Node]Object }

// add collects the nodes in a value.
func (n *nodes) add(v value.Value) {
	switch v := v.(type) {
	case value.Node:
		n.objects[v] = nil
	case value.Relationship:
		n.objects[value.Node(v.Key().From)], n.objects[value.Node(v.Key().To)] = nil, nil
	case *value.Path:
		for _, node := range v.Nodes {
			n.objects[node] = nil
		}
	case value.List:
		for _, e := range v {
			n.add(e)
		}
	case value.Map:
		for _, e := range v {
			n.add(e)
		}
	}
}

// read reads the nodes from the graph.
func (n *nodes) read(ctx context.Context, g cypher.Graph) error {
	if len(n.objects) == 0 {
		return nil
	}
	ids := make([]codegraph.ID, 0, len(n.objects))
	for _, node := range slices.Sorted(maps.Keys(n.objects)) {
		ids = append(ids, codegraph.ID(node))
	}
	keys, err := g.Keys(ctx, ids)
	if err != nil {
		return err
	}
	names := firstNames(keys)
	values, err := g.Properties(ctx, ids, names...)
	if err != nil {
		return err
	}
	labels, err := g.Labels(ctx, ids)
	if err != nil {
		return err
	}
	for i, id := range ids {
		var o Object
		for j, name := range names {
			if values[i][j] != nil {
				o = append(o, Field{name, n.plain(values[i][j])})
			}
		}
		n.objects[value.Node(id)] = append(o, Field{labelsField, labels[i]})
	}
	return nil
}

// labelsField is the name of a node's last field.
const labelsField = "labels"

func withoutLabels(o Object) Object { return o[:len(o)-1] }

// firstNames returns the distinct property names: the identifying ones, then the others, sorted.
func firstNames(keys [][]string) []string {
	seen := map[string]bool{}
	for _, of := range keys {
		for _, k := range of {
			seen[k] = true
		}
	}
	var out []string
	for _, name := range []string{cypher.PartProperty, "name", "qualified_name", "kind", "path", "start_line", "end_line"} {
		if seen[name] {
			out = append(out, name)
			delete(seen, name)
		}
	}
	return append(out, slices.Sorted(maps.Keys(seen))...)
}

// plain converts a value to one of an [Object].
func (n *nodes) plain(v value.Value) any {
	switch v := v.(type) {
	case value.Node:
		return n.objects[v]
	case value.Relationship:
		return n.relationship(v)
	case *value.Path:
		return n.path(v)
	case value.List:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = n.plain(e)
		}
		return out
	case value.Map:
		out := Object{}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = append(out, Field{k, n.plain(v[k])})
		}
		return out
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return value.Format(v)
		}
	}
	return v
}

func (n *nodes) relationship(r value.Relationship) Object {
	properties := Object{}
	for _, name := range r.Properties() {
		properties = append(properties, Field{name, n.plain(r.Property(name))})
	}
	k := r.Key()
	return Object{
		{"type", k.Type},
		{"properties", properties},
		{"from", n.name(value.Node(k.From))},
		{"to", n.name(value.Node(k.To))},
	}
}

// name returns the qualified name of a node, else its name.
func (n *nodes) name(node value.Node) any {
	for _, wanted := range []string{"qualified_name", "name"} {
		for _, f := range n.objects[node] {
			if f.Name == wanted {
				return f.Value
			}
		}
	}
	return nil
}

func (n *nodes) path(p *value.Path) Object {
	var steps, relationships []any
	for _, node := range p.Nodes {
		steps = append(steps, n.objects[node])
	}
	for _, r := range p.Relationships {
		relationships = append(relationships, n.relationship(r))
	}
	return Object{{"nodes", steps}, {"relationships", relationships}}
}
