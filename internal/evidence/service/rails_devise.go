package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// deviseRoute is a route of Devise.
type deviseRoute struct {
	module             string // of the model that it needs
	controller, action string
	method, path       string // path in terms of the names in path_names
	status             int    // of JSON requests
	failures           []deviseFailure
	hook               string // the method that answers a success
}

// deviseFailure is a refusal, and the method that answers it.
type deviseFailure struct {
	status        int
	message, hook string
}

// deviseRoutes are those that devise_for makes (https://www.rubydoc.info/github/heartcombo/devise/ActionDispatch/Routing/Mapper).
// A session that is not begun has 401, a record that is not valid 422.
var deviseRoutes = []deviseRoute{
	{"database_authenticatable", "sessions", "new", "GET", "/{sign_in}", 200, nil, ""},
	{"database_authenticatable", "sessions", "create", "POST", "/{sign_in}", 201, []deviseFailure{{401, "Invalid Email or password.", ""}}, ""},
	{"database_authenticatable", "sessions", "destroy", "DELETE", "/{sign_out}", 204, nil, ""},
	{"recoverable", "passwords", "new", "GET", "/{password}/new", 200, nil, ""},
	{"recoverable", "passwords", "edit", "GET", "/{password}/edit", 200, nil, ""},
	{"recoverable", "passwords", "update", "PATCH", "/{password}", 204, []deviseFailure{{422, "", ""}}, ""},
	{"recoverable", "passwords", "update", "PUT", "/{password}", 204, []deviseFailure{{422, "", ""}}, ""},
	{"recoverable", "passwords", "create", "POST", "/{password}", 201, []deviseFailure{{422, "", ""}}, ""},
	{"registerable", "registrations", "cancel", "GET", "/{registration}/cancel", 302, nil, ""},
	{"registerable", "registrations", "new", "GET", "/{registration}/{sign_up}", 200, nil, ""},
	{"registerable", "registrations", "edit", "GET", "/{registration}/{edit}", 200, nil, ""},
	{"registerable", "registrations", "update", "PATCH", "/{registration}", 204, []deviseFailure{{422, "", ""}}, ""},
	{"registerable", "registrations", "update", "PUT", "/{registration}", 204, []deviseFailure{{422, "", ""}}, ""},
	{"registerable", "registrations", "destroy", "DELETE", "/{registration}", 204, nil, ""},
	{"registerable", "registrations", "create", "POST", "/{registration}", 201, []deviseFailure{{422, "", ""}}, ""},
	{"confirmable", "confirmations", "new", "GET", "/{confirmation}/new", 200, nil, ""},
	{"confirmable", "confirmations", "show", "GET", "/{confirmation}", 200, []deviseFailure{{422, "", ""}}, ""},
	{"confirmable", "confirmations", "create", "POST", "/{confirmation}", 201, []deviseFailure{{422, "", ""}}, ""},
	{"lockable", "unlocks", "new", "GET", "/{unlock}/new", 200, nil, ""},
	{"lockable", "unlocks", "show", "GET", "/{unlock}", 200, []deviseFailure{{422, "", ""}}, ""},
	{"lockable", "unlocks", "create", "POST", "/{unlock}", 201, []deviseFailure{{422, "", ""}}, ""},
}

// tokenAuthRoutes are those of Devise Token Auth (https://devise-token-auth.gitbook.io), which has the forms of Devise, too.
var tokenAuthRoutes = []deviseRoute{
	{"", "sessions", "new", "GET", "/sign_in", 0, []deviseFailure{{405, "Use POST /sign_in to sign in. GET is not supported.", "render_new_error"}}, ""},
	{"", "sessions", "create", "POST", "/sign_in", 200, []deviseFailure{{401, "Invalid login credentials. Please try again.", "render_create_error_bad_credentials"}}, "render_create_success"},
	{"", "sessions", "destroy", "DELETE", "/sign_out", 200, []deviseFailure{{404, "User was not found or was not logged in.", "render_destroy_error"}}, "render_destroy_success"},
	{"", "passwords", "edit", "GET", "/password/edit", 302, []deviseFailure{{404, "", "render_edit_error"}}, ""},
	{"", "passwords", "update", "PATCH", "/password", 200, []deviseFailure{{401, "", "render_update_error_unauthorized"}, {422, "", "render_update_error"}}, "render_update_success"},
	{"", "passwords", "update", "PUT", "/password", 200, []deviseFailure{{401, "", "render_update_error_unauthorized"}, {422, "", "render_update_error"}}, "render_update_success"},
	{"", "passwords", "create", "POST", "/password", 200, []deviseFailure{{401, "", "render_create_error_missing_email"}, {404, "", "render_not_found_error"}}, "render_create_success"},
	{"", "registrations", "update", "PATCH", "", 200, []deviseFailure{{404, "User not found.", "render_update_error_user_not_found"}, {422, "", "render_update_error"}}, "render_update_success"},
	{"", "registrations", "update", "PUT", "", 200, []deviseFailure{{404, "User not found.", "render_update_error_user_not_found"}, {422, "", "render_update_error"}}, "render_update_success"},
	{"", "registrations", "destroy", "DELETE", "", 200, []deviseFailure{{404, "Unable to locate account for destruction.", "render_destroy_error"}}, "render_destroy_success"},
	{"", "registrations", "create", "POST", "", 200, []deviseFailure{{422, "", "render_create_error"}}, "render_create_success"},
	{"", "token_validations", "validate_token", "GET", "/validate_token", 200, []deviseFailure{{401, "Invalid login credentials", "render_validate_token_error"}}, "render_validate_token_success"},
}

