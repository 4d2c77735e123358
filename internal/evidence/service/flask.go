package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// flask reads Flask with the extensions that decide who may call and what is refused: Flask-JWT-Extended, Flask-Login,
// Flask-HTTPAuth, webargs and what is built on it, Flask-RESTful and its successors.
var flask = Framework{
	Name: "Flask", Languages: []string{"python"}, Imports: []string{"flask", "flask_restful", "flask_restx", "flask_smorest", "quart"},
	Events:    flaskEvents,
	Raised:    flaskRaised,
	Answered:  flaskAnswered,
	Called:    flaskCalled,
	Handlers:  flaskHandlers,
	Unhandled: 500,
	Finish:    flaskFinish,
}

// flaskApp is the application: projects have one, and give it to functions that register.
const flaskApp = Object("flask application")

// flaskGroups are the constructors of what routes are registered on, with the argument that is the prefix.
var flaskGroups = map[string]string{"Blueprint": "url_prefix", "APIBlueprint": "url_prefix", "Namespace": "path", "Api": "prefix"}

// flaskReader reads the registrations of a project.
type flaskReader struct {
	*Project
	groups map[Object]Call
	out    []Event
}

func flaskEvents(p *Project) []Event {
	f := &flaskReader{Project: p, groups: map[Object]Call{}, out: []Event{{On: flaskApp, Root: true}}}
	for c := range p.Calls("python") {
		if prefix, ok := flaskGroups[Last(c.Value.Text)]; ok && c.To != "" {
			f.groups[c.Assigned()] = c
			f.group(c, prefix)
		}
	}
	for c := range p.Calls("python") {
		f.call(c)
	}
	return f.out
}

// group adds what holds for a blueprint, a namespace or an API. An API is on the application or blueprint that it is made
// with, or else on the application.
func (f *flaskReader) group(c Call, prefix string) {
	name := Last(c.Value.Text)
	own, _ := f.Text(c.File.Path, c.Value.Named(prefix))
	if name == "Namespace" && own == "" {
		if first, ok := f.Text(c.File.Path, c.Value.Arg(0)); ok {
			own = "/" + first
		}
	}
	if name != "Api" {
		return // the prefix is used where it is registered
	}
	on := flaskApp
	if first := c.Value.Arg(0); first != nil && first.Kind == code.ValueName {
		on = f.on(c, first.Text)
	}
	f.out = append(f.out, Event{On: on, Child: c.Assigned(), Prefix: own})
}

// on returns the object that a name in a call stands for: a group, or else the application.
func (f *flaskReader) on(c Call, name string) Object {
	o := f.Object(c.File, c.In, name, c.Line)
	if _, known := f.groups[o]; known {
		return o
	}
	return flaskApp
}

// call reads one registration.
func (f *flaskReader) call(c Call) {
	receiver, name := c.Of()
	if receiver == "" {
		return
	}
	_, verb := pythonVerbs[name]
	switch {
	case c.Mark && verb:
		f.decorated(c, f.on(c, receiver), name)
	case name == "add_url_rule":
		f.rule(c, f.on(c, receiver))
	case name == "add_resource":
		f.resource(c, f.on(c, receiver))
	case name == "register_blueprint" || name == "add_namespace" || name == "register_blueprints":
		f.mount(c, f.on(c, receiver))
	case c.Mark && (name == "before_request" || name == "before_app_request"):
		f.hook(c.File.Path, c.Line, f.on(c, receiver), name)
	}
}

// mount reads register_blueprint(child, url_prefix=…): the prefix replaces that of the blueprint.
func (f *flaskReader) mount(c Call, on Object) {
	child := c.Value.Arg(0)
	if child == nil {
		return
	}
	e := Event{On: on, Child: f.Object(c.File, c.In, child.Text, child.Line)}
	prefix := c.Value.Named("url_prefix", "path")
	made, known := f.groups[e.Child]
	switch text, ok := f.Text(c.File.Path, prefix); {
	case ok:
		e.Prefix = text
	case known:
		e.Prefix, _ = f.Text(made.File.Path, made.Value.Named("url_prefix", "path"))
		if first, ok := f.Text(made.File.Path, made.Value.Arg(0)); ok && e.Prefix == "" && Last(made.Value.Text) == "Namespace" {
			e.Prefix = "/" + first
		}
	}
	f.out = append(f.out, e)
}

