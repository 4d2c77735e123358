package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// laravelChecks are what the middleware of Laravel and of its libraries refuses, by alias and by class.
var laravelChecks = []struct {
	names []string
	check
}{
	{[]string{"auth", "Authenticate", "jwt.auth", "jwt.verify", "client", "CheckClientCredentials"}, check{class: "AuthenticationException", status: 401, text: "Unauthenticated."}},
	{[]string{"auth.basic", "AuthenticateWithBasicAuth"}, check{status: 401, text: "Invalid credentials."}},
	{[]string{"verified", "EnsureEmailIsVerified"}, check{status: 403, text: "Your email address is not verified."}},
	{[]string{"throttle", "ThrottleRequests", "ThrottleRequestsWithRedis"}, check{class: "ThrottleRequestsException", status: 429, text: "Too Many Attempts."}},
	{[]string{"signed", "ValidateSignature"}, check{class: "InvalidSignatureException", status: 403, text: "Invalid signature."}},
	{[]string{"can", "Authorize"}, check{class: "AuthorizationException", status: 403, text: "This action is unauthorized."}},
	{[]string{"password.confirm", "RequirePassword"}, check{status: 423, text: "Password confirmation required."}},
	{[]string{"ability", "abilities", "CheckAbilities", "CheckForAnyAbility"}, check{class: "MissingAbilityException", status: 403, text: "Invalid ability provided."}},
	{[]string{"scope", "scopes", "CheckScopes", "CheckForAnyScope"}, check{class: "MissingScopeException", status: 403, text: "Invalid scope(s) provided."}},
	{[]string{"role", "RoleMiddleware", "role_or_permission"}, check{class: "UnauthorizedException", status: 403, text: "User does not have the right roles."}},
	{[]string{"permission", "PermissionMiddleware"}, check{class: "UnauthorizedException", status: 403, text: "User does not have the right permissions."}},
	{[]string{"VerifyCsrfToken", "ValidateCsrfToken", "PreventRequestForgery"}, check{class: "TokenMismatchException", status: 419, text: "CSRF token mismatch."}},
}

// laravelRedirects are those of them that send a caller who does not ask for JSON elsewhere.
var laravelRedirects = []string{"auth", "Authenticate", "verified", "EnsureEmailIsVerified", "password.confirm", "RequirePassword"}

// kernel reads the names and the groups of middleware: app/Http/Kernel.php, or withMiddleware(…) since Laravel 11.
func (x *laravelReader) kernel() {
	for _, b := range x.bindings["protected"] {
		if b.File.Language != "php" || !x.isPHP(b.In[:max(0, strings.IndexByte(b.In, '.'))], "HttpKernel", "Kernel") {
			continue
		}
		list := b.Value.Args
		if len(list) == 0 || len(list[len(list)-1].Args) == 0 {
			continue
		}
		array := &list[len(list)-1].Args[0]
		switch Last(b.In) {
		case "routeMiddleware", "middlewareAliases":
			x.alias(b.File.Path, array)
		case "middlewareGroups":
			for i := range array.Args {
				g := &array.Args[i]
				x.groups[g.Name] = laravelList(b.File.Path, g)
			}
		case "middleware":
			x.all = append(x.all, laravelList(b.File.Path, array)...)
		}
	}
	if len(x.groups) == 0 {
		x.groups["web"] = []Given{{"", &code.Value{Kind: code.ValueName, Text: "ValidateCsrfToken::class"}}}
		x.groups["api"] = nil
	}
	for c := range x.Calls("php") {
		if receiver, name := c.Of(); receiver == "$middleware" {
			x.configure(c, name)
		}
	}
}

func (x *laravelReader) alias(file string, array *code.Value) {
	for i := range array.Args {
		if a := &array.Args[i]; a.Name != "" {
			x.aliases[a.Name] = Given{file, a}
		}
	}
}

// configure reads a call on the middleware of bootstrap/app.php.
func (x *laravelReader) configure(c Call, name string) {
	file, v := c.File.Path, &c.Value
	switch name {
	case "alias":
		if v.Arg(0) != nil {
			x.alias(file, v.Arg(0))
		}
	case "api", "web":
		for _, place := range []string{"prepend", "append"} {
			if list := v.Named(place); list != nil {
				x.groups[name] = append(x.groups[name], laravelList(file, &code.Value{Args: []code.Value{*list}})...)
			}
		}
	case "appendToGroup", "prependToGroup", "group":
		if v.Arg(0) != nil && v.Arg(1) != nil {
			x.groups[v.Arg(0).Text] = append(x.groups[v.Arg(0).Text], laravelList(file, &code.Value{Args: []code.Value{*v.Arg(1)}})...)
		}
	case "append", "prepend", "use":
		x.all = append(x.all, laravelList(file, v)...)
	case "throttleApi":
		x.groups["api"] = append(x.groups["api"], laravelText(file, "throttle:api"))
	}
}

// steps adds the middleware of a route: of the application, of its groups, its own, and that of its controller.
func (x *laravelReader) steps(e *Endpoint, r *laravelRoute, class *Class, method *resolve.Node) {
	list := slices.Concat(x.all, r.middleware)
	if method != nil {
		list = append(list, x.ofController(class, method.Name)...)
	}
	m := laravelMiddleware{laravelReader: x, e: e, without: r.without, api: x.isAPI(r.path, list)}
	for _, g := range list {
		m.add(g, 0)
	}
}

