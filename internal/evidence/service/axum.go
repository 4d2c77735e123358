package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// axum reads Axum: routers as values, extractors that reject, and errors with the answer that they turn into. Errors are
// results, so each variant of an error that a handler or what it calls names is a refusal.
var axum = Framework{
	Name: "Axum", Body: axumBody, Languages: []string{"rust"}, Imports: []string{"axum"},
	Events: axumEvents, Values: true,
}

// axumRoute is a method of a route.
type axumRoute struct {
	method, path string
	handler      Given
	layers       []Given // the outermost first
	at           Place
}

// axumReader reads the routers of a project.
type axumReader struct {
	*Project
	used   map[string]bool // routers that are part of others: functions and variables
	depth  int
	errors *axumErrors
	// extractors are those of the framework with the errors with which they reject.
	extractors map[string]extractor
	// response is a type whose values have a status of their own; "" for none. A handler that returns it has no status by itself.
	response string
}

func axumEvents(p *Project) []Event {
	x := &axumReader{Project: p, used: map[string]bool{}, errors: newAxumErrors(p, "into_response"), extractors: axumExtractors}
	var out []Event
	for _, r := range x.routes() {
		e := x.endpoint(&r)
		out = append(out, Event{On: "axum", Root: true, Route: &e})
	}
	return out
}

// axumCandidate is an expression that may be the application's router.
type axumCandidate struct {
	key    string
	routes []axumRoute
}

// routes returns the routes of the routers that are not part of others.
func (x *axumReader) routes() []axumRoute {
	var list []axumCandidate
	for _, f := range x.Files {
		if f.Language != "rust" {
			continue
		}
		for i := range f.Bodies.Functions {
			if b := &f.Bodies.Functions[i]; b.Use.Kind == "" {
				list = append(list, x.candidates(f, b)...)
			}
		}
	}
	var out []axumRoute
	for _, c := range list {
		if !x.used[c.key] {
			out = append(out, c.routes...)
		}
	}
	return out
}

// candidates returns the routers that a function makes: its result, and its variables.
func (x *axumReader) candidates(f *code.File, b *code.Body) []axumCandidate {
	var out []axumCandidate
	variables := map[string]bool{}
	for i := range b.Stmts {
		s := &b.Stmts[i]
		if s.Op == code.StmtAssign && s.Value != nil && x.isRouter(f, b, s.Value) {
			variables[s.Text] = true
		}
	}
	for i := range b.Stmts {
		name := b.Stmts[i].Text
		if variables[name] {
			delete(variables, name)
			v := &code.Value{Kind: code.ValueName, Text: name, Line: 1 << 30}
			out = append(out, axumCandidate{f.Path + ":" + b.In + ":" + name, x.eval(f, b, v, true)})
		}
	}
	if v := resultOf(b); v != nil && x.isRouter(f, b, v) {
		out = append(out, axumCandidate{f.Path + ":" + b.In, x.eval(f, b, v, false)})
	}
	return out
}

// resultOf returns the value of the last expression of a function; nil for none.
func resultOf(b *code.Body) *code.Value {
	if b == nil || len(b.Stmts) == 0 {
		return nil
	}
	switch s := &b.Stmts[len(b.Stmts)-1]; s.Op {
	case code.StmtCall, code.StmtReturn:
		v := s.Value
		for v != nil && v.Kind == code.ValueCall && v.Text == "Ok" {
			v = v.Arg(0)
		}
		return v
	default:
		return nil
	}
}

// isRouter reports whether a value is a chain of calls that begins with a new router, or with one of the project.
func (x *axumReader) isRouter(f *code.File, b *code.Body, v *code.Value) bool {
	for depth := 0; v != nil && depth < code.MaxWholeArgs; depth++ {
		switch {
		case v.Kind == code.ValueOther && len(v.Args) == 1: // what ? or await is applied to
			v = &v.Args[0]
			continue
		case v.Kind == code.ValueName:
			return len(x.assigned(b, v.Text, v.Line)) > 0 && x.isRouter(f, b, x.assigned(b, v.Text, v.Line)[0])
		case v.Kind != code.ValueCall:
			return false
		}
		if links := chainOf(f, v); len(links) > 1 {
			v = &links[0].Value
		}
		if isNewRouter(v) || x.routerOf(f, v) != nil {
			return true
		}
		if !strings.Contains(v.Text, "(") {
			if first, _, _ := strings.Cut(v.Text, "."); axumMethods[Last(v.Text)] && first != v.Text {
				return len(x.assigned(b, first, v.Line)) > 0
			}
			return false
		}
		v = v.Arg(0)
	}
	return false
}

// isNewRouter reports whether a call makes a router: Router::new().
func isNewRouter(v *code.Value) bool {
	receiver, name := CutLast(v.Text)
	return (name == "new" || name == "default") && strings.HasSuffix(receiver, "Router")
}

