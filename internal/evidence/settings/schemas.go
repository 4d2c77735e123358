package settings

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// schemas reads the schemas by which programs for Node check their environment: of zod, Joi, envalid and t3-env.
type schemas struct {
	Source
	out  Declared
	seen map[*code.Value]bool
}

// environments are the objects with the variables of the environment.
var environments = []string{"process.env", "import.meta.env", "Bun.env"}

func readSchemas(s Source) Declared {
	r := &schemas{Source: s, seen: map[*code.Value]bool{}}
	r.each(ecma, func(at site) {
		v := at.value
		if v.Kind != code.ValueCall {
			return
		}
		_, last := split(v.Text)
		switch {
		case last == "cleanEnv" && isEnvironment(v.Arg(0)):
			r.object(at, v.Arg(1))
		case last == "forRoot" && v.Arg(0).Named("validationSchema") != nil:
			r.object(at, v.Arg(0).Named("validationSchema"))
		case last == "createEnv":
			r.object(at, v.Arg(0).Named("server"))
			r.object(at, v.Arg(0).Named("client"))
			r.object(at, v.Arg(0).Named("shared"))
		case slices.Contains([]string{"parse", "safeParse", "validate", "validateSync", "parseAsync"}, last) && len(v.Args) > 0 && slices.ContainsFunc(v.Args, func(a code.Value) bool { return isEnvironment(&a) }):
			r.checked(at)
		}
	})
	return r.out
}

// isEnvironment reports whether a value is the environment.
func isEnvironment(v *code.Value) bool {
	return v != nil && (v.Kind == code.ValueName && slices.Contains(environments, v.Text) || v.Kind == code.ValueObject && slices.ContainsFunc(v.Args, func(a code.Value) bool { return isEnvironment(&a) }))
}

// checked reads the schema that a call checks the environment by: what it is called on, or given first.
func (r *schemas) checked(at site) {
	for i := range at.value.Args {
		if a := &at.value.Args[i]; a.Kind == code.ValueCall && !isEnvironment(a) {
			r.object(at, a)
			return
		}
	}
	r.variable(at, at.value.Text)
}

// object reads the fields of a schema: an object literal, the call that is given one, or the variable that has it.
func (r *schemas) object(at site, v *code.Value) {
	if v == nil || r.seen[v] {
		return
	}
	r.seen[v] = true
	switch v.Kind {
	case code.ValueObject:
		for i := range v.Args {
			r.field(at, &v.Args[i])
		}
	case code.ValueCall:
		for i := range v.Args {
			r.object(at, &v.Args[i])
		}
		r.variable(at, v.Text)
	case code.ValueName:
		r.variable(at, v.Text)
	default:
	}
}

// variable reads the schema in the variable that a text begins with.
func (r *schemas) variable(at site, text string) {
	name, _, _ := strings.Cut(text, ".")
	b := r.Bodies(at.file)
	for i := range b.Bindings {
		if b.Bindings[i].Name == name {
			r.object(at, &b.Bindings[i].Value)
		}
	}
}

// field reads a field of a schema.
func (r *schemas) field(at site, v *code.Value) {
	if v.Name == "" || !isName(v.Name) || v.Kind != code.ValueCall && v.Kind != code.ValueName {
		return
	}
	out := Setting{Name: v.Name, In: at.in, Required: true, At: []Place{{at.file.Path, v.Line, v.Name}}}
	var limits []string
	chain(v, func(c *code.Value) { limits = append(limits, out.step(c)...) })
	if len(limits) > 0 {
		out.Type = strings.Join(limits, " | ")
	}
	if strings.HasPrefix(strings.ToLower(v.Text), "joi") {
		out.Required = required(v)
	}
	r.out.add(&out)
}

// types are the functions of schemas that say of which type a value is.
var types = []string{"string", "str", "nonemptyString", "number", "num", "boolean", "bool", "integer", "url", "email", "port", "host", "json", "uri", "date"}

// step takes over what a call in the chain of a field says, and returns the values that it allows.
func (s *Setting) step(c *code.Value) []string {
	_, name := split(c.Text)
	first := c.Arg(0)
	switch name {
	case "default", "catch", "prefault":
		s.Default, s.Required = Written(first), false
	case "optional", "nullish":
		s.Required = false
	case "description", "describe":
		s.Help, _ = literal(first)
	case "enum", "valid", "nativeEnum":
		return choices(c)
	}
	if !slices.Contains(types, name) {
		return nil
	}
	if s.Type == "" || name != "string" && name != "str" {
		s.Type = name
	}
	if first != nil && first.Kind == code.ValueObject {
		envalid(s, first)
	}
	return nil
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// required reports whether a chain of Joi says that a value must be given.
func required(v *code.Value) bool {
	found := false
	chain(v, func(c *code.Value) {
		_, name := split(c.Text)
		found = found || name == "required" || name == "exist"
	})
	return found
}

// choices returns the values that a call names, as written.
func choices(c *code.Value) []string {
	var out []string
	for i := range c.Args {
		if a := &c.Args[i]; a.Kind != code.ValueCall {
			a.All(func(v *code.Value) bool {
				if text, ok := literal(v); ok {
					out = append(out, `"`+text+`"`)
				}
				return true
			})
		}
	}
	return slices.Compact(out)
}

// envalid reads the options of a validator of envalid.
func envalid(out *Setting, options *code.Value) {
	if v := options.Named("default", "devDefault"); v != nil {
		out.Default, out.Required = Written(v), options.Named("default") == nil
	}
	if v := options.Named("desc"); v != nil {
		out.Help, _ = literal(v)
	}
	if v := options.Named("choices"); v != nil {
		out.Type = strings.Join(choices(&code.Value{Args: []code.Value{*v}}), " | ")
	}
}

// chain calls see for the calls of a chain, the first one first.
func chain(v *code.Value, see func(c *code.Value)) {
	if v.Kind == code.ValueCall && len(v.Args) > 0 && v.Args[0].Kind == code.ValueCall && strings.Contains(v.Text, "(") {
		chain(&v.Args[0], see)
	}
	rest := v.Text
	if i := strings.LastIndexByte(rest, ')'); i >= 0 {
		rest = rest[i+1:]
	}
	parts := strings.Split(strings.Trim(rest, "."), ".") // z.coerce.number
	for i, part := range parts {
		if i < len(parts)-1 {
			see(&code.Value{Kind: code.ValueName, Text: part})
		}
	}
	c := *v
	if strings.Contains(v.Text, "(") && len(v.Args) > 0 && v.Args[0].Kind == code.ValueCall {
		c.Args = v.Args[1:]
	}
	see(&c)
}
