package service

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// goRouters is what Go's web frameworks have in common: routers with methods that register routes, middleware and groups.
type goRouters struct {
	makes      map[string]bool // functions that make an application
	types      []string        // of parameters that are routers, last names
	verbs      map[string]string
	groups     map[string]bool // methods that return or give a router below a prefix
	last       bool            // of several functions the last one is the handler; else the first after the path is
	nested     bool            // groups give their router to a function: Route(path, func(r))
	middleware map[string]bool
	chained    bool // routes are chains of calls: r.HandleFunc(path, f).Methods("GET")
}

var goVerbs = map[string]string{
	"GET": "GET", "POST": "POST", "PUT": "PUT", "DELETE": "DELETE", "PATCH": "PATCH", "HEAD": "HEAD", "OPTIONS": "OPTIONS", "Any": "",
}

// chiVerbs are also those of fiber.
var chiVerbs = map[string]string{
	"Get": "GET", "Post": "POST", "Put": "PUT", "Delete": "DELETE", "Patch": "PATCH", "Head": "HEAD", "Options": "OPTIONS", "HandleFunc": "", "Handle": "", "All": "",
}

var (
	ginRouters = goRouters{
		makes: map[string]bool{"gin.Default": true, "gin.New": true}, types: []string{"RouterGroup", "Engine", "IRouter", "IRoutes"},
		verbs: goVerbs, groups: map[string]bool{"Group": true}, last: true, middleware: map[string]bool{"Use": true},
	}
	echoRouters = goRouters{
		makes: map[string]bool{"echo.New": true}, types: []string{"Echo", "Group"}, verbs: goVerbs, groups: map[string]bool{"Group": true},
		middleware: map[string]bool{"Use": true, "Pre": true},
	}
	chiRouters = goRouters{
		makes: map[string]bool{"chi.NewRouter": true, "chi.NewMux": true}, types: []string{"Router", "Mux"}, verbs: chiVerbs,
		groups: map[string]bool{"Route": true, "Group": true}, nested: true, middleware: map[string]bool{"Use": true},
	}
	fiberRouters = goRouters{
		makes: map[string]bool{"fiber.New": true}, types: []string{"App", "Router", "Group"}, verbs: chiVerbs, groups: map[string]bool{"Group": true}, last: true,
		middleware: map[string]bool{"Use": true},
	}
	httpRouters = goRouters{
		makes: map[string]bool{"http.NewServeMux": true}, types: []string{"ServeMux"}, verbs: map[string]string{"HandleFunc": "", "Handle": ""},
	}
)

// goFrameworks returns the rows of Go's frameworks. Called functions answer for their callers: they are given the request's
// context or the response writer.
func goFrameworks() []Framework {
	row := func(name string, kind *goRouters, answered func(*Project, Site) (Answer, bool), imports ...string) Framework {
		return Framework{
			Name: name, Languages: []string{"go"}, Imports: imports, Passes: true, Values: true, Answered: answered, Parts: goParts, Finish: goFinish, Body: goAnswerBody,
			Events: func(p *Project) []Event {
				return (&goEvents{Project: p, kind: kind, seen: map[Object]bool{}, further: map[*code.File]map[*code.CallUse]bool{}}).read()
			},
		}
	}
	echo := row("Echo", &echoRouters, goAnswered, "github.com/labstack/echo")
	echo.Raised, echo.Unhandled = echoRaised, 500
	standard := row("net/http", &httpRouters, goAnswered, "net/http")
	standard.Serving = goServing
	return []Framework{
		row("Gin", &ginRouters, goAnswered, "github.com/gin-gonic/gin"), echo,
		row("Gorilla", &gorillaRouters, goAnswered, "github.com/gorilla/mux"),
		row("chi", &chiRouters, goAnswered, "github.com/go-chi/chi"), row("Fiber", &fiberRouters, fiberAnswered, "github.com/gofiber/fiber"),
		standard,
	}
}

// servingTypes are the types of net/http that servers name and clients do not.
var servingTypes = []string{"http.ResponseWriter", "http.Handler", "http.ServeMux", "http.Server"}

// servingCalls are the functions of net/http that servers call.
var servingCalls = []string{"Handle", "HandleFunc", "ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS", "NewServeMux", "Error", "NotFound", "HandlerFunc"}

