package service

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// django reads Django and Django REST framework.
var django = Framework{
	Name: "Django", Languages: []string{"python"}, Imports: []string{"django", "rest_framework"},
	Events:    djangoEvents,
	Join:      func(prefix, path string) string { return prefix + path },
	Raised:    djangoRaised,
	Answered:  djangoAnswered,
	Called:    djangoCalled,
	Follows:   djangoFollows,
	Unhandled: 500,
	Finish:    djangoFinish,
}

// djangoReader reads the URL configurations of a project. Each is an object: a file, or a list in one.
type djangoReader struct {
	*Project
	defaults map[string]Given // the settings of REST framework
	out      []Event
}

// djangoPaths are the functions that register a route.
var djangoPaths = []string{"path", "re_path", "url"}

func djangoEvents(p *Project) []Event {
	d := &djangoReader{Project: p, defaults: restSettings(p)}
	root := d.root()
	for c := range p.Calls("python") {
		switch name := Last(c.Value.Text); {
		case slices.Contains(djangoPaths, name) && importsDjango(c.File):
			d.path(c)
		case name == "register" && c.Value.Arg(1) != nil:
			d.register(c)
		}
	}
	for i := range d.out {
		d.out[i].Root = d.out[i].On == root
	}
	return d.out
}

func importsDjango(f *code.File) bool {
	return importsModule(f, "django") || importsModule(f, "rest_framework")
}

// root returns the URL configuration that the setting ROOT_URLCONF names.
func (d *djangoReader) root() Object {
	for _, b := range d.bindings["ROOT_URLCONF"] {
		if b.Value.Kind == code.ValueString {
			if file := d.module(b.Value.Text); file != "" {
				return objectOf(file, "", "urlpatterns")
			}
		}
	}
	return ""
}

// module returns the file of a dotted module name; "" for none.
func (d *djangoReader) module(name string) string {
	base := strings.ReplaceAll(name, ".", "/")
	for _, f := range d.Files {
		for _, end := range []string{base + ".py", base + "/__init__.py"} {
			if f.Path == end || strings.HasSuffix(f.Path, "/"+end) {
				return f.Path
			}
		}
	}
	return ""
}

// path reads one path(pattern, view), also inside include([…]) of another.
func (d *djangoReader) path(c Call) {
	pattern, ok := d.Text(c.File.Path, c.Value.Arg(0))
	view := cmp.Or(c.Value.Arg(1), c.Value.Named("view"))
	if c.Value.Arg(0) != nil && c.Value.Arg(0).Kind == code.ValueString { // also an empty one
		pattern, ok = c.Value.Arg(0).Text, true
	}
	if !ok || view == nil {
		return
	}
	prefix := ""
	for outer, inside := c.Around(); inside; outer, inside = outer.Around() {
		if slices.Contains(djangoPaths, Last(outer.Value.Text)) && outer.Value.Arg(0) != nil {
			prefix = djangoPattern(outer.Value.Arg(0).Text) + prefix
		}
	}
	pattern = prefix + djangoPattern(pattern)
	on := objectOf(c.File.Path, "", cmp.Or(c.In, "urlpatterns"))
	if view.Kind == code.ValueCall && Last(view.Text) == "include" {
		if child := d.included(c, view.Arg(0)); child != "" {
			d.out = append(d.out, Event{On: on, Child: child, Prefix: pattern})
		}
		return
	}
	if strings.HasSuffix(view.Text, ".site.urls") {
		return
	}
	for _, e := range d.view(c, view) {
		e.Path, e.At = pattern, c.Place()
		if v := c.Value.Named("name"); v != nil {
			e.Name, _ = d.Text(c.File.Path, v)
		}
		d.out = append(d.out, Event{On: on, Route: &e})
	}
}

// namedGroup is a group of a regular expression, and optional marks regular expressions that end a path.
var (
	namedGroup = lazyregexp.New(`\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)`)
	plainGroup = lazyregexp.New(`\((?:[^()?]|\([^()]*\))*\)`)
)

