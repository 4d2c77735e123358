package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// fastapi reads FastAPI. Steps run in this order: decorator dependencies, parameters from left to right, each with its own
// dependencies first; a dependency is called once per request (https://fastapi.tiangolo.com/tutorial/dependencies).
var fastapi = Framework{
	Name: "FastAPI", Languages: []string{"python"}, Body: pythonBody, Imports: []string{"fastapi", "starlette"},
	Events:    fastapiEvents,
	Join:      func(prefix, path string) string { return prefix + path },
	Raised:    fastapiRaised,
	Answered:  fastapiAnswered,
	Handlers:  fastapiHandlers,
	Unhandled: 500,
	Finish:    fastapiFinish,
}

// pythonVerbs are the methods of routers that register a route.
var pythonVerbs = map[string]string{
	"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH", "head": "HEAD", "options": "OPTIONS", "trace": "TRACE",
	"api_route": "", "route": "", "add_api_route": "", "add_route": "",
}

func fastapiEvents(p *Project) []Event {
	var out []Event
	routers := fastapiRouters(p)
	for o, c := range routers {
		e := Event{On: o, Root: Last(c.Value.Text) == "FastAPI", Steps: fastapiListed(p, c), First: true}
		e.Prefix, _ = p.Text(c.File.Path, c.Value.Named("prefix"))
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b Event) int { return strings.Compare(string(a.On), string(b.On)) })
	for c := range p.Calls("python") {
		receiver, name := c.Of()
		if receiver == "" {
			continue
		}
		on := p.Object(c.File, c.In, receiver, c.Line)
		if _, known := routers[on]; !known {
			continue
		}
		verb, routes := pythonVerbs[name]
		switch {
		case routes:
			out = append(out, fastapiRoutes(p, c, on, verb)...)
		case name == "include_router" || name == "mount":
			out = append(out, fastapiMount(p, c, on, name))
		}
	}
	return out
}

// fastapiRouters returns the calls that make applications and routers.
func fastapiRouters(p *Project) map[Object]Call {
	out := map[Object]Call{}
	for c := range p.Calls("python") {
		if name := Last(c.Value.Text); c.To != "" && (name == "FastAPI" || name == "APIRouter" || p.IsA(name, "APIRouter") || p.IsA(name, "FastAPI")) {
			out[c.Assigned()] = c
		}
	}
	return out
}

// fastapiMount reads include_router(child, prefix=…) and mount(path, child).
func fastapiMount(p *Project, c Call, on Object, name string) Event {
	child, prefix := c.Value.Arg(0), c.Value.Named("prefix")
	if name == "mount" {
		child, prefix = c.Value.Arg(1), c.Value.Arg(0)
	}
	if child == nil {
		child = c.Value.Named("router", "app")
	}
	e := Event{On: on, Steps: fastapiListed(p, c)}
	if child != nil {
		e.Child = p.Object(c.File, c.In, child.Text, child.Line)
	}
	e.Prefix, _ = p.Text(c.File.Path, prefix)
	return e
}

// fastapiRoutes reads @router.get(path, …) and router.add_api_route(path, endpoint, …).
func fastapiRoutes(p *Project, c Call, on Object, verb string) []Event {
	path := c.Value.Arg(0)
	if path == nil {
		path = c.Value.Named("path")
	}
	text, ok := p.Text(c.File.Path, path)
	if !ok {
		return nil
	}
	var handler *resolve.Node
	if c.Mark {
		handler = p.FunctionAt(c.File.Path, c.Line)
	} else {
		given := c.Value.Arg(1)
		if given == nil {
			given = c.Value.Named("endpoint")
		}
		handler = p.Node(c.File.Path, given)
	}
	if handler == nil {
		return nil
	}
	methods := []string{verb}
	if list := c.Value.Named("methods"); verb == "" && list != nil {
		methods = nil
		for _, m := range list.Args {
			methods = append(methods, strings.ToUpper(m.Text))
		}
	} else if verb == "" {
		methods = []string{"GET"}
	}
	var out []Event
	for _, method := range methods {
		e := &Endpoint{Method: method, Path: text, At: c.Place()}
		if v := c.Value.Named("name"); v != nil {
			e.Name, _ = p.Text(c.File.Path, v)
		}
		e.Handler = Step{Kind: Handling, Name: handler.Path(), Node: handler, At: Place{handler.File, handler.Line}}
		success := Answer{Status: 200, At: c.Place()}
		if v := c.Value.Named("status_code"); v != nil {
			success.Status = p.Status(c.File.Path, v)
		}
		if v := c.Value.Named("response_model"); v != nil {
			success.Body = v.Text
		}
		e.Success = []Answer{success}
		if c.Value.Named("response_model_exclude", "response_model_include", "response_model_by_alias") != nil {
			e.unclear = append(e.unclear, success.Status)
		}
		out = append(out, Event{On: on, Route: e, Steps: fastapiListed(p, c)})
	}
	return out
}

