package core

import (
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// recordMark adds an annotation or attribute as a call whose result is given to what it marks.
func (f *FlowReader) recordMark(n syntax.Node) {
	name := n.Field("name")
	list := n.Field("arguments")
	switch made := n.Child("constructor_invocation"); {
	case made.Ok(): // Kotlin
		name, list = made.First(), made.Child("value_arguments")
	case !name.Ok():
		name = n.Child("user_type")
	}
	if !list.Ok() {
		list = n.Child("attribute_argument_list")
	}
	if !name.Ok() {
		return
	}
	v := code.Value{Kind: code.ValueCall, Text: name.Short(), Line: n.Line()}
	if text := name.Text(); strings.HasSuffix(text, ")") { // Kotlin's repair shows an annotation as one name
		v = textValue(text, n.Line())
	}
	for c := range list.NamedSeq() {
		if !syntax.IsComment(c.Kind()) {
			v.Args = append(v.Args, f.markArgument(c))
		}
	}
	in, to := f.Enclosing(n.Start()), markedName(n)
	f.out.Calls = append(f.out.Calls, code.CallUse{In: in, To: to, Mark: true, Value: v, Line: n.Line()})
}

// markArgument reads an argument of an annotation.
func (f *FlowReader) markArgument(n syntax.Node) code.Value {
	name, inner := "", n
	if n.Is("attribute_argument") {
		if name, inner = labelled(n); inner.Is("assignment_expression") { // C#: Name = "get"
			name, inner = inner.Field("left").Short(), inner.Field("right")
		}
	}
	v := f.value(inner, 0)
	if name != "" {
		v.Name = name
	}
	return v
}

// markedName returns the name of the declaration that an annotation is part of; "" if it has none.
func markedName(n syntax.Node) string {
	for inner, p := n, n.Parent(); p.Ok(); inner, p = p, p.Parent() {
		if p.Is("parameter_modifiers") { // Kotlin: they are before the parameter
			inner, p = p, p.Next()
		}
		if name := p.Field("name"); name.Ok() && name != inner && !p.Is("annotation", "marker_annotation", "attribute") {
			return name.Short()
		}
		for _, part := range []syntax.Node{p.Field("declarator"), p.Child("variable_declaration"), p.Child("variable_declarator")} {
			if name := part.Field("name"); name.Ok() {
				return name.Short()
			} else if first := part.First(); first.Ok() {
				return first.Short()
			}
		}
		if name := p.Child("simple_identifier", "type_identifier"); name.Ok() && name != inner && declares(p.Kind()) {
			return name.Short()
		}
	}
	return ""
}

// declares reports whether a node of Kotlin declares the name among its parts.
func declares(kind string) bool {
	switch kind {
	case "parameter", "class_parameter", "class_declaration", "object_declaration", "function_declaration", "interface_declaration", "enum_entry":
		return true
	}
	return false
}

// textValue reads an argument of an annotation from its text: a literal, a list, a name, or a call.
func textValue(text string, line int) code.Value {
	text = strings.TrimSpace(text)
	if text == "" {
		return code.Value{Line: line}
	}
	if label, rest, ok := strings.Cut(text, "="); ok && isLabel(strings.TrimSpace(label)) {
		v := textValue(rest, line)
		v.Name = strings.TrimSpace(label)
		return v
	}
	open, last := strings.IndexAny(text, "(["), text[len(text)-1]
	_, err := strconv.Atoi(text)
	switch {
	case text[0] == '"' && last == '"':
		return code.Value{Kind: code.ValueString, Text: unquoted(text), Line: line}
	case open >= 0 && (last == ')' || last == ']'):
		return textCall(strings.TrimSpace(text[:open]), text[open+1:len(text)-1], line)
	case err == nil:
		return code.Value{Kind: code.ValueNumber, Text: text, Line: line}
	case isLabel(strings.ReplaceAll(strings.ReplaceAll(text, ".", ""), ":", "")):
		return code.Value{Kind: code.ValueName, Text: text, Line: line}
	}
	return code.Value{Line: line}
}

// textCall reads a call from the texts of its name and its arguments; without a name it is a list.
func textCall(name, args string, line int) code.Value {
	v := code.Value{Line: line}
	if name != "" && name != "arrayOf" {
		v.Kind, v.Text = code.ValueCall, name
	}
	for _, part := range splitOutside(args, ",") {
		if part := textValue(part, line); part.Kind != code.ValueOther || len(part.Args) > 0 {
			v.Args = append(v.Args, part)
		}
	}
	return v
}

// isLabel reports whether a text is a name.
func isLabel(text string) bool {
	return text != "" && strings.IndexFunc(text, func(c rune) bool { return !isWordRune(c) }) < 0
}
