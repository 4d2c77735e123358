package service

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// aspnetVerbs are the methods that register a route of a minimal API.
var aspnetVerbs = map[string]string{"MapGet": "GET", "MapPost": "POST", "MapPut": "PUT", "MapDelete": "DELETE", "MapPatch": "PATCH", "MapMethods": "*", "MapFallback": "FALLBACK", "Map": "*", "MapForwarder": "*"}

// aspnetBuilders are the types of what routes are registered on.
var aspnetBuilders = []string{"IEndpointRouteBuilder", "RouteGroupBuilder", "WebApplication", "IApplicationBuilder", "IVersionedEndpointRouteBuilder"}

// minimal adds the routes of minimal APIs.
func (r *aspnetReader) minimal() {
	first := len(r.out)
	for _, f := range r.Files {
		if f.Language != "csharp" {
			continue
		}
		for _, chain := range chains(f) {
			if !chain[0].Mark {
				r.chain(f, chain)
			}
		}
	}
	mounted := map[Object]bool{aspnetApp: true}
	for _, e := range r.out[first:] {
		mounted[e.Child] = true
	}
	var loose []Event
	for _, e := range r.out[first:] { // what is registered on a parameter of a function that nothing is seen to call
		if !mounted[e.On] {
			mounted[e.On] = true
			loose = append(loose, Event{On: aspnetApp, Child: e.On, Prefix: r.loosePrefix(e.On)})
		}
	}
	r.out = append(r.out, loose...)
}

// loosePrefix returns the prefix of a parameter that nothing is seen to give a value: that of a group is not known.
func (r *aspnetReader) loosePrefix(o Object) string {
	parts := strings.Split(string(o), "\x00")
	if len(parts) != 3 {
		return ""
	}
	if s := r.symbols[parts[0]][parts[1]]; s != nil {
		for _, param := range s.Params {
			if param.Name == parts[2] && strings.HasSuffix(param.Type, "RouteGroupBuilder") {
				return unknownPath
			}
		}
	}
	return ""
}

// aspnetChain is a chain of calls on something that routes are registered on.
type aspnetChain struct {
	*aspnetReader
	file  *code.File
	calls []Call
	on    Object
	route *Event // the route that the chain is about; nil for the group
}

// chain reads a chain of calls.
func (r *aspnetReader) chain(f *code.File, list []Call) {
	receiver, _ := list[0].Of()
	c := &aspnetChain{r, f, list, r.builder(f, list[0], receiver), nil}
	for i := range list {
		c.call(i)
	}
	c.flush()
}

// flush adds the route that the chain is about.
func (c *aspnetChain) flush() {
	if c.route != nil {
		c.out = append(c.out, *c.route)
	}
	c.route = nil
}

// call reads the call i of the chain.
func (c *aspnetChain) call(i int) {
	call := c.calls[i]
	_, name := call.Of()
	args := call.Value.Args
	if i > 0 && len(args) > 0 { // the first is the call before
		args = args[1:]
	}
	v := &code.Value{Kind: code.ValueCall, Text: name, Args: args, Line: call.Line}
	if verb, maps := aspnetVerbs[name]; maps {
		c.flush()
		for _, verb := range verbsOf(v, verb) {
			if e := c.mapped(call, v, verb); e != nil {
				c.flush()
				c.route = &Event{On: c.on, Route: e}
			}
		}
		return
	}
	switch name {
	case "MapGroup":
		c.group(call, v)
	case "MapIdentityApi":
		for _, e := range identityRoutes(call.Place()) {
			c.out = append(c.out, Event{On: c.on, Route: &e})
		}
	default:
		steps, known := c.convention(call, v, name)
		if !known {
			steps = c.conventions(call)
		}
		for _, s := range steps {
			c.guard(s)
		}
		if child := c.gives(call, c.on, i == 0); child != "" && !known {
			c.on = child
		}
	}
}

// verbsOf returns the methods of a route: those in the arguments of MapMethods, or that of the method that registers it.
func verbsOf(v *code.Value, verb string) []string {
	if v.Text != "MapMethods" {
		return []string{verb}
	}
	var out []string
	v.All(func(part *code.Value) bool {
		if part.Kind == code.ValueString && httpMethods[part.Text] {
			out = append(out, part.Text)
		}
		return true
	})
	if len(out) == 0 {
		return []string{verb}
	}
	return out
}

