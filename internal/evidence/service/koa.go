package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

var koa = Framework{
	Name: "Koa", Languages: ecmaLanguages, Imports: []string{"koa", "@koa/router", "koa-router"},
	Events: routerEvents(&koaRouters), Errors: routerErrors(&koaRouters), Answered: ecmaAnswered, Called: koaCalled, Passes: true, Leaks: true, Unhandled: 500,
	Join: ecmaJoin, Finish: koaFinish, Applies: appliesToMethod,
}

// koaFinish completes an endpoint: requests without a body have none that cannot be read.
func koaFinish(p *Project, e *Endpoint) {
	ecmaInputs(p, e)
	if e.Method == "GET" || e.Method == "HEAD" {
		e.Chain = slices.DeleteFunc(e.Chain, func(s Step) bool { return s.Kind == Validation && s.Node == nil && s.Body == nil })
	}
}

// koaCalled reads what the context throws: ctx.throw(404, "text"), ctx.assert(value, 401, "text"), ctx.assert.equal(a, b, 400).
// The error is one of http-errors, whose status is 500 unless it is given.
func koaCalled(p *Project, at Site, call *code.Value) (Answer, bool) {
	before, name := CutLast(call.Text)
	place := 0
	switch {
	case name == "throw":
	case name == "assert":
		place = 1
	case Last(before) == "assert" && name != "ok":
		before, _ = CutLast(before)
		place = 2
	default:
		return checksCalled(p, at, call)
	}
	if last := Last(before); last != "ctx" && last != "context" && last != "this" {
		return checksCalled(p, at, call)
	}
	a := Answer{Error: "HttpError", Status: p.Status(at.File.Path, call.Arg(place))}
	a.Message, _ = p.Text(at.File.Path, call.Arg(place+1))
	if a.Status == 0 && name == "throw" { // ctx.throw("text", 400) and ctx.throw("text")
		a.Message, _ = p.Text(at.File.Path, call.Arg(0))
		a.Status = p.Status(at.File.Path, call.Arg(1))
	}
	if a.Status != 0 {
		return a, true
	}
	return koaError(p, at, call.Arg(place), a)
}

// koaError completes an answer without a status by the error that is thrown: ctx.assert(value, new Unknown()).
func koaError(p *Project, at Site, made *code.Value, a Answer) (Answer, bool) {
	switch {
	case made == nil || made.Kind == code.ValueString:
	case made.Kind != code.ValueCall:
		return Answer{}, false
	default:
		a = p.ErrorAnswer(at.File.Path, made)
		a.Error = Last(strings.TrimPrefix(made.Text, "new "))
		a.Status = cmp.Or(a.Status, ecmaErrorStatus(p, at, made))
	}
	a.Status = cmp.Or(a.Status, 500)
	return a, true
}

// asserts reports whether a call refuses only if its arguments say so.
func asserts(call *code.Value) bool {
	return slices.Contains(strings.Split(call.Text, "."), "assert")
}

// exported returns the router whose routes are the default export of the file that a name is imported from, in Koa:
// module.exports = router.routes().
func (r *routerReader) exported(from *code.File, name string) Object {
	for i := range from.Imports {
		if imp := &from.Imports[i]; r.imports == nil || imp.Default != name && imp.Namespace != name {
			continue
		}
		for _, file := range r.imports.Target(from.Path, i).Files {
			if router := r.routesOf(file); router != "" {
				return router
			}
		}
	}
	return ""
}

// routesOf returns the router whose routes a file exports; "" for none.
func (r *routerReader) routesOf(file string) Object {
	f := r.File(file)
	if f == nil {
		return ""
	}
	for i := range f.Bodies.Calls {
		c := Call{f, &f.Bodies.Calls[i]}
		before, last := c.Of()
		if c.To != "module.exports" || last != "routes" && last != "middleware" {
			continue
		}
		router := r.ecmaObject(f, "", before, c.Line)
		if _, known := r.objects[router]; known {
			return router
		}
	}
	return ""
}
