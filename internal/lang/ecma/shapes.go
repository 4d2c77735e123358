package ecma

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// shapes reads the parameters of a function whose type is an object type, or which are a pattern, and the patterns to
// which its body assigns a parameter.
func shapes(n syntax.Node) []code.Shape {
	var out []code.Shape
	names := map[string]int{}
	at := -1
	for p := range n.Field("parameters").NamedSeq() {
		pattern := p
		switch p.Kind() {
		case "required_parameter", "optional_parameter":
			pattern = p.Field("pattern")
		case "assignment_pattern":
			pattern = p.Field("left")
		case "object_pattern", "identifier", "rest_pattern", "array_pattern":
		default:
			continue
		}
		if pattern.Is("this") {
			continue
		}
		at++
		s := code.Shape{Param: at, Name: srctext.OneLine(pattern.Text()), Line: p.Line()}
		if pattern.Is("identifier") {
			names[s.Name] = at
		}
		for t := range p.Field("type").NamedSeq() {
			if t.Is("object_type") {
				s.Fields = objectFields(t)
			}
		}
		if pattern.Is("object_pattern") {
			s.Fields = withDefaults(s.Fields, pattern)
		}
		if len(s.Fields) > 0 {
			out = append(out, s)
		}
	}
	return append(out, unpacked(n.Field("body"), names)...)
}

// objectFields reads the properties of an object type.
func objectFields(t syntax.Node) []code.ShapeField {
	var out []code.ShapeField
	for p := range t.NamedSeq() {
		name := strings.Trim(p.Field("name").Text(), `'"`)
		if name == "" || !p.Is("property_signature", "method_signature") {
			continue
		}
		f := code.ShapeField{Name: name, Type: annotation(p.Field("type")), Doc: docText(docBefore(p)), Optional: p.Has("?"), Line: p.Line()}
		out = append(out, f)
	}
	return out
}

// withDefaults adds to the fields of an object what a pattern says: { a = 1, b: c = 2 }.
func withDefaults(fields []code.ShapeField, pattern syntax.Node) []code.ShapeField {
	typed := len(fields) > 0
	for p := range pattern.NamedSeq() {
		key, value := p, syntax.Node{}
		switch p.Kind() {
		case "shorthand_property_identifier_pattern":
		case "object_assignment_pattern":
			key, value = p.Field("left"), p.Field("right")
		case "pair_pattern":
			key = p.Field("key")
			if to := p.Field("value"); to.Is("assignment_pattern") {
				value = to.Field("right")
			}
		default:
			continue
		}
		f := code.ShapeField{Name: strings.Trim(key.Text(), `'"`), Default: core.ShortDefault(value), Optional: value.Ok(), Line: key.Line()}
		if !typed {
			fields = append(fields, f)
			continue
		}
		for i := range fields {
			if fields[i].Name == f.Name && f.Default != "" {
				fields[i].Default = f.Default
			}
		}
	}
	return fields
}

// unpacked returns the patterns to which the statements of a body assign its parameters.
func unpacked(body syntax.Node, params map[string]int) []code.Shape {
	var out []code.Shape
	for statement := range body.NamedSeq() {
		if !statement.Is("lexical_declaration", "variable_declaration") {
			continue
		}
		for d := range statement.NamedSeq() {
			at, ok := params[d.Field("value").Short()]
			if pattern := d.Field("name"); ok && pattern.Is("object_pattern") {
				s := code.Shape{Param: at, Name: d.Field("value").Short(), Fields: withDefaults(nil, pattern), Line: d.Line()}
				out = append(out, s)
			}
		}
	}
	return out
}

// literal reads an object: as the value of a constant of the file, and as one with defaults before the values that
// replace them: { a: 1, ...options }.
func literal(n syntax.Node) (literals []code.Literal, fallbacks []code.Fallback) {
	if !n.Is("object") {
		return nil, nil
	}
	var fields []code.Argument
	var before []string
	for p := range n.NamedSeq() {
		switch p.Kind() {
		case "pair":
			value := p.Field("value")
			name := strings.Trim(p.Field("key").Text(), `'"`)
			fields = append(fields, code.Argument{Name: name, Text: core.ShortDefault(value), Plain: value.Is("string", "number"), Line: p.Line()})
		case "spread_element":
			of := p.First()
			if !of.Is("identifier", "member_expression") {
				before, fields = nil, nil
				continue
			}
			name := of.Short()
			for _, f := range fields {
				if f.Text != "" {
					fallbacks = append(fallbacks, code.Fallback{Of: name + "." + f.Name, Value: f.Text, Line: f.Line})
				}
			}
			for _, d := range before {
				fallbacks = append(fallbacks, code.Fallback{Of: name + ".*", Value: d, Line: p.Line()})
			}
			if of.Is("identifier") {
				before = append(before, name)
			}
		}
	}
	at := n
	for at.Parent().Is("as_expression", "satisfies_expression", "parenthesized_expression") {
		at = at.Parent()
	}
	if d := at.Parent(); d.Is("variable_declarator") && d.Parent().Parent().Is("program", "export_statement") && len(fields) > 0 {
		literals = append(literals, code.Literal{Fields: fields, Line: n.Line()})
	}
	return literals, fallbacks
}
