package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// railsApp is the application: a project has one set of routes.
const railsApp = Object("rails application")

// railsRoute is one line of the routes.
type railsRoute struct {
	method, path       string
	controller, action string       // "api/v1/articles", "index"; no controller for other targets
	made               bool         // by resources, not named itself
	json               bool         // the format is JSON unless a request says otherwise
	moved              bool         // a redirect
	gem                *deviseRoute // made by Devise; nil for others
	login              string       // the scope of Devise that must be signed in; "" for none
	at                 Place
}

// railsRoutes reads config/routes.rb and what it draws (https://guides.rubyonrails.org/routing.html).
type railsRoutes struct {
	*Project
	api      bool // config.api_only: without forms
	concerns map[string]Call
	out      []railsRoute
	depth    int
}

// railsScope is what holds for the routes inside a block.
type railsScope struct {
	path       string // of the routes in the block
	module     string // before the names of controllers, with a slash at the end
	controller string // of actions that are named alone
	json       bool
	login      string
	shallow    string // the path of members of shallow resources; only if isShallow
	isShallow  bool
	of         *railsResource // the innermost resources around; nil for none
	here       bool           // inside member, collection or new: the name of a path is that of the action
}

// railsResource is one resource of resources or resource.
type railsResource struct {
	collection, member, nested string // paths
	controller                 string
}

// isRailsRoutes reports whether a file is read as routes by itself.
func isRailsRoutes(f *code.File) bool {
	return f.Language == "ruby" && (f.Path == "config/routes.rb" || strings.HasSuffix(f.Path, "/config/routes.rb"))
}

// railsRoutesOf returns the routes of a project in the order in which they are tried.
func railsRoutesOf(p *Project) []railsRoute {
	x := &railsRoutes{Project: p, concerns: map[string]Call{}}
	for _, b := range p.bindings["config.api_only"] {
		x.api = x.api || b.Value.Text == "true"
	}
	for _, f := range p.Files {
		if isRailsRoutes(f) {
			for c := range x.inside(f, 0) {
				if _, name := c.Of(); name == "draw" {
					x.block(c, railsScope{})
				}
			}
		}
	}
	return x.out
}

// inside yields the calls in the block or the arguments of another one, by its number.
func (x *railsRoutes) inside(f *code.File, within int) func(yield func(c Call) bool) {
	return func(yield func(c Call) bool) {
		for i := range f.Bodies.Calls {
			if c := &f.Bodies.Calls[i]; c.Within == within && !yield(Call{f, c}) {
				return
			}
		}
	}
}

// block reads the block of a call.
func (x *railsRoutes) block(around Call, s railsScope) {
	for i := range around.File.Bodies.Calls {
		if &around.File.Bodies.Calls[i] == around.CallUse {
			x.list(around.File, i+1, s)
		}
	}
}

// list reads the calls in the block of a call with a number.
func (x *railsRoutes) list(f *code.File, within int, s railsScope) {
	if x.depth++; x.depth <= maxDepth {
		for c := range x.inside(f, within) {
			x.call(c, s)
		}
	}
	x.depth--
}

// railsVerbs are the calls that register a route.
var railsVerbs = map[string]string{"get": "GET", "post": "POST", "put": "PUT", "patch": "PATCH", "delete": "DELETE", "options": "OPTIONS"}

// call reads one call of the routes' language.
func (x *railsRoutes) call(c Call, s railsScope) {
	receiver, name := c.Of()
	if receiver != "" && name != "each" && name != "with_options" && name != "draw" {
		return
	}
	s.json = s.json || railsJSON(c.Value.Named("defaults")) || name == "defaults" && railsJSON(&c.Value)
	if method := railsVerbs[name]; method != "" {
		x.verbs(c, s, []string{method})
		return
	}
	if !x.register(c, s, name) {
		x.around(c, s, name)
	}
}

