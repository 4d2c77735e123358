package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// fastapiSources are the functions that say where a parameter comes from.
var fastapiSources = map[string]string{
	"Query": "query", "Path": "path", "Header": "header", "Cookie": "cookie", "Body": "body", "Form": "form", "File": "form",
}

// fastapiGiven are the types of parameters that the framework gives itself.
var fastapiGiven = []string{
	"Request", "Response", "WebSocket", "HTTPConnection", "BackgroundTasks", "SecurityScopes",
}

// fieldLimits are the arguments of Query, Field and their like that limit a value.
var fieldLimits = []string{"ge", "gt", "le", "lt", "min_length", "max_length", "multiple_of", "regex", "pattern", "min_items", "max_items"}

// fastapiInputs returns the inputs that the parameters of a function read; path is that of the route.
func fastapiInputs(p *Project, n *resolve.Node, path string) []Input {
	s := p.Symbol(n)
	if s == nil {
		return nil
	}
	var out []Input
	for _, param := range s.Params {
		if in, ok := fastapiInput(p, n, &param, path); ok {
			out = append(out, in...)
		}
	}
	return out
}

// fastapiInput reads one parameter; ok is false if it is no input.
func fastapiInput(p *Project, n *resolve.Node, param *code.Param, path string) ([]Input, bool) {
	if param.Variadic || param.Name == "self" || param.Name == "cls" {
		return nil, false
	}
	in := Input{Name: param.Name, Type: plainType(param.Type), Default: param.Default, Required: param.Default == "", At: Place{n.File, n.Line}}
	given, depends := fastapiGives(p, n, param.Name, &in)
	switch {
	case depends && strings.HasPrefix(in.Type, "OAuth2PasswordRequestForm"):
		return passwordForm(in), true
	case depends, dependencyAlias(p, n, param), slices.Contains(fastapiGiven, Last(in.Type)):
		return nil, false
	}
	class := p.class(n.File, in.Type)
	switch {
	case in.In != "":
		p.given(n.File, &in, given, strings.Contains(param.Type, "Annotated["))
	case inPath(path, param.Name):
		in.In = "path"
	case in.Type == "UploadFile":
		in.In = "form"
	case class != nil:
		in.In = "body"
	default:
		in.In = "query"
	}
	if in.In != "body" || class == nil {
		return []Input{in}, true
	}
	return p.fields(class, embedded(&in, given), 0), true
}

// embedded returns the prefix of the fields of a body that is one key of an object: Body(embed=True); "" for others.
func embedded(in *Input, given *code.Value) string {
	if given != nil {
		if isTrue(given.Named("embed")) {
			return in.Name + "."
		}
	}
	return ""
}

// inPath reports whether a path has a parameter.
func inPath(path, name string) bool {
	return strings.Contains(path, "{"+name+"}") || strings.Contains(path, "{"+name+":")
}

// fastapiGives returns the call that says where a parameter comes from, and sets that in in; depends reports whether the
// parameter is a dependency.
func fastapiGives(p *Project, n *resolve.Node, name string, in *Input) (given *code.Value, depends bool) {
	for c := range p.CallsIn(n.File, n.StartLine, n.EndLine) {
		if c.To != name || c.Mark {
			continue
		}
		depends = depends || isDepends(&c.Value)
		if source := fastapiSources[Last(c.Value.Text)]; source != "" && given == nil {
			in.In, given = source, &c.Value
		}
		if given != nil || depends {
			in.At.Line = c.Line
			break
		}
	}
	return given, depends
}

// passwordForm returns the inputs of OAuth2PasswordRequestForm that are required.
func passwordForm(in Input) []Input {
	in.In, in.Required, in.Type = "form", true, "str"
	name, secret := in, in
	name.Name, secret.Name = "username", "password"
	return []Input{name, secret}
}

// dependencyAlias reports whether the type of a parameter is a name for a type with a dependency.
func dependencyAlias(p *Project, n *resolve.Node, param *code.Param) bool {
	if param.Type == "" || strings.ContainsAny(param.Type, "[(") {
		return false
	}
	alias := p.Named(n.File, n.StartLine, n.EndLine, Last(param.Type))
	if alias == nil || alias.Label == codegraph.LabelClass {
		return false
	}
	for c := range p.CallsIn(alias.File, alias.StartLine, alias.EndLine) {
		if isDepends(&c.Value) && c.To == alias.Name {
			return true
		}
	}
	return false
}

// given reads the arguments of Query, Field and their like.
func (p *Project) given(file string, in *Input, v *code.Value, annotated bool) {
	first := v.Named("default", "default_factory")
	if first == nil && !annotated {
		first = v.Arg(0)
	}
	switch {
	case first == nil && annotated:
	case first == nil, first.Text == "...":
		in.Default, in.Required = "", true
	default:
		in.Required, in.Default = false, p.literal(file, first)
	}
	if alias := v.Named("alias"); alias != nil && alias.Kind == code.ValueString {
		in.Name = alias.Text
	}
	for _, name := range fieldLimits {
		if limit := v.Named(name); limit != nil {
			in.Limits = append(in.Limits, name+"="+p.literal(file, limit))
		}
	}
}

