package schema

import (
	"reflect"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// goField is a field of a struct or of an embedded one.
type goField struct {
	property
	depth  int
	tagged bool
	note   string // why fields are unknown; there is no property then
}

// maxDepth limits the depth of embedded structs.
const maxDepth = 8

func goStruct(s scope) object {
	var fields []goField
	for i := range s.decl.Members {
		fields = append(fields, s.goMember(&s.decl.Members[i], 0)...)
	}
	out := structure(goMerge(fields), nil)
	for _, f := range fields {
		if f.note != "" {
			return append(object{{"$comment", f.note}}, out...)
		}
	}
	return out
}

// jsonTag returns the json key of a field's tag.
func jsonTag(m *code.Symbol) (string, bool) {
	if len(m.Decorators) == 0 {
		return "", false
	}
	return reflect.StructTag(strings.Trim(m.Decorators[0], "`")).Lookup("json")
}

func (s scope) goMember(m *code.Symbol, depth int) []goField {
	return s.goField(m, s.read(m.Returns), depth)
}

// goField returns what a member of a struct, of type t, adds to the object: nothing, one
// property, or those of an embedded struct.
func (s scope) goField(m *code.Symbol, t code.Type, depth int) []goField {
	tag, _ := jsonTag(m)
	if tag == "-" || m.Kind != code.Property && m.Kind != code.Embedded {
		return nil
	}
	name, options, _ := strings.Cut(tag, ",")
	if !goTagName(name) {
		name = ""
	}
	if m.Kind == code.Embedded && name == "" {
		if fields, ok := s.goPromoted(t, depth); ok {
			return fields
		}
	}
	if !m.Exported {
		return nil
	}
	n := s.of(t)
	optional := false
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty", "omitzero":
			optional, n = true, notNull(n)
		case "string":
			n = goQuoted(n)
		}
	}
	return []goField{{property: property{or(name, m.Name), optional, n}, depth: depth, tagged: name != ""}}
}

// goPromoted returns the fields of an embedded struct; ok is false if the embedded type is not
// a struct.
func (s scope) goPromoted(embedded code.Type, depth int) (fields []goField, ok bool) {
	of := pointee(embedded)
	t := s.find(of.Name, "go", s.decl.File)
	switch {
	case t == nil && of.Qualifier() != "":
		return []goField{{note: "what the embedded " + of.Text + " adds is not known here"}}, true
	case t == nil || t.Kind != code.Struct:
		return nil, false
	case depth >= maxDepth:
		return nil, true
	case goHas(t.Symbol, "MarshalJSON") || goHas(t.Symbol, "MarshalText"):
		return []goField{{note: "the embedded " + of.Text + " writes it"}}, true
	}
	inner := scope{book: s.book, decl: t, args: s.bind(t, s.bound(of).Args)}
	for i := range t.Members {
		fields = append(fields, inner.goMember(&t.Members[i], depth+1)...)
	}
	return fields, true
}

// goMerge selects among fields with one name as encoding/json does: the least nested one;
// among several the one with a tag; otherwise none.
func goMerge(fields []goField) []property {
	byName := map[string][]goField{}
	var order []string
	for _, f := range fields {
		if f.note != "" {
			continue
		}
		if byName[f.name] == nil {
			order = append(order, f.name)
		}
		byName[f.name] = append(byName[f.name], f)
	}
	var out []property
	for _, name := range order {
		if f, ok := goDominant(byName[name]); ok {
			out = append(out, f.property)
		}
	}
	return out
}

func goDominant(list []goField) (goField, bool) {
	best, equals := list[0], 1
	for _, f := range list[1:] {
		switch {
		case f.depth < best.depth, f.depth == best.depth && f.tagged && !best.tagged:
			best, equals = f, 1
		case f.depth == best.depth && f.tagged == best.tagged:
			equals++
		}
	}
	return best, equals == 1
}

// goTagName reports whether encoding/json accepts a name in a tag.
func goTagName(name string) bool {
	for _, c := range name {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) {
			return false
		}
	}
	return name != ""
}

// goQuoted implements the option "string": scalars are encoded within a string.
func goQuoted(n object) object {
	switch plain := notNull(n); plain.get("type") {
	case "integer", "number", "boolean", "string":
		if len(plain) < len(n) || compact(plain) != compact(n) {
			return nullable(typed("string"))
		}
		return typed("string")
	}
	return n
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}
