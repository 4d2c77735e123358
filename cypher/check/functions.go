package check

import "strings"

// signature is what a function takes and gives.
type signature struct {
	// args are the types that each argument may be of.
	args []types
	// optional says how many of the last ones may be left out.
	optional int
	// more says that the last may come again and again.
	more bool
	// aggregate is for the functions that go over many rows.
	aggregate bool
	gives     kind
	// like, when it is set, gives the kind from those of the arguments.
	like func(args []kind) kind
}

// The kinds that follow from those of the arguments.
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

// texts returns a signature with arguments that are strings.
func texts(n int, gives types) signature {
	args := make([]types, n)
	for i := range args {
		args[i] = text
	}
	return signature{args: args, gives: is(gives)}
}

// numbers returns a signature with arguments that are numbers.
func numbers(n int, gives types) signature {
	args := make([]types, n)
	for i := range args {
		args[i] = number
	}
	return signature{args: args, gives: is(gives)}
}

// one returns a signature with one argument.
func one(arg, gives types) signature {
	return signature{args: []types{arg}, gives: is(gives)}
}

// list1 returns a signature with one argument that gives a list.
func list1(arg, elem types) signature {
	return signature{args: []types{arg}, gives: listOf(is(elem))}
}

// aggregate1 returns the signature of an aggregate with one argument.
func aggregate1(arg types, gives types) signature {
	return signature{args: []types{arg}, gives: is(gives), aggregate: true}
}

// signatures has what is known of each function, by its name in small letters. Where
// an argument may be anything, what it must be is seen when the query runs.
var signatures = map[string]signature{
	// Aggregates.
	"count":          aggregate1(anything, integer),
	"collect":        {args: []types{anything}, like: collected, aggregate: true},
	"min":            {args: []types{anything}, like: first, aggregate: true},
	"max":            {args: []types{anything}, like: first, aggregate: true},
	"sum":            aggregate1(number, number),
	"avg":            aggregate1(number, number),
	"stdev":          aggregate1(number, float),
	"stdevp":         aggregate1(number, float),
	"percentilecont": {args: []types{number, number}, gives: is(number), aggregate: true},
	"percentiledisc": {args: []types{number, number}, gives: is(number), aggregate: true},

	// Of nodes, relationships and paths.
	"labels":        list1(node, text),
	"type":          one(relationship, text),
	"keys":          list1(entity|mapping, text),
	"properties":    one(entity|mapping, mapping),
	"id":            one(entity, integer),
	"elementid":     one(entity, text),
	"nodes":         list1(path, node),
	"relationships": list1(path, relationship),
	"rels":          list1(path, relationship),
	"length":        one(path, integer),
	"startnode":     one(relationship, node),
	"endnode":       one(relationship, node),
	"exists":        one(anything, boolean),

	// Of lists and of several things.
	"coalesce": {args: []types{anything}, more: true, like: anyOf},
	"head":     {args: []types{list}, like: elements},
	"last":     {args: []types{list}, like: elements},
	"tail":     {args: []types{list}, like: first},
	"size":     one(list|text|mapping, integer),
	"isempty":  one(list|text|mapping, boolean),
	"reverse":  {args: []types{list | text}, like: first},
	"range":    {args: []types{anything, anything, anything}, optional: 1, gives: listOf(is(integer))},

	// From one type to another.
	"tostring":        one(boolean|number|text, text),
	"tointeger":       one(boolean|number|text, integer),
	"tofloat":         one(number|text, float),
	"toboolean":       one(boolean|integer|text, boolean),
	"tostringornull":  one(anything, text),
	"tointegerornull": one(anything, integer),
	"tofloatornull":   one(anything, float),
	"tobooleanornull": one(anything, boolean),
	"tostringlist":    list1(list, text),
	"tointegerlist":   list1(list, integer),
	"tofloatlist":     list1(list, float),
	"tobooleanlist":   list1(list, boolean),

	// Of strings.
	"tolower":          texts(1, text),
	"toupper":          texts(1, text),
	"lower":            texts(1, text),
	"upper":            texts(1, text),
	"trim":             texts(1, text),
	"ltrim":            texts(1, text),
	"rtrim":            texts(1, text),
	"replace":          texts(3, text),
	"split":            {args: []types{text, text | list}, gives: listOf(is(text))},
	"substring":        {args: []types{text, integer, integer}, optional: 1, gives: is(text)},
	"left":             {args: []types{text, integer}, gives: is(text)},
	"right":            {args: []types{text, integer}, gives: is(text)},
	"char_length":      texts(1, integer),
	"character_length": texts(1, integer),

	// Of numbers.
	"abs":      {args: []types{number}, like: first},
	"ceil":     numbers(1, float),
	"floor":    numbers(1, float),
	"round":    {args: []types{number, number, text}, optional: 2, gives: is(float)},
	"sign":     numbers(1, integer),
	"sqrt":     numbers(1, float),
	"exp":      numbers(1, float),
	"log":      numbers(1, float),
	"log10":    numbers(1, float),
	"e":        numbers(0, float),
	"pi":       numbers(0, float),
	"rand":     numbers(0, float),
	"sin":      numbers(1, float),
	"cos":      numbers(1, float),
	"tan":      numbers(1, float),
	"cot":      numbers(1, float),
	"asin":     numbers(1, float),
	"acos":     numbers(1, float),
	"atan":     numbers(1, float),
	"atan2":    numbers(2, float),
	"degrees":  numbers(1, float),
	"radians":  numbers(1, float),
	"haversin": numbers(1, float),
	"isnan":    numbers(1, boolean),
}

// signatureOf returns the signature of a function; without arguments and results when
// there is no such function.
func signatureOf(name string) signature { return signatures[strings.ToLower(name)] }
