package resolve

import "strings"

// Models of the standard library's containers, as far as element types are concerned: options, results, vectors,
// maps and iterators contain values, which methods return or pass to closures. A container is a list of its
// elements; a result has the error as its second argument; a map contains pairs.

// rustGeneric converts container types to lists.
func rustGeneric(_ *Linker, name string, args []values) (value, bool) {
	name = name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case len(args) > 0 && rustLists[name]:
		return value{kind: builtin, name: "list"}.withArgs(args...), true
	case len(args) > 1 && rustMaps[name]:
		return value{kind: builtin, name: "hashmap"}.withArgs(values{tupleOf(args[0], args[1])}), true
	}
	return value{}, false
}

var rustLists = wordSet(`Vec VecDeque HashSet BTreeSet BinaryHeap LinkedList Option Result Iterator IntoIterator DoubleEndedIterator ExactSizeIterator
	Peekable Rev Skip Take Chain IntoIter Iter IterMut Drain Once Range Poll SmallVec ArrayVec IndexSet Stream Receiver Enumerate Fuse Cloned Copied Box`)

var rustMaps = wordSet(`HashMap BTreeMap IndexMap FxHashMap AHashMap DashMap FnvHashMap`)

// rustTraits are traits whose methods are ignored if a type implements others, too.
var rustTraits = wordSet(`Sized Send Sync Unpin Copy Clone Default Debug Display PartialEq Eq PartialOrd Ord Hash Hasher From Into TryFrom TryInto AsRef AsMut
	Borrow BorrowMut Deref DerefMut Drop ToString ToOwned FromStr Error Add Sub Mul Div Rem Neg Not AddAssign SubAssign MulAssign BitAnd BitOr BitXor
	BitAndAssign BitOrAssign Shl Shr Index IndexMut Iterator IntoIterator DoubleEndedIterator ExactSizeIterator FusedIterator FromIterator Extend
	Write Read Seek BufRead Any Pointer UnwindSafe RefUnwindSafe Serialize Deserialize Future Fn FnMut FnOnce Termination Sum Product`)

// rustSame are the methods that return the receiver, or a container of the same elements.
var rustSame = wordSet(`clone to_owned as_ref as_mut borrow borrow_mut iter iter_mut into_iter lock read write collect rev skip take filter peekable by_ref
	cloned copied chain as_slice as_mut_slice as_deref as_deref_mut or or_else ok ok_or ok_or_else drain to_vec into_boxed_slice inspect step_by cycle
	skip_while take_while next next_back first last get get_mut first_mut last_mut pop pop_front pop_back front back peek peek_mut find nth max min max_by min_by max_by_key min_by_key
	map_err context with_context into_inner get_or_insert_with deref deref_mut swap_remove sort dedup windows chunks split_at take_mut try_lock upgrade downgrade
	into_vec fuse rfind by_value flatten_ok insert remove replace transpose`)

// rustParts are the methods that return an element.
var rustParts = wordSet(`unwrap expect unwrap_or unwrap_or_else unwrap_or_default unwrap_unchecked get_unchecked get_or_insert get_or_init or_insert
	or_insert_with or_default expect_none`)

// rustMapped are the methods that return a container of a closure's results; rustFlattened, of the elements of
// these.
var (
	rustMapped    = wordSet(`map then scan map_while`)
	rustFlattened = wordSet(`and_then flat_map filter_map find_map`)
)

// rustClosures are the methods that pass elements to a closure.
var rustClosures = wordSet(`map and_then flat_map filter_map find_map for_each filter any all find position map_while take_while skip_while inspect retain
	is_some_and is_ok_and partition rposition rfind max_by_key min_by_key sort_by_key sort_unstable_by_key sort_by_cached_key max_by min_by sort_by sort_unstable_by
	dedup_by_key map_or map_or_else try_for_each reduce drain_filter extract_if group_by binary_search_by_key partition_point and_modify is_none_or`)

