package check

import (
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// scope maps the visible names to their kinds.
type scope struct {
	names map[string]kind
	// outer is the enclosing scope: of the query around an EXISTS, or of the clause around a comprehension; nil for
	// none.
	outer *scope
}

// inside returns an empty scope within outer, which may be nil.
func inside(outer *scope) *scope { return &scope{names: map[string]kind{}, outer: outer} }

// find returns the kind of a name and the scope that defines it; nil if there is none.
func (s *scope) find(name string) (kind, *scope) {
	for ; s != nil; s = s.outer {
		if k, ok := s.names[name]; ok {
			return k, s
		}
	}
	return unknown, nil
}

// own returns the names of the scope itself, sorted.
func (s *scope) own() []string { return slices.Sorted(maps.Keys(s.names)) }

// all returns all visible names, sorted.
func (s *scope) all() []string {
	names := map[string]kind{}
	for ; s != nil; s = s.outer {
		maps.Copy(names, s.names)
	}
	return slices.Sorted(maps.Keys(names))
}

// env is the environment of an expression.
type env struct {
	scope      *scope
	aggregates aggregates
	// pattern is set if a pattern is allowed here, as a condition.
	pattern bool
	// columns are the columns that ORDER BY, and WHERE after WITH, may refer to by their expressions; nil for none.
	columns *columns
	// group is set outside the aggregates of an item that aggregates; else nil.
	group *group
}

// with returns an environment with one more name.
func (c *checker) with(v env, name string, k kind) env {
	v.scope = inside(v.scope)
	v.scope.names[name] = k
	v.columns = v.columns.without(name)
	return v
}

// variable returns the kind of a name, which must be defined.
func (c *checker) variable(x *syntax.Variable, v env) kind {
	k, owner := v.scope.find(x.Name)
	if owner == nil {
		c.undefined(x, v)
		return unknown
	}
	c.grouped(x, owner, v)
	return k
}

// undefined reports an undefined name.
func (c *checker) undefined(x *syntax.Variable, v env) {
	advice := message.New("there is no variable here yet: MATCH, UNWIND or WITH give them")
	switch names := v.scope.all(); {
	case c.dropped[x.Name]:
		advice = message.New("behind WITH, DISTINCT or an aggregate there is only what is listed there: list `%s`, too", x.Name)
	case len(names) > 0:
		advice = message.New("the variables here are: %s", strings.Join(names, ", "))
	}
	c.fault(x.At, undefinedVariable, advice, message.New("variable `%s` is not defined here", x.Name))
}
