package tck

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/memory"
)

// Load executes a statement that builds a graph. It implements CREATE, and DELETE for relationships; reading
// clauses are run by the engine.
func Load(ctx context.Context, g *memory.Graph, statement string) error {
	l := loader{g: g, rows: []value.Map{{}}}
	for _, clause := range Clauses(statement) {
		if err := l.clause(ctx, clause); err != nil {
			return fmt.Errorf("%s: %w", clause.Text, err)
		}
	}
	return nil
}

// loader is the state of building a graph.
type loader struct {
	g    *memory.Graph
	rows []value.Map // bindings so far
}

func (l *loader) clause(ctx context.Context, c Clause) error {
	switch {
	case !keywords[c.Keyword]:
		return l.read(ctx, c.Text)
	case c.Keyword == "CREATE":
		pattern, err := syntax.ParsePattern(c.Text[len(c.Keyword):])
		if err != nil {
			return err
		}
		for i, row := range l.rows {
			l.rows[i] = maps.Clone(row)
			if err := l.create(ctx, pattern, l.rows[i]); err != nil {
				return err
			}
		}
		return nil
	case c.Keyword == "DELETE":
		return l.remove(strings.TrimSpace(c.Text[len(c.Keyword):]))
	}
	return fmt.Errorf("%s cannot set up a graph", c.Keyword)
}

// read runs reading clauses as one query per row.
func (l *loader) read(ctx context.Context, text string) error {
	var rows value.List
	for _, row := range l.rows {
		rows = append(rows, row)
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(l.rows[0])) {
		names = append(names, fmt.Sprintf("row.%s AS %[1]s", name))
	}
	if names != nil {
		text = "UNWIND $rows AS row WITH " + strings.Join(names, ", ") + "\n" + text
	}
	result, err := cypher.Run(ctx, l.g, text+"\nRETURN *", cypher.Options{
		Parameters: map[string]value.Value{"rows": rows},
		MaxRows:    1_000_000,
	})
	if err != nil {
		return err
	}
	l.rows = nil
	for _, values := range result.Rows {
		row := value.Map{}
		for i, name := range result.Columns {
			row[name] = values[i]
		}
		l.rows = append(l.rows, row)
	}
	return nil
}

// create creates a pattern for one row, and adds its names to the row.
func (l *loader) create(ctx context.Context, pattern []*syntax.Path, row value.Map) error {
	for _, path := range pattern {
		var ids []codegraph.ID
		for _, n := range path.Nodes {
			id, err := l.node(ctx, n, row)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		for i, r := range path.Rels {
			if err := l.relationship(ctx, r, ids[i], ids[i+1], row); err != nil {
				return err
			}
		}
	}
	return nil
}

// node returns the node of a pattern, creating it unless the row binds it.
func (l *loader) node(ctx context.Context, n *syntax.NodePattern, row value.Map) (codegraph.ID, error) {
	if n.Var != nil {
		if known, ok := row[n.Var.Name].(value.Node); ok {
			return codegraph.ID(known), nil
		}
	}
	properties, err := l.properties(ctx, n.Properties, row)
	if err != nil {
		return 0, err
	}
	var labels []string
	for _, group := range n.Labels {
		labels = append(labels, group...)
	}
	id := l.g.Node(labels, properties)
	if n.Var != nil {
		row[n.Var.Name] = value.Node(id)
	}
	return id, nil
}

// relationship creates the relationship of a pattern.
func (l *loader) relationship(ctx context.Context, r *syntax.RelPattern, from, to codegraph.ID, row value.Map) error {
	properties, err := l.properties(ctx, r.Properties, row)
	if err != nil {
		return err
	}
	if r.Direction == syntax.Left {
		from, to = to, from
	}
	made := l.g.Relate(from, to, r.Types[0], properties)
	if r.Var != nil {
		row[r.Var.Name] = made
	}
	return nil
}

// properties evaluates the properties of a pattern.
func (l *loader) properties(ctx context.Context, e syntax.Expr, row value.Map) (value.Map, error) {
	if e == nil {
		return nil, nil
	}
	scope := eval.NewScope()
	for _, name := range slices.Sorted(maps.Keys(row)) {
		scope.Add(name)
	}
	compiler := eval.Compiler{Graph: l.g}
	compiled, err := compiler.Compile(e, scope)
	if err != nil {
		return nil, err
	}
	slots := make(eval.Row, scope.Width())
	for name, v := range row {
		slot, _ := scope.Slot(name)
		slots[slot] = v
	}
	v, err := compiled(ctx, slots)
	properties, _ := v.(value.Map)
	return properties, err
}

// remove deletes the relationships bound to a name.
func (l *loader) remove(name string) error {
	for _, row := range l.rows {
		r, ok := row[name].(value.Relationship)
		if !ok {
			return fmt.Errorf("%s is no relationship", name)
		}
		l.g.Remove(r)
	}
	return nil
}
