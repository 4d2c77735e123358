package check

import (
	"errors"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// signature describes the arguments and the result of a function.
type signature struct {
	// args are the types of the arguments; further arguments may have any type.
	args  []types
	gives kind
	// like, if set, computes the kind of the result from those of the arguments.
	like func(args []kind) kind
}

// to returns the signature of a function with one argument.
func to(gives types, arg types) signature { return signature{args: []types{arg}, gives: is(gives)} }

// toList returns the signature of a function with one argument that returns a list.
func toList(elem types, arg types) signature {
	return signature{args: []types{arg}, gives: listOf(is(elem))}
}

// texts returns the signature of a function with a string and further arguments.
func texts(gives types, more ...types) signature {
	return signature{args: append([]types{text}, more...), gives: is(gives)}
}

// Result kinds that depend on the arguments.
func first(args []kind) kind     { return args[0] }
func elements(args []kind) kind  { return args[0].element() }
func collected(args []kind) kind { return listOf(args[0]) }
func anyOf(args []kind) kind {
	var k kind
	for _, a := range args {
		k = k.or(a)
	}
	return k
}

// signatures maps lower-case names of functions to what is known of them. The rest is checked at run time.
var signatures = map[string]signature{
	// Aggregates.
	"count":          to(integer, anything),
	"collect":        {like: collected},
	"min":            {like: first},
	"max":            {like: first},
	"sum":            to(number, number),
	"avg":            to(number, number),
	"stdev":          to(float, number),
	"stdevp":         to(float, number),
	"percentilecont": {args: []types{number, number}, gives: is(number)},
	"percentiledisc": {args: []types{number, number}, gives: is(number)},

	// Nodes, relationships and paths.
	"labels":        toList(text, node),
	"type":          to(text, relationship),
	"keys":          toList(text, entity|mapping),
	"properties":    to(mapping, entity|mapping),
	"id":            to(integer, entity),
	"elementid":     to(text, entity),
	"nodes":         toList(node, path),
	"relationships": toList(relationship, path),
	"rels":          toList(relationship, path),
	"length":        to(integer, path),
	"startnode":     to(node, relationship),
	"endnode":       to(node, relationship),
	"exists":        to(boolean, anything),

	// Lists and any values.
	"coalesce": {like: anyOf},
	"nullif":   {like: first},
	"head":     {args: []types{list}, like: elements},
	"last":     {args: []types{list}, like: elements},
	"tail":     {args: []types{list}, like: first},
	"size":     to(integer, list|text),
	"isempty":  to(boolean, list|text|mapping),
	"reverse":  {args: []types{list | text}, like: first},
	"range":    toList(integer, anything),

	// Conversions.
	"tostring":        to(text, boolean|number|text),
	"tointeger":       to(integer, boolean|number|text),
	"toint":           to(integer, boolean|number|text),
	"tofloat":         to(float, number|text),
	"toboolean":       to(boolean, boolean|integer|text),
	"tostringornull":  to(text, anything),
	"tointegerornull": to(integer, anything),
	"tofloatornull":   to(float, anything),
	"tobooleanornull": to(boolean, anything),
	"tostringlist":    toList(text, list),
	"tointegerlist":   toList(integer, list),
	"tofloatlist":     toList(float, list),
	"tobooleanlist":   toList(boolean, list),

	// Strings.
	"tolower":          texts(text),
	"toupper":          texts(text),
	"lower":            texts(text),
	"upper":            texts(text),
	"trim":             texts(text),
	"ltrim":            texts(text),
	"rtrim":            texts(text),
	"replace":          texts(text, text, text),
	"split":            {args: []types{text, text}, gives: listOf(is(text))},
	"substring":        texts(text, integer, integer),
	"left":             texts(text, integer),
	"right":            texts(text, integer),
	"char_length":      texts(integer),
	"character_length": texts(integer),

	// Numbers.
	"abs":      {args: []types{number}, like: first},
	"ceil":     to(float, number),
	"floor":    to(float, number),
	"round":    {args: []types{number, integer}, gives: is(float)},
	"sign":     to(integer, number),
	"sqrt":     to(float, number),
	"exp":      to(float, number),
	"log":      to(float, number),
	"log10":    to(float, number),
	"e":        {gives: is(float)},
	"pi":       {gives: is(float)},
	"rand":     {gives: is(float)},
	"sin":      to(float, number),
	"cos":      to(float, number),
	"tan":      to(float, number),
	"cot":      to(float, number),
	"asin":     to(float, number),
	"acos":     to(float, number),
	"atan":     to(float, number),
	"atan2":    {args: []types{number, number}, gives: is(float)},
	"degrees":  to(float, number),
	"radians":  to(float, number),
	"haversin": to(float, number),
	"isnan":    to(boolean, number),
}

// call checks the function and the arguments of a call.
func (c *checker) call(e *syntax.Call, v env) kind {
	if err := eval.CheckCall(e); err != nil {
		if fault, ok := errors.AsType[*syntax.Error](err); ok {
			c.keep(fault)
		}
		return unknown
	}
	name := strings.ToLower(e.Name)
	if name == "rand" && v.aggregates == nested {
		c.fault(e.At, notConstant, message.New("call it in a WITH before"), message.New("rand() in an aggregate"))
	}
	if eval.IsAggregate(name) {
		v = c.aggregate(e.At, v)
	}
	s, ok := signatures[name]
	if !ok {
		s.gives = unknown
	}
	var args []kind
	for i, a := range e.Args {
		k := c.expr(a, v)
		if i < len(s.args) && !k.may(s.args[i]) {
			c.fault(a.Start(), invalidArgumentType, message.Text{}, message.New("%s() takes %s, and this is %s", e.Name, s.args[i], k.of))
		}
		args = append(args, k)
	}
	if s.like != nil {
		return s.like(args)
	}
	return s.gives
}
