package question

import (
	"context"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/check"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Between says that the project of one of several graphs uses that of another.
type Between = cypher.Between

// NamedGraph is a graph with the name of its project.
type NamedGraph struct {
	Name  string
	Graph *explore.Graph
}

// AskMany runs a Cypher query on several graphs as one, with what their projects use of each other, whose nodes have the name of their project as a property. Where each row is of one
// project, that is its first field. Errors are as those of [Ask].
func AskMany(ctx context.Context, graphs []NamedGraph, between []Between, query string, opts Options) (*Answer, error) {
	a := &Answer{Query: WithProject(query), Translator: byCaller, Results: []Object{}}
	parts := make([]cypher.Part, len(graphs))
	for i, g := range graphs {
		parts[i] = cypher.Part{Name: g.Name, Graph: codeOf(g.Graph)}
	}
	all, err := cypher.Many(ctx, parts, between)
	if err != nil {
		return nil, err
	}
	t := Translation{Cypher: a.Query}
	if err := a.run(ctx, all, t, opts); err != nil {
		return a, a.fail(ctx, err)
	}
	a.summarize(message.From(ctx), t, opts)
	return a, nil
}

// WithProject adds the project to what a query returns, as the first column: where the rows are those of a pattern, none are put together,
// and a node of the pattern is at hand. A node alone has it as a property. Other queries, and those with such a column, are as they were.
func WithProject(query string) string {
	tree, err := syntax.Parse(query)
	if err != nil || len(tree.Parts) != 1 {
		return query // what is wrong is said when it is run
	}
	node := ""
	for _, c := range tree.Parts[0].Clauses {
		p, ok := c.(*syntax.Projection)
		switch m, matches := c.(*syntax.Match); {
		case matches && node == "":
			node = nodeOf(m)
		case ok && p.Return:
			if node == "" || asItIs(p, node) {
				return query
			}
			at := p.Items[0].At.Offset
			return query[:at] + syntax.Quote(node) + "." + cypher.PartProperty + " AS " + cypher.PartProperty + ", " + query[at:]
		case ok:
			node = kept(p, node)
		}
	}
	return query
}

// asItIs reports whether RETURN gets no column: it puts rows together, or the project is in them.
func asItIs(p *syntax.Projection, node string) bool {
	together := func(i *syntax.Item) bool { return check.Aggregating(i.Expr) }
	named := func(i *syntax.Item) bool { return i.Name() == cypher.PartProperty }
	alone := len(p.Items) == 1 && kept(p, node) != ""
	return p.Distinct || p.Star || alone || slices.ContainsFunc(p.Items, together) || slices.ContainsFunc(p.Items, named)
}

// nodeOf returns the name of a node in a pattern that is always there; "" if none has one.
func nodeOf(m *syntax.Match) string {
	if m.Optional {
		return ""
	}
	for _, path := range m.Pattern {
		for _, n := range path.Nodes {
			if n.Var != nil {
				return n.Var.Name
			}
		}
	}
	return ""
}

// kept returns the name of a node after WITH; "" if it has none.
func kept(p *syntax.Projection, node string) string {
	if p.Star {
		return node
	}
	for _, item := range p.Items {
		if v, ok := item.Expr.(*syntax.Variable); ok && v.Name == node {
			return item.Name()
		}
	}
	return ""
}