// literal returns the constant that a value stands for, or else its text.
func (p *Project) literal(file string, v *code.Value) string {
	if c := p.Constant(file, v); c != nil {
		return c.Text
	}
	return v.Text
}

// optionalType reports whether a type admits None.
func optionalType(text string) bool {
	if rest, ok := strings.CutPrefix(text, "Annotated["); ok {
		text = splitTop(rest)[0]
	}
	return strings.HasPrefix(text, "Optional[") || slices.Contains(strings.Fields(text), "None")
}

// plainType returns a type without Annotated, Optional and None.
func plainType(text string) string {
	if rest, ok := strings.CutPrefix(text, "Annotated["); ok {
		text = splitTop(rest)[0]
	}
	if rest, ok := strings.CutPrefix(text, "Optional["); ok {
		text = strings.TrimSuffix(rest, "]")
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "| None"))
}

// class returns the class of the project that a type names; nil for none and for enumerations.
func (p *Project) class(file, name string) *Class {
	var found *Class
	for i := range p.classes[Last(name)] {
		c := &p.classes[Last(name)][i]
		if slices.ContainsFunc(c.Symbol.Bases, func(b string) bool { return strings.HasSuffix(b, "Enum") }) {
			continue
		}
		if found == nil || c.File.Path == file {
			found = c
		}
	}
	return found
}

// maxFieldDepth limits the nesting of the fields of a body.
const maxFieldDepth = 3

// fields returns the fields of a body, with those of its bases and of nested classes.
func (p *Project) fields(c *Class, prefix string, depth int) []Input {
	var out []Input
	for _, m := range p.members(c, p.camelFields(c, 0), depth) {
		element, _ := elementType(m.in.Type)
		nested := p.class(m.of.File.Path, element)
		if nested == nil || nested.Symbol == m.of.Symbol || depth >= maxFieldDepth {
			m.in.Name = prefix + m.in.Name
			out = append(out, m.in)
			continue
		}
		out = append(out, p.fields(nested, prefix+nestedPath(&m.in)+".", depth+1)...)
	}
	return out
}

// modelMember is a field of a model, with the class that declares it.
type modelMember struct {
	name string
	of   *Class
	in   Input
}

// members returns the fields of a model and of its bases; camel says that the names of the values are in camel case.
func (p *Project) members(c *Class, camel bool, depth int) []modelMember {
	var out []modelMember
	for _, base := range c.Symbol.Bases {
		if b := p.class(c.File.Path, base); b != nil && b.Symbol != c.Symbol && depth < maxSteps {
			out = append(out, p.members(b, camel, depth+1)...)
		}
	}
	for i := range c.Symbol.Members {
		m := &c.Symbol.Members[i]
		if !isField(m) {
			continue
		}
		in := Input{In: "body", Name: m.Name, Type: plainType(m.Returns), Default: m.Value, At: Place{c.File.Path, max(m.NameLine, m.StartLine)}}
		in.Required = m.Value == "" && !optionalType(m.Returns)
		if camel {
			in.Name = camelOf(in.Name)
		}
		for call := range p.CallsIn(c.File.Path, m.StartLine, m.EndLine) {
			if Last(call.Value.Text) == "Field" && call.To == m.Name {
				p.given(c.File.Path, &in, &call.Value, strings.Contains(m.Returns, "Annotated["))
			}
		}
		found := modelMember{m.Name, c, in}
		if at := slices.IndexFunc(out, func(o modelMember) bool { return o.name == m.Name }); at >= 0 { // it is declared again
			out[at] = found
			continue
		}
		out = append(out, found)
	}
	return out
}

// camelFields reports whether a model names its fields in camel case: its configuration, or that of a base, has a function with
// such a name as alias_generator.
func (p *Project) camelFields(c *Class, depth int) bool {
	if depth > maxSteps {
		return false
	}
	for i := range c.File.Bodies.Bindings {
		b := &c.File.Bodies.Bindings[i]
		generator := &b.Value
		switch {
		case b.Name == "alias_generator" && strings.HasPrefix(b.In, c.Path+"."):
		case b.Name == "model_config" && strings.HasPrefix(b.In, c.Path):
			generator = b.Value.Named("alias_generator")
		default:
			continue
		}
		return generator != nil && strings.Contains(strings.ToLower(Last(generator.Text)), "camel")
	}
	return slices.ContainsFunc(c.Symbol.Bases, func(base string) bool {
		b := p.class(c.File.Path, base)
		return b != nil && b.Symbol != c.Symbol && p.camelFields(b, depth+1)
	})
}

// isField reports whether a member of a class is a field of its data.
func isField(m *code.Symbol) bool {
	return m.Kind == code.Property && m.Returns != "" && !strings.HasPrefix(m.Returns, "ClassVar") && m.Name != "model_config"
}

// refusable reports whether an input may not fit: what a path gives is never empty.
func (in *Input) refusable() bool {
	if in.In == "path" {
		limits := slices.DeleteFunc(slices.Clone(in.Limits), func(l string) bool { return l == "min_length=1" })
		return in.Type != "" && in.Type != "str" || len(limits) > 0
	}
	return in.In == "body" || in.In == "form" || in.Required || len(in.Limits) > 0 || in.Type != "" && in.Type != "str" && in.Type != "Any"
}
