package drift

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// relation compares a type with its former version.
type relation int

const (
	sameType relation = iota
	wider
	narrower
	unknownType // one of them is not written and may be inferred
	otherType
)

// relate compares two types as written.
func (d *differ) relate(p pair, was, is string) relation {
	if p.compat.exact {
		return relateExact(d.goBase.canon(p.old, was), d.goNow.canon(p.now, is))
	}
	was, is = d.comparable(p, was, is)
	if p.compat.openTypes && was != "" && is != "" {
		return d.relateOpen(p, was, is)
	}
	a, b := d.types.Of(p.compat.name, was), d.types.Of(p.compat.name, is)
	switch {
	case p.compat.key(a) == p.compat.key(b):
		return sameType
	case (was == "" || is == "") && p.compat.inferred:
		return unknownType
	case p.compat.erased:
		return d.relateErased(a, b)
	}
	r := otherType
	switch {
	case p.compat.nullable:
		r = p.compat.relateNullable(a, b)
	case p.compat.unions:
		r = p.compat.relateUnions(a, b)
	}
	if r == otherType {
		r = d.relateClasses(p, a, b)
	}
	return r
}

// relateOpen compares two written types of TypeScript.
func (d *differ) relateOpen(p pair, was, is string) relation {
	if was == is && d.redefaulted(p, was) {
		return d.relateStructure(p, was, is)
	}
	a, b := d.types.Of(p.compat.name, was), d.types.Of(p.compat.name, is)
	if p.compat.key(a) == p.compat.key(b) || d.sameAliased(p, was, is) {
		return sameType
	}
	if r := p.compat.relateUnions(a, b); r != otherType {
		return r
	}
	return d.relateStructure(p, was, is)
}

// comparable writes two types without what makes no difference in their language.
func (d *differ) comparable(p pair, was, is string) (before, now string) {
	was, is = d.positioned(p, was, is)
	switch {
	case p.compat.name == "python":
		return anyVariable(d.base, d.inClass(d.base, p.owner, was)), anyVariable(d.now, d.inClass(d.now, p.owner, is))
	case !p.compat.openTypes:
		return was, is
	}
	if p.old != nil && p.now != nil && callable(p.now.Kind) && len(p.old.TypeParameters) == 0 && len(p.now.TypeParameters) > 0 {
		is = erasedParameters(is, p.now.TypeParameters)
	}
	was, is = unqualified(d.base, was), unqualified(d.now, is)
	return inferredByPlace(unconstrained(uncommented(was))), inferredByPlace(unconstrained(uncommented(is)))
}

var noConstraint = lazyregexp.New(`\bextends\s+(?:any|unknown)(\s*(?:[,>=]|$))`)

// unconstrained leaves out the constraints of type parameters that every type meets.
func unconstrained(text string) string { return noConstraint.ReplaceAllString(text, "$1") }

// positioned writes two types with the places of type parameters in place of their names, if these are others.
func (d *differ) positioned(p pair, was, is string) (before, now string) {
	a, b := parametersAround(p.owned, p.old), parametersAround(p.owner, p.now)
	if p.old == nil || p.now == nil || len(a) == 0 || maps.Equal(a, b) {
		return was, is
	}
	return placed(was, a), placed(is, b)
}

// erasedParameters writes a type of a function that became generic with what its callers can pass in place of type parameters: the
// constraints, or anything.
func erasedParameters(text string, parameters []string) string {
	places := map[string]string{}
	for i, name := range parameterNames(parameters) {
		words := split(parameters[i])
		places[name] = "any"
		if at := slices.Index(words, "extends"); at > 0 {
			end := len(words)
			if eq := slices.Index(words, "="); eq > at {
				end = eq
			}
			places[name] = "(" + joined(words[at+1:end]) + ")"
		}
	}
	return placed(text, places)
}

// inferredByPlace writes a type of TypeScript with the places of the types that it infers in place of their names.
func inferredByPlace(text string) string {
	if !strings.Contains(text, "infer ") {
		return text
	}
	places := map[string]string{}
	words := split(text)
	for i, w := range words {
		if i > 0 && words[i-1] == "infer" && places[w] == "" {
			places[w] = "Inferred" + strconv.Itoa(len(places))
		}
	}
	return placed(text, places)
}

