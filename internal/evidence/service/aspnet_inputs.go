package service

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// aspnetSources are the attributes of parameters with the place of their value; "" for what is not part of the request.
var aspnetSources = map[string]string{
	"FromRoute": "path", "FromQuery": "query", "FromBody": "body", "FromForm": "form", "FromHeader": "header", "FromServices": "", "FromKeyedServices": "",
	"AsParameters": "parameters",
}

// dataAnnotations are the attributes of System.ComponentModel.DataAnnotations that limit values.
var dataAnnotations = []string{
	"Required", "StringLength", "MaxLength", "MinLength", "Length", "Range", "RegularExpression", "EmailAddress", "Phone", "Url", "Compare", "CreditCard",
	"AllowedValues", "DeniedValues", "Base64String",
}

// aspnetBinding reads the parameters of an action or a handler.
type aspnetBinding struct {
	*aspnetReader
	e           *Endpoint
	api         bool // complex parameters are bodies
	file        string
	first, last int // the lines of the function
	at          Place
	fails       bool // a value may not fit
}

// parameter reads a parameter.
func (b *aspnetBinding) parameter(name, text, otherwise string, marks []Call) {
	class := b.objectClass(text)
	in, mark, given := sourceOf(marks)
	if !given {
		in = b.inferred(name, text, class)
	}
	if in == "" {
		return
	}
	input := Input{In: in, Name: name, Type: text, Default: otherwise, At: b.at}
	if given {
		if other, ok := b.Text(mark.File.Path, mark.Value.Named("Name")); ok {
			input.Name = other
		}
	}
	input.Required = in == "path" || in == "body" || in != "form" && b.requires(text, otherwise)
	for _, c := range marks {
		if slices.Contains(dataAnnotations, markName(c)) {
			input.Limits = append(input.Limits, attributeText(c))
			b.fails = true
		}
	}
	if in == "body" || in == "parameters" || class != nil && (in == "form" || in == "query") {
		b.object(input, class)
		return
	}
	b.value(input)
}

// objectClass returns the class of the project whose objects have a type; nil for interfaces and enumerations.
func (b *aspnetBinding) objectClass(text string) *Class {
	class := b.typeAt(b.file, text, b.first, b.last)
	if class != nil && (class.Symbol.Kind == code.Interface || class.Symbol.Kind == code.Enum) {
		return nil
	}
	return class
}

// sourceOf returns the place that an attribute gives to the value of a parameter.
func sourceOf(marks []Call) (in string, mark Call, given bool) {
	for _, c := range marks {
		if place, ok := aspnetSources[markName(c)]; ok {
			return place, c, true
		}
	}
	return "", Call{}, false
}

// inferred returns the place of a parameter without an attribute; "" for what is not part of the request.
func (b *aspnetBinding) inferred(name, text string, class *Class) string {
	switch {
	case inTemplate(b.e.Path, name):
		return "path"
	case csharpSimple(text):
		return "query"
	case text == "IFormFile" || text == "IFormFileCollection":
		return "form"
	case class == nil || !b.isModel(class):
		return ""
	case b.api && (b.e.Method == "GET" || b.e.Method == "DELETE") && strings.Contains(b.file, "Controller"):
		return "query"
	case b.api || b.e.Method == "":
		return "body"
	}
	return "query"
}

// requires reports whether a parameter of a type must be given a value.
func (b *aspnetBinding) requires(text, otherwise string) bool {
	return otherwise == "" && !strings.HasSuffix(text, "?") && (text != "string" || b.nullable)
}

// object adds the properties of a parameter that is an object.
func (b *aspnetBinding) object(input Input, class *Class) {
	b.fails = b.fails || input.In == "body" || b.annotated(class, 0)
	if input.In == "parameters" {
		input.In = "query"
	}
	if class == nil {
		b.e.Inputs = append(b.e.Inputs, input)
		return
	}
	b.fields(class, typeArguments(class, input.Type), input.In, "", 0)
}

// value adds a parameter that is a single value.
func (b *aspnetBinding) value(input Input) {
	plain := strings.Trim(input.Type, "?") == "string"
	if input.In == "path" {
		constraint := templateType(b.e.Path, input.Name)
		b.fails = b.fails || constraint == "" && csharpSimple(input.Type) && !plain
		if constraint != "" {
			input.Limits = append(input.Limits, constraint)
		}
	} else if input.Required || !plain {
		b.fails = true
	}
	b.e.Inputs = append(b.e.Inputs, input)
}

// isModel reports whether objects of a class are values of a request: they have properties.
func (b *aspnetBinding) isModel(c *Class) bool {
	if n := b.nodeOf(c); n != nil && b.services[n] {
		return false
	}
	name := c.Symbol.Name
	for _, suffix := range []string{"Service", "Services", "Repository", "Context", "Manager", "Accessor", "Factory", "Provider", "Handler"} {
		if strings.HasSuffix(name, suffix) {
			return false
		}
	}
	return !b.derives(c, "DbContext", 0) && slices.ContainsFunc(c.Symbol.Members, func(m code.Symbol) bool { return m.Kind == code.Property && m.Visibility == code.Public }) ||
		len(c.Symbol.Params) > 0 && strings.Contains(c.Symbol.Signature, "record")
}

