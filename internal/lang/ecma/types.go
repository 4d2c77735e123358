package ecma

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var typeRules = &core.TypeRules{
	Before: "declare function f(): ", After: ";",
	Arguments: []string{"type_arguments"},
	Forms: map[string]code.TypeForm{
		"type_identifier": code.NamedType, "nested_type_identifier": code.NamedType, "identifier": code.NamedType,
		"predefined_type": code.NamedType, "this_type": code.NamedType, "generic_type": code.NamedType,
		"null": code.NamedType, "undefined": code.NamedType, "member_expression": code.NamedType,
		"string": code.LiteralType, "number": code.LiteralType, "true": code.LiteralType, "false": code.LiteralType,
		"unary_expression": code.LiteralType, "array_type": code.ListType,
		"union_type": code.UnionType, "intersection_type": code.IntersectionType,
	},
	Read: readType,
}

// operators are the names of types that are computed from their arguments.
var operators = map[string]string{
	"type_predicate": "is", "asserts": "asserts", "index_type_query": "keyof", "type_query": "typeof",
	"lookup_type": "[]", "infer_type": "infer", "conditional_type": "?", "template_literal_type": "`",
}

// readType reads the types with fields, and operators.
func readType(r core.TypeReader, n syntax.Node, t *code.Type) bool {
	switch n.Kind() {
	case "readonly_type":
		readonlyType(r.Read(n.First()), t)
	case "tuple_type":
		t.Form = code.TupleType
		for c := range n.NamedSeq() {
			t.Fields = append(t.Fields, element(r, c))
		}
	case "object_type":
		objectType(r, n, t)
	case "function_type":
		t.Form, t.Fields = code.FuncType, parameters(r, n)
		t.Args = []code.Type{annotatedType(r, n.Field("return_type"))}
	case "constructor_type":
		t.Name, t.Fields = "new", parameters(r, n)
		t.Args = []code.Type{annotatedType(r, n.Field("type"))}
	default:
		t.Name = operators[n.Kind()]
		return t.Name == "typeof" // its argument is a value
	}
	return true
}

// readonlyType reads readonly T. The grammar takes readonly T | U for the readonly form of T | U.
func readonlyType(of code.Type, t *code.Type) {
	if enclosed := t.Text[of.At-t.At-1] == '('; len(of.Args) == 0 || enclosed || of.Form != code.UnionType && of.Form != code.IntersectionType {
		t.Name, t.Args = "readonly", []code.Type{of}
		return
	}
	first := code.Type{Form: code.OtherType, At: t.At}
	first.Text = t.Text[:of.Args[0].At-t.At+len(of.Args[0].Text)]
	first.Name, first.Args = "readonly", of.Args[:1]
	t.Form, t.Args = of.Form, append([]code.Type{first}, of.Args[1:]...)
}

// annotatedType returns the type of an annotation, ": T".
func annotatedType(r core.TypeReader, n syntax.Node) code.Type {
	if !n.Ok() {
		return code.Type{}
	}
	if strings.HasSuffix(n.Kind(), "_annotation") {
		n = n.First()
	}
	return r.Read(n)
}

// element returns an element of a tuple: A, A?, ...A, name: A, name?: A, ...name: A.
func element(r core.TypeReader, n syntax.Node) code.TypeField {
	switch n.Kind() {
	case "required_parameter", "optional_parameter":
		return parameter(r, n)
	case "optional_type", "rest_type":
		return code.TypeField{Type: r.Read(n.First()), Optional: n.Is("optional_type"), Variadic: n.Is("rest_type")}
	}
	return code.TypeField{Type: r.Read(n)}
}

func parameters(r core.TypeReader, n syntax.Node) []code.TypeField {
	var out []code.TypeField
	for p := range n.Field("parameters").NamedSeq() {
		out = append(out, parameter(r, p))
	}
	return out
}

func parameter(r core.TypeReader, n syntax.Node) code.TypeField {
	name := n.First()
	f := code.TypeField{Name: name.Text(), Type: annotatedType(r, n.Field("type")), Optional: n.Is("optional_parameter")}
	f.Name, f.Variadic = strings.CutPrefix(f.Name, "...")
	return f
}

// objectType reads { a: A; b?: B; m(): C; [key: string]: D }.
func objectType(r core.TypeReader, n syntax.Node, t *code.Type) {
	if clause := n.First().Child("mapped_type_clause"); clause.Ok() {
		t.Name, t.Args = "in", []code.Type{r.Read(clause.Field("type")), annotatedType(r, n.First().Field("type"))}
		kind := n.First().Field("type").Kind()
		key := code.TypeField{Name: clause.Field("name").Text(), Optional: kind == "opting_type_annotation" || kind == "adding_type_annotation"}
		key.Variadic = kind == "omitting_type_annotation"
		if alias := clause.Field("alias"); alias.Ok() {
			key.Type = r.Read(alias)
		}
		t.Fields = []code.TypeField{key}
		return
	}
	t.Form = code.ObjectType
	for m := range n.NamedSeq() {
		f := code.TypeField{Type: annotatedType(r, m.Field("type")), Optional: m.Child("?").Ok()}
		switch m.Kind() {
		case "property_signature":
			f.Name = strings.Trim(m.Field("name").Text(), `'"`)
		case "index_signature":
			f.Name = strings.TrimSpace(m.Text()[:strings.Index(m.Text(), "]")+1])
		default:
			f.Name, f.Method = m.Field("name").Text(), true
			f.Type = r.Plain(m)
			f.Type.Form, f.Type.Fields = code.FuncType, parameters(r, m)
			f.Type.Args = []code.Type{annotatedType(r, m.Field("return_type"))}
		}
		t.Fields = append(t.Fields, f)
	}
}
