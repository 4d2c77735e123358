package schema

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// rustKnown are the types with a fixed form in serde.
var rustKnown = map[string]object{
	"i8": typed("integer"), "i16": typed("integer"), "i32": typed("integer"), "i64": typed("integer"), "i128": typed("integer"),
	"isize": typed("integer"), "u8": natural(), "u16": natural(), "u32": natural(), "u64": natural(), "u128": natural(),
	"usize": natural(), "f32": typed("number"), "f64": typed("number"), "bool": typed("boolean"), "char": typed("string"),
	"String": typed("string"), "str": typed("string"), "PathBuf": typed("string"), "Path": typed("string"), "Url": formatted("uri"),
	"Uuid": formatted("uuid"), "NaiveDate": formatted("date"), "IpAddr": typed("string"), "Ipv4Addr": typed("string"),
	"Ipv6Addr": typed("string"), "SocketAddr": typed("string"), "Value": anything(), "()": typed("null"),
	"NonZeroU8": {{"type", "integer"}, {"minimum", 1}}, "NonZeroU32": {{"type", "integer"}, {"minimum", 1}},
	"NonZeroU64": {{"type", "integer"}, {"minimum", 1}}, "NonZeroUsize": {{"type", "integer"}, {"minimum", 1}},
}

var rustContainers = map[string]container{
	"Vec": sequence, "VecDeque": sequence, "LinkedList": sequence, "BinaryHeap": sequence, "SmallVec": sequence,
	"HashSet": set, "BTreeSet": set, "IndexSet": set,
	"HashMap": dictionary, "BTreeMap": dictionary, "IndexMap": dictionary, "FxHashMap": dictionary,
	"Option": maybe, "Box": wrapper, "Rc": wrapper, "Arc": wrapper, "RefCell": wrapper, "Cell": wrapper, "Mutex": wrapper,
	"RwLock": wrapper, "Wrapping": wrapper, "Reverse": wrapper,
}

func rustType(s scope, t code.Type) object {
	switch t.Form {
	case code.PointerType:
		return s.of(t.Args[0])
	case code.ListType:
		return s.fixed(t)
	case code.TupleType:
		var items []object
		for _, f := range t.Fields {
			items = append(items, s.of(f.Type))
		}
		return tuple(items)
	default:
	}
	t.Args = slices.DeleteFunc(slices.Clone(t.Args), func(a code.Type) bool { return strings.HasPrefix(a.Text, "'") })
	if s.find(t.Last(), "rust", s.decl.File) == nil {
		if n, ok := s.rustLibrary(t); ok {
			return n
		}
	}
	return s.named(t.Last(), t)
}

// rustLibrary resolves types of the standard library and of common crates; the arguments of t
// have no lifetimes.
func (s scope) rustLibrary(t code.Type) (object, bool) {
	name := t.Last()
	known, ok := rustKnown[name]
	switch {
	case ok && len(t.Args) == 0:
		return known, true
	case name == "DateTime":
		return formatted("date-time"), true
	case name == "PhantomData":
		return typed("null"), true
	case name == "Cow" && len(t.Args) > 0:
		return s.of(t.Args[len(t.Args)-1]), true
	case rustContainers[name] == dictionary && len(t.Args) >= 2: // a third argument is the hasher
		return mapOf(s.of(t.Args[1])), true
	}
	return s.contain(rustContainers[name], t)
}