// annotated reports whether a class has attributes that limit its values.
func (b *aspnetBinding) annotated(c *Class, depth int) bool {
	if c == nil || depth > maxSteps {
		return false
	}
	for i := range c.Symbol.Members {
		m := &c.Symbol.Members[i]
		if slices.ContainsFunc(b.marksOfField(c, m.Name), func(mark Call) bool { return slices.Contains(dataAnnotations, markName(mark)) }) {
			return true
		}
		if m.Kind == code.Property && csharpSimple(m.Returns) && strings.Trim(m.Returns, "?") != "string" {
			return true
		}
	}
	return slices.ContainsFunc(b.basesOf(c), func(base *Class) bool { return b.annotated(base, depth+1) })
}

// fields adds the properties of a class and its bases.
func (b *aspnetBinding) fields(c *Class, args map[string]string, in, prefix string, depth int) {
	for _, base := range b.basesOf(c) {
		if depth <= maxNested && base.Symbol.Kind != code.Interface {
			b.fields(base, args, in, prefix, depth+1)
		}
	}
	for i := range c.Symbol.Members {
		m := &c.Symbol.Members[i]
		if m.Kind != code.Property || m.Static || m.Visibility == code.Private || !settable(m) {
			continue
		}
		marks := b.marksOfField(c, m.Name)
		if _, ignored := marking(marks, "JsonIgnore", "BindNever"); ignored {
			continue
		}
		input := b.property(c, m, marks, in)
		input.Name = strings.TrimPrefix(prefix+"."+input.Name, ".")
		input.Type = argument(args, m.Returns)
		nested := b.typeAt(c.File.Path, input.Type, m.StartLine, m.EndLine)
		if nested != nil && nested.Symbol != c.Symbol && nested.Symbol.Kind != code.Enum && depth < maxNested && b.isModel(nested) {
			b.fields(nested, typeArguments(nested, input.Type), in, nestedPath(&input), depth+1)
			continue
		}
		b.e.Inputs = append(b.e.Inputs, input)
	}
}

// property returns the input that a property is.
func (b *aspnetBinding) property(c *Class, m *code.Symbol, marks []Call, in string) Input {
	out := Input{In: in, Name: m.Name, Default: m.Value, Required: strings.Contains(m.Signature, "required "), At: Place{c.File.Path, max(m.NameLine, m.StartLine)}}
	if in == "body" {
		out.Name = camelCase(out.Name)
	}
	if named, ok := marking(marks, "JsonPropertyName", "JsonProperty"); ok {
		if text, ok := b.Text(named.File.Path, named.Value.Arg(0)); ok {
			out.Name = text
		}
	}
	for _, mark := range marks {
		if slices.Contains(dataAnnotations, markName(mark)) {
			out.Required = out.Required || markName(mark) == "Required"
			out.Limits = append(out.Limits, attributeText(mark))
		}
	}
	return out
}

// settable reports whether a property can be given a value: it is one of a record, or has a setter.
func settable(m *code.Symbol) bool {
	return !strings.Contains(m.Signature, "{") || strings.Contains(m.Signature, "set;") || strings.Contains(m.Signature, "init;")
}

// camelCase returns a name with a small first letter, as JSON has it by default.
func camelCase(name string) string {
	c, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(c)) + name[size:]
}

// attributeText returns an attribute with its arguments.
func attributeText(c Call) string {
	var args []string
	for i := range c.Value.Args {
		v := &c.Value.Args[i]
		text := v.Text
		if v.Kind == code.ValueString {
			text = `"` + text + `"`
		}
		if v.Name != "" {
			text = v.Name + " = " + text
		}
		args = append(args, text)
	}
	if len(args) == 0 {
		return markName(c)
	}
	return markName(c) + "(" + strings.Join(args, ", ") + ")"
}

// csharpSimple reports whether a type is that of a single value.
func csharpSimple(text string) bool {
	switch Last(strings.TrimSuffix(strings.TrimSuffix(text, "?"), "[]")) {
	case "string", "String", "int", "long", "short", "byte", "double", "float", "decimal", "bool", "char", "uint", "ulong", "Guid", "DateTime", "DateTimeOffset",
		"DateOnly", "TimeOnly", "TimeSpan", "Int32", "Int64", "Boolean", "Uri":
		return true
	}
	return false
}

// inTemplate reports whether a path has a parameter with a name.
func inTemplate(path, name string) bool {
	for part := range strings.SplitSeq(path, "{") {
		part = strings.TrimLeft(part, "*")
		if end := strings.IndexAny(part, "}:?="); end > 0 && strings.EqualFold(part[:end], name) {
			return true
		}
	}
	return false
}

// templateType returns the constraint on a parameter of a path, "int" for {id:int}; "" for none.
func templateType(path, name string) string {
	for part := range strings.SplitSeq(path, "{") {
		part, _, _ = strings.Cut(part, "}")
		if named, constraint, ok := strings.Cut(part, ":"); ok && strings.EqualFold(strings.TrimLeft(named, "*"), name) {
			return constraint
		}
	}
	return ""
}
