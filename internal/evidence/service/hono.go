package service

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// hono reads Hono: https://hono.dev/docs/api/exception. Without a handler an HTTPException answers its own status, others
// 500.
var hono = Framework{
	Name: "Hono", Languages: ecmaLanguages, Imports: []string{"hono", "@hono"},
	Events: routerEvents(&honoRouters), Errors: routerErrors(&honoRouters), Answered: ecmaAnswered, Called: checksCalled, Leaks: true, Unhandled: 500,
	Join: ecmaJoin, Finish: ecmaInputs, Applies: appliesToMethod, Settle: assumeSuccess,
}

// honoVerbs has the routes of documents, too: doc(path, info).
var honoVerbs = map[string]string{
	"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH", "head": "HEAD", "options": "OPTIONS", "all": "",
	"doc": "GET", "doc31": "GET",
}

// other reads the methods of Hono.
func (r *routerReader) other(c Call, on Object, name string) {
	switch {
	case name == "on" && len(c.Value.Args) > 2:
		r.onMethods(c, on)
	case name == "openapi" && len(c.Value.Args) >= 2:
		r.openapi(c, on)
	case name == "onError":
		r.errors = append(r.errors, r.ecmaSteps(c.File, Middleware, c.Value.Args)...)
	}
}

// onMethods reads app.on(["GET", "POST"], path, handler).
func (r *routerReader) onMethods(c Call, on Object) {
	args := c.Value.Args
	if chainArg(c) {
		args = args[1:]
	}
	if len(args) < 3 {
		return
	}
	path, ok := r.Text(c.File.Path, &args[1])
	if !ok {
		return
	}
	methods := []code.Value{args[0]}
	if args[0].Kind == code.ValueOther {
		methods = args[0].Args
	}
	steps := r.ecmaSteps(c.File, Middleware, args[2:])
	for _, m := range methods {
		r.add(c, on, strings.ToUpper(m.Text), path, steps, &args[len(args)-1])
	}
}

// openapi reads app.openapi(createRoute({ method, path, request, responses }), handler).
func (r *routerReader) openapi(c Call, on Object) {
	args := c.Value.Args
	if chainArg(c) {
		args = args[1:]
	}
	if len(args) < 2 {
		return
	}
	at, def := r.definition(c.File, &args[0])
	if def == nil {
		return
	}
	method, path := def.Named("method"), def.Named("path")
	if method == nil || path == nil {
		return
	}
	var steps []Step
	if list := def.Named("middleware"); list != nil {
		steps = r.ecmaSteps(at, Middleware, []code.Value{*list})
	}
	if request := def.Named("request"); request != nil {
		place := Place{at.Path, request.Line}
		status := 400
		if declares(def, 422) {
			status = 422
		}
		step := Step{Kind: Validation, Name: "request", At: place, Refusals: []Refusal{{Answer: Answer{Status: status, At: place}}}}
		if request.Named("body") != nil { // the validator of hono reads it before the schema does
			step.Refusals = append([]Refusal{{Answer: Answer{Status: 400, Message: "Malformed JSON in request body", At: place}}}, step.Refusals...)
		}
		steps = append(steps, step)
	}
	handler := r.ecmaSteps(c.File, Middleware, args[1:2])
	r.add(c, on, strings.ToUpper(method.Text), path.Text, append(steps, handler...), &args[1])
}

// declares reports whether the responses of a definition name a status.
func declares(def *code.Value, status int) bool {
	responses := def.Named("responses")
	if responses == nil {
		return false
	}
	for i := range responses.Args {
		name := strings.Trim(responses.Args[i].Name, "[]")
		if statusNumber(name) == status || StatusNamed(Last(name)) == status {
			return true
		}
	}
	return false
}
