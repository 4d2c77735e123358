package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// schemaLibrary is a library for JavaScript whose calls describe values: object({name: string().min(1)}).
type schemaLibrary struct {
	modules []string // that files import it from
	names   []string // that its functions are called on
	// required says that a field must be there unless its rules say otherwise.
	required bool
}

var schemaLibraries = []schemaLibrary{
	{[]string{"zod", "@hono/zod-openapi", "@hono/zod-validator", "nestjs-zod"}, []string{"z", "zod"}, true},
	{[]string{"joi", "@hapi/joi", "celebrate"}, []string{"Joi", "joi"}, false},
	{[]string{"yup"}, []string{"yup", "Yup", "y"}, false},
	{[]string{"@sinclair/typebox", "typebox", "elysia", "@fastify/type-provider-typebox"}, []string{"Type", "T", "t"}, true},
	{[]string{"fluent-json-schema", "fluent-schema"}, []string{"S"}, false},
}

// The rules of schemas that change a field, and those that say nothing of what is accepted.
var (
	schemaOptional = []string{"optional", "nullish", "catch", "notRequired"}
	schemaSilent   = []string{
		"describe", "label", "messages", "message", "openapi", "meta", "brand", "readonly", "transform", "pipe", "note", "example", "error", "error_map", "refine", "superRefine",
		"keys", "extend", "shape", "append", "items", "of", "merge", "concat", "and", "partial", "pick", "omit", "prop", "id", "title", "description", "examples", "additionalProperties", "strict", "passthrough", "strip", "unknown", "safeExtend",
	}
	schemaValues = []string{"valid", "oneOf", "enum", "nativeEnum"} // their arguments are what is accepted
)

// schemas reads the fields that schemas describe.
type schemas struct {
	*Project
	in string
}

// schemaCall is a description as its calls say: the first call, and the rules after it in the order of the source.
type schemaCall struct {
	base  *code.Value
	rules []*code.Value
}

// describedBy takes a description apart: z.string().min(1).
func describedBy(v *code.Value) schemaCall {
	var out schemaCall
	for continues(v) {
		out.rules = append(out.rules, v)
		v = &v.Args[0]
	}
	out.base = v
	slices.Reverse(out.rules)
	return out
}

// continues reports whether a call is made on the result of another one, which is its first argument then.
func continues(v *code.Value) bool {
	if v.Kind != code.ValueCall || len(v.Args) == 0 || v.Args[0].Kind != code.ValueCall || v.Args[0].Name != "" {
		return false
	}
	before, _ := CutLast(v.Text)
	return strings.HasSuffix(before, ")")
}

// arguments returns the arguments of a rule without the call before it.
func arguments(v *code.Value) []code.Value {
	if continues(v) {
		return v.Args[1:]
	}
	return v.Args
}

// resolved returns the value that a name is bound to; other values as they are, and nil for an unknown name.
func (x *schemas) resolved(f *code.File, v *code.Value) (*code.File, *code.Value) {
	for range maxSteps {
		if v == nil || v.Kind != code.ValueName {
			return f, v
		}
		f, v = (&stepReader{Project: x.Project}).object(f, v.Text, v.Line)
	}
	return f, v
}

// libraryOf returns the library that a description begins with; nil for other calls.
func libraryOf(f *code.File, base *code.Value) *schemaLibrary {
	root, rest, ok := strings.Cut(base.Text, ".")
	if !ok || rest == "" {
		return nil
	}
	for i := range schemaLibraries {
		l := &schemaLibraries[i]
		if slices.Contains(l.names, root) && slices.ContainsFunc(f.Imports, func(imp code.Import) bool { return slices.Contains(l.modules, strings.TrimSuffix(imp.Module, "/v4")) }) {
			return l
		}
	}
	return nil
}

// object returns the fields of a description of an object; ok is false for other values.
func (x *schemas) object(f *code.File, v *code.Value, prefix string, depth int) (out []Input, ok bool) {
	f, v = x.resolved(f, v)
	switch {
	case v == nil || depth > maxFieldDepth:
		return nil, false
	case v.Kind == code.ValueObject:
		if l := fieldLibrary(f, v); l != nil { // { page: Joi.number() }
			return x.members(f, v, prefix, l, depth), true
		}
		return x.jsonSchema(f, v, prefix, depth)
	case v.Kind == code.ValueCall:
		return x.call(f, v, prefix, depth)
	}
	return nil, false
}