// djangoPattern returns a pattern in the syntax of path(): "articles/<slug>".
func djangoPattern(text string) string {
	if !strings.ContainsAny(text, "^$(\\") {
		return text
	}
	text = namedGroup.ReplaceAllString(text, "<$1>")
	text = plainGroup.ReplaceAllString(text, "<>")
	text = strings.TrimSuffix(strings.TrimPrefix(text, "^"), "$")
	text = strings.TrimSuffix(text, "/?")
	return strings.ReplaceAll(strings.ReplaceAll(text, `\.`, "."), `\`, "")
}

// included returns the object that include(…) names: a module, a router, a list.
func (d *djangoReader) included(c Call, v *code.Value) Object {
	if v != nil && v.Kind == code.ValueOther && len(v.Args) > 0 { // (patterns, app_name)
		v = &v.Args[0]
	}
	switch {
	case v == nil:
		return ""
	case v.Kind == code.ValueString:
		return d.patternsOf(v.Text)
	case v.Kind != code.ValueName:
		return ""
	}
	if router, ok := strings.CutSuffix(v.Text, ".urls"); ok && len(d.bindings[Last(router)]) > 0 {
		return d.Object(c.File, "", router, v.Line)
	}
	if n := d.Node(c.File.Path, v); n != nil {
		return objectOf(n.File, "", cmp.Or(n.Path(), "urlpatterns")) // a list, or a module
	}
	for _, imported := range c.File.Imports { // import app.urls
		if imported.Module == v.Text || slices.Contains(imported.Named, Last(v.Text)) {
			if o := d.patternsOf(strings.TrimLeft(imported.Module+"."+strings.TrimPrefix(v.Text, imported.Module), ".")); o != "" {
				return o
			}
		}
	}
	return objectOf(c.File.Path, "", v.Text)
}

// patternsOf returns the patterns of a module; "" for none.
func (d *djangoReader) patternsOf(module string) Object {
	if file := d.module(module); file != "" {
		return objectOf(file, "", "urlpatterns")
	}
	return ""
}

// view returns the endpoints of a view: a function, or Class.as_view(…).
func (d *djangoReader) view(c Call, v *code.Value) []Endpoint {
	if v.Kind == code.ValueCall && Last(v.Text) != "as_view" && v.Arg(0) != nil { // a decorator called on a view
		var out []Endpoint
		for _, e := range d.view(c, v.Arg(0)) {
			e.Chain = append(d.step(c.File.Path, decorator{name: v.Text, line: v.Line}), e.Chain...)
			out = append(out, e)
		}
		return out
	}
	class, isClass := strings.CutSuffix(v.Text, ".as_view")
	n := d.NodeOf(c.File.Path, class, v.Line)
	if n == nil {
		return nil
	}
	if isClass {
		if class := d.ofClass(n); class != nil {
			return d.classView(class, n, v)
		}
		return nil
	}
	return d.function(n)
}

// function returns the endpoints of a view function: one for each method that a decorator allows.
func (d *djangoReader) function(n *resolve.Node) []Endpoint {
	e := Endpoint{Handler: Step{Kind: Handling, Name: n.Path(), Node: n, At: Place{n.File, n.Line}}}
	methods := []string{""}
	rest, permissions, authenticators := false, Given{}, Given{}
	for _, dec := range d.decorators(n) {
		switch name := Last(dec.name); name {
		case "api_view", "require_http_methods":
			rest = rest || name == "api_view"
			methods = []string{"GET"}
			if dec.call != nil && dec.call.Arg(0) != nil {
				methods = flaskMethods(dec.call.Arg(0), "")
			}
		case "require_POST":
			methods = []string{"POST"}
		case "require_GET", "require_safe":
			methods = []string{"GET"}
		case "permission_classes":
			permissions = Given{n.File, dec.call.Arg(0)}
		case "authentication_classes":
			authenticators = Given{n.File, dec.call.Arg(0)}
		default:
			e.Chain = append(e.Chain, d.step(n.File, dec)...)
		}
	}
	var out []Endpoint
	for _, method := range methods {
		one := e
		one.Method = method
		if rest {
			one.Chain = append(d.access(method, permissions, authenticators), one.Chain...)
		}
		out = append(out, one)
	}
	return out
}

// djangoDecorators are the decorators that keep callers out: a redirect to the login page has no refusal.
var djangoDecorators = map[string]int{"login_required": 302, "permission_required": 302, "user_passes_test": 302, "staff_member_required": 302}

// step returns the steps of a decorator.
func (d *djangoReader) step(file string, dec decorator) []Step {
	at := Place{file, dec.line}
	if n := d.Named(file, dec.line-40, dec.line, Last(dec.name)); n != nil && IsFunction(n) {
		var out []Step
		for _, w := range d.wrappers(n) {
			out = append(out, Step{Kind: Dependency, Name: n.Path(), Node: w, At: at})
		}
		return out
	}
	if djangoDecorators[Last(dec.name)] > 0 {
		return []Step{{Kind: Dependency, Name: dec.name, At: at}}
	}
	return nil
}

// djangoGeneric are the methods of Django's own views, with the status of a success, and whether an object is looked up.
var djangoGeneric = []struct {
	base    string
	methods []string
	success int
	lookup  bool
}{
	{"TemplateView", []string{"GET"}, 200, false},
	{"RedirectView", []string{"GET"}, 302, false},
	{"ListView", []string{"GET"}, 200, false},
	{"DetailView", []string{"GET"}, 200, true},
	{"FormView", []string{"GET", "POST"}, 200, false},
	{"CreateView", []string{"GET", "POST"}, 200, false},
	{"UpdateView", []string{"GET", "POST"}, 200, true},
	{"DeleteView", []string{"GET", "POST"}, 200, true},
	{"LoginView", []string{"GET", "POST"}, 200, false},
	{"LogoutView", []string{"POST"}, 302, false},
}

// class returns the endpoints of a class of views. As is the call of as_view: its arguments name the actions of a view set.
func (d *djangoReader) classView(c *Class, n *resolve.Node, as *code.Value) []Endpoint {
	var out []Endpoint
	seen := map[string]bool{}
	add := func(method, action string, m *resolve.Node) {
		if seen[method] {
			return
		}
		seen[method] = true
		out = append(out, d.endpoint(c, n, method, action, m))
	}
	if given := as.Arg(0); given != nil && given.Kind == code.ValueObject { // as_view({"get": "list"})
		for i := range given.Args {
			a := &given.Args[i]
			add(strings.ToUpper(a.Name), a.Text, d.method(c, a.Text))
		}
		return out
	}
	for _, verb := range []string{"get", "post", "put", "patch", "delete"} {
		if m := d.method(c, verb); m != nil {
			add(strings.ToUpper(verb), "", m)
		}
	}
	for _, g := range restGeneric {
		if !d.derived(c, g.base) {
			continue
		}
		for _, a := range g.actions {
			add(a.method, a.action, d.actionOf(c, a.action))
		}
	}
	for _, g := range djangoGeneric {
		if !d.derived(c, g.base) {
			continue
		}
		for _, method := range g.methods {
			if seen[method] {
				continue
			}
			add(method, "", nil)
			e := &out[len(out)-1]
			e.Success = []Answer{{Status: g.success, At: e.Handler.At}}
			if g.lookup {
				e.Handler.Refusals = append(e.Handler.Refusals, Refusal{Answer: Answer{Status: 404, Error: "Http404", At: e.Handler.At}})
			}
		}
	}
	return out
}

// actionOf returns the method of a class for an action; partial_update runs update.
func (d *djangoReader) actionOf(c *Class, action string) *resolve.Node {
	m := d.method(c, action)
	if m == nil && action == "partial_update" {
		m = d.method(c, "update")
	}
	return m
}

// derived reports whether a class is derived from one of a library, by name.
func (d *djangoReader) derived(c *Class, base string) bool { return d.derivedBelow(c, base, 0) }

func (d *djangoReader) derivedBelow(c *Class, base string, depth int) bool {
	if depth > maxSteps {
		return false
	}
	for _, b := range c.Symbol.Bases {
		name, _, _ := strings.Cut(b, "[")
		if Last(name) == base {
			return true
		}
		if up := d.class(c.File.Path, name); up != nil && up.Symbol != c.Symbol && d.derivedBelow(up, base, depth+1) {
			return true
		}
	}
	return false
}

// djangoFinish completes the path and the inputs of it, and adds those of a serializer.
func djangoFinish(p *Project, e *Endpoint) {
	e.Path = "/" + strings.TrimPrefix(path.Clean("/"+e.Path), "/") + strings.Repeat("/", min(1, len(e.Path)-len(strings.TrimSuffix(e.Path, "/"))))
	if e.Path == "//" {
		e.Path = "/"
	}
	for part := range strings.SplitSeq(e.Path, "<") {
		name, _, ok := strings.Cut(part, ">")
		if !ok || name == "" {
			continue
		}
		kind, rest, typed := strings.Cut(name, ":")
		if !typed {
			kind, rest = "", kind
		}
		e.Inputs = append(e.Inputs, Input{In: "path", Name: rest, Type: kind, Required: true, At: e.At})
	}
	serializerInputs(p, e)
}

// djangoCalled reads get_object_or_404(…), is_valid(raise_exception=True), get_object().
func djangoCalled(p *Project, at Site, call *code.Value) (Answer, bool) {
	if n := p.Node(at.File.Path, call); n != nil {
		return Answer{}, false
	}
	switch before, name := CutLast(call.Text); {
	case name == "get_object_or_404" || name == "get_list_or_404" || name == "aget_object_or_404":
		return Answer{Status: 404, Error: "Http404"}, true
	case name == "get_object" && before == "self":
		return Answer{Status: 404, Error: "Http404"}, true
	case name == "is_valid":
		if isTrue(call.Named("raise_exception")) {
			return Answer{Status: 400, Error: "ValidationError"}, true
		}
	}
	return Answer{}, false
}

// djangoRaised reads the exceptions of Django and of REST framework.
func djangoRaised(p *Project, at Site, made *code.Value) (Answer, bool) {
	name := Last(made.Text)
	if p.class(at.File.Path, name) != nil {
		for base, status := range inOrder(restExceptions) {
			if p.IsA(name, base) {
				a := p.ErrorAnswer(at.File.Path, made)
				a.Status = cmp.Or(a.Status, status)
				return a, true
			}
		}
		return Answer{}, false
	}
	status := restExceptions[name]
	if status == 0 {
		return Answer{}, false
	}
	if name == "AuthenticationFailed" || name == "NotAuthenticated" {
		status = 0 // as the step says: with or without WWW-Authenticate
	}
	a := Answer{Status: status}
	if made.Kind == code.ValueCall {
		v := cmp.Or(made.Named("detail"), made.Arg(0))
		a.Message, _ = p.Text(at.File.Path, v)
		if a.Message == "" && v != nil {
			a.Message = djangoText(p, at, v)
		}
	}
	return a, true
}

// djangoText returns the first text in a value, or that of the local variable that it names.
func djangoText(p *Project, at Site, v *code.Value) string {
	text := firstText(v)
	if body := p.Body(at.Function); text == "" && v.Kind == code.ValueName && body != nil {
		code.AllStmts(body.Stmts, func(s *code.Stmt) {
			if s.Op == code.StmtAssign && s.Text == v.Text && s.Line < at.Stmt.Line && s.Value != nil {
				text = firstText(s.Value)
			}
		})
	}
	return text
}

// firstText returns the first text in a value, also one that is translated: _("…"); "" for none.
func firstText(v *code.Value) string {
	text := ""
	v.All(func(part *code.Value) bool {
		if part.Kind == code.ValueString && text == "" {
			text = part.Text
		}
		return text == ""
	})
	return text
}

// djangoResponses are the statuses of Django's classes of responses.
var djangoResponses = map[string]int{
	"HttpResponseBadRequest": 400, "HttpResponseForbidden": 403, "HttpResponseNotFound": 404, "HttpResponseNotAllowed": 405,
	"HttpResponseGone": 410, "HttpResponseServerError": 500, "HttpResponseRedirect": 302, "HttpResponsePermanentRedirect": 301, "redirect": 302,
	"HttpResponseNotModified": 304,
}

// djangoAnswered reads what a view returns: the status of the response, else 200.
func djangoAnswered(p *Project, at Site) (Answer, bool) {
	v := at.Stmt.Value
	if at.Stmt.Op != code.StmtReturn || v == nil || v.Kind != code.ValueCall {
		return Answer{}, false
	}
	name := Last(v.Text)
	if status := djangoResponses[name]; status > 0 {
		return Answer{Status: status}, true
	}
	if strings.HasPrefix(v.Text, "super") {
		for _, g := range restActions {
			if g.action == name {
				return Answer{Status: g.success}, true
			}
		}
		return Answer{}, false
	}
	if !strings.HasSuffix(name, "Response") && name != "render" && name != "get_paginated_response" {
		return Answer{}, false
	}
	given := v.Named("status")
	if given == nil && name == "Response" {
		given = v.Arg(1)
	}
	if given == nil {
		return Answer{Status: 200}, true
	}
	a := Answer{Status: p.Status(at.File.Path, given)}
	if a.Status == 0 {
		return a, false
	}
	return flaskMessage(p, at.File.Path, v, a), true
}
