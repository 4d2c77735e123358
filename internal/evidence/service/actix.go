package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// actix reads Actix Web: applications, scopes, resources and functions that configure them, handlers with attributes, middleware, and
// extractors that reject. As in Axum, errors are results, and each variant of an error that a handler names is a refusal.
var actix = Framework{
	Name: "Actix Web", Body: axumBody, Languages: []string{"rust"}, Imports: []string{"actix_web"},
	Events: actixEvents, Values: true,
}

// actixResponse is the type of answers.
const actixResponse = "HttpResponse"

// actixExtractors are the extractors of Actix Web.
var actixExtractors = map[string]extractor{
	"Json":  {[]int{400}, "JsonPayloadError"},
	"Form":  {[]int{415, 400}, "UrlencodedError"},
	"Query": {[]int{400}, "QueryPayloadError"},
	"Path":  {[]int{404}, "PathError"},
}

// actixReader reads the routes of a project.
type actixReader struct {
	*axumReader
	next map[*code.CallUse]*code.CallUse // the call on the result of a call
}

// actixScope is where routes are: below a path, behind layers, the outermost first.
type actixScope struct {
	path   string
	layers []Given
}

func actixEvents(p *Project) []Event {
	x := &actixReader{
		axumReader: &axumReader{Project: p, used: map[string]bool{}, errors: newAxumErrors(p, "error_response", "status_code"), extractors: actixExtractors, response: actixResponse},
		next:       map[*code.CallUse]*code.CallUse{},
	}
	for c := range p.Calls("rust") {
		if c.After > 0 {
			x.next[&c.File.Bodies.Calls[c.After-1]] = c.CallUse
		}
		if Last(c.Value.Text) == "error_handler" { // what an extractor rejects is answered by the project
			x.extractors = nil
		}
	}
	var routes []axumRoute
	for c := range p.Calls("rust") {
		routes = append(routes, x.read(c)...)
	}
	slices.SortStableFunc(routes, func(a, b axumRoute) int { // the calls of a chain are read from its end
		return cmp.Or(strings.Compare(a.at.File, b.at.File), a.at.Line-b.at.Line)
	})
	var out []Event
	for i := range routes {
		e := x.endpoint(&routes[i])
		out = append(out, Event{On: "actix", Root: true, Route: &e})
	}
	return out
}

// own returns the arguments of a call without the value that it is called on.
func (c Call) own() []code.Value {
	if c.After > 0 && len(c.Value.Args) > 0 {
		return c.Value.Args[1:]
	}
	return c.Value.Args
}

// read returns the routes that a call registers: web::get().to(handler), resource.get(handler), service(handler).
func (x *actixReader) read(c Call) []axumRoute {
	args := c.own()
	if len(args) == 0 {
		return nil
	}
	root, made := Call{c.File, c.root()}, ""
	if c.After > 0 {
		made = actixMade(root)
	}
	method, verb := axumVerbs[Last(c.Value.Text)]
	handler := Given{c.File.Path, &args[0]}
	switch name := Last(c.Value.Text); {
	case name == "service":
		return x.attributed(c, args)
	case made == "resource" && (name == "to" || verb):
		return x.placed(c, "", method, handler)
	case name == "to" && made != "":
		if r, ok := c.Around(); ok && Last(r.Value.Text) == "route" {
			path := ""
			if own := r.own(); len(own) > 1 {
				text, constant := x.Text(c.File.Path, &own[0])
				if !constant {
					return nil
				}
				path = text
			}
			return x.placed(r, path, x.method(c, made), handler)
		}
	}
	return nil
}

// actixMade returns what the first call of a chain makes: get for web::get(), scope, resource, App; "" for what is no part of routes.
func actixMade(root Call) string {
	receiver, name := root.Of()
	switch receiver = Last(receiver); {
	case name == "new" && receiver == "App":
		return receiver
	case receiver != "web" && (receiver != "" || !importsFrom(root.File, "actix_web::web", name)):
		return ""
	}
	if _, verb := axumVerbs[name]; verb || slices.Contains([]string{"route", "method", "scope", "resource"}, name) {
		return name
	}
	return ""
}

