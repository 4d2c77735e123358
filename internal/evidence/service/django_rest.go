package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// restExceptions are the statuses of the exceptions of rest_framework.exceptions and of Django.
var restExceptions = map[string]int{
	"ValidationError": 400, "ParseError": 400, "AuthenticationFailed": 401, "NotAuthenticated": 401, "PermissionDenied": 403, "NotFound": 404,
	"Http404": 404, "MethodNotAllowed": 405, "NotAcceptable": 406, "UnsupportedMediaType": 415, "Throttled": 429, "APIException": 500,
	"SuspiciousOperation": 400,
}

// restAction is what REST framework does for an action of a view that does not define it.
type restAction struct {
	action, method string
	detail         bool // it is about one object, which is looked up
	valid          bool // it checks the body
	success        int
}

var restActions = []restAction{
	{"list", "GET", false, false, 200},
	{"create", "POST", false, true, 201},
	{"retrieve", "GET", true, false, 200},
	{"update", "PUT", true, true, 200},
	{"partial_update", "PATCH", true, true, 200},
	{"destroy", "DELETE", true, false, 204},
}

// obtainToken is the action of the views that give a token for credentials.
var obtainToken = restAction{"obtain", "POST", false, true, 200}

func actionsNamed(names ...string) []restAction {
	var out []restAction
	for _, a := range restActions {
		if slices.Contains(names, a.action) {
			out = append(out, a)
		}
	}
	return out
}

// restGeneric are the actions of the generic views.
var restGeneric = []struct {
	base    string
	actions []restAction
}{
	{"ListAPIView", actionsNamed("list")},
	{"CreateAPIView", actionsNamed("create")},
	{"RetrieveAPIView", actionsNamed("retrieve")},
	{"UpdateAPIView", actionsNamed("update", "partial_update")},
	{"DestroyAPIView", actionsNamed("destroy")},
	{"ListCreateAPIView", actionsNamed("list", "create")},
	{"RetrieveUpdateAPIView", actionsNamed("retrieve", "update", "partial_update")},
	{"RetrieveDestroyAPIView", actionsNamed("retrieve", "destroy")},
	{"ObtainAuthToken", []restAction{obtainToken}},
	{"TokenObtainPairView", []restAction{obtainToken}},
	{"RetrieveUpdateDestroyAPIView", actionsNamed("retrieve", "update", "partial_update", "destroy")},
}

// restMixins are the actions that the bases of a view set give it.
var restMixins = map[string][]string{
	"ListModelMixin": {"list"}, "CreateModelMixin": {"create"}, "RetrieveModelMixin": {"retrieve"}, "UpdateModelMixin": {"update", "partial_update"},
	"DestroyModelMixin": {"destroy"}, "ReadOnlyModelViewSet": {"list", "retrieve"},
	"ModelViewSet": {"list", "create", "retrieve", "update", "partial_update", "destroy"},
}

// restSettings returns the settings of REST framework.
func restSettings(p *Project) map[string]Given {
	out := map[string]Given{}
	for _, b := range p.bindings["REST_FRAMEWORK"] {
		for i := range b.Value.Args {
			out[b.Value.Args[i].Name] = Given{b.File.Path, &b.Value.Args[i]}
		}
	}
	return out
}

// register reads router.register(prefix, ViewSet).
func (d *djangoReader) register(c Call) {
	receiver, _ := c.Of()
	prefix, ok := d.Text(c.File.Path, c.Value.Arg(0))
	n := d.Node(c.File.Path, c.Value.Arg(1))
	if v := c.Value.Arg(0); v != nil && v.Kind == code.ValueString {
		prefix, ok = v.Text, true
	}
	if !ok || n == nil || receiver == "" {
		return
	}
	class := d.ofClass(n)
	if class == nil {
		return
	}
	on, slash := d.Object(c.File, c.In, receiver, c.Line), "/"
	for _, b := range d.bindings[Last(receiver)] {
		if v := b.Value.Named("trailing_slash"); v != nil && v.Text == "False" && objectOf(b.File.Path, "", b.Name) == on {
			slash = ""
		}
	}
	prefix = djangoPattern(prefix)
	for _, e := range d.viewSet(class, n) {
		e.Path = prefix + e.Path + slash
		if prefix == "" {
			e.Path = strings.TrimPrefix(e.Path, "/")
		}
		e.At = c.Place()
		d.out = append(d.out, Event{On: on, Route: &e})
	}
}