// goServing reports whether a file answers requests with net/http: most files that import it only send them.
func goServing(f *code.File) bool {
	for i := range f.Calls {
		if c := &f.Calls[i]; c.Receiver == "http" && slices.Contains(servingCalls, c.Name) {
			return true
		}
	}
	var names func(list []code.Symbol) bool
	names = func(list []code.Symbol) bool {
		return slices.ContainsFunc(list, func(s code.Symbol) bool {
			return slices.ContainsFunc(servingTypes, func(t string) bool { return strings.Contains(s.Signature, t) }) || names(s.Members)
		})
	}
	return names(f.Symbols)
}

// goEvents reads the registrations of one framework.
type goEvents struct {
	*Project
	kind *goRouters
	out  []Event
	seen map[Object]bool
	// further are the calls of each file on whose result another is made.
	further map[*code.File]map[*code.CallUse]bool
	// The names of the functions of the project that are given a router, and of those that return one. What other calls mean
	// is not asked: files would be linked for it.
	takers, makers map[string]bool
	structs        map[string]bool // the names of structs that are not also those of other types; nil until needed
}

func (g *goEvents) read() []Event {
	g.takers = g.namesOf(func(s *code.Symbol) bool {
		return slices.ContainsFunc(s.Params, func(p code.Param) bool { return g.isRouter(p.Type) })
	})
	g.makers = g.namesOf(func(s *code.Symbol) bool { return g.isRouter(s.Returns) })
	for c := range g.Calls("go") {
		switch receiver, name := c.Of(); {
		case g.kind.makes[c.Value.Text], c.To != "" && g.makers[name] && g.makesRouter(c):
			o := g.assigned(c)
			g.out = append(g.out, Event{On: o, Root: true})
			g.seen[o] = true
		case g.kind.chained:
			g.gorilla(c)
		case receiver == "":
			g.gives(c, name)
		default:
			g.call(c, receiver, name)
		}
	}
	if g.kind == &httpRouters {
		g.out = append(g.out, Event{On: "http", Root: true})
	}
	return g.out
}

// isRouter reports whether a type is that of a router.
func (g *goEvents) isRouter(typ string) bool {
	return slices.Contains(g.kind.types, Last(strings.TrimPrefix(typ, "*")))
}

// namesOf returns the names of the symbols in Go that fit.
func (g *goEvents) namesOf(fit func(s *code.Symbol) bool) map[string]bool {
	out := map[string]bool{}
	for _, f := range g.Files {
		if f.Language != "go" {
			continue
		}
		for _, s := range g.symbols[f.Path] {
			if fit(s) {
				out[Last(s.Name)] = true // of a method whose type another file declares: Type.Method
			}
		}
	}
	return out
}

// makesRouter reports whether a function of the project returns an application that it makes.
func (g *goEvents) makesRouter(c Call) bool {
	n := g.NodeOf(c.File.Path, c.Value.Text, c.Value.Line)
	s := g.Symbol(n)
	if s == nil || !IsFunction(n) || !g.isRouter(s.Returns) {
		return false
	}
	for made := range g.CallsIn(n.File, s.StartLine, s.EndLine) {
		if g.kind.makes[made.Value.Text] {
			return true
		}
	}
	return false
}

// call reads a call of a method.
func (g *goEvents) call(c Call, receiver, name string) {
	verb, routes := g.kind.verbs[name]
	if !routes && !g.kind.groups[name] && !g.kind.middleware[name] && name != "Mount" {
		g.gives(c, name)
		return
	}
	on, steps := g.chained(c, receiver)
	switch {
	case on == "":
		g.gives(c, name)
	case routes:
		g.route(c, on, verb, steps)
	case g.kind.groups[name]:
		g.group(c, on)
	case g.kind.middleware[name]:
		g.out = append(g.out, Event{On: on, Steps: g.steps(c, c.Value.Args)})
	default: // Mount
		if v := c.Value.Arg(1); v != nil {
			prefix, _ := g.Text(c.File.Path, c.Value.Arg(0))
			if child := g.mounted(c, v); child != "" {
				g.out = append(g.out, Event{On: on, Child: child, Prefix: prefix})
			}
		}
	}
}

// chained returns the router of a call, and the steps of r.With(…) before it; "" if the receiver is not a router.
func (g *goEvents) chained(c Call, receiver string) (Object, []Step) {
	if c.After == 0 {
		return g.object(c, receiver), nil
	}
	before := Call{c.File, &c.File.Bodies.Calls[c.After-1]}
	of, name := before.Of()
	if name != "With" {
		return "", nil
	}
	return g.object(c, of), g.steps(before, before.Value.Args)
}

