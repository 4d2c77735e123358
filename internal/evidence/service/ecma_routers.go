package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// routerKind describes a family of routers: how they are made, and what their methods register.
type routerKind struct {
	modules  []string          // that they are imported from
	makes    map[string]bool   // the last name of the function or class that makes one -> it is an application
	verbs    map[string]string // methods that register a route -> the HTTP method
	uses     map[string]bool   // methods that register middleware or mount a router
	mounts   map[string]bool   // methods that mount a router: (path, router)
	register bool              // Fastify: register(plugin, { prefix })
	status   int               // of an answer without a status
}

var expressVerbs = map[string]string{
	"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "del": "DELETE", "patch": "PATCH", "head": "HEAD", "options": "OPTIONS", "all": "",
}

// honoVerbs has the routes of documents, too: doc(path, info).
var honoVerbs = map[string]string{
	"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH", "head": "HEAD", "options": "OPTIONS", "all": "",
	"doc": "GET", "doc31": "GET",
}

// routerReader reads the registrations of one kind of routers.
type routerReader struct {
	*Project
	kind    *routerKind
	objects map[Object]bool // routers -> it is an application
	out     []Event
	errors  []Step // handlers of errors
}

func readRouters(p *Project, kind *routerKind) *routerReader {
	r := &routerReader{Project: p, kind: kind, objects: map[Object]bool{}}
	p.ecmaChains(r.made)
	r.follow()
	p.ecmaChains(r.parameter)
	r.follow()
	for o, root := range r.objects {
		r.out = append(r.out, Event{On: o, Root: root})
	}
	slices.SortFunc(r.out, func(a, b Event) int { return strings.Compare(string(a.On), string(b.On)) })
	p.ecmaChains(r.chain)
	return r
}

// follow notes the routers that functions are given, over several calls.
func (r *routerReader) follow() {
	for range maxSteps {
		before := len(r.objects)
		r.ecmaChains(r.given)
		if len(r.objects) == before {
			return
		}
	}
}

// parameter notes a parameter as an application, if routes are registered on it and no call is known that gives it: it is
// called by what we do not read.
func (r *routerReader) parameter(chain []Call) {
	c := chain[0]
	receiver, name := c.Of()
	_, verb := r.kind.verbs[name]
	if receiver == "" || c.In == "" || !verb && !r.kind.uses[name] || !r.isParameter(c.File, c.In, receiver, c.Line) {
		return
	}
	first, text, _ := r.path(c)
	if !strings.HasPrefix(text, "/") || first >= len(c.Value.Args) || !r.imported(c.File) {
		return
	}
	o := r.ecmaObject(c.File, c.In, receiver, c.Line)
	if _, known := r.objects[o]; !known {
		r.objects[o] = true
	}
}

// imported reports whether a file imports the framework.
func (r *routerReader) imported(f *code.File) bool {
	return slices.ContainsFunc(f.Imports, func(i code.Import) bool { return slices.Contains(r.kind.modules, i.Module) })
}

// makes reports whether a call makes a router of this kind: a function of the library, or of the project that returns one.
func (r *routerReader) makes(c Call) (root, ok bool) {
	name := Last(c.Value.Text)
	first, _, _ := strings.Cut(c.Value.Text, ".")
	module, imported := importOf(c.File, first)
	if imported != "" && imported != "default" && imported != "*" && !strings.Contains(c.Value.Text, ".") {
		name = imported
	}
	for _, m := range r.kind.modules {
		if module == m || strings.HasPrefix(module, m+"/") {
			if root, ok = r.kind.makes[name]; !ok && imported == "default" && !strings.Contains(c.Value.Text, ".") {
				root, ok = r.kind.makes["default"]
			}
			return root, ok
		}
	}
	return r.makesInside(c)
}

// makesInside is makes for a call of a function of the project.
func (r *routerReader) makesInside(c Call) (root, ok bool) {
	n := r.Node(c.File.Path, &c.Value)
	if n == nil || !IsFunction(n) || r.File(n.File) == nil {
		return false, false
	}
	for _, chain := range chains(r.File(n.File)) {
		if chain[0].Line >= n.StartLine && chain[0].Line <= n.EndLine && chain[0].CallUse != c.CallUse && chain[0].In == n.Path() {
			if root, ok := r.makes(chain[0]); ok {
				return root, true
			}
		}
	}
	return false, false
}

