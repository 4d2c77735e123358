package resolve

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Models of JavaScript's library: containers with their elements, promises, functions that call functions. A value
// of a library type is a builtin whose name is that of the type followed by "!", with its contents as arguments;
// types common to all languages ("list", "tuple", "promise") keep their names. A member is a builtin named by the
// type, a dot and its name, with the receiver.

// ecmaGlobals are the global names of the language and its common hosts.
var ecmaGlobals = wordSet(`Array Object Function String Number Boolean Symbol BigInt Math JSON Date RegExp Promise Map Set
	WeakMap WeakSet WeakRef Proxy Reflect Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError
	ArrayBuffer SharedArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array
	Float32Array Float64Array BigInt64Array BigUint64Array Intl Atomics globalThis eval isNaN isFinite parseInt parseFloat
	encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape FinalizationRegistry Iterator
	ReadonlyMap ReadonlySet PromiseLike Iterable AsyncIterable IterableIterator AsyncIterableIterator AsyncIterator Generator
	AsyncGenerator ArrayLike IteratorResult ReturnType InstanceType Parameters Record
	console setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate queueMicrotask structuredClone fetch
	Request Response Headers URL URLSearchParams FormData Blob File AbortController AbortSignal Event EventTarget CustomEvent
	TextEncoder TextDecoder ReadableStream WritableStream TransformStream WebSocket XMLHttpRequest Worker MessageChannel
	performance crypto navigator location history document window self global process Buffer require atob btoa alert confirm
	requestAnimationFrame cancelAnimationFrame HTMLElement Element Node MutationObserver ResizeObserver IntersectionObserver`)

// declarationFile reports whether a path is that of a declaration file.
func declarationFile(path string) bool {
	return strings.HasSuffix(path, ".d.ts") || strings.HasSuffix(path, ".d.mts") || strings.HasSuffix(path, ".d.cts")
}

// ecmaGeneric converts a library type with type arguments to a value of it.
func ecmaGeneric(l *Linker, name string, args []values) (value, bool) {
	var first values
	if len(args) > 0 {
		first = args[0]
	}
	switch name {
	case "Array", "ReadonlyArray", "ArrayLike":
		return listOf(first), true
	case "Promise", "PromiseLike":
		return promiseOf(first), true
	case "Map", "ReadonlyMap", "WeakMap":
		return builtinOf("Map!").withArgs(args...), true
	case "Record":
		if len(args) > 1 {
			return builtinOf("Record!").withArgs(args[1]), true
		}
	case "Set", "ReadonlySet", "WeakSet":
		return builtinOf("Set!").withArgs(first), true
	case "Iterable", "AsyncIterable", "IterableIterator", "AsyncIterableIterator", "Iterator", "AsyncIterator", "Generator", "AsyncGenerator":
		return builtinOf("Iterator!").withArgs(first), true
	case "InstanceType", "ReturnType":
		return l.ofFunction(name, first)
	}
	if ecmaGlobals[name] {
		return builtinOf(name + "!").withArgs(args...), true
	}
	return value{}, false
}

// ofFunction returns InstanceType or ReturnType of a class or function.
func (l *Linker) ofFunction(name string, of values) (value, bool) {
	if len(of) != 1 {
		return value{}, false
	}
	made := of[0]
	switch {
	case name == "InstanceType" && made.kind == typeValue:
		made.kind = instance
		return made, true
	case name == "ReturnType" && made.kind == function:
		if found := l.result(made, nil); len(found) == 1 {
			return found[0], true
		}
	}
	return value{}, false
}

// ecmaElement returns the elements of a library value.
func ecmaElement(_ *Linker, v value) values {
	if v.kind == builtin && v.name == "Map!" {
		return values{tupleOf(v.arg(0), v.arg(1))}
	}
	return nil
}

// ecmaMember returns a member of a library value.
func ecmaMember(l *Linker, v value, name string) (values, bool) {
	switch v.kind {
	case builtin:
		if v.name == "Record!" {
			return v.arg(0), true
		}
		if v.name == "IteratorResult!" && name == "value" {
			return v.arg(0), true
		}
		if ecmaGlobals[v.name] && (name == "prototype" || v.name == "globalThis" || v.name == "window" || v.name == "self") {
			return nil, true
		}
		on := v
		return values{{kind: builtin, name: strings.TrimSuffix(v.name, "!") + "." + name, on: &on}}, true
	case function:
		return ecmaOfFunction(l, v, name)
	case object:
		if found := v.unit.inScope(v.scope, "[]"); len(found) > 0 { // an index signature
			return l.open(found, v.env), true
		}
	case funcType:
		on := v
		return values{{kind: builtin, name: "Function." + name, on: &on}}, true
	default:
	}
	return nil, false
}

// ecmaOfFunction returns a member of a function: an assigned property, its prototype, or call, apply and bind.
func ecmaOfFunction(l *Linker, v value, name string) (values, bool) {
	if v.decl != nil {
		for _, d := range v.decl.unit.decls[v.decl.scope] {
			of, kind, ok := strings.Cut(d.def.Name, ".")
			if !ok || d.def.Kind != code.DefField || of != v.decl.def.Name {
				continue
			}
			held := l.value(v.decl.unit, d.def.Value, nil)
			if kind == "prototype" && name == "prototype" {
				return held, true
			}
			if found := l.members(held, name); kind == "{members}" && len(found) > 0 {
				return found, true
			}
		}
	}
	on := v
	return values{{kind: builtin, name: "Function." + name, on: &on}}, true
}