// rustMember returns what a module in a file imports, methods of containers, and members of the pointee of smart pointers.
func rustMember(l *Linker, v value, name string) (values, bool) {
	switch v.kind {
	case builtin:
	case space:
		if v.decl == nil {
			return nil, false
		}
		found := l.rustImports(v.decl.unit, v.decl.def.Scope, name)
		return found, len(found) > 0
	case external:
		return nil, rustTraits[v.name[strings.LastIndexByte(v.name, '.')+1:]]
	case instance, typeParam, object:
		if !rustSame[name] && !rustParts[name] && (!rustClosures[name] || len(l.elements(values{v})) == 0) {
			return nil, false
		}
	default:
		return nil, false
	}
	on := v
	return values{{kind: builtin, name: "." + name, on: &on}}, true
}

// rustResult returns the results of container methods.
func rustResult(l *Linker, c *callSite, callee value) (values, bool) {
	name, ok := strings.CutPrefix(callee.name, ".")
	if callee.kind != builtin || callee.on == nil || !ok {
		return nil, false
	}
	on := *callee.on
	held := values{on}
	switch {
	case on.kind == builtin && on.name == "hashmap":
		return rustOfMap(l, held, name), true
	case rustParts[name] && on.kind != builtin:
		return held, true // the value in a lock: lock().unwrap()
	case rustParts[name]:
		return l.elements(held), true
	case rustSame[name]:
		return held, true
	case name == "enumerate":
		return values{listOf(values{tupleOf(nil, l.elements(held))})}, true
	case name == "flatten":
		return values{listOf(l.elements(l.elements(held)))}, true
	case name == "zip" && len(c.expr().Args) == 1:
		return values{listOf(values{tupleOf(l.elements(held), l.elements(l.value(c.unit, c.expr().Args[0], c.env)))})}, true
	}
	return rustOfClosure(l, c, name), true
}

// rustOfMap returns the result of a map method.
func rustOfMap(l *Linker, held values, name string) values {
	pair := l.elements(held)
	switch name {
	case "get", "get_mut", "remove", "values", "values_mut", "into_values", "entry", "or_insert", "or_insert_with", "insert":
		return values{listOf(l.nth(pair, 1))}
	case "keys", "into_keys":
		return values{listOf(l.nth(pair, 0))}
	}
	if rustSame[name] {
		return held
	}
	return nil
}

// rustOfClosure returns the result of a method that depends on a closure's result.
func rustOfClosure(l *Linker, c *callSite, name string) values {
	args := c.expr().Args
	if len(args) == 0 {
		return nil
	}
	given := l.closureResult(c, args[len(args)-1])
	switch {
	case rustMapped[name]:
		return values{listOf(given)}
	case rustFlattened[name]:
		return values{listOf(l.elements(given))}
	case name == "map_or" || name == "map_or_else":
		return given
	case name == "fold":
		return l.value(c.unit, args[0], c.env)
	}
	return nil
}

// rustPassed returns what container methods pass to closures.
func rustPassed(l *Linker, callee value, _, n int) values {
	name, ok := strings.CutPrefix(callee.name, ".")
	if callee.kind != builtin || callee.on == nil || !ok {
		return nil
	}
	held := values{*callee.on}
	switch {
	case name == "fold" && n == 1, rustClosures[name] && (n == 0 || strings.HasPrefix(name, "sort") || strings.HasPrefix(name, "m")):
		return l.elements(held)
	case name == "map_err" || name == "unwrap_or_else" || name == "or_else":
		return callee.on.arg(1)
	}
	return nil
}

// rustElement returns the elements of a project type.
func rustElement(l *Linker, v value) values {
	if v.kind != instance {
		return nil
	}
	var out values
	for _, item := range l.typeMember(v, "Item", 0) {
		if item.kind == named {
			out = out.add(l.instances(v.decl.unit, l.open(values{item}, nil))...)
		}
	}
	return out
}
