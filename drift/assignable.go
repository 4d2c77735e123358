package drift

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// relateStructure compares two types of TypeScript by what can be assigned to what, as far as they are written out.
func (d *differ) relateStructure(p pair, was, is string) relation {
	a := d.types.Of(p.compat.name, d.tsAliases(d.base, p.old).spell(was))
	b := d.types.Of(p.compat.name, d.tsAliases(d.now, p.now).spell(is))
	h := d.knowing(p)
	r := h.related(a, b)
	if r == otherType || r == wider {
		if named := d.relateNamed(p, was, is); r == otherType || named == sameType || named == narrower {
			return named
		}
	}
	return r
}

// maxDepth limits how deep types are compared.
const maxDepth = 12

// assignable reports whether a value of a type is one of another type. Names of which nothing is known are assignable to themselves alone.
func (h compatRules) assignable(from, to code.Type, depth int) bool {
	if depth == 0 || h.stopped != nil && h.stopped() {
		return false
	}
	if answer, ok := h.assignableAliases(from, to, depth); ok {
		return answer
	}
	return h.assignableTypes(h.evaluated(from, maxDepth), h.evaluated(to, maxDepth), depth)
}

// assignableTypes is assignable for types that are no aliases.
func (h compatRules) assignableTypes(from, to code.Type, depth int) bool {
	if answer, plain := h.assignablePlainly(from, to); plain {
		return answer
	}
	switch {
	case from.Form == code.UnionType || from.Form == code.NullableType:
		return !slices.ContainsFunc(h.alternatives(from), func(t code.Type) bool { return !h.assignable(t, to, depth-1) })
	case to.Form == code.UnionType || to.Form == code.NullableType:
		return h.covers(h.alternatives(to), []code.Type{from}) ||
			slices.ContainsFunc(h.alternatives(to), func(t code.Type) bool { return h.assignable(from, t, depth-1) })
	case to.Form == code.IntersectionType:
		return !slices.ContainsFunc(to.Args, func(t code.Type) bool { return !h.assignable(from, t, depth-1) && !anyObject(t, to.Args) })
	case from.Form == code.IntersectionType:
		return slices.ContainsFunc(from.Args, func(t code.Type) bool { return h.assignable(t, to, depth-1) })
	case from.Form == code.LiteralType:
		return h.covers([]code.Type{to}, []code.Type{from})
	case from.Form == code.NamedType && h.extends[from.Name].Text != "":
		return h.assignable(h.extends[from.Name], to, depth-1)
	case from.Form != to.Form:
		return h.sameMembers(from, to, depth-1)
	}
	return h.assignableParts(from, to, depth-1)
}

// assignablePlainly compares two types that are the same, or of which one is anything or nothing.
func (h compatRules) assignablePlainly(from, to code.Type) (answer, plain bool) {
	switch {
	case from.Is("unknown") && to.Is("any"):
		return h.taking || h.loose, true
	case h.key(from) == h.key(to), to.Is("any", "unknown"), from.Is("any", "never"), from.Is("undefined") && to.Is("void"):
		return true, true
	}
	return false, false
}

// assignableParts compares two types of the same form by their parts.
func (h compatRules) assignableParts(from, to code.Type, depth int) bool {
	switch from.Form {
	case code.FuncType:
		return h.callableAs(from, to, depth)
	case code.ObjectType:
		return h.hasFields(from, to, depth)
	case code.ListType:
		return len(from.Args) == 1 && len(to.Args) == 1 && h.assignable(from.Args[0], to.Args[0], depth)
	case code.TupleType:
		return len(from.Fields) == len(to.Fields) && h.fieldsFit(from.Fields, to.Fields, depth)
	case code.NamedType:
		return h.sameProducer(from, to, depth)
	case code.OtherType:
		return h.assignableOperators(from, to, depth)
	case code.PointerType, code.NullableType, code.MapType, code.UnionType, code.IntersectionType, code.LiteralType:
	}
	return false
}

// assignableOperators compares types that are computed from others: readonly T[], and guards (x is T).
func (h compatRules) assignableOperators(from, to code.Type, depth int) bool {
	if from.Name != to.Name || len(from.Args) != len(to.Args) {
		return false
	}
	if len(from.Args) == 1 {
		return h.assignableOperand(from, to, depth)
	}
	switch {
	case from.Name == "[]" && len(from.Args) == 2: // T["k"]
		return h.key(from.Args[1]) == h.key(to.Args[1]) && h.assignable(from.Args[0], to.Args[0], depth) && h.assignable(to.Args[0], from.Args[0], depth)
	case from.Name == "?" && len(from.Args) == 4:
		return h.assignableBranches(from, to, depth)
	case from.Name == "is" && len(from.Args) == 2: // the first one is a parameter
		return h.assignable(from.Args[1], to.Args[1], depth) && h.assignable(to.Args[1], from.Args[1], depth)
	}
	return false
}