// object returns the router that a name holds; "" if it holds none.
func (g *goEvents) object(c Call, name string) Object {
	if g.kind == &httpRouters && name == "http" && slices.ContainsFunc(c.File.Imports, func(i code.Import) bool { return i.Module == "net/http" }) {
		return "http"
	}
	if g.kind.nested {
		for around, ok := c.Around(); ok; around, ok = around.Around() {
			if of, method := around.Of(); g.kind.groups[method] && of != "" {
				return closureObject(around)
			}
		}
	}
	if o := g.param(c.File, c.In, name); o != "" {
		return o
	}
	if len(g.seen) > 0 && !g.isOther(c, name) { // else no name holds a router, and no file is linked to ask
		if o := g.Object(c.File, c.In, name, c.Line); g.seen[o] {
			return o
		}
	}
	return g.field(c, name)
}

// mounted returns the router that a value is: a variable, or what a function of the project makes; "" for others.
func (g *goEvents) mounted(c Call, v *code.Value) Object {
	if v.Kind != code.ValueCall {
		return g.object(c, v.Text)
	}
	n := g.NodeOf(c.File.Path, v.Text, v.Line)
	if n == nil || !IsFunction(n) {
		return ""
	}
	for made := range g.CallsIn(n.File, n.StartLine, n.EndLine) {
		if g.kind.makes[made.Value.Text] && made.To != "" {
			return g.assigned(made)
		}
	}
	return ""
}

// closureObject is the router that a function literal in the arguments of a call is given.
func closureObject(c Call) Object {
	return Object(c.File.Path + ":" + strconv.Itoa(c.Line) + ":func")
}

// isOther reports whether a name is a parameter that no router can be given to: its type is a struct of the project.
func (g *goEvents) isOther(c Call, name string) bool {
	s := g.symbols[c.File.Path][c.In]
	if s == nil {
		return false
	}
	i := slices.IndexFunc(s.Params, func(p code.Param) bool { return p.Name == name })
	if i < 0 {
		return false
	}
	if g.structs == nil {
		g.structs = g.namesOf(func(s *code.Symbol) bool { return s.Kind == code.Struct })
		for other := range g.namesOf(func(s *code.Symbol) bool { return s.Kind == code.Interface || s.Kind == code.TypeDef }) {
			delete(g.structs, other)
		}
	}
	typ, _, _ := strings.Cut(strings.TrimPrefix(s.Params[i].Type, "*"), "[")
	return g.structs[Last(typ)]
}

// param returns the router that a parameter of a function is; "" for other names.
func (g *goEvents) param(f *code.File, in, name string) Object {
	s := g.symbols[f.Path][in]
	if s == nil {
		return ""
	}
	for _, p := range s.Params {
		if p.Name == name && g.isRouter(p.Type) {
			return Object(f.Path + ":" + in + ":" + name)
		}
	}
	return ""
}

// group reads v1 := r.Group("/api", middleware…) and r.Route("/api", func(r chi.Router) {…}).
func (g *goEvents) group(c Call, on Object) {
	e := Event{On: on, Child: c.Assigned()}
	at := 1
	if e.Prefix, _ = g.Text(c.File.Path, c.Value.Arg(0)); g.kind.nested {
		e.Child, at = closureObject(c), len(c.Value.Args)
	} else if c.To == "" {
		return // an argument of a function
	}
	if at < len(c.Value.Args) {
		e.Steps = g.steps(c, c.Value.Args[at:])
	}
	g.seen[e.Child] = true
	g.out = append(g.out, e)
}

// gives reads a call that gives a router, or a new group, to a function of the project with a name.
func (g *goEvents) gives(c Call, name string) {
	if !g.takers[name] {
		return
	}
	for i := range c.Value.Args {
		a := &c.Value.Args[i]
		e := Event{}
		of, method := CutLast(a.Text)
		switch {
		case a.Kind == code.ValueCall && g.kind.groups[method] && !g.kind.nested:
			e.On = g.object(c, of)
			e.Prefix, _ = g.Text(c.File.Path, a.Arg(0))
			if len(a.Args) > 1 {
				e.Steps = g.steps(c, a.Args[1:])
			}
		case a.Kind == code.ValueName:
			e.On = g.object(c, a.Text)
		}
		if e.On == "" {
			continue
		}
		if e.Child = g.taken(c, i); e.Child != "" {
			g.out = append(g.out, e)
		}
	}
}

// taken returns the router that a function of the project is given as its argument at an index; "" if it takes none there.
func (g *goEvents) taken(c Call, at int) Object {
	n := g.NodeOf(c.File.Path, c.Value.Text, c.Value.Line)
	s := g.Symbol(n)
	if s == nil || at >= len(s.Params) {
		return ""
	}
	return g.param(g.File(n.File), n.Path(), s.Params[at].Name)
}

