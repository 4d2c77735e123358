package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// aspnetResults are the methods of controllers, and of Results and TypedResults, that make an answer with a status of their own.
var aspnetResults = map[string]int{
	"Ok": 200, "Created": 201, "CreatedAtAction": 201, "CreatedAtRoute": 201, "Accepted": 202, "AcceptedAtAction": 202, "AcceptedAtRoute": 202, "NoContent": 204,
	"BadRequest": 400, "Unauthorized": 401, "Challenge": 401, "Forbid": 403, "NotFound": 404, "Conflict": 409, "UnprocessableEntity": 422,
	"ValidationProblem": 400, "Problem": 500, "InternalServerError": 500, "File": 200, "PhysicalFile": 200, "Content": 200, "Json": 200, "View": 200,
	"PartialView": 200, "Text": 200, "Stream": 200, "Bytes": 200, "Redirect": 302, "RedirectToAction": 302, "RedirectToRoute": 302, "RedirectToPage": 302,
	"LocalRedirect": 302, "RedirectPermanent": 301, "StatusCode": 0, "SignIn": 200, "SignOut": 200, "Empty": 200, "ServerSentEvents": 200,
}

// aspnetObjects are the classes of results, without the suffixes Result and ObjectResult, whose status their name does not say.
var aspnetObjects = map[string]int{
	"Json": 200, "Content": 200, "Object": 200, "FileContent": 200, "FileStream": 200, "PhysicalFile": 200, "Empty": 200, "View": 200, "Redirect": 302,
	"RedirectToAction": 302, "RedirectToRoute": 302, "Forbid": 403, "Challenge": 401, "StatusCode": 0,
}

// aspnetAnswered reads return NotFound(), TypedResults.Ok(x), new BadRequestObjectResult(x), and what is assigned to the
// status of the response or to the result of a filter.
func aspnetAnswered(p *Project, at Site) (Answer, bool) {
	v := at.Stmt.Value
	if v == nil {
		return Answer{}, false
	}
	if at.Stmt.Op == code.StmtAssign {
		return aspnetAssigned(p, at)
	}
	if v.Kind == code.ValueName {
		return Answer{Status: 200}, p.returnsBody(at, v)
	}
	if v.Kind != code.ValueCall {
		return Answer{}, false
	}
	if before, name := CutLast(v.Text); before == "" && aspnetResults[name] > 0 && !p.inController(at) {
		return Answer{}, false
	}
	status := aspnetResult(p, at.File.Path, v)
	a := Answer{Status: status}
	if status >= 400 {
		a.Message = p.aspnetMessage(at.File.Path, v)
	}
	return a, status > 0
}

// returnsBody reports whether a statement returns the value of an action that may also return a result.
func (p *Project) returnsBody(at Site, v *code.Value) bool {
	if at.Stmt.Op != code.StmtReturn || at.Use.Kind == code.UseArgument || at.Function == nil || v.Text == "null" {
		return false
	}
	s := p.symbolOf(at.Function)
	return s != nil && strings.Contains(s.Returns, "ActionResult<") && !p.holdsResult(at, v.Text)
}

// holdsResult reports whether a variable of a function is given the result of an action.
func (p *Project) holdsResult(at Site, name string) bool {
	found := false
	code.AllStmts(at.Body.Stmts, func(s *code.Stmt) {
		found = found || s.Op == code.StmtAssign && s.Text == name && s.Value != nil && aspnetResult(p, at.File.Path, s.Value) > 0
	})
	return found
}

// aspnetAssigned reads response.StatusCode = 404 and context.Result = new NotFoundResult().
func aspnetAssigned(p *Project, at Site) (Answer, bool) {
	before, name := CutLast(at.Stmt.Text)
	switch {
	case name == "StatusCode" && strings.HasSuffix(before, "Response") || name == "StatusCode" && before == "response":
		status := p.statusIn(at.File.Path, at.Stmt.Value)
		return Answer{Status: status}, status >= 400
	case name == "Result" && before != "":
		status := aspnetResult(p, at.File.Path, at.Stmt.Value)
		return Answer{Status: status}, status >= 400
	}
	return Answer{}, false
}

// statusIn returns the status that a value is, also after a cast; 0 if it is not constant.
func (p *Project) statusIn(file string, v *code.Value) int {
	if v == nil {
		return 0
	}
	if v.Kind == code.ValueOther && len(v.Args) > 0 {
		return p.statusIn(file, &v.Args[len(v.Args)-1])
	}
	return p.Status(file, v)
}