// assignableBranches compares two types that a condition decides: the condition must be the same.
func (h compatRules) assignableBranches(from, to code.Type, depth int) bool {
	same := h.key(from.Args[0]) == h.key(to.Args[0]) && h.key(from.Args[1]) == h.key(to.Args[1])
	return same && h.assignable(from.Args[2], to.Args[2], depth) && h.assignable(from.Args[3], to.Args[3], depth)
}

// assignableOperand compares two types of one operator with one operand.
func (h compatRules) assignableOperand(from, to code.Type, depth int) bool {
	a, b := from.Args[0], to.Args[0]
	switch from.Name {
	case "readonly", "asserts":
		return h.assignable(a, b, depth)
	case "keyof": // the more members a type has, the more keys
		return h.assignable(b, a, depth)
	case "new":
		same := strings.HasPrefix(from.Text, "abstract") == strings.HasPrefix(to.Text, "abstract")
		return same && h.callableShape(shape{fields: from.Fields, result: a}, shape{fields: to.Fields, result: b}, depth)
	}
	return false
}

// sameProducer compares two named types.
func (h compatRules) sameProducer(from, to code.Type, depth int) bool {
	anything := func(list []code.Type) bool {
		return !slices.ContainsFunc(list, func(t code.Type) bool { return !t.Is("any") && squeeze(t.Text) != "any[]" })
	}
	if from.Name == to.Name && len(from.Args)*len(to.Args) == 0 && h.openTypes && anything(slices.Concat(from.Args, to.Args)) {
		return true
	}
	if len(from.Args)+len(to.Args) == 0 && to.Name != "" && slices.Contains(kindOfs[from.Name], to.Name) {
		return true
	}
	if from.Name == to.Name {
		if answer, ok := h.sameName(from, to, depth); ok {
			return answer
		}
	}
	return slices.ContainsFunc(h.parents(from), func(base code.Type) bool { return h.assignable(base, to, depth) }) || h.sameMembers(from, to, depth)
}

// sameName compares two types of one name, if their type arguments decide it.
func (h compatRules) sameName(from, to code.Type, depth int) (answer, ok bool) {
	switch {
	case len(from.Args)*len(to.Args) == 0 && h.foreign != nil && h.foreign(from.Name):
		return true, true // a compiler writes the defaults of type parameters, or does not
	case len(from.Args) == len(to.Args):
		return h.argumentsFit(from, to, depth) || h.membersFit(from, to, depth), len(to.Args) > 0
	}
	return true, h.membersFit(from, to, depth) // with defaults
}

// anyObject reports whether a part of an intersection has only members that may be left out and be anything: every value of the other
// parts is one of it.
func anyObject(t code.Type, parts []code.Type) bool {
	open := t.Form == code.ObjectType && len(t.Fields) > 0 && !slices.ContainsFunc(t.Fields, func(f code.TypeField) bool {
		return !f.Optional || !f.Type.Is("any", "unknown")
	})
	return open && slices.ContainsFunc(parts, func(o code.Type) bool { return o.Form == code.NamedType })
}

// argumentsFit compares the type arguments of two types of one name: where nothing else is known of it, they have to be the same.
func (h compatRules) argumentsFit(from, to code.Type, depth int) bool {
	gives := slices.Contains(producers, from.Name)
	if s, _ := h.declaration(from); s != nil { // it may take what it does not give
		h.loose = h.loose || !gives
	}
	return !slices.ContainsFunc(indexesOf(from.Args), func(i int) bool {
		return !h.assignable(from.Args[i], to.Args[i], depth) || !gives && !h.assignable(to.Args[i], from.Args[i], depth)
	})
}

// kindOfs are well-known classes whose objects are objects of another one, too.
var kindOfs = map[string][]string{
	"Buffer": {"Uint8Array", "NodeJS.TypedArray", "NodeJS.ArrayBufferView", "ArrayBufferView"}, "TypeError": {"Error"}, "RangeError": {"Error"}, "SyntaxError": {"Error"},
	"File": {"Blob"}, "Uint8Array": {"NodeJS.TypedArray", "NodeJS.ArrayBufferView", "ArrayBufferView"}, "NodeJS.TypedArray": {"NodeJS.ArrayBufferView", "ArrayBufferView"},
	"DataView": {"NodeJS.ArrayBufferView", "ArrayBufferView"},
}

