package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// aspnet reads ASP.NET Core: controllers and minimal APIs. A request passes the middleware, authorization, the binding and
// validation of the parameters, filters, and the handler; exceptions are answered by middleware, handlers of exceptions or
// filters of the project, and else with 500 (https://learn.microsoft.com/aspnet/core/fundamentals/middleware).
var aspnet = Framework{
	Name: "ASP.NET Core", Body: aspnetBody, Languages: csharpLanguages, Imports: []string{"Microsoft.AspNetCore"}, Serves: servesAspnet, Passes: true, Closest: true, Assigns: true,
	Join:   joinTrimmed,
	Events: aspnetEvents, Errors: aspnetErrors, Answered: aspnetAnswered, Called: aspnetCalled, Follows: aspnetFollows, Applies: aspnetApplies,
	Settle: aspnetSettle, Finish: aspnetFinish,
}

var csharpLanguages = []string{"csharp"}

// servesAspnet reports whether a file has routes though it imports nothing: projects may import for all of their files.
func servesAspnet(f *code.File) bool {
	if f.Language != "csharp" {
		return false
	}
	maps := slices.ContainsFunc(f.Calls, func(c code.Call) bool {
		return c.Name != "Map" && aspnetVerbs[c.Name] != "" || c.Name == "MapGroup"
	})
	return maps || slices.ContainsFunc(f.Symbols, func(s code.Symbol) bool {
		return strings.HasSuffix(s.Name, "Controller") || slices.ContainsFunc(s.Members, func(m code.Symbol) bool { return strings.HasSuffix(m.Name, "Controller") })
	})
}

// aspnetActions are the attributes that map requests to methods.
var aspnetActions = map[string]string{
	"HttpGet": "GET", "HttpPost": "POST", "HttpPut": "PUT", "HttpDelete": "DELETE", "HttpPatch": "PATCH", "HttpHead": "HEAD", "HttpOptions": "OPTIONS",
}

// aspnetReader reads the routes of a project.
type aspnetReader struct {
	*Project
	conventional bool                       // methods without attributes have routes by their names
	fallback     bool                       // routes without an attribute need a caller who is known
	guards       []Place                    // all controllers need a caller who is known
	services     map[*resolve.Node]bool     // the classes that parameters are given objects of, not values of the request
	limited      int                        // the status for too many requests
	filters      []Step                     // of all controllers
	nullable     bool                       // a type without ? takes no null, and so its value is required
	invalid      int                        // the status for an invalid model; 0 if the framework does not refuse it
	extensions   map[string][]*resolve.Node // by name; nil until needed
	seen         map[Object]bool
	out          []Event
}

const aspnetApp = Object("aspnet")

func aspnetEvents(p *Project) []Event {
	r := &aspnetReader{Project: p, invalid: 400, limited: 503, services: map[*resolve.Node]bool{}, seen: map[Object]bool{}}
	for c := range p.Calls(csharpLanguages...) {
		r.global(c)
	}
	for _, f := range p.Files {
		if f.Language != "csharp" {
			continue
		}
		r.nullable = r.nullable || slices.ContainsFunc(f.Symbols, writesNullable)
		for i := range f.Bodies.Functions {
			r.options(f, &f.Bodies.Functions[i])
		}
	}
	r.out = []Event{{On: aspnetApp, Root: true}}
	for _, f := range p.Files {
		if f.Language != "csharp" {
			continue
		}
		for _, n := range p.Links.Linked(f.Path) {
			if n.IsType() {
				r.controller(n)
			}
		}
	}
	r.minimal()
	return r.out
}

// writesNullable reports whether a declaration writes that a text may be null, which projects do that turn that check on.
func writesNullable(s code.Symbol) bool {
	return s.Returns == "string?" || slices.ContainsFunc(s.Params, func(p code.Param) bool { return p.Type == "string?" }) || slices.ContainsFunc(s.Members, writesNullable)
}

// global reads calls that hold for all controllers.
func (r *aspnetReader) global(c Call) {
	switch _, name := c.Of(); name {
	case "MapControllerRoute", "MapDefaultControllerRoute", "UseMvcWithDefaultRoute":
		r.conventional = true
	case "AddScoped", "AddSingleton", "AddTransient", "AddDbContext", "AddHttpClient":
		for _, u := range r.Links.Within(c.File.Path, c.Line, c.Line) {
			if u.To != nil && u.To.IsType() {
				r.services[u.To] = true
			}
		}
	case "AuthorizeFilter":
		r.guards = append(r.guards, c.Place())
	case "RequireAuthorization":
		if chainBegins(c, "MapControllers") {
			r.guards = append(r.guards, c.Place())
		}
	case "Add":
		if receiver, _ := c.Of(); Last(receiver) == "Filters" {
			r.filters = append(r.filters, r.filter(c)...)
		}
	}
}

