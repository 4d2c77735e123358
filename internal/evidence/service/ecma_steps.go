package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// check is what a function of a library refuses when it is used as middleware.
type check struct {
	module string // prefix of the module that it is imported from
	name   string // in that module; "" for any, "default" for its default export
	kind   string // of the step
	class  string // of the error that it hands on; "" if it answers itself
	status int
	text   string // the message
}

// ecmaChecks are libraries that refuse requests. The sources are their documentation: each has the status in it.
var ecmaChecks = []check{
	{"express-jwt", "", Middleware, "UnauthorizedError", 401, ""},
	{"koa-jwt", "", Middleware, "", 401, "Authentication Error"},
	{"passport", "authenticate", Middleware, "", 401, "Unauthorized"},
	{"koa-bodyparser", "", Validation, "HttpError", 400, ""},
	{"@koa/bodyparser", "", Validation, "HttpError", 400, ""},
	{"koa-passport", "authenticate", Middleware, "", 401, "Unauthorized"},
	{"hono/basic-auth", "", Middleware, "", 401, "Unauthorized"},
	{"hono/bearer-auth", "", Middleware, "", 401, "Unauthorized"},
	{"hono/jwt", "jwt", Middleware, "", 401, "Unauthorized"},
	{"hono/jwk", "jwk", Middleware, "", 401, "Unauthorized"},
	{"hono/csrf", "csrf", Middleware, "", 403, "Forbidden"},
	{"hono/body-limit", "bodyLimit", Middleware, "", 413, "Payload Too Large"},
	{"hono/timeout", "timeout", Middleware, "", 504, "Gateway Timeout"},
	{"express-rate-limit", "", Middleware, "", 429, "Too many requests, please try again later."},
	{"express-basic-auth", "", Middleware, "", 401, ""},
	{"celebrate", "celebrate", Validation, "CelebrateError", 0, ""}, // its own handler, errors(), answers 400
	{"express-validation", "", Validation, "ValidationError", 400, ""},
	{"csurf", "", Middleware, "ForbiddenError", 403, "invalid csrf token"},
	{"@hono/zod-validator", "zValidator", Validation, "", 400, ""},
	{"@hono/valibot-validator", "vValidator", Validation, "", 400, ""},
	{"@hono/standard-validator", "sValidator", Validation, "", 400, ""},
	{"@hono/typebox-validator", "tbValidator", Validation, "", 400, ""},
	{"@hono/arktype-validator", "arktypeValidator", Validation, "", 400, ""},
	{"@hono/stytch-auth", "", Middleware, "", 401, "Unauthenticated"},
}

// checkOf returns the check that a call of a library is; ok is false for other calls.
func checkOf(f *code.File, v *code.Value) (c check, ok bool) {
	first, _, _ := strings.Cut(v.Text, ".")
	module, name := importOf(f, first)
	if module == "" {
		return c, false
	}
	if strings.Contains(v.Text, ".") {
		name = Last(v.Text)
	}
	for _, c := range ecmaChecks {
		if (module == c.module || strings.HasPrefix(module, c.module+"/")) && (c.name == "" || c.name == name) && (c.status > 0 || c.class != "") {
			return c, true
		}
	}
	return c, false
}

// stepReader expands the values that are given as handlers into steps.
type stepReader struct {
	*Project
	kind  string
	out   []Step
	depth int
}

// ecmaSteps returns the steps of values that are given as middleware or handlers within a function of a file.
func (p *Project) ecmaSteps(f *code.File, kind string, list []code.Value) []Step {
	x := &stepReader{Project: p, kind: kind}
	for i := range list {
		x.value(f, &list[i])
	}
	return x.out
}

func (x *stepReader) value(f *code.File, v *code.Value) {
	if x.depth++; x.depth > maxSteps {
		x.depth--
		return
	}
	defer func() { x.depth-- }()
	switch v.Kind {
	case code.ValueFunction:
		if body := literalBody(f, v); body != nil {
			x.out = append(x.out, Step{Kind: x.kind, Name: body.Name, Body: body, At: Place{f.Path, v.Line}})
		}
	case code.ValueName:
		x.name(f, v)
	case code.ValueCall:
		x.call(f, v)
	case code.ValueOther:
		for i := range v.Args {
			x.value(f, &v.Args[i])
		}
	default:
	}
}