// fastapiListed returns the steps of the argument dependencies=[Depends(f), …] of a call.
func fastapiListed(p *Project, c Call) []Step {
	list := c.Value.Named("dependencies")
	if list == nil {
		return nil
	}
	d := &depends{Project: p}
	for i := range list.Args {
		if isDepends(&list.Args[i]) {
			d.on(c.File.Path, list.Args[i].Arg(0))
		}
	}
	return d.out
}

func isDepends(v *code.Value) bool {
	name := Last(v.Text)
	return v.Kind == code.ValueCall && (name == "Depends" || name == "Security")
}

// depends collects dependencies in the order in which they are called.
type depends struct {
	*Project
	out  []Step
	seen map[*resolve.Node]bool
	open []string // the dependencies whose own are being read
}

// on adds the dependency that a value in a file names, after its own.
func (d *depends) on(file string, v *code.Value) {
	if v == nil {
		return
	}
	n := d.Node(file, v)
	switch {
	case v.Kind == code.ValueCall && n != nil && !n.IsType(): // a factory
		if made, ok := d.Result(n, v); ok && (made.Kind == code.ValueName || made.Kind == code.ValueCall) {
			d.on(made.File, made.Value)
		}
		return
	case v.Kind == code.ValueCall: // an object of a class
		d.object(file, v, n)
		return
	case n != nil && !n.IsType() && !IsFunction(n): // a variable
		if b, ok := d.Bound(n.File, "", n.Name); ok && b.Value.Kind == code.ValueCall {
			d.on(n.File, &b.Value)
		}
		return
	case n == nil:
		return
	}
	d.function(n, Place{file, v.Line})
}

// function adds a function or class after its dependencies.
func (d *depends) function(n *resolve.Node, at Place) {
	if d.seen[n] {
		return
	}
	if d.seen == nil {
		d.seen = map[*resolve.Node]bool{}
	}
	d.seen[n] = true
	d.inside(n.Path(), func() { d.parameters(n) })
	d.add(Step{Kind: Dependency, Name: n.Path(), Node: n, At: at})
}

// inside reads the dependencies of one.
func (d *depends) inside(name string, read func()) {
	d.open = append(d.open, name)
	read()
	d.open = d.open[:len(d.open)-1]
}

// add adds a step, which runs for the dependency that is being read.
func (d *depends) add(s Step) {
	if n := len(d.open); n > 0 {
		s.For = d.open[n-1]
	}
	d.out = append(d.out, s)
}

// parameters adds the dependencies of the parameters of a function.
func (d *depends) parameters(n *resolve.Node) {
	for c := range d.CallsIn(n.File, n.StartLine, n.EndLine) {
		if !isDepends(&c.Value) || c.Line < n.Line && !n.IsType() {
			continue
		}
		if inner := d.innermost(c); inner != n && inner.Outer() != n {
			continue
		}
		if given := c.Value.Arg(0); given != nil {
			d.on(n.File, given)
		} else if s := d.Symbol(n); s != nil { // the class is the type
			for _, param := range s.Params {
				if param.Name == c.To {
					d.on(n.File, &code.Value{Kind: code.ValueName, Text: param.Type, Line: c.Line})
				}
			}
		}
	}
	d.aliases(n)
}

// innermost returns the innermost function around a call.
func (d *depends) innermost(c Call) *resolve.Node {
	var out *resolve.Node
	for _, n := range d.Links.Linked(c.File.Path) {
		if IsFunction(n) && n.Line <= c.Line && c.Line <= n.EndLine && (out == nil || n.Line >= out.Line) {
			out = n
		}
	}
	return out
}

// aliases adds the dependencies of parameters whose type is a name for Annotated[…, Depends(…)].
func (d *depends) aliases(n *resolve.Node) {
	s := d.Symbol(n)
	if s == nil {
		return
	}
	for _, param := range s.Params {
		if param.Type == "" || strings.ContainsAny(param.Type, "[(") {
			continue
		}
		alias := d.Named(n.File, n.StartLine, n.EndLine, Last(param.Type))
		if alias == nil || alias.Label == codegraph.LabelClass || IsFunction(alias) {
			continue
		}
		for c := range d.CallsIn(alias.File, alias.StartLine, alias.EndLine) {
			if isDepends(&c.Value) && c.To == alias.Name {
				d.on(alias.File, c.Value.Arg(0))
			}
		}
	}
}

