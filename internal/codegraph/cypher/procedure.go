package cypher

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/check"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// procedures computes the rows of each of [check.Procedures].
var procedures = map[string]func(ctx context.Context, g Graph) ([]eval.Row, error){
	"db.labels": func(ctx context.Context, g Graph) ([]eval.Row, error) {
		v, err := g.Vocabulary(ctx)
		return single(v.Labels), err
	},
	"db.relationshipTypes": func(ctx context.Context, g Graph) ([]eval.Row, error) {
		v, err := g.Vocabulary(ctx)
		return single(v.Types), err
	},
	"db.propertyKeys": func(ctx context.Context, g Graph) ([]eval.Row, error) {
		v, err := g.Vocabulary(ctx)
		return single(v.Properties), err
	},
	"db.schema.nodeTypeProperties": nodeTypeProperties,
	"db.schema.relTypeProperties":  relTypeProperties,
	"db.schema.visualization":      visualization,
	"dbms.functions": func(context.Context, Graph) (rows []eval.Row, err error) {
		for _, f := range eval.Functions() {
			rows = append(rows, eval.Row{f.Name, f.Category})
		}
		return rows, nil
	},
	"dbms.procedures": func(ctx context.Context, _ Graph) (rows []eval.Row, err error) {
		for _, p := range check.Procedures {
			rows = append(rows, eval.Row{p.Name, p.Says.In(message.From(ctx)), "READ"})
		}
		return rows, nil
	},
	"dbms.indexes": func(context.Context, Graph) ([]eval.Row, error) {
		return []eval.Row{
			{"labels", "LOOKUP", "NODE", nil, nil},
			{"name", "RANGE", "NODE", nil, value.List{"name"}},
			{"path", "RANGE", "NODE", nil, value.List{"path"}},
			{"qualified_name", "RANGE", "NODE", nil, value.List{"qualified_name"}},
			{"types", "LOOKUP", "RELATIONSHIP", nil, nil},
		}, nil
	},
	"dbms.constraints": func(context.Context, Graph) ([]eval.Row, error) {
		return []eval.Row{{"qualified_name", "UNIQUENESS", "NODE", nil, value.List{"qualified_name"}}}, nil
	},
}

// single returns rows of one string each.
func single(texts []string) []eval.Row {
	rows := make([]eval.Row, len(texts))
	for i, s := range texts {
		rows[i] = eval.Row{s}
	}
	return rows
}

// callProcedure adds the rows of a procedure to each row.
type callProcedure struct {
	graph Graph
	scope *eval.Scope
	name  string
	rows  func(ctx context.Context, g Graph) ([]eval.Row, error)
	from  []int // columns
	into  []int // their slots
}

func (o *callProcedure) explain() step { return step{name: "Procedure", detail: o.name} }

func (o *callProcedure) run(ctx context.Context, in stream) stream {
	var all []eval.Row
	done := false
	return each(in, o.scope, func(out *emitter, rows []eval.Row) (bool, error) {
		if !done {
			var err error
			if all, err = o.rows(ctx, o.graph); err != nil {
				return false, err
			}
			done = true
		}
		for _, r := range rows {
			for _, found := range all {
				next := out.copy(r)
				for i, column := range o.from {
					next[o.into[i]] = found[column]
				}
				if !out.add(next) {
					return false, nil
				}
			}
		}
		return true, nil
	})
}

// procedure returns the steps of CALL of a procedure, and adds its columns to the frame.
func (p *planner) procedure(ctx context.Context, c *syntax.CallProcedure, f *frame) (pipeline, error) {
	known := check.FindProcedure(c.Name)
	o := &callProcedure{graph: p.x.graph, scope: f.scope, name: known.Name, rows: procedures[known.Name]}
	for i, column := range known.Columns {
		for _, name := range boundTo(c, column) {
			slot := f.scope.Hidden()
			f.scope.Bind(name, slot)
			o.from, o.into = append(o.from, i), append(o.into, slot)
		}
	}
	steps := pipeline{o}
	for _, e := range conjuncts(c.Where) {
		more, err := p.filter(ctx, e, f)
		if err != nil {
			return nil, err
		}
		steps = append(steps, more...)
	}
	return steps, nil
}

// boundTo returns the names that a column of a procedure is bound to.
func boundTo(c *syntax.CallProcedure, column string) (names []string) {
	if c.All {
		return []string{column}
	}
	for _, y := range c.Yield {
		if y.Column == column {
			names = append(names, y.As.Name)
		}
	}
	return names
}

// propertyTypes are the types of values that each property has, and how many have it.
type propertyTypes map[string]*propertyType

type propertyType struct {
	types map[string]bool
	count int
}

// add counts a value; null is none.
func (t propertyTypes) add(key string, v value.Value) {
	if v == nil {
		return
	}
	p := t[key]
	if p == nil {
		p = &propertyType{types: map[string]bool{}}
		t[key] = p
	}
	p.count++
	p.types[neo4jType(v)] = true
}

// rows returns a row for each property, after the first columns; one without a property if there is none.
func (t propertyTypes) rows(of int, first ...value.Value) (rows []eval.Row) {
	if len(t) == 0 {
		return []eval.Row{append(first, nil, nil, false)}
	}
	for _, key := range slices.Sorted(maps.Keys(t)) {
		p := t[key]
		rows = append(rows, append(slices.Clone(first), key, listOf(slices.Sorted(maps.Keys(p.types))), p.count == of))
	}
	return rows
}