// name expands a name: a function, or a variable with what it is bound to.
func (x *stepReader) name(f *code.File, v *code.Value) {
	n := x.ecmaNode(f, v)
	if n != nil && IsFunction(n) && x.Body(n) == nil { // of an object in an object
		if at, field := x.field(f, v); field != nil {
			x.value(at, field)
			return
		}
	}
	switch {
	case n == nil:
		if at, field := x.field(f, v); field != nil {
			x.value(at, field)
		} else if at, whole := x.module(f, v.Text); whole != nil {
			x.value(at, whole)
		} else if before, last := CutLast(v.Text); last == "bind" {
			x.name(f, &code.Value{Kind: code.ValueName, Text: before, Line: v.Line})
		} else if before != "" {
			x.decorated(last)
		}
	case IsFunction(n):
		x.out = append(x.out, Step{Kind: x.kind, Name: n.Path(), Node: n, At: Place{f.Path, v.Line}})
	case !n.IsType():
		if b, ok := x.Bound(n.File, "", n.Name); ok {
			x.value(b.File, &b.Value)
		} else if body := x.Body(n); body != nil {
			x.out = append(x.out, Step{Kind: x.kind, Name: n.Name, Node: n, At: Place{f.Path, v.Line}})
		}
	}
}

// decorated expands what an application is given by a name: fastify.decorate("authenticate", function).
func (x *stepReader) decorated(name string) {
	for _, c := range x.called("decorate") {
		if text, ok := x.Text(c.File.Path, c.Value.Arg(0)); ok && text == name && c.Value.Arg(1) != nil {
			before := len(x.out)
			x.value(c.File, c.Value.Arg(1))
			for i := before; i < len(x.out); i++ {
				x.out[i].Name = cmp.Or(x.out[i].Name, name)
			}
			return
		}
	}
}

// checksCalled returns the answer of a check of a library that is called inside a function.
func checksCalled(_ *Project, at Site, call *code.Value) (Answer, bool) {
	c, ok := checkOf(at.File, call)
	if !ok || c.kind != Middleware || c.class != "" {
		return Answer{}, false
	}
	return Answer{Status: c.status, Message: c.text}, true
}

// memberNode returns the method that this.name is, within a class.
func (p *Project) memberNode(f *code.File, v *code.Value) *resolve.Node {
	before, name := CutLast(v.Text)
	if before != "this" {
		return nil
	}
	owner := ""
	for _, n := range p.Links.Linked(f.Path) {
		if n.IsType() && n.StartLine <= v.Line && v.Line <= n.EndLine {
			owner = n.Path()
		}
		if IsFunction(n) && n.Name == name && owner != "" && n.Owner() == owner {
			return n
		}
	}
	return nil
}

// ecmaNode returns what a name in a file means; nil if it is not of the project.
func (p *Project) ecmaNode(f *code.File, v *code.Value) *resolve.Node {
	if n := p.moduleMember(f, v.Text); n != nil { // several names on the line may be the same
		return n
	}
	if n := p.NodeOf(f.Path, v.Text, v.Line); n != nil {
		return n
	}
	return p.memberNode(f, v)
}

// moduleMember returns what a selection from an imported module means: handlers.list after import * as handlers.
func (p *Project) moduleMember(f *code.File, text string) *resolve.Node {
	before, name := CutLast(text)
	for i := range f.Imports {
		imp := &f.Imports[i]
		target := p.imports.Target(f.Path, i)
		if before == "" || imp.Namespace != before && imp.Default != before || len(target.Files) == 0 {
			continue
		}
		for _, n := range p.Links.Nodes(target.Files[0]) {
			if n.Name == name && n.Path() == name {
				return n
			}
		}
	}
	return nil
}

// field returns the field of an object literal that a selection names: auth.required, with the file that it is in.
func (x *stepReader) field(f *code.File, v *code.Value) (*code.File, *code.Value) {
	before, name := CutLast(v.Text)
	if before == "" {
		return nil, nil
	}
	at, object := x.object(f, before, v.Line)
	if object == nil || object.Kind != code.ValueObject {
		return nil, nil
	}
	for i := range object.Args {
		if a := &object.Args[i]; a.Name == name || a.Name == "" && a.Kind == code.ValueName && a.Text == name { // { name }
			return at, a
		}
	}
	return nil, nil
}

