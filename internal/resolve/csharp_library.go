package resolve

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// csharpLists are the .NET types with elements of one type.
var csharpLists = wordSet(`List IList IEnumerable ICollection IReadOnlyList IReadOnlyCollection IEnumerator HashSet ISet SortedSet Queue
	Stack LinkedList Collection ObservableCollection ReadOnlyCollection IQueryable IOrderedEnumerable IAsyncEnumerable
	ConcurrentBag ConcurrentQueue ConcurrentStack BlockingCollection ImmutableList ImmutableArray ImmutableHashSet
	IImmutableList Span ReadOnlySpan Memory ReadOnlyMemory ArraySegment Array RepeatedField`)

// csharpMaps are the .NET types with keys and values.
var csharpMaps = wordSet(`Dictionary IDictionary IReadOnlyDictionary SortedDictionary SortedList ConcurrentDictionary
	ImmutableDictionary ReadOnlyDictionary Lookup ILookup MapField`)

// csharpWrappers are the .NET types that hold one value.
var csharpWrappers = wordSet("Nullable Lazy ThreadLocal AsyncLocal")

// csharpGeneric converts .NET collection types to containers.
func csharpGeneric(_ *Linker, name string, args []values) (value, bool) {
	name = name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case len(args) > 0 && csharpDelegates[name], name == "Action":
		return csharpDelegate(name, args), true
	case name == functionName: // Action, not yet applied to type arguments
		return csharpDelegate("Action", args), true
	case len(args) == 2 && csharpMaps[name]:
		return mapOf(args[0], args[1]), true
	case len(args) != 1:
		return value{}, false
	case csharpLists[name]:
		return listOf(args[0]), true
	case name == "Task" || name == "ValueTask":
		return promiseOf(args[0]), true
	case csharpWrappers[name]:
		return builtinOf("holder").withArgs(args[0]), true
	}
	return value{}, false
}

// csharpDelegates are .NET's delegate types.
var csharpDelegates = wordSet("Func Action Predicate Comparison EventHandler")

// csharpDelegate returns a function type: its result, then its parameters.
func csharpDelegate(name string, args []values) value {
	switch name {
	case "Func":
		last := len(args) - 1
		args = append([]values{args[last]}, args[:last]...)
	case "Comparison":
		args = []values{{builtinOf("int")}, args[0], args[0]}
	case "Predicate":
		args = []values{{builtinOf("bool")}, args[0]}
	case "EventHandler":
		args = []values{{builtinOf(voidName)}, nil, args[0]}
	default:
		args = append([]values{{builtinOf(voidName)}}, args...)
	}
	return builtinOf(functionName).withArgs(args...)
}

// csharpListMethods describes the results of methods of LINQ and lists: "same" is the receiver, "one" an element; "each"
// returns nothing and passes elements to a closure.
var csharpListMethods = tableOf(map[string]string{
	"same": `Where OrderBy OrderByDescending ThenBy ThenByDescending Distinct DistinctBy Reverse Skip SkipWhile Take TakeWhile
		ToList ToArray ToHashSet AsEnumerable AsQueryable Concat Union Except Intersect Append Prepend Cast OfType FindAll
		DefaultIfEmpty TakeLast SkipLast AsParallel GetEnumerator AsReadOnly AsSpan Slice GetRange ToImmutableArray ToImmutableList`,
	"one": `First FirstOrDefault Last LastOrDefault Single SingleOrDefault ElementAt ElementAtOrDefault Max Min MaxBy MinBy Find
		FindLast Dequeue Peek Pop Aggregate`,
	"each": `Any All Count Sum Average ForEach RemoveAll Exists FindIndex TrueForAll LongCount FindLastIndex ToLookup Sort`,
	"map":  "Select", "flat": "SelectMany", "index": "ToDictionary", "group": "GroupBy",
})

// tableOf inverts lists of words: word -> key of its list.
func tableOf(lists map[string]string) map[string]string {
	out := map[string]string{}
	for what, words := range lists {
		for w := range strings.FieldsSeq(words) {
			out[w] = what
		}
	}
	return out
}

// csharpLibraryMember returns members of containers, and the project's extension methods for external types.
func csharpLibraryMember(l *Linker, v value, name string) (values, bool) {
	if found := l.extensions(v, name); len(found) > 0 {
		return found, true
	}
	if v.kind != builtin {
		return nil, false
	}
	switch v.name {
	case "promise":
		switch name {
		case "Result":
			return v.arg(0), true
		case "ConfigureAwait", "AsTask", "GetAwaiter":
			return values{v}, true
		case "GetResult":
			return values{{kind: builtin, name: "list.one", args: v.args}}, true
		}
	case "holder":
		if name == "Value" {
			return v.arg(0), true
		}
	case functionName:
		if name == "Invoke" {
			return values{v}, true
		}
	case "list", "map":
		return listMember(v, name)
	}
	return nil, false
}

