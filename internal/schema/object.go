package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// object is a JSON object with ordered keys.
type object []member

type member struct {
	key   string
	value any // object, []any, []string, string, bool, int, json.Number
}

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(compact(m.key) + ": " + compact(m.value))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// compact writes a value on one line.
func compact(v any) string {
	switch v := v.(type) {
	case object:
		text, _ := v.MarshalJSON() // it never fails
		return string(text)
	case []any:
		return list(v)
	case []string:
		return list(v)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // strings, numbers and booleans always encode
	return strings.TrimSpace(b.String())
}

func list[T any](values []T) string {
	var out []string
	for _, v := range values {
		out = append(out, compact(v))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// get returns the value of a key, or nil.
func (o object) get(key string) any {
	for _, m := range o {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// with returns the object with an additional member; an empty value adds nothing.
func (o object) with(key string, value any) object {
	switch v := value.(type) {
	case string:
		if v == "" {
			return o
		}
	case []string:
		if len(v) == 0 {
			return o
		}
	}
	return append(slices.Clip(o), member{key, value})
}

// spread lists keys whose objects are written on several lines.
const spread = " $defs properties "

// lines formats a schema for people: one line per type, keyword and property.
func lines(root object) string {
	var b strings.Builder
	write(&b, root, "", true)
	return b.String()
}

func write(b *strings.Builder, o object, indent string, open bool) {
	if !open || len(o) == 0 {
		b.WriteString(compact(o))
		return
	}
	inner := indent + "  "
	for i, m := range o {
		b.WriteString([]string{",\n", "{\n"}[btoi(i == 0)] + inner + compact(m.key) + ": ")
		v, isObject := m.value.(object)
		switch {
		case alternatives(m) != nil:
			writeList(b, alternatives(m), inner)
		case !isObject:
			b.WriteString(compact(m.value))
		case strings.Contains(spread, " "+m.key+" "):
			writeEach(b, v, inner)
		default:
			write(b, v, inner, false)
		}
	}
	b.WriteString("\n" + indent + "}")
}

// wide is the length in bytes above which alternatives are written on separate lines.
const wide = 100

// alternatives returns the elements of a list that is too long for one line; nil for anything
// else.
func alternatives(m member) []any {
	values, ok := m.value.([]any)
	if !ok || len(values) < 2 || m.key != "anyOf" && m.key != "allOf" || len(compact(values)) < wide {
		return nil
	}
	return values
}

// opened reports whether a schema is written over several lines.
func opened(o object) bool {
	return slices.ContainsFunc(o, func(m member) bool { return m.key == "properties" || alternatives(m) != nil })
}

func writeList(b *strings.Builder, values []any, indent string) {
	for i, v := range values {
		b.WriteString([]string{",\n", "[\n"}[btoi(i == 0)] + indent + "  " + compact(v))
	}
	b.WriteString("\n" + indent + "]")
}

// writeEach writes the members of "$defs" or "properties" on separate lines.
func writeEach(b *strings.Builder, o object, indent string) {
	if len(o) == 0 {
		b.WriteString("{}")
		return
	}
	inner := indent + "  "
	for i, m := range o {
		b.WriteString([]string{",\n", "{\n"}[btoi(i == 0)] + inner + compact(m.key) + ": ")
		v, _ := m.value.(object)
		write(b, v, inner, opened(v))
	}
	b.WriteString("\n" + indent + "}")
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