// steps returns the middleware among some arguments.
func (g *goEvents) steps(c Call, args []code.Value) []Step {
	var out []Step
	for i := range args {
		a := g.local(c, &args[i])
		n := g.Node(c.File.Path, a)
		if n == nil && (a.Kind == code.ValueOther || a.Kind == code.ValueFunction) {
			continue
		}
		s := Step{Kind: Middleware, Name: goName(a), Node: n, At: Place{c.File.Path, a.Line}}
		s.False, s.True = g.constants(n, a)
		out = append(out, s)
	}
	return out
}

// local returns the call that a local variable is set to; other values as they are.
func (g *goEvents) local(c Call, v *code.Value) *code.Value {
	if v.Kind == code.ValueName {
		for u := range c.AssignedTo(v.Text) {
			return &u.Value
		}
	}
	return v
}

// constants returns the parameters of a factory that a call gives false and true.
func (g *goEvents) constants(n *resolve.Node, v *code.Value) (no, yes []string) {
	s := g.Symbol(n)
	if s == nil || v.Kind != code.ValueCall {
		return nil, nil
	}
	for i, p := range s.Params {
		switch a := v.Arg(i); {
		case a == nil:
		case a.Text == "false":
			no = append(no, p.Name)
		case a.Text == "true":
			yes = append(yes, p.Name)
		}
	}
	return no, yes
}

// route reads r.GET("/path", handler) with middleware before or after it.
func (g *goEvents) route(c Call, on Object, verb string, steps []Step) {
	path, ok := g.Text(c.File.Path, c.Value.Arg(0))
	if !ok || len(c.Value.Args) < 2 {
		return
	}
	functions := c.Value.Args[1:]
	handler, others := &functions[0], functions[1:]
	if g.kind.last {
		handler, others = &functions[len(functions)-1], functions[:len(functions)-1]
	}
	if method, rest, found := strings.Cut(path, " "); found && verb == "" {
		verb, path = method, strings.TrimSpace(rest)
	}
	g.endpoint(c, on, &Endpoint{Method: verb, Path: path}, handler, append(steps, g.steps(c, others)...))
}

// endpoint adds a route with its handler: a function, http.HandlerFunc(f), or a function of the project around it.
func (g *goEvents) endpoint(c Call, on Object, e *Endpoint, handler *code.Value, steps []Step) {
	for handler.Kind == code.ValueCall && len(handler.Args) == 1 {
		if n := g.Node(c.File.Path, handler); n != nil {
			if !g.wraps(c, n, &handler.Args[0]) {
				break
			}
			steps = append(steps, g.steps(c, []code.Value{*handler})...)
		}
		handler = &handler.Args[0]
	}
	if g.kind == &httpRouters && anyRouterMakes(g.local(c, handler)) {
		return // its own routes are read
	}
	e.At = c.Place()
	n := g.Node(c.File.Path, handler)
	e.Handler = Step{Kind: Handling, Name: goName(handler), Node: n, At: Place{c.File.Path, handler.Line}}
	if n != nil {
		e.Handler.Name, e.Handler.At = n.Path(), Place{n.File, n.Line}
	}
	g.out = append(g.out, Event{On: on, Route: e, Steps: steps})
}

// anyRouterMakes reports whether a value is a new router of one of the frameworks.
func anyRouterMakes(v *code.Value) bool {
	return v.Kind == code.ValueCall && slices.ContainsFunc([]*goRouters{&gorillaRouters, &chiRouters, &ginRouters, &echoRouters, &httpRouters}, func(r *goRouters) bool {
		return r.makes[v.Text]
	})
}

// wraps reports whether a function of the project takes a handler, which a value is, and returns another one.
func (g *goEvents) wraps(c Call, n *resolve.Node, v *code.Value) bool {
	s := g.Symbol(n)
	if s == nil || len(s.Params) != 1 || !isHandler(s.Params[0].Type) || !isHandler(s.Returns) {
		return false
	}
	return v.Kind == code.ValueFunction || v.Kind == code.ValueCall || IsFunction(g.Node(c.File.Path, v))
}

// isHandler reports whether a type of Go is that of a handler of requests, or of a function.
func isHandler(typ string) bool {
	return strings.HasPrefix(typ, "func(") || strings.Contains(Last(typ), "Handler")
}

// goName returns the name of a handler; "" for a function literal.
func goName(v *code.Value) string {
	if v.Kind == code.ValueFunction {
		return ""
	}
	return Last(v.Text)
}

