package schema

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// tsKnown are TypeScript's built-in types.
var tsKnown = map[string]object{
	"string": typed("string"), "number": typed("number"), "boolean": typed("boolean"), "null": typed("null"),
	"any": anything(), "unknown": anything(), "object": typed("object"), "Date": formatted("date-time"), "URL": formatted("uri"),
	"true": enum([]any{true}), "false": enum([]any{false}), "never": {{"not", object{}}},
	"String": typed("string"), "Number": typed("number"), "Boolean": typed("boolean"),
}

func tsType(s scope, t code.Type) object {
	switch t.Form {
	case code.NamedType:
		return s.tsNamed(t)
	case code.UnionType:
		kept := slices.DeleteFunc(slices.Clone(t.Args), func(a code.Type) bool { return a.Is("undefined", "void") })
		return tsBoolean(s.union(kept))
	case code.IntersectionType:
		return object{{"allOf", anys(s.all(t.Args))}}
	case code.LiteralType:
		if v, ok := literal(t.Name); ok {
			return enum([]any{v})
		}
	case code.ListType:
		return arrayOf(s.of(t.Args[0]))
	case code.TupleType:
		return s.tsTuple(t)
	case code.ObjectType:
		if !slices.ContainsFunc(t.Fields, func(f code.TypeField) bool { return f.Method }) {
			return s.tsObject(t.Fields)
		}
	default:
		switch t.Name {
		case "readonly":
			return s.of(t.Args[0])
		case "`":
			return object{{"type", "string"}, {"$comment", t.Text}}
		}
	}
	return unknown(t.Text)
}

// tsNamed resolves the name of a type, in a namespace or of an enum member, and library types.
func (s scope) tsNamed(t code.Type) object {
	if known, ok := tsKnown[t.Name]; ok && len(t.Args) == 0 {
		return known
	}
	if len(t.Args) > 0 {
		return s.tsGeneric(t)
	}
	owner := s.find(strings.TrimSuffix(t.Qualifier(), "."), s.decl.language, s.decl.File)
	if owner == nil || owner.Kind != code.Enum {
		return s.named(t.Name, t)
	}
	for i, m := range owner.Members {
		if all, ok := tsEnum(owner.Symbol); ok && m.Name == t.Last() {
			return enum([]any{constants(all)[i]})
		}
	}
	return unknown(t.Text)
}

// tsBoolean simplifies true | false to boolean.
func tsBoolean(n object) object {
	if compact(n) == compact(enum([]any{true, false})) || compact(n) == compact(enum([]any{false, true})) {
		return typed("boolean")
	}
	return n
}

// tsTuple resolves the elements of a tuple: A, name: A, A?, name?: A, ...A[].
func (s scope) tsTuple(t code.Type) object {
	var items []object
	least := 0
	var rest any = false
	for _, f := range t.Fields {
		n := s.of(f.Type)
		if f.Variadic {
			if rest = n.get("items"); rest == nil {
				return unknown(t.Text)
			}
			continue
		}
		items = append(items, n)
		if !f.Optional {
			least = len(items)
		}
	}
	out := typed("array")
	if len(items) > 0 {
		out = append(out, member{"prefixItems", anys(items)})
	}
	return append(out, member{"items", rest}, member{"minItems", least})
}

// tsGeneric resolves Name<A, B>.
func (s scope) tsGeneric(t code.Type) object {
	switch t.Name {
	case "Array", "ReadonlyArray":
		return arrayOf(s.of(t.Args[0]))
	case "Readonly", "NonNullable":
		return notNull(s.of(t.Args[0]))
	case "Record":
		if len(t.Args) == 2 {
			return s.tsRecord(t.Args[0], t.Args[1])
		}
	case "Partial", "Required", "Pick", "Omit":
		return s.tsUtility(t)
	}
	return s.named(t.Name, t)
}

// tsRecord resolves Record<K, V>; keys that are literals become properties.
func (s scope) tsRecord(key, value code.Type) object {
	keys := tsLiterals(key)
	if len(keys) == 0 {
		return mapOf(s.of(value))
	}
	var list []property
	for _, k := range keys {
		list = append(list, property{k, false, s.of(value)})
	}
	return structure(list, nil)
}

// tsLiterals returns the texts of "a" | "b"; nil for anything else.
func tsLiterals(t code.Type) []string {
	list := t.Args
	if t.Form != code.UnionType {
		list = []code.Type{t}
	}
	var out []string
	for _, a := range list {
		v, _ := literal(a.Name)
		name, isText := v.(string)
		if !isText || a.Form != code.LiteralType {
			return nil
		}
		out = append(out, name)
	}
	return out
}

// tsUtility resolves Partial, Required, Pick and Omit of a type with known members.
func (s scope) tsUtility(t code.Type) object {
	of := s.find(t.Args[0].Text, s.decl.language, s.decl.File)
	if of == nil || len(of.Members) == 0 || len(of.Bases) > 0 || len(of.TypeParameters) > 0 || !s.tsPlain(of) {
		return unknown(t.Text)
	}
	var keys []string
	if t.Name == "Pick" || t.Name == "Omit" {
		if keys = tsLiterals(t.Args[len(t.Args)-1]); len(keys) == 0 {
			return unknown(t.Text)
		}
	}
	inner := scope{book: s.book, decl: of}
	var fields []code.TypeField
	for _, f := range inner.tsFields(of.Members) {
		if len(keys) > 0 && slices.Contains(keys, f.Name) != (t.Name == "Pick") {
			continue
		}
		f.Optional = t.Name == "Partial" || f.Optional && t.Name != "Required"
		fields = append(fields, f)
	}
	return inner.tsObject(fields)
}
