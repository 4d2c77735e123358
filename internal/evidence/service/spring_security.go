package service

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// springSecurity is what Spring Security asks of requests: the rules of the filter chains, by path, and whether annotations of
// methods count.
type springSecurity struct {
	*Project
	chains  []securityChain
	ignored []securityMatcher // paths that pass no chain
	methods bool              // annotations of methods count
	prefix  string            // of all controllers
}

// securityChain is one configuration of HttpSecurity.
type securityChain struct {
	order int
	only  []securityMatcher // the requests that it is for; none for all
	rules []securityRule
	csrf  bool // requests that change something need a token of a form
	// The statuses for requests without and with too little authority.
	entry, denied int
	at            Place
	// What is configured: credentials in a header, a page for them, rules by path.
	bearer, login, secured bool
}

// securityRule is requestMatchers(…).hasRole(…).
type securityRule struct {
	matchers []securityMatcher // none for any request
	access   string
	role     string
	at       Place
}

// securityMatcher is a pattern of paths, of requests with a method; "" for any.
type securityMatcher struct{ method, pattern string }

// accessMethods are the methods that say what the requests of a matcher need, also those of the DSL for Kotlin.
var accessMethods = []string{
	"permitAll", "authenticated", "fullyAuthenticated", "hasRole", "hasAnyRole", "hasAuthority", "hasAnyAuthority", "hasAllRoles", "hasAllAuthorities", "denyAll",
	"anonymous", "access", "hasIpAddress", "rememberMe", "hasScope",
}

// matcherMethods are the methods that select requests by their paths.
var matcherMethods = []string{"requestMatchers", "antMatchers", "mvcMatchers", "pathMatchers"}

// readSpringSecurity reads the configurations of a project, once.
func readSpringSecurity(p *Project) *springSecurity {
	if p.springSecurity != nil {
		return p.springSecurity
	}
	s := &springSecurity{Project: p}
	p.springSecurity = s
	for c := range p.Calls(jvmLanguages...) {
		switch Last(c.Value.Text) {
		case "EnableMethodSecurity", "EnableGlobalMethodSecurity", "EnableReactiveMethodSecurity":
			s.methods = s.methods || c.Mark
		case "addPathPrefix":
			if text, ok := p.springText(c.File.Path, lastWithout(&c.Value)); ok {
				s.prefix = text
			}
		}
	}
	for _, f := range p.Files {
		if !slices.Contains(jvmLanguages, f.Language) || !importsSecurity(f) {
			continue
		}
		for _, n := range p.Links.Linked(f.Path) {
			if IsFunction(n) && s.configures(n) && s.active(n) {
				s.read(f, n)
			}
		}
	}
	slices.SortStableFunc(s.chains, func(a, b securityChain) int { return cmp.Compare(a.order, b.order) })
	return s
}

// importsSecurity reports whether a file uses Spring Security.
func importsSecurity(f *code.File) bool {
	return slices.ContainsFunc(f.Imports, func(i code.Import) bool { return strings.HasPrefix(i.Module, "org.springframework.security") })
}

// lastWithout returns the first argument that is not the call before it in a chain.
func lastWithout(call *code.Value) *code.Value {
	at := 0
	if before, _ := CutLast(call.Text); strings.Contains(before, "(") {
		at = 1
	}
	return call.Arg(at)
}

// configures reports whether a function is given the builder of a filter chain, or of what chains ignore.
func (s *springSecurity) configures(n *resolve.Node) bool {
	symbol := s.symbolOf(n)
	if symbol == nil {
		return false
	}
	if symbol.Returns == "WebSecurityCustomizer" {
		return true
	}
	return slices.ContainsFunc(symbol.Params, func(param code.Param) bool {
		switch Last(param.Type) {
		case "HttpSecurity", "ServerHttpSecurity", "WebSecurity":
			return true
		}
		return false
	})
}

