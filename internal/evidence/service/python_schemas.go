package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// pythonSchemas reads the fields that classes of marshmallow and of Django REST framework describe.
type pythonSchemas struct {
	*Project
	in string
}

// schemaBases are the classes of libraries whose subclasses describe bodies, and whether their fields are required unless they say
// otherwise.
var schemaBases = map[string]bool{
	"Schema": false, "SQLAlchemySchema": false, "SQLAlchemyAutoSchema": false, "ModelSchema": false, // marshmallow
	"Serializer": true, "ModelSerializer": true, "HyperlinkedModelSerializer": true, // Django REST framework
}

// describes reports whether a class describes bodies, and whether its fields are required by default.
func (x *pythonSchemas) describes(class string) (required, ok bool) {
	if len(x.classes[class]) == 0 {
		return false, false
	}
	for base, by := range schemaBases {
		if x.IsA(class, base) {
			required, ok = required || by, true
		}
	}
	return required, ok
}

// classOf returns the class of a description: Schema, Schema(partial=True), or a variable that holds one; nil for other values. In a
// partial one nothing is required.
func (x *pythonSchemas) classOf(file string, v *code.Value) (class *Class, partial bool) {
	for range maxSteps {
		if v == nil || v.Kind != code.ValueName && v.Kind != code.ValueCall {
			return nil, false
		}
		if _, ok := x.describes(Last(v.Text)); ok {
			return x.named(file, v.Text, v.Line), isTrue(v.Named("partial"))
		}
		b, ok := x.bound(file, v)
		if !ok || v.Kind == code.ValueCall {
			return nil, false
		}
		file, v = b.File.Path, &b.Value
	}
	return nil, false
}

// named returns the class that a name in a line of a file means; nil if several have the name, and it is not known which one is meant.
func (x *pythonSchemas) named(file, name string, line int) *Class {
	list := x.classes[Last(name)]
	if len(list) == 1 {
		return &list[0]
	}
	n := x.NodeOf(file, name, line)
	for i := range list {
		c := &list[i]
		if c.File.Path == file && c.Path == name || n != nil && n.IsType() && c.File.Path == n.File && c.Path == n.Path() {
			return c
		}
	}
	return nil
}

// fields returns the fields that a class, which may be nil, lets in.
func (x *pythonSchemas) fields(c *Class, prefix string, depth int) []Input {
	if c == nil || depth > maxFieldDepth {
		return nil
	}
	required, ok := x.describes(c.Symbol.Name)
	if !ok {
		return nil
	}
	var out []Input
	var declared []string
	for i := range c.File.Bodies.Bindings {
		if b := &c.File.Bodies.Bindings[i]; b.In == c.Path+"."+b.Name && b.Value.Kind == code.ValueCall {
			declared = append(declared, b.Name)
			out = append(out, x.field(c.File, b.Name, &b.Value, prefix, required, depth)...)
		}
	}
	for _, base := range c.Symbol.Bases {
		for _, in := range x.fields(x.named(c.File.Path, base, c.Symbol.StartLine), prefix, depth+1) {
			name, _, _ := strings.Cut(strings.TrimPrefix(in.Name, prefix), ".")
			if !slices.Contains(declared, name) {
				out = append(out, in)
			}
		}
	}
	return append(out, x.listed(c, declared, prefix)...)
}

// listed returns the fields that a class has of its model: Meta.fields without those that it declares or that are read-only.
func (x *pythonSchemas) listed(c *Class, declared []string, prefix string) (out []Input) {
	var names, readOnly []string
	line := c.Symbol.StartLine
	for i := range c.File.Bodies.Bindings {
		switch b := &c.File.Bodies.Bindings[i]; {
		case b.In != c.Path+".Meta."+b.Name:
		case b.Name == "fields":
			names, line = constants(&b.Value), b.Line
		case b.Name == "read_only_fields":
			readOnly = constants(&b.Value)
		}
	}
	for _, name := range names {
		if name != "__all__" && name != "id" && !slices.Contains(declared, name) && !slices.Contains(readOnly, name) {
			out = append(out, Input{In: x.in, Name: prefix + name, At: Place{c.File.Path, line}})
		}
	}
	return out
}

