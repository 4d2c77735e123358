package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// spring reads Spring MVC and annotated controllers of WebFlux, with Spring Security. A request passes the filters, among
// them the authorization by path, the binding and validation of the parameters, method security, and the handler; the
// methods with @ExceptionHandler answer errors (https://docs.spring.io/spring-framework/reference/web/webmvc.html).
var spring = Framework{
	Name: "Spring MVC", Languages: jvmLanguages, Imports: []string{"org.springframework"}, Passes: true, Closest: true,
	Events: springEvents, Errors: springErrors, Answered: springAnswered, Called: springCalled, Follows: springFollows, Settle: springSettle, Body: springBody,
}

var jvmLanguages = []string{"java", "kotlin"}

// springMappings are the annotations that map requests to methods, with the HTTP method; that of RequestMapping is an argument.
var springMappings = map[string]string{
	"GetMapping": "GET", "PostMapping": "POST", "PutMapping": "PUT", "DeleteMapping": "DELETE", "PatchMapping": "PATCH", "RequestMapping": "",
}

// springReader reads the controllers of a project.
type springReader struct {
	*Project
	security *springSecurity
	filters  []Step
	aspects  []springAspect
}

const springApp = Object("spring")

func springEvents(p *Project) []Event {
	r := &springReader{Project: p, security: readSpringSecurity(p)}
	r.filters, r.aspects = r.readFilters(), readAspects(p)
	out := []Event{{On: springApp, Root: true}}
	for _, f := range p.Files {
		if !slices.Contains(jvmLanguages, f.Language) {
			continue
		}
		for _, n := range p.Links.Linked(f.Path) {
			if n.IsType() && !isAnnotationType(p.Symbol(n)) {
				out = append(out, r.controller(n)...)
			}
		}
	}
	return out
}

// isAnnotationType reports whether a symbol declares an annotation.
func isAnnotationType(s *code.Symbol) bool {
	return s != nil && (strings.Contains(s.Signature, "@interface ") || strings.Contains(s.Signature, "annotation class"))
}

// composed adds the annotations of the annotations that the project itself declares.
func (p *Project) composed(list []Call) []Call { return p.composedBelow(list, 0) }

func (p *Project) composedBelow(list []Call, depth int) []Call {
	out := slices.Clone(list)
	for _, c := range list {
		if depth > maxSteps {
			break
		}
		for i := range p.classes[Last(c.Value.Text)] {
			class := &p.classes[Last(c.Value.Text)][i]
			if n := p.nodeOf(class); n != nil && isAnnotationType(class.Symbol) {
				out = append(out, p.composedBelow(p.marksOn(n), depth+1)...)
			}
		}
	}
	return out
}

// springController is a class whose methods answer requests.
type springController struct {
	class    *Class
	node     *resolve.Node
	marks    []Call
	prefixes []string
	method   string // of all mappings; "" for any
	body     bool   // the results are bodies, not names of views
}

// controller returns the routes of a class; nil if it is not a controller.
func (r *springReader) controller(n *resolve.Node) []Event {
	class := r.ofClass(n)
	if class == nil || class.Symbol.Abstract || class.Symbol.Kind == code.Interface {
		return nil
	}
	marks := r.inherited(class, 0)
	_, rest := marking(marks, "RestController")
	if _, is := marking(marks, "Controller"); !is && !rest {
		return nil
	}
	c := &springController{class: class, node: n, marks: marks, prefixes: []string{""}, body: rest}
	if _, body := marking(marks, "ResponseBody"); body {
		c.body = true
	}
	if mapping, ok := marking(marks, "RequestMapping"); ok {
		if list := r.pathsOf(mapping); len(list) > 0 {
			c.prefixes = list
		}
		if methods := requestMethods(mapping); len(methods) == 1 {
			c.method = methods[0]
		}
	}
	var out []Event
	for _, m := range r.handlers(class, 0) {
		out = append(out, r.routes(c, m)...)
	}
	return out
}

// inherited returns the annotations of a class, of the interfaces that it implements, and of its bases.
func (r *springReader) inherited(c *Class, depth int) []Call {
	n := r.nodeOf(c)
	if n == nil || depth > maxSteps {
		return nil
	}
	out := r.composed(r.marksOn(n))
	for _, b := range r.basesOf(c) {
		out = append(out, r.inherited(b, depth+1)...)
	}
	return out
}

// springHandler is a method with its mapping, which may be that of the method of an interface or base.
type springHandler struct {
	node     *resolve.Node
	declared *resolve.Node // has the mapping and the annotations of the parameters
	mappings []Call
	// operation is that of the description of an API for which the interface of the method is generated, instead of mappings; else nil.
	operation *Operation
}