// chainBegins reports whether a call is made on the result of a call with a name.
func chainBegins(c Call, name string) bool {
	for c.After > 0 {
		c.CallUse = &c.File.Bodies.Calls[c.After-1]
		if Last(c.Value.Text) == name {
			return true
		}
	}
	return false
}

// options reads options of the framework that a function sets.
func (r *aspnetReader) options(f *code.File, body *code.Body) {
	code.AllStmts(body.Stmts, func(s *code.Stmt) {
		if s.Op != code.StmtAssign || s.Value == nil {
			return
		}
		switch Last(s.Text) {
		case "SuppressModelStateInvalidFilter":
			if s.Value.Text == "true" {
				r.invalid = 0
			}
		case "InvalidModelStateResponseFactory":
			for c := range r.CallsIn(f.Path, s.Line, s.Line+20) {
				if status := aspnetResult(r.Project, f.Path, &c.Value); status >= 400 {
					r.invalid = status
					break
				}
			}
		case "RejectionStatusCode":
			r.limited = cmp.Or(r.statusIn(f.Path, s.Value), r.limited)
		case "FallbackPolicy":
			r.fallback = true
		}
	})
}

// filter returns the steps of a filter that options.Filters.Add is given: a type argument, or an object.
func (r *aspnetReader) filter(c Call) []Step {
	var out []Step
	for _, u := range r.Links.Within(c.File.Path, c.Line, c.Line) {
		if u.To == nil || !u.To.IsType() {
			continue
		}
		out = append(out, r.filterSteps(u.To, c.Place())...)
	}
	return out
}

// filterSteps returns the steps of a class of filters.
func (r *aspnetReader) filterSteps(n *resolve.Node, at Place) []Step {
	class := r.ofClass(n)
	if class == nil {
		return nil
	}
	var out []Step
	for _, m := range r.methodsOf(class) {
		switch m.Name {
		case "OnActionExecuting", "OnActionExecutionAsync", "OnAuthorization", "OnAuthorizationAsync", "OnResourceExecuting":
			out = append(out, Step{Kind: Middleware, Name: class.Path, Node: m, At: at})
		}
	}
	return out
}

// isController reports whether a class answers requests.
func (r *aspnetReader) isController(c *Class, marks []Call) bool {
	if c.Symbol.Kind != code.Class || c.Symbol.Abstract || strings.Contains(c.Symbol.Signature, "abstract ") {
		return false
	}
	if _, not := marking(marks, "NonController"); not {
		return false
	}
	_, marked := marking(marks, "ApiController", "Controller")
	return marked || strings.HasSuffix(c.Symbol.Name, "Controller") || r.derives(c, "ControllerBase", 0) || r.derives(c, "Controller", 0)
}

// derives reports whether a class has a base, also one outside the project.
func (p *Project) derives(c *Class, base string, depth int) bool {
	if depth > maxSteps {
		return false
	}
	for _, b := range c.Symbol.Bases {
		name, _, _ := strings.Cut(b, "<")
		name, _, _ = strings.Cut(name, "(")
		if Last(strings.TrimSpace(name)) == base {
			return true
		}
	}
	return slices.ContainsFunc(p.basesOf(c), func(b *Class) bool { return p.derives(b, base, depth+1) })
}

// classMarks returns the attributes of a class and its bases.
func (p *Project) classMarks(c *Class, depth int) []Call {
	n := p.nodeOf(c)
	if n == nil || depth > maxSteps {
		return nil
	}
	out := p.marksOn(n)
	for _, b := range p.basesOf(c) {
		out = append(out, p.classMarks(b, depth+1)...)
	}
	return out
}

// controller adds the routes of a class, if it is a controller.
func (r *aspnetReader) controller(n *resolve.Node) {
	class := r.ofClass(n)
	if class == nil {
		return
	}
	marks := r.classMarks(class, 0)
	if !r.isController(class, marks) {
		return
	}
	c := &aspnetController{class: class, marks: marks}
	_, c.api = marking(marks, "ApiController")
	own := r.marksOn(n)
	if _, ok := marking(own, "Route"); !ok {
		own = marks
	}
	c.prefixes = r.routeTexts(own)
	r.actions(c, class, 0, map[string]bool{})
}

// aspnetController is a class whose methods answer requests.
type aspnetController struct {
	class    *Class
	marks    []Call
	prefixes []string
	api      bool
}

// actions adds the routes of the methods of a class and its bases.
func (r *aspnetReader) actions(c *aspnetController, class *Class, depth int, seen map[string]bool) {
	for _, n := range r.methodsOf(class) {
		s := r.symbolOf(n)
		if s == nil || s.Visibility != code.Public || s.Static || seen[s.Signature] || s.Kind != code.Method {
			continue
		}
		seen[s.Signature] = true
		r.action(c, n, s)
	}
	if depth > maxSteps {
		return
	}
	for _, b := range r.basesOf(class) {
		if b.Symbol.Kind == code.Class {
			r.actions(c, b, depth+1, seen)
		}
	}
}

