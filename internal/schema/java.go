package schema

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Java: records and enums as Jackson writes them. A component is nullable if an annotation or
// Optional says so.

func javaData(_ *book, t *decl) bool { return isRecord(t) }

// isRecord reports whether a type is a record of Java or C#.
func isRecord(t *decl) bool {
	head, _, _ := strings.Cut(t.Signature, "(")
	return (t.Kind == code.Class || t.Kind == code.Struct) && slices.Contains(strings.Fields(head), "record")
}

func javaDefine(s scope) (object, bool) {
	switch {
	case s.decl.Kind == code.Enum:
		return javaEnum(s.decl.Symbol)
	case s.decl.Kind == code.Interface:
		return s.javaSealed()
	case !isRecord(s.decl):
		return nil, false
	}
	var list []property
	sparse := strings.Contains(strings.Join(s.decl.Decorators, " "), "NON_NULL")
	for i := range s.decl.Members {
		if m := &s.decl.Members[i]; m.Kind == code.Property && !m.Static && !marked(m, "JsonIgnore") {
			list = append(list, s.javaComponent(m, sparse))
		}
	}
	return structure(list, nil), true
}

// javaComponent returns a component of a record; sparse says that nulls are omitted.
func (s scope) javaComponent(m *code.Symbol, sparse bool) property {
	p := property{name: javaName(s.decl.Symbol, m), schema: s.ofText(m.Returns)}
	if marked(m, "Nullable") || marked(m, "CheckForNull") {
		p.schema = nullable(p.schema)
	}
	if sparse || strings.Contains(strings.Join(m.Decorators, " "), "NON_NULL") {
		plain := notNull(p.schema)
		p.optional, p.schema = compact(plain) != compact(p.schema), plain
	}
	return p
}

// javaName returns a component's name in JSON.
func javaName(t, m *code.Symbol) string {
	for _, d := range m.Decorators {
		if name, args := call(d); lastOf(name) == "JsonProperty" {
			return or(or(textOf(args, "value"), textOf(args, "0")), m.Name)
		}
	}
	for _, d := range t.Decorators {
		for _, c := range []struct{ strategy, style string }{
			{"SnakeCase", "snake_case"}, {"KebabCase", "kebab-case"}, {"UpperCamelCase", "PascalCase"},
		} {
			if strings.Contains(d, "JsonNaming") && strings.Contains(d, c.strategy+"Strategy") {
				return rename(m.Name, c.style)
			}
		}
	}
	return m.Name
}

// marked reports whether a symbol has an annotation or attribute.
func marked(m *code.Symbol, mark string) bool {
	return slices.ContainsFunc(m.Decorators, func(d string) bool {
		name, _ := call(d)
		return lastOf(name) == mark
	})
}

// javaEnum returns the names. Constants of an enum with a JsonValue have values computed by
// code.
func javaEnum(t *code.Symbol) (object, bool) {
	var values []any
	for i := range t.Members {
		m := &t.Members[i]
		if marked(m, "JsonValue") {
			return nil, false
		}
		if m.Kind == code.EnumMember {
			values = append(values, javaName(&code.Symbol{}, m))
		}
	}
	return enum(values), len(values) > 0
}

// javaSealed returns a sealed interface: one of the permitted types.
func (s scope) javaSealed() (object, bool) {
	_, permits, ok := strings.Cut(s.decl.Signature, " permits ")
	if !ok {
		return nil, false
	}
	return s.union(s.read("Permits<" + permits + ">").Args), true
}

// javaKnown are the Java library types with a fixed form in Jackson.
var javaKnown = map[string]object{
	"int": typed("integer"), "long": typed("integer"), "short": typed("integer"), "byte": typed("integer"),
	"Integer": typed("integer"), "Long": typed("integer"), "Short": typed("integer"), "Byte": typed("integer"),
	"BigInteger": typed("integer"), "double": typed("number"), "float": typed("number"), "Double": typed("number"),
	"Float": typed("number"), "BigDecimal": typed("number"), "Number": typed("number"), "OptionalInt": {{"type", []string{"integer", "null"}}},
	"OptionalLong": {{"type", []string{"integer", "null"}}}, "OptionalDouble": {{"type", []string{"number", "null"}}},
	"boolean": typed("boolean"), "Boolean": typed("boolean"), "char": typed("string"), "Character": typed("string"),
	"String": typed("string"), "CharSequence": typed("string"), "UUID": formatted("uuid"), "URI": formatted("uri"), "URL": formatted("uri"),
	"Instant": formatted("date-time"), "OffsetDateTime": formatted("date-time"), "ZonedDateTime": formatted("date-time"),
	"LocalDate": formatted("date"), "LocalTime": typed("string"), "LocalDateTime": typed("string"), "Duration": formatted("duration"),
	"Object": anything(), "JsonNode": anything(), "Locale": typed("string"), "Path": typed("string"),
	"List": typed("array"), "Map": typed("object"),
}

var javaContainers = map[string]container{
	"List": sequence, "Collection": sequence, "Iterable": sequence, "ArrayList": sequence, "LinkedList": sequence,
	"Queue": sequence, "Deque": sequence, "Stream": sequence,
	"Set": set, "SortedSet": set, "HashSet": set, "LinkedHashSet": set, "TreeSet": set, "EnumSet": set,
	"Map": dictionary, "SortedMap": dictionary, "HashMap": dictionary, "LinkedHashMap": dictionary, "TreeMap": dictionary,
	"EnumMap": dictionary, "ConcurrentMap": dictionary, "Optional": maybe, "AtomicReference": wrapper,
}

func javaType(s scope, t code.Type) object {
	switch t.Name {
	case "@":
		n := s.of(t.Args[0])
		if slices.ContainsFunc(t.Fields, func(f code.TypeField) bool { return lastOf(f.Tag) == "Nullable" }) {
			return nullable(n)
		}
		return n
	case "?":
		if len(t.Args) == 0 {
			return anything()
		}
		return s.of(t.Args[0])
	}
	return s.libraryType(t, javaKnown, javaContainers)
}

// libraryType resolves Name<A, B> and T[] with a language's tables.
func (s scope) libraryType(t code.Type, known map[string]object, containers map[string]container) object {
	if t.Form == code.ListType {
		if t.Args[0].Is("byte") {
			return object{{"type", "string"}, {"contentEncoding", "base64"}}
		}
		return arrayOf(s.of(t.Args[0]))
	}
	if s.find(t.Last(), s.decl.language, s.decl.File) == nil {
		if n, ok := known[t.Last()]; ok && len(t.Args) == 0 {
			return n
		}
		if n, ok := s.contain(containers[t.Last()], t); ok {
			return n
		}
	}
	return s.named(t.Last(), t)
}