// chainOf returns the calls of the chain that a call in a file ends, from the first one; nil if it is not known.
func chainOf(f *code.File, v *code.Value) []Call {
	var out []Call
	for i := range f.Bodies.Calls {
		if c := &f.Bodies.Calls[i]; c.Line != v.Line || c.Value.Text != v.Text {
			continue
		}
		for at := i + 1; at > 0; at = f.Bodies.Calls[at-1].After {
			out = append(out, Call{f, &f.Bodies.Calls[at-1]})
		}
		slices.Reverse(out)
		return out
	}
	return nil
}

// axumMethods are the methods of routers that return one.
var axumMethods = map[string]bool{
	"route": true, "nest": true, "merge": true, "layer": true, "route_layer": true, "with_state": true, "fallback": true, "route_service": true,
	"nest_service": true, "fallback_service": true, "method_not_allowed_fallback": true,
}

// routerOf returns the function of the project that a call calls, if it returns a router.
func (x *axumReader) routerOf(f *code.File, v *code.Value) *resolve.Node {
	n := x.NodeOf(f.Path, v.Text, v.Line)
	if n == nil || !IsFunction(n) {
		return nil
	}
	if s := x.Symbol(n); s == nil || !strings.Contains(s.Returns, "Router") {
		return nil
	}
	return n
}

// assigned returns the values that a variable of a function has before a line, the last one first.
func (x *axumReader) assigned(b *code.Body, name string, before int) []*code.Value {
	var out []*code.Value
	for i := range b.Stmts {
		if s := &b.Stmts[i]; s.Op == code.StmtAssign && s.Text == name && s.Value != nil && s.Line < before {
			out = append(out, s.Value)
		}
	}
	slices.Reverse(out)
	return out
}

// eval returns the routes of a router. Own says that a variable is asked for by itself, not as a part of another router.
func (x *axumReader) eval(f *code.File, b *code.Body, v *code.Value, own bool) []axumRoute {
	if x.depth++; v == nil || x.depth > maxWalk {
		x.depth--
		return nil
	}
	defer func() { x.depth-- }()
	switch v.Kind {
	case code.ValueOther:
		if len(v.Args) == 1 {
			return x.eval(f, b, &v.Args[0], own)
		}
	case code.ValueName:
		if !own {
			x.used[f.Path+":"+b.In+":"+v.Text] = true
		}
		if list := x.assigned(b, v.Text, v.Line); len(list) > 0 {
			return x.eval(f, b, list[0], own)
		}
	case code.ValueCall:
		return x.call(f, b, v, own)
	default:
	}
	return nil
}

// maxWalk limits how many calls of routers are followed.
const maxWalk = 600

// call returns the routes of a router that a call makes.
func (x *axumReader) call(f *code.File, b *code.Body, v *code.Value, own bool) []axumRoute {
	if n := x.routerOf(f, v); n != nil {
		file, body := x.File(n.File), x.Body(n)
		x.used[n.File+":"+n.Path()] = true
		if file == nil || body == nil {
			return nil
		}
		return x.eval(file, body, resultOf(body), false)
	}
	if links := chainOf(f, v); len(links) > 1 { // the values inside a long chain are not complete
		base := x.call(f, b, &links[0].Value, own)
		for _, l := range links[1:] {
			if args := l.Value.Args; len(args) > 1 {
				base = x.joined(f, b, base, Last(l.Value.Text), args[1:])
			}
		}
		return base
	}
	receiver, name := CutLast(v.Text)
	if !axumMethods[name] {
		return nil
	}
	args := v.Args
	var base []axumRoute
	if strings.Contains(v.Text, "(") && len(args) > 0 {
		base, args = x.eval(f, b, &args[0], own), args[1:]
	} else {
		base = x.eval(f, b, &code.Value{Kind: code.ValueName, Text: receiver, Line: v.Line}, own)
	}
	if len(args) == 0 {
		return base
	}
	return x.joined(f, b, base, name, args)
}

// joined returns the routes of a router after one of its methods is called with arguments.
func (x *axumReader) joined(f *code.File, b *code.Body, base []axumRoute, name string, args []code.Value) []axumRoute {
	switch name {
	case "merge":
		return append(base, x.eval(f, b, &args[0], false)...)
	case "layer", "route_layer":
		for i := range base {
			base[i].layers = append([]Given{{f.Path, &args[0]}}, base[i].layers...)
		}
		return base
	}
	if len(args) < 2 {
		return base
	}
	path, _ := x.Text(f.Path, &args[0])
	switch name {
	case "route":
		return append(base, x.methods(f, path, &args[1])...)
	case "nest":
		for _, r := range x.eval(f, b, &args[1], false) {
			r.path = ecmaJoin(path, r.path)
			base = append(base, r)
		}
	}
	return base
}

// axumVerbs are the functions that make the methods of a route.
var axumVerbs = map[string]string{
	"get": "GET", "post": "POST", "put": "PUT", "patch": "PATCH", "delete": "DELETE", "head": "HEAD", "options": "OPTIONS", "any": "", "trace": "TRACE",
}

