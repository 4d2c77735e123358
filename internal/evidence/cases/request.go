package cases

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Request is an HTTP request that a test sends. Texts are source text, with the literals of variables in their place.
type Request struct {
	Method  string
	Path    string
	Headers [][2]string // name and value
	Body    string      // "" for none
	Query   string
}

// verbs are the methods of clients by which tests send requests, in lower case.
var verbs = []string{"get", "post", "put", "patch", "delete", "head", "options"}

// clients are the ends of the names of the methods of clients.
var clientWays = []string{"", "json", "async", "asjsonasync", "fromjsonasync", "stringasync", "_json"}

// verbOf returns the method of a call such as get, postJson or GetAsync; "" for others.
func verbOf(name string) string {
	name = strings.ToLower(name)
	for _, v := range verbs {
		if way, ok := strings.CutPrefix(name, v); ok && slices.Contains(clientWays, way) {
			return strings.ToUpper(v)
		}
	}
	return ""
}

// requestIn returns the request that an expression sends or makes; nil for none. Known gives the value of a variable.
func requestIn(text string, known func(name string) string) *Request {
	links := Links(text)
	for i, l := range links {
		if !l.Called || len(l.Args) == 0 {
			continue
		}
		r := requestOf(links, i, known)
		if r == nil && l.Name == "perform" { // MockMvc
			r = requestIn(l.Args[0], known)
		}
		if r != nil {
			r.follow(links[i+1:])
			return r
		}
	}
	return nil
}

// requestOf reads one call of a chain.
func requestOf(links []Link, i int, known func(name string) string) *Request {
	l := links[i]
	args := l.Args
	if slices.ContainsFunc(args, isHandler) { // app.get("/", (c) => …) registers, it sends nothing
		return nil
	}
	switch name := strings.ToLower(l.Name); {
	case verbOf(l.Name) != "" && (i > 0 || len(links) > 1 || isPath(args[0])) && isPath(args[0]):
		return (&Request{Method: verbOf(l.Name), Path: args[0]}).with(args[1:])
	case makers[name] || len(args) > 1 && (name == "open" && isPath(args[0]) || name == "json" || name == "call" && isMethod(args[0])):
		return made(args)
	case senders[name]:
		return sending(args, known)
	}
	return nil
}

// isHandler reports whether an argument is a function literal.
func isHandler(text string) bool {
	for _, start := range []string{"function", "async ", "func(", "lambda", "fn("} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return outsideText(text, "=>") > 0
}

// The functions that make a request of a method and a path, and those that send one; in lower case.
var (
	makers  = setOf("newrequest", "newrequestwithcontext", "env_for", "mockrequest")
	senders = setOf("request", "fetch", "sendrequest")
)

// sending reads the arguments of a function that sends a request: a path, a method and a path, or a request.
func sending(args []string, known func(name string) string) *Request {
	switch inner := Bare(known(args[0])); {
	case isPath(args[0]):
		return (&Request{Method: "GET", Path: args[0]}).with(args[1:])
	case len(args) > 1 && isMethod(args[0]):
		return (&Request{Method: methodOf(args[0]), Path: args[1]}).with(args[2:])
	case strings.HasPrefix(inner, "Request("):
		return requestOf(Links(inner), 0, known)
	}
	return nil
}

// made reads the arguments of a constructor of requests: the method may be first.
func made(args []string) *Request {
	if len(args) > 1 && !isMethod(args[0]) && isMethod(args[1]) { // with a context
		args = args[1:]
	}
	switch {
	case len(args) > 1 && isMethod(args[0]):
		return (&Request{Method: methodOf(args[0]), Path: args[1]}).with(args[2:])
	case isPath(args[0]):
		return (&Request{Method: "GET", Path: args[0]}).with(args[1:])
	}
	return nil
}

// isPath reports whether an argument is the address of a request.
func isPath(text string) bool {
	inner := strings.TrimLeft(text, "\"'`fbr@$")
	return len(inner) < len(text) && (strings.HasPrefix(inner, "/") || strings.HasPrefix(inner, "http://") || strings.HasPrefix(inner, "https://") || strings.HasPrefix(inner, "${") || strings.HasPrefix(inner, "{")) ||
		strings.Contains(text, "url_for(") || strings.Contains(text, "reverse(") || strings.Contains(text, "url_path_for(")
}

// isMethod reports whether an argument names an HTTP method.
func isMethod(text string) bool { return slices.Contains(verbs, strings.ToLower(methodOf(text))) }

// methodOf returns the method that an argument names: GET of "GET", http.MethodGet, HttpMethod.Get.
func methodOf(text string) string {
	text = strings.Trim(text, "\"'`:")
	text = text[strings.LastIndexAny(text, ".:")+1:]
	return strings.ToUpper(strings.TrimPrefix(text, "Method"))
}