// parametersAround returns the type parameters of a declaration and of the type around it, with their places.
func parametersAround(owner, s *code.Symbol) map[string]string {
	out := map[string]string{}
	for depth, around := range []*code.Symbol{owner, s} {
		if around == nil {
			continue
		}
		for i, name := range parameterNames(around.TypeParameters) {
			out[name] = "T" + strconv.Itoa(depth) + "_" + strconv.Itoa(i)
		}
	}
	return out
}

// placed replaces the names of type parameters in a type.
func placed(text string, places map[string]string) string {
	words := split(text)
	changed := false
	for i, w := range words {
		if to := places[w]; to != "" && (i == 0 || words[i-1] != "." && words[i-1] != ":" || i > 1 && words[i-1] == ":" && words[i-2] != ":") {
			words[i], changed = to, true
		}
	}
	if !changed {
		return text
	}
	return joined(words)
}

// sameAliased reports whether two types of TypeScript are the same when their aliases are replaced.
func (d *differ) sameAliased(p pair, was, is string) bool {
	before, now := d.tsAliases(d.base, p.old), d.tsAliases(d.now, p.now)
	key := func(text string) string { return p.compat.key(d.types.Of(p.compat.name, text)) }
	plain := tsAliases{}
	return key(plain.spell(was)) == key(plain.spell(is)) || key(before.spell(was)) == key(now.spell(is))
}

// relateExact compares two Go types in canonical form.
func relateExact(was, is string) relation {
	switch {
	case was == is:
		return sameType
	case was == "" || is == "":
		return unknownType
	}
	return otherType
}

// relateNullable compares a type with its nullable form.
func (h compatRules) relateNullable(a, b code.Type) relation {
	if a.Form == code.OtherType && a.Name != "" && a.Name == b.Name && len(a.Args) == 1 && len(b.Args) == 1 { // out T
		a, b = a.Args[0], b.Args[0]
	}
	enclosed := func(t, in code.Type) bool { return in.Form == code.NullableType && h.key(in.Args[0]) == h.key(t) }
	switch {
	case enclosed(a, b):
		return wider
	case enclosed(b, a) && !h.unwraps && !b.Is(structs...):
		return narrower
	}
	return otherType
}

// structs are C#'s value types that have a keyword. For them T? is a different type, with
// members of its own.
var structs = []string{
	"bool", "byte", "sbyte", "char", "decimal", "double", "float", "int", "uint", "nint", "nuint", "long", "ulong", "short", "ushort",
}

// top are the types that hold every value.
var top = []string{"any", "unknown", "object", "Any", "typing.Any", "t.Any", "mixed"}

// relateUnions compares two types as sets of alternatives.
func (h compatRules) relateUnions(a, b code.Type) relation {
	was, is := h.alternatives(a), h.alternatives(b)
	switch {
	case a.Is("boolean") && b.Name == "is": // a type guard returns a boolean
		return narrower
	}
	holdsAll := func(list []code.Type) bool {
		return slices.ContainsFunc(list, func(t code.Type) bool { return t.Is(top...) })
	}
	switch {
	case h.named && holdsAll(was) && holdsAll(is):
		return sameType // with types beside it
	case b.Is(top...) || h.named && holdsAll(is) || h.covers(is, was):
		return wider
	case a.Is(top...) || h.named && holdsAll(was) || h.covers(was, is):
		return narrower
	}
	return otherType
}

// covers reports whether a has every type of b, or for a literal its type.
func (h compatRules) covers(a, b []code.Type) bool {
	has := func(names ...string) bool {
		return slices.ContainsFunc(a, func(t code.Type) bool { return t.Is(names...) })
	}
	keys := h.keys(a)
	return !slices.ContainsFunc(b, func(t code.Type) bool {
		switch name := strings.TrimLeft(t.Name, "-"); {
		case slices.Contains(keys, h.key(t)):
			return false
		case t.Is("true", "false"): // PHP's
			return !has("boolean")
		case t.Form != code.LiteralType || name == "":
			return true
		case name == "true" || name == "false":
			return !has("boolean")
		case name[0] >= '0' && name[0] <= '9':
			return !has("number")
		}
		return !has("string", "str")
	})
}

