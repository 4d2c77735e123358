package service

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

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

// param reads router.param(name, function), of Express and Koa.
func (r *routerReader) param(chain []Call) {
	for _, c := range chain {
		receiver, name := c.Of()
		args := c.Value.Args
		if name != "param" || receiver == "" || len(args) != 2 || args[0].Kind != code.ValueString {
			continue
		}
		on := r.ecmaObject(c.File, c.In, receiver, c.Line)
		if _, known := r.objects[on]; !known {
			continue
		}
		if r.params[on] == nil {
			r.params[on] = map[string][]Step{}
		}
		r.params[on][args[0].Text] = append(r.params[on][args[0].Text], r.ecmaSteps(c.File, Middleware, args[1:])...)
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
		for o := range inOrder(r.objects) { // a function that makes a router
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

// errorParameters is the number of parameters by which Express tells handlers of errors: err, req, res, next.
const errorParameters = 4