// fastapiSecurity are the statuses with which the security classes refuse a request without credentials: fastapi/security
// before version 0.122, which answers 401 throughout.
var fastapiSecurity = map[string]int{
	"APIKeyHeader": 403, "APIKeyQuery": 403, "APIKeyCookie": 403, "HTTPBearer": 403, "HTTPDigest": 403, "OpenIdConnect": 403,
	"HTTPBasic": 401, "OAuth2PasswordBearer": 401, "OAuth2AuthorizationCodeBearer": 401, "OAuth2": 403,
}

// object adds the dependency on an object: its method __call__, or a security class of the framework.
func (d *depends) object(file string, v *code.Value, class *resolve.Node) {
	name := Last(v.Text)
	step := Step{Kind: Dependency, Name: v.Text, At: Place{file, v.Line}}
	for base, status := range inOrder(fastapiSecurity) {
		if d.IsA(name, base) {
			step.Fallback = status
			if d.has(fastapi401) {
				step.Fallback = 401
			}
		}
	}
	if off := v.Named("auto_error"); off != nil && off.Text == "False" {
		return
	}
	if class != nil {
		for _, m := range d.Links.Linked(class.File) {
			if m.Name == "__call__" && m.Owner() == class.Path() {
				d.inside(v.Text, func() { d.parameters(m) })
				step.Node = m
			}
		}
	}
	if step.Node == nil && step.Fallback > 0 {
		step.Refusals = []Refusal{{Answer: Answer{Status: step.Fallback, Error: "HTTPException", Message: "Not authenticated", At: step.At}}}
	}
	if step.Fallback > 0 {
		step.Absent = "Authorization"
		if name := v.Named("name"); name != nil {
			step.Absent, _ = d.Text(file, name)
		}
	}
	d.add(step)
}

// fastapiAnswered reads return JSONResponse(…, status_code=…) and its like.
func fastapiAnswered(p *Project, at Site) (Answer, bool) {
	v := at.Stmt.Value
	if at.Stmt.Op != code.StmtReturn || v == nil || v.Kind != code.ValueCall || !strings.HasSuffix(Last(v.Text), "Response") {
		return Answer{}, false
	}
	status := v.Named("status_code")
	if status == nil {
		return Answer{}, false
	}
	return Answer{Status: p.Status(at.File.Path, status)}, true
}

// fastapiHandlers reads app.add_exception_handler(Class, f) and @app.exception_handler(Class).
func fastapiHandlers(p *Project) []Handler {
	var out []Handler
	for c := range p.Calls("python") {
		_, name := c.Of()
		class := c.Value.Arg(0)
		if class == nil || name != "add_exception_handler" && name != "exception_handler" {
			continue
		}
		h := Handler{Class: Last(class.Text)}
		if c.Mark {
			h.Node = p.FunctionAt(c.File.Path, c.Line)
		} else {
			h.Node = p.Node(c.File.Path, c.Value.Arg(1))
		}
		if h.Node != nil {
			out = append(out, h)
		}
	}
	return out
}

// fastapiFinish adds the dependencies of the handler.
func fastapiFinish(p *Project, e *Endpoint) {
	d := &depends{Project: p, seen: map[*resolve.Node]bool{}}
	var chain []Step
	for _, s := range e.Chain {
		if s.Node == nil || !d.seen[s.Node] {
			chain = append(chain, s)
			d.seen[s.Node] = true
		}
	}
	if e.Handler.Node != nil {
		d.parameters(e.Handler.Node)
	}
	e.Chain = append(chain, d.out...)
	for _, s := range append(slices.Clone(e.Chain), e.Handler) {
		if s.Node != nil && (s.Kind == Dependency || s.Kind == Handling) {
			e.Inputs = append(e.Inputs, fastapiInputs(p, s.Node, e.Path)...)
		}
	}
	fastapiValidate(e)
}

// fastapiValidate adds the steps that check the inputs: a body is parsed before the dependencies run, and the faults of all
// inputs are answered after them (fastapi/routing.py, get_request_handler).
func fastapiValidate(e *Endpoint) {
	at := slices.IndexFunc(e.Inputs, func(in Input) bool { return in.refusable() })
	if at < 0 {
		return
	}
	check := Step{Kind: Validation, Name: "RequestValidationError", At: e.Inputs[at].At}
	check.Refusals = []Refusal{{Answer: Answer{Status: 422, Error: check.Name, At: check.At}}}
	if slices.ContainsFunc(e.Inputs, func(in Input) bool { return in.In == "body" }) {
		parse := check
		parse.Refusals = []Refusal{{Answer: Answer{Status: 422, Error: "JSONDecodeError", At: check.At}}}
		e.Chain = append([]Step{parse}, e.Chain...)
	}
	e.Chain = append(e.Chain, check)
}
