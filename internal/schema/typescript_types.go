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

func tsType(s scope, text string) object {
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "readonly "))
	if known, ok := tsKnown[text]; ok {
		return known
	}
	if strings.Contains(text, "=>") && len(split(text, "|")) == 1 && !strings.HasPrefix(text, "{") {
		return unknown(text)
	}
	for _, form := range []func(scope, string) (object, bool){tsConditional, tsUnion, tsIntersection, tsLiteral, tsBrackets, tsGeneric} {
		if n, ok := form(s, text); ok {
			return n
		}
	}
	if identifier(text) == text && text != "" {
		return s.named(text, nil, text)
	}
	return s.tsMember(text)
}

// tsMember resolves a type in a namespace, and the value of an enum member.
func (s scope) tsMember(text string) object {
	owner, name, ok := strings.Cut(text, ".")
	if !ok || identifier(owner) != owner || identifier(name) != name {
		return unknown(text)
	}
	t := s.find(owner, s.decl.language, s.decl.File)
	if t == nil || t.Kind != code.Enum {
		return s.named(text, nil, text)
	}
	for i, m := range t.Members {
		if all, ok := tsEnum(t.Symbol); ok && m.Name == name {
			return enum([]any{constants(all)[i]})
		}
	}
	return unknown(text)
}

// tsConditional rejects computed types.
func tsConditional(_ scope, text string) (object, bool) {
	for _, word := range []string{"keyof ", "typeof ", "infer ", "unique ", "asserts ", "new ", "abstract "} {
		if strings.HasPrefix(text, word) {
			return unknown(text), true
		}
	}
	return unknown(text), len(split(text, "?")) > 1
}

func tsUnion(s scope, text string) (object, bool) {
	parts := split(text, "|")
	if len(parts) < 2 && (len(parts) == 0 || !strings.HasPrefix(text, "|")) {
		return nil, false
	}
	var list []object
	for _, p := range parts {
		if p != "undefined" && p != "void" {
			list = append(list, s.of(p))
		}
	}
	return tsBoolean(anyOf(list)), true
}

// tsBoolean simplifies true | false to boolean.
func tsBoolean(n object) object {
	if compact(n) == compact(enum([]any{true, false})) || compact(n) == compact(enum([]any{false, true})) {
		return typed("boolean")
	}
	return n
}

func tsIntersection(s scope, text string) (object, bool) {
	parts := split(text, "&")
	if len(parts) < 2 && (len(parts) == 0 || !strings.HasPrefix(text, "&")) {
		return nil, false
	}
	var list []object
	for _, p := range parts {
		list = append(list, s.of(p))
	}
	return object{{"allOf", anys(list)}}, true
}

func tsLiteral(_ scope, text string) (object, bool) {
	if strings.HasPrefix(text, "`") {
		return object{{"type", "string"}, {"$comment", text}}, strings.HasSuffix(text, "`")
	}
	v, ok := literal(text)
	return enum([]any{v}), ok
}

// tsBrackets resolves (T), T[], [A, B] and { a: A }.
func tsBrackets(s scope, text string) (object, bool) {
	switch {
	case strings.HasSuffix(text, "[]"):
		return arrayOf(s.of(text[:len(text)-2])), true
	case strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")"):
		return s.of(text[1 : len(text)-1]), true
	case strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]"):
		return s.tsTuple(split(text[1:len(text)-1], ",")), true
	case strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}"):
		return s.tsLiteralObject(text[1 : len(text)-1])
	}
	return nil, false
}

