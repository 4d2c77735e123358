package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// maxSchemas bounds how many data structures are shown as JSON Schema.
const maxSchemas = 40

// schemas writes the JSON Schema of the data structures whose JSON form the code
// itself fixes: Go structs with json tags, and TypeScript interfaces of
// properties alone. A type that JSON Schema cannot say stands as its text.
func (m *material) schemas(b *strings.Builder) {
	known := map[string]bool{}
	var list []*code.Symbol
	for i := range m.merged.Exports {
		s := &m.merged.Exports[i]
		if isData(s, m.languageOf(s.File)) {
			known[s.Name] = true
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "### %s\n\n", pick(m.lang, "3.2 Data structures (JSON Schema)", "3.2 JSON Schema 定义"))
	for _, s := range list[:min(len(list), maxSchemas)] {
		w := schemaWriter{goLang: m.languageOf(s.File) == "go", known: known}
		fmt.Fprintf(b, "#### `%s` · schema\n\n%s\n\n", s.Name, fenced("json", w.object(s)))
	}
	if left := len(list) - maxSchemas; left > 0 {
		fmt.Fprintf(b, pick(m.lang, "%d more are not shown.\n\n", "另有 %d 个未列出。\n\n"), left)
	}
}

func isData(s *code.Symbol, language string) bool {
	switch language {
	case "go":
		return s.Kind == code.Struct && slices.ContainsFunc(s.Members, func(m code.Symbol) bool {
			_, ok := jsonTag(&m)
			return ok
		})
	case "typescript":
		return (s.Kind == code.Interface || s.Kind == code.Type) && len(s.Members) > 0 && len(s.TypeParameters) == 0 &&
			!slices.ContainsFunc(s.Members, func(m code.Symbol) bool { return m.Kind != code.Property || strings.HasPrefix(m.Name, "[") })
	}
	return false
}

// jsonTag returns what a Go field's tag says of JSON.
func jsonTag(m *code.Symbol) (string, bool) {
	if len(m.Decorators) == 0 {
		return "", false
	}
	return reflect.StructTag(strings.Trim(m.Decorators[0], "`")).Lookup("json")
}

// schemaWriter writes schemas of one language's types.
type schemaWriter struct {
	goLang bool
	known  map[string]bool
}

// object writes the schema of a type; properties keep the order of the source.
func (w schemaWriter) object(s *code.Symbol) string {
	var properties, required []string
	for i := range s.Members {
		m := &s.Members[i]
		name, optional, ok := w.property(m)
		if !ok {
			continue
		}
		properties = append(properties, "    "+compact(name)+": "+compact(w.schema(m.Returns)))
		if !optional {
			required = append(required, compact(name))
		}
	}
	return fmt.Sprintf(`{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "$id": %s,
  "title": %s,
  "type": "object",
  "properties": {
%s
  },
  "required": [%s]
}`, compact(s.Name+".schema.json"), compact(s.Name), strings.Join(properties, ",\n"), strings.Join(required, ", "))
}

// compact writes a value as JSON on one line.
func compact(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // maps and strings encode without error
	return strings.TrimSpace(b.String())
}

// property returns a member's name in JSON; ok is false for one that is not in
// it.
func (w schemaWriter) property(m *code.Symbol) (name string, optional, ok bool) {
	if !m.Exported || m.Kind != code.Property {
		return "", false, false
	}
	if !w.goLang {
		return m.Name, m.Optional, true
	}
	tag, _ := jsonTag(m)
	if tag == "-" {
		return "", false, false
	}
	name, options, _ := strings.Cut(tag, ",")
	optional = strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
	return or(name, m.Name), optional, true
}

type schema = map[string]any

func (w schemaWriter) schema(t string) schema {
	t = strings.TrimSpace(t)
	if w.goLang {
		return w.goType(t)
	}
	return w.tsType(t)
}

func (w schemaWriter) goType(t string) schema {
	switch {
	case t == "string":
		return schema{"type": "string"}
	case t == "bool":
		return schema{"type": "boolean"}
	case t == "time.Time":
		return schema{"type": "string", "format": "date-time"}
	case t == "[]byte":
		return schema{"type": "string", "contentEncoding": "base64"}
	case strings.HasPrefix(t, "float"):
		return schema{"type": "number"}
	case isGoInt(t):
		return schema{"type": "integer"}
	case strings.HasPrefix(t, "*"):
		return schema{"anyOf": []any{w.goType(t[1:]), schema{"type": "null"}}}
	case strings.HasPrefix(t, "[]"):
		return schema{"type": []string{"array", "null"}, "items": w.goType(t[2:])} // a nil slice is null
	case strings.HasPrefix(t, "map[string]"):
		return schema{"type": []string{"object", "null"}, "additionalProperties": w.goType(t[len("map[string]"):])}
	}
	return w.named(t)
}

func isGoInt(t string) bool {
	return slices.Contains([]string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "byte", "rune"}, t)
}

func (w schemaWriter) tsType(t string) schema {
	switch {
	case t == "string", t == "number", t == "boolean", t == "null":
		return schema{"type": t}
	case t == "Date":
		return schema{"type": "string", "format": "date-time"}
	case strings.HasSuffix(t, "[]") && !strings.ContainsAny(t, "|&(<{"):
		return schema{"type": "array", "items": w.tsType(strings.TrimSuffix(t, "[]"))}
	case strings.Contains(t, "|") && !strings.ContainsAny(t, "<({["):
		return w.union(t)
	}
	for open, build := range map[string]func(string) schema{
		"Array<":          func(x string) schema { return schema{"type": "array", "items": w.tsType(x)} },
		"Record<string, ": func(x string) schema { return schema{"type": "object", "additionalProperties": w.tsType(x)} },
	} {
		if inner, ok := strings.CutPrefix(t, open); ok && strings.HasSuffix(inner, ">") {
			return build(strings.TrimSuffix(inner, ">"))
		}
	}
	return w.named(t)
}

// union writes "a" | "b" as an enumeration and other unions as alternatives.
func (w schemaWriter) union(t string) schema {
	var literals, types []any
	for part := range strings.SplitSeq(strings.TrimPrefix(t, "|"), "|") {
		part = strings.TrimSpace(part)
		if len(part) > 1 && (part[0] == '"' || part[0] == '\'') {
			literals = append(literals, part[1:len(part)-1])
			continue
		}
		types = append(types, w.tsType(part))
	}
	if len(types) == 0 {
		return schema{"enum": literals}
	}
	if len(literals) > 0 {
		types = append(types, schema{"enum": literals})
	}
	return schema{"anyOf": types}
}

// named refers to a structure of the module, or says a type as text.
func (w schemaWriter) named(t string) schema {
	if w.known[t] {
		return schema{"$ref": t + ".schema.json"}
	}
	return schema{"description": t}
}