// made notes the router that a chain makes.
func (r *routerReader) made(chain []Call) {
	n, root := r.maker(chain)
	if n == 0 {
		return
	}
	o := r.objectOfChain(chain)
	if _, known := r.objects[o]; !known {
		for i := range chain[n-1].Value.Args { // new Router({ prefix: "/api" })
			if text, ok := r.Text(chain[n-1].File.Path, chain[n-1].Value.Args[i].Named("prefix")); ok {
				r.out = append(r.out, Event{On: o, Prefix: text})
			}
		}
	}
	r.objects[o] = r.objects[o] || root
}

// maker returns how many calls at the start of a chain make a router, and whether it is an application; 0 for none:
// Router(), require("express").Router(), require("fastify")().
func (r *routerReader) maker(chain []Call) (n int, root bool) {
	if root, ok := r.makes(chain[0]); ok {
		return 1, root
	}
	if len(chain) < 2 || chain[0].Value.Text != "require" || len(chain[0].Value.Args) == 0 || !slices.Contains(r.kind.modules, chain[0].Value.Args[0].Text) {
		return 0, false
	}
	name := Last(chain[1].Value.Text)
	if chain[1].Value.Text == code.CallOfCall {
		name = "default"
	}
	if root, ok := r.kind.makes[name]; ok {
		return 2, root
	}
	return 0, false
}

// given notes the parameters of functions that are called with a router.
func (r *routerReader) given(chain []Call) {
	for _, c := range chain {
		n := r.Node(c.File.Path, &c.Value)
		if n == nil || !IsFunction(n) || r.Symbol(n) == nil {
			continue
		}
		for i := range c.Value.Args {
			a := &c.Value.Args[i]
			params := r.Symbol(n).Params
			if i >= len(params) {
				continue
			}
			r.give(c, a, n, params[i].Name)
			for k := range a.Args { // { app: server } for { app }
				if field := &a.Args[k]; a.Kind == code.ValueObject {
					r.give(c, field, n, cmp.Or(field.Name, field.Text))
				}
			}
		}
	}
}

// give notes that a parameter of a function is a router, if the argument is one.
func (r *routerReader) give(c Call, v *code.Value, n *resolve.Node, param string) {
	if v.Kind != code.ValueName || param == "" {
		return
	}
	from := r.ecmaObject(c.File, c.In, v.Text, v.Line)
	if _, known := r.objects[from]; !known {
		return
	}
	to := objectOf(n.File, n.Path(), param)
	if _, known := r.objects[to]; !known && to != from {
		r.objects[to] = false
		r.out = append(r.out, Event{On: from, Child: to})
	}
}

// chain reads the registrations of a chain of calls.
func (r *routerReader) chain(chain []Call) {
	on, path := Object(""), ""
	if n, _ := r.maker(chain); n > 0 {
		on, chain = r.objectOfChain(chain), chain[n:]
	} else {
		receiver, _ := chain[0].Of()
		if receiver == "" {
			return
		}
		on = r.ecmaObject(chain[0].File, chain[0].In, receiver, chain[0].Line)
		if _, known := r.objects[on]; !known {
			return
		}
	}
	for _, c := range r.repeated(chain) {
		path = r.registration(c, on, path)
	}
}

