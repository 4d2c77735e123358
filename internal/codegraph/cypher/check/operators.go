package check

import (
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// unary checks NOT, - and +.
func (c *checker) unary(e *syntax.Unary, v env) kind {
	if e.Op == syntax.Not {
		c.condition(e.X, v)
		return is(boolean)
	}
	return is(c.want(e.X, number, func(want, have types) message.Text {
		return message.New("a sign is of %s, and this is %s", want, have)
	}, v).of & number)
}

// binary checks a binary operator.
func (c *checker) binary(e *syntax.Binary, v env) kind {
	switch e.Op {
	case syntax.And, syntax.Or, syntax.Xor:
		c.condition(e.L, v)
		c.condition(e.R, v)
	case syntax.In:
		c.expr(e.L, v)
		c.want(e.R, list, func(want, have types) message.Text {
			return message.New("IN looks into %s, and this is %s", want, have)
		}, v)
	case syntax.Add:
		return c.sum(e, v)
	case syntax.Subtract, syntax.Multiply, syntax.Divide, syntax.Modulo, syntax.Power:
		what := func(want, have types) message.Text {
			return message.New("%s takes %s, and this is %s", string(e.Op), want, have)
		}
		l, r := c.want(e.L, number, what, v), c.want(e.R, number, what, v)
		return calculated(e.Op, l, r)
	default: // string comparisons, which are null for other values
		c.expr(e.L, v)
		c.expr(e.R, v)
	}
	return is(boolean)
}

// calculated returns the kind of the result of arithmetic.
func calculated(op syntax.Op, l, r kind) kind {
	switch {
	case op == syntax.Power:
		return is(float)
	case l.only(integer) && r.only(integer):
		return is(integer)
	case l.of != 0 && l.only(float), r.of != 0 && r.only(float):
		return is(float)
	}
	return is(number)
}

// sum checks +, which also concatenates strings and lists.
func (c *checker) sum(e *syntax.Binary, v env) kind {
	l, r := c.expr(e.L, v), c.expr(e.R, v)
	if l.of == 0 || r.of == 0 {
		return unknown
	}
	numbers := l.may(number) && r.may(number)
	if !numbers && !l.or(r).may(list|text) {
		c.fault(e.At, invalidArgumentType, message.Text{}, message.New("+ is for numbers, strings and lists, not for %s and %s", l.of, r.of))
	}
	switch {
	case l.only(number) && r.only(number):
		return calculated(e.Op, l, r)
	case l.only(list) && r.only(list):
		return l.or(r)
	case l.only(text|number|boolean) && r.only(text|number|boolean) && (l.only(text) || r.only(text)):
		return is(text)
	}
	return unknown
}

// property checks x.key.
func (c *checker) property(e *syntax.Property, v env) kind {
	k := c.expr(e.Of, v)
	switch {
	case k.may(entity | mapping):
	case k.only(path):
		c.fault(e.At, invalidArgumentType, message.New("take its nodes or relationships: nodes(p), relationships(p)"), message.New("a path has no properties"))
	default:
		c.typeFault(e.At, invalidArgumentType, message.New("only nodes, relationships and maps have properties, and this is %s", k.of))
	}
	return unknown
}

// index checks x[i].
func (c *checker) index(e *syntax.Index, v env) kind {
	of, i := c.expr(e.Of, v), c.expr(e.Index, v)
	switch {
	case !of.may(list | mapping | entity):
		c.typeFault(e.Index.Start(), invalidArgumentType, message.New("only lists, maps, nodes and relationships have elements, and this is %s", of.of))
	case of.of != 0 && of.only(mapping) && !i.may(text):
		c.typeFault(e.Index.Start(), keyIsNoString, message.New("the key of a map is a string, not %s", i.of))
	case of.of != 0 && of.only(list) && !i.may(integer):
		c.typeFault(e.Index.Start(), indexIsNoInteger, message.New("the index of a list is an integer, not %s", i.of))
	}
	if of.only(list) {
		return of.element()
	}
	return unknown
}

// slice checks x[from..to].
func (c *checker) slice(e *syntax.Slice, v env) kind {
	of := c.expr(e.Of, v)
	if !of.may(list) {
		c.typeFault(e.At, invalidArgumentType, message.New("only a list can be cut, and this is %s", of.of))
	}
	for _, end := range []syntax.Expr{e.From, e.To} {
		if end == nil {
			continue
		}
		if k := c.expr(end, v); !k.may(integer) {
			c.typeFault(end.Start(), invalidArgumentType, message.New("the index of a list is an integer, not %s", k.of))
		}
	}
	return listOf(of.element())
}

// typeFault records a type error if it is the first error.
func (c *checker) typeFault(at syntax.Pos, code string, text message.Text) {
	c.report(syntax.TypeError, at, code, message.Text{}, text)
}
