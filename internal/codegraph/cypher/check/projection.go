package check

import (
	"maps"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// projection checks WITH or RETURN. It returns the new scope and the names of the columns in order.
func (c *checker) projection(p *syntax.Projection, before *scope) (after *scope, names []string) {
	after = inside(before.outer)
	if p.Star {
		names = c.star(p, before, after)
	}
	cs, grouped := c.items(p, before)
	for _, name := range before.own() {
		c.dropped[name] = true
	}
	for i, item := range p.Items {
		c.shadows(item, before.outer)
		name := columnName(item)
		if _, taken := after.names[name]; taken {
			c.fault(item.At, columnNameConflict, message.New("give one of them another name by AS"), message.New("two columns are named `%s`", name))
		}
		after.names[name] = cs.kinds[i]
		names = append(names, name)
	}
	v := env{scope: after, columns: cs}
	if !grouped && !p.Distinct {
		// ORDER BY and WHERE see the names of the old rows and the new ones.
		v.scope = &scope{names: after.names, outer: before}
	}
	c.order(p, v, grouped)
	c.count("SKIP", p.Skip, before)
	c.count("LIMIT", p.Limit, before)
	if p.Where != nil {
		c.condition(p.Where, v)
	}
	if !p.Return {
		c.aliases(p)
	}
	return after, names
}

// star checks "*" and returns the names that it expands to.
func (c *checker) star(p *syntax.Projection, before, after *scope) []string {
	names := before.own()
	if len(names) == 0 && p.Return {
		c.fault(p.At, noVariables, message.New("name what is wanted"), message.New("RETURN * where there is no variable"))
	}
	maps.Copy(after.names, before.names)
	return names
}

// items checks the items of a projection. It returns them as columns, and whether any of them aggregates.
func (c *checker) items(p *syntax.Projection, before *scope) (cs *columns, grouped bool) {
	cs = &columns{items: p.Items}
	g := &group{rows: before}
	if p.Star {
		for _, name := range before.own() {
			g.keys = append(g.keys, &syntax.Variable{Name: name})
		}
	}
	for _, item := range p.Items {
		if simple(item.Expr) {
			g.keys = append(g.keys, item.Expr)
		}
		g.keys = append(g.keys, eval.Subjects(item.Expr)...)
	}
	for _, item := range p.Items {
		v := env{scope: before, aggregates: allowed}
		if Aggregating(item.Expr) {
			v.group, grouped = g, true
		}
		cs.kinds = append(cs.kinds, c.expr(item.Expr, v))
	}
	return cs, grouped
}

// order checks ORDER BY.
func (c *checker) order(p *syntax.Projection, v env, grouped bool) {
	if grouped {
		v.aggregates = allowed
	}
	for _, o := range p.OrderBy {
		key := v
		if Aggregating(o.Expr) {
			strict := *v.columns
			_, whole := strict.find(o.Expr)
			strict.keysOnly = !whole
			key.columns = &strict
		}
		c.expr(o.Expr, key)
	}
}

// count checks the number of SKIP or LIMIT.
func (c *checker) count(clause string, e syntax.Expr, before *scope) {
	if e == nil {
		return
	}
	k := c.expr(e, env{scope: before, group: &group{rows: before, clause: clause}})
	if !k.may(integer) {
		c.fault(e.Start(), invalidArgumentType, message.New("write an integer"), message.New("%s needs an integer, not %s", clause, k.of))
	}
	if negative(e) {
		c.fault(e.Start(), negativeInteger, message.New("write 0 or more"), message.New("%s cannot be negative", clause))
	}
}

// negative reports whether an expression is a negative integer literal.
func negative(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Unary:
		l, ok := e.X.(*syntax.Literal)
		if !ok || e.Op != syntax.Negate {
			return false
		}
		n, ok := l.Value.(int64)
		return ok && n > 0
	case *syntax.Literal:
		n, ok := e.Value.(int64)
		return ok && n < 0
	}
	return false
}

// aliases checks that all columns of a WITH, or of the RETURN of a CALL { }, have names. It comes last, because errors in the expressions are more
// helpful.
func (c *checker) aliases(p *syntax.Projection) {
	nameless := slices.IndexFunc(p.Items, func(i *syntax.Item) bool {
		_, variable := i.Expr.(*syntax.Variable)
		return i.As == "" && !variable
	})
	if nameless >= 0 {
		item := p.Items[nameless]
		c.fault(item.At, noAlias, message.New("write %s AS name", item.Text), message.New("what WITH or CALL { } passes on needs a name"))
	}
}

// columnName returns the name by which a column can be referred to.
func columnName(item *syntax.Item) string {
	if x, ok := item.Expr.(*syntax.Variable); ok && item.As == "" {
		return x.Name
	}
	return item.Name()
}