// group reads MapGroup("/path").
func (c *aspnetChain) group(call Call, v *code.Value) {
	prefix, known := c.Text(c.file.Path, v.Arg(0))
	if !known {
		prefix = unknownPath
	}
	child := Object(c.file.Path + ":" + strconv.Itoa(call.Line) + ":" + call.In + ":group")
	if last := c.calls[len(c.calls)-1]; last.To != "" {
		child = objectOf(c.file.Path, last.In, last.To)
	}
	c.out = append(c.out, Event{On: c.on, Child: child, Prefix: strings.Trim(prefix, "/")})
	c.on = child
	c.seen[child] = true
}

// convention returns the steps that a method of the framework adds to a route or group; known is false for other methods.
func (c *aspnetChain) convention(call Call, v *code.Value, name string) (steps []Step, known bool) {
	at := call.Place()
	switch name {
	case "RequireAuthorization":
		statuses, names := []int{401}, []string{name}
		if c.asksMore(c.file, v) {
			statuses = append(statuses, 403)
		}
		for i := range v.Args {
			if text, ok := c.Text(c.file.Path, &v.Args[i]); ok {
				names = append(names, text)
			}
		}
		return []Step{guardStep(strings.Join(names, " "), at, statuses...)}, true
	case "AllowAnonymous":
		return []Step{{Kind: Dependency, Name: name, At: at}}, true
	case "RequireRateLimiting":
		return []Step{guardStep(name, at, c.limited)}, true
	case "WithParameterValidation":
		step := validationStep(at, 400)
		step.Name = name
		return []Step{step}, true
	case "AddEndpointFilter", "AddEndpointFilterFactory":
		return c.endpointFilters(call, v), true
	}
	return nil, false
}

// guard adds a step to the route of the chain, or to the group that it is about.
func (c *aspnetChain) guard(s Step) {
	switch {
	case c.route != nil:
		c.route.Steps = append(c.route.Steps, s)
	case c.on != "" && c.on != aspnetApp:
		c.out = append(c.out, Event{On: c.on, Steps: []Step{s}, First: true})
	}
}

// asksMore reports whether a policy asks for more than that the caller is known.
func (r *aspnetReader) asksMore(f *code.File, v *code.Value) bool {
	if len(v.Args) == 0 {
		return false
	}
	body := literalBody(f, &v.Args[0])
	if body == nil {
		return true
	}
	more := false
	for c := range r.CallsIn(f.Path, body.Line, body.End) {
		_, name := c.Of()
		more = more || strings.HasPrefix(name, "Require") && name != "RequireAuthenticatedUser" && name != "RequireAuthorization"
	}
	return more
}

// conventions returns the steps that a function of the project adds to the routes that it is given: an extension of
// IEndpointConventionBuilder that calls what the framework has for that.
func (r *aspnetReader) conventions(c Call) []Step {
	_, name := c.Of()
	if !strings.HasPrefix(name, "Require") && !strings.HasPrefix(name, "With") && !strings.HasPrefix(name, "Add") {
		return nil
	}
	var out []Step
	for _, class := range r.extended(name) {
		for inner := range r.CallsIn(class.File, class.StartLine, class.EndLine) {
			switch _, name := inner.Of(); name {
			case "RequireRateLimiting":
				out = append(out, guardStep(name, c.Place(), r.limited))
			case "RequireAuthorization":
				out = append(out, guardStep(name, c.Place(), 401))
			}
		}
	}
	return out
}

// extended returns the extensions of the project with a name whose subject is the convention of a route.
func (r *aspnetReader) extended(name string) []*resolve.Node {
	return slices.DeleteFunc(slices.Clone(r.extensionsNamed(name)), func(n *resolve.Node) bool {
		s := r.symbolOf(n)
		return s == nil || !strings.Contains(s.Signature, "ConventionBuilder")
	})
}

// endpointFilters returns the steps of the filters that a call adds: a class, or a function literal.
func (r *aspnetReader) endpointFilters(c Call, v *code.Value) []Step {
	if first := v.Arg(0); first != nil {
		if body := literalBody(c.File, first); body != nil {
			return []Step{{Kind: Middleware, Name: "filter", Body: body, At: Place{c.File.Path, body.Line}}}
		}
	}
	var out []Step
	for _, u := range r.Links.Within(c.File.Path, c.Line, c.Value.Line) {
		if u.To == nil || !u.To.IsType() {
			continue
		}
		if class := r.ofClass(u.To); class != nil {
			for _, m := range r.methodsOf(class) {
				if m.Name == "InvokeAsync" {
					out = append(out, Step{Kind: Middleware, Name: class.Path, Node: m, At: c.Place()})
				}
			}
		}
	}
	return out
}

