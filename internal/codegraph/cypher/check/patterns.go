package check

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// pattern is a pattern being checked.
type pattern struct {
	*checker
	v env
	// binds is set if new names are allowed; they are added to the scope.
	binds bool
	// used are the relationships of the pattern so far.
	used []string
}

// pattern checks paths: first all names, then the properties, which may use the names of all paths.
func (c *checker) pattern(paths []*syntax.Path, v env, binds bool) {
	p := &pattern{checker: c, v: v, binds: binds}
	for _, path := range paths {
		p.path(path)
	}
	for _, path := range paths {
		for i, n := range path.Nodes {
			c.element(n.Properties, n.Where, v)
			if i < len(path.Rels) {
				c.element(path.Rels[i].Properties, path.Rels[i].Where, v)
			}
		}
	}
}

// element checks the properties and the condition of a node or relationship; nil for none.
func (c *checker) element(properties, where syntax.Expr, v env) {
	if p, ok := properties.(*syntax.Parameter); ok {
		c.fault(p.At, invalidParameterUse, message.New("write them out: {key: $%s.key}", p.Name), message.New("a parameter cannot stand for all properties here"))
	}
	if properties != nil {
		c.expr(properties, v)
	}
	if where != nil {
		v.aggregates = refused
		c.condition(where, v)
	}
}

// path checks the names in a path, its own last, because it must differ from those of its nodes.
func (p *pattern) path(of *syntax.Path) {
	for i, n := range of.Nodes {
		p.name(n.Var, is(node), message.New("a node"))
		if i < len(of.Rels) {
			p.relationship(of.Rels[i])
		}
	}
	x := of.Var
	if x == nil {
		return
	}
	if _, owner := p.v.scope.find(x.Name); owner != nil {
		p.alreadyBound(x)
	}
	p.v.scope.names[x.Name] = is(path)
}

// relationship checks the name of a relationship or of a list of relationships.
func (p *pattern) relationship(r *syntax.RelPattern) {
	if r.Var == nil {
		return
	}
	if r.Length == nil {
		p.name(r.Var, is(relationship), message.New("a relationship"))
	} else {
		p.name(r.Var, listOf(is(relationship)), message.New("a list of relationships"))
	}
	if slices.Contains(p.used, r.Var.Name) {
		p.fault(r.Var.At, relationshipUsedTwice, message.New("take another name; no relationship comes twice in one pattern"),
			message.New("relationship `%s` stands in the pattern twice", r.Var.Name))
	}
	p.used = append(p.used, r.Var.Name)
}

// name checks a name of the given kind, and binds it if it is new.
func (p *pattern) name(x *syntax.Variable, k kind, what message.Text) {
	if x == nil {
		return
	}
	have, owner := p.v.scope.find(x.Name)
	switch {
	case owner == nil && p.binds:
		p.v.scope.names[x.Name] = k
	case owner == nil:
		p.undefined(x, p.v)
	case !have.fits(k):
		advice := message.New("take another name")
		if have.only(list) && k.of == node {
			advice = message.New("take its elements: UNWIND %s AS another name", x.Name)
		}
		p.fault(x.At, variableConflict, advice, message.New("variable `%s` is %s and cannot be %s here", x.Name, have.of, what))
	default:
		p.grouped(x, owner, p.v)
	}
}

// comprehension checks [path WHERE p | x], whose new names are local.
func (c *checker) comprehension(e *syntax.PatternComprehension, v env) kind {
	v.aggregates = refused
	v.scope = inside(v.scope)
	c.pattern([]*syntax.Path{e.Path}, v, true)
	for _, name := range v.scope.own() {
		v.columns = v.columns.without(name)
	}
	if e.Where != nil {
		c.condition(e.Where, v)
	}
	return listOf(c.expr(e.Map, v))
}

// predicate checks a pattern used as a condition.
func (c *checker) predicate(e *syntax.PatternPredicate, v env) kind {
	if !v.pattern {
		c.fault(e.At, unexpectedSyntax, message.New("ask exists(...) of it, or make a list of it: [pattern | value]"),
			message.New("a pattern can only stand where a condition is wanted"))
	}
	c.pattern([]*syntax.Path{e.Path}, v, false)
	return is(boolean)
}