// active reports whether a configuration is used with the default settings.
func (s *springSecurity) active(n *resolve.Node) bool {
	marks := s.marksOn(n)
	if class := s.Links.Find(n.File, n.Owner(), n.Line); class != nil {
		marks = append(marks, s.marksOn(class)...)
	}
	if profile, ok := marking(marks, "Profile"); ok {
		names := s.springTexts(profile.File.Path, profile.Value.Arg(0))
		if len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return name == "default" || strings.HasPrefix(name, "!") }) {
			return false
		}
	}
	on, ok := marking(marks, "ConditionalOnProperty")
	if !ok {
		return true
	}
	name := on.Value.Named("name", "value")
	if name == nil {
		name = on.Value.Arg(0)
	}
	names := s.springTexts(n.File, name)
	if len(names) != 1 {
		return true
	}
	prefix, _ := s.springText(n.File, on.Value.Named("prefix"))
	value := s.setting(n.File, strings.TrimPrefix(prefix+"."+names[0], "."))
	if value == "" {
		missing := on.Value.Named("matchIfMissing")
		return missing != nil && missing.Text == "true"
	}
	having, _ := s.springText(n.File, on.Value.Named("havingValue"))
	return having == value || having == "" && value != "false"
}

// read reads a function that configures a filter chain.
func (s *springSecurity) read(f *code.File, n *resolve.Node) {
	c := securityChain{order: s.orderOf(f, n), csrf: true, denied: 403, at: Place{n.File, n.Line}}
	for _, list := range chains(f) {
		if first := list[0]; first.Mark || first.Line < n.StartLine || first.Line > n.EndLine {
			continue
		}
		s.rules(f, list, &c)
		for _, call := range list {
			s.configure(f, call, &c)
		}
	}
	switch {
	case c.entry != 0:
	case c.bearer:
		c.entry = 401
	case c.login:
		c.entry = 302
	default:
		c.entry = 403
	}
	c.csrf = c.csrf && !c.bearer
	if c.secured || len(c.rules) > 0 || len(c.only) > 0 {
		s.chains = append(s.chains, c)
	}
}

// orderOf returns the order of a filter chain, by the function that configures it or its class.
func (s *springSecurity) orderOf(f *code.File, n *resolve.Node) int {
	marks := s.marksOn(n)
	if class := s.Links.Find(n.File, n.Owner(), n.Line); class != nil {
		marks = append(marks, s.marksOn(class)...)
	}
	if mark, ok := marking(marks, "Order"); ok {
		return s.number(f.Path, mark.Value.Arg(0), lastOrder)
	}
	return lastOrder
}

// lastOrder is the order of a filter chain that is given none.
const lastOrder = 1 << 30

// configure reads a call that sets how a filter chain knows and refuses callers.
func (s *springSecurity) configure(f *code.File, call Call, c *securityChain) {
	switch Last(call.Value.Text) {
	case "csrf":
		c.csrf = false
	case "httpBasic", "oauth2ResourceServer":
		c.bearer = c.bearer || !disables(call)
	case "formLogin", "oauth2Login":
		c.login = c.login || !disables(call)
	case "authenticationEntryPoint":
		c.entry = s.answerOf(f, lastWithout(&call.Value), "commence", c.entry)
	case "accessDeniedHandler":
		c.denied = cmp.Or(s.answerOf(f, lastWithout(&call.Value), "handle", 0), c.denied)
	case "authorizeHttpRequests", "authorizeRequests", "authorizeExchange":
		c.secured = true
	}
}

// disables reports whether a part of the configuration is turned off: httpBasic().disable(), httpBasic(X::disable).
func disables(c Call) bool {
	found := false
	c.Value.All(func(v *code.Value) bool {
		found = found || v.Kind == code.ValueName && strings.HasSuffix(v.Text, "::disable")
		return !found
	})
	for i := range c.File.Bodies.Calls {
		o := &c.File.Bodies.Calls[i]
		if Last(o.Value.Text) == "disable" && (o.After > 0 && &c.File.Bodies.Calls[o.After-1] == c.CallUse || o.Within > 0 && &c.File.Bodies.Calls[o.Within-1] == c.CallUse) {
			return true
		}
	}
	return found
}

