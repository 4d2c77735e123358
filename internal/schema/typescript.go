package schema

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// TypeScript: the output of JSON.stringify. undefined is omitted; a type with methods is not
// data.

func tsData(b *book, t *decl) bool {
	switch t.Kind {
	case code.Enum:
		return true
	case code.Interface:
		return b.tsPlain(t) && len(t.Members) > 0
	case code.TypeDef:
		value := b.typeOf(t.language, t.Value)
		if value.Form == code.ObjectType || value.Name == "in" {
			return b.tsPlain(t) && len(t.Members) > 0
		}
		return tsAlias(b, t, value)
	default:
		return false
	}
}

// tsAlias reports whether a type alias has a JSON form, by trying to define it in a separate
// book.
func tsAlias(b *book, t *decl, value code.Type) bool {
	trial := scope{
		book: &book{types: b.types, byName: b.byName, consts: b.consts, asked: map[string]bool{}, typeOf: b.typeOf},
		decl: t, args: b.bind(t, nil),
	}
	if value.Text == "" || value.Form == code.NamedType && len(value.Args) == 0 {
		return false
	}
	return !strings.Contains(compact(trial.of(value)), `"$comment"`)
}

// tsPlain reports whether a type has only properties that can be data.
func (b *book) tsPlain(t *decl) bool {
	return !slices.ContainsFunc(t.Members, func(m code.Symbol) bool {
		return m.Kind != code.Property || m.Name == "" || hasFunction(b.typeOf(t.language, m.Returns))
	})
}

// hasFunction reports whether values of a type may hold functions.
func hasFunction(t code.Type) bool {
	return t.Form == code.FuncType || t.Name == "new" || slices.ContainsFunc(t.Args, hasFunction) ||
		slices.ContainsFunc(t.Fields, func(f code.TypeField) bool { return !f.Method && hasFunction(f.Type) })
}

func tsDefine(s scope) (object, bool) {
	switch s.decl.Kind {
	case code.Enum:
		return tsEnum(s.decl.Symbol)
	case code.Interface:
		if !s.tsPlain(s.decl) {
			return nil, false
		}
		var bases []object
		for _, base := range s.decl.Bases {
			bases = append(bases, s.ofText(base))
		}
		return also(bases, s.tsObject(s.tsFields(s.decl.Members))), true
	case code.TypeDef:
		return s.ofText(s.decl.Value), s.decl.Value != ""
	default:
		return nil, false
	}
}

// tsEnum returns the values; a member without a value continues from the previous one.
func tsEnum(t *code.Symbol) (object, bool) {
	var values []any
	next := 0
	for _, m := range t.Members {
		var v any = json.Number(strconv.Itoa(next))
		if m.Value != "" {
			var ok bool
			if v, ok = literal(m.Value); !ok {
				return nil, false
			}
		}
		values = append(values, v)
		if n, ok := v.(json.Number); ok {
			if at, err := strconv.Atoi(n.String()); err == nil {
				next = at + 1
			}
		}
	}
	return enum(values), len(values) > 0
}

// tsFields returns the members of an interface that are data.
func (s scope) tsFields(members []code.Symbol) []code.TypeField {
	var out []code.TypeField
	for _, m := range members {
		if strings.HasPrefix(m.Name, "[") || m.Kind == code.Property && !m.Static && m.Visibility != code.Private {
			out = append(out, code.TypeField{Name: m.Name, Type: s.read(m.Returns), Optional: m.Optional})
		}
	}
	return out
}

// tsObject returns the schema of an object; a property that may be undefined is optional.
func (s scope) tsObject(fields []code.TypeField) object {
	var list []property
	var rest any
	for _, f := range fields {
		if strings.HasPrefix(f.Name, "[") {
			rest = s.of(f.Type)
			continue
		}
		optional := f.Optional || f.Type.Form == code.UnionType && slices.ContainsFunc(f.Type.Args, isUndefined)
		list = append(list, property{f.Name, optional, s.of(f.Type)})
	}
	return structure(list, rest)
}

func isUndefined(t code.Type) bool { return t.Is("undefined") }