// field returns a field, or those inside it; none for one that is only given out.
func (x *pythonSchemas) field(f *code.File, name string, v *code.Value, prefix string, required bool, depth int) []Input {
	kind := Last(v.Text)
	if isTrue(v.Named("dump_only")) || isTrue(v.Named("read_only")) || kind == "SerializerMethodField" || kind == "Method" || kind == "Function" {
		return nil
	}
	if key, ok := x.Text(f.Path, v.Named("data_key", "load_from")); ok {
		name = key
	}
	nested := v
	if kind == "Nested" || kind == "List" {
		nested = v.Arg(0)
	}
	class, _ := x.classOf(f.Path, nested)
	if inner := x.fields(class, prefix+name+".", depth+1); len(inner) > 0 {
		return inner
	}
	in := Input{In: x.in, Name: prefix + name, Type: fieldType(kind), Required: required, At: Place{f.Path, v.Line}}
	if kind == "List" && nested != nil {
		in.Type = fieldType(Last(nested.Text)) + "[]"
	}
	if given := v.Named("required"); given != nil {
		in.Required = isTrue(given)
	}
	if given := v.Named("load_default", "missing", "default"); given != nil {
		in.Required, in.Default = false, given.Text
	}
	in.Limits = x.limits(f, v)
	return []Input{in}
}

// fieldType returns the type of a field by the name of its class.
func fieldType(kind string) string {
	kind = strings.ToLower(strings.TrimSuffix(kind, "Field"))
	switch kind {
	case "auto_field": // that of the model's column
		return ""
	case "char", "str":
		return "string"
	case "int":
		return "integer"
	case "bool":
		return "boolean"
	}
	return kind
}

// limits returns what the arguments of a field say of its values.
func (x *pythonSchemas) limits(f *code.File, v *code.Value) (out []string) {
	for i := range v.Args {
		switch a := &v.Args[i]; a.Name {
		case "max_length", "min_length", "max_value", "min_value":
			if text := x.Constant(f.Path, a); text != nil {
				out = append(out, a.Name+"="+text.Text)
			}
		case "choices":
			out = append(out, constants(a)...)
		case "validate":
			a.All(func(rule *code.Value) bool {
				if rule.Kind != code.ValueCall {
					return true
				}
				switch name := Last(rule.Text); name {
				case "Length", "Range":
					for j := range rule.Args {
						if arg := &rule.Args[j]; arg.Kind == code.ValueNumber && arg.Name != "" {
							out = append(out, arg.Name+"="+arg.Text)
						}
					}
				case "OneOf":
					for j := range rule.Args {
						out = append(out, constants(&rule.Args[j])...)
					}
				default:
					out = append(out, strings.ToLower(name))
				}
				return false
			})
		}
	}
	return out
}

// argumentDecorators are the decorators that read a request by a description, and the part of it that they read by default
// (webargs, flask-apispec, flask-smorest, APIFairy).
var argumentDecorators = map[string]string{"use_args": "body", "use_kwargs": "body", "arguments": "body", "body": "body"}

// describedInputs adds what decorators of a handler, and descriptions that it loads the request with, let in.
func describedInputs(p *Project, e *Endpoint) {
	if e.Handler.Node == nil {
		return
	}
	n := e.Handler.Node
	for _, d := range p.decorators(n) {
		part := argumentDecorators[Last(d.name)]
		if part == "" || d.call == nil {
			continue
		}
		if text, ok := p.Text(n.File, d.call.Named("location")); ok {
			part = partOf(text)
		} else if d.name == "arguments" || e.Method == "GET" { // APIFairy's default is the query
			part = "query"
		}
		described(p, e, n.File, d.call.Arg(0), part, "")
	}
	for c := range p.CallsIn(n.File, n.StartLine, n.EndLine) {
		if before, name := c.Of(); name == "load" && strings.Contains(argumentText(c.Value.Arg(len(c.Value.Args)-1)), "request") {
			described(p, e, n.File, &code.Value{Kind: code.ValueName, Text: strings.TrimSuffix(before, "()"), Line: c.Line}, "body", "")
		}
	}
}

