package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// laravelErrors are the statuses of exceptions that the application does not handle itself, by the last parts of their names.
var laravelErrors = map[string]int{
	"AuthenticationException": 401, "AuthorizationException": 403, "ModelNotFoundException": 404, "RecordsNotFoundException": 404,
	"MultipleRecordsFoundException": 404, "ValidationException": 422, "TokenMismatchException": 419, "ThrottleRequestsException": 429, "PostTooLargeException": 413,
	"NotFoundHttpException": 404, "AccessDeniedHttpException": 403, "BadRequestHttpException": 400, "UnauthorizedHttpException": 401,
	"ConflictHttpException": 409, "GoneHttpException": 410, "MethodNotAllowedHttpException": 405, "NotAcceptableHttpException": 406,
	"LengthRequiredHttpException": 411, "PreconditionFailedHttpException": 412, "PreconditionRequiredHttpException": 428, "LockedHttpException": 423,
	"UnsupportedMediaTypeHttpException": 415, "UnprocessableEntityHttpException": 422, "TooManyRequestsHttpException": 429,
	"ServiceUnavailableHttpException": 503, "UnauthorizedException": 403, "MissingAbilityException": 403, "MissingScopeException": 403,
	"InvalidSignatureException": 403, "SuspiciousOperationException": 404,
}

// laravelCalls are the calls that may throw, by their last names.
var laravelCalls = map[string]check{
	"findOrFail": {class: "ModelNotFoundException", status: 404}, "firstOrFail": {class: "ModelNotFoundException", status: 404},
	"sole":             {class: "ModelNotFoundException", status: 404},
	"authorize":        {class: "AuthorizationException", status: 403, text: "This action is unauthorized."},
	"authorizeForUser": {class: "AuthorizationException", status: 403, text: "This action is unauthorized."},
}

// laravelCalled reads abort(404), Model::findOrFail(…), $this->authorize(…), $request->validate([…]).
func laravelCalled(p *Project, at Site, call *code.Value) (Answer, bool) {
	receiver, name := CutLast(call.Text)
	if n := p.Node(at.File.Path, call); n != nil && IsFunction(n) {
		return Answer{}, false
	}
	switch name {
	case "abort", "abort_if", "abort_unless":
		return laravelAbort(p, at, call, receiver, name)
	case "authorize", "authorizeForUser":
		if receiver != "$this" && receiver != "Gate" {
			return Answer{}, false
		}
	case "validate", "validateWithBag":
		if laravelValidates(call) != nil || receiver != "" && len(call.Args) <= 1 && strings.Contains(strings.ToLower(receiver), "valid") {
			return Answer{Status: 422, Error: "ValidationException"}, true
		}
		return Answer{}, false
	}
	if check, ok := laravelCalls[name]; ok && receiver != "" {
		return Answer{Status: check.status, Error: check.class, Message: check.text}, true
	}
	return Answer{}, false
}

// laravelAbort reads abort(status, message) and abort_if(condition, status, message).
func laravelAbort(p *Project, at Site, call *code.Value, receiver, name string) (Answer, bool) {
	first := 0
	if name != "abort" {
		first = 1
	}
	given := call.Arg(first)
	if given == nil || receiver != "" {
		return Answer{}, false
	}
	if given.Kind == code.ValueCall && Last(given.Text) == "json" { // abort(response()->json(…))
		return Answer{Status: laravelStatus(p, at.File.Path, given, 200), Error: "HttpResponseException"}, true
	}
	a := Answer{Status: p.Status(at.File.Path, given), Error: "HttpException"}
	if a.Status == 404 {
		a.Error = "NotFoundHttpException"
	}
	if text := call.Arg(first + 1); text != nil {
		a.Message, _ = p.Text(at.File.Path, text)
	}
	return a, a.Status > 0
}

