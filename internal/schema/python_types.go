package schema

import "github.com/reverse-spec/reverse-spec/internal/code"

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

func pythonType(s scope, t code.Type) object {
	switch t.Form {
	case code.UnionType:
		return s.union(t.Args)
	case code.NamedType:
	default:
		return s.named(t.Text, t)
	}
	name := t.Last()
	if known, ok := pythonKnown[name]; ok && len(t.Args) == 0 && s.find(name, "python", s.decl.File) == nil {
		return known
	}
	if len(t.Args) == 0 {
		return s.named(name, t)
	}
	if n, ok := s.contain(pythonContainers[name], t); ok {
		return n
	}
	return s.pythonSpecial(t)
}

// pythonSpecial resolves typing's special forms and generic types of the module.
func (s scope) pythonSpecial(t code.Type) object {
	switch t.Last() {
	case "Union":
		return s.union(t.Args)
	case "Literal":
		return pythonLiteral(t)
	case "tuple", "Tuple":
		if len(t.Args) == 2 && t.Args[1].Text == "..." {
			return arrayOf(s.of(t.Args[0]))
		}
		return tuple(s.all(t.Args))
	case "Annotated":
		n := s.of(t.Args[0])
		for _, a := range t.Args[1:] {
			if name, args := call(a.Text); lastOf(name) == "Field" {
				n = constrain(n, args)
			}
		}
		return n
	}
	return s.named(t.Last(), t)
}

func pythonLiteral(t code.Type) object {
	var values []any
	null := false
	for _, a := range t.Args {
		v, ok := literal(a.Text)
		switch {
		case a.Is("None"):
			null = true
		case !ok:
			return unknown(t.Text)
		default:
			values = append(values, v)
		}
	}
	if null {
		return anyOf([]object{enum(values), typed("null")})
	}
	return enum(values)
}
