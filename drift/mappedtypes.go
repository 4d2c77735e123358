package drift

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// mappedOver evaluates { [K in U as N]: V } for a union of known types, or of the names of an object's members; what cannot be evaluated
// stays as it is.
func (h compatRules) mappedOver(t code.Type, depth int) code.Type {
	if len(t.Args) != 2 || len(t.Fields) != 1 || t.Args[1].Text == "" || depth == 0 {
		return t
	}
	key, of := t.Fields[0], t.Args[0]
	was := h.keyedBy(of, depth)
	out := code.Type{Form: code.ObjectType, At: t.At}
	for _, k := range h.alternatives(h.expanded(h.evaluated(of, depth-1))) {
		bound := map[string]code.Type{key.Name: k}
		f := code.TypeField{Type: t.Args[1].Bind(bound), Optional: key.Optional}
		named := k
		if key.Type.Text != "" {
			named = h.evaluated(key.Type.Bind(bound), depth-1)
		}
		var ok bool
		if f.Name, ok = h.nameOf(named); !ok || slices.ContainsFunc(out.Fields, func(o code.TypeField) bool { return o.Name == f.Name }) {
			return t
		}
		if i := slices.IndexFunc(was, func(o code.TypeField) bool { return o.Name == f.Name }); i >= 0 {
			f.Optional = f.Optional || was[i].Optional && !key.Variadic
			if looksUp(t.Args[1], of.Args[0], key.Name) {
				f.Type = was[i].Type
			}
		}
		out.Fields = append(out.Fields, f)
	}
	return worded(out)
}

// looksUp reports whether a type is T[K] for the type T and the name K.
func looksUp(t, of code.Type, key string) bool {
	return t.Form == code.OtherType && t.Name == "[]" && len(t.Args) == 2 && t.Args[0].Text == of.Text && t.Args[1].Is(key)
}

// keyedBy returns the members of T for keyof T, whose keys may be left out where they may be in T.
func (h compatRules) keyedBy(t code.Type, depth int) []code.TypeField {
	if t.Form != code.OtherType || t.Name != "keyof" || len(t.Args) != 1 {
		return nil
	}
	object, _ := h.structure(h.evaluated(t.Args[0], depth-1), maxStructure)
	return object.Fields
}

// nameOf returns the name of the member that a type is the key of: a text, or a member of an enumeration that has one.
func (h compatRules) nameOf(t code.Type) (name string, ok bool) {
	t = h.enumerated(t)
	if t.Form != code.LiteralType || !strings.ContainsAny(t.Name[:1], `'"`) {
		return "", false
	}
	return strings.Trim(t.Name, `'"`), true
}

// enumerated returns the text that a member of an enumeration has; another type as it is.
func (h compatRules) enumerated(t code.Type) code.Type {
	of, member, ok := strings.Cut(t.Name, ".")
	if !ok || t.Form != code.NamedType || len(t.Args) > 0 || h.declared == nil {
		return t
	}
	s, _ := h.declared(of)
	if s == nil || s.Kind != code.Enum {
		return t
	}
	i := slices.IndexFunc(s.Members, func(m code.Symbol) bool { return m.Name == member })
	if i < 0 || s.Members[i].Value == "" || !strings.ContainsAny(s.Members[i].Value[:1], `'"`) {
		return t
	}
	return literals([]string{s.Members[i].Value})[0]
}

// expanded returns what an alias stands for, as its file says it; another type as it is. What else it names keeps its name, so that a change
// of that is told there alone.
func (h compatRules) expanded(t code.Type) code.Type {
	if out, ok := h.aliased(t); ok {
		return out
	}
	return t
}

// aliased returns what an alias stands for.
func (h compatRules) aliased(t code.Type) (of code.Type, ok bool) {
	if h.alias == nil || t.Form != code.NamedType {
		return t, false
	}
	alias, ok := h.alias(t.Name)
	if !ok || len(t.Args) > len(alias.params) {
		return t, false
	}
	args := map[string]code.Type{}
	for i, name := range alias.params {
		switch {
		case i < len(t.Args):
			args[name] = t.Args[i]
		case alias.defaults[i] != nil:
			args[name] = h.read(joined(alias.defaults[i])).Bind(args)
		default:
			return t, false
		}
	}
	return h.read(tsAliases{}.spell(alias.body)).Bind(args), true
}
