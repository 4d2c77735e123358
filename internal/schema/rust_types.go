package schema

import "strings"

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

func rustType(s scope, text string) object {
	text = rustReference(text)
	if inner, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(inner, "]") {
		return s.rustArray(split(inner[:len(inner)-1], ";"))
	}
	if text != "()" && strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		var items []object
		for _, p := range split(text[1:len(text)-1], ",") {
			items = append(items, s.of(p))
		}
		return tuple(items)
	}
	g := cutGeneric(text, "<", ">", "::")
	g.args = rustArguments(g.args)
	if s.find(g.name, "rust", s.decl.File) == nil {
		if n, ok := s.rustLibrary(g); ok {
			return n
		}
	}
	return s.named(g.name, g.args, text)
}

// rustLibrary resolves types of the standard library and of common crates.
func (s scope) rustLibrary(g generic) (object, bool) {
	known, ok := rustKnown[g.name]
	switch {
	case ok && len(g.args) == 0:
		return known, true
	case g.name == "DateTime":
		return formatted("date-time"), true
	case g.name == "PhantomData":
		return typed("null"), true
	case g.name == "Cow" && len(g.args) > 0:
		return s.of(g.args[len(g.args)-1]), true
	case rustContainers[g.name] == dictionary && len(g.args) >= 2: // a third argument is the hasher
		return mapOf(s.of(g.args[1])), true
	}
	return s.contain(rustContainers[g.name], g)
}

// rustReference removes the reference from a type: &'a mut T is T.
func rustReference(text string) string {
	rest, ok := strings.CutPrefix(text, "&")
	if !ok {
		return text
	}
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, "'") {
		rest = strings.TrimSpace(rest[1+len(identifier(rest[1:])):])
	}
	return strings.TrimSpace(strings.TrimPrefix(rest, "mut "))
}

// rustArguments removes lifetimes.
func rustArguments(args []string) []string {
	var out []string
	for _, a := range args {
		if !strings.HasPrefix(a, "'") {
			out = append(out, a)
		}
	}
	return out
}

// rustArray is [T] or [T; n].
func (s scope) rustArray(parts []string) object {
	if len(parts) == 0 {
		return unknown("[]")
	}
	out := arrayOf(s.of(parts[0]))
	if len(parts) > 1 {
		if n, ok := literal(parts[1]); ok {
			out = append(out, member{"minItems", n}, member{"maxItems", n})
		}
	}
	return out
}
