package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// springEntities are the methods of ResponseEntity that begin an answer with a status of their own.
var springEntities = map[string]int{
	"ok": 200, "of": 200, "ofNullable": 200, "created": 201, "accepted": 202, "noContent": 204, "badRequest": 400, "notFound": 404,
	"unprocessableEntity": 422, "unprocessableContent": 422, "internalServerError": 500,
}

// springAnswered reads ResponseEntity.status(404).body(…), new ResponseEntity<>(body, status), ProblemDetail.forStatus(404),
// response.sendError(404), response.sendRedirect("/path") and "redirect:/path".
func springAnswered(p *Project, at Site) (Answer, bool) {
	v := at.Stmt.Value
	if v == nil {
		return Answer{}, false
	}
	if at.Stmt.Op == code.StmtReturn && v.Text != "null" && springView(p, at) {
		if text, ok := p.springText(at.File.Path, v); strings.HasPrefix(v.Text, "redirect:") || ok && strings.HasPrefix(text, "redirect:") {
			return Answer{Status: 302}, true
		}
		if p.entityStatus(at.File, v, 0) == 0 {
			return Answer{Status: 200}, true
		}
	}
	if v.Kind != code.ValueCall {
		return Answer{}, false
	}
	status := p.entityStatus(at.File, v, 0)
	if status == 0 {
		status = p.responseStatus(at, v)
	}
	return Answer{Status: status}, status > 0
}

// responseStatus returns the status that a call sets on the response; 0 for another call.
func (p *Project) responseStatus(at Site, v *code.Value) int {
	switch {
	case springResponse(p, at, v) && Last(v.Text) == "sendRedirect":
		return 302
	case springResponse(p, at, v):
		return p.Status(at.File.Path, v.Arg(0))
	case v.Text == "sendError" || v.Text == "setStatus": // a function that is given the response
		return p.statusAmong(at.File.Path, v)
	}
	return 0
}

// springView reports whether the texts that a function returns are names of views.
func springView(p *Project, at Site) bool {
	if at.Function == nil || at.Use.Kind == code.UseArgument {
		return false
	}
	marks := p.marksOn(at.Function)
	if s := p.symbolOf(at.Function); s == nil || s.Returns != "String" && s.Returns != "ModelAndView" || len(springMapped(p.composed(marks))) == 0 {
		return false
	}
	class := p.Links.Find(at.File.Path, at.Function.Owner(), at.Function.Line)
	if class == nil {
		return false
	}
	_, body := marking(append(p.composed(p.marksOn(class)), marks...), "RestController", "ResponseBody")
	return !body
}

// springResponse reports whether a call sets the status of the response that a function is given.
func springResponse(p *Project, at Site, v *code.Value) bool {
	before, name := CutLast(v.Text)
	if !slices.Contains([]string{"sendError", "sendRedirect", "setStatus", "setStatusCode"}, name) || before == "" || strings.Contains(before, "(") {
		return false
	}
	if at.Function != nil {
		if s := p.symbolOf(at.Function); s != nil {
			for _, param := range s.Params {
				if param.Name == before {
					return strings.HasSuffix(param.Type, "Response")
				}
			}
		}
	}
	return strings.Contains(strings.ToLower(before), "resp") || before == "res"
}

// entityStatus returns the status of a value that makes an answer; 0 for other values, and if it is not constant.
func (p *Project) entityStatus(f *code.File, v *code.Value, depth int) int {
	if v == nil || v.Kind != code.ValueCall || depth > code.MaxValueDepth {
		return 0
	}
	before, name := CutLast(v.Text)
	if strings.Contains(before, "(") && len(v.Args) > 0 {
		return p.entityStatus(f, &v.Args[0], depth+1)
	}
	switch Last(before) {
	case "ResponseEntity":
		if name == "status" {
			return p.Status(f.Path, v.Arg(0))
		}
		return springEntities[name]
	case "ProblemDetail", "ErrorResponse":
		return p.statusAmong(f.Path, v)
	case "", "this", "super":
		return p.plainStatus(f, v, name, depth)
	}
	return 0
}

// plainStatus is entityStatus for the call of a constructor, of a method of the framework's base of handlers of exceptions,
// and of a method that is imported.
func (p *Project) plainStatus(f *code.File, v *code.Value, name string, depth int) int {
	switch name {
	case "ResponseEntity", "handleExceptionInternal", "createProblemDetail":
		return p.statusAmong(f.Path, v)
	case "RedirectView":
		return 302
	}
	if importsEntity(f, name) {
		return p.entityStatus(f, &code.Value{Kind: code.ValueCall, Text: "ResponseEntity." + name, Args: v.Args, Line: v.Line}, depth+1)
	}
	return 0
}

// importsEntity reports whether a name is that of a method of ResponseEntity which a file imports.
func importsEntity(f *code.File, name string) bool {
	module, _ := importOf(f, name)
	return strings.HasSuffix(module, "http.ResponseEntity")
}