// decorated reads @app.route(path, methods=[…]) and @app.get(path), on a function or on a class with a method for each verb.
func (f *flaskReader) decorated(c Call, on Object, name string) {
	path, ok := f.Text(c.File.Path, cmp.Or(c.Value.Arg(0), c.Value.Named("rule")))
	handler := f.FunctionAt(c.File.Path, c.Line)
	if !ok || handler == nil {
		return
	}
	if handler.IsType() {
		f.class(c, on, handler, path)
		return
	}
	for _, method := range flaskMethods(c.Value.Named("methods"), pythonVerbs[name]) {
		f.route(c, on, method, path, handler, nil)
	}
}

// flaskMethods returns the methods of a route.
func flaskMethods(list *code.Value, verb string) []string {
	if list == nil {
		return []string{cmp.Or(verb, "GET")}
	}
	var out []string
	for _, m := range list.Args {
		out = append(out, strings.ToUpper(m.Text))
	}
	if list.Kind == code.ValueString {
		out = append(out, strings.ToUpper(list.Text))
	}
	return out
}

// rule reads add_url_rule(path, view_func=f) and view_func=View.as_view(…).
func (f *flaskReader) rule(c Call, on Object) {
	path, ok := f.Text(c.File.Path, cmp.Or(c.Value.Arg(0), c.Value.Named("rule")))
	view := cmp.Or(c.Value.Named("view_func"), c.Value.Arg(2))
	if !ok || view == nil {
		return
	}
	if class, found := strings.CutSuffix(view.Text, ".as_view"); found {
		if n := f.NodeOf(c.File.Path, class, view.Line); n != nil && n.IsType() {
			f.class(c, on, n, path)
		}
		return
	}
	if n := f.Node(c.File.Path, view); n != nil && IsFunction(n) {
		for _, method := range flaskMethods(c.Value.Named("methods"), "") {
			f.route(c, on, method, path, n, nil)
		}
	}
}

// resource reads add_resource(Class, path, …).
func (f *flaskReader) resource(c Call, on Object) {
	n := f.Node(c.File.Path, c.Value.Arg(0))
	if n == nil || !n.IsType() {
		return
	}
	for i := 1; c.Value.Arg(i) != nil; i++ {
		if path, ok := f.Text(c.File.Path, c.Value.Arg(i)); ok {
			f.class(c, on, n, path)
		}
	}
}

// class adds the routes of a class with a method for each verb.
func (f *flaskReader) class(c Call, on Object, n *resolve.Node, path string) {
	class := f.ofClass(n)
	if class == nil {
		return
	}
	for _, verb := range []string{"get", "post", "put", "delete", "patch"} {
		if m := f.method(class, verb); m != nil {
			f.route(c, on, strings.ToUpper(verb), path, m, f.classSteps(class))
		}
	}
}

// classSteps returns the steps of the attribute decorators or method_decorators of a class.
func (f *flaskReader) classSteps(c *Class) []Step {
	var out []Step
	for i := range c.File.Bodies.Bindings {
		b := &c.File.Bodies.Bindings[i]
		if b.In != c.Path && b.In != c.Path+"."+b.Name || b.Name != "decorators" && b.Name != "method_decorators" {
			continue
		}
		for j := range b.Value.Args {
			v := &b.Value.Args[j]
			out = append(out, f.step(c.File.Path, decorator{name: v.Text, call: v, line: v.Line})...)
		}
	}
	return out
}

