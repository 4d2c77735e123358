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

// routerReader reads the registrations of one kind of routers.
type routerReader struct {
	*Project
	kind    *routerKind
	objects map[Object]bool // routers -> it is an application
	makers  map[*resolve.Node]maker
	out     []Event
	errors  []Step                       // handlers of errors
	params  map[Object]map[string][]Step // what runs before routes of a router whose path has a parameter
}

func readRouters(p *Project, kind *routerKind) *routerReader {
	r := &routerReader{Project: p, kind: kind, objects: map[Object]bool{}, makers: map[*resolve.Node]maker{}, params: map[Object]map[string][]Step{}}
	p.ecmaChains(r.made)
	r.follow()
	p.ecmaChains(r.parameter)
	r.follow()
	for o, root := range r.objects {
		r.out = append(r.out, Event{On: o, Root: root})
	}
	slices.SortFunc(r.out, func(a, b Event) int { return strings.Compare(string(a.On), string(b.On)) })
	p.ecmaChains(r.param)
	p.ecmaChains(r.chain)
	return r
}

// follow notes the routers that functions are given, over several calls.
func (r *routerReader) follow() {
	for range maxSteps {
		before := len(r.objects)
		r.ecmaChains(r.given)
		r.ecmaChains(r.plugged)
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
	if known, ok := r.makers[n]; ok {
		return known.root, known.ok
	}
	r.makers[n] = maker{} // for functions that call themselves
	root, ok = r.makerOf(n)
	r.makers[n] = maker{root, ok}
	return root, ok
}

// maker says whether a function makes a router, and whether that is one of the application.
type maker struct{ root, ok bool }

// makerOf looks for a router among the calls of a function.
func (r *routerReader) makerOf(n *resolve.Node) (root, ok bool) {
	for _, chain := range chains(r.File(n.File)) {
		if chain[0].Line >= n.StartLine && chain[0].Line <= n.EndLine && chain[0].In == n.Path() {
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
	e := &Endpoint{Method: verb, Path: path, At: c.Place(), registered: &c}
	e.Handler = Step{Kind: Handling, Name: last.Text, At: c.Place()}
	if last.Kind == code.ValueFunction {
		e.Handler.Name = ""
	}
	if n := len(steps); n > 0 {
		e.Handler = steps[n-1]
		e.Handler.Kind = Handling
		steps = steps[:n-1]
	}
	var all []Step
	for _, name := range pathParameters(path) {
		all = append(all, r.params[on][name]...)
	}
	r.out = append(r.out, Event{On: on, Route: e, Steps: append(all, steps...)})
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