// object returns the value that a name is bound to, with its file; nil if that is not known.
func (x *stepReader) object(f *code.File, name string, line int) (*code.File, *code.Value) {
	if n := x.ecmaNode(f, &code.Value{Text: name, Line: line}); n != nil {
		for _, name := range []string{n.Name, "module.exports"} {
			if b, ok := x.Bound(n.File, "", name); ok {
				if field := b.Value.Named(n.Name); name == "module.exports" && field != nil {
					return b.File, field
				}
				return b.File, &b.Value
			}
		}
		return nil, nil
	}
	if strings.Contains(name, ".") {
		return x.field(f, &code.Value{Kind: code.ValueName, Text: name, Line: line})
	}
	if b, ok := x.Bound(f.Path, "", name); ok && b.Value.Text != "require" {
		return b.File, &b.Value
	}
	return x.module(f, name)
}

// module returns the value that a file exports as a whole, by the name that another file requires it under.
func (x *stepReader) module(f *code.File, name string) (*code.File, *code.Value) {
	for i := range f.Imports {
		imp := &f.Imports[i]
		whole := imp.Default == name || imp.Namespace == name
		one := importedAs(imp, name)
		if name == "" || !whole && one == "" {
			continue
		}
		for _, file := range x.imports.Target(f.Path, i).Files {
			b, ok := x.Bound(file, "", "module.exports")
			switch {
			case ok && whole:
				return b.File, &b.Value
			case ok && b.Value.Named(one) != nil: // const { name } = require("./file")
				return b.File, b.Value.Named(one)
			}
		}
	}
	return nil, nil
}

// importedAs returns the name in the imported module of what a file calls name; "" for none.
func importedAs(imp *code.Import, name string) string {
	for i, named := range imp.Named {
		if named == name && (i >= len(imp.Aliases) || imp.Aliases[i] == "") || i < len(imp.Aliases) && imp.Aliases[i] == name {
			return named
		}
	}
	return ""
}

// call expands a call whose result is used as a handler: what a function of the project returns, the functions that it is
// given, and the checks of libraries.
func (x *stepReader) call(f *code.File, v *code.Value) {
	if before, last := CutLast(v.Text); last == "bind" {
		x.name(f, &code.Value{Kind: code.ValueName, Text: before, Line: v.Line})
		return
	}
	if c, ok := checkOf(f, v); ok {
		x.library(f, v, c)
		return
	}
	if n := x.Node(f.Path, v); n != nil && IsFunction(n) {
		for _, body := range returnedBodies(x.Project, n) {
			x.out = append(x.out, Step{Kind: x.kind, Name: n.Path(), Body: body, At: Place{n.File, body.Line}})
		}
		if made, ok := x.Result(n, v); ok && made.Kind == code.ValueCall {
			x.value(x.File(made.File), made.Value)
		}
	}
	for i := range v.Args {
		a := &v.Args[i]
		if a.Kind == code.ValueFunction || a.Kind == code.ValueName && x.isHandler(f, a) || a.Kind == code.ValueCall && i == 0 && len(v.Args) == 1 {
			x.value(f, a)
		}
	}
}

// isHandler reports whether a name is that of a function, so that a call that is given it wraps it.
func (x *stepReader) isHandler(f *code.File, v *code.Value) bool {
	n := x.ecmaNode(f, v)
	return n != nil && (IsFunction(n) || !n.IsType() && x.Body(n) != nil)
}

// library adds the step of a check of a library. Functions that it is given replace its answers.
func (x *stepReader) library(f *code.File, v *code.Value, c check) {
	at := Place{f.Path, v.Line}
	step := Step{Kind: c.kind, Name: v.Text, At: at}
	own := slices.ContainsFunc(v.Args[min(1, len(v.Args)):], func(a code.Value) bool { return a.Kind == code.ValueFunction })
	if off := v.Named("passthrough"); off != nil && off.Text == "true" {
		return
	}
	for i := range v.Args {
		if off := v.Args[i].Named("passthrough"); off != nil && off.Text == "true" {
			return
		}
	}
	if !own {
		step.Refusals = []Refusal{{Answer: Answer{Status: c.status, Error: c.class, Message: c.text, At: at}}}
	}
	x.out = append(x.out, step)
	for i := range v.Args {
		if a := &v.Args[i]; i > 0 && (a.Kind == code.ValueFunction || a.Kind == code.ValueName && x.isHandler(f, a)) {
			x.value(f, a)
		} else if i > 0 && a.Kind == code.ValueCall {
			x.call(f, a)
		}
	}
}