// inController reports whether a statement is in a controller, whose methods make results.
func (p *Project) inController(at Site) bool {
	if at.Function == nil {
		n := p.Links.Around(at.File.Path, at.Stmt.Line, at.Stmt.Line)
		return n != nil && n.Owner() != ""
	}
	class := p.Links.Find(at.File.Path, at.Function.Owner(), at.Function.Line)
	if class == nil {
		return false
	}
	c := p.ofClass(class)
	return c != nil && (p.derives(c, "ControllerBase", 0) || p.derives(c, "Controller", 0) || strings.HasSuffix(c.Symbol.Name, "Controller"))
}

// aspnetResult returns the status of a value that makes a result; 0 for other values, and if it is not constant.
func aspnetResult(p *Project, file string, v *code.Value) int {
	if v == nil || v.Kind != code.ValueCall {
		return 0
	}
	before, name := CutLast(v.Text)
	owner := Last(before)
	status, known := aspnetResults[name]
	if known && (owner == "Results" || owner == "TypedResults" || before == "" || before == "this" || before == "base") {
		if given := v.Named("statusCode"); given != nil {
			return p.Status(file, given)
		}
		switch {
		case name == "StatusCode":
			return p.statusIn(file, v.Arg(0))
		case name == "Challenge" && len(v.Args) > 0: // of a scheme that signs in elsewhere
			return 302
		}
		return status
	}
	if kind, ok := strings.CutSuffix(name, "Result"); ok && before == "" {
		return p.objectStatus(file, v, strings.TrimSuffix(kind, "Object"))
	}
	return 0
}

// objectStatus returns the status of a new object of a class of results, whose name without its end is kind; 0 if it is not
// constant.
func (p *Project) objectStatus(file string, v *code.Value, kind string) int {
	if given := v.Named("StatusCode"); given != nil {
		return p.statusIn(file, given)
	}
	switch kind {
	case "":
		return 0
	case "StatusCode":
		return p.statusIn(file, v.Arg(0))
	}
	return cmp.Or(StatusNamed(kind), aspnetObjects[kind])
}

// aspnetMessage returns the text of an error: of its title, detail, or first argument.
func (p *Project) aspnetMessage(file string, v *code.Value) string {
	for _, a := range []*code.Value{v.Named("detail", "title"), v.Arg(0)} {
		if a == nil {
			continue
		}
		if text, ok := p.Text(file, a); ok {
			return text
		}
	}
	return ""
}

// aspnetCalled reads calls that throw or answer by what the framework and its usual libraries do: validator.ValidateAndThrow.
func aspnetCalled(_ *Project, _ Site, call *code.Value) (Answer, bool) {
	switch _, name := CutLast(call.Text); name {
	case "ValidateAndThrow", "ValidateAndThrowAsync":
		return Answer{Error: "ValidationException"}, true
	}
	return Answer{}, false
}

// sends are the methods that give a request to the handler of its class (MediatR and libraries like it).
var sends = map[string]bool{"Send": true, "SendAsync": true, "Publish": true, "InvokeAsync": true, "ExecuteAsync": true, "DispatchAsync": true}

// handlerBases are the interfaces of handlers of requests.
var handlerBases = []string{"IRequestHandler", "ICommandHandler", "IQueryHandler", "IHandler", "INotificationHandler", "IStreamRequestHandler"}

// sent is what happens to the requests of a class.
type sent struct {
	handlers  []*resolve.Node
	validated bool // there are rules for it
}

// aspnetFollows returns the handlers that a request is given to, with the behaviors around them.
func aspnetFollows(p *Project, at Site, call *code.Value) []*resolve.Node {
	_, name := CutLast(call.Text)
	if !sends[name] {
		return nil
	}
	c := p.requestClass(at, call.Arg(0))
	if before, _ := CutLast(call.Text); c == nil && strings.Contains(before, "(") {
		c = p.requestClass(at, call.Arg(1))
	}
	if c == nil {
		return nil
	}
	p.readHandlers()
	s := p.sent[c.Symbol]
	if s == nil || len(s.handlers) == 0 {
		return nil
	}
	var out []*resolve.Node
	for _, b := range p.behaviors {
		if b.validates && !s.validated || b.attributes && !p.authorizes(c) {
			continue
		}
		out = append(out, b.node)
	}
	return append(out, s.handlers...)
}

// authorizes reports whether a class of requests has an attribute about who may send them.
func (p *Project) authorizes(c *Class) bool {
	n := p.nodeOf(c)
	return n != nil && slices.ContainsFunc(p.marksOn(n), func(m Call) bool { return strings.HasPrefix(markName(m), "Authorize") })
}