// viewSet returns the endpoints of a view set with paths below its prefix, without the slash at the end: those for the list
// first, then actions, then those for one object, as the router does.
func (d *djangoReader) viewSet(c *Class, n *resolve.Node) []Endpoint {
	one := "/<" + d.lookup(c) + ">"
	var list, details []Endpoint
	for _, a := range restActions {
		m, given := d.method(c, a.action), d.has(c, a.action)
		if m == nil && given {
			m = d.actionOf(c, a.action)
		}
		if m == nil && !given {
			continue
		}
		e := d.endpoint(c, n, a.method, a.action, m)
		if a.detail {
			e.Path = one
			details = append(details, e)
		} else {
			list = append(list, e)
		}
	}
	for i := range c.Symbol.Members {
		m := d.method(c, c.Symbol.Members[i].Name)
		if m == nil {
			continue
		}
		for _, dec := range d.decorators(m) {
			if name := Last(dec.name); dec.call != nil && (name == "action" || name == "detail_route" || name == "list_route") {
				list = append(list, d.action(c, n, m, dec, one)...)
			}
		}
	}
	return append(list, details...)
}

// action returns the endpoints of an extra action.
func (d *djangoReader) action(c *Class, n, m *resolve.Node, dec decorator, one string) []Endpoint {
	path := "/" + m.Name
	if v := dec.call.Named("url_path"); v != nil && v.Kind == code.ValueString {
		path = "/" + djangoPattern(v.Text)
	}
	if isTrue(dec.call.Named("detail")) || Last(dec.name) == "detail_route" {
		path = one + path
	}
	var out []Endpoint
	for _, method := range flaskMethods(dec.call.Named("methods"), "GET") {
		e := d.endpoint(c, n, method, "", m)
		if v := dec.call.Named("permission_classes"); v != nil {
			e.Chain = d.access(method, Given{m.File, v}, Given{})
		}
		e.Path = path
		out = append(out, e)
	}
	return out
}

// lookup returns the name of the parameter for one object.
func (d *djangoReader) lookup(c *Class) string {
	for _, name := range []string{"lookup_url_kwarg", "lookup_field"} {
		if v, ok := d.attribute(c, name); ok && v.Kind == code.ValueString {
			return v.Text
		}
	}
	return "pk"
}

// has reports whether a base of a library gives a view set an action.
func (d *djangoReader) has(c *Class, action string) bool {
	for base, actions := range restMixins {
		if slices.Contains(actions, action) && d.derived(c, base) {
			return d.allows(c, action)
		}
	}
	return false
}

// allows reports whether http_method_names of a class has the method of an action.
func (d *djangoReader) allows(c *Class, action string) bool {
	list, ok := d.attribute(c, "http_method_names")
	if !ok {
		return true
	}
	for _, a := range restActions {
		if a.action == action {
			return slices.ContainsFunc(list.names(), func(g Given) bool { return strings.EqualFold(g.Text, a.method) })
		}
	}
	return true
}

// endpoint returns the endpoint of a method of a view; action is what REST framework does if m is nil, "" for nothing.
func (d *djangoReader) endpoint(c *Class, n *resolve.Node, method, action string, m *resolve.Node) Endpoint {
	e := Endpoint{Method: method, Handler: Step{Kind: Handling, Name: n.Path(), At: Place{n.File, n.Line}}}
	if d.isREST(c) && action != "obtain" { // which is open to all
		permissions, _ := d.attribute(c, "permission_classes")
		authenticators, _ := d.attribute(c, "authentication_classes")
		e.Chain = d.access(method, permissions, authenticators)
	}
	for _, dec := range d.decorators(n) {
		e.Chain = append(e.Chain, d.step(n.File, dec)...)
	}
	if m != nil {
		e.Handler.Name, e.Handler.Node, e.Handler.At = m.Path(), m, Place{m.File, m.Line}
		for _, dec := range d.decorators(m) {
			e.Chain = append(e.Chain, d.step(m.File, dec)...)
		}
		return e
	}
	for _, a := range append(slices.Clone(restActions), obtainToken) {
		if a.action == action {
			d.standard(c, &e, a)
		}
	}
	return e
}

