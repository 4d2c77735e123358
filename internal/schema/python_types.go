package schema

import "strings"

// pythonKnown are the names with a fixed form in pydantic.
var pythonKnown = map[string]object{
	"str": typed("string"), "int": typed("integer"), "float": typed("number"), "bool": typed("boolean"),
	"None": typed("null"), "Any": anything(), "object": anything(), "bytes": typed("string"), "LiteralString": typed("string"),
	"datetime": formatted("date-time"), "date": formatted("date"), "time": formatted("time"), "timedelta": formatted("duration"),
	"UUID": formatted("uuid"), "Path": typed("string"), "EmailStr": formatted("email"), "HttpUrl": formatted("uri"),
	"AnyUrl": formatted("uri"), "PositiveInt": {{"type", "integer"}, {"exclusiveMinimum", 0}}, "NonNegativeInt": natural(),
	"StrictStr": typed("string"), "StrictInt": typed("integer"), "StrictBool": typed("boolean"), "StrictFloat": typed("number"),
	"Decimal": {{"type", []string{"number", "string"}}}, "dict": typed("object"), "Dict": typed("object"),
	"list": typed("array"), "List": typed("array"), "tuple": typed("array"), "Tuple": typed("array"), "set": setOf(anything()),
}

var pythonContainers = map[string]container{
	"list": sequence, "List": sequence, "Sequence": sequence, "MutableSequence": sequence, "Iterable": sequence,
	"Collection": sequence, "deque": sequence, "Deque": sequence,
	"set": set, "Set": set, "frozenset": set, "FrozenSet": set, "AbstractSet": set,
	"dict": dictionary, "Dict": dictionary, "Mapping": dictionary, "MutableMapping": dictionary, "defaultdict": dictionary,
	"DefaultDict": dictionary, "OrderedDict": dictionary,
	"Optional": maybe, "Final": wrapper, "Required": wrapper, "NotRequired": wrapper, "ReadOnly": wrapper,
}

func pythonType(s scope, text string) object {
	if strings.HasPrefix(text, `"`) || strings.HasPrefix(text, "'") { // a forward reference
		if inner, ok := quotedText(text); ok {
			return s.of(inner.(string)) // a quoted text is one
		}
	}
	if parts := split(text, "|"); len(parts) > 1 {
		return s.union(parts)
	}
	g := cutGeneric(text, "[", "]", ".")
	if known, ok := pythonKnown[g.name]; ok && len(g.args) == 0 && s.find(g.name, "python", s.decl.File) == nil {
		return known
	}
	if len(g.args) == 0 {
		return s.named(g.name, nil, text)
	}
	if n, ok := s.contain(pythonContainers[g.name], g); ok {
		return n
	}
	return s.pythonSpecial(g)
}

// pythonSpecial resolves typing's special forms and generic types of the module.
func (s scope) pythonSpecial(g generic) object {
	switch g.name {
	case "Union":
		return s.union(g.args)
	case "Literal":
		return pythonLiteral(g)
	case "tuple", "Tuple":
		return s.pythonTuple(g.args)
	case "Annotated":
		n := s.of(g.args[0])
		for _, a := range g.args[1:] {
			if name, args := call(a); lastOf(name) == "Field" {
				n = constrain(n, args)
			}
		}
		return n
	}
	return s.named(g.name, g.args, g.text)
}

// union returns a schema that accepts any of several types.
func (s scope) union(parts []string) object {
	var list []object
	for _, p := range parts {
		list = append(list, s.of(p))
	}
	return anyOf(list)
}

func pythonLiteral(g generic) object {
	var values []any
	null := false
	for _, a := range g.args {
		v, ok := literal(a)
		switch {
		case a == "None":
			null = true
		case !ok:
			return unknown(g.text)
		default:
			values = append(values, v)
		}
	}
	if null {
		return anyOf([]object{enum(values), typed("null")})
	}
	return enum(values)
}

func (s scope) pythonTuple(args []string) object {
	if len(args) == 2 && args[1] == "..." {
		return arrayOf(s.of(args[0]))
	}
	var items []object
	for _, a := range args {
		items = append(items, s.of(a))
	}
	return tuple(items)
}
