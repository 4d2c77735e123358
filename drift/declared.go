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
		if s := typeNamed(d.now, p.now, name); s != nil {
			return s, func(text string) code.Type { return d.types.Of(h.name, now.spell(uncommented(text))) }
		}
		if s := typeNamed(d.base, p.old, name); s != nil {
			return s, func(text string) code.Type { return d.types.Of(h.name, before.spell(uncommented(text))) }
		}
		s, aliases := d.nearby(d.now, p.now, name)
		if s == nil {
			s, aliases = d.nearby(d.base, p.old, name)
		}
		return s, func(text string) code.Type { return d.types.Of(h.name, aliases.spell(uncommented(text))) }
	}
	h.assumed = map[string]bool{}
	h.valued = func(name string) code.Type {
		if text := valueNamed(d.now, p.now, name); text != "" {
			return d.types.Of(h.name, now.spell(uncommented(text)))
		}
		return d.types.Of(h.name, before.spell(uncommented(valueNamed(d.base, p.old, name))))
	}
	h.foreign = func(name string) bool {
		return !d.isOwn(d.base, p.old, name) && !d.isOwn(d.now, p.now, name)
	}
	return h
}

// typeNamed returns the class or interface that a declaration of TypeScript sees under a name, in its own file or else in another one; nil
// for none. A class of JavaScript says nothing of types.
func typeNamed(side *code.Skeleton, of *code.Symbol, name string) *code.Symbol {
	var elsewhere *code.Symbol
	for _, list := range [][]code.Symbol{side.Exports, side.Internals} {
		for i := range list {
			s := &list[i]
			switch {
			case s.Name != name || !s.Kind.HoldsMembers() || compatOf(s.File, side.Language).name != "typescript":
			case of == nil || s.File == of.File:
				return s
			case elsewhere == nil:
				elsewhere = s
			}
		}
	}
	return elsewhere
}

// valueNamed returns the written type of the constant or variable that a declaration of TypeScript sees under a name; "" if none is known.
func valueNamed(side *code.Skeleton, of *code.Symbol, name string) string {
	elsewhere := ""
	for _, list := range [][]code.Symbol{side.Exports, side.Internals} {
		for i := range list {
			s := &list[i]
			if s.Name != name || s.Kind != code.Const && s.Kind != code.Variable || compatOf(s.File, side.Language).name != "typescript" {
				continue
			}
			if of == nil || s.File == of.File {
				return s.Returns
			}
			elsewhere = s.Returns
		}
	}
	return elsewhere
}

