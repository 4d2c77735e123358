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
	steps, _, _, err := p.rowsOf(ctx, clauses, f.inner(), true)
	if err != nil {
		return nil, err
	}
	o := &exists{inner: steps, slot: f.scope.Hidden(), not: not, text: syntax.Format(e), single: len(clauses.Parts) > 1}
	for _, s := range steps {
		switch s.(type) {
		case *walk, *shortest, *narrow, *group, *limit, *order, *distinct, *apply:
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
	case *syntax.Subquery:
		if e.Kind == syntax.ExistsKind {
			return e.Query
		}
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

// rowsOf returns the steps of a query inside an expression, the frame of its rows, and its columns. The names in f are
// visible in it. If ends is set, the number of times a row is found does not matter.
func (p *planner) rowsOf(ctx context.Context, q *syntax.Query, f *frame, ends bool) (pipeline, *frame, []string, error) {
	if m, ok := q.Parts[0].Clauses[0].(*syntax.Match); ok && len(q.Parts) == 1 && len(q.Parts[0].Clauses) == 1 && !m.Optional {
		steps, err := p.match(ctx, p.read(m.Pattern, m.Where, f), f, ends)
		return steps, f, nil, err
	}
	enter := f.enter()
	steps, end, columns, err := p.query(ctx, q, f, false)
	return append(enter, steps...), end, columns, err
}

// subquery compiles an expression that contains a query, which is evaluated for one row at a time.
func (p *planner) subquery(ctx context.Context, e syntax.Expr, s *eval.Scope) (eval.Expr, error) {
	f := &frame{scope: s.Inner(), nodes: map[string]bool{}}
	if q, ok := e.(*syntax.Subquery); ok && q.Kind != syntax.ExistsKind {
		steps, end, columns, err := p.rowsOf(ctx, q.Query, f, false)
		if err != nil || q.Kind == syntax.CountKind {
			return counted(steps), err
		}
		what, err := p.compiler.Compile(&syntax.Variable{At: q.At, Name: columns[0]}, end.scope)
		return subquery(steps, what), err
	}
	c, ok := e.(*syntax.PatternComprehension)
	if !ok {
		steps, _, _, err := p.rowsOf(ctx, patternOf(e), f, true)
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
