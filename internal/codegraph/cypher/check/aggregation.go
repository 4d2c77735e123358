package check

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// aggregates says whether aggregates are allowed at a place.
type aggregates int8

const (
	// refused is for places without groups, such as WHERE.
	refused aggregates = iota
	// allowed is for items of a projection.
	allowed
	// nested is for arguments of an aggregate.
	nested
)

// group is the context of an expression that is evaluated once per group.
type group struct {
	// keys are the expressions that are constant within a group: items without aggregates that are variables or
	// properties.
	keys []syntax.Expr
	// rows is the scope of the single rows.
	rows *scope
	// clause is SKIP or LIMIT, whose group is all rows; "" for an item or a sort key.
	clause string
}

// columns are the items of a projection.
type columns struct {
	items []*syntax.Item
	kinds []kind
	// keysOnly is set for a sort key with aggregates: besides these it may only use columns that are variables or
	// properties.
	keysOnly bool
}

// without returns the columns that remain visible if a name is shadowed.
func (cs *columns) without(name string) *columns {
	if cs == nil {
		return nil
	}
	left := &columns{keysOnly: cs.keysOnly}
	for i, item := range cs.items {
		uses := false
		syntax.Walk(item.Expr, func(e syntax.Expr) bool {
			x, ok := e.(*syntax.Variable)
			uses = uses || ok && x.Name == name
			return !uses
		})
		if !uses {
			left.items, left.kinds = append(left.items, item), append(left.kinds, cs.kinds[i])
		}
	}
	return left
}

// find returns the column with an expression.
func (cs *columns) find(e syntax.Expr) (kind, bool) {
	if cs == nil {
		return unknown, false
	}
	at := slices.IndexFunc(cs.items, func(i *syntax.Item) bool { return syntax.Same(i.Expr, e) })
	if at < 0 {
		return unknown, false
	}
	return cs.kinds[at], true
}

// column returns the kind of the column that an expression refers to, if any.
func (c *checker) column(e syntax.Expr, v env) (kind, bool) {
	k, ok := v.columns.find(e)
	if !ok || simple(e) {
		return k, ok
	}
	if Aggregating(e) {
		return k, v.aggregates == allowed
	}
	if v.columns.keysOnly {
		c.ambiguous(e)
	}
	return k, true
}

// simple reports whether an expression is a variable or a property of one.
func simple(e syntax.Expr) bool {
	for {
		switch x := e.(type) {
		case *syntax.Variable:
			return true
		case *syntax.Property:
			e = x.Of
		default:
			return false
		}
	}
}

// Aggregating reports whether an expression contains an aggregate, other than in a subquery.
func Aggregating(e syntax.Expr) bool {
	found := false
	syntax.Walk(e, func(e syntax.Expr) bool {
		switch e := e.(type) {
		case *syntax.CountStar:
			found = true
		case *syntax.Call:
			found = found || eval.IsAggregate(e.Name)
		case *syntax.Subquery:
			return false
		}
		return !found
	})
	return found
}

// grouped reports a variable of single rows that is used in the context of a group.
func (c *checker) grouped(x *syntax.Variable, owner *scope, v env) {
	switch g := v.ungroup(x).group; {
	case g == nil || owner != g.rows:
	case g.clause != "":
		c.fault(x.At, notConstant, message.New("write a number or a parameter"),
			message.New("%s must be the same for all rows, and `%s` is not", g.clause, x.Name))
	default:
		c.ambiguous(x)
	}
}

// ambiguous reports an expression that is not constant within a group.
func (c *checker) ambiguous(e syntax.Expr) {
	c.fault(e.Start(), ambiguousAggregation, message.New("give it a name in a WITH before, and use that name both as an item of its own and beside the aggregate"),
		message.New("an item with an aggregate may use only variables and properties that are items themselves"))
}

// ungroup disables the group check inside an expression that is constant within a group.
func (v env) ungroup(e syntax.Expr) env {
	if v.group != nil && slices.ContainsFunc(v.group.keys, func(k syntax.Expr) bool { return syntax.Same(k, e) }) {
		v.group = nil
	}
	return v
}

// aggregate checks that an aggregate is allowed, and returns the environment of its arguments.
func (c *checker) aggregate(at syntax.Pos, v env) env {
	switch v.aggregates {
	case refused:
		c.fault(at, invalidAggregation, message.New("aggregate in a WITH before, and use its name here"),
			message.New("an aggregate can only stand in the items of WITH and RETURN, and in ORDER BY when there is one among those"))
	case nested:
		c.fault(at, nestedAggregation, message.New("do the inner one in a WITH before"), message.New("an aggregate within an aggregate"))
	case allowed:
	}
	v.aggregates, v.group = nested, nil
	return v
}
