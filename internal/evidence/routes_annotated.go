package evidence

import (
	"cmp"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// mappings maps annotations, attributes and decorators of routes to HTTP methods; "below"
// marks those that apply to types only.
var mappings = map[string]string{
	"GetMapping": "GET", "PostMapping": "POST", "PutMapping": "PUT", "DeleteMapping": "DELETE", "PatchMapping": "PATCH",
	"RequestMapping": "", // Spring
	"Path":           "", // JAX-RS
	"HttpGet":        "GET", "HttpPost": "POST", "HttpPut": "PUT", "HttpDelete": "DELETE", "HttpPatch": "PATCH",
	"Route": "",                                                                                   // ASP.NET and Symfony
	"Get":   "GET", "Post": "POST", "Put": "PUT", "Delete": "DELETE", "Patch": "PATCH", "All": "", // NestJS
	"get": "GET", "post": "POST", "put": "PUT", "delete": "DELETE", "patch": "PATCH", // actix and Rocket
	"Controller": "below",
}

// bareVerbs are the JAX-RS annotations for an HTTP method alone.
var bareVerbs = map[string]bool{"GET": true, "POST": true, "PUT": true, "DELETE": true, "PATCH": true, "HEAD": true, "OPTIONS": true}

// annotatedRoutes adds the routes declared by annotations on methods and their types.
func (m *Module) annotatedRoutes(add func(t fact, in, file string)) {
	languages := map[string]string{}
	for _, f := range m.Files {
		languages[f.Path] = f.Language
	}
	below, controllers := map[string]string{}, map[string]bool{}
	m.symbols(func(name string, s *code.Symbol) {
		language := languages[s.File]
		owner, _ := cutLast(name)
		marked := marksOf(s, language)
		if len(marked.paths) == 0 && marked.verb == "" && !marked.is {
			return
		}
		if s.Kind != code.Method && s.Kind != code.Function {
			controllers[name] = marked.is
			if len(marked.paths) > 0 {
				below[name] = marked.paths[0]
			}
			return
		}
		if !marked.is && !controllers[owner] || language == "typescript" && !controllers[owner] {
			return
		}
		for _, path := range append(marked.paths, "")[:max(len(marked.paths), 1)] {
			full := joinPaths(strings.Trim(below[owner], "/"), path)
			full = strings.ReplaceAll(full, "[controller]", strings.ToLower(strings.TrimSuffix(lastName(owner), "Controller")))
			if strings.HasPrefix(path, "~/") {
				full = path[1:]
			}
			add(fact{name: strings.TrimSpace(marked.verb + " /" + strings.Trim(full, "/")), on: code.ShortName(s.Name), line: cmp.Or(s.NameLine, s.StartLine)}, name, s.File)
		}
	})
}

// marks are the route annotations of a symbol.
type marks struct {
	verb  string
	paths []string
	is    bool // the symbol is a route, or a type with routes
}

// marksOf reads the route annotations of a symbol in a language.
func marksOf(s *code.Symbol, language string) marks {
	var out marks
	for _, d := range s.Decorators {
		head, args, hasArgs := strings.Cut(strings.Trim(d, "@#[]"), "(")
		head = strings.TrimSpace(head)
		if bareVerbs[head] && language != "rust" {
			out.verb, out.is = head, true
			continue
		}
		verb, ok := mappings[head]
		lower := head == strings.ToLower(head)
		if !ok || lower != (language == "rust") || language == "python" || language == "typescript" != nests(head) {
			continue
		}
		out.is = true
		if verb != "below" && verb != "" {
			out.verb = verb
		}
		if hasArgs {
			out.paths = append(out.paths, pathsIn(args)...)
		}
		if _, method, ok := strings.Cut(args, "method"); ok && verb == "" && out.verb == "" {
			out.verb = methodIn(method)
		}
	}
	return out
}

// nests reports whether a decorator is one of NestJS.
func nests(head string) bool {
	switch head {
	case "Get", "Post", "Put", "Delete", "Patch", "All", "Controller":
		return true
	}
	return false
}

// pathsIn returns the paths among the arguments of an annotation: the strings before the first
// argument with another name.
func pathsIn(args string) []string {
	for _, word := range []string{"value", "path"} {
		if rest, ok := strings.CutPrefix(args, word); ok {
			args = strings.TrimLeft(rest, " =:")
		}
	}
	if end := strings.IndexAny(args, "=:"); end >= 0 && !strings.ContainsAny(args[:end], "\"'") {
		return nil // a named argument
	}
	list := quotedIn(args)
	if !strings.HasPrefix(args, "{") && !strings.HasPrefix(args, "[") {
		list = list[:min(len(list), 1)]
	}
	return list
}

// methodIn returns the HTTP method in the arguments of an annotation: "= RequestMethod.GET",
// "s: ['GET']".
func methodIn(text string) string {
	var list []string
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune(" .,=:()[]{}'\"", c) }) {
		if bareVerbs[word] {
			list = append(list, word)
		}
	}
	return strings.Join(list, "|")
}
