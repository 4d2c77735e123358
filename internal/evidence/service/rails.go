package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// rails reads Ruby on Rails: its routes, and controllers with what runs before their actions. A method that renders also ends
// the callbacks and actions that call it.
var rails = Framework{
	Name: "Rails", Languages: []string{"ruby"}, Imports: []string{"rails"},
	Serves:    func(f *code.File) bool { return isRailsRoutes(f) || isRailsController(f) },
	Events:    railsEvents,
	Raised:    railsRaised,
	Answered:  railsAnswered,
	Parts:     railsParts,
	Called:    railsCalled,
	Follows:   railsFollows,
	Passes:    true,
	Unhandled: 500,
	Settle:    railsSettle,
}

// railsErrors are the statuses of errors that nothing in the application rescues, by the last names of their classes: those of
// ActionDispatch::ExceptionWrapper, and of libraries that add theirs.
var railsErrors = map[string]int{
	"RecordNotFound": 404, "RoutingError": 404, "ActionNotFound": 404, "MethodNotAllowed": 405, "UnknownHttpMethod": 405, "NotImplemented": 501,
	"UnknownFormat": 406, "MissingExactTemplate": 406, "InvalidAuthenticityToken": 422, "InvalidCrossOriginRequest": 422, "BadRequest": 400,
	"ParameterMissing": 400, "StaleObjectError": 409, "RecordInvalid": 422, "RecordNotSaved": 422, "NotAuthorizedError": 403,
}

func railsEvents(p *Project) []Event {
	x := &railsReader{Project: p, known: map[string]*railsController{}}
	var out []Event
	for _, r := range railsRoutesOf(p) {
		if e, ok := x.endpoint(&r); ok {
			out = append(out, Event{On: railsApp, Root: true, Route: &e})
		}
	}
	return out
}

// endpoint returns the endpoint of a route; ok is false for one whose action is known not to exist.
func (x *railsReader) endpoint(r *railsRoute) (e Endpoint, ok bool) {
	e = Endpoint{Method: r.method, Path: r.path, At: r.at, Handler: Step{Kind: Handling, Name: r.controller + "#" + r.action, At: r.at}}
	pathInputs(nil, &e)
	if r.moved {
		e.Handler.Name, e.Success = "redirect", []Answer{{Status: 301, At: r.at}}
		return e, true
	}
	if r.controller == "" {
		e.Handler.Name = "Rack application"
		return e, true
	}
	c := x.controller(r.controller)
	if c == nil && r.gem != nil {
		c = x.controller("application")
	}
	if c == nil {
		x.ofLibrary(&e, r, nil)
		return e, true
	}
	e.Handlers = x.handlers(c)
	e.Chain = x.chain(c, r)
	m := x.methodOf(c, r.action)
	if m == nil {
		if x.isWhole(c) && r.gem == nil && r.made && !x.hasTemplate(r) {
			return e, false
		}
		x.ofLibrary(&e, r, c)
		return e, true
	}
	e.Handler.Name, e.Handler.Node, e.Handler.At = m.Path(), m, Place{m.File, m.Line}
	e.Inputs = append(e.Inputs, x.inputs(c, &e)...)
	if x.mayRender(m) {
		e.Success = append(e.Success, Answer{Status: x.implicit(c, r), At: e.Handler.At})
	}
	return e, true
}

// isWhole reports whether the project declares all that a controller inherits, except the framework's own classes.
func (x *railsReader) isWhole(c *railsController) bool {
	return c.library == "ActionController::API" || c.library == "ActionController::Base"
}

// hasTemplate reports whether there is a view in Ruby for an action.
func (x *railsReader) hasTemplate(r *railsRoute) bool {
	name := "views/" + r.controller + "/" + r.action + "."
	return slices.ContainsFunc(x.Files, func(f *code.File) bool { return strings.HasPrefix(f.Path, name) || strings.Contains(f.Path, "/"+name) })
}