// route adds one route with the steps of the decorators of its handler.
func (f *flaskReader) route(c Call, on Object, method, path string, handler *resolve.Node, steps []Step) {
	e := &Endpoint{Method: method, Path: path, At: c.Place()}
	e.Handler = Step{Kind: Handling, Name: handler.Path(), Node: handler, At: Place{handler.File, handler.Line}}
	for _, d := range f.decorators(handler) {
		steps = append(steps, f.step(handler.File, d)...)
		if status := flaskSuccess(f.Project, handler.File, d); status > 0 {
			e.Success, e.Declared = []Answer{{Status: status, At: Place{handler.File, d.line}}}, true
		}
	}
	e.Chain = steps
	f.out = append(f.out, Event{On: on, Route: e})
}

// flaskSuccess returns the status that a decorator sets for the result: response(201, Schema), response(schema, 201),
// marshal_with(schema, code=201); 0 for none.
func flaskSuccess(p *Project, file string, d decorator) int {
	name := Last(d.name)
	if d.call == nil || name != "response" && name != "marshal_with" && name != "output" {
		return 0
	}
	for _, v := range []*code.Value{d.call.Named("status_code", "code"), d.call.Arg(0), d.call.Arg(1)} {
		if v == nil || v.Kind == code.ValueCall {
			continue
		}
		if status := p.Status(file, v); status > 0 {
			return status
		}
	}
	return 0
}

// hook adds a function that runs before the routes of an object.
func (f *flaskReader) hook(file string, line int, on Object, name string) {
	n := f.FunctionAt(file, line)
	if n == nil {
		return
	}
	if name == "before_app_request" {
		on = flaskApp
	}
	f.out = append(f.out, Event{On: on, First: true, Steps: []Step{{Kind: Middleware, Name: n.Path(), Node: n, At: Place{file, n.Line}}}})
}

// flaskDecorators are the decorators of extensions that refuse requests. A status of 0 depends on the project.
var flaskDecorators = map[string]Refusal{
	"jwt_required": {Answer: Answer{Status: 401, Error: "NoAuthorizationError"}}, "fresh_jwt_required": {Answer: Answer{Status: 401, Error: "NoAuthorizationError"}},
	"jwt_refresh_token_required": {Answer: Answer{Status: 401, Error: "NoAuthorizationError"}},
	"login_required":             {Answer: Answer{Status: 401, Error: "Unauthorized"}}, "auth_required": {Answer: Answer{Status: 401, Error: "Unauthorized"}},
	"authenticate": {Answer: Answer{Status: 401, Error: "Unauthorized"}},
	"use_kwargs":   {Answer: Answer{Status: 422, Error: "ValidationError"}}, "use_args": {Answer: Answer{Status: 422, Error: "ValidationError"}},
	"arguments": {Answer: Answer{Status: 422, Error: "ValidationError"}}, "body": {Answer: Answer{Status: 400, Error: "ValidationError"}},
}

// step returns the steps of a decorator.
func (f *flaskReader) step(file string, d decorator) []Step {
	name := Last(d.name)
	if n := f.Named(file, d.line-40, d.line, name); n != nil && IsFunction(n) {
		var out []Step
		for _, w := range f.wrappers(n) {
			out = append(out, Step{Kind: Dependency, Name: n.Path(), Node: w, At: Place{file, d.line}})
		}
		return out
	}
	refusal, known := flaskDecorators[name]
	if !known {
		return nil
	}
	if d.call != nil {
		if v := d.call.Named("optional"); v != nil && v.Text != "False" {
			return nil
		}
	}
	refusal.At = Place{file, d.line}
	step := Step{Kind: Dependency, Name: d.name, At: refusal.At}
	switch {
	case refusal.Error == "ValidationError":
		step.Kind = Validation
		if name == "arguments" && importsModule(f.File(file), "apifairy") {
			refusal.Status = 400
		}
		if name == "body" && !importsModule(f.File(file), "apifairy") {
			return nil
		}
	case name == "login_required" && f.redirects(file):
		return []Step{step}
	}
	step.Refusals = []Refusal{refusal}
	return []Step{step}
}