// importsFrom reports whether a file imports a name from a module.
func importsFrom(f *code.File, module, name string) bool {
	return slices.ContainsFunc(f.Imports, func(i code.Import) bool {
		return strings.ReplaceAll(i.Module, ".", "::") == module && slices.Contains(i.Named, name)
	})
}

// method returns the HTTP method of web::get().to(handler), web::method(Method::GET) and web::route().method(Method::GET).
func (x *actixReader) method(to Call, made string) string {
	if verb, ok := axumVerbs[made]; ok {
		return verb
	}
	for _, link := range to.chain() {
		if own := link.own(); Last(link.Value.Text) == "method" && len(own) > 0 {
			return strings.ToUpper(Last(strings.ReplaceAll(own[0].Text, "::", ".")))
		}
	}
	return ""
}

// attributed returns the routes of the handlers with attributes among the arguments of service: #[get("/path")].
func (x *actixReader) attributed(c Call, args []code.Value) []axumRoute {
	var out []axumRoute
	for i := range args {
		v := &args[i]
		if v.Kind == code.ValueOther { // a tuple
			out = append(out, x.attributed(c, v.Args)...)
			continue
		}
		s := x.Symbol(x.Node(c.File.Path, v))
		if v.Kind != code.ValueName || s == nil {
			continue
		}
		for _, d := range s.Decorators {
			path, methods := actixAttribute(d)
			for _, method := range methods {
				out = append(out, x.placed(c, path, method, Given{c.File.Path, v})...)
			}
		}
	}
	return out
}

// actixAttribute reads #[get("/path")] and #[route("/path", method = "GET")]; no methods for another attribute.
func actixAttribute(text string) (path string, methods []string) {
	name, args, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(text), "#["), "(")
	parts := strings.Split(args, `"`)
	if !ok || len(parts) < 3 {
		return "", nil
	}
	name = Last(strings.ReplaceAll(strings.TrimSpace(name), "::", "."))
	if method, verb := axumVerbs[name]; verb && method != "" {
		return parts[1], []string{method}
	}
	for i := 3; name == "route" && i < len(parts); i += 2 {
		if strings.Contains(parts[i-1], "method") {
			methods = append(methods, parts[i])
		}
	}
	return parts[1], methods
}

// placed returns a route in each scope of the call that registers it.
func (x *actixReader) placed(by Call, path, method string, handler Given) []axumRoute {
	var out []axumRoute
	for _, s := range x.scopes(by, 0) {
		out = append(out, axumRoute{method: method, path: actixJoin(s.path, path), handler: handler, layers: s.layers, at: Place{handler.File, handler.Line}})
	}
	return out
}

// actixJoin joins the path of a scope and one below it.
func actixJoin(prefix, path string) string {
	prefix = strings.TrimSuffix(prefix, "/")
	if path != "" && !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return cmp.Or(prefix+path, "/")
}

// scopes returns where what a call of a chain registers is served; none if that is not known.
func (x *actixReader) scopes(c Call, depth int) []actixScope {
	if depth > maxSteps {
		return nil
	}
	root := Call{c.File, c.root()}
	switch made := actixMade(root); made {
	case "App":
		return []actixScope{{layers: x.wraps(root)}}
	case "scope", "resource":
		path := ""
		if own := root.own(); len(own) > 0 {
			text, constant := x.Text(c.File.Path, &own[0])
			if !constant {
				return nil
			}
			path = text
		}
		return x.below(x.around(root, depth+1), path, x.wraps(root))
	}
	name, _, _ := strings.Cut(root.Value.Text, ".")
	for made := range root.AssignedTo(name) {
		if first := (Call{c.File, made.root()}); first.CallUse != root.CallUse {
			return x.scopes(first, depth+1)
		}
	}
	return x.configured(root, name, depth+1)
}

// below returns scopes within others.
func (x *actixReader) below(outer []actixScope, path string, layers []Given) []actixScope {
	for i := range outer {
		outer[i].path, outer[i].layers = actixJoin(outer[i].path, path), append(slices.Clone(outer[i].layers), layers...)
	}
	return outer
}