// call returns the fields of an object that a call describes, and those after it in a chain.
func (x *schemas) call(f *code.File, v *code.Value, prefix string, depth int) (out []Input, ok bool) {
	c := describedBy(v)
	switch l := libraryOf(f, c.base); {
	case l != nil && strings.HasSuffix(strings.ToLower(Last(c.base.Text)), "object"):
		for i := range c.base.Args {
			out = append(out, x.members(f, &c.base.Args[i], prefix, l, depth)...)
		}
	case l == nil && strings.HasPrefix(c.base.Text, "create") && strings.HasSuffix(c.base.Text, "Schema"):
		if out, ok = x.table(f, c.base, prefix); !ok {
			return nil, false
		}
	case l == nil:
		if out, ok = x.derived(f, c.base, prefix, depth); !ok {
			return nil, false
		}
		c.rules = append([]*code.Value{c.base}, c.rules...)
	default:
		return nil, false
	}
	for _, rule := range c.rules {
		out = x.changed(f, out, rule, prefix, depth)
	}
	return out, true
}

// fieldLibrary returns the library that the fields of a plain object are described with; nil for none.
func fieldLibrary(f *code.File, v *code.Value) *schemaLibrary {
	for i := range v.Args {
		if a := &v.Args[i]; a.Kind == code.ValueCall && a.Name != "" {
			if l := libraryOf(f, describedBy(a).base); l != nil {
				return l
			}
		}
	}
	return nil
}

// derived returns the fields of what a description is made from: User.omit({id: true}), withExamples(User, "…").
func (x *schemas) derived(f *code.File, base *code.Value, prefix string, depth int) ([]Input, bool) {
	before, _ := CutLast(base.Text)
	if before != "" {
		return x.object(f, &code.Value{Kind: code.ValueName, Text: before, Line: base.Line}, prefix, depth+1)
	}
	if len(base.Args) == 0 {
		return nil, false
	}
	return x.object(f, &base.Args[0], prefix, depth+1)
}

// changed returns the fields after a rule of an object.
func (x *schemas) changed(f *code.File, list []Input, rule *code.Value, prefix string, depth int) []Input {
	args := arguments(rule)
	named := func(in Input) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(in.Name, prefix), ".")
		return len(args) > 0 && args[0].Named(name) != nil
	}
	switch name := Last(rule.Text); name {
	case "omit":
		return slices.DeleteFunc(list, named)
	case "pick":
		return slices.DeleteFunc(list, func(in Input) bool { return !named(in) })
	case "partial", "required":
		for i := range list {
			if len(args) == 0 || named(list[i]) {
				list[i].Required = name == "required"
			}
		}
		return list
	}
	return append(list, x.added(f, rule, args, prefix, depth)...)
}

// added returns the fields that a rule of an object adds.
func (x *schemas) added(f *code.File, rule *code.Value, args []code.Value, prefix string, depth int) (out []Input) {
	switch Last(rule.Text) {
	case "keys", "extend", "shape", "append", "safeExtend":
		l := libraryOf(f, describedBy(rule).base)
		if l == nil {
			l = &schemaLibraries[0]
		}
		for i := range args {
			out = append(out, x.members(f, &args[i], prefix, l, depth)...)
		}
	case "prop": // S.object().prop("name", S.string())
		name, ok := x.Text(f.Path, rule.Arg(len(rule.Args)-len(args)))
		if l := libraryOf(f, describedBy(rule).base); ok && l != nil && len(args) > 1 {
			out = x.field(f, &args[1], prefix+name, l, depth)
		} else if ok && l != nil {
			out = []Input{{In: x.in, Name: prefix + name, At: Place{f.Path, rule.Line}}}
		}
	case "merge", "concat", "and":
		for i := range args {
			more, _ := x.object(f, &args[i], prefix, depth+1)
			out = append(out, more...)
		}
	}
	return out
}

// members returns the fields of an object of descriptions.
func (x *schemas) members(f *code.File, v *code.Value, prefix string, l *schemaLibrary, depth int) []Input {
	f, v = x.resolved(f, v)
	if v == nil || v.Kind != code.ValueObject {
		return nil
	}
	var out []Input
	for i := range v.Args {
		a := &v.Args[i]
		name := a.Name
		if name == "" && a.Kind == code.ValueName { // { name }
			name = a.Text
		}
		if name != "" {
			out = append(out, x.field(f, a, prefix+name, l, depth)...)
		}
	}
	return out
}

