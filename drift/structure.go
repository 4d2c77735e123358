package drift

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// structure returns the members of a type of TypeScript as those of an object: its own, and those that a declared interface has and extends.
// It is false for a class, whose private members count, and for what is not all known.
func (h compatRules) structure(t code.Type, depth int) (object code.Type, ok bool) {
	if t.Form == code.ObjectType {
		return t, true
	}
	s, read := h.declaration(t)
	if s == nil || s.Kind != code.Interface || depth <= 0 {
		return code.Type{}, false
	}
	object = code.Type{Form: code.ObjectType}
	for i := range s.Members {
		f, known := fieldOf(&s.Members[i], read)
		if !known || slices.ContainsFunc(object.Fields, func(o code.TypeField) bool { return o.Name == f.Name }) {
			return code.Type{}, false
		}
		object.Fields = append(object.Fields, f)
	}
	for _, base := range h.parents(t) {
		of, known := h.structure(h.evaluated(base, depth-1), depth-1)
		if !known {
			return code.Type{}, false
		}
		for _, f := range of.Fields {
			if !slices.ContainsFunc(object.Fields, func(o code.TypeField) bool { return o.Name == f.Name }) {
				object.Fields = append(object.Fields, f)
			}
		}
	}
	return worded(object), true
}

// sameStructure reports whether an interface and an alias of TypeScript, which are the same declaration before and now, have the same members.
func (d *differ) sameStructure(p pair, shape, alias *code.Symbol, aliases tsAliases) bool {
	names := parameterNames(shape.TypeParameters)
	if !slices.Equal(names, parameterNames(alias.TypeParameters)) {
		return false
	}
	h := d.knowing(p)
	text := shape.Name
	if len(names) > 0 {
		text += "<" + strings.Join(names, ", ") + ">"
	}
	members, ok := h.structure(h.read(text), maxStructure)
	body := h.read(aliases.spell(uncommented(bodyOf(alias))))
	return ok && h.assignable(members, body, maxDepth) && h.assignable(body, members, maxDepth)
}

// enumerates reports whether an enumeration has the values of the object that was declared under its name: the values of an enumeration can
// be used as the texts that they are.
func (d *differ) enumerates(p pair) bool {
	if p.old.Kind != code.Const && p.old.Kind != code.Variable {
		return false
	}
	h := d.knowing(p)
	was := h.evaluated(d.types.Of(p.compat.name, d.tsAliases(d.base, p.old).spell(uncommented(p.old.Returns))), maxDepth)
	return was.Form == code.ObjectType && len(was.Fields) > 0 && !slices.ContainsFunc(was.Fields, func(f code.TypeField) bool {
		return !slices.ContainsFunc(p.now.Members, func(m code.Symbol) bool {
			return m.Name == f.Name && f.Type.Form == code.LiteralType && strings.Trim(m.Value, `'"`) == strings.Trim(f.Type.Name, `'"`)
		})
	})
}

// fieldOf returns a property, a method with one signature or an index signature of an interface as a member of an object type.
func fieldOf(m *code.Symbol, read func(text string) code.Type) (f code.TypeField, ok bool) {
	f = code.TypeField{Name: m.Name, Optional: m.Optional}
	switch {
	case strings.HasPrefix(m.Name, "[") && m.Returns != "":
		f.Name, f.Type = "[key: "+strings.Trim(m.Name, "[]")+"]", read(m.Returns)
	case (m.Kind == code.Property || m.Kind == code.Getter) && m.Returns != "":
		f.Type = read(m.Returns)
	case m.Kind == code.Method && len(m.Overloads) == 0 && m.Returns != "" && !callSignature(m):
		var list []string
		for _, q := range m.Params {
			list = append(list, map[bool]string{true: "..."}[q.Variadic]+q.Name+map[bool]string{true: "?"}[q.Optional]+": "+orAnything(q.Type))
		}
		head := ""
		if len(m.TypeParameters) > 0 {
			head = "<" + strings.Join(m.TypeParameters, ", ") + ">"
		}
		f.Type = read(head + "(" + strings.Join(list, ", ") + ") => " + m.Returns)
		return f, f.Type.Form == code.FuncType
	default:
		return f, false
	}
	return f, f.Type.Text != ""
}

func orAnything(text string) string {
	if text == "" {
		return "any"
	}
	return text
}

// maxStructure limits how deep types are compared by the members of their declarations.
const maxStructure = 4

// sameMembers reports whether a value of a type has the members of an interface or an object, whatever they are called.
func (h compatRules) sameMembers(from, to code.Type, depth int) bool {
	if depth < maxDepth-maxStructure || from.Form == code.ObjectType && to.Form == code.ObjectType {
		return false
	}
	a, ok := h.structure(from, maxStructure)
	if !ok {
		return false
	}
	b, ok := h.structure(to, maxStructure)
	return ok && len(b.Fields) > 0 && h.hasFields(a, b, depth)
}

// unqualified writes a type of TypeScript without the names of namespaces of the same package: Name.Type is Type, wherever it is declared.
func unqualified(side *code.Skeleton, text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	words := split(text)
	var out []string
	for i := 0; i < len(words); i++ {
		if i+2 < len(words) && words[i+1] == "." && (i == 0 || words[i-1] != ".") {
			of := typeNamed(side, nil, words[i])
			if of != nil && slices.ContainsFunc(of.Members, func(m code.Symbol) bool { return m.Name == words[i+2] && group(m.Kind) == "type" }) {
				i++ // the point
				continue
			}
		}
		out = append(out, words[i])
	}
	if len(out) == len(words) {
		return text
	}
	return joined(out)
}
