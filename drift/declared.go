package drift

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// knowing returns the rules of a pair's language with what the declarations around the pair say of types of TypeScript.
func (d *differ) knowing(p pair) compatRules {
	h := p.compat
	h.read = func(text string) code.Type {
		if text == "" {
			return code.Type{}
		}
		return d.types.Of(h.name, text)
	}
	before, now := d.tsAliases(d.base, p.old), d.tsAliases(d.now, p.now)
	h.declared = func(name string) (*code.Symbol, func(text string) code.Type) {
		if s := classNamed(d.now, name); s != nil && s.Name == name {
			return s, func(text string) code.Type { return d.types.Of(h.name, now.spell(uncommented(text))) }
		}
		if s := classNamed(d.base, name); s != nil && s.Name == name {
			return s, func(text string) code.Type { return d.types.Of(h.name, before.spell(uncommented(text))) }
		}
		return nil, nil
	}
	return h
}

// declaration returns what is declared under the name of a type, a function that reads types in it, and its type arguments; nil if it is
// not known.
func (h compatRules) declaration(t code.Type) (s *code.Symbol, read func(text string) code.Type) {
	if h.declared == nil || t.Form != code.NamedType {
		return nil, nil
	}
	s, types := h.declared(t.Name)
	if s == nil || s.Kind != code.Class && s.Kind != code.Interface {
		return nil, nil
	}
	args, ok := argumentsOf(s, t, types)
	if !ok {
		return nil, nil
	}
	return s, func(text string) code.Type { return types(text).Bind(args) }
}

// argumentsOf returns the type arguments of a type by the names of the parameters of its declaration, the defaults for those that are not
// written.
func argumentsOf(s *code.Symbol, t code.Type, types func(text string) code.Type) (args map[string]code.Type, ok bool) {
	args = map[string]code.Type{}
	for i, name := range parameterNames(s.TypeParameters) {
		_, fallback := bounds(s.TypeParameters[i])
		switch {
		case i < len(t.Args):
			args[name] = t.Args[i]
		case fallback != "":
			args[name] = types(fallback).Bind(args)
		default:
			return nil, false
		}
	}
	return args, len(t.Args) <= len(s.TypeParameters)
}

// parents returns the types that a declared type of TypeScript extends.
func (h compatRules) parents(t code.Type) []code.Type {
	s, read := h.declaration(t)
	if s == nil {
		return nil
	}
	var out []code.Type
	for _, text := range s.Bases {
		out = append(out, read(text))
	}
	return out
}

// looked evaluates T["k"] for a declared type or an object; what is not known stays.
func (h compatRules) looked(t code.Type, depth int) code.Type {
	if t.Form != code.OtherType || t.Name != "[]" || len(t.Args) != 2 || t.Args[1].Form != code.LiteralType {
		return t
	}
	of, key := h.evaluated(t.Args[0], depth), strings.Trim(t.Args[1].Name, `'"`)
	if found := h.memberOf(of, key, depth); found.Text != "" {
		return h.evaluated(found, depth)
	}
	if of.Text == t.Args[0].Text {
		return t
	}
	t.Args = []code.Type{of, t.Args[1]}
	return rewordedLookup(t)
}

// rewordedLookup returns a type T["k"] whose T is another one with the text that it has then.
func rewordedLookup(t code.Type) code.Type {
	of := t.Args[0].MovedTo(0)
	t.At, t.Text = 0, of.Text+"["
	index := t.Args[1].MovedTo(len(t.Text))
	t.Text += index.Text + "]"
	t.Args = []code.Type{of, index}
	return t
}

// memberOf returns the type of a member that is no method; the zero value if it is not known.
func (h compatRules) memberOf(t code.Type, key string, depth int) code.Type {
	if depth == 0 {
		return code.Type{}
	}
	if t.Form == code.ObjectType {
		i := slices.IndexFunc(t.Fields, func(f code.TypeField) bool { return f.Name == key && !f.Method && !f.Optional })
		if i < 0 {
			return code.Type{}
		}
		return t.Fields[i].Type
	}
	s, read := h.declaration(t)
	if s == nil {
		return code.Type{}
	}
	for i := range s.Members {
		m := &s.Members[i]
		if m.Name == key && !m.Static {
			if m.Optional || m.Kind != code.Property && m.Kind != code.Getter {
				return code.Type{}
			}
			return read(m.Returns)
		}
	}
	for _, base := range h.parents(t) {
		if found := h.memberOf(base, key, depth-1); found.Text != "" {
			return found
		}
	}
	return code.Type{}
}
