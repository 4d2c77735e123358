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
	in, mark, given := "", Call{}, false
	for _, c := range marks {
		if place, ok := aspnetSources[markName(c)]; ok {
			in, mark, given = place, c, true
			break
		}
	}
	if given && in == "" {
		return
	}
	class := b.typeAt(b.file, text, b.first, b.last)
	if class != nil && (class.Symbol.Kind == code.Interface || class.Symbol.Kind == code.Enum) {
		class = nil
	}
	if !given {
		switch {
		case inTemplate(b.e.Path, name):
			in = "path"
		case csharpSimple(text):
			in = "query"
		case text == "IFormFile" || text == "IFormFileCollection":
			in = "form"
		case class != nil && b.isModel(class):
			if in = "query"; b.api || b.e.Method == "" {
				in = "body"
			}
			if b.api && (b.e.Method == "GET" || b.e.Method == "DELETE") && strings.Contains(b.file, "Controller") {
				in = "query"
			}
		default:
			return
		}
	}
	input := Input{In: in, Name: name, Type: text, Default: otherwise, At: b.at}
	if mark.File != nil {
		if v := mark.Value.Named("Name"); v != nil {
			if other, ok := b.Text(mark.File.Path, v); ok {
				input.Name = other
			}
		}
	}
	input.Required = in == "path" || in == "body" || otherwise == "" && !strings.HasSuffix(text, "?") && in != "form" && (text != "string" || b.nullable)
	for _, c := range marks {
		if slices.Contains(dataAnnotations, markName(c)) {
			input.Limits = append(input.Limits, attributeText(c))
			b.fails = true
		}
	}
	switch {
	case in == "body" || in == "form" && class != nil || in == "parameters" || in == "query" && class != nil:
		b.fails = b.fails || in == "body" || b.annotated(class, 0)
		if in == "parameters" {
			in = "query"
		}
		if class == nil {
			b.e.Inputs = append(b.e.Inputs, input)
			return
		}
		b.fields(class, typeArguments(class, text), in, "", 0)
		return
	case in == "path":
		constraint := templateType(b.e.Path, name)
		b.fails = b.fails || constraint == "" && csharpSimple(text) && strings.Trim(text, "?") != "string"
		if constraint != "" {
			input.Limits = append(input.Limits, constraint)
		}
	case input.Required || strings.Trim(text, "?") != "string":
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
		name := m.Name
		if in == "body" {
			name = camelCase(name)
		}
		if named, ok := marking(marks, "JsonPropertyName", "JsonProperty"); ok {
			if text, ok := b.Text(named.File.Path, named.Value.Arg(0)); ok {
				name = text
			}
		}
		of := argument(args, m.Returns)
		input := Input{In: in, Name: strings.TrimPrefix(prefix+"."+name, "."), Type: of, Default: m.Value, At: Place{c.File.Path, max(m.NameLine, m.StartLine)}}
		input.Required = strings.Contains(m.Signature, "required ")
		for _, mark := range marks {
			if slices.Contains(dataAnnotations, markName(mark)) {
				input.Required = input.Required || markName(mark) == "Required"
				input.Limits = append(input.Limits, attributeText(mark))
			}
		}
		nested := b.typeAt(c.File.Path, of, m.StartLine, m.EndLine)
		if nested != nil && nested.Symbol != c.Symbol && nested.Symbol.Kind != code.Enum && depth < maxNested && b.isModel(nested) {
			b.fields(nested, typeArguments(nested, of), in, input.Name, depth+1)
			continue
		}
		b.e.Inputs = append(b.e.Inputs, input)
	}
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