// neo4jType returns the type of a value as Neo4j's procedures write it.
func neo4jType(v value.Value) string {
	switch v := v.(type) {
	case int64:
		return "Long"
	case float64:
		return "Double"
	case value.List:
		if len(v) > 0 {
			return neo4jType(v[0]) + "Array"
		}
		return "StringArray"
	}
	return string(value.TypeOf(v))
}

func listOf(texts []string) value.List {
	list := make(value.List, len(texts))
	for i, s := range texts {
		list[i] = s
	}
	return list
}

// nodeTypeProperties reads the properties of all nodes, by their labels.
func nodeTypeProperties(ctx context.Context, g Graph) (rows []eval.Row, err error) {
	known, err := g.Vocabulary(ctx)
	if err != nil {
		return nil, err
	}
	byLabels, count, labels := map[string]propertyTypes{}, map[string]int{}, map[string][]string{}
	err = chunks(ctx, g, func(ids []codegraph.ID, of [][]string) error {
		values, err := g.Properties(ctx, ids, known.Properties...)
		if err != nil {
			return err
		}
		for i := range ids {
			key := typeName(of[i])
			if byLabels[key] == nil {
				byLabels[key], labels[key] = propertyTypes{}, of[i]
			}
			count[key]++
			for k, property := range known.Properties {
				byLabels[key].add(property, values[i][k])
			}
		}
		return nil
	})
	for _, key := range slices.Sorted(maps.Keys(byLabels)) {
		rows = append(rows, byLabels[key].rows(count[key], key, listOf(labels[key]))...)
	}
	return rows, err
}

// typeName returns labels or a type as in :`A`:`B`.
func typeName(names []string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(":`" + strings.ReplaceAll(name, "`", "``") + "`")
	}
	return b.String()
}

// chunks calls do for all nodes, with their labels, some at a time.
func chunks(ctx context.Context, g Graph, do func(ids []codegraph.ID, labels [][]string) error) error {
	all, err := g.Find(ctx, Lookup{})
	if err != nil {
		return err
	}
	for ids := range slices.Chunk(all, fullBatch) {
		labels, err := g.Labels(ctx, ids)
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = do(ids, labels)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// eachRelationship calls do for all relationships, with the labels of the nodes that they begin and end at.
func eachRelationship(ctx context.Context, g Graph, do func(from, to []string, r value.Relationship)) error {
	return chunks(ctx, g, func(ids []codegraph.ID, labels [][]string) error {
		x, err := g.Expand(ctx, ids, codegraph.Out)
		if err != nil {
			return err
		}
		ends := make([]codegraph.ID, len(x.Relationships))
		for i, r := range x.Relationships {
			ends[i] = r.Key().To
		}
		at, err := g.Labels(ctx, ends)
		if err != nil {
			return err
		}
		begin := 0
		for i := range ids {
			for k := begin; k < x.Ends[i]; k++ {
				do(labels[i], at[k], x.Relationships[k])
			}
			begin = x.Ends[i]
		}
		return nil
	})
}

// relTypeProperties reads the properties of all relationships, by their types.
func relTypeProperties(ctx context.Context, g Graph) (rows []eval.Row, err error) {
	byType, count := map[string]propertyTypes{}, map[string]int{}
	err = eachRelationship(ctx, g, func(_, _ []string, r value.Relationship) {
		key := typeName([]string{r.Key().Type})
		if byType[key] == nil {
			byType[key] = propertyTypes{}
		}
		count[key]++
		for _, property := range r.Properties() {
			byType[key].add(property, r.Property(property))
		}
	})
	for _, key := range slices.Sorted(maps.Keys(byType)) {
		rows = append(rows, byType[key].rows(count[key], key)...)
	}
	return rows, err
}

// schemaEdge is a type of relationships between nodes of two labels.
type schemaEdge struct{ from, kind, to string }

// visualization counts the nodes of each label and the relationships of each type between labels. A node with
// several labels counts for each.
func visualization(ctx context.Context, g Graph) ([]eval.Row, error) {
	labels, edges := map[string]int64{}, map[schemaEdge]int64{}
	err := chunks(ctx, g, func(_ []codegraph.ID, of [][]string) error {
		for _, names := range of {
			for _, name := range names {
				labels[name]++
			}
		}
		return nil
	})
	if err == nil {
		err = eachRelationship(ctx, g, func(from, to []string, r value.Relationship) {
			for _, f := range from {
				for _, t := range to {
					edges[schemaEdge{f, r.Key().Type, t}]++
				}
			}
		})
	}
	nodes, relationships := value.List{}, value.List{}
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		nodes = append(nodes, value.Map{"name": name, "count": labels[name]})
	}
	for _, e := range slices.SortedFunc(maps.Keys(edges), func(a, b schemaEdge) int {
		return strings.Compare(a.from+"\x00"+a.kind+"\x00"+a.to, b.from+"\x00"+b.kind+"\x00"+b.to)
	}) {
		relationships = append(relationships, value.Map{"from": e.from, "type": e.kind, "to": e.to, "count": edges[e]})
	}
	return []eval.Row{{nodes, relationships}}, err
}