// railsViews are the gems whose views are not read as Ruby.
var railsViews = []string{"jb", "rabl", "rabl-rails", "haml", "haml-rails", "slim", "slim-rails"}

// implicit returns the status of an action that renders nothing itself: that of its view, or none without one in an API; 0 if
// it is not known whether there is a view.
func (x *railsReader) implicit(c *railsController, r *railsRoute) int {
	if c.library != "ActionController::API" || x.hasTemplate(r) {
		return 200
	}
	if x.Manifests != nil && slices.ContainsFunc(x.Manifests.Ruby, func(f manifest.Facts) bool {
		return slices.ContainsFunc(f.Requires, func(q manifest.Requirement) bool { return slices.Contains(railsViews, q.Name) })
	}) {
		return 0
	}
	return 204
}

// isAPI reports whether callers of a route expect JSON.
func (c *railsController) isAPI(r *railsRoute) bool {
	return r.json || c != nil && c.library == "ActionController::API"
}

// chain returns the steps before an action.
func (x *railsReader) chain(c *railsController, r *railsRoute) []Step {
	var out []Step
	if r.login != "" {
		out = append(out, x.deviseLogin(c, r, "authenticate "+r.login, r.at)...)
	}
	if x.isProtected(c) && !c.isAPI(r) && r.method != "GET" {
		at := r.at
		out = append(out, Step{Kind: Middleware, Name: "protect_from_forgery", At: at, Refusals: []Refusal{{Answer: Answer{Status: 422, Error: "InvalidAuthenticityToken", At: at}}}})
	}
	for _, b := range c.callbacks {
		if b.runs(r.action) {
			out = append(out, x.step(c, r, &b)...)
		}
	}
	return out
}

// isProtected reports whether a controller refuses forged requests: as declared, or by the defaults since Rails 5.2.
func (x *railsReader) isProtected(c *railsController) bool {
	if c.library != "ActionController::Base" {
		return false
	}
	return c.protected || !c.open && len(x.called("load_defaults")) > 0
}

// step returns the step of a callback.
func (x *railsReader) step(c *railsController, r *railsRoute, b *railsCallback) []Step {
	at := b.call.Place()
	s := Step{Kind: Dependency, Name: b.name, At: at}
	if b.name == "" {
		s.Name, s.Body = Last(b.call.Value.Text), railsBlock(b.call)
		return []Step{s}
	}
	if m := x.methodOf(c, b.name); m != nil {
		s.Name, s.Node = m.Path(), m
		return []Step{s}
	}
	if check, ok := railsChecks[b.name]; ok {
		s.Refusals = []Refusal{{Answer: Answer{Status: check.status, Error: check.class, Message: check.text, At: at}}}
		return []Step{s}
	}
	if strings.HasPrefix(b.name, "authenticate_") && strings.HasSuffix(b.name, "!") && (r.gem == nil || r.gem.module == "") {
		return x.deviseLogin(c, r, b.name, at)
	}
	return nil
}

// railsChecks are what callbacks of libraries refuse, by their names.
var railsChecks = map[string]check{
	"http_basic_authenticate_with": {status: 401, text: "HTTP Basic: Access denied."},
	"doorkeeper_authorize!":        {status: 401},
	"authenticate_user":            {status: 401}, // Knock
	"load_and_authorize_resource":  {class: "AccessDenied"},
	"authorize_resource":           {class: "AccessDenied"},
	"require_login":                {status: 401}, // Sorcery, Clearance
}

