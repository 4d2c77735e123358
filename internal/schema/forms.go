package schema

import (
	"slices"
	"strings"
)

// Constructors of common schemas.

func typed(name string) object { return object{{"type", name}} }

func formatted(format string) object { return object{{"type", "string"}, {"format", format}} }

// unknown returns a schema that accepts everything and names the unknown type.
func unknown(text string) object {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxKey {
		text = strings.ToValidUTF8(text[:maxKey], "") + "…"
	}
	return object{{"$comment", text}}
}

// anything returns a schema that accepts everything, because the type does.
func anything() object { return object{} }

func isUnknown(o object) bool { return len(o) == 1 && o[0].key == "$comment" }

func arrayOf(items object) object { return object{{"type", "array"}, {"items", items}} }

func setOf(items object) object { return arrayOf(items).with("uniqueItems", true) }

func mapOf(values object) object {
	return object{{"type", "object"}, {"additionalProperties", values}}
}

// tuple returns an array with a schema per item.
func tuple(items []object) object {
	if len(items) == 0 {
		return object{{"type", "array"}, {"maxItems", 0}}
	}
	return object{{"type", "array"}, {"prefixItems", anys(items)}, {"items", false}, {"minItems", len(items)}}
}

func anys(list []object) []any {
	out := make([]any, len(list))
	for i, o := range list {
		out[i] = o
	}
	return out
}

// enum accepts one of several values; a single value is a const.
func enum(values []any) object {
	if len(values) == 1 {
		return object{{"const", values[0]}}
	}
	return object{{"enum", values}}
}

// constants is the inverse of enum.
func constants(o object) []any {
	if values, ok := o.get("enum").([]any); ok {
		return values
	}
	return []any{o.get("const")}
}

// nullable returns a schema that also accepts null.
func nullable(o object) object {
	if len(o) == 0 || isUnknown(o) {
		return o
	}
	return anyOf([]object{o, typed("null")})
}

// orNull adds null to a schema of a single type.
func orNull(o object) (n object, ok bool) {
	t, ok := o.get("type").(string)
	if !ok || o[0].key != "type" || t == "null" {
		return nil, false
	}
	return append(object{{"type", []string{t, "null"}}}, o[1:]...), true
}

// notNull is the inverse of nullable.
func notNull(o object) object {
	if t, ok := o.get("type").([]string); ok && len(t) == 2 && t[1] == "null" {
		return append(typed(t[0]), o[1:]...)
	}
	if list, ok := o.get("anyOf").([]any); ok && len(o) == 1 && len(list) == 2 && compact(list[1]) == compact(typed("null")) {
		return list[0].(object) // anyOf holds objects alone
	}
	return o
}

// anyOf accepts what one of the schemas accepts. Literals are merged and duplicates removed.
func anyOf(list []object) object {
	var out []object
	var literals []any
	for _, o := range flat(list) {
		switch {
		case len(o) == 1 && o[0].key == "const":
			literals = append(literals, o[0].value)
		case len(o) == 1 && o[0].key == "enum":
			values, _ := o[0].value.([]any)
			literals = append(literals, values...)
		case len(o) == 0:
			return o
		case !slices.ContainsFunc(out, func(x object) bool { return compact(x) == compact(o) }):
			out = append(out, o)
		}
	}
	if len(literals) > 0 {
		out = slices.Insert(out, 0, enum(literals))
	}
	switch {
	case len(out) == 0:
		return object{{"not", object{}}}
	case len(out) == 1:
		return out[0]
	case len(out) == 2 && compact(out[1]) == compact(typed("null")):
		if n, ok := orNull(out[0]); ok {
			return n
		}
	}
	return object{{"anyOf", anys(out)}}
}

// flat flattens nested alternatives.
func flat(list []object) []object {
	var out []object
	for _, o := range list {
		inner, ok := o.get("anyOf").([]any)
		if !ok || len(o) != 1 {
			out = append(out, o)
			continue
		}
		for _, x := range inner {
			out = append(out, x.(object)) // anyOf holds objects alone
		}
	}
	return out
}

// property is a member of a structure.
type property struct {
	name     string
	optional bool // not required
	schema   object
}

// structure returns an object with properties; rest is the schema of additional properties,
// nil if anything is permitted.
func structure(list []property, rest any) object {
	properties := object{}
	var required []string
	for _, p := range list {
		if properties.get(p.name) != nil {
			continue
		}
		properties = append(properties, member{p.name, p.schema})
		if !p.optional {
			required = append(required, p.name)
		}
	}
	o := object{{"type", "object"}, {"properties", properties}}.with("required", required)
	if rest != nil {
		o = append(o, member{"additionalProperties", rest})
	}
	return o
}

// also combines a structure with its bases.
func also(bases []object, own object) object {
	if len(bases) == 0 {
		return own
	}
	return append(object{{"allOf", anys(bases)}}, own...)
}