// aspnetMapping is a method and a path of a route, without the path of the class.
type aspnetMapping struct{ verb, path string }

// routeTexts returns the paths of the Route attributes among some.
func (r *aspnetReader) routeTexts(marks []Call) []string {
	var out []string
	for _, mark := range marks {
		if text, given := r.template(mark); given && markName(mark) == "Route" {
			out = append(out, text)
		}
	}
	return out
}

// template returns the path in an attribute; given reports whether it has one.
func (r *aspnetReader) template(mark Call) (text string, given bool) {
	v := mark.Value.Arg(0)
	if v == nil {
		return "", false
	}
	if text, ok := r.Text(mark.File.Path, v); ok {
		return text, true
	}
	return unknownPath, true
}

// mappings returns what the attributes of a method map to it: the paths of Route are those of attributes without one.
func (r *aspnetReader) mappings(marks []Call) []aspnetMapping {
	var out []aspnetMapping
	routes := r.routeTexts(marks)
	add := func(verb string) {
		for _, route := range routes {
			out = append(out, aspnetMapping{verb, route})
		}
	}
	mapped := false
	for _, mark := range marks {
		verb, ok := aspnetActions[markName(mark)]
		if !ok {
			continue
		}
		mapped = true
		if text, given := r.template(mark); given || len(routes) == 0 {
			out = append(out, aspnetMapping{verb, text})
		} else {
			add(verb)
		}
	}
	if !mapped {
		add("")
	}
	return out
}

// action adds the routes of a method.
func (r *aspnetReader) action(c *aspnetController, n *resolve.Node, s *code.Symbol) {
	marks := r.marksOn(n)
	if _, not := marking(marks, "NonAction"); not {
		return
	}
	list := r.mappings(marks)
	prefixes := c.prefixes
	if len(prefixes) == 0 {
		if !slices.ContainsFunc(list, func(m aspnetMapping) bool { return m.path != "" }) {
			r.byName(c, n, s, marks, list)
			return
		}
		prefixes = []string{""}
	}
	for _, m := range list {
		for _, prefix := range prefixes {
			path := joinTrimmed(prefix, m.path)
			if strings.HasPrefix(m.path, "/") || strings.HasPrefix(m.path, "~/") {
				path = "/" + strings.Trim(m.path, "~/")
			}
			r.add(c, n, s, marks, m.verb, path)
		}
	}
}

// byName adds the routes of a method that has them by its name and that of its class.
func (r *aspnetReader) byName(c *aspnetController, n *resolve.Node, s *code.Symbol, marks []Call, list []aspnetMapping) {
	if !r.conventional || !actionResult(s.Returns) {
		return
	}
	if len(list) == 0 {
		list = []aspnetMapping{{}}
	}
	for _, m := range list {
		r.add(c, n, s, marks, m.verb, "/[controller]/[action]")
	}
}

// actionResult reports whether a method's type is one of the results of an action.
func actionResult(text string) bool {
	return slices.ContainsFunc(typeNames(text), func(name string) bool { return strings.HasSuffix(name, "Result") })
}

// add adds a route of a controller.
func (r *aspnetReader) add(c *aspnetController, n *resolve.Node, s *code.Symbol, marks []Call, verb, path string) {
	name := strings.TrimSuffix(c.class.Symbol.Name, "Controller")
	path = strings.NewReplacer("[controller]", name, "[action]", strings.TrimSuffix(n.Name, "Async"), "[Controller]", name).Replace(path)
	e := &Endpoint{Method: verb, Path: path, At: Place{n.File, n.Line}}
	e.Handler = Step{Kind: Handling, Name: n.Path(), Node: n, At: Place{n.File, n.Line}}
	if len(marks) > 0 {
		e.At.Line = min(e.At.Line, marks[0].Line)
	}
	if _, anonymous := marking(append(slices.Clone(marks), c.marks...), "AllowAnonymous"); !anonymous {
		e.Chain = append(e.Chain, r.authorized(slices.Concat(c.marks, marks))...)
	}
	binding := aspnetBinding{aspnetReader: r, e: e, api: c.api, file: n.File, first: n.StartLine, last: n.EndLine, at: e.Handler.At}
	for _, param := range s.Params {
		binding.parameter(param.Name, param.Type, param.Default, r.marksOfParameter(n, param.Name))
	}
	if c.api && binding.fails && r.invalid > 0 {
		e.Chain = append(e.Chain, validationStep(e.Handler.At, r.invalid))
	}
	e.Chain = append(e.Chain, r.filters...)
	if !actionResult(s.Returns) {
		e.Success = []Answer{{Status: 200, Body: bodyType(s.Returns), At: e.Handler.At}}
	}
	r.out = append(r.out, Event{On: aspnetApp, Route: e})
}