func argumentText(v *code.Value) string {
	if v == nil {
		return ""
	}
	return v.Text
}

// described adds the fields of a description: a class, or a dictionary of fields.
func described(p *Project, e *Endpoint, file string, v *code.Value, part, prefix string) {
	if v == nil {
		return
	}
	x := &pythonSchemas{Project: p, in: part}
	var list []Input
	if v.Kind == code.ValueObject {
		for i := range v.Args {
			if a := &v.Args[i]; a.Name != "" && a.Kind == code.ValueCall {
				list = append(list, x.field(p.File(file), a.Name, a, "", false, 0)...)
			}
		}
	} else {
		class, partial := x.classOf(file, v)
		list = x.fields(class, prefix, 0)
		for i := range list {
			list[i].Required = list[i].Required && !partial
		}
	}
	for _, in := range list {
		if !slices.ContainsFunc(e.Inputs, func(o Input) bool { return o.Name == in.Name && o.In == in.In }) {
			e.Inputs = append(e.Inputs, in)
		}
	}
}

// serializerInputs adds what the serializer that a view of Django REST framework makes with data lets in.
func serializerInputs(p *Project, e *Endpoint) {
	n := e.Handler.Node
	if n == nil || n.IsType() {
		return
	}
	body := e.Method == "POST" || e.Method == "PUT" || e.Method == "PATCH"
	for c := range p.CallsIn(n.File, n.StartLine, n.EndLine) {
		data := c.Value.Named("data")
		if data == nil {
			continue
		}
		made, ok := p.serializerMade(n, c)
		if !ok {
			continue
		}
		if prefix, ok := dataPrefix(p, c, data); ok && body {
			described(p, e, made.File, made.Value, "body", prefix)
		} else if strings.HasSuffix(data.Text, "request.query_params") || strings.HasSuffix(data.Text, "request.GET") {
			described(p, e, made.File, made.Value, "query", "")
		}
	}
}

// serializerMade returns a call of a method of a view as one of the class that it makes an object of: self.get_serializer(…),
// self.Input(…) of a class in the view; ok is false if each request chooses the class.
func (p *Project) serializerMade(n *resolve.Node, c Call) (made Given, ok bool) {
	before, name := c.Of()
	if before != "self" {
		return Given{n.File, &c.Value}, true
	}
	file, text, line := n.File, n.Owner()+"."+name, c.Line
	if name == "serializer_class" || name == "get_serializer" {
		own, ok := p.serializerOf(p.class(n.File, n.Owner()))
		if !ok {
			return Given{}, false
		}
		file, text, line = own.File, own.Text, own.Line
	}
	return Given{file, &code.Value{Kind: code.ValueCall, Text: text, Args: c.Value.Args, Line: line}}, true
}

// serializerOf returns the serializer of a view; ok is false for one that chooses it for each request.
func (p *Project) serializerOf(c *Class) (own Given, ok bool) {
	if p.method(c, "get_serializer_class") != nil {
		return Given{}, false
	}
	return p.attribute(c, "serializer_class")
}

// dataPrefix returns the key of the body below which a serializer's fields are: user = request.data.get("user"); ok is false for data
// that is something else.
func dataPrefix(p *Project, c Call, data *code.Value) (prefix string, ok bool) {
	if strings.HasSuffix(data.Text, "request.data") {
		return "", true
	}
	for u := range c.AssignedTo(data.Text) {
		if text, ok := p.Text(c.File.Path, u.Value.Arg(0)); ok && strings.HasSuffix(u.Value.Text, "request.data.get") {
			return text + ".", true
		}
	}
	return "", false
}
