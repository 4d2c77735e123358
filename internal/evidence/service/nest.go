package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// nest reads NestJS. A request passes middleware, guards (global, of the controller, of the route), pipes, and the handler;
// filters answer errors (https://docs.nestjs.com/faq/request-lifecycle). POST answers 201, all others 200.
var nest = Framework{
	Name: "NestJS", Body: nestBody, Languages: ecmaLanguages, Imports: []string{"@nestjs"},
	Events: nestEvents, Errors: nestErrors, Answered: ecmaAnswered, Unhandled: 500,
}

var nestVerbs = map[string]string{
	"Get": "GET", "Post": "POST", "Put": "PUT", "Delete": "DELETE", "Patch": "PATCH", "Head": "HEAD", "Options": "OPTIONS", "All": "",
}

// nestReader reads the controllers of a project.
type nestReader struct {
	*Project
	prefix     string
	version    string // the default version; "" for none
	versions   bool
	excluded   []nestPath // of the prefix
	guards     []Step
	pipes      []Given
	middleware []nestMiddleware
}

// nestPath is a path with the method for which something holds.
type nestPath struct {
	path, method string // method is "" for any
	controller   string // instead of a path
}

// nestMiddleware is consumer.apply(…).exclude(…).forRoutes(…).
type nestMiddleware struct {
	steps        []Step
	except, only []nestPath
}

// nestApp is the object on which all routes are registered.
const nestApp = Object("nest")

func nestEvents(p *Project) []Event {
	r := &nestReader{Project: p}
	for c := range p.Calls(ecmaLanguages...) {
		r.global(c)
	}
	p.ecmaChains(r.consumer)
	out := []Event{{On: nestApp, Root: true}}
	for c := range p.Calls(ecmaLanguages...) {
		if module, _ := importOf(c.File, c.Value.Text); !c.Mark || c.Value.Text != "Controller" || module != "@nestjs/common" {
			continue
		}
		if class := p.FunctionAt(c.File.Path, c.Line); class != nil && class.IsType() {
			out = append(out, r.controller(c, class)...)
		}
	}
	return out
}

// global reads what holds for the whole application.
func (r *nestReader) global(c Call) {
	_, name := c.Of()
	arg := c.Value.Arg(0)
	switch name {
	case "setGlobalPrefix":
		var known bool
		if r.prefix, known = r.Text(c.File.Path, arg); !known {
			r.prefix = "…"
		}
		if options := c.Value.Arg(1); options != nil {
			if list := options.Named("exclude"); list != nil {
				r.excluded = r.paths(c.File, list.Args)
			}
		}
	case "enableVersioning":
		r.versions = true
		if arg != nil {
			r.version, _ = r.Text(c.File.Path, arg.Named("defaultVersion"))
		}
	case "useGlobalGuards":
		for i := range c.Value.Args {
			r.guards = append(r.guards, r.guard(c.File, &c.Value.Args[i])...)
		}
	case "useGlobalPipes":
		for i := range c.Value.Args {
			r.pipes = append(r.pipes, Given{c.File.Path, &c.Value.Args[i]})
		}
	case "Module":
		if arg != nil {
			r.providers(c.File, arg.Named("providers"))
		}
	}
}

// providers reads { provide: APP_GUARD, useClass: Guard } and its like.
func (r *nestReader) providers(f *code.File, list *code.Value) {
	if list == nil {
		return
	}
	for i := range list.Args {
		provide, class := list.Args[i].Named("provide"), list.Args[i].Named("useClass", "useValue", "useExisting")
		if provide == nil || class == nil {
			continue
		}
		switch provide.Text {
		case "APP_GUARD":
			r.guards = append(r.guards, r.guard(f, class)...)
		case "APP_PIPE":
			r.pipes = append(r.pipes, Given{f.Path, class})
		}
	}
}

// consumer reads the middleware that a module applies.
func (r *nestReader) consumer(chain []Call) {
	m := nestMiddleware{}
	for _, c := range chain {
		args := c.Value.Args
		if chainArg(c) {
			args = args[1:]
		}
		switch _, name := c.Of(); name {
		case "apply":
			for i := range args {
				m.steps = append(m.steps, r.middlewareSteps(c.File, &args[i])...)
			}
		case "exclude":
			m.except = append(m.except, r.paths(c.File, args)...)
		case "forRoutes":
			m.only = r.paths(c.File, args)
			if len(m.steps) > 0 {
				r.middleware = append(r.middleware, m)
			}
		}
	}
}

// middlewareSteps returns the method use of a class, or a function.
func (r *nestReader) middlewareSteps(f *code.File, v *code.Value) []Step {
	if class := r.Node(f.Path, v); class != nil && class.IsType() {
		if n := r.method(r.ofClass(class), "use"); n != nil {
			return []Step{{Kind: Middleware, Name: class.Name, Node: n, At: Place{f.Path, v.Line}}}
		}
		return nil
	}
	return r.ecmaSteps(f, Middleware, []code.Value{*v})
}