// standard adds what REST framework does for an action.
func (d *djangoReader) standard(c *Class, e *Endpoint, a restAction) {
	at := e.Handler.At
	e.Success = []Answer{{Status: a.success, At: at}}
	if own := d.method(c, "get_object"); a.detail && own != nil {
		e.Chain = append(e.Chain, Step{Kind: Dependency, Name: own.Path(), Node: own, At: Place{own.File, own.Line}})
	} else if a.detail {
		e.Handler.Refusals = append(e.Handler.Refusals, Refusal{Answer: Answer{Status: 404, Error: "Http404", At: at}})
		e.Handler.Refusals = append(e.Handler.Refusals, d.onObject(c)...)
	}
	if !a.valid {
		return
	}
	e.Handler.Refusals = append(e.Handler.Refusals, Refusal{Answer: Answer{Status: 400, Error: "ValidationError", At: at}})
	if schema, ok := d.attribute(c, "serializer_class"); ok {
		for _, m := range restValidators(d.Project, schema) {
			e.Chain = append(e.Chain, Step{Kind: Validation, Name: m.Path(), Node: m, At: Place{m.File, m.Line}})
		}
	}
	if own, ok := d.serializerOf(c); ok {
		described(d.Project, e, own.File, own.Value, "body", "")
	}
	for _, hook := range []string{"perform_create", "perform_update"} {
		if m := d.method(c, hook); m != nil && (hook == "perform_create") == (a.action == "create") {
			e.Handler.Node = m
		}
	}
}

// isREST reports whether a class is a view of REST framework.
func (d *djangoReader) isREST(c *Class) bool {
	for _, base := range []string{"APIView", "GenericAPIView", "ViewSet", "GenericViewSet", "ModelViewSet", "ReadOnlyModelViewSet"} {
		if d.derived(c, base) {
			return true
		}
	}
	return slices.ContainsFunc(restGeneric, func(g struct {
		base    string
		actions []restAction
	},
	) bool {
		return d.derived(c, g.base)
	})
}

// The texts of REST framework for callers that may not (rest_framework/exceptions.py).
const (
	notAuthenticated = "Authentication credentials were not provided."
	permissionDenied = "You do not have permission to perform this action."
)

// access returns the steps of REST framework before a view: authentication, then permissions. Without authentication
// classes or permissions of a view those of the settings hold.
func (d *djangoReader) access(method string, permissions, authenticators Given) []Step {
	if authenticators.Value == nil {
		authenticators = d.defaults["DEFAULT_AUTHENTICATION_CLASSES"]
	}
	if permissions.Value == nil {
		permissions = d.defaults["DEFAULT_PERMISSION_CLASSES"]
	}
	status := d.challenge(authenticators)
	var out []Step
	for _, g := range authenticators.names() {
		out = append(out, d.authenticator(g, status)...)
	}
	for _, g := range permissions.names() {
		out = append(out, d.permission(g, method, status)...)
	}
	return out
}

// named returns the class that a value names: a class, or a string with its dotted name.
func (d *djangoReader) named(g Given) *Class {
	if g.Kind == code.ValueString {
		return d.class(g.File, g.Text)
	}
	if n := d.Node(g.File, g.Value); n != nil && n.IsType() {
		return d.ofClass(n)
	}
	return nil
}

// challenge returns the status for callers without credentials: 401 if the first class of authentication asks for them,
// else 403.
func (d *djangoReader) challenge(g Given) int {
	list := g.names()
	if len(list) == 0 {
		return 403
	}
	switch class := d.named(list[0]); {
	case class == nil && Last(list[0].Text) == "SessionAuthentication":
		return 403
	case class == nil, d.method(class, "authenticate_header") != nil:
		return 401
	case d.derived(class, "BaseAuthentication") || d.derived(class, "SessionAuthentication"):
		return 403
	}
	return 401
}

// authenticator returns the step of a class of authentication.
func (d *djangoReader) authenticator(g Given, status int) []Step {
	step := Step{Kind: Dependency, Name: g.Text, At: Place{g.File, g.Line}, Fallback: status}
	if class := d.named(g); class != nil {
		step.Name = class.Path
		if m := d.method(class, "authenticate"); m != nil {
			step.Node = m
			return []Step{step}
		}
	}
	switch Last(g.Text) {
	case "TokenAuthentication", "JWTAuthentication", "JSONWebTokenAuthentication", "BasicAuthentication":
		step.Refusals = []Refusal{{Answer: Answer{Status: status, Error: "AuthenticationFailed", At: step.At}}}
	}
	return []Step{step}
}