// register reads a call that registers routes itself; it reports whether the call is one.
func (x *railsRoutes) register(c Call, s railsScope, name string) bool {
	switch name {
	case "resources", "resource":
		x.resources(c, s, name == "resource")
	case "root", "match":
		x.other(c, s, name)
	case "draw":
		x.draw(railsText(c.Value.Arg(0)), s)
	case "devise_for":
		x.devise(c, s)
	case "mount_devise_token_auth_for":
		x.tokenAuth(c, s)
	case "concern":
		x.concerns[railsText(c.Value.Arg(0))] = c
	case "concerns":
		for i := range c.Value.Args {
			x.concern(&c.Value.Args[i], s)
		}
	default:
		return false
	}
	return true
}

// around reads a call whose block has routes.
func (x *railsRoutes) around(c Call, s railsScope, name string) {
	switch name {
	case "namespace":
		x.namespace(c, s)
		return
	case "scope":
		x.scope(c, s)
		return
	case "controller":
		s.controller = railsText(c.Value.Arg(0))
	case "member", "collection", "new", "nested":
		if s.of != nil {
			s.path, s.here = map[string]string{"member": s.of.member, "collection": s.of.collection, "new": s.of.collection + "/new", "nested": s.of.nested}[name], name != "nested"
		}
	case "shallow":
		s.isShallow = true
	case "authenticate":
		s.login = railsText(c.Value.Arg(0))
	case "defaults", "constraints", "authenticated", "unauthenticated", "devise_scope", "as", "with_options", "format":
	default:
		return
	}
	x.block(c, s)
}

// railsJSON reports whether options have format: :json.
func railsJSON(v *code.Value) bool { return railsText(v.Named("format")) == "json" }

// railsText returns the text of a string, a symbol or a word of a list of words; "" for other values.
func railsText(v *code.Value) string {
	if v == nil || v.Kind != code.ValueString && v.Kind != code.ValueName || strings.Contains(v.Text, "#{") {
		return ""
	}
	return v.Text
}

// railsGiven returns the text of an option; otherwise if the option is not given.
func railsGiven(v *code.Value, option, otherwise string) string {
	if given := v.Named(option); given != nil {
		return railsText(given)
	}
	return otherwise
}

