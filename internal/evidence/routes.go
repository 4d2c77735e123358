package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// routes finds HTTP routes as registered with common frameworks: app.get("/users", …),
// @router.post("/users"), mux.HandleFunc("GET /users", …).
var routes = Rule{
	Kind: Route,
	find: func(m *Module, found func(Claim)) {
		read := m.servedRoutes(found)
		facts(found, func(all func(fact, string, string)) {
			add := func(t fact, in, file string) {
				if !read[file] {
					all(t, in, file)
				}
			}
			m.uses(func(u use) {
				if t, ok := route(u); ok {
					add(t, u.In, u.file.Path)
				}
			})
			m.annotatedRoutes(add)
		})
	},
}

// routing describes how a framework registers routes: its methods with the HTTP method of
// each, and their receivers.
type routing struct {
	languages []string
	on        []string // suffixes of the receiver's last name; "*" for any, "" for none
	methods   map[string]string
	imports   string // required import; "" for none
	mark      bool   // it is a decorator
	// handler requires a function after the path, for frameworks whose clients have the same
	// methods.
	handler bool
	files   string // required prefix of the file's name
}

var (
	ecma = []string{"javascript", "typescript"}
	// upperVerbs and the following map router methods to HTTP methods.
	upperVerbs = map[string]string{"GET": "GET", "POST": "POST", "PUT": "PUT", "DELETE": "DELETE", "PATCH": "PATCH", "HEAD": "HEAD", "OPTIONS": "OPTIONS", "Any": "", "Handle": "", "HandleFunc": ""}
	titleVerbs = map[string]string{"Get": "GET", "Post": "POST", "Put": "PUT", "Delete": "DELETE", "Patch": "PATCH", "Head": "HEAD", "Options": "OPTIONS", "All": "", "Any": ""}
	lowerVerbs = map[string]string{"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH", "head": "HEAD", "options": "OPTIONS", "all": "", "any": ""}
	markVerbs  = map[string]string{"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH", "head": "HEAD", "options": "OPTIONS", "route": "", "websocket": "", "api_route": ""}
	addVerbs   = map[string]string{"add_get": "GET", "add_post": "POST", "add_put": "PUT", "add_delete": "DELETE", "add_url_rule": "", "add_api_route": ""}
	mapVerbs   = map[string]string{"MapGet": "GET", "MapPost": "POST", "MapPut": "PUT", "MapDelete": "DELETE", "MapPatch": "PATCH", "MapMethods": "", "MapHub": ""}
)

// frameworks has one row per way of routing.
var frameworks = []routing{
	{languages: []string{"go"}, on: []string{"*"}, methods: map[string]string{"HandleFunc": "", "Handle": ""}, handler: true},
	{languages: []string{"go"}, on: goRouters, methods: upperVerbs, handler: true},
	{languages: []string{"go"}, on: goRouters, methods: titleVerbs, handler: true},
	{languages: ecma, on: []string{"app", "router", "server", "fastify", "routes"}, methods: lowerVerbs, handler: true},
	{languages: []string{"python"}, on: []string{"app", "router", "bp", "blueprint", "api", "routes"}, methods: markVerbs, mark: true},
	{languages: []string{"python"}, on: []string{"app", "router", "bp", "blueprint"}, methods: addVerbs},
	{languages: []string{"python"}, on: []string{"web"}, methods: lowerVerbs, imports: "aiohttp"},
	{languages: []string{"python"}, on: []string{""}, methods: map[string]string{"Route": "", "WebSocketRoute": ""}, imports: "starlette", handler: true},
	{languages: []string{"python"}, on: []string{""}, methods: map[string]string{"path": "", "re_path": "", "url": ""}, files: "urls"},
	{languages: []string{"php"}, on: []string{"Route", "router", "app"}, methods: lowerVerbs, handler: true},
	{languages: []string{"php"}, on: []string{"Route"}, methods: map[string]string{"resource": "resource", "apiResource": "resource"}, handler: true},
	{languages: []string{"ruby"}, on: []string{""}, methods: map[string]string{"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH", "match": "", "resources": "resources", "resource": "resource"}, files: "routes"},
	{languages: []string{"ruby"}, on: []string{""}, methods: lowerVerbs, imports: "sinatra"},
	{languages: []string{"kotlin"}, on: []string{""}, methods: lowerVerbs, imports: "io.ktor"},
	{languages: []string{"swift"}, on: []string{"app", "routes", "router"}, methods: lowerVerbs, imports: "Vapor"},
	{languages: []string{"scala"}, on: []string{""}, methods: lowerVerbs, imports: "org.scalatra"},
	{languages: []string{"java", "kotlin"}, on: []string{"app", "router"}, methods: lowerVerbs, handler: true},
	{languages: []string{"rust"}, on: []string{"*"}, methods: map[string]string{"route": ""}, handler: true},
	{languages: []string{"csharp"}, on: []string{"*"}, methods: mapVerbs, handler: true},
	{languages: []string{"cpp"}, on: []string{"svr", "server", "app"}, methods: titleVerbs, handler: true},
}