// tsTuple resolves the elements of a tuple: A, name: A, A?, name?: A, ...A[].
func (s scope) tsTuple(parts []string) object {
	var items []object
	least := 0
	var rest any = false
	for _, p := range parts {
		inner, spread := strings.CutPrefix(p, "...")
		name := identifier(inner)
		after := strings.TrimPrefix(inner[len(name):], "?")
		optional := strings.HasSuffix(p, "?") || strings.HasPrefix(inner[len(name):], "?:")
		if t, ok := strings.CutPrefix(after, ":"); ok {
			inner = t
		}
		n := s.of(strings.TrimSuffix(strings.TrimSpace(inner), "?"))
		if spread {
			if rest = n.get("items"); rest == nil {
				return unknown("[" + strings.Join(parts, ", ") + "]")
			}
			continue
		}
		items = append(items, n)
		if !optional {
			least = len(items)
		}
	}
	out := typed("array")
	if len(items) > 0 {
		out = append(out, member{"prefixItems", anys(items)})
	}
	return append(out, member{"items", rest}, member{"minItems", least})
}

// tsLiteralObject resolves an object type literal. A mapped type or a method has no JSON
// Schema.
func (s scope) tsLiteralObject(text string) (object, bool) {
	var members []code.Symbol
	for _, part := range split(text, ";,\n") {
		part = strings.TrimPrefix(part, "readonly ")
		head := split(part, ":")
		if len(head) < 2 || strings.ContainsAny(head[0], "(<") || strings.Contains(head[0], " in ") {
			return unknown("{" + text + "}"), true
		}
		name := strings.TrimSpace(head[0])
		at := strings.Index(part[len(name):], ":") + len(name)
		m := code.Symbol{Kind: code.Property, Returns: strings.TrimSpace(part[at+1:])}
		m.Name, m.Optional = strings.CutSuffix(name, "?")
		m.Name = strings.Trim(m.Name, `'"`)
		members = append(members, m)
	}
	return s.tsObject(members), true
}

// tsGeneric resolves Name<A, B>.
func tsGeneric(s scope, text string) (object, bool) {
	name, rest, ok := strings.Cut(text, "<")
	if !ok || identifier(name) != name || !strings.HasSuffix(rest, ">") {
		return nil, false
	}
	args := split(rest[:len(rest)-1], ",")
	if len(args) == 0 {
		return nil, false
	}
	switch name {
	case "Array", "ReadonlyArray":
		return arrayOf(s.of(args[0])), true
	case "Readonly", "NonNullable":
		return notNull(s.of(args[0])), true
	case "Record":
		return s.tsRecord(args)
	case "Partial", "Required", "Pick", "Omit":
		return s.tsUtility(name, args)
	}
	return s.named(name, args, text), true
}

// tsRecord resolves Record<K, V>; keys that are literals become properties.
func (s scope) tsRecord(args []string) (object, bool) {
	if len(args) != 2 {
		return nil, false
	}
	keys := tsLiterals(args[0])
	if len(keys) == 0 {
		return mapOf(s.of(args[1])), true
	}
	var list []property
	for _, k := range keys {
		list = append(list, property{k, false, s.of(args[1])})
	}
	return structure(list, nil), true
}

// tsLiterals parses "a" | "b"; nil for anything else.
func tsLiterals(text string) []string {
	var out []string
	for _, p := range split(text, "|") {
		v, ok := literal(p)
		name, isText := v.(string)
		if !ok || !isText {
			return nil
		}
		out = append(out, name)
	}
	return out
}

// tsUtility resolves Partial, Required, Pick and Omit of a type with known members.
func (s scope) tsUtility(name string, args []string) (object, bool) {
	t := s.find(args[0], s.decl.language, s.decl.File)
	text := name + "<" + strings.Join(args, ", ") + ">"
	if t == nil || len(t.Members) == 0 || len(t.Bases) > 0 || len(t.TypeParameters) > 0 || !tsPlain(t) {
		return unknown(text), true
	}
	var keys []string
	if name == "Pick" || name == "Omit" {
		if keys = tsLiterals(args[len(args)-1]); len(keys) == 0 {
			return unknown(text), true
		}
	}
	var members []code.Symbol
	for _, m := range t.Members {
		if len(keys) > 0 && slices.Contains(keys, m.Name) != (name == "Pick") {
			continue
		}
		switch name {
		case "Partial":
			m.Optional = true
		case "Required":
			m.Optional = false
		}
		members = append(members, m)
	}
	inner := scope{book: s.book, decl: t}
	return inner.tsObject(members), true
}