// producers are generic types whose values only give values of their arguments.
var producers = []string{"Promise", "PromiseLike", "Array", "ReadonlyArray", "Iterable", "AsyncIterable", "Readonly", "Partial"}

func indexesOf(list []code.Type) []int {
	out := make([]int, len(list))
	for i := range list {
		out[i] = i
	}
	return out
}

// callableAs reports whether a function can be called as one of another type: it takes the arguments and gives the result.
func (h compatRules) callableAs(from, to code.Type, depth int) bool {
	if len(from.Args) != 1 || len(to.Args) != 1 {
		return false
	}
	return h.callableShape(h.shapeOf(from, "From"), h.shapeOf(to, "To"), depth)
}

// given returns the type of the values of a member or parameter: undefined is one of them if it is optional.
func given(f code.TypeField) code.Type {
	if !f.Optional || f.Type.Text == "" {
		return f.Type
	}
	none := code.Type{Form: code.NamedType, Name: "undefined", Text: "undefined"}
	return code.Type{Form: code.UnionType, Args: []code.Type{f.Type, none}, At: -1}
}

// hasFields reports whether an object has the members of another type.
func (h compatRules) hasFields(from, to code.Type, depth int) bool {
	if weak(to) && len(from.Fields) > 0 && !slices.ContainsFunc(from.Fields, func(f code.TypeField) bool { return hasName(to, f.Name) || isIndex(f) }) {
		return false
	}
	return !slices.ContainsFunc(to.Fields, func(want code.TypeField) bool { return !h.hasField(from, want, depth) })
}

// weak reports whether an object type has only members that may be left out: a value without any of them is none of it, as TypeScript has it.
func weak(t code.Type) bool {
	return len(t.Fields) > 0 && !slices.ContainsFunc(t.Fields, func(f code.TypeField) bool { return !f.Optional || isIndex(f) })
}

func hasName(t code.Type, name string) bool {
	return slices.ContainsFunc(t.Fields, func(f code.TypeField) bool { return f.Name == name })
}

// hasField reports whether an object has a member, or is without one that may be left out.
func (h compatRules) hasField(from code.Type, want code.TypeField, depth int) bool {
	i := slices.IndexFunc(from.Fields, func(f code.TypeField) bool { return f.Name == want.Name || isIndex(f) && isIndex(want) })
	if i >= 0 {
		return (!from.Fields[i].Optional || want.Optional) && h.assignable(given(from.Fields[i]), given(want), depth)
	}
	if isIndex(want) { // all that is known of the object is such a value
		return !slices.ContainsFunc(from.Fields, func(f code.TypeField) bool { return f.Method || !h.assignable(given(f), want.Type, depth) })
	}
	return want.Optional
}

// fieldsFit compares elements of tuples in order.
func (h compatRules) fieldsFit(from, to []code.TypeField, depth int) bool {
	for i, f := range from {
		if f.Variadic != to[i].Variadic || f.Optional && !to[i].Optional || !h.assignable(f.Type, to[i].Type, depth) {
			return false
		}
	}
	return true
}

// sameShape reports whether an interface and an alias of TypeScript are the same: the alias is an intersection of the interface's
// bases and an object with its members, or the record that an index signature is.
func (h compatRules) sameShape(shape, alias *code.Symbol, types func(text string) code.Type) bool {
	body := types(bodyOf(alias))
	parts := []code.Type{body}
	if body.Form == code.IntersectionType {
		parts = body.Args
	}
	var bases, literals []string
	for _, t := range parts {
		switch {
		case t.Form == code.ObjectType:
			literals = append(literals, squeeze(t.Text))
		case t.Form == code.NamedType && t.Name == "Record" && len(t.Args) == 2:
			literals = append(literals, "]:"+h.key(t.Args[1])+"}")
		case t.Form == code.NamedType:
			bases = append(bases, h.key(t))
		default:
			return false
		}
	}
	var extends []string
	for _, text := range shape.Bases {
		extends = append(extends, h.key(types(text)))
	}
	slices.Sort(bases)
	slices.Sort(extends)
	text := strings.NewReplacer(";", "", ",", "").Replace(strings.Join(literals, ""))
	return slices.Equal(bases, extends) && !slices.ContainsFunc(shape.Members, func(m code.Symbol) bool {
		sig := strings.NewReplacer(";", "", ",", "").Replace(squeeze(m.Signature))
		if strings.HasPrefix(m.Name, "[") && len(shape.Members) == 1 {
			sig = sig[strings.LastIndex(sig, "]:")+2:] + "}"
		}
		return sig == "" || !strings.Contains(text, sig)
	})
}