// alternatives returns the types that a type is a union of.
func (h compatRules) alternatives(t code.Type) []code.Type {
	name := typing(t)
	switch {
	case !h.unions:
	case t.Form == code.UnionType, name == "Union" && len(t.Args) > 0:
		var out []code.Type
		for _, a := range t.Args {
			out = append(out, h.alternatives(a)...)
		}
		return out
	case t.Form == code.NullableType:
		return append(h.alternatives(t.Args[0]), code.Type{Form: code.NamedType, Name: "null"})
	case name == "Optional" && len(t.Args) == 1:
		return append(h.alternatives(t.Args[0]), code.Type{Form: code.NamedType, Name: "None"})
	}
	return []code.Type{t}
}

// typing returns the name of a type that may be one of Python's module typing.
func typing(t code.Type) string {
	if q := t.Qualifier(); t.Form == code.NamedType && (q == "" || q == "typing.") {
		return t.Last()
	}
	return ""
}

// spellings are generic types that have another spelling.
var spellings = map[string]string{
	"List": "list", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset", "Tuple": "tuple", "Type": "type",
	"Array": "[]", "ReadonlyArray": "readonly[]",
}

// key returns a text that is the same for types with the same meaning.
func (h compatRules) key(t code.Type) string {
	if h.known == nil || t.Text == "" {
		return h.keyOf(t)
	}
	id := string(t.Form) + t.Text
	key, ok := h.known[id]
	if !ok {
		key = h.keyOf(t)
		h.known[id] = key
	}
	return key
}

func (h compatRules) keyOf(t code.Type) string {
	list := h.alternatives(t)
	switch {
	case len(list) > 1:
		keys := h.keys(list)
		slices.Sort(keys)
		return strings.Join(slices.Compact(keys), "|")
	case len(list) == 1 && list[0].At != t.At: // a union of one type
		return h.key(list[0])
	case t.Form == code.NamedType && len(t.Args) == 0:
		return squeeze(t.Name)
	case t.Form == code.NamedType:
		name := squeeze(t.Name)
		if other, ok := spellings[typing(t)]; ok && h.unions {
			name = other
		}
		return name + "<" + strings.Join(h.keys(t.Args), ",") + ">"
	case t.Form == code.ListType && strings.HasSuffix(t.Text, "[]"):
		return "[]<" + h.key(t.Args[0]) + ">"
	case h.isFunction(t):
		return h.functionKey(t)
	case t.Name == "readonly" && t.Args[0].Form == code.ListType:
		return "readonly" + h.key(t.Args[0])
	}
	return squeeze(t.Rewrite(h.key))
}

// isFunction reports whether a type of TypeScript is that of a function.
func (h compatRules) isFunction(t code.Type) bool {
	return t.Form == code.FuncType && h.openTypes && len(t.Args) == 1 && t.Text != ""
}

// functionKey is the key of a function's type: the names of its parameters and type parameters mean nothing.
func (h compatRules) functionKey(t code.Type) string {
	head, places := "", map[string]string{}
	if end := closing(t.Text); t.Text[0] == '<' && end > 0 {
		list := topLevel(t.Text[1 : end-1])
		for i, name := range parameterNames(list) {
			places[name] = "F" + strconv.Itoa(i)
		}
		head = "<" + strings.Join(positional(list), ",") + ">"
	}
	part := func(t code.Type) string { return placed(h.key(t), places) }
	var list []string
	for _, f := range t.Fields {
		text := part(f.Type)
		if f.Optional {
			text = "?" + strings.TrimSuffix(strings.TrimPrefix(text, "undefined|"), "|undefined")
		}
		if f.Variadic {
			text = "..." + text
		}
		list = append(list, text)
	}
	return head + "(" + strings.Join(list, ",") + ")=>" + part(t.Args[0])
}

// topLevel splits a list at the commas that are in no brackets.
func topLevel(text string) []string {
	var out []string
	depth, from := 0, 0
	for i, r := range text {
		switch {
		case strings.ContainsRune("<([{", r):
			depth++
		case strings.ContainsRune(">)]}", r) && (r != '>' || i == 0 || text[i-1] != '='):
			depth--
		case r == ',' && depth == 0:
			out, from = append(out, text[from:i]), i+1
		}
	}
	return append(out, text[from:])
}

func (h compatRules) keys(list []code.Type) []string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = h.key(t)
	}
	return out
}

// readAll returns the types that texts of a symbol's language denote.
func (d *differ) readAll(p pair, list []string) []code.Type {
	out := make([]code.Type, len(list))
	for i, text := range list {
		out[i] = d.types.Of(p.compat.name, text)
	}
	return out
}
