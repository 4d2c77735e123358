package lang

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// pythonCall reads a call. Of built-in functions whose result follows from their
// arguments that result is the value; the call is noted all the same.
func (b *facts) pythonCall(n syntax.Node) code.Ref {
	callee := n.Field("function")
	for callee.Is("parenthesized_expression") {
		callee = callee.First()
	}
	if callee.Is("identifier") && callee.Says("super") {
		for c := range n.Field("arguments").Inner() {
			b.walk(c)
		}
		return b.add(code.Expr{Op: code.OpSuper, Scope: b.scope, Pos: int32(n.Start()), Line: int32(n.Line())})
	}
	known := b.builtIn(callee)
	var positional []syntax.Node
	list := n.Field("arguments")
	if list.Is("generator_expression") {
		positional = []syntax.Node{list}
	} else {
		positional = inner(list)
	}
	x := b.value(callee)
	if known != "" && x == 0 {
		x = b.name(known, callee.Start())
	}
	args := b.arguments(positional, known)
	pos := callee.Start()
	if callee.Is("attribute") {
		pos = callee.Field("attribute").Start()
	}
	ref := b.call(code.OpCall, x, args, pos)
	if special := b.builtInResult(known, positional, args); special != 0 {
		return special
	}
	return ref
}

// arguments evaluates the arguments of a call and returns those that stand in
// their place: what is passed by name, or behind an unpacked list, does not.
func (b *facts) arguments(list []syntax.Node, known string) []code.Ref {
	var out []code.Ref
	open := true
	for i, a := range list {
		switch {
		case a.Is("keyword_argument"):
			v := a.Field("value")
			if v.Is("lambda") && sorts[known] && i > 0 {
				b.known[v.Index()] = b.lambda(v, b.of(code.OpElem, b.value(list[0])))
			}
			b.value(v)
			open = false
		case a.Is("list_splat", "dictionary_splat"):
			b.value(a.First())
			open = false
		case a.Is("lambda") && i == 0 && len(list) > 1 && mapping[known]:
			b.known[a.Index()] = b.lambda(a, b.of(code.OpElem, b.value(list[1])))
			out = append(out, b.value(a))
		default:
			v := b.value(a)
			if open {
				out = append(out, v)
			}
		}
	}
	return out
}

var (
	sorts   = setOf("sorted", "min", "max")
	mapping = setOf("map", "filter")
)

// builtIn returns the name of the function of Python's that is called, as one
// would import it; "" for others.
func (b *facts) builtIn(callee syntax.Node) string {
	f := flowOf(b)
	switch {
	case callee.Is("identifier"):
		name := callee.Text()
		if builtInFunctions[name] && !f.declared[name] && !f.top[name] || importedFunctions[name] && f.top[name] && !f.declared[name] {
			return name
		}
	case callee.Is("attribute"):
		name, object := callee.Field("attribute").Text(), callee.Field("object")
		if importedFunctions[name] && object.Is("identifier") && modulesOfThem[object.Text()] && !f.declared[object.Text()] {
			return name
		}
	}
	return ""
}

var (
	builtInFunctions = setOf("list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "next", "min", "max", "enumerate", "zip",
		"map", "filter", "dict", "type", "aiter", "anext", "str", "repr", "int", "float", "bool", "bytes", "len", "open", "getattr")
	importedFunctions = setOf("cast", "partial", "deepcopy", "copy", "closing", "chain", "islice", "create_task", "ensure_future", "assert_type",
		"wait_for", "shield", "nullcontext", "deque", "defaultdict", "zip_longest", "pairwise")
	modulesOfThem = setOf("typing", "t", "functools", "copy", "contextlib", "itertools", "asyncio", "collections")
)

// builtInResult returns what a function of Python's gives; 0 where that is not
// known from its arguments.
func (b *facts) builtInResult(name string, nodes []syntax.Node, args []code.Ref) code.Ref {
	var first code.Ref
	if len(args) > 0 {
		first = args[0]
	}
	switch name {
	case "":
		return 0
	case "str", "repr":
		return b.literal("str")
	case "int", "len":
		return b.literal("int")
	case "float", "bool", "bytes":
		return b.literal(name)
	case "cast":
		if len(nodes) == 2 {
			return b.of(code.OpAs, b.typ(nodes[0]))
		}
	case "type":
		if len(nodes) == 1 {
			return b.of(code.OpTypeOf, first)
		}
	case "partial", "deepcopy", "copy", "create_task", "ensure_future", "assert_type", "wait_for", "shield":
		return first
	case "closing", "nullcontext":
		return b.manager(first, nodes)
	case "next", "anext":
		return b.of(code.OpElem, first)
	case "min", "max":
		if len(args) > 1 {
			return b.either(args...)
		}
		return b.of(code.OpElem, first)
	}
	return b.builtInIterator(name, args)
}

// builtInIterator is [facts.builtInResult] of functions that give containers and
// iterators.
func (b *facts) builtInIterator(name string, args []code.Ref) code.Ref {
	elem := func(i int) code.Ref {
		if i < len(args) {
			return b.of(code.OpElem, args[i])
		}
		return 0
	}
	list := func(x ...code.Ref) code.Ref { return b.group(code.OpList, 0, x) }
	switch name {
	case "list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "aiter", "islice", "deque":
		return list(elem(0))
	case "chain":
		var all []code.Ref
		for i := range args {
			all = append(all, elem(i))
		}
		return list(all...)
	case "filter":
		return list(elem(1))
	case "enumerate":
		return list(b.group(code.OpTuple, 0, []code.Ref{b.literal("int"), elem(0)}))
	case "zip", "zip_longest":
		parts := make([]code.Ref, len(args))
		for i := range args {
			parts[i] = elem(i)
		}
		return list(b.group(code.OpTuple, 0, parts))
	case "map":
		if len(args) == 2 {
			return list(b.applied(args[0]))
		}
		return list()
	case "defaultdict":
		if len(args) > 0 {
			return b.group(code.OpMap, b.of(code.OpMake, args[0]), []code.Ref{0})
		}
	case "dict":
		if len(args) == 1 {
			return args[0]
		}
		return b.group(code.OpMap, 0, []code.Ref{0})
	}
	return 0
}

// applied is what a function that is passed on gives, where the text shows it.
func (b *facts) applied(f code.Ref) code.Ref {
	if e := b.Exprs[f]; e.Op == code.OpFunc && len(b.Scopes[e.N].Returns) == 1 {
		return b.Scopes[e.N].Returns[0]
	}
	return 0
}

// manager is a context manager that with binds a value of.
func (b *facts) manager(value code.Ref, nodes []syntax.Node) code.Ref {
	if value == 0 {
		return 0
	}
	object := b.open(code.SpaceScope, "", nodes[0].Start(), nodes[0].End())
	b.def(code.Def{Name: entered, Kind: code.DefField, Value: value, Line: int32(nodes[0].Line())})
	b.shut()
	return b.scoped(code.OpObject, object)
}

// isinstance returns the node that is tested and the type, where a condition is such
// a test.
func isinstance(n syntax.Node) (subject, typ syntax.Node) {
	if !n.Is("call") || !strings.EqualFold(n.Field("function").Text(), "isinstance") {
		return subject, typ
	}
	if args := inner(n.Field("arguments")); len(args) == 2 && (chained(args[0]) || args[0].Is("named_expression")) {
		return args[0], args[1]
	}
	return subject, typ
}
