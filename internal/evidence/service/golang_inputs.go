package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// goSource is where a function reads what a request holds, and the keys of the tags that name the fields.
type goSource struct {
	in   string
	tags []string
}

var (
	goBody  = goSource{"body", []string{"json", "form", "xml"}}
	goQuery = goSource{"query", []string{"form", "query", "schema"}}
)

// goDecoders are the functions that read a request into a value.
var goDecoders = map[string]goSource{
	"Decode": goBody, "DecodeJSON": goBody, // encoding/json, chi
	"Bind": goBody, "BindJSON": goBody, "ShouldBind": goBody, "ShouldBindJSON": goBody, "ShouldBindWith": goBody, "ShouldBindBodyWith": goBody, "MustBindWith": goBody, // Gin, Echo, chi
	"BindQuery": goQuery, "ShouldBindQuery": goQuery, "QueryParser": goQuery,
	"BodyParser": goBody, // Fiber
	"BindHeader": {"header", []string{"header"}}, "ShouldBindHeader": {"header", []string{"header"}}, "ReqHeaderParser": {"header", []string{"reqHeader"}},
}

// goGetters are the functions that return one value of a request, by name.
var goGetters = map[string]string{
	"Query": "query", "DefaultQuery": "query", "GetQuery": "query", "QueryArray": "query", "QueryParam": "query", "QueryInt": "query", "QueryBool": "query", "QueryFloat": "query",
	"PostForm": "form", "DefaultPostForm": "form", "GetPostForm": "form", "FormValue": "form", "PostFormValue": "form", "FormFile": "form",
	"GetHeader": "header",
}

// goRequests are the types of parameters that hold a request or its body.
var goRequests = []string{"Request", "Context", "Ctx", "Reader", "ReadCloser", "ResponseWriter"}

// maxInputDepth limits how deep calls are followed to what they read of a request.
const maxInputDepth = 5

// goInputs reads what the functions of an endpoint read of a request.
type goInputs struct {
	*Project
	e    *Endpoint
	seen map[*resolve.Node]bool
}

// goArgument is what a function gets as a parameter of any type.
type goArgument struct {
	call Call
	at   int
}

func (x *goInputs) step(s *Step) {
	switch {
	case s.Node != nil:
		x.function(s.Node, nil, 0)
	case s.Body != nil:
		x.lines(s.At.File, s.Body.Line, s.Body.End, nil, 0)
	case s.Name == "": // a literal among the arguments of the route
		x.lines(s.At.File, s.At.Line, x.closureEnd(s.At), nil, 0)
	}
}

// closureEnd returns the line of the last statement of the function literal that begins at a line.
func (x *goInputs) closureEnd(at Place) int {
	end := 0
	f := x.File(at.File)
	if f == nil {
		return end
	}
	for i := range f.Bodies.Functions {
		code.AllStmts(f.Bodies.Functions[i].Stmts, func(s *code.Stmt) {
			if s.Op == code.StmtClosure && s.Line == at.Line {
				end = max(end, at.Line)
				code.AllStmts(s.Body, func(inner *code.Stmt) { end = max(end, inner.Line) })
			}
		})
	}
	return end
}

func (x *goInputs) function(n *resolve.Node, given map[string]goArgument, depth int) {
	s := x.Symbol(n)
	if s == nil || depth > maxInputDepth || x.seen[n] && len(given) == 0 {
		return
	}
	x.seen[n] = true
	x.lines(n.File, s.StartLine, s.EndLine, given, depth)
}

// lines reads the calls in some lines. Given is what parameters of any type are.
func (x *goInputs) lines(file string, first, last int, given map[string]goArgument, depth int) {
	for c := range x.CallsIn(file, first, last) {
		of, name := c.Of()
		n := x.NodeOf(file, c.Value.Text, c.Value.Line)
		switch source, decodes := goDecoders[name]; {
		case n != nil && IsFunction(n):
			if s := x.Symbol(n); s != nil && slices.ContainsFunc(s.Params, isGoRequest) {
				x.function(n, x.handed(c, s, given), depth+1)
			}
		case decodes && of != "" && x.ofRequest(c, name):
			x.decoded(c, source, given)
		default:
			x.got(c, of, name)
		}
	}
}

func isGoRequest(p code.Param) bool {
	return slices.Contains(goRequests, Last(strings.TrimLeft(p.Type, "*")))
}

// handed returns what a call gives for parameters of any type.
func (x *goInputs) handed(c Call, s *code.Symbol, given map[string]goArgument) map[string]goArgument {
	out := map[string]goArgument{}
	for i := range s.Params {
		v := c.Value.Arg(i)
		if v == nil || !slices.Contains(anyTypes, s.Params[i].Type) {
			continue
		}
		out[s.Params[i].Name] = goArgument{c, i}
		if outer, ok := given[v.Text]; ok {
			out[s.Params[i].Name] = outer
		}
	}
	return out
}