// registration reads one call on a router. Of is the path that route(path) has set for the rest of the chain; the result
// is that for the next call.
func (r *routerReader) registration(c Call, on Object, of string) string {
	_, name := c.Of()
	first, text, hasPath := r.path(c)
	verb, routes := r.kind.verbs[name]
	switch {
	case (name == "basePath" || name == "prefix") && hasPath:
		r.out = append(r.out, Event{On: on, Prefix: text})
	case r.kind.mounts[name] && hasPath && len(c.Value.Args) > 1:
		r.mount(c, on, text)
	case name == "route" && hasPath && len(c.Value.Args) == 1:
		return text
	case r.kind.uses[name]:
		r.use(c, on, text, first)
	case routes:
		r.route(c, on, verb, of, first)
	case r.kind.register:
		r.fastify(c, on, name)
	default:
		r.other(c, on, name)
	}
	return of
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

// repeated returns the calls of a chain; one inside list.forEach(x => …) is repeated for the elements of the list, whose
// values replace x and x.field.
func (r *routerReader) repeated(chain []Call) []Call {
	if len(chain) == 0 {
		return nil
	}
	around, ok := chain[0].Around()
	if !ok || len(around.Value.Args) == 0 {
		return chain
	}
	list, name := around.Of()
	body := literalBody(around.File, &around.Value.Args[len(around.Value.Args)-1])
	if name != "forEach" && name != "map" || body == nil || len(body.Params) == 0 {
		return chain
	}
	elements := r.elements(around, list)
	if elements == nil {
		return chain
	}
	var out []Call
	for i := range elements {
		for _, c := range chain {
			use := *c.CallUse
			use.Value.Args = slices.Clone(use.Value.Args)
			for k := range use.Value.Args {
				if v := elementOf(&use.Value.Args[k], body.Params[0], &elements[i]); v != nil {
					use.Value.Args[k] = *v
				}
			}
			out = append(out, Call{c.File, &use})
		}
	}
	return out
}

// elements returns the elements of the list in a variable of the file of a call; nil if they are not known.
func (r *routerReader) elements(around Call, list string) []code.Value {
	x := &stepReader{Project: r.Project}
	at, value := x.object(around.File, list, around.Line)
	if at != around.File || value == nil || value.Kind != code.ValueOther {
		return nil
	}
	if len(value.Args) == 1 && value.Args[0].Kind == code.ValueOther { // [ … ] as const
		return value.Args[0].Args
	}
	return value.Args
}

// elementOf returns what a value is for an element of a list: the element for the variable, its field for a selection;
// nil for other values.
func elementOf(v *code.Value, variable string, element *code.Value) *code.Value {
	if v.Kind != code.ValueName {
		return nil
	}
	if v.Text == variable {
		return element
	}
	if field, ok := strings.CutPrefix(v.Text, variable+"."); ok {
		return element.Named(field)
	}
	return nil
}

// path returns the path that a call begins with, and the index of the first argument after it.
func (r *routerReader) path(c Call) (first int, text string, ok bool) {
	args := c.Value.Args
	if chainArg(c) {
		first = 1
	}
	if first >= len(args) {
		return first, "", false
	}
	v := &args[first]
	if text, ok = r.Text(c.File.Path, v); ok {
		return first + 1, text, true
	}
	if v.Kind == code.ValueString {
		return first + 1, v.Text, true
	}
	if v.Kind == code.ValueName && strings.Contains(v.Text, ".") {
		x := &stepReader{Project: r.Project}
		if at, field := x.field(c.File, v); field != nil {
			text, ok = r.Text(at.Path, field)
			return first + 1, text, ok
		}
	}
	return first, "", false
}

// chainArg reports whether the first argument of a call's value is the call before it in the chain.
func chainArg(c Call) bool { return strings.Contains(c.Value.Text, "(") }

// route reads router.get(path, handlers...) and router.route(path).get(handlers...).
func (r *routerReader) route(c Call, on Object, verb, of string, first int) {
	paths := r.paths(c)
	if of != "" {
		paths = []string{of}
		if first = 0; chainArg(c) {
			first = 1
		}
	} else if len(paths) > 0 && first == 0 || len(paths) > 0 && first == 1 && chainArg(c) && !r.startsWithText(c) {
		first++
	}
	args := c.Value.Args[min(first, len(c.Value.Args)):]
	if len(paths) == 0 || len(args) == 0 {
		return
	}
	if r.kind.register && len(args) > 1 { // Fastify: options before the handler
		r.fastifyRoute(c, on, verb, paths, args)
		return
	}
	steps := r.ecmaSteps(c.File, Middleware, args)
	for _, path := range paths {
		r.add(c, on, verb, path, steps, &args[len(args)-1])
	}
}

func (r *routerReader) startsWithText(c Call) bool {
	_, _, ok := r.path(c)
	return ok
}

// paths returns the paths of a route: a text, or a list of them.
func (r *routerReader) paths(c Call) []string {
	first, text, ok := r.path(c)
	if ok {
		return []string{text}
	}
	if first >= len(c.Value.Args) || c.Value.Args[first].Kind != code.ValueOther {
		return nil
	}
	var out []string
	for i := range c.Value.Args[first].Args {
		text, ok := r.Text(c.File.Path, &c.Value.Args[first].Args[i])
		if !ok {
			return nil
		}
		out = append(out, text)
	}
	return out
}

// add adds a route whose last step is the handler.
func (r *routerReader) add(c Call, on Object, verb, path string, steps []Step, last *code.Value) {
	e := &Endpoint{Method: verb, Path: path, At: c.Place()}
	e.Handler = Step{Kind: Handling, Name: last.Text, At: c.Place()}
	if last.Kind == code.ValueFunction {
		e.Handler.Name = ""
	}
	if n := len(steps); n > 0 {
		e.Handler = steps[n-1]
		e.Handler.Kind = Handling
		steps = steps[:n-1]
	}
	r.out = append(r.out, Event{On: on, Route: e, Steps: slices.Clone(steps)})
}

// use reads router.use(path?, handlers and routers...).
func (r *routerReader) use(c Call, on Object, path string, first int) {
	args := c.Value.Args[min(first, len(c.Value.Args)):]
	var steps []Step
	for i := range args {
		a := &args[i]
		if child := r.child(c, a); child != "" {
			r.out = append(r.out, Event{On: on, Child: child, Prefix: path, Steps: steps})
			steps = nil
			continue
		}
		for _, s := range r.ecmaSteps(c.File, Middleware, args[i:i+1]) {
			if r.handlesErrors(s) {
				r.errors = append(r.errors, s)
			} else {
				steps = append(steps, s)
			}
		}
	}
	if len(steps) > 0 {
		r.out = append(r.out, Event{On: on, Steps: steps, Below: path})
	}
}

// handlesErrors reports whether a function is a handler of errors, which has four parameters.
func (r *routerReader) handlesErrors(s Step) bool {
	b := s.Body
	if s.Node != nil {
		b = r.Body(s.Node)
	}
	return b != nil && len(b.Params) == errorParameters
}

// child returns the router that an argument is; "" for none.
func (r *routerReader) child(c Call, v *code.Value) Object {
	switch v.Kind {
	case code.ValueName:
		o := r.ecmaObject(c.File, c.In, v.Text, v.Line)
		if _, known := r.objects[o]; known {
			return o
		}
		return r.exported(c.File, v.Text)
	case code.ValueCall:
		if before, last := CutLast(v.Text); before != "" && (last == "routes" || last == "middleware") { // Koa
			return r.child(c, &code.Value{Kind: code.ValueName, Text: before, Line: v.Line})
		}
		if strings.HasPrefix(v.Text, "require") && len(v.Args) == 1 {
			return r.required(c, v)
		}
		n := r.Node(c.File.Path, v)
		if n == nil || !IsFunction(n) {
			break
		}
		for o := range r.objects { // a function that makes a router
			file, rest, _ := strings.Cut(string(o), "\x00")
			in, _, _ := strings.Cut(rest, "\x00")
			if file == n.File && in == n.Path() {
				return o
			}
		}
	default:
	}
	return ""
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

// required returns the router that a module exports: app.use(require("./routes")).
func (r *routerReader) required(c Call, v *code.Value) Object {
	for _, u := range r.Links.Within(c.File.Path, v.Line, v.Line) {
		if u.To == nil || u.To.File == c.File.Path {
			continue
		}
		o := objectOf(u.To.File, "", u.To.Name)
		if _, known := r.objects[o]; known {
			return o
		}
	}
	return ""
}

// mount reads app.route(path, router).
func (r *routerReader) mount(c Call, on Object, path string) {
	first, _, _ := r.path(c)
	if child := r.child(c, &c.Value.Args[first]); child != "" {
		r.out = append(r.out, Event{On: on, Child: child, Prefix: path})
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
		steps = append(steps, Step{Kind: Validation, Name: "request", At: place, Refusals: []Refusal{{Answer: Answer{Status: status, At: place}}}})
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

// definition returns the object that a route is defined by: createRoute({…}), by itself or in a variable.
func (r *routerReader) definition(f *code.File, v *code.Value) (*code.File, *code.Value) {
	if v.Kind == code.ValueName {
		x := &stepReader{Project: r.Project}
		at, bound := x.object(f, v.Text, v.Line)
		if bound == nil {
			return nil, nil
		}
		f, v = at, bound
	}
	if v.Kind == code.ValueCall && len(v.Args) > 0 {
		v = &v.Args[0]
	}
	if v.Kind != code.ValueObject {
		return nil, nil
	}
	return f, v
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

// errorParameters is the number of parameters by which Express tells handlers of errors: err, req, res, next.
const errorParameters = 4