// railsCalls are the answers of functions of Rails and its libraries that may end a request, by their names.
var railsCalls = map[string]check{
	"find_by!": {class: "RecordNotFound"}, "first!": {class: "RecordNotFound"}, "last!": {class: "RecordNotFound"}, "take!": {class: "RecordNotFound"},
	"sole": {class: "RecordNotFound"}, "find_sole_by": {class: "RecordNotFound"},
	"save!": {class: "RecordInvalid"}, "create!": {class: "RecordInvalid"}, "update!": {class: "RecordInvalid"}, "update_attributes!": {class: "RecordInvalid"},
	"first_or_create!": {class: "RecordInvalid"}, "find_or_create_by!": {class: "RecordInvalid"}, "validate!": {class: "RecordInvalid"},
	"authenticate_or_request_with_http_basic":  {status: 401, text: "HTTP Basic: Access denied."},
	"authenticate_or_request_with_http_token":  {status: 401, text: "HTTP Token: Access denied."},
	"authenticate_or_request_with_http_digest": {status: 401, text: "HTTP Digest: Access denied."},
	"request_http_basic_authentication":        {status: 401, text: "HTTP Basic: Access denied."},
	"request_http_token_authentication":        {status: 401, text: "HTTP Token: Access denied."},
}

// railsCalled reads the calls that raise an error of Rails: Model.find(id), params.require(:name), record.save!.
func railsCalled(p *Project, at Site, call *code.Value) (Answer, bool) {
	receiver, name := CutLast(call.Text)
	if p.railsNode(at.File.Path, call) != nil {
		return Answer{}, false
	}
	check, known := railsCalls[name]
	if !known || (check.class != "") != (receiver != "") {
		check.status, check.class = 0, p.railsError(call, receiver, name)
	}
	if check.class == "" && check.status == 0 {
		return Answer{}, false
	}
	a := Answer{Status: check.status, Error: check.class, Message: check.text}
	if a.Status == 0 {
		a.Status = railsErrors[check.class]
	}
	return a, true
}

// railsError returns the class of the error that a call may raise by its name and what it is called on; "" for none.
func (p *Project) railsError(call *code.Value, receiver, name string) string {
	switch {
	case strings.HasPrefix(name, "find_by_") && strings.HasSuffix(name, "!"):
		return "RecordNotFound"
	case name == "find" && call.Arg(0) != nil && p.isRailsRelation(receiver):
		return "RecordNotFound"
	case strings.HasPrefix(receiver, "params") && (name == "require" || name == "expect" || name == "fetch" && len(call.Args) == 1):
		return "ParameterMissing"
	case receiver == "":
		return p.railsDenied(call, name)
	}
	return ""
}

// railsDenied returns the class of the error of a library that asks whether the caller may; "" for other calls.
func (p *Project) railsDenied(call *code.Value, name string) string {
	switch {
	case name == "authorize" && call.Arg(0) != nil && p.includesPundit():
		return "NotAuthorizedError"
	case name == "authorize!" && call.Arg(1) != nil: // CanCanCan
		return "AccessDenied"
	}
	return ""
}

// railsFollows returns the method that a call without a receiver means if only one in the project has the name: a module that
// a controller includes calls those of the controller's other modules.
func railsFollows(p *Project, at Site, call *code.Value) []*resolve.Node {
	if n := p.railsNode(at.File.Path, call); n != nil && p.rubyNode(at.File.Path, call) == nil {
		return []*resolve.Node{n}
	}
	return nil
}

// railsNode is like rubyNode, and knows the methods of other modules of a controller.
func (p *Project) railsNode(file string, call *code.Value) *resolve.Node {
	if n := p.rubyNode(file, call); n != nil || strings.ContainsAny(call.Text, ".:") {
		return n
	}
	if list := p.functionsNamed(call.Text, "ruby"); len(list) == 1 {
		return list[0]
	}
	return nil
}

// includesPundit reports whether a class of the project includes Pundit.
func (p *Project) includesPundit() bool {
	return slices.ContainsFunc(p.Files, func(f *code.File) bool {
		return f.Language == "ruby" && slices.ContainsFunc(f.Symbols, func(s code.Symbol) bool {
			return slices.ContainsFunc(s.Bases, func(b string) bool { return strings.HasPrefix(b, "Pundit") })
		})
	})
}