func importsModule(file *code.File, module string) bool {
	return slices.ContainsFunc(file.Imports, func(i code.Import) bool { return i.Module == module || strings.HasPrefix(i.Module, module+".") })
}

// redirects reports whether Flask-Login sends callers to a page: login_view is set.
func (f *flaskReader) redirects(file string) bool {
	if !importsModule(f.File(file), "flask_login") {
		return false
	}
	for _, other := range f.Files {
		for i := range other.Bodies.Bindings {
			if strings.HasSuffix(other.Bodies.Bindings[i].Name, ".login_view") {
				return true
			}
		}
		for i := range other.Bodies.Functions {
			found := false
			code.AllStmts(other.Bodies.Functions[i].Stmts, func(s *code.Stmt) {
				found = found || s.Op == code.StmtAssign && strings.HasSuffix(s.Text, ".login_view")
			})
			if found {
				return true
			}
		}
	}
	return false
}

// flaskRaised reads raised exceptions of werkzeug, which are named after the status.
func flaskRaised(p *Project, at Site, made *code.Value) (Answer, bool) {
	name := Last(made.Text)
	if p.class(at.File.Path, name) != nil {
		if !p.IsA(name, "HTTPException") && !slices.ContainsFunc(werkzeug, func(c string) bool { return p.IsA(name, c) }) {
			return Answer{}, false
		}
		a := p.ErrorAnswer(at.File.Path, made)
		for _, c := range werkzeug {
			if p.IsA(name, c) && a.Status == 0 {
				a.Status = StatusNamed(c)
			}
		}
		return a, a.Status > 0
	}
	if !slices.Contains(werkzeug, name) {
		return Answer{}, false
	}
	a := Answer{Status: StatusNamed(name)}
	a.Message, _ = p.Text(at.File.Path, cmp.Or(made.Named("description"), made.Arg(0)))
	return a, true
}

// werkzeug are the exceptions of werkzeug.exceptions.
var werkzeug = []string{
	"BadRequest", "Unauthorized", "Forbidden", "NotFound", "MethodNotAllowed", "NotAcceptable", "RequestTimeout", "Conflict", "Gone",
	"LengthRequired", "PreconditionFailed", "RequestEntityTooLarge", "UnsupportedMediaType", "ImATeapot", "UnprocessableEntity", "Locked",
	"TooManyRequests", "InternalServerError", "NotImplemented", "BadGateway", "ServiceUnavailable", "GatewayTimeout",
}

// flaskCalled reads abort(404) and get_or_404(…).
func flaskCalled(p *Project, at Site, call *code.Value) (Answer, bool) {
	name := Last(call.Text)
	if n := p.Node(at.File.Path, call); n != nil {
		return Answer{}, false
	}
	switch {
	case name == "abort":
		a := Answer{Status: p.Status(at.File.Path, call.Arg(0)), Error: "HTTPException"}
		a.Message, _ = p.Text(at.File.Path, cmp.Or(call.Named("description", "message"), call.Arg(1)))
		return a, a.Status >= 400
	case strings.HasSuffix(name, "_or_404"):
		return Answer{Status: 404, Error: "NotFound"}, true
	}
	return Answer{}, false
}

// flaskAnswered reads what a view returns: a status after the value, a response with a status, a redirect, else 200.
func flaskAnswered(p *Project, at Site) (Answer, bool) {
	v := at.Stmt.Value
	if at.Stmt.Op != code.StmtReturn || v == nil || at.Stmt.Text == code.Rethrow {
		return Answer{}, false
	}
	file := at.File.Path
	if len(v.Args) >= 2 && v.Kind == code.ValueOther && v.Text == "" {
		if status := returnedStatus(p, file, v); status > 0 {
			return flaskMessage(p, file, v, Answer{Status: status}), true
		}
		return Answer{Status: 200}, v.Args[1].Kind == code.ValueCall // a or b(…)
	}
	if v.Kind == code.ValueCall {
		return flaskResponse(p, at, v)
	}
	if v.Kind == code.ValueName {
		if status := assignedStatus(p, at, v.Text); status > 0 {
			return Answer{Status: status}, true
		}
		return Answer{Status: 200}, !unknownStatus(p, at, v.Text)
	}
	return Answer{Status: 200}, true
}

