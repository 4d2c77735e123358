package drift

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// evaluated returns a type of TypeScript with its outermost utility type replaced by what that makes of written types: Partial,
// Required, Readonly, Record, Pick, Omit, NonNullable, Exclude, Extract. What cannot be evaluated stays as it is.
func (h compatRules) evaluated(t code.Type, depth int) code.Type {
	if !h.openTypes || depth == 0 {
		return t
	}
	if t.Form == code.IntersectionType {
		return h.joined(t, depth-1)
	}
	if t.Form == code.OtherType {
		return h.operated(t, depth-1)
	}
	if t.Form != code.NamedType || len(t.Args) == 0 || len(t.Args) > 2 {
		return t
	}
	args := make([]code.Type, len(t.Args))
	for i, a := range t.Args {
		args[i] = h.evaluated(a, depth-1)
	}
	if len(args) == 1 {
		return h.mapped(t, args[0])
	}
	switch t.Name {
	case "Record":
		return h.record(t, args[0], args[1])
	case "Pick", "Omit":
		return h.chosen(t, args[0], args[1])
	case "Exclude", "Extract":
		return h.filtered(t, args[0], args[1])
	}
	return t
}

// operated evaluates a type with an operator.
func (h compatRules) operated(t code.Type, depth int) code.Type {
	text, known := platform[t.Text]
	switch {
	case known && h.read != nil:
		return h.read(text)
	case t.Name == "?":
		return h.decided(t, depth)
	case t.Name == "in":
		return h.mappedOver(t, depth)
	case t.Name == "typeof":
		if of := h.typeOfValue(t); of.Text != "" && depth > 0 {
			return h.evaluated(of, depth)
		}
	case t.Name == "keyof" && len(t.Args) == 1:
		if keys := h.keysOf(h.evaluated(t.Args[0], depth), depth); keys.Text != "" {
			return keys
		}
	}
	return h.looked(t, depth)
}

// platform are the types of functions that every platform has, which packages wrap and name by typeof.
var platform = map[string]string{"typeof globalThis.fetch": fetchType, "typeof fetch": fetchType, "typeof window.fetch": fetchType}

const fetchType = "(input: string | URL | Request, init?: RequestInit) => Promise<Response>"

// joined returns one object for an intersection of objects and interfaces. A member of several of them has all these types.
func (h compatRules) joined(t code.Type, depth int) code.Type {
	out := code.Type{Form: code.ObjectType}
	for _, a := range t.Args {
		a, ok := h.structure(h.evaluated(a, depth), min(depth, maxStructure))
		if !ok {
			return h.primitive(t, depth)
		}
		for _, f := range a.Fields {
			i := slices.IndexFunc(out.Fields, func(o code.TypeField) bool { return o.Name == f.Name })
			switch {
			case i < 0:
				out.Fields = append(out.Fields, f)
			case f.Method || out.Fields[i].Method:
				return t
			case h.key(out.Fields[i].Type) != h.key(f.Type):
				both := []code.Type{out.Fields[i].Type, f.Type}
				out.Fields[i].Type = worded(code.Type{Form: code.IntersectionType, Args: both, At: -1})
				out.Fields[i].Optional = out.Fields[i].Optional && f.Optional
			default:
				out.Fields[i].Optional = out.Fields[i].Optional && f.Optional
			}
		}
	}
	return worded(out)
}

// primitive returns string for string & {}, which editors show suggestions for, and for other primitives alike.
func (h compatRules) primitive(t code.Type, depth int) code.Type {
	var rest []code.Type
	for _, a := range t.Args {
		a = h.evaluated(a, depth)
		empty := a.Form == code.ObjectType && len(a.Fields) == 0 || a.Form == code.NamedType && a.Name == "Record" && len(a.Args) == 2 && a.Args[0].Is("never")
		if !empty && !slices.Contains(h.keys(rest), h.key(a)) {
			rest = append(rest, a)
		}
	}
	if len(rest) == 1 && len(rest) < len(t.Args) && rest[0].Is("string", "number", "symbol", "bigint") {
		return rest[0]
	}
	return t
}