// with adds what the arguments of a call say: an object or named arguments with headers and a body, or a body.
func (r *Request) with(args []string) *Request {
	for _, a := range args {
		if strings.HasPrefix(a, "{") || strings.HasPrefix(a, "[") && strings.Contains(a, "=>") {
			fields := Fields(a)
			for _, f := range fields {
				r.set(f[0], f[1])
			}
			continue
		}
		if name, value, ok := namedArgument(a); ok {
			r.set(name, value)
			continue
		}
		if text := strings.TrimSpace(a); r.Body == "" && text != "nil" && text != "null" && text != "http.NoBody" && r.Method != "GET" && strings.ContainsAny(text, "\"'`{") {
			r.Body = text
		}
	}
	return r
}

// set sets a part of the request by the name of an option.
func (r *Request) set(name, value string) {
	switch strings.ToLower(strings.Trim(name, "\"':")) {
	case "method":
		r.Method = methodOf(value)
	case "headers":
		r.Headers = append(r.Headers, Fields(value)...)
	case "body", "json", "data", "content", "payload", "form", "input":
		r.Body = value
	case "params", "query", "query_string", "searchparams":
		r.Query = value
	}
}

// follow adds what the rest of a chain says of the request: .set("A", "b").send({…}).
func (r *Request) follow(links []Link) {
	for _, l := range links {
		switch strings.ToLower(l.Name) {
		case "set", "header", "withheader", "headers":
			r.header(l.Args)
		case "send", "content", "body", "withbody":
			if len(l.Args) == 1 {
				r.Body = l.Args[0]
			}
		case "query", "queryparam", "param":
			r.Query = strings.Join(l.Args, "=")
		}
	}
}

func (r *Request) header(args []string) {
	switch {
	case len(args) == 2:
		r.Headers = append(r.Headers, [2]string{args[0], args[1]})
	case len(args) == 1:
		r.Headers = append(r.Headers, Fields(args[0])...)
	}
}

// namedArgument splits json={…} and headers: […].
func namedArgument(text string) (name, value string, ok bool) {
	name = nameAt(text)
	rest := strings.TrimSpace(text[len(name):])
	if name == "" || len(rest) < 2 || rest[0] != '=' && rest[0] != ':' || rest[1] == '=' || rest[1] == ':' {
		return "", "", false
	}
	return name, strings.TrimSpace(rest[1:]), true
}

// Fields returns the fields of an object, a dictionary or a hash as written: names without quotes, and values.
func Fields(text string) [][2]string {
	text = strings.TrimSpace(text)
	if i := strings.IndexAny(text, "{[("); i >= 0 && code.BracketEnd(text, i) == len(text)-1 {
		text = text[i+1 : len(text)-1]
	}
	var out [][2]string
	for _, part := range splitArgs(text) {
		for _, sign := range []string{"=>", ":", "="} {
			at := outsideText(part, sign)
			if at < 0 {
				continue
			}
			out = append(out, [2]string{strings.Trim(strings.TrimSpace(part[:at]), "\"'[]:"), strings.TrimSpace(part[at+len(sign):])})
			break
		}
	}
	return out
}

// outsideText returns the first index of a text outside brackets and quotes; -1 for none.
func outsideText(text, sign string) int {
	for from := 0; ; {
		at := outside(text[from:], sign[0])
		if at < 0 {
			return -1
		}
		if at += from; strings.HasPrefix(text[at:], sign) {
			return at
		}
		from = at + 1
	}
}

// amend adds the headers and the body that statements give to the request in a variable.
func (r *Request) amend(variable string, steps []code.Step) {
	for _, s := range steps {
		links := Links(s.Text)
		if len(links) < 2 || links[0].Name != variable {
			continue
		}
		last := links[len(links)-1]
		switch strings.ToLower(last.Name) {
		case "set", "add", "append", "setheader", "addheader", "header", "withheader":
			r.header(last.Args)
		}
	}
}

// answersTo reports whether the path of a registration, with parameters and wildcards, matches that of a request. Both are
// source text.
func answersTo(pattern, path string) bool {
	pattern, path = strings.Trim(pattern, "\"'`"), strings.Trim(path, "\"'`")
	if _, rest, ok := strings.Cut(path, "://"); ok {
		_, path, _ = strings.Cut(rest, "/")
		path = "/" + path
	}
	path, _, _ = strings.Cut(path, "?")
	want, got := strings.Split(strings.Trim(pattern, "/"), "/"), strings.Split(strings.Trim(path, "/"), "/")
	for i, part := range want {
		if part == "*" || part == "**" || strings.HasPrefix(part, "*") {
			return true
		}
		if i >= len(got) || part != got[i] && !strings.HasPrefix(part, ":") && !strings.HasPrefix(part, "{") && !strings.HasPrefix(part, "<") {
			return false
		}
	}
	return len(want) == len(got)
}
