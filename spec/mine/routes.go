package mine

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// routes are what the module serves over HTTP, as routers of common frameworks are
// told: app.get("/users"), @router.post("/users"), mux.HandleFunc("GET /users").
var routes = Rule{
	ID: "route", Evidence: "route", Section: Requirement,
	En: "%s MUST be served", Zh: "必须提供 %s",
	find: func(m *Module, found func(Finding)) {
		textRule(route)(m, found)
		annotatedRoutes(m, found)
	},
}

// routers are what methods of routing are called on, by the end of the text.
var routers = []string{"app", "router", "mux", "http", "server", "api", "blueprint", "bp", "fastify", "r", "e", "g", "group", "routes"}

// verbs are the methods that take a path, and the method of HTTP that they mean.
var verbs = map[string]string{
	"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH", "head": "HEAD", "options": "OPTIONS",
	"handle": "", "handlefunc": "", "route": "", "all": "", "websocket": "",
}

func route(_ *code.File, u code.TextUse) (string, bool) {
	name := lastName(u.Of)
	verb, isVerb := verbs[strings.ToLower(name)]
	of := strings.ToLower(lastName(strings.TrimSuffix(u.Of, "."+name)))
	if !isVerb || of == strings.ToLower(u.Of) || !slices.ContainsFunc(routers, func(r string) bool { return of == r || len(r) > 2 && strings.HasSuffix(of, r) }) {
		return "", false
	}
	text := first(u)
	method, path, ok := strings.Cut(text, " ")
	if !ok {
		method, path = verb, text
	}
	if !strings.HasPrefix(path, "/") || method != strings.ToUpper(method) {
		return "", false
	}
	return strings.TrimSpace(method + " " + path), true
}

// mappings are the annotations that give a method its route.
var mappings = map[string]string{
	"GetMapping": "GET", "PostMapping": "POST", "PutMapping": "PUT", "DeleteMapping": "DELETE", "PatchMapping": "PATCH",
	"RequestMapping": "", "Path": "",
	"HttpGet": "GET", "HttpPost": "POST", "HttpPut": "PUT", "HttpDelete": "DELETE", "HttpPatch": "PATCH", "Route": "",
}

func annotatedRoutes(m *Module, found func(Finding)) {
	m.symbols(func(name string, s *code.Symbol) {
		for _, d := range s.Decorators {
			head, args, _ := strings.Cut(strings.Trim(d, "@[]"), "(")
			method, ok := mappings[head]
			parts := strings.Split(args, `"`)
			if !ok || len(parts) < 3 {
				continue
			}
			found(Finding{
				Symbol: name, Words: []string{quote(strings.TrimSpace(method + " " + parts[1]))}, At: []Place{symbolPlace(s)},
			})
		}
	})
}

// commands are the subcommands of programs.
var commands = Rule{
	ID: "command", Evidence: "route", Section: Requirement,
	En: "The command %s MUST be there", Zh: "必须提供命令 %s",
	find: textRule(func(f *code.File, u code.TextUse) (string, bool) {
		name, _, _ := strings.Cut(first(u), " ")
		switch lastName(u.Of) {
		case "add_parser":
			return name, isWord(name)
		case "command":
			return name, f.Language != "go" && isWord(name)
		}
		return "", false
	}),
}
