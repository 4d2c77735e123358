package resolve

import "strings"

// Models of the standard library's containers and pointers, as far as element types are concerned. Smart pointers
// and iterators are values of the type "pointer".

var (
	cppLists    = wordSet(`vector list deque set multiset unordered_set array span forward_list queue stack priority_queue initializer_list flat_set inlined_vector QVector QList Vec`)
	cppMaps     = wordSet(`map unordered_map multimap unordered_multimap flat_map btree_map flat_hash_map QMap QHash`)
	cppPointers = wordSet(`optional unique_ptr shared_ptr weak_ptr scoped_ptr intrusive_ptr scoped_refptr reference_wrapper auto_ptr QPointer QSharedPointer`)
	cppParts    = wordSet(`front back at top value value_or operator[] operator*`)
	cppPlaces   = wordSet(`begin end cbegin cend rbegin rend find insert emplace lower_bound upper_bound data erase`)
)

// cppGeneric converts types of the standard library to containers.
func cppGeneric(_ *Linker, name string, args []values) (value, bool) {
	name = name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case len(args) == 0:
	case cppLists[name]:
		return value{kind: builtin, name: "list"}.withArgs(args[0]), true
	case cppPointers[name]:
		return value{kind: builtin, name: "pointer"}.withArgs(args[0]), true
	case len(args) > 1 && cppMaps[name]:
		return value{kind: builtin, name: "list"}.withArgs(values{tupleOf(args[0], args[1])}), true
	case len(args) > 1 && (name == "pair" || name == "tuple"):
		return tupleOf(args...), true
	}
	return value{}, false
}

// cppMember returns the results of -> and *, and the members of containers.
func cppMember(l *Linker, v value, name string) (values, bool) {
	if name == "->" || name == "*" {
		return cppPointed(l, v, name), true
	}
	if v.kind != builtin {
		return nil, false
	}
	switch {
	case v.name == "tuple" && name == "first":
		return v.arg(0), true
	case v.name == "tuple" && name == "second":
		return v.arg(1), true
	}
	on := v
	return values{{kind: builtin, name: "." + name, on: &on}}, true
}

// cppPointed returns the pointee of a smart pointer; a raw pointer itself.
func cppPointed(l *Linker, v value, name string) values {
	switch v.kind {
	case builtin:
		if v.name == "pointer" {
			return v.arg(0)
		}
		if to, ok := strings.CutSuffix(v.name, "*"); ok {
			return values{builtinOf(to)}
		}
		return values{v} // a pointer to a container
	case instance:
		for _, f := range l.typeMember(v, "operator"+name, 0) {
			if found := l.functionResult(f, nil); f.kind == function && len(found) > 0 {
				return found
			}
		}
		return values{v}
	case external:
		return values{externalOf(v.name)}
	default:
		return values{v}
	}
}

// cppItem returns x[i]: the values of a map, the pointee of a pointer; and the n-th name of a structured binding,
// auto [a, b] = x.
func cppItem(l *Linker, v value, n int) values {
	if v.kind == instance && n >= 0 {
		return l.nthField(v, n)
	}
	if v.kind == instance {
		return cppPointed(l, v, "[]")
	}
	if isPlain(v) {
		return cppPointed(l, v, "[]")
	}
	found := l.elements(values{v})
	if len(found) == 1 && found[0].kind == builtin && found[0].name == "tuple" && v.kind == builtin && v.name == "list" {
		return found[0].arg(1)
	}
	return found
}

// cppResult returns the results of members of containers, and of make_unique and the like.
func cppResult(l *Linker, _ *callSite, callee value) (values, bool) {
	if callee.kind == external && len(callee.args) > 0 {
		switch last := callee.name[strings.LastIndexByte(callee.name, '.')+1:]; last {
		case "make_unique", "make_shared", "make_optional", "make_ref":
			return values{value{kind: builtin, name: "pointer"}.withArgs(callee.args[0])}, true
		}
	}
	name, ok := strings.CutPrefix(callee.name, ".")
	if callee.kind != builtin || callee.on == nil || !ok {
		return nil, false
	}
	held := values{*callee.on}
	pointed := func(vs values) values { return values{value{kind: builtin, name: "pointer"}.withArgs(vs)} }
	switch {
	case callee.on.name == "pointer" && (name == "get" || name == "release" || name == "value"):
		return callee.on.arg(0), true
	case callee.on.name == "pointer" && name == "lock":
		return held, true
	case cppParts[name]:
		return cppItem(l, *callee.on, -1), true
	case cppPlaces[name]:
		return pointed(l.elements(held)), true
	}
	return nil, true
}