// builder returns what routes are registered on that a name holds: a group, a parameter, or else the application.
func (r *aspnetReader) builder(f *code.File, c Call, name string) Object {
	if name == "" || strings.Contains(name, "(") {
		return aspnetApp
	}
	for i := range f.Bodies.Calls { // a variable with a group
		o := &f.Bodies.Calls[i]
		if o.To == name && o.In == c.In && o.Line <= c.Line && r.isGroup(f, o) {
			return objectOf(f.Path, c.In, name)
		}
	}
	if n := r.Links.Find(f.Path, c.In, c.Line); n != nil && IsFunction(n) {
		if s := r.symbolOf(n); s != nil {
			for _, param := range s.Params {
				if param.Name == name && slices.Contains(aspnetBuilders, Last(strings.TrimPrefix(param.Type, "this "))) {
					return r.param(n, name)
				}
			}
		}
	}
	return aspnetApp
}

// param identifies the parameter of a function that routes are registered on.
func (r *aspnetReader) param(n *resolve.Node, name string) Object {
	return objectOf(n.File, n.Path(), name)
}

// isGroup reports whether the result of a call is a group of routes.
func (r *aspnetReader) isGroup(f *code.File, c *code.CallUse) bool {
	for at := c; at != nil; {
		if Last(at.Value.Text) == "MapGroup" || r.mounts(Call{f, at}) != nil {
			return true
		}
		if at.After == 0 {
			return false
		}
		at = &f.Bodies.Calls[at.After-1]
	}
	return false
}

// mounts returns the function of the project that a call gives routes to register to; nil for others.
func (r *aspnetReader) mounts(c Call) *resolve.Node {
	_, name := c.Of()
	for _, u := range r.Links.Within(c.File.Path, c.Line, c.Line) {
		if u.Name == name && u.To != nil && IsFunction(u.To) && r.builderParam(u.To) != "" {
			return u.To
		}
	}
	return r.extension(name)
}

// extension returns the only function of the project with a name that extends what routes are registered on; nil for none.
// What it is called on is often made by a library, so that names alone do not resolve it.
func (r *aspnetReader) extension(name string) *resolve.Node {
	list := slices.DeleteFunc(slices.Clone(r.extensionsNamed(name)), func(n *resolve.Node) bool { return r.builderParam(n) == "" })
	if len(list) == 1 {
		return list[0]
	}
	return nil
}

// extensionsNamed returns the extension methods of the project with a name.
func (r *aspnetReader) extensionsNamed(name string) []*resolve.Node {
	if r.extensions == nil {
		r.extensions = map[string][]*resolve.Node{}
		for _, f := range r.Files {
			if f.Language != "csharp" {
				continue
			}
			for _, n := range r.Links.Linked(f.Path) {
				if s := r.Symbol(n); IsFunction(n) && s != nil && strings.Contains(s.Signature, "(this ") {
					r.extensions[n.Name] = append(r.extensions[n.Name], n)
				}
			}
		}
	}
	return r.extensions[name]
}

// builderParam returns the name of the parameter of a function that routes are registered on; "" for none.
func (r *aspnetReader) builderParam(n *resolve.Node) string {
	s := r.symbolOf(n)
	if s == nil {
		return ""
	}
	for _, param := range s.Params {
		if slices.Contains(aspnetBuilders, Last(strings.TrimPrefix(param.Type, "this "))) {
			return param.Name
		}
	}
	return ""
}

// gives reads a call of a function of the project that is given what routes are registered on: app.MapTodos(), or
// TodoApi.Map(app). It returns what the function registers on; "" for other calls.
func (r *aspnetReader) gives(c Call, on Object, first bool) Object {
	n := r.mounts(c)
	if n == nil {
		return ""
	}
	child := r.param(n, r.builderParam(n))
	receiver, _ := c.Of()
	if first {
		for i := range c.Value.Args {
			if a := &c.Value.Args[i]; a.Kind == code.ValueName {
				if o := r.builder(c.File, c, a.Text); o != aspnetApp || receiver == "" || !r.holdsBuilder(c, receiver) {
					on = o
				}
			}
		}
	}
	if child == on {
		return ""
	}
	r.out = append(r.out, Event{On: on, Child: child})
	return child
}

// holdsBuilder reports whether a name is a variable that routes are registered on, not a type or a service.
func (r *aspnetReader) holdsBuilder(c Call, name string) bool {
	n := r.NodeOf(c.File.Path, name, c.Line)
	return n == nil || !n.IsType()
}