// permission returns the step of a permission.
func (d *djangoReader) permission(g Given, method string, status int) []Step {
	step := Step{Kind: Dependency, Name: Last(g.Text), At: Place{g.File, g.Line}}
	refuse := func(status int, class, message string) {
		step.Refusals = append(step.Refusals, Refusal{Answer: Answer{Status: status, Error: class, Message: message, At: step.At}})
	}
	safe := method == "GET" || method == "HEAD" || method == "OPTIONS"
	class := d.named(g)
	switch {
	case class != nil:
		if d.ownPermission(class, &step); step.Node == nil {
			return nil // it is asked about objects alone
		}
	case step.Name == "IsAuthenticated", !safe && strings.HasSuffix(step.Name, "OrReadOnly"):
		refuse(status, "NotAuthenticated", notAuthenticated)
	case step.Name == "IsAdminUser", strings.HasPrefix(step.Name, "DjangoModelPermissions") && !safe:
		refuse(status, "NotAuthenticated", notAuthenticated)
		refuse(403, "PermissionDenied", permissionDenied)
	default:
		return nil
	}
	return []Step{step}
}

// ownPermission adds the refusals of a permission of the project.
func (d *djangoReader) ownPermission(class *Class, step *Step) {
	if m := d.method(class, "has_permission"); m != nil {
		step.Node = m
		step.Refusals = []Refusal{d.denied(class, step.At)}
	}
}

// denied is the refusal of a permission of the project.
func (d *djangoReader) denied(class *Class, at Place) Refusal {
	message := permissionDenied
	if v, ok := d.attribute(class, "message"); ok {
		if text, known := d.Text(v.File, v.Value); known {
			message = text
		}
	}
	return Refusal{Answer: Answer{Status: 403, Error: "PermissionDenied", Message: message, At: at}}
}

// onObject returns the refusals of the permissions on the object that a view looks up.
func (d *djangoReader) onObject(view *Class) []Refusal {
	permissions, ok := d.attribute(view, "permission_classes")
	if !ok {
		permissions = d.defaults["DEFAULT_PERMISSION_CLASSES"]
	}
	var out []Refusal
	for _, g := range permissions.names() {
		if class := d.named(g); class != nil {
			if m := d.method(class, "has_object_permission"); m != nil {
				out = append(out, d.denied(class, Place{m.File, m.Line}))
			}
		}
	}
	return out
}

// restValidators returns the methods of a serializer that refuse data.
func restValidators(p *Project, g Given) []*resolve.Node {
	n := p.Node(g.File, g.Value)
	if n == nil || !n.IsType() {
		return nil
	}
	class := p.ofClass(n)
	if class == nil {
		return nil
	}
	var out []*resolve.Node
	for _, m := range p.Links.Linked(class.File.Path) {
		if IsFunction(m) && m.Owner() == class.Path && (m.Name == "validate" || strings.HasPrefix(m.Name, "validate_") || m.Name == "to_internal_value") {
			out = append(out, m)
		}
	}
	return out
}

// djangoFollows returns the validators that serializer.is_valid(…) runs.
func djangoFollows(p *Project, at Site, call *code.Value) []*resolve.Node {
	receiver, name := CutLast(call.Text)
	body := p.Body(at.Function)
	if name != "is_valid" || body == nil || p.Node(at.File.Path, call) != nil {
		return nil
	}
	made := assignedCall(body, receiver, at.Stmt.Line)
	if made == nil {
		return nil
	}
	if name := Last(made.Text); name != "serializer_class" && name != "get_serializer" {
		return restValidators(p, Given{at.File.Path, made})
	}
	owner := at.Function.Owner()
	for i := range p.classes[Last(owner)] {
		c := &p.classes[Last(owner)][i]
		if schema, ok := p.attribute(c, "serializer_class"); ok && c.File.Path == at.Function.File && c.Path == owner {
			return restValidators(p, schema)
		}
	}
	return nil
}

// assignedCall returns the call whose result a variable has at a line; nil for none.
func assignedCall(body *code.Body, variable string, line int) *code.Value {
	var made *code.Value
	code.AllStmts(body.Stmts, func(s *code.Stmt) {
		if s.Op == code.StmtAssign && s.Text == variable && s.Line <= line && s.Value != nil && s.Value.Kind == code.ValueCall {
			made = s.Value
		}
	})
	return made
}
