package check

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// column is a column of a result.
type column struct {
	name string
	kind kind
}

// query checks a query and returns its columns. Outer is the scope around a subquery, nil for the whole query;
// importing is the scope that the WITH at the beginning of CALL { } names variables of, nil elsewhere.
func (c *checker) query(q *syntax.Query, outer, importing *scope) []column {
	var first []column
	for i, s := range q.Parts {
		if outer == nil {
			clear(c.dropped)
		}
		columns := c.single(s, outer, importing)
		if i == 0 {
			first = columns
			continue
		}
		names, columnsBefore := namesOf(columns), namesOf(first)
		u := q.Unions[i-1]
		if u.All != q.Unions[0].All {
			c.fault(u.At, invalidComposition, message.New("use one of them in the whole query"), message.New("UNION and UNION ALL in one query"))
		}
		if !slices.Equal(columnsBefore, names) {
			c.fault(u.At, differentColumns, message.New("give the columns the same names, by AS, in the same order"),
				message.New("the columns before UNION are %s, those after it %s", strings.Join(columnsBefore, ", "), strings.Join(names, ", ")))
			continue
		}
		for k := range first {
			first[k].kind = first[k].kind.or(columns[k].kind)
		}
	}
	return first
}

func namesOf(columns []column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	return names
}

// single checks a query without UNION and returns its columns.
func (c *checker) single(s *syntax.Single, outer, importing *scope) (columns []column) {
	here := inside(outer)
	c.imports(s.Imports, importing, here)
	for _, clause := range s.Clauses {
		switch clause := clause.(type) {
		case *syntax.Match:
			c.match(clause, here)
		case *syntax.Unwind:
			c.unwind(clause, here)
		case *syntax.Projection:
			after, names := c.projection(clause, here)
			here = after
			if !clause.Return {
				continue
			}
			for _, name := range names {
				columns = append(columns, column{name, after.names[name]})
			}
		case *syntax.CallSubquery:
			c.callSubquery(clause, here)
		case *syntax.CallProcedure:
			if c.procedure(clause, here); clause.Alone {
				columns = c.yielded(clause)
			}
		}
	}
	return columns
}

// match checks MATCH, and adds its variables to the scope.
func (c *checker) match(m *syntax.Match, s *scope) {
	v := env{scope: s}
	c.pattern(m.Pattern, v, true)
	if m.Where != nil {
		c.condition(m.Where, v)
	}
}

// unwind checks UNWIND.
func (c *checker) unwind(u *syntax.Unwind, s *scope) {
	k := c.expr(u.List, env{scope: s})
	if _, owner := s.find(u.As.Name); owner != nil {
		c.alreadyBound(u.As)
	}
	s.names[u.As.Name] = k.unwound()
}

// unwound returns the kind of a row's value after UNWIND: the elements of a list; any other value itself.
func (k kind) unwound() kind {
	if k.of&list == 0 {
		return k
	}
	return is(k.of &^ list).or(k.element())
}

// alreadyBound reports a name that is bound a second time.
func (c *checker) alreadyBound(x *syntax.Variable) {
	c.fault(x.At, variableBound, message.New("take another name"), message.New("variable `%s` is already in use", x.Name))
}