// mapped returns the route of a call such as MapGet("/path", handler); nil if it is none.
func (r *aspnetReader) mapped(c Call, v *code.Value, verb string) *Endpoint {
	e := &Endpoint{Method: verb, At: c.Place()}
	handler := (*code.Value)(nil)
	known := false
	for i := range v.Args {
		a := &v.Args[i]
		switch {
		case a.Kind == code.ValueFunction || a.Kind == code.ValueName && r.functionAt(c.File.Path, a) != nil:
			handler = a
		case !known:
			e.Path, known = unknownPath, true
			if text, ok := r.Text(c.File.Path, a); ok {
				e.Path = text
			}
		}
	}
	_, name := c.Of()
	if name == "Map" && !strings.HasPrefix(e.Path, "/") { // of another library
		return nil
	}
	if verb == "*" {
		e.Method = ""
	}
	e.Path = "/" + strings.Trim(e.Path, "/")
	switch {
	case name == "MapForwarder" && known:
		e.Handler = Step{Kind: Handling, Name: name, At: c.Place(), Refusals: []Refusal{}}
		return e
	case handler == nil, verb == "FALLBACK", name == "Map" && (!known || r.branches(c.File, handler)):
		return nil
	}
	r.handled(e, c, handler)
	return e
}

// branches reports whether a function literal builds a pipeline of its own: Map("/path", app => …).
func (r *aspnetReader) branches(f *code.File, handler *code.Value) bool {
	body := literalBody(f, handler)
	return body != nil && len(body.Params) == 1 && body.Types == nil
}

// identityRoutes returns the routes that the framework has for its own accounts.
func identityRoutes(at Place) []Endpoint {
	var out []Endpoint
	for _, route := range identityAPI {
		e := Endpoint{Method: route.method, Path: route.path, At: at, Success: []Answer{{Status: 200, At: at}}}
		e.Handler = Step{Kind: Handling, Name: "MapIdentityApi", At: at}
		for _, status := range route.refuses {
			e.Handler.Refusals = append(e.Handler.Refusals, Refusal{Answer: Answer{Status: status, At: at}})
		}
		out = append(out, e)
	}
	return out
}

// identityAPI are the routes of MapIdentityApi (IdentityApiEndpointRouteBuilderExtensions).
var identityAPI = []struct {
	method, path string
	refuses      []int
}{
	{"POST", "/register", []int{400}},
	{"POST", "/login", []int{400, 401}},
	{"POST", "/refresh", []int{400, 401}},
	{"GET", "/confirmEmail", []int{400, 401}},
	{"POST", "/resendConfirmationEmail", []int{400}},
	{"POST", "/forgotPassword", []int{400}},
	{"POST", "/resetPassword", []int{400}},
	{"POST", "/manage/2fa", []int{401, 400, 404}},
	{"GET", "/manage/info", []int{401, 404}},
	{"POST", "/manage/info", []int{401, 400, 404}},
}

// functionAt returns the function of the project that a value names; nil for others.
func (r *aspnetReader) functionAt(file string, v *code.Value) *resolve.Node {
	if n := r.Node(file, v); n != nil && IsFunction(n) {
		return n
	}
	if n := r.Named(file, v.Line, v.Line, Last(v.Text)); n != nil && IsFunction(n) {
		return n
	}
	return nil
}

// handled sets the handler of a route with its inputs.
func (r *aspnetReader) handled(e *Endpoint, c Call, handler *code.Value) {
	if n := r.functionAt(c.File.Path, handler); n != nil {
		e.Handler = Step{Kind: Handling, Name: n.Path(), Node: n, At: Place{n.File, n.Line}}
		b := aspnetBinding{aspnetReader: r, e: e, api: true, file: n.File, first: n.StartLine, last: n.EndLine, at: e.Handler.At}
		if s := r.symbolOf(n); s != nil {
			for _, param := range s.Params {
				b.parameter(param.Name, param.Type, param.Default, r.marksOfParameter(n, param.Name))
			}
		}
		r.binds(e, &b)
		return
	}
	body := literalBody(c.File, handler)
	e.Handler = Step{Kind: Handling, Name: "func", Body: body, At: Place{c.File.Path, handler.Line}}
	if body == nil { // it has no statements
		return
	}
	e.Handler.At.Line = body.Line
	b := aspnetBinding{aspnetReader: r, e: e, api: true, file: c.File.Path, first: body.Line, last: body.Line + 8, at: e.Handler.At}
	for i, name := range body.Params {
		if i >= len(body.Types) {
			break
		}
		marks := slices.DeleteFunc(slices.Clone(r.marksAt(c.File.Path, c.In)), func(m Call) bool { return m.To != name || m.Line < body.Line || m.Line > body.End })
		b.parameter(name, body.Types[i], "", marks)
	}
	r.binds(e, &b)
}

// binds adds the step that refuses what does not fit the parameters.
func (r *aspnetReader) binds(e *Endpoint, b *aspnetBinding) {
	if b.fails {
		e.Chain = append(e.Chain, validationStep(e.Handler.At, 400))
	}
}
