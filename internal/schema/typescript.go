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
		return tsPlain(t) && len(t.Members) > 0
	case code.Type:
		if strings.HasPrefix(t.Value, "{") && len(split(t.Value, "|&")) == 1 {
			return tsPlain(t) && len(t.Members) > 0
		}
		return tsAlias(b, t)
	default:
		return false
	}
}

// tsAlias reports whether a type alias has a JSON form, by trying to define it in a separate
// book.
func tsAlias(b *book, t *decl) bool {
	trial := scope{
		book: &book{types: b.types, byName: b.byName, consts: b.consts, asked: map[string]bool{}},
		decl: t, args: bind(t.TypeParameters, nil),
	}
	text := compact(trial.of(t.Value))
	return t.Value != "" && !strings.Contains(text, `"$comment"`) && strings.ContainsAny(t.Value, "|&[<'\"")
}

// tsPlain reports whether a type has only properties that can be data.
func tsPlain(t *decl) bool {
	return !slices.ContainsFunc(t.Members, func(m code.Symbol) bool {
		return m.Kind != code.Property || m.Name == "" || strings.Contains(m.Returns, "=>")
	})
}

func tsDefine(s scope) (object, bool) {
	switch s.decl.Kind {
	case code.Enum:
		return tsEnum(s.decl.Symbol)
	case code.Interface:
		if !tsPlain(s.decl) {
			return nil, false
		}
		var bases []object
		for _, base := range s.decl.Bases {
			bases = append(bases, s.of(base))
		}
		return also(bases, s.tsObject(s.decl.Members)), true
	case code.Type:
		return s.of(s.decl.Value), s.decl.Value != ""
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

// tsObject returns the schema of the members of an interface or of an object type.
func (s scope) tsObject(members []code.Symbol) object {
	var list []property
	var rest any
	for _, m := range members {
		if strings.HasPrefix(m.Name, "[") {
			rest = s.of(m.Returns)
			continue
		}
		if m.Kind != code.Property || m.Static || m.Visibility == code.Private {
			continue
		}
		list = append(list, s.tsProperty(m.Name, m.Returns, m.Optional))
	}
	return structure(list, rest)
}

// tsProperty returns a property; one that may be undefined is optional.
func (s scope) tsProperty(name, text string, optional bool) property {
	parts := split(text, "|")
	kept := slices.DeleteFunc(slices.Clone(parts), func(p string) bool { return p == "undefined" })
	if len(kept) < len(parts) && len(kept) > 0 {
		optional, text = true, strings.Join(kept, " | ")
	}
	return property{name, optional, s.of(text)}
}
