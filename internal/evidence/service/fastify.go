package service

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

var fastify = Framework{
	Name: "Fastify", Languages: ecmaLanguages, Imports: []string{"fastify"},
	Events: routerEvents(&fastifyRouters), Errors: routerErrors(&fastifyRouters), Answered: ecmaAnswered, Called: checksCalled, Passes: true, Unhandled: 500,
	Join: ecmaJoin, Finish: ecmaInputs, Applies: appliesToMethod, Settle: assumeSuccess,
}

// fastify reads the methods of Fastify.
func (r *routerReader) fastify(c Call, on Object, name string) {
	args := c.Value.Args
	switch {
	case name == "route" && len(args) > 0:
		r.routeObject(c, on)
	case name == "register":
		r.plugin(c, on)
	case name == "addHook" && len(args) > 1:
		r.out = append(r.out, Event{On: on, Steps: r.ecmaSteps(c.File, Middleware, args[1:])})
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

// plugin reads fastify.register(plugin, { prefix }): the routes of a function's first parameter.
func (r *routerReader) plugin(c Call, on Object) {
	args := c.Value.Args
	if chainArg(c) {
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	prefix := ""
	if len(args) > 1 {
		if v := args[1].Named("prefix"); v != nil {
			prefix, _ = r.Text(c.File.Path, v)
		}
	}
	for _, s := range r.ecmaSteps(c.File, Middleware, args[:1]) {
		if o, ok := r.parameterObject(s); ok {
			r.out = append(r.out, Event{On: on, Child: o, Prefix: prefix})
		}
	}
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
