package resolve

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// closure returns the result of the function that is the i-th argument of a call.
func (c *callSite) closure(l *Linker, i int) values {
	if args := c.expr().Args; i < len(args) {
		return l.closureResult(c, args[i])
	}
	return nil
}

// argument returns the i-th argument of a call.
func (c *callSite) argument(l *Linker, i int) values {
	if args := c.expr().Args; i < len(args) {
		return l.value(c.unit, args[i], c.env)
	}
	return nil
}

// ecmaResult returns the result of calling a library member.
func ecmaResult(l *Linker, c *callSite, callee value) (values, bool) {
	if callee.kind == function && c.expr().Op == code.OpNew {
		return nil, false
	}
	if callee.kind != builtin {
		return nil, false
	}
	if callee.on == nil {
		return ecmaGlobal(l, c, callee)
	}
	holder, name, _ := strings.Cut(callee.name, ".")
	on := *callee.on
	switch holder {
	case "list", "tuple":
		return ecmaOfList(l, c, on, name), true
	case "Map":
		return ecmaOfMap(on, name), true
	case "Set", "Iterator", "Generator":
		return ecmaOfSet(l, c, on, name), true
	case "promise":
		return ecmaOfPromise(l, c, on, name), true
	case "string", "RegExp", "number", "Date":
		return ecmaOfString(name), true
	case "Function":
		if name == "bind" {
			return values{on}, true
		}
		if name == "call" || name == "apply" {
			return l.result(on, nil), true
		}
	}
	return ecmaStatic(l, c, callee.name), true
}

// ecmaGlobal returns the result of calling or constructing a global.
func ecmaGlobal(l *Linker, c *callSite, callee value) (values, bool) {
	switch callee.name {
	case "String":
		return values{builtinOf("string")}, true
	case "Number", "parseInt", "parseFloat":
		return values{builtinOf("number")}, true
	case "Object", "structuredClone":
		return c.argument(l, 0), true
	case "Map", "WeakMap":
		if len(callee.args) == 0 {
			entries := l.elements(c.argument(l, 0))
			return values{builtinOf("Map!").withArgs(l.nth(entries, 0), l.nth(entries, 1))}, true
		}
	case "Set", "WeakSet":
		if len(callee.args) == 0 {
			return values{builtinOf("Set!").withArgs(l.elements(c.argument(l, 0)))}, true
		}
	}
	if v, ok := ecmaGeneric(l, callee.name, callee.args); ok && c.expr().Op == code.OpNew {
		return values{v}, true
	}
	return nil, true
}

// ecmaOfList returns the result of a list method.
func ecmaOfList(l *Linker, c *callSite, on value, name string) values {
	item := l.elements(values{on})
	switch name {
	case "map":
		return values{listOf(c.closure(l, 0))}
	case "flatMap":
		return values{listOf(flat(l, c.closure(l, 0)))}
	case "flat":
		return values{listOf(flat(l, item))}
	case "filter", "slice", "reverse", "sort", "splice", "toSorted", "toReversed", "toSpliced", "fill", "copyWithin", "with":
		return values{listOf(item)}
	case "concat":
		return values{listOf(item.add(flat(l, c.argument(l, 0))...))}
	case "find", "findLast", "pop", "shift", "at":
		return item
	case "reduce", "reduceRight":
		if len(c.expr().Args) > 1 {
			return c.argument(l, 1)
		}
		return item
	case "values":
		return values{builtinOf("Iterator!").withArgs(item)}
	case "entries":
		return values{builtinOf("Iterator!").withArgs(values{tupleOf(values{builtinOf("number")}, item)})}
	case "join":
		return values{builtinOf("string")}
	case "push", "unshift", "indexOf", "findIndex", "lastIndexOf":
		return values{builtinOf("number")}
	}
	return nil
}

// flat returns the elements of lists, and other values unchanged.
func flat(l *Linker, vs values) values {
	var out values
	for _, v := range vs {
		if v.kind == builtin && (v.name == "list" || v.name == "tuple") {
			out = out.add(l.elements(values{v})...)
			continue
		}
		out = out.add(v)
	}
	return out
}

// ecmaOfMap returns the result of a map method.
func ecmaOfMap(on value, name string) values {
	switch name {
	case "get":
		return on.arg(1)
	case "set":
		return values{on}
	case "values":
		return values{builtinOf("Iterator!").withArgs(on.arg(1))}
	case "keys":
		return values{builtinOf("Iterator!").withArgs(on.arg(0))}
	case "entries":
		return values{builtinOf("Iterator!").withArgs(values{tupleOf(on.arg(0), on.arg(1))})}
	}
	return nil
}

