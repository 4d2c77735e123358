package service

import (
	"cmp"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

var fastify = Framework{
	Name: "Fastify", Languages: ecmaLanguages, Imports: []string{"fastify"},
	Events: routerEvents(&fastifyRouters), Errors: routerErrors(&fastifyRouters), Answered: fastifyAnswered, Called: checksCalled, Passes: true, Unhandled: 500,
	Join: ecmaJoin, Finish: ecmaInputs, Applies: appliesToMethod, Settle: assumeSuccess,
}

// fastifyAnswered reads reply.code(201) before a result, too.
func fastifyAnswered(p *Project, at Site) (Answer, bool) {
	if a, ok := ecmaAnswered(p, at); ok {
		return a, true
	}
	if v := at.Stmt.Value; at.Stmt.Op == code.StmtCall && v != nil { // @fastify/sensible: reply.unauthorized("text")
		on, name := CutLast(v.Text)
		if status := StatusNamed(name); status >= 400 && hasResponse(at.File, at.Body, on) {
			text, _ := p.Text(at.File.Path, v.Arg(0))
			return Answer{Status: status, Message: text}, true
		}
	}
	a := at.Stmt.Answer
	if a == nil || !a.Sets || !hasResponse(at.File, at.Body, a.On) {
		return Answer{}, false
	}
	status := p.Status(at.File.Path, a.Value.Arg(0))
	return Answer{Status: status}, status > 0
}

// fastify reads the methods of Fastify.
func (r *routerReader) fastify(c Call, on Object, name string) {
	args := c.Value.Args
	switch {
	case name == "route" && len(args) > 0:
		r.routeObject(c, on)
	case name == "register":
		r.plugin(c, on)
	case name == "addHook" && len(args) > 1: // also for what was registered before: hooks are joined when the server is ready
		r.out = append(r.out, Event{On: on, Steps: r.ecmaSteps(c.File, Middleware, args[1:]), First: true})
	case name == "setErrorHandler":
		r.errors = append(r.errors, r.ecmaSteps(c.File, Middleware, args)...)
	}
}

// fastifyRoute reads fastify.get(path, { preHandler, schema }, handler).
func (r *routerReader) fastifyRoute(c Call, on Object, verb string, paths []string, args []code.Value) {
	steps := r.hooks(c.File, &args[0])
	handler := &args[len(args)-1]
	steps = append(steps, r.ecmaSteps(c.File, Middleware, []code.Value{*handler})...)
	for _, path := range paths {
		r.add(c, on, verb, path, steps, handler)
	}
}

// hooks returns the steps of the options of a Fastify route, in the order in which they run.
func (r *routerReader) hooks(f *code.File, options *code.Value) []Step {
	at, def := r.definition(f, options)
	if def == nil {
		return nil
	}
	var out []Step
	for _, name := range []string{"onRequest", "preParsing", "preValidation"} {
		if v := def.Named(name); v != nil {
			out = append(out, r.ecmaSteps(at, Middleware, []code.Value{*v})...)
		}
	}
	if v := def.Named("schema"); v != nil && v.Named("body", "querystring", "query", "params", "headers") != nil {
		place := Place{at.Path, v.Line}
		out = append(out, Step{Kind: Validation, Name: "schema", At: place, Refusals: []Refusal{{Answer: Answer{Status: 400, At: place}}}})
	}
	if v := def.Named("preHandler"); v != nil {
		out = append(out, r.ecmaSteps(at, Middleware, []code.Value{*v})...)
	}
	return out
}

// routeObject reads fastify.route({ method, url, handler }).
func (r *routerReader) routeObject(c Call, on Object) {
	args := c.Value.Args
	at, def := r.definition(c.File, &args[len(args)-1])
	if def == nil {
		return
	}
	method, url, handler := def.Named("method"), def.Named("url", "path"), def.Named("handler")
	if method == nil || url == nil || handler == nil {
		return
	}
	path, ok := r.Text(at.Path, url)
	if !ok {
		return
	}
	methods := []code.Value{*method}
	if method.Kind == code.ValueOther {
		methods = method.Args
	}
	steps := append(r.hooks(at, def), r.ecmaSteps(at, Middleware, []code.Value{*handler})...)
	for _, m := range methods {
		r.add(c, on, strings.ToUpper(m.Text), path, steps, handler)
	}
}

// plugged notes the first parameters of plugins as routers.
func (r *routerReader) plugged(chain []Call) {
	if !r.kind.register {
		return
	}
	for _, c := range chain {
		if _, name := c.Of(); name != "register" {
			continue
		}
		for _, p := range r.plugins(c) {
			if _, known := r.objects[p.Child]; !known {
				r.objects[p.Child] = false
			}
		}
	}
}

// plugin reads fastify.register(plugin, { prefix }).
func (r *routerReader) plugin(c Call, on Object) {
	for _, p := range r.plugins(c) {
		p.On = cmp.Or(p.On, on)
		r.out = append(r.out, p)
	}
}

// plugins returns the routers that a registration mounts: the first parameter of a function, or of those of the files in a folder.
func (r *routerReader) plugins(c Call) []Event {
	args := c.Value.Args
	if chainArg(c) {
		args = args[1:]
	}
	if len(args) == 0 {
		return nil
	}
	var options code.Value
	if len(args) > 1 {
		options = args[1]
	}
	if module := r.moduleOf(c.File, args[0].Text); module == "@fastify/autoload" || module == "fastify-autoload" {
		return r.autoloaded(c.File, &options)
	}
	var out []Event
	prefix, _ := r.Text(c.File.Path, options.Named("prefix"))
	steps := r.ecmaSteps(c.File, Middleware, args[:1])
	if f := r.requiredFile(c.File, &args[0]); f != nil {
		steps = r.exportedWhole(f)
	}
	for _, s := range steps {
		if o, ok := r.parameterObject(s); ok {
			out = append(out, Event{Child: o, Prefix: prefix})
		}
	}
	return out
}

// requiredFile returns the file of the project that require("./x") or import("./x.js") reads; nil for other values.
func (r *routerReader) requiredFile(f *code.File, v *code.Value) *code.File {
	if v.Kind != code.ValueCall || v.Text != "require" && v.Text != "import" || r.imports == nil {
		return nil
	}
	name, _ := r.Text(f.Path, v.Arg(0))
	for i := range f.Imports {
		if f.Imports[i].Module != name || !f.Imports[i].Relative {
			continue
		}
		for _, file := range r.imports.Target(f.Path, i).Files {
			return r.File(file)
		}
	}
	return nil
}

// moduleOf returns the module that a name is imported or required from.
func (r *routerReader) moduleOf(f *code.File, name string) string {
	if module, _ := importOf(f, name); module != "" {
		return module
	}
	if b, ok := r.Bound(f.Path, "", name); ok && b.Value.Text == "require" {
		module, _ := r.Text(f.Path, b.Value.Arg(0))
		return module
	}
	return ""
}

// parameterObject returns the identity of the first parameter of a function.
func (r *routerReader) parameterObject(s Step) (Object, bool) {
	b := s.Body
	file := s.At.File
	if s.Node != nil {
		b, file = r.Body(s.Node), s.Node.File
	}
	if b == nil || len(b.Params) == 0 {
		return "", false
	}
	return objectOf(file, b.In, b.Params[0]), true
}