// validationStep returns the step that refuses values that do not fit the parameters.
func validationStep(at Place, status int) Step {
	return Step{Kind: Validation, Name: "parameters", At: at, Refusals: []Refusal{{Answer: Answer{Status: status, At: at}}}}
}

// bodyType returns the type of a body without the task that yields it; "" for no body.
func bodyType(text string) string {
	for _, outer := range []string{"Task<", "ValueTask<"} {
		if inner, ok := strings.CutPrefix(text, outer); ok {
			return strings.TrimSuffix(inner, ">")
		}
	}
	if text == "void" || text == "Task" || text == "ValueTask" {
		return ""
	}
	return text
}

// authorized returns the steps of the attributes that a caller must fulfil.
func (r *aspnetReader) authorized(marks []Call) []Step {
	var out []Step
	for _, mark := range marks {
		if markName(mark) != "Authorize" && !strings.HasPrefix(markName(mark), "Authorize") {
			continue
		}
		statuses, names := []int{401}, []string{markName(mark)}
		for i := range mark.Value.Args {
			if v := &mark.Value.Args[i]; v.Name == "Roles" || v.Name == "Policy" || v.Name == "" {
				statuses = []int{401, 403}
				if text, ok := r.Text(mark.File.Path, v); ok {
					names = append(names, text)
				}
			}
		}
		out = append(out, guardStep(strings.Join(names, " "), mark.Place(), statuses...))
	}
	if len(out) == 0 {
		for _, at := range r.guards {
			return []Step{guardStep("Authorize", at, 401)}
		}
		if r.fallback {
			return []Step{{Kind: Dependency, Name: "FallbackPolicy", Refusals: []Refusal{{Answer: Answer{Status: 401}}}}}
		}
	}
	return out
}

// aspnetApplies reports whether an outcome that needs an invalid model is possible: something is bound that may be invalid.
func aspnetApplies(e *Endpoint, when []paths.Term) bool {
	mayFail := slices.ContainsFunc(e.Inputs, func(in Input) bool {
		plain := strings.TrimSuffix(in.Type, "?") == "string" && len(in.Limits) == 0
		return !plain || in.In == "body" || in.In != "path" && in.Required
	})
	return mayFail || !slices.ContainsFunc(when, func(t paths.Term) bool { return strings.Contains(t.Text, "ModelState.IsValid") })
}

// aspnetSettle gives a route without a known answer the status of a plain result.
func aspnetSettle(p *Project, e *Endpoint) {
	body := e.Handler.Body
	if e.Handler.Node != nil {
		body = p.Body(e.Handler.Node)
	}
	if alwaysFails(body) {
		e.Success = nil
	} else if len(e.Success) == 0 {
		e.Success = []Answer{{Status: 200, At: e.Handler.At}}
	}
}

// known401 reports whether one of some steps refuses callers who are not known.
func known401(steps []Step) bool {
	return slices.ContainsFunc(steps, func(s Step) bool {
		return slices.ContainsFunc(s.Refusals, func(f Refusal) bool { return f.Status == 401 })
	})
}

// aspnetFinish removes the guards of routes that anyone may use, and orders the steps: guards, binding, filters.
func aspnetFinish(_ *Project, e *Endpoint) {
	anonymous := slices.ContainsFunc(e.Chain, func(s Step) bool { return s.Name == "AllowAnonymous" })
	seen := map[string]bool{}
	e.Chain = slices.DeleteFunc(e.Chain, func(s Step) bool {
		again := s.Kind == Dependency && seen[s.Name]
		seen[s.Name] = true
		unbound := s.Name == "WithParameterValidation" && !slices.ContainsFunc(e.Inputs, func(in Input) bool { return in.In == "body" || in.In == "form" })
		return again || unbound || s.Kind == Dependency && anonymous && s.Name != "RequireRateLimiting"
	})
	for i := range e.Chain { // the first guard refuses callers who are not known
		if s := &e.Chain[i]; s.Kind == Dependency && known401(e.Chain[:i]) {
			s.Refusals = slices.DeleteFunc(slices.Clone(s.Refusals), func(f Refusal) bool { return f.Status == 401 })
		}
	}
	e.Chain = slices.DeleteFunc(e.Chain, func(s Step) bool { return s.Kind == Dependency && len(s.Refusals) == 0 })
	order := []string{Dependency, Validation, Middleware}
	slices.SortStableFunc(e.Chain, func(a, b Step) int { return slices.Index(order, a.Kind) - slices.Index(order, b.Kind) })
}