// wraps returns the middleware of a chain, the outermost, which is the last one, first.
func (x *actixReader) wraps(root Call) []Given {
	var out []Given
	for u := root.CallUse; u != nil; u = x.next[u] {
		link := Call{root.File, u}
		if own := link.own(); Last(u.Value.Text) == "wrap" && len(own) > 0 {
			out = append([]Given{{root.File.Path, &own[0]}}, out...)
		}
	}
	return out
}

// transform returns the step of middleware that is a type of the project: that of the service which it makes, by the service's method
// call; ok is false for another value.
func (x *axumReader) transform(v *code.Value, at Place) (step Step, ok bool) {
	name := Last(strings.ReplaceAll(v.Text, "::", "."))
	if v.Kind == code.ValueCall { // Auth::new(…), Auth::default(), Auth(…)
		if owner, _ := CutLast(v.Text); owner != "" {
			name = Last(owner)
		}
	}
	for _, m := range x.errors.methods[name+".new_transform"] {
		for _, u := range x.Links.Uses(m) {
			if u.To == nil {
				continue
			}
			for _, call := range x.errors.methods[u.To.Name+".call"] {
				return Step{Kind: Middleware, Name: name, Node: call, At: at, Refusals: x.refusedBy(call)}, true
			}
		}
	}
	return Step{}, false
}

// around returns the scopes that a scope or resource is registered in: by service(scope), of the value itself, of the variable that has
// it, and of the function that returns it.
func (x *actixReader) around(root Call, depth int) []actixScope {
	end := root.CallUse
	for x.next[end] != nil {
		end = x.next[end]
	}
	if by, ok := (Call{root.File, end}).Around(); ok {
		if Last(by.Value.Text) == "service" {
			return x.scopes(by, depth)
		}
		return nil
	}
	var out []actixScope
	n := x.functionOf(root)
	for c := range x.Calls("rust") {
		if Last(c.Value.Text) != "service" {
			continue
		}
		for _, a := range c.own() {
			base, layers := actixWrapped(c.File.Path, &a)
			same := c.File == root.File && c.In == root.In
			if base.Kind == code.ValueName && end.To != "" && base.Text == end.To && same || base.Kind == code.ValueCall && n != nil && x.Node(c.File.Path, base) == n {
				out = append(out, x.below(x.scopes(c, depth), "", layers)...)
			}
		}
	}
	return out
}

// actixWrapped returns what the middleware of a chain is around, and the middleware, the outermost first.
func actixWrapped(file string, v *code.Value) (base *code.Value, layers []Given) {
	for v.Kind == code.ValueCall && Last(v.Text) == "wrap" && len(v.Args) > 1 {
		layers = append(layers, Given{file, &v.Args[1]})
		v = &v.Args[0]
	}
	return v, layers
}

// functionOf returns the function that a call is in.
func (x *actixReader) functionOf(c Call) *resolve.Node {
	n := x.Links.Find(c.File.Path, c.In, c.Line)
	if n == nil || !IsFunction(n) {
		return nil
	}
	return n
}

// configured returns the scopes of a function that configures services, given by configure(function): those of what it is called on.
func (x *actixReader) configured(c Call, variable string, depth int) []actixScope {
	n := x.functionOf(c)
	s := x.Symbol(n)
	if s == nil || !slices.ContainsFunc(s.Params, func(p code.Param) bool {
		return strings.HasSuffix(p.Name, variable) && strings.Contains(p.Type, "ServiceConfig")
	}) {
		return nil
	}
	var out []actixScope
	for by := range x.Calls("rust") {
		if Last(by.Value.Text) != "configure" {
			continue
		}
		for _, a := range by.own() {
			if a.Kind == code.ValueName && x.Node(by.File.Path, &a) == n {
				out = append(out, x.scopes(by, depth)...)
			}
		}
	}
	return out
}

// actixStatus returns the status of a call that makes an answer or an error with one: HttpResponse::NotFound(), ErrorNotFound(…); 0 for
// others.
func actixStatus(text string) int {
	receiver, name := CutLast(strings.ReplaceAll(text, "::", "."))
	if Last(receiver) == actixResponse {
		return StatusNamed(name)
	}
	if status, ok := strings.CutPrefix(name, "Error"); ok {
		return StatusNamed(status)
	}
	return 0
}
