package resolve

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// pythonMember returns undeclared members: of containers, of folders, and the value bound by with.
func pythonMember(l *Linker, v value, name string) (values, bool) {
	switch {
	case name == pythonEntered:
		return l.entered(v), true
	case v.kind == builtin && strings.HasPrefix(v.name, folderMark):
		dir := strings.TrimPrefix(v.name, folderMark)
		if m := l.submodule(dir, name); m != nil {
			return values{{kind: module, unit: m}}, true
		}
		return values{folderOf(v.unit, dir+"/"+name)}, true
	case (v.kind == instance || v.kind == typeValue) && pythonObject[name]:
		return values{builtinOf("object." + name)}, true
	case v.kind == builtin:
		return values{{kind: builtin, name: v.name + "." + name, args: v.args}}, true
	}
	return nil, false
}

// pythonEntered is the member that stands for the value bound by with; see package lang.
const pythonEntered = "(enter)"

// entered returns the value of a context manager: the result of __enter__ or __aenter__.
func (l *Linker) entered(v value) values {
	if v.kind != instance {
		return nil
	}
	var out values
	for _, method := range []string{"__enter__", "__aenter__"} {
		for _, f := range l.typeMember(v, method, 0) {
			if f.kind == function {
				out = out.add(awaited(l.result(f, nil))...)
			}
		}
	}
	return out
}

// pythonMethods are methods of containers that return an element, by type and name.
var pythonMethods = map[string]func(v value) values{
	"list.pop": firstArg, "list.popleft": firstArg, "map.get": secondArg, "map.pop": secondArg, "map.setdefault": secondArg,
	"map.values": func(v value) values { return values{listOf(v.arg(1))} },
	"map.keys":   func(v value) values { return values{listOf(v.arg(0))} },
	"map.items":  func(v value) values { return values{listOf(values{tupleOf(v.arg(0), v.arg(1))})} },
	"map.popitem": func(v value) values {
		return values{tupleOf(v.arg(0), v.arg(1))}
	},
	"map.copy": func(v value) values { return values{mapOf(v.arg(0), v.arg(1))} },
}

func firstArg(v value) values  { return v.arg(0) }
func secondArg(v value) values { return v.arg(1) }

// pythonTextMethods are methods of str that do not return a str.
var pythonTextMethods = map[string]string{
	"split": "list", "rsplit": "list", "splitlines": "list", "partition": "tuple", "rpartition": "tuple", "encode": "bytes", "decode": "str",
	"startswith": "bool", "endswith": "bool", "find": "int", "index": "int", "count": "int", "isdigit": "bool", "isidentifier": "bool",
}

// pythonResult returns the result of calling a member of a built-in value.
func pythonResult(l *Linker, c *callSite, callee value) (values, bool) {
	if callee.kind != builtin {
		return nil, false
	}
	if callee.name == "object.__new__" && len(c.expr().Args) > 0 {
		return l.made(l.value(c.unit, c.expr().Args[0], c.env)), true
	}
	if give := pythonMethods[callee.name]; give != nil {
		return give(callee), true
	}
	of, method, ok := strings.Cut(callee.name, ".")
	if !ok {
		return nil, true
	}
	switch of {
	case "str", "bytes":
		switch as := pythonTextMethods[method]; as {
		case "":
			return values{builtinOf(of)}, true
		case "list", "tuple":
			return values{listOf(values{builtinOf(of)})}, true
		default:
			return values{builtinOf(as)}, true
		}
	case "list":
		switch method {
		case "copy", "union", "intersection", "difference", "symmetric_difference":
			return values{{kind: builtin, name: "list", args: callee.args}}, true
		}
	}
	return nil, true
}

// pythonElement returns the elements of an object, by its __iter__ and __next__, or __getitem__.
func pythonElement(l *Linker, v value) values {
	if v.kind != instance {
		return nil
	}
	for _, name := range []string{"__iter__", "__aiter__"} {
		var out values
		for _, it := range l.call(v, name) {
			if it.kind != instance {
				out = out.add(l.elements(values{it})...)
				continue
			}
			out = out.add(awaited(append(l.call(it, "__next__"), l.call(it, "__anext__")...))...)
		}
		if len(out) > 0 {
			return out
		}
	}
	return l.call(v, "__getitem__")
}

// pythonItem returns x[n]; for a named tuple, a field.
func pythonItem(l *Linker, v value, n int) values {
	if v.kind != instance {
		return l.elements(values{v})
	}
	if found := l.call(v, "__getitem__"); len(found) > 0 {
		return found
	}
	if n >= 0 {
		for _, b := range l.linear(v) {
			if b.kind == external && strings.HasSuffix(b.name, "NamedTuple") {
				return l.nthField(v, n)
			}
		}
	}
	return l.elements(values{v})
}

// nthField returns the value of the n-th declared field of a type.
func (l *Linker) nthField(v value, n int) values {
	if v.decl.def.Scope == 0 {
		return nil
	}
	for _, d := range v.decl.unit.decls[v.decl.def.Scope] {
		if d.def.Kind != code.DefField || d.def.Type == 0 {
			continue
		}
		if n == 0 {
			return l.variable(d, l.envOn(value{on: &v}))
		}
		n--
	}
	return nil
}

// call returns the result of a method of an object.
func (l *Linker) call(v value, method string) values {
	var out values
	for _, f := range l.typeMember(v, method, 0) {
		if f.kind == function {
			out = out.add(l.result(f, nil)...)
		}
	}
	return out
}

// pythonObject are the members of every object and class.
var pythonObject = wordSet(`__class__ __delattr__ __dir__ __eq__ __format__ __ge__ __getattribute__ __getstate__ __gt__ __hash__ __init__
	__init_subclass__ __le__ __lt__ __ne__ __new__ __reduce__ __reduce_ex__ __repr__ __setattr__ __sizeof__ __str__ __subclasses__
	__subclasshook__ mro`)

// pythonBuiltins are the names in module builtins.
var pythonBuiltins = wordSet(`abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile
	complex delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int
	isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr reversed
	round set setattr slice sorted staticmethod str sum super tuple type vars zip exit quit __import__ BaseException Exception ArithmeticError
	AssertionError AttributeError BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError
	ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError EnvironmentError FileExistsError
	FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError
	InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError
	NotADirectoryError NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
	RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError
	SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError
	UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError ExceptionGroup
	BaseExceptionGroup`)