// ofRequest reports whether a decoder reads a request: not what a call returned, as a client's response is.
func (x *goInputs) ofRequest(c Call, name string) bool {
	if name != "Decode" || c.After == 0 {
		return name != "Decode" || len(c.Value.Args) == 2 || x.decoderOf(c)
	}
	return x.readsRequest(Call{c.File, &c.File.Bodies.Calls[c.After-1]})
}

// decoderOf reports whether the receiver of a call is a decoder of a request: d := json.NewDecoder(r.Body).
func (x *goInputs) decoderOf(c Call) bool {
	of, _ := c.Of()
	for u := range c.AssignedTo(of) {
		return x.readsRequest(u)
	}
	return false
}

// readsRequest reports whether a call makes a decoder of the body of a request, or of a parameter.
func (x *goInputs) readsRequest(c Call) bool {
	if _, name := c.Of(); name != "NewDecoder" || len(c.Value.Args) != 1 {
		return false
	}
	root, rest, _ := strings.Cut(c.Value.Args[0].Text, ".")
	if rest != "" && !strings.HasSuffix(rest, "Body") {
		return false
	}
	for u := range c.AssignedTo(root) {
		if u.Value.Kind == code.ValueCall && !strings.Contains(u.Value.Text, "MaxBytesReader") {
			return false
		}
	}
	return true
}

// decoded adds the fields of the value that a decoder fills.
func (x *goInputs) decoded(c Call, source goSource, given map[string]goArgument) {
	_, name := c.Of()
	if name == "Decode" && len(c.Value.Args) == 2 { // a decoder of forms
		source = goQuery
	}
	at := goArgument{c, len(c.Value.Args) - 1}
	if strings.HasSuffix(name, "With") || name == "Decode" {
		at.at = 0
	}
	if v := c.Value.Arg(at.at); v != nil {
		if outer, ok := given[v.Text]; ok {
			at = outer
		}
		x.fields(at, source)
	}
}

// fields adds the fields of what a call is given.
func (x *goInputs) fields(a goArgument, source goSource) {
	v := a.call.Value.Arg(a.at)
	if v == nil {
		return
	}
	add := goFields{goInputs: x, source: source}
	if text, line := x.localType(a.call, v.Text); text != "" {
		add.text(a.call.File.Path, text, line, "", 0)
		return
	}
	_, name := a.call.Of()
	typed := x.Links.Call(a.call.File.Path, name, a.call.Line)
	if a.at < len(typed.Given) {
		for _, n := range typed.Given[a.at] {
			add.node(n, "", 0)
		}
	}
}

// localType returns the text of the type that a function declares for one of its variables, and its line; "" if it declares none.
func (x *goInputs) localType(c Call, variable string) (text string, line int) {
	name := variable
	for range maxSteps {
		found := false
		for i := range c.File.Bodies.Locals {
			if l := &c.File.Bodies.Locals[i]; l.In == c.In && l.Name == name {
				text, line, found = strings.TrimLeft(l.Type, "*&[]"), l.Line, true
			}
		}
		for u := range c.AssignedTo(name) {
			if !found && u.Value.Kind == code.ValueObject {
				text, found = strings.TrimLeft(u.Value.Text, "*&[]"), true
			}
		}
		if !found || strings.HasPrefix(text, "struct") {
			break
		}
		name = text
	}
	if !strings.HasPrefix(text, "struct") {
		return "", 0
	}
	return text, line
}

// got adds one value that a call returns: c.Query("page"), r.URL.Query().Get("page"), r.Header.Get("X-Key").
func (x *goInputs) got(c Call, of, name string) {
	in := goGetters[name]
	if name == "Get" {
		in = x.getter(c, of)
	}
	field, ok := x.Text(c.File.Path, c.Value.Arg(0))
	if in == "" || of == "" || !ok || field == "" || strings.HasPrefix(of, "http") {
		return
	}
	input := Input{In: in, Name: field, Type: "string", At: c.Place()}
	switch name {
	case "QueryInt", "QueryBool", "QueryFloat":
		input.Type = strings.ToLower(strings.TrimPrefix(name, "Query"))
	}
	if v := c.Value.Arg(1); v != nil && (v.Kind == code.ValueString || v.Kind == code.ValueNumber) {
		input.Default = v.Text
	}
	x.add(input)
}

// getter returns what Get of a receiver reads: "query", "header", or "" for neither.
func (x *goInputs) getter(c Call, of string) string {
	switch {
	case strings.HasSuffix(of, "Header") || strings.HasSuffix(of, ".Header()"):
		return "header"
	case c.After > 0 && Last(c.File.Bodies.Calls[c.After-1].Value.Text) == "Query" || x.isQuery(c, of):
		return "query"
	}
	return ""
}

// isQuery reports whether a variable holds the query of a request.
func (x *goInputs) isQuery(c Call, of string) bool {
	for u := range c.AssignedTo(of) {
		if strings.HasSuffix(u.Value.Text, ".URL.Query") {
			return true
		}
	}
	return false
}

// add adds an input once.
func (x *goInputs) add(input Input) {
	if !slices.ContainsFunc(x.e.Inputs, func(o Input) bool { return o.Name == input.Name && o.In == input.In }) {
		x.e.Inputs = append(x.e.Inputs, input)
	}
}