// ecmaOfSet returns the result of a method of a set or an iterator.
func ecmaOfSet(l *Linker, c *callSite, on value, name string) values {
	switch name {
	case "add":
		return values{on}
	case "values", "keys", "filter", "take", "drop", "union", "intersection", "difference", "[Symbol.iterator]":
		return values{builtinOf("Iterator!").withArgs(on.arg(0))}
	case "toArray":
		return values{listOf(on.arg(0))}
	case "map":
		return values{builtinOf("Iterator!").withArgs(c.closure(l, 0))}
	case "next":
		return values{builtinOf("IteratorResult!").withArgs(on.arg(0))}
	}
	return nil
}

// ecmaOfPromise returns the result of a promise method.
func ecmaOfPromise(l *Linker, c *callSite, on value, name string) values {
	switch name {
	case "then":
		return values{promiseOf(awaited(c.closure(l, 0)))}
	case "catch":
		return values{promiseOf(on.arg(0).add(awaited(c.closure(l, 0))...))}
	case "finally":
		return values{on}
	}
	return nil
}

// ecmaOfString returns the result of a string method.
func ecmaOfString(name string) values {
	switch name {
	case "split", "match":
		return values{listOf(values{builtinOf("string")})}
	case "trim", "slice", "substring", "substr", "replace", "replaceAll", "toLowerCase", "toUpperCase", "padStart", "padEnd",
		"repeat", "concat", "charAt", "trimStart", "trimEnd", "normalize", "toString", "toFixed", "toISOString":
		return values{builtinOf("string")}
	}
	return nil
}

// ecmaStatic returns the result of a static library function.
func ecmaStatic(l *Linker, c *callSite, name string) values {
	switch name {
	case "Object.keys", "Object.getOwnPropertyNames":
		return values{listOf(values{builtinOf("string")})}
	case "Object.values":
		return values{listOf(l.heldBy(c.argument(l, 0)))}
	case "Object.entries":
		return values{listOf(values{tupleOf(values{builtinOf("string")}, l.heldBy(c.argument(l, 0)))})}
	case "Object.freeze", "Object.seal", "Object.defineProperty", "Object.setPrototypeOf", "Object.create", "Object.defineProperties":
		return c.argument(l, 0)
	case "Object.assign":
		var out values
		for i := range c.expr().Args {
			out = out.add(c.argument(l, i)...)
		}
		return out
	case "Array.from":
		if len(c.expr().Args) > 1 {
			return values{listOf(c.closure(l, 1))}
		}
		return values{listOf(l.elements(c.argument(l, 0)))}
	case "Array.of":
		return values{listOf(c.argument(l, 0))}
	case "Promise.resolve":
		return values{promiseOf(awaited(c.argument(l, 0)))}
	case "Promise.all", "Promise.allSettled":
		return values{promiseOf(values{allOf(l, c)})}
	case "Promise.race", "Promise.any":
		return values{promiseOf(awaited(l.elements(c.argument(l, 0))))}
	case "JSON.stringify":
		return values{builtinOf("string")}
	}
	return nil
}

// heldBy returns the values of the properties of anonymous objects.
func (l *Linker) heldBy(vs values) values {
	var out values
	for _, v := range vs {
		if v.kind == builtin && v.name == "Record!" {
			out = out.add(v.arg(0)...)
		}
	}
	return out
}

// allOf returns the result of Promise.all: a tuple if its promises are listed.
func allOf(l *Linker, c *callSite) value {
	args := c.expr().Args
	if len(args) > 0 {
		if x := c.unit.expr(args[0]); x.Op == code.OpList {
			parts := make([]values, len(x.Args))
			for i, a := range x.Args {
				parts[i] = awaited(l.value(c.unit, a, c.env))
			}
			return tupleOf(parts...)
		}
	}
	return listOf(awaited(l.elements(c.argument(l, 0))))
}

// ecmaPassed returns the n-th parameter of a closure called by a library method.
func ecmaPassed(l *Linker, callee value, _, n int) values {
	if callee.kind != builtin || callee.on == nil {
		return nil
	}
	holder, name, _ := strings.Cut(callee.name, ".")
	on := *callee.on
	switch holder {
	case "list", "tuple":
		item := l.elements(values{on})
		switch name {
		case "map", "filter", "forEach", "find", "findLast", "findIndex", "findLastIndex", "some", "every", "flatMap":
			return pick(n, item, values{builtinOf("number")}, values{on})
		case "sort", "toSorted":
			return pick(n, item, item)
		case "reduce", "reduceRight":
			return pick(n, nil, item)
		}
	case "Map":
		if name == "forEach" {
			return pick(n, on.arg(1), on.arg(0), values{on})
		}
	case "Set", "Iterator":
		return pick(n, on.arg(0), on.arg(0))
	case "promise":
		if name == "then" {
			return pick(n, on.arg(0))
		}
	}
	return nil
}

// pick returns the n-th value.
func pick(n int, list ...values) values {
	if n < len(list) {
		return list[n]
	}
	return nil
}