// laravelRaised reads the exceptions of Laravel and Symfony.
func laravelRaised(p *Project, at Site, made *code.Value) (Answer, bool) {
	if at.Exit == nil {
		return Answer{}, false
	}
	name := Last(at.Exit.Error)
	if name == "withMessages" {
		return Answer{Status: 422}, true
	}
	if name == "HttpResponseException" {
		if v := made.Arg(0); v != nil {
			return Answer{Status: laravelStatus(p, at.File.Path, v, 200), Message: laravelBody(v)}, true
		}
	}
	if name == "HttpException" {
		a := Answer{Status: p.Status(at.File.Path, made.Arg(0))}
		a.Message, _ = p.Text(at.File.Path, made.Arg(1))
		return a, a.Status > 0
	}
	for base, status := range inOrder(laravelErrors) {
		if name == base || p.isPHP(name, base) {
			return Answer{Status: status}, true
		}
	}
	if p.isPHP(name, "HttpException") {
		return p.ErrorAnswer(at.File.Path, made), true
	}
	return laravelRendered(p, name)
}

// laravelRendered returns the answer that an exception of the project renders itself.
func laravelRendered(p *Project, name string) (Answer, bool) {
	for i := range p.classes[name] {
		c := &p.classes[name][i]
		n := p.method(c, "render")
		if n == nil {
			continue
		}
		status := 0
		code.AllStmts(bodyStmts(p.Body(n)), func(s *code.Stmt) {
			if s.Op == code.StmtReturn && s.Value != nil && status == 0 {
				status = laravelStatus(p, n.File, s.Value, 200)
			}
		})
		return Answer{Status: status}, status > 0
	}
	return Answer{}, false
}

// laravelAnswered reads what a controller or middleware returns.
func laravelAnswered(p *Project, at Site) (Answer, bool) {
	v := at.Stmt.Value
	nested := at.Use != at.Body.Use && !strings.HasSuffix(at.Use.Of, "transaction")
	if at.Stmt.Op != code.StmtReturn || v == nil || nested {
		return Answer{}, false
	}
	status := laravelStatus(p, at.File.Path, v, 0)
	if status == 0 && (isCreated(v) || v.Kind == code.ValueName && createdBefore(at, v.Text)) {
		status = 201
	}
	a := Answer{Status: status}
	if status >= 400 {
		a.Message = laravelBody(v)
	}
	return a, status > 0
}

// laravelStatus returns the status of the response that a value makes; otherwise if it is no response.
func laravelStatus(p *Project, file string, v *code.Value, otherwise int) int {
	if v == nil || v.Kind != code.ValueCall {
		return otherwise
	}
	switch name := Last(v.Text); name {
	case "setStatusCode", "setStatus":
		return p.Status(file, laravelArg(v, 0))
	case "noContent":
		return laravelGiven(p, file, laravelArg(v, 0), 204)
	case "json", "jsonp", "make", "response", "JsonResponse", "Response":
		if isResponse(v, name) {
			return laravelGiven(p, file, laravelParam(v, "status", 1), 200)
		}
	case "header", "withHeaders", "cookie", "withCookie", "additional", "withException":
		if len(v.Args) > 0 {
			return laravelStatus(p, file, &v.Args[0], otherwise)
		}
	default:
		if strings.HasSuffix(name, "Resource") && isCreated(v.Arg(0)) {
			return 201
		}
	}
	for _, l := range laravelLocations {
		if strings.HasPrefix(v.Text, l.start) && (len(l.names) == 0 || slices.Contains(l.names, Last(v.Text))) {
			return l.status
		}
	}
	return otherwise
}

// laravelLocations are responses by what their expression begins with, and by the last call.
var laravelLocations = []struct {
	start  string
	names  []string
	status int
}{
	{"redirect", nil, 302},
	{"Redirect", nil, 302},
	{"back", nil, 302},
	{"to_route", nil, 302},
	{"view", []string{"view"}, 200},
	{"response", []string{"download", "file", "stream", "streamDownload", "view"}, 200},
	{"Storage", []string{"download", "response"}, 200},
}

// isResponse reports whether a call makes a response: response()->json(…), response(…), new JsonResponse(…), Response::json(…).
func isResponse(v *code.Value, name string) bool {
	receiver, _ := CutLast(v.Text)
	switch name {
	case "JsonResponse", "Response":
		return true
	case "response":
		return receiver == "" && len(v.Args) > 0
	}
	return strings.HasPrefix(v.Text, "response(") || receiver == "Response" || receiver == "response" || receiver == "ResponseFacade"
}

