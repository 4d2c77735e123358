package schema

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// C#: records, and the classes and enums that they refer to, as System.Text.Json converts them
// with default options: names as declared, enums as numbers.

func csharpData(_ *book, t *decl) bool { return isRecord(t) }

func csharpDefine(s scope) (object, bool) {
	switch s.decl.Kind {
	case code.Enum:
		return csharpEnum(s.decl.Symbol)
	case code.Class, code.Struct:
	default:
		return nil, false
	}
	var list []property
	for i := range s.decl.Members {
		if m := &s.decl.Members[i]; m.Kind == code.Property && m.Exported && !m.Static {
			if p, ok := s.csharpProperty(m); ok {
				list = append(list, p)
			}
		}
	}
	return also(s.csharpBases(), structure(list, nil)), isRecord(s.decl) || len(list) > 0
}

// csharpBases returns the module's records that a record inherits from.
func (s scope) csharpBases() []object {
	var out []object
	for _, base := range s.decl.Bases {
		base, _, _ = strings.Cut(base, "(")
		of := s.read(base)
		name := of.Last()
		t := s.find(name, "csharp", s.decl.File)
		isInterface := len(name) > 1 && name[0] == 'I' && unicode.IsUpper(rune(name[1])) // by naming convention
		switch {
		case t != nil && t.Kind != code.Interface:
			out = append(out, s.ask(t, of.Args))
		case t == nil && !isInterface:
			out = append(out, unknown("what "+base+" adds is not known here"))
		}
	}
	return out
}

// csharpProperty returns a property. Record parameters without default and required members
// are required.
func (s scope) csharpProperty(m *code.Symbol) (property, bool) {
	needed := slices.ContainsFunc(s.decl.Params, func(p code.Param) bool { return p.Name == m.Name && !p.Optional })
	head, _, _ := strings.Cut(m.Signature, m.Name)
	p := property{m.Name, !needed && !slices.Contains(strings.Fields(head), "required"), s.ofText(m.Returns)}
	for _, d := range m.Decorators {
		name, args := call(d)
		switch lastOf(name) {
		case "JsonPropertyName":
			p.name = or(textOf(args, "0"), p.name)
		case "JsonIgnore":
			if args["Condition"] == "" {
				return p, false
			}
			p.optional = true
		case "JsonRequired", "Required":
			p.optional = false
		}
	}
	return p, true
}

// csharpEnum returns the numbers, or the names if a converter writes those. Flags can be
// combined and have no list.
func csharpEnum(t *code.Symbol) (object, bool) {
	var names, numbers []any
	next := 0
	for _, m := range t.Members {
		if m.Kind != code.EnumMember {
			continue
		}
		if m.Value != "" {
			v, _ := literal(m.Value)
			n, ok := v.(json.Number)
			at, err := strconv.Atoi(n.String())
			if !ok || err != nil {
				return typed("integer"), true
			}
			next = at
		}
		names, numbers = append(names, m.Name), append(numbers, json.Number(strconv.Itoa(next)))
		next++
	}
	switch {
	case strings.Contains(strings.Join(t.Decorators, " "), "JsonStringEnumConverter"):
		return enum(names), len(names) > 0
	case marked(t, "Flags") || len(numbers) == 0:
		return typed("integer"), true
	}
	return enum(numbers), true
}

// csharpKnown are the .NET types with a fixed form in System.Text.Json.
var csharpKnown = map[string]object{
	"int": typed("integer"), "long": typed("integer"), "short": typed("integer"), "sbyte": typed("integer"), "uint": natural(),
	"ulong": natural(), "ushort": natural(), "byte": natural(), "Int32": typed("integer"), "Int64": typed("integer"),
	"double": typed("number"), "float": typed("number"), "decimal": typed("number"), "Double": typed("number"),
	"Decimal": typed("number"), "bool": typed("boolean"), "Boolean": typed("boolean"), "string": typed("string"),
	"String": typed("string"), "char": typed("string"), "Guid": formatted("uuid"), "DateTime": formatted("date-time"),
	"DateTimeOffset": formatted("date-time"), "DateOnly": formatted("date"), "TimeOnly": typed("string"), "TimeSpan": typed("string"),
	"Uri": formatted("uri-reference"), "Version": typed("string"), "object": anything(), "dynamic": anything(),
	"JsonElement": anything(), "JsonNode": anything(), "JsonObject": typed("object"), "JsonArray": typed("array"),
}

var csharpContainers = map[string]container{
	"List": sequence, "IList": sequence, "IReadOnlyList": sequence, "IEnumerable": sequence, "ICollection": sequence,
	"IReadOnlyCollection": sequence, "ImmutableArray": sequence, "ImmutableList": sequence, "Queue": sequence, "Stack": sequence,
	"HashSet": set, "ISet": set, "IReadOnlySet": set, "ImmutableHashSet": set,
	"Dictionary": dictionary, "IDictionary": dictionary, "IReadOnlyDictionary": dictionary, "ImmutableDictionary": dictionary,
	"Nullable": maybe, "Lazy": wrapper,
}

func csharpType(s scope, t code.Type) object {
	if t.Form == code.NullableType {
		return nullable(s.of(t.Args[0]))
	}
	return s.libraryType(t, csharpKnown, csharpContainers)
}