// isRailsRelation reports whether what find is called on holds records: a model, or anything that is not a constant.
func (p *Project) isRailsRelation(receiver string) bool {
	if receiver == "" {
		return false
	}
	first := strings.TrimPrefix(receiver, "::")
	if first == "" || first[0] < 'A' || first[0] > 'Z' {
		return true
	}
	first, _, _ = strings.Cut(first, ".")
	return p.isRailsModel(Last(first), 0)
}

// isRailsModel reports whether a class of the project is stored by Active Record.
func (p *Project) isRailsModel(name string, depth int) bool {
	return depth <= maxSteps && slices.ContainsFunc(p.classes[name], func(c Class) bool {
		return slices.ContainsFunc(c.Symbol.Bases, func(b string) bool {
			return b == "ApplicationRecord" || b == "ActiveRecord::Base" || Last(b) != name && p.isRailsModel(Last(b), depth+1)
		})
	})
}

// railsCallOf returns the call that a statement consists of; nil for others.
func railsCallOf(s *code.Stmt) *code.Value {
	v := s.Value
	if s.Op != code.StmtCall && s.Op != code.StmtReturn || v == nil {
		return nil
	}
	if s.Op == code.StmtReturn && v.Kind == code.ValueOther && len(v.Args) == 1 {
		v = &v.Args[0]
	}
	if v.Kind != code.ValueCall {
		return nil
	}
	return v
}

// railsAnswers are the statuses of what answers a request.
var railsAnswers = map[string]int{
	"render": 200, "head": 0, "redirect_to": 302, "redirect_back": 302, "redirect_back_or_to": 302, "send_file": 200, "send_data": 200,
}

// railsAnswered reads render, head and redirect_to.
func railsAnswered(_ *Project, at Site) (Answer, bool) {
	v := railsCallOf(at.Stmt)
	if v == nil {
		return Answer{}, false
	}
	status, ok := railsAnswers[v.Text]
	if !ok {
		return Answer{}, false
	}
	parts := railsParts(at)
	if parts.Status != nil {
		status = railsStatus(parts.Status)
	}
	a := Answer{Status: status}
	if parts.Message != nil && status >= 400 {
		a.Message = railsMessage(parts.Message)
	}
	return a, status > 0
}

// railsStatus returns the status that a symbol or number stands for; 0 for other values.
func railsStatus(v *code.Value) int {
	if n := statusNumber(v.Text); n > 0 {
		return n
	}
	if v.Kind == code.ValueString {
		return StatusNamed(v.Text)
	}
	return 0
}

// railsParts returns what an answer is given as its status, and what as its body.
func railsParts(at Site) Parts {
	v := railsCallOf(at.Stmt)
	if v == nil {
		return Parts{}
	}
	out := Parts{Status: v.Named("status"), Message: v.Named("json", "plain", "text", "body", "html", "xml")}
	if v.Text == "head" {
		out.Status = v.Arg(0)
	}
	out.Message = messagePart(out.Message)
	return out
}

// railsMessage returns the text in the body of an answer, with "…" for what is computed.
func railsMessage(v *code.Value) string {
	if v.Kind != code.ValueString {
		return ""
	}
	text := v.Text
	for {
		before, rest, ok := strings.Cut(text, "#{")
		if !ok {
			return text
		}
		_, after, _ := strings.Cut(rest, "}")
		text = before + "…" + after
	}
}

// railsRaised reads the errors of Rails.
func railsRaised(_ *Project, at Site, _ *code.Value) (Answer, bool) {
	if at.Exit == nil {
		return Answer{}, false
	}
	status := railsErrors[Last(at.Exit.Error)]
	return Answer{Status: status}, status > 0
}

// railsSettle removes successes whose status is not known.
func railsSettle(_ *Project, e *Endpoint) {
	e.Success = slices.DeleteFunc(e.Success, func(a Answer) bool { return a.Status == 0 })
}
