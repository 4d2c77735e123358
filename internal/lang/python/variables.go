package python

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// binding is one name that an assignment sets.
type binding struct {
	name  syntax.Node
	value syntax.Node // its own value, if the text shows it
	part  syntax.Node // else the whole pattern
}

// assignment reads an assignment at module or class level and returns one symbol per
// name.
func (p *reader) assignment(statement, a syntax.Node, s symbolScope) []code.Symbol {
	value := a.Field("right")
	targets := []syntax.Node{a.Field("left")}
	for value.Is("assignment") { // a = b = 1
		targets = append(targets, value.Field("left"))
		value = value.Field("right")
	}
	var bound []binding
	for _, t := range targets {
		bound = bind(bound, t, value, syntax.Node{})
	}
	var out []code.Symbol
	for _, b := range bound {
		sym := p.variable(b, a, value, s)
		sym.Doc = p.docAfter(statement)
		out = append(out, core.NamedSymbol(sym)...)
	}
	return out
}

// bind adds the names in a target. Attributes and elements declare nothing.
func bind(list []binding, target, value, part syntax.Node) []binding {
	switch target.Kind() {
	case "identifier":
		return append(list, binding{target, value, part})
	case "list_splat_pattern":
		return bind(list, target.First(), value, part)
	case "tuple_pattern", "pattern_list", "list_pattern":
	default:
		return list
	}
	names := syntax.NamedChildren(target)
	if target.Is("tuple_pattern") && !target.Has(",") && len(names) == 1 { // (a) = 1 is a = 1
		return bind(list, names[0], value, part)
	}
	values := unpacked(names, value)
	if values == nil && !part.Ok() {
		part = target
	}
	for i, name := range names {
		if values != nil {
			value = values[i]
		}
		list = bind(list, name, value, part)
	}
	return list
}

// unpacked returns one value per name, or nil if the text does not show them.
func unpacked(names []syntax.Node, value syntax.Node) []syntax.Node {
	for value.Is("parenthesized_expression") {
		value = value.First()
	}
	if !value.Is("expression_list", "tuple", "list") {
		return nil
	}
	values := syntax.NamedChildren(value)
	if len(values) != len(names) {
		return nil
	}
	for i := range names {
		if names[i].Is("list_splat_pattern", "line_continuation") || values[i].Is("list_splat", "line_continuation") {
			return nil
		}
	}
	return values
}

// variable returns the symbol of one name set by the assignment a.
func (p *reader) variable(b binding, a, whole syntax.Node, s symbolScope) code.Symbol {
	typ := a.Field("type")
	sym := p.begin(a, b.name.Text(), variableKind(b, typ, s), s)
	sym.Returns = annotated(a)
	if !b.part.Ok() {
		sym.Value = core.ShortValue(b.value)
	}
	sym.Readonly = typeName(typ) == "ReadOnly" || typeName(typ) == "Final"
	sym.Optional = typeName(typ) == "NotRequired"
	end := a.End()
	if whole.Ok() && core.ShortValue(whole) == "" {
		end = whole.Start()
	}
	sym.Signature = p.Head(a.Start(), end, `\ =`)
	if sym.Kind == code.TypeDef {
		sym.Value = b.value.Text()
		sym.SignatureHash = p.Lang.Shape.Hash(a)
		return sym
	}
	sym.SignatureHash = srctext.ShortHash(p.Lang.Shape.Append([]byte(sym.Name+"\x00"), typ, nil))
	if b.value.Ok() {
		form := p.BodyShape()
		body := form.Append(nil, b.value, nil)
		if b.part.Ok() {
			body = append(form.Append(body, b.part, nil), sym.Name...)
		}
		sym.BodyHash = srctext.ShortHash(body)
	}
	return sym
}

// variableKind returns the kind of a name by PEP 8: constants are in capitals.
func variableKind(b binding, typ syntax.Node, s symbolScope) code.Kind {
	name := b.name.Text()
	switch {
	case typeName(typ) == "TypeAlias":
		return code.TypeDef
	case s.class == code.Enum && !typ.Ok() && !strings.HasPrefix(name, "_"):
		return code.EnumMember
	case s.class != "":
		return code.Property
	case typeName(typ) == "Final" || isConstant(name) && !makesType(b.value):
		return code.Const
	}
	return code.Variable
}