// isOwn reports whether a name in a declaration is that of a type that the project declares: around it, or in a file that it imports.
func (d *differ) isOwn(side *code.Skeleton, s *code.Symbol, name string) bool {
	if classNamed(side, name) != nil {
		return true
	}
	if _, alias := d.tsAliases(side, s)[name]; alias {
		return true
	}
	return slices.ContainsFunc(side.Imports, func(i code.Import) bool {
		return i.Relative && (s == nil || i.File == s.File) && (slices.Contains(i.Named, name) || slices.Contains(i.Aliases, name) || i.Default == name)
	})
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
	if t.Form != code.OtherType || t.Name != "[]" || len(t.Args) != 2 || t.Args[1].Form != code.LiteralType && !t.Args[1].Is("number") {
		return t
	}
	of, key := h.evaluated(t.Args[0], depth), strings.Trim(t.Args[1].Name, `'"`)
	if t.Args[1].Is("number") {
		if one := elementsOf(of); one.Text != "" {
			return h.evaluated(one, depth)
		}
		return t
	}
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

// memberOf returns the type of a property; the zero value if it is not known.
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

// picked evaluates Pick<T, K> for the properties of a declared type.
func (h compatRules) picked(t, of code.Type, names map[string]bool) code.Type {
	s, read := h.declaration(of)
	if s == nil {
		return t
	}
	out := code.Type{Form: code.ObjectType}
	for i := range s.Members {
		m := &s.Members[i]
		if !names[m.Name] || m.Static {
			continue
		}
		if m.Kind != code.Property && m.Kind != code.Getter || m.Returns == "" {
			return t
		}
		out.Fields = append(out.Fields, code.TypeField{Name: m.Name, Type: read(m.Returns), Optional: m.Optional})
		delete(names, m.Name)
	}
	if len(names) > 0 || len(out.Fields) == 0 { // one is of a base
		return t
	}
	return worded(out)
}

// decided evaluates a conditional type whose condition holds or does not, whatever its type parameters are: [T] extends [unknown],
// A<B> extends A<infer U>, false extends true. Others stay.
func (h compatRules) decided(t code.Type, depth int) code.Type {
	if len(t.Args) != 4 || depth <= 0 {
		return t
	}
	is, of := h.evaluated(t.Args[0], depth), t.Args[1]
	if is.Form == code.TupleType && of.Form == code.TupleType && len(is.Fields) == len(of.Fields) {
		if slices.ContainsFunc(of.Fields, func(f code.TypeField) bool { return !f.Type.Is("any", "unknown") }) {
			return t
		}
		return h.evaluated(t.Args[2], depth)
	}
	if found, ok := h.matched(is, of); ok {
		return h.evaluated(t.Args[2].Bind(found), depth)
	}
	if h.apart(is, of, depth) {
		return h.evaluated(t.Args[3], depth)
	}
	return t
}

// apart reports whether no value of a type is one of another type, as far as that is plain: two literals, a literal and a primitive that it
// is not of, 0 and 1 & T, by which types are asked whether T is any, and a declared type without a member that another one has.
func (h compatRules) apart(is, of code.Type, depth int) bool {
	switch {
	case is.Form == code.LiteralType && of.Form == code.IntersectionType:
		return slices.ContainsFunc(of.Args, func(t code.Type) bool { return h.apart(is, t, depth) }) &&
			!slices.ContainsFunc(of.Args, func(t code.Type) bool { return t.Is("any") })
	case is.Form == code.LiteralType:
		plain := of.Form == code.LiteralType || of.Is("string", "number", "boolean", "symbol", "bigint", "null", "undefined")
		return plain && !h.covers([]code.Type{of}, []code.Type{is})
	}
	if is.Is("boolean") && of.Form == code.OtherType && of.Name == "?" && len(of.Args) == 4 { // any is both of T extends never ? true : false
		return of.Args[2].Form == code.LiteralType && of.Args[3].Form == code.LiteralType
	}
	return h.lacksMember(is, of, depth)
}

// lacksMember reports whether a declared type has not a member that another one demands, where all members of both are known.
func (h compatRules) lacksMember(is, of code.Type, depth int) bool {
	required, all := h.membersOf(of, depth)
	known, complete := h.membersOf(is, depth)
	return all && complete && slices.ContainsFunc(required, func(name string) bool {
		return !strings.HasSuffix(name, "?") && !slices.Contains(known, name) && !slices.Contains(known, name+"?")
	})
}

// membersOf returns the names of the members of a declared type and of those that it extends, with ? for those that may be left out, and
// whether these are all.
func (h compatRules) membersOf(t code.Type, depth int) (names []string, all bool) {
	s, _ := h.declaration(t)
	if s == nil || depth == 0 {
		return nil, false
	}
	for i := range s.Members {
		m := &s.Members[i]
		if !m.Static && m.Kind != code.Constructor {
			names = append(names, m.Name+map[bool]string{true: "?"}[m.Optional])
		}
	}
	for _, base := range h.parents(t) {
		more, known := h.membersOf(base, depth-1)
		if !known {
			return nil, false
		}
		names = append(names, more...)
	}
	return names, true
}

// matched returns what a pattern of a type with arguments infers from a type of the same name, if that is all that it demands.
func (h compatRules) matched(is, of code.Type) (found map[string]code.Type, ok bool) {
	if is.Form != code.NamedType || of.Form != code.NamedType || is.Name != of.Name || len(is.Args) != len(of.Args) || len(is.Args) == 0 {
		return nil, false
	}
	found = map[string]code.Type{}
	for i, a := range of.Args {
		switch {
		case a.Form == code.OtherType && a.Name == "infer" && len(a.Args) == 1:
			found[a.Args[0].Name] = is.Args[i]
		case h.key(a) != h.key(is.Args[i]) && !a.Is("any", "unknown"):
			return nil, false
		}
	}
	return found, true
}