// goStatus maps methods that answer to the index of their status.
var goStatus = map[string]int{
	"JSON": 0, "IndentedJSON": 0, "PureJSON": 0, "SecureJSON": 0, "AsciiJSON": 0, "JSONP": 0, "String": 0, "HTML": 0, "XML": 0, "YAML": 0, "Data": 0, "Blob": 0,
	"NoContent": 0, "Redirect": 0, "Stream": 0, "AbortWithStatus": 0, "AbortWithStatusJSON": 0, "AbortWithError": 0, "Status": 0, "SendStatus": 0, "WriteHeader": 0,
	"JSONPretty": 0,
}

// goAnswered reads c.JSON(404, body), http.Error(w, text, 404), w.WriteHeader(404), also as the result of a handler.
func goAnswered(p *Project, at Site) (Answer, bool) {
	v := at.Stmt.Value
	if v == nil || v.Kind != code.ValueCall {
		return Answer{}, false
	}
	if a, ok := renderAnswered(p, at); ok {
		return a, true
	}
	given, ok := goGiven(v)
	if !ok || given == nil {
		return Answer{}, false
	}
	status := p.Status(at.File.Path, given)
	if status == 0 {
		return Answer{}, false
	}
	a := Answer{Status: status}
	if status >= 400 {
		a.Message = goMessage(p, at.File.Path, v)
	}
	return a, true
}

// fiberAnswered reads return c.JSON(body), too, whose status is 200 (https://docs.gofiber.io/api/ctx).
func fiberAnswered(p *Project, at Site) (Answer, bool) {
	if a, ok := goAnswered(p, at); ok {
		return a, true
	}
	v := at.Stmt.Value
	if at.Stmt.Op != code.StmtReturn || v == nil || v.Kind != code.ValueCall {
		return Answer{}, false
	}
	switch before, name := CutLast(v.Text); name {
	case "JSON", "SendString", "Send", "XML", "SendFile", "Render", "SendStream", "Format":
		return Answer{Status: 200}, before == "c" || before == "ctx"
	}
	return Answer{}, false
}

// goParts returns the status of an answer, which a function that answers for others is given.
func goParts(at Site) Parts {
	if at.Stmt.Value == nil || at.Stmt.Value.Kind != code.ValueCall {
		return Parts{}
	}
	given, _ := goGiven(at.Stmt.Value)
	return Parts{Status: given}
}

// goMessage returns the text of an answer: that of http.Error, or of a new error in its body.
func goMessage(p *Project, file string, v *code.Value) string {
	if Last(v.Text) == "Error" {
		text, _ := p.Text(file, v.Arg(1))
		return text
	}
	out := ""
	v.All(func(part *code.Value) bool {
		if part.Kind == code.ValueCall && (part.Text == "errors.New" || part.Text == "fmt.Errorf") && len(part.Args) > 0 {
			out, _ = p.Text(file, &part.Args[0])
		}
		return out == ""
	})
	if n := len(v.Args); out == "" && n > 0 && v.Args[n-1].Kind == code.ValueObject { // gin.H{"error": "no such thing"}
		out, _ = p.Text(file, messagePart(&v.Args[n-1]))
	}
	return out
}

// echoRaised reads echo.NewHTTPError(404, "text"); echo.ErrNotFound.
func echoRaised(p *Project, at Site, made *code.Value) (Answer, bool) {
	if made == nil {
		return Answer{}, false
	}
	switch before, name := CutLast(made.Text); {
	case name == "NewHTTPError":
		a := Answer{Status: p.Status(at.File.Path, made.Arg(0))}
		a.Message, _ = p.Text(at.File.Path, made.Arg(1))
		return a, a.Status > 0
	case before == "echo" && strings.HasPrefix(name, "Err"):
		status := StatusNamed(strings.TrimPrefix(name, "Err"))
		return Answer{Status: status}, status > 0
	}
	return Answer{}, false
}

// goFinish adds the parameters in the path, and what the functions of the endpoint read of a request.
func goFinish(p *Project, e *Endpoint) {
	for part := range strings.SplitSeq(e.Path, "/") {
		if isParameter(part) {
			name, _, _ := strings.Cut(strings.Trim(part, ":{}"), ":")
			e.Inputs = append(e.Inputs, Input{In: "path", Name: name, Type: "string", Required: true, At: e.At})
		}
	}
	x := &goInputs{Project: p, e: e, seen: map[*resolve.Node]bool{}}
	for i := range e.Chain {
		x.step(&e.Chain[i])
	}
	x.step(&e.Handler)
}
