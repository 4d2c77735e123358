package schema

import (
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Go: the output of encoding/json. A nil pointer, slice or map is null unless omitempty or
// omitzero omits it.

func goData(_ *book, t *decl) bool {
	return t.Kind == code.Struct && slices.ContainsFunc(t.Members, func(m code.Symbol) bool {
		_, ok := jsonTag(&m)
		return ok
	})
}

func goDefine(s scope) (object, bool) {
	switch {
	case goHas(s.decl.Symbol, "MarshalJSON"):
		return unknown("its MarshalJSON writes it"), true
	case goHas(s.decl.Symbol, "MarshalText"):
		return typed("string"), true
	case s.decl.Kind == code.Struct:
		return goStruct(s), true
	case s.decl.Kind != code.TypeDef || s.decl.Value == "":
		return nil, false
	}
	if values := s.goConstants(); len(values) > 0 {
		return enum(values), true
	}
	return s.ofText(s.decl.Value), true
}

func goHas(s *code.Symbol, method string) bool {
	return slices.ContainsFunc(s.Members, func(m code.Symbol) bool { return m.Name == method && m.Kind == code.Method })
}

// goConstants returns the values of a named type's constants, none for bits, which may be
// combined.
func (s scope) goConstants() []any {
	var out []any
	for _, c := range s.consts[s.decl.Name] {
		if c.File == "" || s.find(s.decl.Name, "go", c.File) != s.decl {
			continue
		}
		v, ok := literal(goValue(c.Value))
		if !ok || strings.Contains(c.Value, "<<") {
			return nil
		}
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

var iotaName = regexp.MustCompile(`\biota\b`)

// goValue substitutes iota in "iota + 1 (iota = 2)".
func goValue(text string) string {
	expression, n, ok := strings.Cut(text, " (iota = ")
	if !ok {
		return text
	}
	return iotaName.ReplaceAllString(expression, strings.TrimSuffix(n, ")"))
}

// goKnown are types of other packages with a known JSON form.
var goKnown = map[string]object{
	"time.Time": formatted("date-time"), "time.Duration": typed("integer"), "json.RawMessage": anything(),
	"json.Number": typed("number"), "big.Int": typed("integer"), "big.Float": typed("string"), "netip.Addr": typed("string"),
	"netip.Prefix": typed("string"), "net.IP": typed("string"), "uuid.UUID": formatted("uuid"),
	"string": typed("string"), "bool": typed("boolean"), "float32": typed("number"), "float64": typed("number"),
	"any": anything(), "int": typed("integer"), "int8": typed("integer"), "int16": typed("integer"), "int32": typed("integer"),
	"int64": typed("integer"), "rune": typed("integer"), "uint": natural(), "uint8": natural(), "byte": natural(),
	"uint16": natural(), "uint32": natural(), "uint64": natural(), "uintptr": natural(),
}

func natural() object { return object{{"type", "integer"}, {"minimum", 0}} }

func goType(s scope, t code.Type) object {
	switch t.Form {
	case code.PointerType:
		return nullable(s.of(t.Args[0]))
	case code.ListType:
		switch {
		case len(t.Args) > 1:
			return s.fixed(t)
		case t.Args[0].Is("byte", "uint8"):
			return object{{"type", []string{"string", "null"}}, {"contentEncoding", "base64"}}
		}
		return nullable(arrayOf(s.of(t.Args[0])))
	case code.MapType:
		return nullable(mapOf(s.of(t.Args[1])))
	case code.ObjectType:
		if t.Name == "struct" {
			return structure(goMerge(s.goFields(t)), nil)
		}
		return anything()
	case code.NamedType:
		if known, ok := goKnown[t.Name]; ok && len(t.Args) == 0 && s.find(t.Name, "go", s.decl.File) == nil {
			return known
		}
		return s.named(t.Name, t)
	default:
		return unknown(t.Text)
	}
}

// goFields returns the fields of a struct within another type.
func (s scope) goFields(t code.Type) []goField {
	var out []goField
	for _, f := range t.Fields {
		m := code.Symbol{Name: f.Name, Kind: code.Property, Decorators: []string{f.Tag}}
		if f.Embedded {
			m.Kind, m.Name = code.Embedded, pointee(f.Type).Last()
		}
		m.Exported = token.IsExported(m.Name)
		out = append(out, s.goField(&m, f.Type, 0)...)
	}
	return out
}

// pointee returns the type that t points to, or t.
func pointee(t code.Type) code.Type {
	if t.Form == code.PointerType {
		return t.Args[0]
	}
	return t
}
