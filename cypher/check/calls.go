package check

import (
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/cypher/syntax"
)

// call checks a call: that there is such a function, how many arguments it has, and
// what they may be.
func (c *checker) call(e *syntax.Call, v env) kind {
	name := strings.ToLower(e.Name)
	s, ok := signatures[name]
	if !ok {
		c.each(e.Args, v)
		c.fault(e.At, unknownFunction, "", "there is no function %s()", e.Name)
		return unknown
	}
	if name == "rand" && v.aggregates == nested {
		c.fault(e.At, notConstant, "call it in a WITH before", "rand() in an aggregate")
	}
	if s.aggregate {
		v = c.aggregate(e.At, v)
	}
	v.pattern = name == "exists"
	var args []kind
	for _, a := range e.Args {
		args = append(args, c.expr(a, v))
	}
	if !c.counted(e, s) {
		return unknown
	}
	for i, a := range args {
		if t := s.arg(i); !a.may(t) {
			c.fault(e.Args[i].Start(), invalidArgumentType, "", "%s() takes %s, and this is %s", e.Name, t, a.of)
		}
	}
	if s.like != nil {
		return s.like(args)
	}
	return s.gives
}

// counted checks how many arguments a call has.
func (c *checker) counted(e *syntax.Call, s signature) bool {
	most, given := len(s.args), len(e.Args)
	least := most - s.optional
	if given >= least && (given <= most || s.more) {
		return true
	}
	wants := fmt.Sprint(least)
	switch {
	case s.more:
		wants += " or more"
	case s.optional > 0:
		wants += fmt.Sprintf(" to %d", most)
	}
	c.fault(e.At, wrongArgumentCount, "", "%s() takes %s arguments, not %d", e.Name, wants, given)
	return false
}

// arg returns the types of the i-th argument.
func (s signature) arg(i int) types { return s.args[min(i, len(s.args)-1)] }
