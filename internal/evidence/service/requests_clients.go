package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// client is a way in which tests send requests.
type client struct {
	languages []string
	// name is the called function, without what is before it. A "*" is a method of HTTP in any case.
	name string
	// path and method are the places of these among the arguments; -1 for none.
	path, method int
	// by reads what the places do not say; nil for none.
	by func(s *scope, c Call, x *sending) bool
}

// The languages of clients.
var (
	rubyLanguages = []string{"ruby"}
	phpLanguages  = []string{"php"}
	rustLanguages = []string{"rust"}
	goLanguages   = []string{"go"}
	anyLanguages  = slices.Concat([]string{"python"}, ecmaLanguages, jvmLanguages, rubyLanguages, phpLanguages, rustLanguages, csharpLanguages)
)

// clients are the ways in which tests send requests: a line for each.
var clients = []client{
	{anyLanguages, "*", 0, -1, nil},                    // httpx, Flask, Django, Rack, Rails, supertest, axios, MockMvc, REST Assured, Laravel
	{phpLanguages, "*Json", 0, -1, nil},                // Laravel
	{[]string{"python"}, "*_json", 0, -1, nil},         // WebTest
	{csharpLanguages, "*Async", 0, -1, nil},            // HttpClient
	{csharpLanguages, "*AsJsonAsync", 0, -1, nil},      //
	{csharpLanguages, "*FromJsonAsync", 0, -1, nil},    //
	{csharpLanguages, "*StringAsync", 0, -1, nil},      //
	{jvmLanguages, "*ForObject", 0, -1, nil},           // RestTemplate
	{jvmLanguages, "*ForEntity", 0, -1, nil},           //
	{jvmLanguages, "exchange", 0, 1, nil},              //
	{jvmLanguages, "uri", 0, -1, chainedMethod},        // WebTestClient
	{rustLanguages, "uri", 0, -1, chainedMethod},       // http, actix-web
	{jvmLanguages, "request", 1, 0, nil},               // MockMvc, REST Assured
	{[]string{"python"}, "request", 1, 0, nil},         // httpx, requests
	{[]string{"python"}, "open", 0, -1, optionMethod},  // Werkzeug
	{[]string{"python"}, "generic", 1, 0, nil},         // Django
	{phpLanguages, "json", 1, 0, nil},                  // Laravel
	{phpLanguages, "call", 1, 0, nil},                  //
	{phpLanguages, "request", 1, 0, nil},               // Symfony
	{phpLanguages, "createRequest", 1, 0, nil},         // PSR-7
	{csharpLanguages, "HttpRequestMessage", 1, 0, nil}, //
	{goLanguages, "NewRequest", 1, 0, nil},             // net/http, httptest
	{goLanguages, "NewRequestWithContext", 2, 1, nil},  //
	{ecmaLanguages, "request", 0, -1, optionMethod},    // Hono, Playwright
	{ecmaLanguages, "fetch", 0, -1, optionMethod},      //
	{ecmaLanguages, "Request", 0, -1, optionMethod},    //
	{ecmaLanguages, "inject", -1, -1, injected},        // Fastify
	{ecmaLanguages, "$*", -1, -1, members},             // Hono's typed client
	{rubyLanguages, "*", -1, -1, action},               // tests of a controller
	{goLanguages, "*", 0, -1, goClient},                // net/http
}

// verbs are the methods of HTTP by the names of functions, in lower case.
var verbs = map[string]string{
	"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "del": "DELETE", "patch": "PATCH", "head": "HEAD", "options": "OPTIONS",
}

// read reads a call; ok is false if it is not one of the client.
func (m *client) read(s *scope, c Call, _ int) (sending, bool) {
	method, ok := m.called(Last(c.Value.Text))
	if !ok {
		return sending{}, false
	}
	return m.readCalled(s, c, method)
}

// readCalled reads a call of the client whose name says the method, or "".
func (m *client) readCalled(s *scope, c Call, method string) (x sending, ok bool) {
	x.method = method
	args := positional(&c.Value)
	if m.method >= 0 {
		if m.method >= len(args) {
			return x, false
		}
		if x.method, ok = s.methodOf(args[m.method]); !ok {
			return x, false
		}
	}
	if m.path >= 0 {
		if m.path >= len(args) || !s.addressed(args[m.path], &x) {
			return x, false
		}
	}
	if m.by != nil && !m.by(s, c, &x) {
		return x, false
	}
	return x, x.method != "" || m.method >= 0
}

// called returns the method that a name says, and reports whether it is that of the client.
func (m *client) called(name string) (method string, ok bool) {
	before, after, verb := strings.Cut(m.name, "*")
	if !verb {
		return "", name == m.name
	}
	word, ok := strings.CutPrefix(name, before)
	if ok {
		word, ok = strings.CutSuffix(word, after)
	}
	method = verbs[strings.ToLower(word)]
	return method, ok && method != ""
}