// paths reads the arguments of forRoutes and exclude.
func (r *nestReader) paths(f *code.File, args []code.Value) []nestPath {
	var out []nestPath
	for i := range args {
		v := &args[i]
		switch v.Kind {
		case code.ValueString:
			out = append(out, nestPath{path: v.Text})
		case code.ValueObject:
			p := nestPath{}
			p.path, _ = r.Text(f.Path, v.Named("path"))
			if method := v.Named("method"); method != nil && Last(method.Text) != "ALL" {
				p.method = Last(method.Text)
			}
			out = append(out, p)
		case code.ValueName:
			out = append(out, nestPath{controller: v.Text})
		case code.ValueOther:
			out = append(out, r.paths(f, v.Args)...)
		default:
		}
	}
	return out
}

// fits reports whether one of the paths is that of a route of a controller.
func (r *nestReader) fits(list []nestPath, controller, method, path string) bool {
	return slices.ContainsFunc(list, func(p nestPath) bool {
		if p.controller != "" {
			return p.controller == controller
		}
		if p.method != "" && p.method != method {
			return false
		}
		pattern := strings.ReplaceAll(strings.ReplaceAll(p.path, "{*", "*"), "(.*)", "*")
		a, b := strings.FieldsFunc(pattern, isSlash), strings.FieldsFunc(path, isSlash)
		if n := len(a); n > 0 && strings.HasPrefix(a[n-1], "*") {
			a[n-1] = "*"
			return n == 1 || below(strings.Join(a, "/"), path)
		}
		return len(a) == len(b) && below(pattern, path)
	})
}

// marked are the decorators of a class or method, and those in the parameters of a method.
type marked struct {
	own, parameters []Call
}

// marks returns the decorators of a class or method. Those before it are above its first line, or on it.
func (r *nestReader) marks(n *resolve.Node) marked {
	out := marked{}
	for c := range r.CallsIn(n.File, 1, n.EndLine) {
		if !c.Mark {
			continue
		}
		if c.Line <= n.Line && r.FunctionAt(n.File, c.Line) == n && !r.marksParameter(n, c) {
			out.own = append(out.own, c)
		} else if c.Line >= n.Line && !n.IsType() {
			out.parameters = append(out.parameters, c)
		}
	}
	return out
}

// marksParameter reports whether a decorator is that of a parameter: it is in the signature of the function.
func (r *nestReader) marksParameter(n *resolve.Node, c Call) bool {
	s := r.Symbol(n)
	return s != nil && strings.Contains(s.Signature, "@"+c.Value.Text+"(")
}

// controller returns the routes of a controller.
func (r *nestReader) controller(c Call, class *resolve.Node) []Event {
	prefixes, version := []string{""}, r.version
	if arg := c.Value.Arg(0); arg != nil {
		if list := r.texts(c.File, arg); len(list) > 0 {
			prefixes = list
		}
		if arg.Kind == code.ValueObject {
			if list := r.texts(c.File, arg.Named("path")); len(list) > 0 {
				prefixes = list
			}
			if text, ok := r.Text(c.File.Path, arg.Named("version")); ok {
				version = text
			}
		}
	}
	own := r.marks(class).own
	var out []Event
	for _, n := range r.Links.Linked(class.File) {
		if !IsFunction(n) || n.Owner() != class.Path() {
			continue
		}
		marks := r.marks(n)
		for _, mark := range marks.own {
			verb, ok := nestVerbs[mark.Value.Text]
			if !ok {
				continue
			}
			list := []string{""}
			if given := r.texts(mark.File, mark.Value.Arg(0)); len(given) > 0 {
				list = given
			}
			for _, prefix := range prefixes {
				for _, path := range list {
					out = append(out, r.route(class, n, own, marks, mark, verb, version, JoinPath(JoinPath("", prefix), path)))
				}
			}
		}
	}
	return out
}

// texts returns the texts that a value is, or is a list of.
func (r *nestReader) texts(f *code.File, v *code.Value) []string {
	if v == nil {
		return nil
	}
	if text, ok := r.Text(f.Path, v); ok {
		return []string{text}
	}
	if v.Kind != code.ValueOther {
		return nil
	}
	var out []string
	for i := range v.Args {
		if text, ok := r.Text(f.Path, &v.Args[i]); ok {
			out = append(out, text)
		}
	}
	return out
}

