package check

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// subquery checks EXISTS { }, COUNT { } and COLLECT { }.
func (c *checker) subquery(e *syntax.Subquery, v env) kind {
	columns := c.query(e.Query, v.scope, nil)
	switch {
	case e.Kind == syntax.CountKind:
		return is(integer)
	case e.Kind == syntax.ExistsKind:
		return is(boolean)
	case len(columns) != 1:
		c.fault(e.At, invalidComposition, message.New("let its query end with RETURN and what to collect"),
			message.New("COLLECT { } needs a RETURN with one column"))
		return is(list)
	}
	return listOf(columns[0].kind)
}

// callSubquery checks CALL { }, and adds its columns to the scope.
func (c *checker) callSubquery(s *syntax.CallSubquery, here *scope) {
	var outer, importing *scope
	switch {
	case !s.Scoped:
		importing = here
	case s.Star:
		outer = inside(here)
	default:
		outer = inside(nil)
		for _, x := range s.Scope {
			outer.names[x.Name] = c.variable(x, env{scope: here})
		}
	}
	if outer == nil {
		outer = inside(nil)
	}
	columns := c.query(s.Query, outer, importing)
	if len(columns) == 0 {
		c.fault(s.At, invalidComposition, message.New("let it end with RETURN and what it adds to each row"), message.New("CALL { } needs a RETURN"))
	}
	for _, last := range lastClauses(s.Query) {
		c.aliases(last)
	}
	for _, column := range columns {
		if _, owner := here.find(column.name); owner != nil {
			c.alreadyBound(&syntax.Variable{At: s.At, Name: column.name})
		}
		here.names[column.name] = column.kind
	}
}

// lastClauses returns the RETURN of each part of a query.
func lastClauses(q *syntax.Query) (last []*syntax.Projection) {
	for _, s := range q.Parts {
		if n := len(s.Clauses); n > 0 {
			if p, ok := s.Clauses[n-1].(*syntax.Projection); ok {
				last = append(last, p)
			}
		}
	}
	return last
}

// imports checks the importing WITH of a query in CALL { }.
func (c *checker) imports(w *syntax.Projection, from, to *scope) {
	if w == nil {
		return
	}
	if w.Star {
		for _, name := range from.all() {
			to.names[name], _ = from.find(name)
		}
	}
	for _, item := range w.Items {
		if x, ok := item.Expr.(*syntax.Variable); ok {
			to.names[x.Name] = c.variable(x, env{scope: from})
		}
	}
}

// shadows reports a column with the name of a variable of the query around a subquery, which stays visible in it.
func (c *checker) shadows(item *syntax.Item, outer *scope) {
	name := columnName(item)
	if x, ok := item.Expr.(*syntax.Variable); ok && x.Name == name {
		return
	}
	if slices.Contains(outer.all(), name) {
		c.alreadyBound(&syntax.Variable{At: item.At, Name: name})
	}
}
