package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// requestParts are the names that validators of requests have for the parts of one.
var requestParts = map[string]string{
	"body": "body", "json": "body", "form": "form", "query": "query", "querystring": "query", "params": "path", "param": "path", "headers": "header", "header": "header",
	"cookies": "cookie", "cookie": "cookie",
}

// validatorCalls are the functions that check one part of a request, which their first argument names.
var validatorCalls = []string{"zValidator", "validator", "sValidator", "vValidator", "customZodValidator"}

// parseCalls are the methods of schemas that check a value.
var parseCalls = []string{"parse", "safeParse", "parseAsync", "safeParseAsync", "validate", "validateAsync", "validateSync"}

// ecmaInputs adds the parameters in the path of an endpoint, what the schemas of its steps accept, and what its handler reads.
func ecmaInputs(p *Project, e *Endpoint) {
	pathInputs(p, e)
	x := &ecmaInputReader{Project: p, e: e}
	if e.registered != nil {
		for i := range e.registered.Value.Args {
			x.argument(e.registered.File, &e.registered.Value.Args[i], 0)
		}
		e.registered = nil
	}
	for i := range e.Chain {
		x.step(&e.Chain[i])
	}
	x.step(&e.Handler)
	all := slices.Clone(e.Inputs)
	e.Inputs = slices.DeleteFunc(e.Inputs, func(in Input) bool { // its fields say more
		return in.Type == "" && slices.ContainsFunc(all, func(o Input) bool { return o.In == in.In && strings.HasPrefix(o.Name, in.Name+".") })
	})
}

type ecmaInputReader struct {
	*Project
	e *Endpoint
}

// argument reads an argument of a route: options, a description, or a call of a validator.
func (x *ecmaInputReader) argument(f *code.File, v *code.Value, depth int) {
	s := &schemas{Project: x.Project}
	if f, v = s.resolved(f, v); v == nil || depth > maxSteps {
		return
	}
	switch v.Kind {
	case code.ValueObject:
		x.parts(f, v, depth)
	case code.ValueOther:
		for i := range v.Args {
			x.argument(f, &v.Args[i], depth+1)
		}
	case code.ValueCall:
		if name := Last(v.Text); slices.Contains(validatorCalls, name) && len(v.Args) > 1 && v.Args[0].Kind == code.ValueString {
			x.schema(f, &v.Args[1], requestParts[v.Args[0].Text])
			return
		}
		if libraryOf(f, describedBy(v).base) == nil {
			x.given(f, v, depth)
		}
	default:
	}
}

// given reads the arguments of a function that checks requests: validate(schema), validate({ body: schema }).
func (x *ecmaInputReader) given(f *code.File, v *code.Value, depth int) {
	s := &schemas{Project: x.Project}
	for i := range v.Args {
		at, arg := s.resolved(f, &v.Args[i])
		if arg == nil {
			continue
		}
		if arg.Kind == code.ValueObject {
			x.parts(at, arg, depth+1)
			continue
		}
		if arg.Kind != code.ValueCall {
			continue
		}
		c := describedBy(arg)
		if libraryOf(at, c.base) == nil {
			continue
		}
		if len(c.base.Args) == 1 && isParts(&c.base.Args[0]) { // z.object({ body: z.object({…}) })
			x.parts(at, &c.base.Args[0], depth+1)
			continue
		}
		x.schema(at, arg, partOf(v.Text))
	}
}

// isParts reports whether all names of an object are those of parts of a request.
func isParts(v *code.Value) bool {
	return v.Kind == code.ValueObject && len(v.Args) > 0 && !slices.ContainsFunc(v.Args, func(a code.Value) bool { return requestParts[a.Name] == "" || a.Name == "json" })
}

// partOf returns the part of a request that the name of a function or of a variable says; the body if it says none.
func partOf(text string) string {
	text = strings.ToLower(text)
	switch {
	case strings.Contains(text, "query") || strings.Contains(text, "searchparams"):
		return "query"
	case strings.Contains(text, "param"):
		return "path"
	case strings.Contains(text, "header"):
		return "header"
	case strings.Contains(text, "cookie"):
		return "cookie"
	}
	return "body"
}

