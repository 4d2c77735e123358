package check

import (
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// expr checks an expression and returns its kind.
func (c *checker) expr(e syntax.Expr, v env) kind {
	if k, ok := c.column(e, v); ok {
		return k
	}
	v = v.ungroup(e)
	pattern := v.pattern
	v.pattern = false
	switch e := e.(type) {
	case *syntax.Literal:
		return kindOf(e.Value)
	case *syntax.Parameter:
		return c.parameter(e)
	case *syntax.Variable:
		return c.variable(e, v)
	case *syntax.List:
		return c.list(e, v)
	case *syntax.Map:
		c.each(e.Values, v)
		return is(mapping)
	case *syntax.Call:
		return c.call(e, v)
	case *syntax.CountStar:
		c.aggregate(e.At, v)
		return is(integer)
	case *syntax.Case:
		return c.choice(e, v)
	case *syntax.PatternPredicate:
		v.pattern = pattern
		return c.predicate(e, v)
	case *syntax.Subquery:
		return c.subquery(e, v)
	case *syntax.MapProjection:
		c.want(e.Of, entity|mapping, func(want, have types) message.Text {
			return message.New("a map projection is of %s, and this is %s", want, have)
		}, v)
		c.each(e.Values, v)
		return is(mapping)
	}
	return c.operator(e, v)
}

// operator checks expressions with operators.
func (c *checker) operator(e syntax.Expr, v env) kind {
	switch e := e.(type) {
	case *syntax.Property:
		return c.property(e, v)
	case *syntax.Index:
		return c.index(e, v)
	case *syntax.Slice:
		return c.slice(e, v)
	case *syntax.Unary:
		return c.unary(e, v)
	case *syntax.Binary:
		return c.binary(e, v)
	case *syntax.Comparison:
		c.each(e.Operands, v)
		return is(boolean)
	case *syntax.IsNull:
		c.expr(e.X, v)
		return is(boolean)
	case *syntax.HasLabels:
		c.want(e.X, entity, func(want, have types) message.Text {
			return message.New("labels are of %s, and this is %s", want, have)
		}, v)
		return is(boolean)
	}
	return c.loop(e, v)
}

// loop checks expressions that bind a name to each element of a list, or of matching paths. Aggregates are not
// allowed in them.
func (c *checker) loop(e syntax.Expr, v env) kind {
	switch e := e.(type) {
	case *syntax.ListComprehension:
		return c.filter(e, v)
	case *syntax.Quantifier:
		elem := c.want(e.In, list, goesOver(string(e.Kind)), v).element()
		v = c.with(v, e.Var.Name, elem)
		v.aggregates = refused
		if e.Where != nil {
			c.condition(e.Where, v)
		}
		return is(boolean)
	case *syntax.Reduce:
		c.expr(e.Init, v)
		elem := c.want(e.In, list, goesOver("reduce"), v).element()
		v = c.with(c.with(v, e.Acc.Name, unknown), e.Var.Name, elem)
		v.aggregates = refused
		c.expr(e.Map, v)
	case *syntax.PatternComprehension:
		return c.comprehension(e, v)
	}
	return unknown
}

// filter checks [x IN list WHERE p | y].
func (c *checker) filter(e *syntax.ListComprehension, v env) kind {
	elem := c.want(e.In, list, func(want, have types) message.Text {
		return message.New("a list comprehension goes over %s, and this is %s", want, have)
	}, v).element()
	v = c.with(v, e.Var.Name, elem)
	v.aggregates = refused
	if e.Where != nil {
		c.condition(e.Where, v)
	}
	if e.Map != nil {
		elem = c.expr(e.Map, v)
	}
	return listOf(elem)
}

// each checks several expressions.
func (c *checker) each(es []syntax.Expr, v env) {
	for _, e := range es {
		c.expr(e, v)
	}
}

// goesOver returns the message for a function that iterates over a list.
func goesOver(function string) func(want, have types) message.Text {
	return func(want, have types) message.Text {
		return message.New("%s() goes over %s, and this is %s", function, want, have)
	}
}

// want checks an expression that must have one of the types; say builds the message.
func (c *checker) want(e syntax.Expr, t types, say func(want, have types) message.Text, v env) kind {
	k := c.expr(e, v)
	if !k.may(t) {
		c.fault(e.Start(), invalidArgumentType, message.Text{}, say(t, k.of))
	}
	return k
}

// condition checks a boolean expression, which may be a pattern.
func (c *checker) condition(e syntax.Expr, v env) {
	v.pattern = true
	c.want(e, boolean, func(want, have types) message.Text {
		return message.New("a condition is %s, and this is %s", want, have)
	}, v)
}

// parameter returns the kind of a parameter's value.
func (c *checker) parameter(e *syntax.Parameter) kind {
	p, ok := c.parameters[e.Name]
	if !ok {
		c.report(syntax.ParameterMissing, e.At, missingParameter, message.New("give its value with the query"), message.New("parameter $%s has no value", e.Name))
		return unknown
	}
	return kindOf(p)
}

// list checks [a, b].
func (c *checker) list(e *syntax.List, v env) kind {
	var elem kind
	for _, i := range e.Items {
		elem = elem.or(c.expr(i, v))
	}
	return listOf(elem)
}

// choice checks CASE.
func (c *checker) choice(e *syntax.Case, v env) kind {
	if e.Subject != nil {
		c.expr(e.Subject, v)
	}
	var k kind
	for _, w := range e.Whens {
		if e.Subject != nil {
			c.expr(w.When, v)
		} else {
			c.condition(w.When, v)
		}
		k = k.or(c.expr(w.Then, v))
	}
	if e.Else != nil {
		k = k.or(c.expr(e.Else, v))
	}
	return k
}
