package cypher

import (
	"context"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
)

// asExists returns the step for a condition that is a pattern, EXISTS { }, or the negation of one; nil for others.
func (p *planner) asExists(ctx context.Context, e syntax.Expr, f *frame) (operator, error) {
	not := false
	if u, ok := e.(*syntax.Unary); ok && u.Op == syntax.Not {
		not, e = true, u.X
	}
	clauses := patternOf(e)
	if clauses == nil {
		return nil, nil
	}
	inner := f.inner()
	steps, err := p.rowsOf(ctx, clauses, inner)
	if err != nil {
		return nil, err
	}
	o := &exists{inner: steps, slot: f.scope.Hidden(), not: not, text: syntax.Format(e), single: len(clauses.Parts) > 1}
	for _, s := range steps {
		switch s.(type) {
		case *walk, *shortest, *narrow, *group, *limit, *order, *distinct:
			o.single = true
		}
	}
	return o, nil
}

// patternOf returns an existential expression as a query; nil for other expressions.
func patternOf(e syntax.Expr) *syntax.Query {
	switch e := e.(type) {
	case *syntax.PatternPredicate:
		return asQuery(e.At, e.Path, nil)
	case *syntax.Exists:
		return e.Query
	case *syntax.Call:
		if len(e.Args) == 1 && strings.EqualFold(e.Name, "exists") {
			return patternOf(e.Args[0])
		}
	}
	return nil
}

func asQuery(at syntax.Pos, path *syntax.Path, where syntax.Expr) *syntax.Query {
	m := &syntax.Match{At: at, Pattern: []*syntax.Path{path}, Where: where}
	return &syntax.Query{Parts: []*syntax.Single{{Clauses: []syntax.Clause{m}}}}
}

// rowsOf returns the steps of a query inside an expression. The names in the frame are visible in it.
func (p *planner) rowsOf(ctx context.Context, q *syntax.Query, f *frame) (pipeline, error) {
	if len(q.Parts) == 1 {
		if m, ok := q.Parts[0].Clauses[0].(*syntax.Match); ok && len(q.Parts[0].Clauses) == 1 {
			return p.match(ctx, p.read(m.Pattern, m.Where, f), f, true)
		}
	}
	steps, _, _, err := p.query(ctx, q, f, false)
	return steps, err
}

// subquery compiles an expression that contains a query, which is evaluated for one row at a time.
func (p *planner) subquery(ctx context.Context, e syntax.Expr, s *eval.Scope) (eval.Expr, error) {
	f := &frame{scope: s.Inner(), nodes: map[string]bool{}}
	c, ok := e.(*syntax.PatternComprehension)
	if !ok {
		steps, err := p.rowsOf(ctx, patternOf(e), f)
		return subquery(steps, nil), err
	}
	steps, err := p.match(ctx, p.read([]*syntax.Path{c.Path}, c.Where, f), f, false)
	if err != nil {
		return nil, err
	}
	steps = append(steps, p.load(f, c.Map)...)
	what, err := p.compiler.Compile(c.Map, f.scope)
	return subquery(steps, what), err
}
