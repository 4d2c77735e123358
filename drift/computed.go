package drift

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// typeOfValue returns the type of a declared constant or variable, as written, for typeof X; the zero value if that is not known.
func (h compatRules) typeOfValue(t code.Type) code.Type {
	name, ok := strings.CutPrefix(t.Text, "typeof ")
	if !ok || h.valued == nil {
		return code.Type{}
	}
	return h.valued(strings.TrimSpace(name))
}

// keysOf returns the union of the names of an object's members, for keyof T; the zero value if they are not all known.
func (h compatRules) keysOf(of code.Type, depth int) code.Type {
	var names []string
	switch of.Form {
	case code.ObjectType:
		for _, f := range of.Fields {
			if isIndex(f) || f.Name == "" || strings.HasPrefix(f.Name, "[") {
				return code.Type{}
			}
			names = append(names, f.Name)
		}
	default:
		list, all := h.membersOf(of, depth)
		if !all || slices.ContainsFunc(list, func(n string) bool { return strings.ContainsAny(n, "[(") }) {
			return code.Type{}
		}
		for _, name := range list {
			names = append(names, strings.TrimSuffix(name, "?"))
		}
	}
	return unionOf(literals(names))
}

func literals(names []string) []code.Type {
	out := make([]code.Type, len(names))
	for i, name := range names {
		text := `"` + strings.Trim(name, `'"`) + `"`
		out[i] = code.Type{Form: code.LiteralType, Name: text, Text: text}
	}
	return out
}

// unionOf returns the union of types; never for none.
func unionOf(list []code.Type) code.Type {
	switch len(list) {
	case 0:
		return plainType("never")
	case 1:
		return list[0]
	}
	return worded(code.Type{Form: code.UnionType, Args: list, At: -1})
}

// elementsOf returns the type of the elements of an array or a tuple, for T[number]; the zero value for another type.
func elementsOf(t code.Type) code.Type {
	switch {
	case t.Form == code.OtherType && t.Name == "readonly" && len(t.Args) == 1:
		return elementsOf(t.Args[0])
	case t.Form == code.ListType && len(t.Args) == 1, t.Form == code.NamedType && len(t.Args) == 1 && (t.Name == "Array" || t.Name == "ReadonlyArray"):
		return t.Args[0]
	case t.Form != code.TupleType:
		return code.Type{}
	}
	var list []code.Type
	for _, f := range t.Fields {
		one := given(f)
		if f.Variadic {
			one = elementsOf(f.Type)
		}
		if one.Text == "" {
			return code.Type{}
		}
		list = append(list, one)
	}
	return unionOf(list)
}