// railsTexts returns the texts of a list, or that of a single value.
func railsTexts(v *code.Value) []string {
	if v == nil {
		return nil
	}
	if text := railsText(v); text != "" {
		return []string{text}
	}
	var out []string
	for i := range v.Args {
		if text := railsText(&v.Args[i]); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// draw reads the file that draw(:name) names.
func (x *railsRoutes) draw(name string, s railsScope) {
	if name == "" {
		return
	}
	for _, f := range x.Files {
		if end := "config/routes/" + name + ".rb"; f.Path == end || strings.HasSuffix(f.Path, "/"+end) {
			x.list(f, 0, s)
		}
	}
}

// concern reads the block of a concern, or of a list of them.
func (x *railsRoutes) concern(v *code.Value, s railsScope) {
	for _, name := range railsTexts(v) {
		if c, ok := x.concerns[name]; ok {
			x.block(c, s)
		}
	}
}

// namespace reads namespace :name, which is a path and a module.
func (x *railsRoutes) namespace(c Call, s railsScope) {
	name := railsText(c.Value.Arg(0))
	x.within(c, s, railsGiven(&c.Value, "path", name), railsGiven(&c.Value, "module", name))
}

// scope reads scope path, module: name, controller: name.
func (x *railsRoutes) scope(c Call, s railsScope) {
	var parts []string
	for i := range c.Value.Args {
		if a := &c.Value.Args[i]; a.Name == "" {
			parts = append(parts, railsTexts(a)...)
		}
	}
	if v := c.Value.Named("path"); v != nil {
		parts = append(parts, railsText(v))
	}
	if v := c.Value.Named("controller"); v != nil {
		s.controller = railsText(v)
	}
	x.within(c, s, strings.Join(parts, "/"), railsText(c.Value.Named("module")))
}

// within reads a block below a path and a module.
func (x *railsRoutes) within(c Call, s railsScope, at, module string) {
	if s.of != nil && !s.here {
		s.path = s.of.nested
	}
	s.path, s.of, s.here = railsJoin(s.path, at), nil, false
	s.shallow = railsJoin(s.shallow, at)
	if module = strings.Trim(module, "/"); module != "" {
		s.module += module + "/"
	}
	x.block(c, s)
}

// railsJoin joins paths; an empty one adds nothing.
func railsJoin(prefix, at string) string {
	if at = strings.Trim(at, "/"); at == "" {
		return prefix
	}
	if strings.HasPrefix(at, "(") { // "(:locale)", "(/:locale)": an optional part
		at = "(/" + strings.TrimLeft(at, "(/")
		return prefix + at
	}
	return strings.TrimSuffix(prefix, "/") + "/" + at
}

// railsAction is one of the actions of resources.
type railsAction struct {
	name, method string
	on           byte // 'c' for the collection, 'n' for new, 'm' for a member, 'e' for the form of a member
}

// railsActions are in the order in which they are registered.
var railsActions = []railsAction{
	{"index", "GET", 'c'},
	{"create", "POST", 'c'},
	{"new", "GET", 'n'},
	{"edit", "GET", 'e'},
	{"show", "GET", 'm'},
	{"update", "PATCH", 'm'},
	{"update", "PUT", 'm'},
	{"destroy", "DELETE", 'm'},
}

// resources reads resources :name, …, and resource :name if it is single.
func (x *railsRoutes) resources(c Call, s railsScope, single bool) {
	if s.of != nil && !s.here {
		s.path = s.of.nested
	}
	s.here = false
	for i := range c.Value.Args {
		if a := &c.Value.Args[i]; a.Name == "" && railsText(a) != "" {
			x.resource(c, s, strings.Trim(railsText(a), "/"), single)
		}
	}
}

// resource reads one resource. The routes of its block are tried before its own.
func (x *railsRoutes) resource(c Call, s railsScope, name string, single bool) {
	v := &c.Value
	at := railsGiven(v, "path", name)
	r := &railsResource{collection: railsJoin(s.path, at), controller: name}
	base := name[strings.LastIndexByte(name, '/')+1:]
	if single {
		r.controller, r.member, r.nested = railsPlural(name), r.collection, r.collection
	} else {
		param := "id"
		if given := railsText(v.Named("param")); given != "" {
			param = given
		}
		s.isShallow = s.isShallow || railsText(v.Named("shallow")) == "true"
		root := r.collection
		if s.isShallow && s.of != nil {
			root = railsJoin(s.shallow, at)
		}
		r.member, r.nested = root+"/:"+param, root+"/:"+railsSingular(base)+"_"+param
	}
	if given := railsText(v.Named("controller")); given != "" {
		r.controller = given
	}
	if strings.HasPrefix(r.controller, "/") {
		r.controller, s.module = r.controller[1:], ""
	}
	if given := strings.Trim(railsText(v.Named("module")), "/"); given != "" {
		s.module += given + "/"
	}
	inner := s
	inner.of, inner.controller, inner.path = r, r.controller, r.nested
	if !s.isShallow || s.of == nil {
		inner.shallow = s.path
	}
	x.block(c, inner)
	x.concern(v.Named("concerns"), inner)
	for _, a := range railsActions {
		if x.has(v, a, single) {
			x.add(c, inner, railsRoute{method: a.method, path: r.of(a, v.Named("path_names")), controller: s.module + r.controller, action: a.name, made: true})
		}
	}
}

// of returns the path of an action.
func (r *railsResource) of(a railsAction, names *code.Value) string {
	word := a.name
	if given := railsText(names.Named(a.name)); given != "" {
		word = given
	}
	switch a.on {
	case 'c':
		return r.collection
	case 'n':
		return r.collection + "/" + word
	case 'e':
		return r.member + "/" + word
	}
	return r.member
}

// has reports whether a resource has an action, by only and except.
func (x *railsRoutes) has(v *code.Value, a railsAction, single bool) bool {
	if single && a.name == "index" {
		return false
	}
	if only := v.Named("only"); only != nil {
		return slices.Contains(railsTexts(only), a.name)
	}
	if x.api && (a.on == 'n' || a.on == 'e') {
		return false
	}
	return !slices.Contains(railsTexts(v.Named("except")), a.name)
}

// add adds a route of a scope.
func (x *railsRoutes) add(c Call, s railsScope, r railsRoute) {
	r.json, r.login, r.at = r.json || s.json, s.login, c.Place()
	if r.path = strings.TrimSuffix(r.path, "(.:format)"); r.path == "" {
		r.path = "/"
	}
	x.out = append(x.out, r)
}

// other reads root and match.
func (x *railsRoutes) other(c Call, s railsScope, name string) {
	if name == "match" {
		var methods []string
		for _, via := range railsTexts(c.Value.Named("via")) {
			if via == "all" {
				via = ""
			}
			methods = append(methods, strings.ToUpper(via))
		}
		x.verbs(c, s, methods)
		return
	}
	target := c.Value.Named("to")
	if target == nil {
		target = c.Value.Arg(0)
	}
	r := railsRoute{method: "GET", path: s.path}
	if x.target(&r, s, target, &c.Value) {
		x.add(c, s, r)
	}
}

// railsOptions are the names of arguments that are no paths.
var railsOptions = []string{
	"to", "as", "via", "on", "controller", "action", "constraints", "defaults", "format", "path", "module", "anchor", "only", "except", "param", "id",
	"shallow", "concerns", "path_names", "trailing_slash", "internal", "host", "subdomain", "protocol",
}

// verbs reads get "path", to: "controller#action" and its other forms.
func (x *railsRoutes) verbs(c Call, s railsScope, methods []string) {
	v := &c.Value
	switch on := railsText(v.Named("on")); {
	case s.of == nil:
	case on == "member":
		s.path, s.here = s.of.member, true
	case on == "collection":
		s.path, s.here = s.of.collection, true
	case on == "new":
		s.path, s.here = s.of.collection+"/new", true
	}
	for i := range v.Args {
		at, target := railsPath(v, &v.Args[i])
		if target == nil {
			continue
		}
		r := railsRoute{path: railsJoin(s.path, railsGiven(v, "path", at))}
		if s.here && slices.ContainsFunc(railsActions, func(action railsAction) bool { return action.name == at && action.on != 'e' }) {
			r.path = s.path
		}
		if !x.target(&r, s, target, v) {
			continue
		}
		for _, r.method = range methods {
			x.add(c, s, r)
		}
	}
}

// railsPath returns the path and the target of a route by one of the call's arguments; no target for other arguments.
func railsPath(call, a *code.Value) (at string, target *code.Value) {
	at, target = railsText(a), call.Named("to")
	if a.Name != "" { // "path" => "controller#action"
		if slices.Contains(railsOptions, a.Name) {
			return "", nil
		}
		at, target = a.Name, a
	} else if at == "" && a.Text != "" {
		return "", nil
	}
	if target == nil || strings.HasPrefix(target.Text, "[REDACTED_") { // "users/password" => "users#password" looks like a secret
		target = &code.Value{Kind: code.ValueString, Text: strings.Trim(at, "/")}
	}
	return at, target
}

// target sets what answers a route: "controller#action", :action, controller/action, redirect(…). It reports whether that is
// known.
func (x *railsRoutes) target(r *railsRoute, s railsScope, v, options *code.Value) bool {
	if v != nil && (v.Kind == code.ValueFunction || v.Kind == code.ValueCall) { // a redirect, or an application of Rack
		r.moved, r.action = Last(v.Text) == "redirect", v.Text
		return true
	}
	controller, action := railsTarget(strings.TrimSuffix(railsText(v), "(.:format)"), s, options)
	if controller == "" || action == "" || strings.ContainsAny(action, ":*/(") {
		return false
	}
	if !strings.HasPrefix(controller, "/") {
		controller = s.module + controller
	}
	r.controller, r.action = strings.TrimPrefix(controller, "/"), strings.ReplaceAll(action, "-", "_")
	return true
}

// railsTarget returns the controller and the action that a target names, with those that options and the scope give.
func railsTarget(text string, s railsScope, options *code.Value) (controller, action string) {
	controller, action, both := strings.Cut(text, "#")
	switch {
	case both:
	case options.Named("to") == nil && strings.Contains(text, "/") && s.controller == "":
		i := strings.LastIndexByte(text, '/')
		controller, action = text[:i], text[i+1:]
	default:
		controller, action = s.controller, text
	}
	if given := railsText(options.Named("controller")); given != "" {
		controller = given
	}
	if given := railsText(options.Named("action")); given != "" {
		action = given
	}
	return cmp.Or(controller, s.controller), action
}