// requestClass returns the class of a value that is sent: new X(…), a parameter, or a variable; nil if it is not known.
func (p *Project) requestClass(at Site, v *code.Value) *Class {
	if v == nil {
		return nil
	}
	if v.Kind == code.ValueCall {
		return p.typeAt(at.File.Path, v.Text, v.Line, v.Line)
	}
	if v.Kind == code.ValueOther && len(v.Args) > 0 { // command with { … }
		return p.requestClass(at, &v.Args[0])
	}
	if v.Kind != code.ValueName {
		return nil
	}
	if text := p.parameterType(at, v.Text); text != "" {
		return p.typeAt(at.File.Path, text, at.Body.Line, at.Body.End)
	}
	var out *Class
	code.AllStmts(at.Body.Stmts, func(s *code.Stmt) {
		if s.Op == code.StmtAssign && s.Text == v.Text && s.Value != nil && s.Value.Kind == code.ValueCall {
			out = p.typeAt(at.File.Path, s.Value.Text, s.Value.Line, s.Value.Line)
		}
	})
	return out
}

// parameterType returns the type of a parameter of the function of a statement; "" for other names.
func (p *Project) parameterType(at Site, name string) string {
	if at.Function != nil {
		if s := p.symbolOf(at.Function); s != nil {
			for _, param := range s.Params {
				if param.Name == name {
					return param.Type
				}
			}
		}
	}
	for i, param := range at.Body.Params {
		if param == name && i < len(at.Body.Types) {
			return at.Body.Types[i]
		}
	}
	return ""
}

// behavior runs around all handlers of requests.
type behavior struct {
	node       *resolve.Node
	validates  bool // it refuses by rules for the class of the request
	attributes bool // it refuses by attributes of that class
}

// readHandlers finds the handlers of requests, the rules for these, and the behaviors, once.
func (p *Project) readHandlers() {
	if p.sent != nil {
		return
	}
	p.sent = map[*code.Symbol]*sent{}
	for _, f := range p.Files {
		if f.Language != "csharp" {
			continue
		}
		for _, n := range p.Links.Linked(f.Path) {
			if c := p.ofClass(n); n.IsType() && c != nil && c.Symbol.Kind != code.Interface {
				for _, base := range c.Symbol.Bases {
					p.readHandler(c, base)
				}
			}
		}
	}
}

// readHandler reads a class by one of its bases: a handler of requests, rules for them, or a behavior.
func (p *Project) readHandler(c *Class, base string) {
	name, _, _ := strings.Cut(base, "<")
	switch name = Last(name); {
	case name == "AbstractValidator":
		if s := p.sentTo(c, base); s != nil {
			s.validated = true
		}
	case name == "IPipelineBehavior" || name == "IRequestPreProcessor":
		p.behaviors = append(p.behaviors, p.behaviorsOf(c)...)
	case slices.Contains(handlerBases, name):
		s := p.sentTo(c, base)
		for _, m := range p.methodsOf(c) {
			if s != nil && (m.Name == "Handle" || m.Name == "HandleAsync") && !slices.Contains(s.handlers, m) {
				s.handlers = append(s.handlers, m)
			}
		}
	}
}

// sentTo returns what happens to the requests of the first type argument of a base; nil if that is not a class of the project.
func (p *Project) sentTo(c *Class, base string) *sent {
	_, args, _ := strings.Cut(base, "<")
	first, _, _ := strings.Cut(strings.TrimSuffix(args, ">"), ",")
	request := p.typeAt(c.File.Path, first, c.Symbol.StartLine, max(c.Symbol.NameLine, c.Symbol.StartLine)+8)
	if request == nil {
		return nil
	}
	if p.sent[request.Symbol] == nil {
		p.sent[request.Symbol] = &sent{}
	}
	return p.sent[request.Symbol]
}

// behaviorsOf returns the methods of a class of behaviors.
func (p *Project) behaviorsOf(c *Class) []behavior {
	var out []behavior
	for _, m := range p.methodsOf(c) {
		if m.Name != "Handle" && m.Name != "Process" {
			continue
		}
		b := behavior{node: m}
		for call := range p.CallsIn(c.File.Path, m.StartLine, m.EndLine) {
			_, name := call.Of()
			b.validates = b.validates || strings.HasSuffix(name, "ValidationException") || strings.HasPrefix(name, "Validate")
			b.attributes = b.attributes || strings.HasPrefix(name, "GetCustomAttribute")
		}
		out = append(out, b)
	}
	return out
}