// makesType reports whether value declares a type, as in T = TypeVar("T"). Its name is
// in capitals but it is not a constant.
func makesType(value syntax.Node) bool {
	if !value.Is("call") {
		return false
	}
	switch lastName(value.Field("function")) {
	case "TypeVar", "TypeVarTuple", "ParamSpec", "NewType":
		return true
	}
	return false
}

// typeName returns the last name of an annotation: "Final" of typing.Final[int].
func typeName(typ syntax.Node) string {
	x := typ.First()
	if x.Is("generic_type") {
		x = x.First()
	}
	return lastName(x)
}

// isConstant reports whether name is in capitals: MAX_SIZE, _DEBUG.
func isConstant(name string) bool {
	name = strings.TrimLeft(name, "_")
	return name != "" && name[0] >= 'A' && name[0] <= 'Z' && name == strings.ToUpper(name)
}

// docAfter returns the string after a statement of a module or class, which documents
// it.
func (p *reader) docAfter(statement syntax.Node) string {
	for n := p.At(statement.After()); n.Ok() && n.Parent() == statement.Parent(); n = p.At(n.After()) {
		if n.Named() && !syntax.IsComment(n.Kind()) {
			return docOf(n)
		}
	}
	return ""
}

// mergeSymbols merges the declarations of one name at one level: overloads, conditional
// definitions and redefinitions. A property and its setter stay separate.
func mergeSymbols(list []code.Symbol) []code.Symbol {
	groups := map[string][]int{}
	for i := range list {
		groups[list[i].Name] = append(groups[list[i].Name], i)
	}
	hidden := map[*code.Symbol]bool{}
	for _, group := range groups {
		if len(group) > 1 {
			hideSame(list, group, hidden)
		}
	}
	out := core.MergeSame(list, sameSymbol, func(s *code.Symbol) bool { return hidden[s] })
	slices.SortStableFunc(out, func(a, b code.Symbol) int { return cmp.Compare(a.StartLine, b.StartLine) })
	for i := range out {
		out[i].Members = remerged(out[i].Members, len(groups[out[i].Name]))
		if len(out[i].Overloads) == 0 || isCallable(&out[i]) {
			continue
		}
		out[i].Overloads = nil // only functions have overloads
		out[i].Value = ""      // the text does not show which value is used
	}
	return out
}

// remerged merges the members of several declarations of one class.
func remerged(members []code.Symbol, declarations int) []code.Symbol {
	if declarations < 2 || len(members) == 0 {
		return members
	}
	return mergeSymbols(members)
}

// sameSymbol reports whether a and b may be merged. A setter is not merged with its
// getter.
func sameSymbol(a, b *code.Symbol) bool {
	return (a.Kind == code.Setter) == (b.Kind == code.Setter)
}

func isDeleter(s *code.Symbol) bool {
	return len(s.Decorators) == 1 && strings.HasSuffix(s.Decorators[0], ".deleter")
}

func isCallable(s *code.Symbol) bool {
	switch s.Kind {
	case code.Function, code.Method, code.Constructor, code.Getter, code.Setter:
		return true
	default:
		return false
	}
}

// hideSame marks the redundant declarations in a group of one name: the implementation
// after overloads, a repeated signature, an assignment besides a definition. A
// definition takes precedence over assignments.
func hideSame(list []code.Symbol, group []int, hidden map[*code.Symbol]bool) {
	overloaded, defined := false, -1
	for _, i := range group {
		overloaded = overloaded || isOverload(&list[i])
		if defined < 0 && !isValue(&list[i]) {
			defined = i
		}
	}
	if first := group[0]; defined >= 0 && isValue(&list[first]) {
		list[first], list[defined] = list[defined], list[first]
	}
	seen := map[string]bool{}
	for _, i := range group {
		s := &list[i]
		key := string(s.Kind) + s.SignatureHash
		if isValue(s) {
			key += s.Value
		}
		hidden[s] = isDeleter(s) || overloaded && isCallable(s) && !isOverload(s) ||
			defined >= 0 && isValue(s) || seen[key]
		seen[key] = true
	}
}

func isValue(s *code.Symbol) bool {
	return s.Kind == code.Variable || s.Kind == code.Const || s.Kind == code.Property || s.Kind == code.EnumMember
}

// isOverload reports whether s is decorated with typing's overload.
func isOverload(s *code.Symbol) bool {
	for _, d := range s.Decorators {
		if d == "@overload" || strings.HasSuffix(d, ".overload") {
			return true
		}
	}
	return false
}