func (s *springSecurity) number(file string, v *code.Value, otherwise int) int {
	if c := s.Constant(file, v); c != nil {
		if n, err := strconv.Atoi(c.Text); err == nil {
			return n
		}
	}
	return otherwise
}

// rules reads the rules in a chain of calls.
func (s *springSecurity) rules(f *code.File, list []Call, c *securityChain) {
	var matchers []securityMatcher
	open, ignoring := false, false
	onHTTP := strings.HasPrefix(list[0].Value.Text, "http")
	for _, call := range list {
		_, name := call.Of()
		switch {
		case name == "ignoring":
			ignoring = true
		case name == "authorize" && isAuthorization(call): // Kotlin
			s.authorized(f, call, c)
		case slices.Contains(matcherMethods, name) && ignoring:
			s.ignored = append(s.ignored, s.matchers(f, &call.Value)...)
		case strings.HasPrefix(name, "securityMatcher") || name == "antMatcher" && onHTTP:
			c.only = append(c.only, s.matchers(f, &call.Value)...)
		case slices.Contains(matcherMethods, name):
			matchers = s.matchers(f, &call.Value)
			open = len(matchers) > 0
		case name == "anyRequest" || name == "anyExchange":
			matchers, open = nil, true
		case slices.Contains(accessMethods, name) && open:
			role, _ := s.springText(f.Path, lastWithout(&call.Value))
			c.rules = append(c.rules, securityRule{matchers, name, role, call.Place()})
			open = false
		}
	}
}

// isAuthorization reports whether a call is in the block of the DSL for Kotlin with the rules by path.
func isAuthorization(call Call) bool {
	around, ok := call.Around()
	return ok && strings.HasPrefix(Last(around.Value.Text), "authorize")
}

// authorized reads authorize("/path", permitAll) of the DSL for Kotlin.
func (s *springSecurity) authorized(f *code.File, call Call, c *securityChain) {
	args := call.Value.Args
	if len(args) == 0 {
		return
	}
	rule := securityRule{at: call.Place()}
	last := &args[len(args)-1]
	rule.access = Last(last.Text)
	if last.Kind == code.ValueCall && len(last.Args) > 0 {
		rule.role, _ = s.springText(f.Path, &last.Args[0])
	}
	if !slices.Contains(accessMethods, rule.access) {
		return
	}
	if args[0].Text != "anyRequest" {
		if rule.matchers = s.matchers(f, &code.Value{Kind: code.ValueCall, Text: "authorize", Args: args[:len(args)-1]}); len(rule.matchers) == 0 {
			return
		}
	}
	c.rules = append(c.rules, rule)
}

// matchers reads the arguments of requestMatchers: a method, patterns, lists of patterns, and other matchers.
func (s *springSecurity) matchers(f *code.File, call *code.Value) []securityMatcher {
	args := call.Args
	if before, _ := CutLast(call.Text); strings.Contains(before, "(") && len(args) > 0 {
		args = args[1:]
	}
	method := ""
	var out []securityMatcher
	for i := range args {
		a := &args[i]
		if before, name := CutLast(a.Text); a.Kind == code.ValueName && (Last(before) == "HttpMethod" || before == "" && httpMethods[name]) {
			method = name
			continue
		}
		if a.Kind == code.ValueCall { // new AntPathRequestMatcher("/x", "GET"), antMatcher(GET, "/x")
			for _, m := range s.matchers(f, a) {
				out = append(out, securityMatcher{cmp.Or(m.method, method), m.pattern})
			}
			continue
		}
		for _, text := range s.springTexts(f.Path, a) {
			if httpMethods[text] && len(out) > 0 {
				out[len(out)-1].method = text
				continue
			}
			out = append(out, securityMatcher{method, text})
		}
	}
	if len(out) == 0 && method != "" {
		out = append(out, securityMatcher{method, "/**"})
	}
	return out
}

// httpMethods are the methods of HTTP.
var httpMethods = map[string]bool{"GET": true, "POST": true, "PUT": true, "DELETE": true, "PATCH": true, "HEAD": true, "OPTIONS": true, "TRACE": true}