// field returns a field, or those inside it.
func (x *schemas) field(f *code.File, v *code.Value, name string, l *schemaLibrary, depth int) []Input {
	at := Place{f.Path, v.Line}
	unknown := []Input{{In: x.in, Name: name, Required: l.required, At: at}}
	f, v = x.resolved(f, v)
	if v == nil || v.Kind != code.ValueCall {
		return unknown
	}
	if inner, ok := x.object(f, v, name+".", depth+1); ok {
		return inner
	}
	c := describedBy(v)
	own := libraryOf(f, c.base)
	if own == nil {
		return unknown
	}
	required := own.required
	if kind := Last(c.base.Text); own.names[0] == "Type" && kind == "Optional" && len(c.base.Args) == 1 {
		at, inner := x.resolved(f, &c.base.Args[0])
		if inner == nil || inner.Kind != code.ValueCall {
			return []Input{{In: x.in, Name: name, At: Place{f.Path, v.Line}}}
		}
		f, c, required = at, describedBy(inner), false
	}
	in := Input{In: x.in, Name: name, Type: typeOfSchema(c.base), Required: required, At: at}
	if element := x.element(c); element != nil {
		if inner, ok := x.object(f, element, name+".", depth+1); ok {
			return inner
		}
		if element.Kind == code.ValueCall {
			in.Type = strings.ToLower(Last(describedBy(element).base.Text)) + "[]"
		}
	}
	for _, rule := range append([]*code.Value{c.base}, c.rules...) {
		applyRule(&in, rule, rule == c.base && in.Type != "")
	}
	return []Input{in}
}

// typeOfSchema returns the type that a description begins with; "" if that is a rule: Joi.required().
func typeOfSchema(base *code.Value) string {
	_, name, _ := strings.Cut(base.Text, ".")
	name = strings.ToLower(strings.TrimPrefix(name, "coerce."))
	switch name {
	case "required", "optional", "any", "valid", "custom", "allow", "forbidden", "exist", "unknown":
		return ""
	}
	return name
}

// element returns the description of the elements of a list; nil for none.
func (x *schemas) element(c schemaCall) *code.Value {
	switch Last(c.base.Text) {
	case "array", "Array":
		if len(c.base.Args) > 0 {
			return &c.base.Args[0]
		}
	default:
		return nil
	}
	for _, rule := range c.rules {
		if args := arguments(rule); len(args) > 0 && (Last(rule.Text) == "items" || Last(rule.Text) == "of") {
			return &args[0]
		}
	}
	return nil
}

// applyRule adds what a rule says of a field.
func applyRule(in *Input, rule *code.Value, base bool) {
	name, args := Last(rule.Text), arguments(rule)
	switch {
	case slices.Contains(schemaOptional, name):
		in.Required = false
	case name == "required":
		in.Required = true
	case name == "default":
		in.Required = false
		if len(args) > 0 && (args[0].Kind == code.ValueString || args[0].Kind == code.ValueNumber) {
			in.Default = args[0].Text
		}
	case slices.Contains(schemaValues, name):
		for i := range args {
			in.Limits = append(in.Limits, constants(&args[i])...)
		}
	case base:
		in.Limits = append(append(in.Limits, schemaOptions(args)...), literals(args)...)
		if options := len(args) - 1; options >= 0 {
			if v := args[options].Named("default"); v != nil && args[options].Kind == code.ValueObject {
				in.Default, in.Required = strings.Join(constants(v), ""), false
			}
		}
	case !slices.Contains(schemaSilent, name):
		in.Limits = append(in.Limits, limitOf(name, args))
	}
}

// limitOf returns a rule with its number: "min=1".
func limitOf(name string, args []code.Value) string {
	for i := range args {
		if args[i].Kind == code.ValueNumber || args[i].Kind == code.ValueName && name == "custom" {
			return name + "=" + args[i].Text
		}
	}
	return name
}

// schemaOptions returns the limits among the options of a type: Type.String({ minLength: 1 }).
func schemaOptions(args []code.Value) (out []string) {
	if len(args) == 0 || args[0].Kind != code.ValueObject {
		return nil
	}
	for i := range args[0].Args {
		if a := &args[0].Args[i]; a.Name != "default" && (a.Kind == code.ValueNumber || a.Kind == code.ValueString && a.Name == "format") {
			out = append(out, a.Name+"="+a.Text)
		}
	}
	return out
}

// literals returns the constants among the alternatives of a description: Type.Union([Type.Literal("asc"), …]).
func literals(args []code.Value) (out []string) {
	for i := range args {
		args[i].All(func(v *code.Value) bool {
			if v.Kind == code.ValueCall && strings.EqualFold(Last(v.Text), "literal") && len(v.Args) > 0 {
				out = append(out, constants(&v.Args[0])...)
			}
			return true
		})
	}
	return out
}

// constants returns the texts and numbers in a value, or in a list.
func constants(v *code.Value) []string {
	switch v.Kind {
	case code.ValueString, code.ValueNumber:
		return []string{v.Text}
	case code.ValueOther:
		var out []string
		for i := range v.Args {
			out = append(out, constants(&v.Args[i])...)
		}
		return out
	default:
		return nil
	}
}