// isAPI reports whether the callers of a route ask for JSON.
func (x *laravelReader) isAPI(path string, list []Given) bool {
	return strings.HasPrefix(path, "/api") || slices.ContainsFunc(list, func(g Given) bool {
		name := laravelName(g.Value)
		return name == "api" || strings.HasPrefix(name, "auth:api") || strings.HasPrefix(name, "auth:sanctum") || strings.HasPrefix(name, "jwt.")
	})
}

// laravelMiddleware collects the steps of a route.
type laravelMiddleware struct {
	*laravelReader
	e       *Endpoint
	without []string
	api     bool
}

// add adds the steps of a middleware: a group, an alias or a class, with arguments after a colon.
func (m *laravelMiddleware) add(g Given, depth int) {
	text := laravelName(g.Value)
	name, args, _ := strings.Cut(text, ":")
	if strings.Contains(g.Text, "::") { // Class::class
		name, args = text, ""
	}
	name = strings.TrimPrefix(name, "…")
	if name == "" && len(g.Args) > 0 { // Class::class.":arguments"
		name = laravelName(&g.Args[0])
	}
	if name == "" || depth > maxSteps || slices.Contains(m.without, text) || slices.Contains(m.without, name) {
		return
	}
	if list, ok := m.groups[name]; ok && g.Kind == code.ValueString {
		for _, inner := range list {
			m.add(inner, depth+1)
		}
		return
	}
	step := Step{Kind: Middleware, Name: text, At: Place{g.File, g.Line}}
	if g.Line == 0 {
		step.At = m.e.At
	}
	class, file := name, g.File
	if alias, ok := m.aliases[name]; ok {
		class, file = laravelName(alias.Value), alias.File
	}
	if c := m.laravelClass(file, class, ""); c != nil {
		if n := m.method(c, "handle"); n != nil {
			step.Node = n
			m.arguments(&step, n, args)
			m.e.Chain = append(m.e.Chain, step)
			return
		}
	}
	m.library(step, name, Last(class))
}

// arguments notes which of the parameters of a middleware are null, and which are given.
func (m *laravelMiddleware) arguments(step *Step, n *resolve.Node, args string) {
	s := m.Symbol(n)
	if s == nil {
		return
	}
	given := strings.FieldsFunc(args, func(c rune) bool { return c == ',' })
	for i, param := range s.Params[min(2, len(s.Params)):] { // after the request and what comes next
		null := []string{"$" + param.Name + " === null", "$" + param.Name + " == null", "$" + param.Name + " is null", "is_null($" + param.Name + ")"}
		if i < len(given) {
			step.False = append(step.False, null...)
		} else if strings.EqualFold(param.Default, "null") {
			step.False = append(step.False, "$"+param.Name)
		}
	}
}

// library adds the step of a middleware of a library.
func (m *laravelMiddleware) library(step Step, names ...string) {
	for _, c := range laravelChecks {
		if !slices.ContainsFunc(names, func(n string) bool { return slices.Contains(c.names, n) }) {
			continue
		}
		if !m.api && slices.ContainsFunc(c.names, func(n string) bool { return slices.Contains(laravelRedirects, n) }) || c.status == 419 && (m.e.Method == "GET" || m.api) {
			return
		}
		step.Refusals = []Refusal{{Answer: Answer{Status: c.status, Error: c.class, Message: c.text, At: step.At}}}
		m.e.Chain = append(m.e.Chain, step)
		return
	}
}

// ofController returns the middleware that a controller declares for one of its methods.
func (x *laravelReader) ofController(class *Class, method string) []Given {
	var out []Given
	if n := x.method(class, "__construct"); n != nil {
		for _, chain := range chains(x.File(n.File)) {
			links := laravelLinks(chain)
			if receiver, name := chain[0].Of(); receiver != "$this" || name != "middleware" || chain[0].In != n.Path() {
				continue
			}
			list := laravelList(n.File, &code.Value{Args: links[0].args.Args[:min(1, len(links[0].args.Args))]})
			if laravelApplies(laravelOptions(links[1:], links[0].args.Arg(1)), method) {
				out = append(out, list...)
			}
		}
	}
	if n := x.method(class, "middleware"); n != nil { // HasMiddleware
		out = append(out, x.declared(n, method)...)
	}
	return out
}

// declared returns the middleware that the method of a controller lists for another one of its methods.
func (x *laravelReader) declared(n *resolve.Node, method string) []Given {
	list := x.result(bodyStmts(x.Body(n)), nil)
	if list == nil {
		return nil
	}
	var out []Given
	for i := range list.Args {
		a := &list.Args[i]
		if a.Kind != code.ValueCall {
			out = append(out, Given{n.File, a})
			continue
		}
		options := map[string][]string{"only": railsTexts(a.Named("only")), "except": railsTexts(a.Named("except"))}
		if Last(a.Text) == "Middleware" && a.Arg(0) != nil && laravelApplies(options, method) {
			out = append(out, Given{n.File, a.Arg(0)})
		}
	}
	return out
}

// laravelApplies reports whether options allow a method.
func laravelApplies(options map[string][]string, method string) bool {
	return (len(options["only"]) == 0 || slices.Contains(options["only"], method)) && !slices.Contains(options["except"], method)
}