// methods returns the routes of get(handler).post(handler).layer(…).
func (x *axumReader) methods(f *code.File, path string, v *code.Value) []axumRoute {
	if v.Kind != code.ValueCall {
		return nil
	}
	name, args := Last(v.Text), v.Args
	var out []axumRoute
	if strings.Contains(v.Text, "(") && len(args) > 0 {
		out, args = x.methods(f, path, &args[0]), args[1:]
	}
	method, known := axumVerbs[name]
	switch {
	case known && len(args) > 0:
		out = append(out, axumRoute{method: method, path: path, handler: Given{f.Path, &args[0]}, at: Place{f.Path, args[0].Line}})
	case (name == "layer" || name == "route_layer") && len(args) > 0:
		for i := range out {
			out[i].layers = append([]Given{{f.Path, &args[0]}}, out[i].layers...)
		}
	}
	return out
}

// endpoint returns the endpoint of a route.
func (x *axumReader) endpoint(r *axumRoute) Endpoint {
	e := Endpoint{Method: r.method, Path: r.path, At: r.at, Handler: Step{Kind: Handling, Name: r.handler.Text, At: r.at}}
	pathInputs(nil, &e)
	for _, l := range r.layers {
		e.Chain = append(e.Chain, x.layer(l)...)
	}
	f, n := x.File(r.handler.File), x.handlerOf(r.handler)
	if n == nil || !IsFunction(n) {
		if body := literalBody(f, r.handler.Value); body != nil {
			e.Handler.Name, e.Handler.Body = "closure", body
		}
		if r.handler.Kind == code.ValueFunction {
			e.Handler.Name, e.Success = "closure", []Answer{{Status: 200, At: r.at}}
		}
		return e
	}
	e.Handler.Name, e.Handler.Node, e.Handler.At = n.Path(), n, Place{n.File, n.Line}
	x.extract(&e, n)
	list := x.errors.answers(n)
	for _, a := range list {
		if a.Status >= 400 {
			e.Handler.Refusals = append(e.Handler.Refusals, a)
		} else {
			e.succeed(a.Answer)
		}
	}
	if s := x.Symbol(n); len(e.Success) == 0 && (x.response == "" || s != nil && !strings.Contains(s.Returns, x.response)) {
		e.Success = []Answer{{Status: 200, At: e.Handler.At}}
	}
	return e
}

// handlerOf returns what a handler names; nil for a closure.
func (x *axumReader) handlerOf(g Given) *resolve.Node {
	if g.Kind != code.ValueName {
		return nil
	}
	n := x.NodeOf(g.File, g.Text, g.Line)
	if list := x.functionsNamed(g.Text, "rust"); (n == nil || !IsFunction(n)) && len(list) == 1 {
		return list[0] // a module has the same name
	}
	return n
}

// axumLayers are layers of libraries that refuse, by a part of their expression.
var axumLayers = []struct {
	part string
	Answer
}{
	{"TimeoutLayer.", Answer{Status: 408}},
	{"RequestBodyLimitLayer.", Answer{Status: 413}},
	{"ValidateRequestHeaderLayer.bearer", Answer{Status: 401}},
	{"ValidateRequestHeaderLayer.basic", Answer{Status: 401}},
	{"RequireAuthorizationLayer.", Answer{Status: 401}},
	{"ConcurrencyLimitLayer.", Answer{}},
}

// layer returns the steps of a layer: middleware::from_fn(function), those of a ServiceBuilder.
func (x *axumReader) layer(g Given) []Step {
	var out []Step
	g.All(func(v *code.Value) bool {
		at := Place{g.File, v.Line}
		if step, ok := x.transform(v, at); ok {
			out = append(out, step)
			return false
		}
		if v.Kind != code.ValueCall {
			return true
		}
		switch Last(v.Text) {
		case "from_fn", "from_fn_with_state":
			if n := x.Node(g.File, &v.Args[len(v.Args)-1]); len(v.Args) > 0 && n != nil && IsFunction(n) {
				step := Step{Kind: Middleware, Name: n.Path(), Node: n, At: at}
				step.Refusals = x.refusedBy(n)
				out = append(out, step)
			}
			return false
		case "bearer", "basic":
			if strings.Contains(v.Text, "HttpAuthentication") && len(v.Args) > 0 {
				step := Step{Kind: Middleware, Name: v.Text, At: at, Refusals: []Refusal{{Answer: Answer{Status: 401, At: at}}}}
				if n := x.Node(g.File, &v.Args[0]); n != nil && IsFunction(n) {
					step.Name, step.Node = n.Path(), n
				}
				out = append(out, step)
			}
			return false
		}
		for _, l := range axumLayers {
			if l.Status > 0 && strings.HasPrefix(v.Text, l.part) {
				a := l.Answer
				a.At = at
				out = append(out, Step{Kind: Middleware, Name: strings.TrimSuffix(l.part, "."), At: at, Refusals: []Refusal{{Answer: a}}})
			}
		}
		return true
	})
	return out
}

// refusedBy returns the answers that middleware gives instead of what it is around.
func (x *axumReader) refusedBy(n *resolve.Node) []Refusal {
	return slices.DeleteFunc(slices.Clone(x.errors.answers(n)), func(a Refusal) bool { return a.Status < 300 })
}