// positional returns the arguments of a call without a name, and without the call on whose result it is made.
func positional(v *code.Value) []*code.Value {
	var out []*code.Value
	before, _ := CutLast(v.Text)
	for i := range v.Args {
		if i == 0 && strings.ContainsAny(before, "()") && v.Args[i].Kind == code.ValueCall {
			continue
		}
		if v.Args[i].Name == "" {
			out = append(out, &v.Args[i])
		}
	}
	return out
}

// methodOf returns the HTTP method that a value stands for: a text, or a constant named after it.
func (s *scope) methodOf(v *code.Value) (string, bool) {
	if g, ok := s.value(v); ok && v.Kind == code.ValueName && g.Value != v {
		return g.in.methodOf(g.Value)
	}
	text, known := s.text(v)
	method := methodNamed(v, text, known)
	return method, method != ""
}

// methodNamed returns the HTTP method that a constant text says, or else the name of a value: http.MethodGet; "" for none.
func methodNamed(v *code.Value, text string, constant bool) string {
	if !constant && v.Kind == code.ValueName {
		text = strings.TrimPrefix(Last(v.Text), "Method")
	}
	return verbs[strings.ToLower(text)]
}

// addressed sets where a request is sent; it reports whether the value may be a path.
func (s *scope) addressed(v *code.Value, x *sending) bool {
	if name, ok := s.route(v, 0); ok {
		x.named = name
		return true
	}
	text, ok := s.text(v)
	if !ok {
		return false
	}
	x.path = address(text)
	return strings.HasPrefix(x.path, "/") || strings.HasPrefix(x.path, hole) || strings.Contains(x.path, "/") && v.Kind == code.ValueString
}

// origin is the scheme and the host of an address.
var origin = lazyregexp.New(`^[a-z]+://[^/]*`)

// address returns the path of an address.
func address(text string) string {
	text = origin.ReplaceAllString(text, "")
	if i := strings.IndexAny(text, "?#"); i >= 0 {
		text = text[:i]
	}
	return text
}

// chainedMethod reads the method from the calls before: client.get().uri("/").
func chainedMethod(s *scope, c Call, x *sending) bool {
	for v := &c.Value; v != nil; {
		before := (*code.Value)(nil)
		if len(v.Args) > 0 && v.Args[0].Kind == code.ValueCall {
			before = &v.Args[0]
		}
		if before == nil {
			break
		}
		name := Last(before.Text)
		if method := verbs[strings.ToLower(name)]; method != "" {
			x.method = method
			return true
		}
		if args := positional(before); name == "method" && len(args) > 0 {
			method, ok := s.methodOf(args[0])
			x.method = method
			return ok
		}
		v = before
	}
	x.method = "GET" // that of a builder without a method
	return s.file.Language == "rust"
}

// optionMethod reads the method from an option of the call; without it, it is GET.
func optionMethod(s *scope, c Call, x *sending) bool {
	option := c.Value.Named("method")
	for _, a := range positional(&c.Value) {
		if a.Kind == code.ValueObject && option == nil {
			option = a.Named("method")
		}
	}
	if option == nil {
		x.method = "GET"
		return true
	}
	method, ok := s.methodOf(option)
	x.method = method
	return ok
}

// injected reads inject({method, url}).
func injected(s *scope, c Call, x *sending) bool {
	given := c.Value.Arg(0)
	if given == nil {
		return false
	}
	if given.Kind != code.ValueObject {
		x.method = "GET"
		return s.addressed(given, x)
	}
	url := given.Named("url", "path")
	if url == nil || !s.addressed(url, x) {
		return false
	}
	x.method = "GET"
	if m := given.Named("method"); m != nil {
		method, ok := s.methodOf(m)
		x.method = method
		return ok
	}
	return true
}

// member is a part of a path that is written as a member: .tasks, [":id"].
var member = lazyregexp.New(`\.([\w$-]+)|\[["']([^"']*)["']\]`)

// members reads the path from the members of a client: client.tasks[":id"].$get().
func members(_ *scope, c Call, x *sending) bool {
	at := strings.LastIndex(c.Value.Text, "$")
	for _, m := range member.FindAllStringSubmatch(c.Value.Text[:at], -1) {
		if part := m[1] + m[2]; part != "index" {
			x.path += "/" + holes(part)
		}
	}
	x.path = "/" + strings.TrimPrefix(x.path, "/")
	return !strings.Contains(c.Value.Text, "(")
}

// action reads a test of a controller: get :index.
func action(_ *scope, c Call, x *sending) bool {
	receiver, _ := c.Of()
	args := positional(&c.Value)
	if receiver != "" || len(args) == 0 || args[0].Kind != code.ValueString || strings.Contains(args[0].Text, "/") {
		return false
	}
	x.named = strings.TrimSuffix(strings.TrimSuffix(stem(c.File.Path), "_spec"), "_test") + "#" + args[0].Text
	return true
}

// goClient reads calls of Go's clients, which are exported: http.Get(url), client.Post(url, …).
func goClient(_ *scope, c Call, _ *sending) bool {
	receiver, name := c.Of()
	return name == strings.ToUpper(name[:1])+strings.ToLower(name[1:]) && receiver != ""
}