// mapped evaluates a utility type with one argument.
func (h compatRules) mapped(t, of code.Type) code.Type {
	known := false
	switch t.Name {
	case "Partial", "Required", "Readonly":
		if of, known = h.structure(of, maxStructure); !known {
			return t
		}
		of.Fields = slices.Clone(of.Fields)
		for i := range of.Fields {
			switch t.Name {
			case "Partial":
				of.Fields[i].Optional = of.Fields[i].Optional || !isIndex(of.Fields[i])
			case "Required":
				of.Fields[i].Optional = false
			}
		}
		return worded(of)
	case "NonNullable":
		return h.filtered(t, of, code.Type{Form: code.UnionType, Args: []code.Type{plainType("null"), plainType("undefined")}})
	}
	return t
}

// record evaluates Record<K, V>. Next to all names, single ones say nothing new.
func (h compatRules) record(t, keys, value code.Type) code.Type {
	out := code.Type{Form: code.ObjectType, At: t.At}
	list := slices.Clone(h.alternatives(keys))
	for i, k := range list {
		list[i] = h.evaluated(k, 2)
		if list[i].Is("string", "number", "symbol") {
			out.Fields = []code.TypeField{{Name: "[key: " + list[i].Name + "]", Type: value}}
			return worded(out)
		}
	}
	for _, k := range list {
		switch {
		case k.Form == code.LiteralType && strings.ContainsAny(k.Name[:1], `'"`):
			out.Fields = append(out.Fields, code.TypeField{Name: strings.Trim(k.Name, `'"`), Type: value})
		default:
			return t
		}
	}
	return worded(out)
}

// chosen evaluates Pick<T, K> and Omit<T, K>.
func (h compatRules) chosen(t, of, keys code.Type) code.Type {
	names := map[string]bool{}
	for _, k := range h.alternatives(keys) {
		if k.Form != code.LiteralType {
			return t
		}
		names[strings.Trim(k.Name, `'"`)] = true
	}
	if of.Form != code.ObjectType {
		if t.Name == "Pick" {
			return h.picked(t, of, names)
		}
		return t
	}
	of.Fields = slices.DeleteFunc(slices.Clone(of.Fields), func(f code.TypeField) bool { return names[f.Name] != (t.Name == "Pick") })
	return worded(of)
}

// filtered evaluates Exclude<T, U> and Extract<T, U> for types whose relation is plain: literals, primitives, null and undefined.
func (h compatRules) filtered(t, of, by code.Type) code.Type {
	var kept []code.Type
	for _, a := range h.alternatives(of) {
		plain := a.Form == code.LiteralType || a.Is("string", "number", "boolean", "symbol", "bigint", "null", "undefined")
		if !plain {
			return t
		}
		if h.covers(h.alternatives(by), []code.Type{a}) == (t.Name == "Extract") {
			kept = append(kept, a)
		}
	}
	switch len(kept) {
	case 0:
		return plainType("never")
	case 1:
		return kept[0]
	}
	return worded(code.Type{Form: code.UnionType, Args: kept, At: -1})
}

func plainType(name string) code.Type {
	return code.Type{Form: code.NamedType, Name: name, Text: name}
}

// worded returns a type that was made of others with a text that says so.
func worded(t code.Type) code.Type {
	t.At, t.Text = 0, ""
	if t.Form == code.UnionType || t.Form == code.IntersectionType {
		t.Args = slices.Clone(t.Args)
		for i, a := range t.Args {
			if i > 0 {
				t.Text += map[bool]string{true: " | ", false: " & "}[t.Form == code.UnionType]
			}
			t.Args[i] = a.MovedTo(len(t.Text))
			t.Text += a.Text
		}
		return t
	}
	t.Fields = slices.Clone(t.Fields)
	for i, f := range t.Fields {
		t.Text += map[bool]string{true: "{ ", false: "; "}[i == 0] + f.Name + map[bool]string{true: "?"}[f.Optional] + ": "
		t.Fields[i].Type = f.Type.MovedTo(len(t.Text))
		t.Text += f.Type.Text
	}
	t.Text += " }"
	return t
}

// isIndex reports whether a member of an object type stands for all names.
func isIndex(f code.TypeField) bool {
	return strings.HasPrefix(f.Name, "[") && strings.Contains(f.Name, ":")
}