// flaskResponse reads a call whose result a view returns.
func flaskResponse(p *Project, at Site, v *code.Value) (Answer, bool) {
	if n := p.Node(at.File.Path, v); n != nil && IsFunction(n) {
		return Answer{}, false // its own statements say it
	}
	switch name := Last(v.Text); name {
	case "redirect":
		status := p.Status(at.File.Path, cmp.Or(v.Named("code"), v.Arg(1)))
		return Answer{Status: cmp.Or(status, 302)}, true
	case "make_response", "Response", "app.response_class", "current_app.response_class":
		given := cmp.Or(v.Named("status"), v.Arg(1))
		if given != nil {
			status := p.Status(at.File.Path, given)
			return flaskMessage(p, at.File.Path, v, Answer{Status: status}), status > 0
		}
	}
	return Answer{Status: 200}, true
}

// flaskMessage adds the message in the value of an error answer.
func flaskMessage(p *Project, file string, v *code.Value, a Answer) Answer {
	if a.Status < 400 {
		return a
	}
	v.All(func(part *code.Value) bool {
		if slices.Contains(messageNames, part.Name) && a.Message == "" {
			a.Message, _ = p.Text(file, part)
		}
		return true
	})
	return a
}

// flaskHandlers reads @app.errorhandler(Class), app.register_error_handler(Class, f) and app.errorhandler(Class)(f).
func flaskHandlers(p *Project) []Handler {
	var out []Handler
	for c := range p.Calls("python") {
		_, name := c.Of()
		class := c.Value.Arg(0)
		if class == nil || class.Kind != code.ValueName || name != "errorhandler" && name != "app_errorhandler" && name != "register_error_handler" {
			continue
		}
		h := Handler{Class: Last(class.Text), Keeps: true}
		switch {
		case c.Mark:
			h.Node = p.FunctionAt(c.File.Path, c.Line)
		case name == "register_error_handler":
			h.Node = p.Node(c.File.Path, c.Value.Arg(1))
		}
		out = append(out, h)
	}
	return out
}

// flaskFinish adds the inputs in the path and those that the handler reads of the request.
func flaskFinish(p *Project, e *Endpoint) {
	for part := range strings.SplitSeq(e.Path, "<") {
		name, _, ok := strings.Cut(part, ">")
		if !ok {
			continue
		}
		kind, rest, typed := strings.Cut(name, ":")
		if !typed {
			kind, rest = "", kind
		}
		e.Inputs = append(e.Inputs, Input{In: "path", Name: rest, Type: kind, Required: true, At: e.At})
	}
	if e.Handler.Node == nil {
		return
	}
	describedInputs(p, e)
	for c := range p.CallsIn(e.Handler.Node.File, e.Handler.Node.Line, e.Handler.Node.EndLine) {
		in := map[string]string{"request.args.get": "query", "request.form.get": "form", "request.headers.get": "header", "request.cookies.get": "cookie"}[c.Value.Text]
		name, ok := p.Text(c.File.Path, c.Value.Arg(0))
		if in == "" || !ok {
			continue
		}
		input := Input{In: in, Name: name, At: c.Place()}
		if v := c.Value.Named("type"); v != nil {
			input.Type = v.Text
		}
		if v := cmp.Or(c.Value.Named("default"), c.Value.Arg(1)); v != nil {
			input.Default = v.Text
		}
		e.Inputs = append(e.Inputs, input)
	}
}