// tokenAuth reads mount_devise_token_auth_for 'User', at: 'auth'.
func (x *railsRoutes) tokenAuth(c Call, s railsScope) {
	at := railsText(c.Value.Named("at"))
	if at == "" {
		at = "auth"
	}
	for i := range tokenAuthRoutes {
		d := &tokenAuthRoutes[i]
		if slices.Contains(railsTexts(c.Value.Named("skip")), d.controller) {
			continue
		}
		controller := deviseController(&c.Value, "devise_token_auth", d.controller)
		x.add(c, s, railsRoute{method: d.method, path: railsJoin(railsJoin(s.path, at), d.path), controller: controller, action: d.action, gem: d, json: true})
	}
}

// devise reads devise_for :users.
func (x *railsRoutes) devise(c Call, s railsScope) {
	v := &c.Value
	if second := v.Arg(1); second != nil && railsText(v.Arg(0)) != "" && second.Kind != code.ValueString { // options of another library
		return
	}
	skipped, only := railsTexts(v.Named("skip")), railsTexts(v.Named("only"))
	for i := range v.Args {
		name := railsText(&v.Args[i])
		if v.Args[i].Name != "" || name == "" {
			continue
		}
		at := railsGiven(v, "path", name)
		modules := x.deviseModules(name, railsText(v.Named("class_name")))
		for _, d := range deviseRoutes {
			if !slices.Contains(modules, d.module) || slices.Contains(skipped, d.controller) || slices.Contains(skipped, "all") || only != nil && !slices.Contains(only, d.controller) {
				continue
			}
			controller := deviseController(v, cmp.Or(railsText(v.Named("module")), "devise"), d.controller)
			path := railsJoin(railsJoin(s.path, at), devisePath(d.path, v.Named("path_names")))
			x.add(c, s, railsRoute{method: d.method, path: path, controller: controller, action: d.action, gem: &d})
		}
	}
}

// deviseController returns the controller that replaces one of a library, or that one.
func deviseController(options *code.Value, module, name string) string {
	return cmp.Or(railsText(options.Named("controllers").Named(name)), module+"/"+name)
}

// deviseModules returns the modules that a model of Devise has.
func (x *railsRoutes) deviseModules(scope, class string) []string {
	if class == "" {
		class = railsSingular(scope)
	}
	for _, c := range x.called("devise") {
		if railsName(Last(c.In)) == railsName(Last(class)) {
			return railsTexts(&c.Value)
		}
	}
	return nil
}

// devisePath replaces the names in a path by those that path_names gives.
func devisePath(path string, names *code.Value) string {
	var out []string
	for part := range strings.SplitSeq(path, "/") {
		name := strings.Trim(part, "{}")
		if given := names.Named(name); name != part && given != nil {
			part = railsText(given)
		} else if name == "registration" {
			part = ""
		} else {
			part = name
		}
		if part != "" {
			out = append(out, part)
		}
	}
	return strings.Join(out, "/")
}

// deviseLogin is the step of Devise that refuses callers who are not signed in: a redirect to its form, or 401 for JSON.
func (x *railsReader) deviseLogin(c *railsController, r *railsRoute, name string, at Place) []Step {
	if !c.isAPI(r) {
		return nil
	}
	message := "You need to sign in or sign up before continuing."
	return []Step{{Kind: Dependency, Name: name, At: at, Refusals: []Refusal{{Answer: Answer{Status: 401, Message: message, At: at}}}}}
}

// ofLibrary completes an endpoint whose action a library has.
func (x *railsReader) ofLibrary(e *Endpoint, r *railsRoute, c *railsController) {
	if r.gem == nil || !c.isAPI(r) {
		return
	}
	at := r.at
	status := r.gem.status
	if x.hasTemplate(&railsRoute{controller: "devise/" + r.gem.controller, action: r.gem.action}) || x.hasTemplate(r) {
		status = 200
	}
	if m := x.methodOf(c, r.gem.hook); m != nil {
		e.Handler.Node = m
	} else if status > 0 {
		e.Success = []Answer{{Status: status, At: at}}
	}
	if needed := r.gem.module == "registerable" && slices.Contains([]string{"edit", "update", "destroy"}, r.gem.action); needed {
		e.Chain = append(e.Chain, x.deviseLogin(c, r, "authenticate_scope!", at)...)
	}
	for _, f := range r.gem.failures {
		if m := x.methodOf(c, f.hook); m != nil {
			e.Chain = append(e.Chain, Step{Kind: Handling, Name: m.Path(), Node: m, At: Place{m.File, m.Line}})
		} else {
			e.Handler.Refusals = append(e.Handler.Refusals, Refusal{Answer: Answer{Status: f.status, Message: f.message, At: at}})
		}
	}
}