// listMember returns a member of a list or map as a built-in function.
func listMember(v value, name string) (values, bool) {
	if v.name == "map" {
		return mapMember(v, name)
	}
	if name == "Current" {
		return v.arg(0), true
	}
	if what := csharpListMethods[name]; what != "" {
		return values{{kind: builtin, name: "list." + what, args: v.args}}, true
	}
	return nil, false
}

// mapMember returns a member of a map.
func mapMember(v value, name string) (values, bool) {
	switch name {
	case "Values":
		return values{listOf(v.arg(1))}, true
	case "Keys":
		return values{listOf(v.arg(0))}, true
	case "GetValueOrDefault", "GetOrAdd":
		return values{{kind: builtin, name: "list.one", args: []values{v.arg(1)}}}, true
	}
	return nil, false
}

// csharpLibraryResult returns the results of the functions of [listMember].
func csharpLibraryResult(l *Linker, c *callSite, f value) (values, bool) {
	if f.kind != builtin {
		return nil, false
	}
	return listResult(l, c, f)
}

// listResult returns the result of a function over the elements of a list.
func listResult(l *Linker, c *callSite, f value) (values, bool) {
	what, ok := strings.CutPrefix(f.name, "list.")
	if !ok {
		return nil, false
	}
	switch what {
	case "same":
		return values{listOf(f.arg(0))}, true
	case "one":
		return f.arg(0).by(Element), true
	case "map", "flat", "index":
		if c == nil || len(c.expr().Args) == 0 {
			return nil, true
		}
		res := l.closureResult(c, c.expr().Args[0])
		switch {
		case what == "flat":
			res = l.elements(res)
		case what == "index" && len(c.expr().Args) > 1:
			return values{mapOf(res, l.closureResult(c, c.expr().Args[1]))}, true
		case what == "index":
			return values{mapOf(res, f.arg(0))}, true
		}
		return values{listOf(res)}, true
	case "group":
		return values{listOf(values{listOf(f.arg(0))})}, true
	}
	return nil, true
}

// listPassed returns what a function over a list's elements passes to its closure.
func listPassed(_ *Linker, callee value, _, _ int) values {
	if callee.kind == builtin && strings.HasPrefix(callee.name, "list.") {
		return callee.arg(0).by(Element)
	}
	return nil
}

// extensions returns the project's extension methods for an external type: those for the type, else those for any object.
func (l *Linker) extensions(v value, name string) values {
	names := []string{v.name[strings.LastIndexByte(v.name, '.')+1:]}
	switch {
	case v.kind == builtin && v.name == "string":
		names = []string{"string", "String"}
	case v.kind == builtin && v.name == "list":
		names = []string{"IEnumerable", "List", "IList", "ICollection", "IReadOnlyList", "IReadOnlyCollection", "IQueryable"}
	case v.kind == builtin && v.name == "map":
		names = []string{"Dictionary", "IDictionary", "IReadOnlyDictionary"}
	case v.kind != builtin && v.kind != external || strings.HasSuffix(v.name, ")"):
		return nil
	}
	l.look(name)
	if out := l.extending(v, names, name); len(out) > 0 {
		return out
	}
	return l.extending(v, anyObject, name)
}

// anyObject are the names of the type that all of .NET's types extend.
var anyObject = []string{"object", "Object"}

// extending returns the extension methods of a name for types of some names that a value may be of.
func (l *Linker) extending(v value, types []string, name string) values {
	var out values
	for _, n := range types {
		for _, o := range l.project.outside[n] {
			if o.decl == nil || o.decl.def.Name != name || o.decl.def.Kind != code.DefFunc || !l.extends(o, v) {
				continue
			}
			f := declared(o.decl)
			on := v
			f.on = &on
			out = out.add(f.by(Declared))
		}
	}
	return out
}

// extends reports whether the type arguments of an extension's receiver, as far as they are known, are those of a value.
func (l *Linker) extends(o outsider, v value) bool {
	for _, t := range l.typ(o.unit, o.unit.facts.Scopes[o.scope].Owner, nil) {
		for i := range t.args {
			if i < len(v.args) && t.kind == v.kind && t.name == v.name && l.accepts(t.args[i], v.args[i], false) == no {
				return false
			}
		}
	}
	return true
}

// by returns v with rule r, if that has lower confidence.
func (v value) by(r Rule) value {
	v.how = weakest(v.how, r)
	return v
}

// csharpElement returns the element type of foreach, or of the indexer, of a project type.
func csharpElement(l *Linker, v value) values {
	if v.kind != instance {
		return nil
	}
	for _, f := range l.typeMember(v, "GetEnumerator", 0) {
		if found := l.elements(l.result(f, nil)); len(found) > 0 {
			return found
		}
	}
	for _, b := range l.bases(v) {
		if b.kind == builtin {
			return l.elements(values{b.value})
		}
	}
	var out values
	for _, f := range l.typeMember(v, "this[]", 0) {
		out = out.add(l.result(f, nil)...)
	}
	return out
}