// handlers returns the methods of a class that have a mapping, also those of its bases.
func (r *springReader) handlers(c *Class, depth int) []springHandler {
	var out []springHandler
	for _, n := range r.methodsOf(c) {
		h := springHandler{node: n, declared: n, mappings: springMapped(r.composed(r.marksOn(n)))}
		if len(h.mappings) == 0 {
			if h.operation = r.generated(c, n); h.operation != nil {
				out = append(out, h)
				continue
			}
			if h.declared = r.overridden(c, n, 0); h.declared == nil {
				continue
			}
			h.mappings = springMapped(r.composed(r.marksOn(h.declared)))
		}
		out = append(out, h)
	}
	if depth > maxSteps {
		return out
	}
	for _, b := range r.basesOf(c) {
		for _, h := range r.handlers(b, depth+1) {
			known := slices.ContainsFunc(out, func(o springHandler) bool { return o.node.Name == h.node.Name && r.arity(o.node) == r.arity(h.node) })
			if !known && (b.Symbol.Kind != code.Interface || r.Body(h.node) != nil) {
				out = append(out, h)
			}
		}
	}
	return out
}

// generated returns the operation that a method of a class is for, if the class implements an interface that a tool makes of the
// description of an API (OwnersApi, of OpenAPI Generator): one that the project does not have; nil for another method.
func (r *springReader) generated(c *Class, n *resolve.Node) *Operation {
	for _, base := range c.Symbol.Bases {
		base, _, _ = strings.Cut(base, "<")
		if strings.HasSuffix(base, "Api") && len(r.classes[Last(base)]) == 0 {
			return r.Operations.Of(n.Name)
		}
	}
	return nil
}

func springMapped(list []Call) []Call {
	return slices.DeleteFunc(list, func(c Call) bool { _, ok := springMappings[markName(c)]; return !ok })
}

// overridden returns the method of a base or interface that a method overrides and that has a mapping; nil for none.
func (r *springReader) overridden(c *Class, n *resolve.Node, depth int) *resolve.Node {
	if depth > maxSteps {
		return nil
	}
	for _, b := range r.basesOf(c) {
		for _, m := range r.methodsOf(b) {
			if m.Name == n.Name && r.arity(m) == r.arity(n) && len(springMapped(r.composed(r.marksOn(m)))) > 0 {
				return m
			}
		}
		if m := r.overridden(b, n, depth+1); m != nil {
			return m
		}
	}
	return nil
}

// arity returns the number of the parameters of a function.
func (p *Project) arity(n *resolve.Node) int {
	if s := p.symbolOf(n); s != nil {
		return len(s.Params)
	}
	return -1
}

// pathsOf returns the paths of a mapping.
func (p *Project) pathsOf(c Call) []string {
	var out []string
	for i := range c.Value.Args {
		if v := &c.Value.Args[i]; v.Name == "" || v.Name == "value" || v.Name == "path" {
			texts := p.springTexts(c.File.Path, v)
			if len(texts) == 0 && (v.Kind != code.ValueOther || len(v.Args) > 0) {
				texts = []string{unknownPath}
			}
			out = append(out, texts...)
		}
	}
	return out
}

// requestMethods returns the methods of a RequestMapping.
func requestMethods(c Call) []string {
	v := c.Value.Named("method")
	if v == nil {
		return nil
	}
	if v.Kind == code.ValueName {
		return []string{Last(v.Text)}
	}
	var out []string
	for i := range v.Args {
		if v.Args[i].Kind == code.ValueName {
			out = append(out, Last(v.Args[i].Text))
		}
	}
	return out
}

// routes returns the routes of a method of a controller.
func (r *springReader) routes(c *springController, h springHandler) []Event {
	var out []Event
	if op := h.operation; op != nil {
		for _, prefix := range c.prefixes {
			e := r.route(c, h, Place{h.node.File, h.node.Line}, op.Method, joinTrimmed(prefix, op.Path))
			e.Inputs = slices.Clone(op.Inputs)
			out = append(out, Event{On: springApp, Route: e})
		}
	}
	for _, mapping := range h.mappings {
		methods := []string{springMappings[markName(mapping)]}
		if methods[0] == "" {
			if methods = requestMethods(mapping); len(methods) == 0 {
				methods = []string{c.method}
			}
		}
		paths := r.pathsOf(mapping)
		if len(paths) == 0 {
			paths = []string{""}
		}
		for _, method := range methods {
			for _, prefix := range c.prefixes {
				for _, path := range paths {
					out = append(out, Event{On: springApp, Route: r.route(c, h, mapping.Place(), method, joinTrimmed(prefix, path))})
				}
			}
		}
	}
	return out
}

