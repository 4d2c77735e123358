package schema

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Rust: serde's form of types that derive Serialize or Deserialize. An Option is optional and
// nullable.

func rustData(_ *book, t *decl) bool {
	return t.Kind != code.TypeDef && slices.ContainsFunc(t.Decorators, func(d string) bool {
		name, args := call(d)
		return name == "derive" && slices.ContainsFunc([]string{"Serialize", "Deserialize"}, func(trait string) bool {
			for _, a := range args {
				if a[strings.LastIndexByte(a, ':')+1:] == trait {
					return true
				}
			}
			return false
		})
	})
}

// serde returns the serde attributes of an item by key; "" for a key without value.
func serde(s *code.Symbol) map[string]string {
	out := map[string]string{}
	for _, d := range s.Decorators {
		name, args := call(d)
		if name != "serde" {
			continue
		}
		for key, value := range args {
			if key[0] >= '0' && key[0] <= '9' {
				key, value = value, ""
			}
			if inner, nested := call(key); len(nested) > 0 { // rename(serialize = "a")
				key, value = inner, or(nested["serialize"], nested["deserialize"])
			}
			out[key] = strings.Trim(value, `"`)
		}
	}
	return out
}

func has(attributes map[string]string, names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		_, ok := attributes[n]
		return ok
	})
}

func rustDefine(s scope) (object, bool) {
	if s.decl.Kind == code.TypeDef {
		return s.ofText(s.decl.Value), s.decl.Value != ""
	}
	attributes := serde(s.decl.Symbol)
	switch {
	case !rustData(s.book, s.decl) || has(attributes, "remote"):
		return nil, false
	case has(attributes, "from", "into", "try_from"):
		return s.ofText(or(or(attributes["into"], attributes["from"]), attributes["try_from"])), true
	case s.decl.Kind == code.Enum:
		return s.rustEnum(attributes), true
	}
	return s.rustStruct(attributes), true
}

func (s scope) rustStruct(attributes map[string]string) object {
	fields := slices.DeleteFunc(slices.Clone(s.decl.Members), func(m code.Symbol) bool { return m.Kind != code.Property })
	switch {
	case len(fields) == 0: // struct A; or struct A {}
		return object{{"type", []string{"object", "null"}}}
	case has(attributes, "transparent") && len(fields) > 0, len(fields) == 1 && fields[0].Name == "0":
		return s.ofText(fields[0].Returns)
	case fields[0].Name == "0":
		var items []object
		for _, f := range fields {
			items = append(items, s.ofText(f.Returns))
		}
		return tuple(items)
	}
	return s.rustFields(fields, attributes)
}

// rustFields returns a struct with named fields.
func (s scope) rustFields(fields []code.Symbol, attributes map[string]string) object {
	var list []property
	var flattened []object
	var rest any // of a flattened map
	for i := range fields {
		f := serde(&fields[i])
		switch {
		case has(f, "skip"):
		case has(f, "flatten"):
			n, values := s.rustFlattened(fields[i].Returns)
			if n != nil {
				flattened = append(flattened, n)
			}
			if values != nil {
				rest = values
			}
		default:
			list = append(list, s.rustField(&fields[i], f, attributes))
		}
	}
	switch {
	case len(flattened) > 0 && rest != nil: // a flattened map does not contain the names of flattened structures
		return append(also(flattened, structure(list, nil)), member{"unevaluatedProperties", rest})
	case len(flattened) == 0 && rest == nil && has(attributes, "deny_unknown_fields"):
		rest = false
	}
	return also(flattened, structure(list, rest))
}

// rustFlattened returns what a flattened field adds: the members of another structure,
// optional if in an Option, or the values of a map.
func (s scope) rustFlattened(text string) (n object, values any) {
	n = s.ofText(text)
	if plain := notNull(n); compact(plain) != compact(n) {
		return anyOf([]object{plain, typed("object")}), nil
	}
	if values = n.get("additionalProperties"); values != nil {
		return nil, values
	}
	return n, nil
}

// rustField returns a field of a struct; f are its attributes, owner those of the struct.
func (s scope) rustField(m *code.Symbol, f, owner map[string]string) property {
	t := s.read(m.Returns)
	p := property{name: rename(strings.TrimPrefix(m.Name, "r#"), owner["rename_all"]), schema: s.of(t)}
	p.name = or(f["rename"], p.name)
	p.optional = t.Last() == "Option" || has(f, "default", "skip_serializing_if", "skip_serializing", "skip_deserializing") || has(owner, "default")
	if has(f, "with", "serialize_with", "deserialize_with", "getter") {
		p.schema = unknown(m.Returns + ": a function of its own writes it")
	}
	return p
}

// rustEnum returns one of the variants, tagged as the attributes say: externally, internally,
// adjacently or untagged.
func (s scope) rustEnum(attributes map[string]string) object {
	var list []object
	for i := range s.decl.Members {
		m := &s.decl.Members[i]
		v := serde(m)
		if m.Kind != code.EnumMember || has(v, "skip") {
			continue
		}
		name := or(v["rename"], rename(m.Name, attributes["rename_all"]))
		list = append(list, s.rustVariant(m, name, attributes))
	}
	return anyOf(list)
}

func (s scope) rustVariant(m *code.Symbol, name string, attributes map[string]string) object {
	content, unit := s.rustContent(m)
	label := enum([]any{name})
	tag, tagged := attributes["tag"]
	beside, adjacent := attributes["content"]
	switch {
	case has(attributes, "untagged"):
		return content
	case tagged && adjacent:
		list := []property{{tag, false, label}}
		if !unit {
			list = append(list, property{beside, false, content})
		}
		return structure(list, nil)
	case tagged:
		own := structure([]property{{tag, false, label}}, nil)
		if unit {
			return own
		}
		return also([]object{content}, own)
	case unit:
		return label
	}
	return structure([]property{{name, false, content}}, false)
}

// rustContent returns the content of a variant; unit is true if it has none.
func (s scope) rustContent(m *code.Symbol) (content object, unit bool) {
	var items []object
	var list []property
	for _, p := range m.Params {
		t := s.read(p.Type)
		n := s.of(t)
		items = append(items, n)
		list = append(list, property{p.Name, t.Last() == "Option", n})
	}
	switch {
	case strings.Contains(m.Signature, "{"):
		return structure(list, nil), false
	case len(items) == 0:
		return typed("null"), true
	case len(items) == 1:
		return items[0], false
	}
	return tuple(items), false
}
