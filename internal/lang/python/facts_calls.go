package python

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// callFacts reads a call. If a built-in function's result follows from its
// arguments, the value is that result; the call is recorded in any case.
func callFacts(b *core.FactBuilder, n syntax.Node) code.Ref {
	callee := n.Field("function")
	for callee.Is("parenthesized_expression") {
		callee = callee.First()
	}
	if callee.Is("identifier") && callee.TextIs("super") {
		for c := range n.Field("arguments").NamedSeq() {
			b.Walk(c)
		}
		return b.Add(code.Expr{Op: code.OpSuper, Scope: b.Scope, Pos: int32(n.Start()), Line: int32(n.Line())})
	}
	known := builtIn(b, callee)
	var positional []syntax.Node
	list := n.Field("arguments")
	if list.Is("generator_expression") {
		positional = []syntax.Node{list}
	} else {
		positional = syntax.NamedChildren(list)
	}
	x := b.Value(callee)
	if known != "" && x == 0 {
		x = b.Name(known, callee.Start())
	}
	args := arguments(b, positional, known)
	pos := callee.Start()
	if callee.Is("attribute") {
		pos = callee.Field("attribute").Start()
	}
	ref := b.Call(code.OpCall, x, args, pos)
	if special := builtInResult(b, known, positional, args); special != 0 {
		return special
	}
	return ref
}

// arguments evaluates the arguments of a call. It returns the positional ones, up to
// the first unpacked list.
func arguments(b *core.FactBuilder, list []syntax.Node, known string) []code.Ref {
	var out []code.Ref
	open := true
	for i, a := range list {
		switch {
		case a.Is("keyword_argument"):
			v := a.Field("value")
			if v.Is("lambda") && sorts[known] && i > 0 {
				b.Known.Set(v, lambda(b, v, b.Apply(code.OpElem, b.Value(list[0]))))
			}
			b.Value(v)
			open = false
		case a.Is("list_splat", "dictionary_splat"):
			b.Value(a.First())
			open = false
		case a.Is("lambda") && i == 0 && len(list) > 1 && mapping[known]:
			b.Known.Set(a, lambda(b, a, b.Apply(code.OpElem, b.Value(list[1]))))
			out = append(out, b.Value(a))
		default:
			v := b.Value(a)
			if open {
				out = append(out, v)
			}
		}
	}
	return out
}

var (
	sorts   = core.SetOf("sorted", "min", "max")
	mapping = core.SetOf("map", "filter")
)

// builtIn returns the name of the called function if it is one of Python's own, else
// "".
func builtIn(b *core.FactBuilder, callee syntax.Node) string {
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
	builtInFunctions = core.SetOf("list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "next", "min", "max", "enumerate", "zip",
		"map", "filter", "dict", "type", "aiter", "anext", "str", "repr", "int", "float", "bool", "bytes", "len", "open", "getattr")
	importedFunctions = core.SetOf("cast", "partial", "deepcopy", "copy", "closing", "chain", "islice", "create_task", "ensure_future", "assert_type",
		"wait_for", "shield", "nullcontext", "deque", "defaultdict", "zip_longest", "pairwise")
	modulesOfThem = core.SetOf("typing", "t", "functools", "copy", "contextlib", "itertools", "asyncio", "collections")
)

// builtInResult returns the result of a built-in function, or 0 if it does not follow
// from its arguments.
func builtInResult(b *core.FactBuilder, name string, nodes []syntax.Node, args []code.Ref) code.Ref {
	var first code.Ref
	if len(args) > 0 {
		first = args[0]
	}
	switch name {
	case "":
		return 0
	case "str", "repr":
		return b.Literal("str")
	case "int", "len":
		return b.Literal("int")
	case "float", "bool", "bytes":
		return b.Literal(name)
	case "cast":
		if len(nodes) == 2 {
			return b.Apply(code.OpAs, b.Type(nodes[0]))
		}
	case "type":
		if len(nodes) == 1 {
			return b.Apply(code.OpTypeOf, first)
		}
	case "partial", "deepcopy", "copy", "create_task", "ensure_future", "assert_type", "wait_for", "shield":
		return first
	case "closing", "nullcontext":
		return manager(b, first, nodes)
	case "next", "anext":
		return b.Apply(code.OpElem, first)
	case "min", "max":
		if len(args) > 1 {
			return b.Either(args...)
		}
		return b.Apply(code.OpElem, first)
	}
	return builtInIterator(b, name, args)
}

// builtInIterator is [builtInResult] for functions that return containers and
// iterators.
func builtInIterator(b *core.FactBuilder, name string, args []code.Ref) code.Ref {
	elem := func(i int) code.Ref {
		if i < len(args) {
			return b.Apply(code.OpElem, args[i])
		}
		return 0
	}
	list := func(x ...code.Ref) code.Ref { return b.Group(code.OpList, 0, x) }
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
		return list(b.Group(code.OpTuple, 0, []code.Ref{b.Literal("int"), elem(0)}))
	case "zip", "zip_longest":
		parts := make([]code.Ref, len(args))
		for i := range args {
			parts[i] = elem(i)
		}
		return list(b.Group(code.OpTuple, 0, parts))
	case "map":
		if len(args) == 2 {
			return list(applied(b, args[0]))
		}
		return list()
	case "defaultdict":
		if len(args) > 0 {
			return b.Group(code.OpMap, b.Apply(code.OpMake, args[0]), []code.Ref{0})
		}
	case "dict":
		if len(args) == 1 {
			return args[0]
		}
		return b.Group(code.OpMap, 0, []code.Ref{0})
	}
	return 0
}

// applied returns the result of a function value whose single result is known, else 0.
func applied(b *core.FactBuilder, f code.Ref) code.Ref {
	if e := b.Exprs[f]; e.Op == code.OpFunc && len(b.Scopes[e.N].Returns) == 1 {
		return b.Scopes[e.N].Returns[0]
	}
	return 0
}

// manager returns a context manager to which with binds value.
func manager(b *core.FactBuilder, value code.Ref, nodes []syntax.Node) code.Ref {
	if value == 0 {
		return 0
	}
	object := b.OpenScope(code.SpaceScope, "", nodes[0].Start(), nodes[0].End())
	b.Define(code.Def{Name: entered, Kind: code.DefField, Value: value, Line: int32(nodes[0].Line())})
	b.CloseScope()
	return b.ScopeExpr(code.OpObject, object)
}

// isinstance returns the tested node and the type if n is an isinstance call, else zero
// nodes.
func isinstance(n syntax.Node) (subject, typ syntax.Node) {
	if !n.Is("call") || !strings.EqualFold(n.Field("function").Text(), "isinstance") {
		return subject, typ
	}
	if args := syntax.NamedChildren(n.Field("arguments")); len(args) == 2 && (chained(args[0]) || args[0].Is("named_expression")) {
		return args[0], args[1]
	}
	return subject, typ
}