// parts reads an object with a description for each part of a request, by itself or in the options of a route.
func (x *ecmaInputReader) parts(f *code.File, v *code.Value, depth int) {
	if depth > maxSteps {
		return
	}
	for i := range v.Args {
		a := &v.Args[i]
		name := a.Name
		if name == "" && a.Kind == code.ValueName { // { body }
			name = a.Text
		}
		if name == "schema" || name == "request" {
			if at, inner := (&schemas{Project: x.Project}).resolved(f, a); inner != nil && inner.Kind == code.ValueObject {
				x.parts(at, inner, depth+1)
			}
			continue
		}
		if in := requestParts[name]; in != "" && name != "json" {
			x.schema(f, content(a), in)
		}
	}
}

// content returns the description in a body by its type: { content: { "application/json": { schema } } }; other values as they are.
func content(v *code.Value) *code.Value {
	if types := v.Named("content"); types != nil && len(types.Args) > 0 {
		if schema := types.Args[0].Named("schema"); schema != nil {
			return schema
		}
	}
	return v
}

// schema adds the fields that a description accepts in a part of a request.
func (x *ecmaInputReader) schema(f *code.File, v *code.Value, in string) {
	s := &schemas{Project: x.Project, in: in}
	list, _ := s.object(f, v, "", 0)
	for _, input := range list {
		x.add(input)
	}
}

// step adds what the function of a step reads.
func (x *ecmaInputReader) step(s *Step) {
	file, first, last, body := s.At.File, 0, -1, s.Body
	switch {
	case s.Body != nil:
		first, last = s.Body.Line, s.Body.End
	case s.Node != nil:
		file, body = s.Node.File, x.Body(s.Node)
		if sym := x.Symbol(s.Node); sym != nil {
			first, last = sym.StartLine, sym.EndLine
		}
	}
	for c := range x.CallsIn(file, first, last) {
		of, name := c.Of()
		switch {
		case slices.Contains(parseCalls, name) && of != "":
			x.parsed(c, of)
		default:
			x.got(c, of, name)
			x.handed(c)
		}
	}
	if body != nil {
		x.readBy(file, body)
	}
}

// parsed reads schema.parse(req.body), Joi.validate(req.query, schema), and schema.validate(ctx.request.body).
func (x *ecmaInputReader) parsed(c Call, of string) {
	args := arguments(&c.Value)
	if len(args) == 0 {
		return
	}
	schema := &code.Value{Kind: code.ValueName, Text: of, Line: c.Line}
	switch {
	case of == "Joi" && len(args) > 1:
		schema = &args[1]
	case len(c.Value.Args) > len(args): // z.object({…}).parse(…)
		schema = &c.Value.Args[0]
	}
	x.schema(c.File, schema, partOf(x.holds(c, &args[0])))
}

// holds returns what a value is as written, of a local variable what is assigned to it.
func (x *ecmaInputReader) holds(c Call, v *code.Value) string {
	if v.Kind == code.ValueName && !strings.Contains(v.Text, ".") {
		for u := range c.AssignedTo(v.Text) {
			return u.Value.Text
		}
	}
	return v.Text
}

// got adds one value that a call returns: c.req.query("page"), searchParams.get("page"), req.get("X-Key").
func (x *ecmaInputReader) got(c Call, of, name string) {
	in := ""
	switch {
	case name == "get" && Last(of) == "searchParams", (name == "query" || name == "queries") && Last(of) == "req":
		in = "query"
	case name == "get" && (Last(of) == "headers" || of == "req" || of == "request"), name == "header" && (Last(of) == "req" || of == "request"):
		in = "header"
	}
	if in == "" {
		return
	}
	if field, ok := x.Text(c.File.Path, c.Value.Arg(0)); ok && field != "" {
		x.add(Input{In: in, Name: field, Type: "string", At: c.Place()})
	}
}

// add adds an input once; what a description says of a parameter of the path completes it.
func (x *ecmaInputReader) add(input Input) {
	if input.In == "" {
		return
	}
	for i := range x.e.Inputs {
		if o := &x.e.Inputs[i]; o.Name == input.Name && o.In == input.In {
			if input.In == "path" && input.Type != "" {
				o.Type, o.Limits = input.Type, input.Limits
			}
			return
		}
	}
	if input.In != "path" {
		x.e.Inputs = append(x.e.Inputs, input)
	}
}