// laravelArg returns a positional argument of a call; the call before it in a chain does not count.
func laravelArg(v *code.Value, at int) *code.Value {
	if strings.Contains(v.Text, "(") {
		at++
	}
	return v.Arg(at)
}

// laravelParam is like laravelArg for an argument that may be named.
func laravelParam(v *code.Value, name string, at int) *code.Value {
	if named := v.Named(name); named != nil {
		return named
	}
	return laravelArg(v, at)
}

// laravelGiven returns the status that a value is, or a default without one; 0 if it is not constant.
func laravelGiven(p *Project, file string, v *code.Value, otherwise int) int {
	if v == nil {
		return otherwise
	}
	return p.Status(file, v)
}

// isCreated reports whether a value is a new row: Model::create(…).
func isCreated(v *code.Value) bool {
	return v != nil && v.Kind == code.ValueCall && (Last(v.Text) == "create" || Last(v.Text) == "forceCreate") && strings.ContainsAny(v.Text, ".>:")
}

// createdBefore reports whether a variable of a function has a new row at a statement.
func createdBefore(at Site, variable string) bool {
	made := assignedCall(at.Body, variable, at.Stmt.Line)
	return isCreated(made)
}

// laravelParts returns the values of a response: its status, and what its body says.
func laravelParts(at Site) Parts {
	v := at.Stmt.Value
	if at.Stmt.Op != code.StmtReturn || v == nil || v.Kind != code.ValueCall {
		return Parts{}
	}
	name := Last(v.Text)
	if name == "setStatusCode" {
		return Parts{Status: laravelArg(v, 0)}
	}
	if !slices.Contains([]string{"json", "make", "response", "JsonResponse", "Response"}, name) || !isResponse(v, name) {
		return Parts{}
	}
	return Parts{Status: laravelParam(v, "status", 1), Message: messagePart(laravelArg(v, 0))}
}

// laravelBody returns the text in the body of a response.
func laravelBody(v *code.Value) string {
	if v == nil || v.Kind != code.ValueCall {
		return ""
	}
	if Last(v.Text) == "setStatusCode" && len(v.Args) > 0 {
		return laravelBody(&v.Args[0])
	}
	if part := messagePart(laravelArg(v, 0)); part != nil && part.Kind == code.ValueString {
		return part.Text
	}
	return ""
}

// laravelHandlers returns what the application answers for exceptions: $exceptions->render(function (X $e) …) and renderable(…),
// and what the method render of its handler does for an instance of a class.
func laravelHandlers(p *Project) []Handler {
	var out []Handler
	for c := range p.Calls("php") {
		receiver, name := c.Of()
		v := c.Value.Arg(0)
		if v == nil || v.Kind != code.ValueFunction || name != "renderable" && (name != "render" || receiver != "$exceptions") {
			continue
		}
		body := literalBody(c.File, v)
		if params := p.closureParams(c.File.Path, v.Line); body != nil && len(params) > 0 {
			out = append(out, Handler{Class: Last(params[0].Type), Body: body, File: c.File.Path})
		}
	}
	for i := range p.classes["Handler"] {
		c := &p.classes["Handler"][i]
		if c.File.Language == "php" && p.isPHP("Handler", "ExceptionHandler", "Handler") {
			out = append(out, laravelRenders(p, c)...)
		}
	}
	return out
}

// laravelRenders reads the answers that a handler gives to the instances of a class.
func laravelRenders(p *Project, c *Class) []Handler {
	var out []Handler
	n := p.method(c, "render")
	if n == nil || p.Body(n) == nil {
		return nil
	}
	body := p.Body(n)
	for _, place := range p.bodies.Statements(c.File.Bodies.Functions, body, func(s *code.Stmt) bool { return s.Op == code.StmtReturn }) {
		status := laravelStatus(p, n.File, place.Stmt.Value, 0)
		for _, term := range place.When {
			text := term.String()
			if _, class, ok := strings.Cut(text, " instanceof "); ok && status > 0 && !strings.HasPrefix(text, "not ") && !strings.HasPrefix(text, "!") {
				out = append(out, Handler{Class: Last(strings.Trim(class, "() ")), Answer: Answer{Status: status}})
			}
		}
	}
	return out
}