// answerOf returns the status that the method of an entry point or handler answers with: a function literal, an object of
// the framework, or one of a class of the project.
func (s *springSecurity) answerOf(f *code.File, v *code.Value, method string, otherwise int) int {
	if v == nil {
		return otherwise
	}
	switch Last(v.Text) {
	case "HttpStatusEntryPoint", "HttpStatusServerEntryPoint":
		return cmp.Or(s.statusAmong(f.Path, v), 401)
	case "Http403ForbiddenEntryPoint":
		return 403
	case "LoginUrlAuthenticationEntryPoint":
		return 302
	}
	if body := literalBody(f, v); body != nil {
		return cmp.Or(s.answeredIn(f, nil, body), 401)
	}
	var class *Class
	if v.Kind == code.ValueCall {
		class = s.typeAt(f.Path, Last(v.Text), v.Line, v.Line)
	}
	if class == nil {
		class = s.fieldClass(f, Last(v.Text), v.Line)
	}
	if class != nil {
		for _, n := range s.methodsOf(class) {
			if body := s.Body(n); n.Name == method && body != nil {
				if status := s.answeredIn(class.File, n, body); status > 0 {
					return status
				}
			}
		}
	}
	if method == "handle" {
		return 403
	}
	return 401
}

// answeredIn returns the first status of an error that a body answers with; 0 for none.
func (s *springSecurity) answeredIn(f *code.File, n *resolve.Node, body *code.Body) int {
	for c := range s.CallsIn(f.Path, body.Line, body.End) {
		if springResponse(s.Project, Site{File: f, Function: n, Body: body}, &c.Value) {
			if status := s.Status(f.Path, c.Value.Arg(0)); status >= 400 {
				return status
			}
		}
	}
	return 0
}

// fieldClass returns the class of the project that a field or parameter of a file has; nil for none.
func (s *springSecurity) fieldClass(f *code.File, name string, line int) *Class {
	var out *Class
	var see func(list []code.Symbol)
	see = func(list []code.Symbol) {
		for i := range list {
			m := &list[i]
			if m.Kind == code.Property && m.Name == name {
				out = s.typeAt(f.Path, m.Returns, m.StartLine, m.EndLine)
			}
			if (m.Kind == code.Method || m.Kind == code.Function) && m.Name == name && out == nil { // a method with @Bean
				out = s.typeAt(f.Path, m.Returns, m.StartLine, m.NameLine+1)
			}
			if m.StartLine <= line && line <= m.EndLine {
				for _, param := range m.Params {
					if param.Name == name {
						out = s.typeAt(f.Path, param.Type, m.StartLine, m.EndLine)
					}
				}
			}
			see(m.Members)
		}
	}
	see(f.Symbols)
	return out
}

// fits reports whether a matcher selects the requests of a route.
func (m securityMatcher) fits(method, path string) bool {
	if m.method != "" && m.method != method {
		return false
	}
	return antMatches(strings.FieldsFunc(m.pattern, isSlash), strings.FieldsFunc(path, isSlash))
}

// antMatches reports whether a pattern with * and ** selects a path. A parameter of the path is no fixed part of the pattern.
func antMatches(pattern, path []string) bool {
	switch {
	case len(pattern) == 0:
		return len(path) == 0
	case pattern[0] == "**" || strings.HasPrefix(pattern[0], "{*"):
		for i := 0; i <= len(path); i++ {
			if antMatches(pattern[1:], path[i:]) {
				return true
			}
		}
		return false
	case len(path) == 0:
		return false
	}
	p := pattern[0]
	fits := p == path[0] || p == "*" || isParameter(p)
	if before, after, ok := strings.Cut(p, "*"); ok && !fits && !isParameter(path[0]) {
		fits = strings.HasPrefix(path[0], before) && strings.HasSuffix(path[0], after) && len(path[0]) >= len(before)+len(after)
	}
	return fits && antMatches(pattern[1:], path[1:])
}