// route returns a route; path is that below the path of the application.
func (r *springReader) route(c *springController, h springHandler, at Place, method, path string) *Endpoint {
	n := h.node
	e := &Endpoint{Method: method, At: at, Path: path}
	e.Handler = Step{Kind: Handling, Name: n.Path(), Node: n, At: Place{n.File, n.Line}}
	marks := append(r.composed(r.marksOn(n)), r.composed(r.marksOn(h.declared))...)
	r.succeeds(e, c, n, marks)
	e.Chain = slices.Clone(r.filters)
	guards := r.security.guards(method, path)
	e.Chain = append(e.Chain, guards...)
	e.Chain = append(e.Chain, r.models(e, c)...)
	if s, ok := r.binding(e, c, h); ok && h.operation == nil { // the description of an API says what is read
		e.Chain = append(e.Chain, s)
	}
	e.Chain = append(e.Chain, r.security.ofMethod(append(marks, c.marks...), len(guards) > 0)...)
	for _, a := range r.aspects {
		if _, ok := marking(append(marks, c.marks...), a.mark); ok {
			e.Chain = append(e.Chain, a.step)
		}
	}
	base := cmp.Or(r.setting(n.File, "server.servlet.context-path", "server.context-path", "spring.webflux.base-path"), "/")
	servlet := cmp.Or(r.setting(n.File, "spring.mvc.servlet.path", "server.servlet.path"), "/")
	e.Path = joinTrimmed(joinTrimmed(base, servlet), joinTrimmed(r.security.prefix, e.Path))
	return e
}

// models returns the steps of the methods of a controller whose results are part of the model of each of its routes.
func (r *springReader) models(e *Endpoint, c *springController) []Step {
	var out []Step
	for _, n := range r.methodsOf(c.class) {
		if _, ok := marking(r.marksOn(n), "ModelAttribute"); !ok || len(springMapped(r.composed(r.marksOn(n)))) > 0 {
			continue
		}
		part := &Endpoint{Method: e.Method, Path: e.Path, Handler: Step{At: Place{n.File, n.Line}}}
		if s, ok := r.binding(part, c, springHandler{node: n, declared: n}); ok {
			out = append(out, s)
		}
		step := Step{Kind: Middleware, Name: n.Path(), Node: n, At: Place{n.File, n.Line}}
		for _, in := range part.Inputs { // a variable that the path does not have is null
			if in.In == "path" && !inTemplate(e.Path, in.Name) {
				step.False = append(step.False, in.Name+" != null", "not "+in.Name+" == null")
			}
		}
		out = append(out, step)
	}
	return out
}

// alwaysFails reports whether a function ends with an error on every path.
func alwaysFails(b *code.Body) bool {
	return b != nil && len(b.Stmts) > 0 && b.Stmts[len(b.Stmts)-1].Op == code.StmtError && !returns(b.Stmts)
}

// returns reports whether one of some statements returns from the function.
func returns(list []code.Stmt) bool {
	found := false
	code.AllStmts(list, func(s *code.Stmt) { found = found || s.Op == code.StmtReturn })
	return found
}

// succeeds sets the status of a success as far as the declaration gives it.
func (r *springReader) succeeds(e *Endpoint, c *springController, n *resolve.Node, marks []Call) {
	body := c.body
	if _, ok := marking(marks, "ResponseBody"); ok {
		body = true
	}
	if mark, ok := marking(marks, "ResponseStatus"); ok {
		if status := r.markedStatus(mark); status > 0 {
			e.Success, e.Declared = []Answer{{Status: status, At: e.Handler.At}}, true
			return
		}
	}
	s := r.symbolOf(n)
	if s == nil || answersEntity(s.Returns) || s.Returns == "" && n.File != "" && r.files[n.File].Language == "kotlin" {
		return
	}
	if s.Returns == "void" && slices.ContainsFunc(s.Params, func(p code.Param) bool { return strings.HasSuffix(p.Type, "Response") }) {
		return // what it does with the response says
	}
	if !body && (s.Returns == "String" || s.Returns == "ModelAndView") { // a view, or a redirection
		return
	}
	e.Success = []Answer{{Status: 200, Body: s.Returns, At: e.Handler.At}}
	if s.Returns == "void" {
		e.Success[0].Body = ""
	}
}

// answersEntity reports whether a type carries the status of its answer.
func answersEntity(text string) bool {
	return slices.ContainsFunc(typeNames(text), func(name string) bool {
		switch Last(name) {
		case "ResponseEntity", "HttpEntity", "ProblemDetail", "ErrorResponse", "RedirectView":
			return true
		}
		return false
	})
}

// markedStatus returns the status in @ResponseStatus; 0 if it is not constant.
func (p *Project) markedStatus(c Call) int {
	v := c.Value.Named("value", "code")
	if v == nil {
		v = c.Value.Arg(0)
	}
	return p.Status(c.File.Path, v)
}

// springSettle gives a route without a known answer the status of a plain result, and answers errors with the handlers of
// its own controller.
func springSettle(p *Project, e *Endpoint) {
	if e.Handler.Node == nil {
		return
	}
	s := p.symbolOf(e.Handler.Node)
	if alwaysFails(p.Body(e.Handler.Node)) {
		e.Success = nil
	} else if len(e.Success) == 0 && s != nil && !answersEntity(s.Returns) {
		e.Success = []Answer{{Status: 200, At: e.Handler.At}}
	}
	own := p.springOwnHandlers(e.Handler.Node)
	if len(own) == 0 {
		return
	}
	for i := range e.Refusals {
		f := &e.Refusals[i]
		if h := closestHandler(p, own, f.Error); h != nil && f.Error != "" && f.Step != Middleware {
			if status := h.status(f.Status); status > 0 {
				f.Status = status
			}
		}
	}
}