// statusAmong returns the first status among the arguments of a call that is written as one; 0 for none.
func (p *Project) statusAmong(file string, v *code.Value) int {
	for i := len(v.Args) - 1; i >= 0; i-- {
		a := &v.Args[i]
		if a.Kind == code.ValueName || a.Kind == code.ValueNumber || a.Kind == code.ValueCall && strings.HasSuffix(a.Text, "HttpStatus.valueOf") {
			if status := p.Status(file, a); status > 0 {
				return status
			}
		}
	}
	return 0
}

// springCalled reads what calls inside a statement may throw or answer instead of a result: optional.orElseThrow(X::new),
// Mono.error(new X()), map(ResponseEntity::ok), and methods whose parameters the framework validates.
func springCalled(p *Project, at Site, call *code.Value) (Answer, bool) {
	before, name := CutLast(call.Text)
	switch {
	case strings.HasPrefix(name, "orElseThrow"):
		return p.thrownBy(at, call)
	case name == "authenticate" && importsAuthentication(at.File):
		return Answer{Error: "AuthenticationException"}, true
	case call.Text == "Mono.error" || call.Text == "Flux.error":
		made := call.Arg(0)
		return p.springMade(at.File.Path, made), made != nil && made.Kind == code.ValueCall
	case name == "of" && (before == "ResponseEntity" || before == "" && importsEntity(at.File, name)):
		return Answer{Status: 404}, true
	}
	if n := p.Node(at.File.Path, call); n != nil && p.validates(n) {
		return Answer{Error: "ConstraintViolationException", At: Place{at.File.Path, call.Line}}, true
	}
	return mapsToEntity(call)
}

// mapsToEntity returns the answer that a reference to a method of ResponseEntity among some arguments makes.
func mapsToEntity(call *code.Value) (Answer, bool) {
	for i := range call.Args {
		if owner, method, ok := strings.Cut(call.Args[i].Text, "::"); ok && owner == "ResponseEntity" && springEntities[method] > 0 {
			return Answer{Status: springEntities[method]}, true
		}
	}
	return Answer{}, false
}

// thrownBy returns the error of optional.orElseThrow(…); false if a function literal makes it, whose statements are read.
func (p *Project) thrownBy(at Site, call *code.Value) (Answer, bool) {
	last := lastArgument(call)
	switch {
	case last == nil:
		return Answer{Error: "NoSuchElementException"}, true
	case last.Kind == code.ValueName && strings.Contains(last.Text, "::"):
		class, method, _ := strings.Cut(last.Text, "::")
		return Answer{Error: Last(class)}, method == "new"
	case last.Kind == code.ValueCall && errorLike(Last(last.Text)):
		return p.springMade(at.File.Path, last), true
	}
	return Answer{}, false
}

// importsAuthentication reports whether a file uses the manager that refuses wrong credentials.
func importsAuthentication(f *code.File) bool {
	module, _ := importOf(f, "AuthenticationManager")
	return strings.HasPrefix(module, "org.springframework.security")
}

// lastArgument returns the last argument of a call that is not the call before it in a chain; nil for none.
func lastArgument(call *code.Value) *code.Value {
	args := call.Args
	if before, _ := CutLast(call.Text); strings.Contains(before, "(") && len(args) > 0 {
		args = args[1:]
	}
	if len(args) == 0 {
		return nil
	}
	return &args[len(args)-1]
}

// springMade returns the answer to an error that a call makes, as far as the call shows it.
func (p *Project) springMade(file string, made *code.Value) Answer {
	if made == nil {
		return Answer{}
	}
	a := Answer{Error: Last(made.Text), Status: p.statusAmong(file, made)}
	if text := firstText(made); text != "" {
		a.Message = text
	}
	return a
}

// springFollows returns the functions that a method reference among the arguments of a call names.
func springFollows(p *Project, at Site, call *code.Value) []*resolve.Node {
	var out []*resolve.Node
	for i := range call.Args {
		a := &call.Args[i]
		owner, name, ok := strings.Cut(a.Text, "::")
		if !ok || a.Kind != code.ValueName || name == "new" {
			continue
		}
		if n := p.Named(at.File.Path, a.Line, a.Line, name); n != nil && IsFunction(n) {
			out = append(out, n)
		} else if owner == "this" && at.Function != nil {
			if n := p.Links.Find(at.File.Path, at.Function.Owner()+"."+name, 0); n != nil {
				out = append(out, n)
			}
		}
	}
	return out
}

// validates reports whether the framework validates the arguments of a method: its class is marked for that, and a
// parameter has constraints.
func (p *Project) validates(n *resolve.Node) bool {
	if !IsFunction(n) || n.Owner() == "" {
		return false
	}
	class := p.Links.Find(n.File, n.Owner(), n.Line)
	if class == nil {
		return false
	}
	if _, ok := marking(p.marksOn(class), "Validated"); !ok {
		return false
	}
	s := p.symbolOf(n)
	return s != nil && slices.ContainsFunc(s.Params, func(param code.Param) bool {
		marks := p.marksOfParameter(n, param.Name)
		if _, valid := marking(marks, "Valid"); valid {
			return p.constrained(p.typeAt(n.File, param.Type, n.StartLine, n.EndLine), 0)
		}
		return slices.ContainsFunc(marks, p.isConstraint)
	})
}