// chainFor returns the chain that a request passes; nil for none.
func (s *springSecurity) chainFor(method, path string) *securityChain {
	if slices.ContainsFunc(s.ignored, func(m securityMatcher) bool { return m.fits(method, path) }) {
		return nil
	}
	for i := range s.chains {
		c := &s.chains[i]
		if len(c.only) == 0 || slices.ContainsFunc(c.only, func(m securityMatcher) bool { return m.fits(method, path) }) {
			return c
		}
	}
	return nil
}

// guards returns the steps with which the filter chain refuses the requests of a route.
func (s *springSecurity) guards(method, path string) []Step {
	path = joinTrimmed(s.prefix, path)
	c := s.chainFor(method, path)
	if c == nil {
		return nil
	}
	var out []Step
	if c.csrf && method != "" && method != "GET" && method != "HEAD" && method != "OPTIONS" {
		out = append(out, guardStep("csrf", c.at, c.denied))
	}
	for _, rule := range c.rules {
		if len(rule.matchers) > 0 && !slices.ContainsFunc(rule.matchers, func(m securityMatcher) bool { return m.fits(method, path) }) {
			continue
		}
		switch name := rule.access; name {
		case "permitAll":
		case "authenticated", "fullyAuthenticated", "rememberMe":
			out = append(out, guardStep(name, rule.at, c.entry))
		case "anonymous":
			out = append(out, guardStep(name, rule.at, c.denied))
		default:
			out = append(out, guardStep(strings.TrimSuffix(name+" "+rule.role, " "), rule.at, c.entry, c.denied))
		}
		break
	}
	return out
}

// guardStep returns a step that refuses with some statuses.
func guardStep(name string, at Place, statuses ...int) Step {
	s := Step{Kind: Dependency, Name: name, At: at}
	for _, status := range statuses {
		if (status >= 400 || status == 302) && !slices.ContainsFunc(s.Refusals, func(f Refusal) bool { return f.Status == status }) {
			s.Refusals = append(s.Refusals, Refusal{Answer: Answer{Status: status, At: at}})
		}
	}
	return s
}

// ofMethod returns the steps of the annotations of a method and its class, which are checked after its parameters are bound;
// known says that the caller is known by then.
func (s *springSecurity) ofMethod(marks []Call, known bool) []Step {
	if !s.methods {
		return nil
	}
	mark, ok := marking(marks, "PreAuthorize", "Secured", "RolesAllowed", "DenyAll")
	if !ok {
		return nil
	}
	name := markName(mark)
	if texts := s.springTexts(mark.File.Path, mark.Value.Arg(0)); len(texts) > 0 {
		name += " " + strings.Join(texts, ", ")
	}
	step := Step{Kind: Dependency, Name: name, At: mark.Place()}
	expression := strings.ReplaceAll(strings.TrimPrefix(name, "PreAuthorize "), "()", "")
	if expression == "permitAll" {
		return nil
	}
	if !known && s.entry() >= 400 {
		step.Refusals = append(step.Refusals, Refusal{Answer: Answer{Status: s.entry(), At: step.At}})
	}
	if expression != "isAuthenticated" {
		step.Refusals = append(step.Refusals, Refusal{Answer: Answer{Status: s.denied(), Error: "AccessDeniedException", At: step.At}})
	}
	return []Step{step}
}

// statusOf returns the status for an exception that the filter chain answers; 0 for others.
func (s *springSecurity) statusOf(class string) int {
	if _, ok := s.distance(class, "AuthenticationException"); ok {
		return s.entry()
	}
	if _, ok := s.distance(class, "AccessDeniedException"); ok {
		return s.denied()
	}
	return 0
}

// entry returns the status for callers who are not known.
func (s *springSecurity) entry() int {
	if len(s.chains) == 0 {
		return 401
	}
	return s.chains[len(s.chains)-1].entry
}

// denied returns the status for callers with too little authority.
func (s *springSecurity) denied() int {
	if len(s.chains) == 0 {
		return 403
	}
	return s.chains[len(s.chains)-1].denied
}
