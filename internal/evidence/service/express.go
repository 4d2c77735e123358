package service

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// The families of routers. In all of them middleware runs for what is registered after it, also beyond the router that it
// is registered on, where the path fits.
var (
	expressRouters = routerKind{
		modules: []string{"express", "express-promise-router", "router"}, makes: map[string]bool{"default": true, "*": true, "express": true, "Router": false},
		verbs: expressVerbs, uses: map[string]bool{"use": true}, status: 200,
	}
	honoRouters = routerKind{
		modules: []string{"hono", "@hono/zod-openapi", "hono-openapi"}, makes: map[string]bool{"Hono": true, "OpenAPIHono": true},
		verbs: honoVerbs, uses: map[string]bool{"use": true}, mounts: map[string]bool{"route": true}, status: 200,
	}
	koaRouters = routerKind{
		modules: []string{"koa", "koa-router", "@koa/router"}, makes: map[string]bool{"Koa": true, "Router": false, "default": false},
		verbs: expressVerbs, uses: map[string]bool{"use": true}, status: 200,
	}
	fastifyRouters = routerKind{
		modules: []string{"fastify"}, makes: map[string]bool{"default": true, "fastify": true, "Fastify": true, "*": true},
		verbs: expressVerbs, register: true, status: 200,
	}
)

// express reads Express. Handlers of errors are functions with four parameters, tried in the order of registration; the
// default one answers the status of the error, or 500 (https://expressjs.com/en/guide/error-handling.html).
var express = Framework{
	Name: "Express", Languages: ecmaLanguages, Imports: []string{"express"},
	Events: routerEvents(&expressRouters), Errors: routerErrors(&expressRouters), Answered: ecmaAnswered, Called: checksCalled, Passes: true, Leaks: true, Unhandled: 500,
	Join: ecmaJoin, Finish: ecmaInputs, Applies: appliesToMethod,
}

// ecmaJoin joins the prefix of a router and a path: "/" below a prefix is the prefix itself.
func ecmaJoin(prefix, path string) string {
	if joined := JoinPath(prefix, path); len(joined) > 1 {
		return strings.TrimSuffix(joined, "/")
	}
	return JoinPath(prefix, path)
}

func routerEvents(kind *routerKind) func(p *Project) []Event {
	return func(p *Project) []Event { return readRouters(p, kind).out }
}

// routerErrors returns how the handlers of errors that an application registers answer.
func routerErrors(kind *routerKind) func(p *Project, read func(s *Step) []Ending) func(Site, string, *code.Value, Answer) Answer {
	return func(p *Project, read func(s *Step) []Ending) func(Site, string, *code.Value, Answer) Answer {
		var handlers [][]Ending
		for _, s := range readRouters(p, kind).errors {
			handlers = append(handlers, read(&s))
		}
		handled := handledClasses(p)
		return func(at Site, class string, made *code.Value, a Answer) Answer {
			own := a.Status
			if status := handled[class]; status > 0 {
				a.Status = status
				return a
			}
			if made != nil {
				var known bool
				if made, known = withObject(at, made); !known {
					a.Status = 0
					return a
				}
				given := p.ErrorAnswer(at.File.Path, made)
				if own == 0 {
					own = given.Status
				}
				if own == 0 {
					own = ecmaErrorStatus(p, at, made)
				}
				if a.Message == "" {
					a.Message = given.Message
				}
			}
			if a.Status = own; own == 0 && made != nil && p.unknownMaker(class, made) {
				return a
			}
			t := p.throws(class, own)
			t.sent = kind.register
			if status, found := t.answer(handlers); found {
				a.Status = status
			} else if a.Status == 0 {
				a.Status = 500
			}
			return a
		}
	}
}

// withObject returns the call that makes an error with the object that its only argument names: err = { status: 401 }; throw new
// APIError(err). known is false if the object is changed before.
func withObject(at Site, made *code.Value) (out *code.Value, known bool) {
	if at.Body == nil || len(made.Args) != 1 || made.Args[0].Kind != code.ValueName {
		return made, true
	}
	name, known := made.Args[0].Text, true
	var object *code.Value
	code.AllStmts(at.Body.Stmts, func(s *code.Stmt) {
		switch {
		case s.Op != code.StmtAssign || s.Line > at.Stmt.Line:
		case s.Text == name && s.Value != nil && s.Value.Kind == code.ValueObject:
			object = s.Value
		case s.Text == name, isStatusName(strings.TrimPrefix(s.Text, name+".")) && strings.HasPrefix(s.Text, name+"."):
			known = false
		}
	})
	if object == nil {
		return made, true
	}
	with := *made
	with.Args = []code.Value{*object}
	return &with, known
}

// unknownMaker reports whether an error is the result of a function that is not known: next(asError(err)).
func (p *Project) unknownMaker(class string, made *code.Value) bool {
	first, _ := utf8.DecodeRuneInString(Last(class))
	return made.Kind == code.ValueCall && unicode.IsLower(first) && len(p.classes[Last(class)]) == 0
}

// handledClasses returns the classes of errors of libraries whose own handlers are in use, with the status of these.
func handledClasses(p *Project) map[string]int {
	out := map[string]int{}
	for c := range p.Calls(ecmaLanguages...) {
		if module, name := importOf(c.File, c.Value.Text); module == "celebrate" && name == "errors" {
			out["CelebrateError"] = 400
		}
	}
	return out
}

// ecmaErrorStatus returns the status of an error of a library: http-errors, boom, HTTPException; 0 for others.
func ecmaErrorStatus(p *Project, at Site, made *code.Value) int {
	first := made.Arg(0)
	if first == nil {
		return StatusNamed(Last(made.Text))
	}
	if n := p.Status(at.File.Path, first); n >= 400 {
		return n
	}
	return StatusNamed(Last(made.Text))
}

// pathInputs adds the parameters in the path of an endpoint to its inputs.
func pathInputs(_ *Project, e *Endpoint) {
	for _, name := range pathParameters(e.Path) {
		e.Inputs = append(e.Inputs, Input{In: "path", Name: name, Type: "string", Required: true, At: e.At})
	}
}

// assumeSuccess adds the default status of a handler whose own answers are not known.
func assumeSuccess(_ *Project, e *Endpoint) {
	if len(e.Success) > 0 {
		return
	}
	for _, f := range e.Refusals {
		if f.Step == Handling && len(f.When) == 0 && !f.Partial {
			return
		}
	}
	e.Success = append(e.Success, Answer{Status: 200, At: e.Handler.At})
}