// route returns a route of a controller: path is that below the global prefix.
func (r *nestReader) route(class, n *resolve.Node, own []Call, marks marked, mark Call, verb, version, path string) Event {
	e := &Endpoint{Method: verb, At: mark.Place(), Path: path}
	e.Handler = Step{Kind: Handling, Name: n.Path(), Node: n, At: Place{n.File, n.Line}}
	guards := slices.Clone(r.guards)
	pipes := slices.Clone(r.pipes)
	for _, c := range slices.Concat(own, marks.own) {
		guards = append(guards, r.guardValues(c.File, &c.Value, 0)...)
		switch c.Value.Text {
		case "UsePipes":
			for i := range c.Value.Args {
				pipes = append(pipes, Given{c.File.Path, &c.Value.Args[i]})
			}
		case "Version":
			version, _ = r.Text(c.File.Path, c.Value.Arg(0))
		}
	}
	if !answersItself(marks) {
		e.Success = []Answer{{Status: r.success(verb, marks.own), At: e.Handler.At}}
	}
	for _, m := range r.middleware {
		if r.fits(m.only, class.Name, verb, path) && !r.fits(m.except, class.Name, verb, path) {
			e.Chain = append(e.Chain, m.steps...)
		}
	}
	e.Chain = append(append(e.Chain, guards...), r.validation(n, marks, pipes)...)
	r.inputs(e, n, marks)
	if r.versions && version != "" && version != "VERSION_NEUTRAL" {
		e.Path = ecmaJoin("/v"+version, e.Path)
	}
	if r.prefix != "" && !r.fits(r.excluded, class.Name, verb, path) {
		e.Path = ecmaJoin("/"+strings.Trim(r.prefix, "/"), e.Path)
	}
	return Event{On: nestApp, Route: e}
}

// success returns the status with which a route answers: that of its decorators, or of its method.
func (r *nestReader) success(verb string, own []Call) int {
	status := 200
	if verb == "POST" {
		status = 201
	}
	for _, c := range own {
		switch c.Value.Text {
		case "HttpCode":
			status = cmp.Or(r.Status(c.File.Path, c.Value.Arg(0)), status)
		case "Redirect":
			status = 302
		}
	}
	return status
}

// answersItself reports whether a handler takes the response, and so the framework does not answer.
func answersItself(marks marked) bool {
	return slices.ContainsFunc(marks.parameters, func(c Call) bool {
		if c.Value.Text != "Res" && c.Value.Text != "Response" {
			return false
		}
		options := c.Value.Arg(0)
		return options == nil || options.Named("passthrough") == nil
	})
}

// guardValues returns the guards of UseGuards, also in a decorator of the project that is made of others.
func (r *nestReader) guardValues(f *code.File, v *code.Value, depth int) []Step {
	var out []Step
	switch {
	case depth > maxSteps || v.Kind != code.ValueCall:
	case v.Text == "UseGuards":
		for i := range v.Args {
			out = append(out, r.guard(f, &v.Args[i])...)
		}
	case v.Text == "applyDecorators":
		for i := range v.Args {
			out = append(out, r.guardValues(f, &v.Args[i], depth+1)...)
		}
	default:
		n := r.Node(f.Path, v)
		if n == nil || !IsFunction(n) {
			break
		}
		if body := r.Body(n); body != nil && len(body.Stmts) > 0 {
			if last := &body.Stmts[len(body.Stmts)-1]; last.Op == code.StmtReturn && last.Value != nil {
				out = r.guardValues(r.File(n.File), last.Value, depth+1)
			}
		}
	}
	return out
}

// guard returns the steps of a guard: AuthGuard("jwt"), a class, or an object of one.
func (r *nestReader) guard(f *code.File, v *code.Value) []Step {
	at := Place{f.Path, v.Line}
	step := Step{Kind: Dependency, Name: Last(v.Text), At: at}
	refuse := func(status int, text string) {
		step.Refusals = append(step.Refusals, Refusal{Answer: Answer{Status: status, Message: text, At: at}})
	}
	class := r.Node(f.Path, v)
	if class == nil || !class.IsType() {
		switch Last(v.Text) {
		case "AuthGuard":
			refuse(401, "Unauthorized")
		case "ThrottlerGuard":
			refuse(429, "ThrottlerException: Too Many Requests")
		default:
			return nil
		}
		return []Step{step}
	}
	base := r.libraryBase(class.Name)
	if step.Node = r.method(r.ofClass(class), "canActivate"); step.Node != nil && mayDeny(r.Body(step.Node)) {
		own := step // its errors come before its result
		refuse(403, "Forbidden resource")
		step.Node = nil
		return []Step{own, step}
	}
	if strings.HasPrefix(base, "AuthGuard") {
		refuse(401, "Unauthorized")
		if n := r.method(r.ofClass(class), "handleRequest"); n != nil {
			return []Step{step, {Kind: Dependency, Name: class.Name, Node: n, At: at}}
		}
	}
	return []Step{step}
}

// mayDeny reports whether a guard may return something other than true.
func mayDeny(b *code.Body) bool {
	found := false
	code.AllStmts(bodyStmts(b), func(s *code.Stmt) {
		if s.Op == code.StmtReturn && s.Value != nil && s.Value.Text != "true" && !strings.HasPrefix(s.Value.Text, "super.") {
			found = true
		}
	})
	return found
}

// libraryBase returns the base of a class of the project that is not of the project itself, as written; the class itself
// for others.
func (p *Project) libraryBase(class string) string {
	for range maxSteps {
		list := p.classes[class]
		if len(list) == 0 || len(list[0].Symbol.Bases) == 0 {
			return class
		}
		class = list[0].Symbol.Bases[0]
		if i := strings.IndexByte(class, '<'); i > 0 {
			class = class[:i]
		}
		class = strings.TrimSpace(class)
	}
	return class
}