var goRouters = []string{"app", "router", "mux", "server", "api", "r", "e", "g", "group", "routes", "engine"}

// methodOf returns the HTTP method of a use that is a route of the framework; ok is false for
// other uses.
func (f *routing) methodOf(u use) (method string, ok bool) {
	before, name := u.of()
	method, ok = f.methods[name]
	return method, ok && slices.Contains(f.languages, u.file.Language) && f.allows(u) && f.isOn(u, before)
}

// allows reports whether a use is in a place where the framework's routes are.
func (f *routing) allows(u use) bool {
	_, second := u.at(1)
	switch {
	case f.mark != u.Mark && (f.mark || u.file.Language == "python"):
		return false
	case f.imports != "" && !u.imports(f.imports), f.handler && !second:
		return false
	}
	return strings.HasPrefix(baseName(u.file.Path), f.files)
}

// isOn reports whether the receiver of a method is a router.
func (f *routing) isOn(u use, before string) bool {
	if slices.Contains(f.on, "*") {
		return true
	}
	if before == "" {
		return slices.Contains(f.on, "")
	}
	last := strings.TrimLeft(strings.ToLower(lastName(before)), "$_@")
	named := slices.ContainsFunc(f.on, func(r string) bool {
		r = strings.ToLower(r)
		return r != "" && (last == r || len(r) > 2 && strings.HasSuffix(last, r))
	})
	if !named {
		_, named = grouped(u, before)
	}
	return named
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// route returns the route that a use registers.
func route(u use) (fact, bool) {
	if t, ok := routeObject(u); ok {
		return t, true
	}
	for i := range frameworks {
		method, ok := frameworks[i].methodOf(u)
		if !ok {
			continue
		}
		a, _ := u.at(0)
		if !a.Plain || u.inResource() {
			continue
		}
		verb, path, hasVerb := strings.Cut(a.Text, " ") // Go's own mux
		if !hasVerb {
			verb, path = method, a.Text
		}
		if verb != strings.ToUpper(verb) && verb != "resource" && verb != "resources" {
			continue
		}
		path, ok = u.pathOf(path)
		if !ok || strings.ContainsAny(path, " \t") {
			continue
		}
		t := tell(strings.TrimSpace(u.verbs(verb)+" "+path), a, nil)
		if frameworks[i].files == "urls" {
			t.role = Included
		}
		return t, true
	}
	return fact{}, false
}

// inResource reports whether a route is within a Rails resource, where the path depends on the
// nesting.
func (u use) inResource() bool {
	if u.file.Language != "ruby" {
		return false
	}
	for outer, ok := u.around(); ok; outer, ok = outer.around() {
		if _, name := outer.of(); name == "resources" || name == "resource" {
			return true
		}
	}
	return false
}

// pathOf returns a path with the prefixes of enclosing routers; false if the text is not a
// path.
func (u use) pathOf(path string) (string, bool) {
	switch u.file.Language {
	case "swift":
		for i := 1; ; i++ {
			a, ok := u.at(i)
			if !ok || !a.Plain {
				break
			}
			path += "/" + a.Text
		}
	case "ruby", "python", "php", "java", "kotlin", "csharp":
	default:
		if !strings.HasPrefix(path, "/") && (path != "" || u.prefix() == "") {
			return "", false
		}
	}
	return joinPaths(u.prefix(), path), true
}

// joinPaths joins two parts of a path.
func joinPaths(before, path string) string {
	if path == "" && before != "" {
		return before
	}
	if strings.HasPrefix(path, "^") { // a pattern
		return before + path
	}
	return strings.TrimRight(before, "/") + "/" + strings.TrimLeft(path, "/")
}

// verbs returns the HTTP methods of a route if its arguments name them: Flask's methods,
// axum's handlers.
func (u use) verbs(verb string) string {
	if a, ok := u.Named("methods", "via", "method"); ok && verb == "" {
		return strings.ToUpper(strings.Join(quotedIn(quotedList(a)), "|"))
	}
	if u.file.Language != "rust" {
		return verb
	}
	handlers, _ := u.at(1)
	var list []string
	for part := range strings.SplitSeq(handlers.Text, ".") {
		word, _, ok := strings.Cut(part[strings.LastIndexByte(part, ':')+1:], "(")
		if upper := lowerVerbs[word]; ok && upper != "" {
			list = append(list, upper)
		}
	}
	return strings.Join(list, "|")
}

// quotedList returns an argument as a list of its strings.
func quotedList(a code.Argument) string {
	if a.Plain {
		return `"` + a.Text + `"`
	}
	return a.Text
}

// routeObject reads fastify.route({ method: "GET", url: "/users" }).
func routeObject(u use) (fact, bool) {
	_, name := u.of()
	method, ok := u.Named("method")
	url, hasURL := u.Named("url", "path")
	if name != "route" || !ok || !hasURL || !url.Plain || !strings.HasPrefix(url.Text, "/") || !slices.Contains(ecma, u.file.Language) {
		return fact{}, false
	}
	return tell(strings.Join(quotedIn(quotedList(method)), "|")+" "+url.Text, url, nil), true
}

// groupers maps calls whose routes share a path prefix to the position or name of the argument
// with the prefix.
var groupers = map[string]string{
	"Group": "", "Route": "", "route": "", "group": "", "grouped": "", "MapGroup": "", "namespace": "", "scope": "path", "nest": "",
	"APIRouter": "prefix", "Blueprint": "url_prefix", "Router": "prefix", "PathPrefix": "",
}

// groupPath returns the path prefix that a use gives to the routes in it.
func (u use) groupPath() (string, bool) {
	_, name := u.of()
	by, ok := groupers[name]
	if !ok {
		return "", false
	}
	if by != "" {
		if a, named := u.Named(by); named && a.Plain {
			return a.Text, true
		}
		if by != "path" {
			return "", false
		}
	}
	if u.file.Language == "php" {
		return phpGroup(u)
	}
	a, ok := u.at(0)
	return a.Text, ok && a.Plain
}

// phpGroup reads Route::prefix("x")->group(…) and Route::group(["prefix" => "x"], …).
func phpGroup(u use) (string, bool) {
	text := u.Of
	if a, ok := u.at(0); ok {
		text += a.Text
	}
	i := strings.Index(text, "prefix")
	if i < 0 {
		return "", false
	}
	if list := quotedIn(strings.TrimLeft(text[i+len("prefix"):], "'\"")); len(list) > 0 {
		return list[0], true
	}
	return "", false
}

// maxGroups limits the nesting of route groups.
const maxGroups = 8

// prefix returns the path prefix of a use's routes: that of the enclosing groups, or of the
// group that is its receiver.
func (u use) prefix() string {
	path := ""
	at := u
	for range maxGroups {
		before, _ := at.of()
		if by, ok := grouped(at, before); ok {
			own, _ := by.groupPath()
			path, at = joinPaths(own, path), by
			continue
		}
		outer, ok := at.around()
		if !ok {
			break
		}
		at = outer
		if own, ok := at.groupPath(); ok {
			path = joinPaths(own, path)
		}
	}
	if path != "" && path != "/" {
		return "/" + strings.Trim(path, "/")
	}
	return ""
}

// grouped returns the use that created the route group in a variable.
func grouped(u use, variable string) (use, bool) {
	if variable == "" {
		return use{}, false
	}
	by, ok := u.made(variable)
	if !ok {
		return use{}, false
	}
	_, is := by.groupPath()
	return by, is
}
