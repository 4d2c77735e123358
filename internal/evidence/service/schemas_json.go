package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// jsonSchema returns the fields of a JSON Schema of an object.
func (x *schemas) jsonSchema(f *code.File, v *code.Value, prefix string, depth int) ([]Input, bool) {
	properties := v.Named("properties")
	if properties == nil {
		return nil, false
	}
	f, properties = x.resolved(f, properties)
	if properties == nil || properties.Kind != code.ValueObject {
		return nil, false
	}
	var required []string
	if list := v.Named("required"); list != nil {
		required = constants(list)
	}
	var out []Input
	for i := range properties.Args {
		a := &properties.Args[i]
		if a.Name == "" {
			continue
		}
		at, def := x.resolved(f, a)
		if def == nil || def.Kind != code.ValueObject {
			out = append(out, Input{In: x.in, Name: prefix + a.Name, Required: slices.Contains(required, a.Name), At: Place{f.Path, a.Line}})
			continue
		}
		if inner, ok := x.object(at, def, prefix+a.Name+".", depth+1); ok {
			out = append(out, inner...)
			continue
		}
		out = append(out, jsonField(def, Input{In: x.in, Name: prefix + a.Name, Required: slices.Contains(required, a.Name), At: Place{at.Path, a.Line}}))
	}
	return out, true
}

// jsonField completes a field with what a JSON Schema says of it.
func jsonField(def *code.Value, in Input) Input {
	for i := range def.Args {
		a := &def.Args[i]
		switch a.Name {
		case "type":
			in.Type = strings.Join(constants(a), "|")
		case "default":
			in.Default = strings.Join(constants(a), "")
		case "enum":
			in.Limits = append(in.Limits, constants(a)...)
		case "format", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
			in.Limits = append(in.Limits, a.Name+"="+a.Text)
		}
	}
	return in
}
