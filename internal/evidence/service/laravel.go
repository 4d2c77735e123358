package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// laravel reads Laravel: routes, middleware, form requests, and controllers, whose results are the answers.
var laravel = Framework{
	Name: "Laravel", Languages: []string{"php"},
	Serves:    isLaravel,
	Events:    laravelEvents,
	Raised:    laravelRaised,
	Answered:  laravelAnswered,
	Parts:     laravelParts,
	Called:    laravelCalled,
	Handlers:  laravelHandlers,
	Unhandled: 500,
	Settle:    laravelSettle,
}

// isLaravel reports whether a file takes part in an application of Laravel.
func isLaravel(f *code.File) bool {
	if f.Language != "php" {
		return false
	}
	if isLaravelRoutes(f) && (stem(f.Path) == "api" || stem(f.Path) == "web") {
		return true
	}
	return slices.ContainsFunc(f.Imports, func(i code.Import) bool { return strings.HasPrefix(i.Module, `Illuminate\`) })
}

// laravelReader reads the controllers and the middleware of a project.
type laravelReader struct {
	*Project
	aliases map[string]Given   // of middleware, by name
	groups  map[string][]Given // of middleware, by name
	all     []Given            // middleware of every route
}

func laravelEvents(p *Project) []Event {
	x := &laravelReader{Project: p, aliases: map[string]Given{}, groups: map[string][]Given{}}
	x.kernel()
	var out []Event
	for _, r := range laravelRoutesOf(p) {
		if e, ok := x.endpoint(&r); ok {
			out = append(out, Event{On: laravelApp, Root: true, Route: &e})
		}
	}
	return out
}

// endpoint returns the endpoint of a route; ok is false for one of a resource whose controller has no such method.
func (x *laravelReader) endpoint(r *laravelRoute) (e Endpoint, ok bool) {
	e = Endpoint{Method: r.method, Path: strings.ReplaceAll(r.path, "?}", "}"), At: r.at, limited: r.limited, Handler: Step{Kind: Handling, Name: r.made, At: r.at}}
	if e.Path == "" {
		e.Path = "/"
	}
	pathInputs(nil, &e)
	class, method, known := x.action(r)
	if known && method == nil && r.made != "" && class != nil {
		return e, false
	}
	var params []code.Param
	switch {
	case method != nil:
		e.Handler.Name, e.Handler.Node, e.Handler.At = method.Path(), method, Place{method.File, method.Line}
		if s := x.Symbol(method); s != nil {
			params = s.Params
		}
	case r.action.Value != nil && r.action.Kind == code.ValueFunction:
		e.Handler.Name, e.Handler.Body = "closure", literalBody(x.File(r.action.File), r.action.Value)
		params = x.closureParams(r.action.File, r.action.Line)
	case r.action.Value == nil:
		status := map[string]int{"redirect": 302, "permanentRedirect": 301, "view": 200, "health": 200}[r.made]
		e.Success = []Answer{{Status: status, At: r.at}}
	}
	x.steps(&e, r, class, method)
	x.bound(&e, params)
	x.requests(&e, params)
	x.validated(&e)
	return e, true
}

// laravelSettle adds the success of a handler whose results are no responses: rows, texts, resources.
func laravelSettle(p *Project, e *Endpoint) {
	body := e.Handler.Body
	if e.Handler.Node != nil {
		body = p.Body(e.Handler.Node)
	} else if e.Handler.Name != "closure" {
		return
	}
	returns, throws := false, false
	code.AllStmts(bodyStmts(body), func(s *code.Stmt) {
		returns = returns || s.Op == code.StmtReturn
		throws = throws || s.Op == code.StmtError
	})
	if len(e.Success) == 0 && (returns || !throws) {
		e.Success = append(e.Success, Answer{Status: 200, At: e.Handler.At})
	}
}

// action returns the class and the method that a route leads to; known is false if the class is not of the project.
func (x *laravelReader) action(r *laravelRoute) (class *Class, method *resolve.Node, known bool) {
	v := r.action.Value
	if v == nil || v.Kind == code.ValueFunction {
		return nil, nil, false
	}
	controller, name := laravelName(v), "__invoke"
	if uses := v.Named("uses"); v.Kind == code.ValueObject && uses != nil {
		controller = laravelName(uses)
	} else if v.Kind == code.ValueObject && len(v.Args) == 2 { // [Controller::class, "method"]
		controller, name = laravelName(&v.Args[0]), v.Args[1].Text
	}
	if before, after, both := strings.Cut(controller, "@"); both {
		controller, name = before, after
	} else if r.controller != "" && v.Kind == code.ValueString {
		controller, name = r.controller, v.Text
	}
	if r.made != "" {
		name = r.made
	}
	if class = x.laravelClass(r.action.File, controller, r.namespace); class == nil {
		return nil, nil, false
	}
	return class, x.method(class, name), true
}

// laravelClass returns the class of the project that a name in a file means: by its import, or by the namespace around. Of
// several classes with the name it is the one whose path is most like the namespace.
func (p *Project) laravelClass(file, name, namespace string) *Class {
	name = strings.TrimPrefix(name, `\`)
	if f := p.File(file); f != nil && !strings.Contains(name, `\`) {
		for i := range f.Imports {
			imp := &f.Imports[i]
			if len(imp.Aliases) > 0 && imp.Aliases[0] == name || Last(imp.Module) == name {
				name = imp.Module
				break
			}
		}
	}
	if !strings.Contains(name, `\`) || namespace != "" {
		name = namespace + `\` + name
	}
	want := strings.FieldsFunc(name, func(c rune) bool { return c == '\\' })
	if len(want) == 0 {
		return nil
	}
	var best *Class
	most := -1
	for i := range p.classes[want[len(want)-1]] {
		c := &p.classes[want[len(want)-1]][i]
		if c.File.Language != "php" {
			continue
		}
		have := strings.Split(strings.TrimSuffix(c.File.Path, ".php"), "/")
		n := 0
		for n < min(len(have), len(want)) && strings.EqualFold(have[len(have)-1-n], want[len(want)-1-n]) {
			n++
		}
		if n > most {
			best, most = c, n
		}
	}
	return best
}

// closureParams returns the parameters of the first closure on a line with their types.
func (p *Project) closureParams(file string, line int) []code.Param {
	f := p.File(file)
	if f == nil {
		return nil
	}
	for i := range f.Facts.Scopes {
		s := &f.Facts.Scopes[i]
		if s.Kind != code.FuncScope || int(s.Line) != line || s.Name != "" {
			continue
		}
		var out []code.Param
		for _, d := range s.Defs {
			if d.Kind != code.DefParam {
				continue
			}
			param := code.Param{Name: strings.TrimPrefix(d.Name, "$")}
			for t := d.Type; t > 0; t = f.Facts.Exprs[t].X {
				param.Type = f.Facts.Exprs[t].Name
				if param.Type != "" {
					break
				}
			}
			out = append(out, param)
		}
		return out
	}
	return nil
}

// laravelModel reports whether a class of the project is a model of Eloquent.
func (p *Project) laravelModel(name string) bool {
	return slices.ContainsFunc(p.classes[name], func(c Class) bool { return c.File.Language == "php" }) && p.isPHP(name, "Model", "Authenticatable", "Pivot")
}

// libraryModel reports whether a class that a file imports is a model of a library, by its namespace.
func (p *Project) libraryModel(file, name string) bool {
	f := p.File(file)
	return f != nil && len(p.classes[name]) == 0 && slices.ContainsFunc(f.Imports, func(i code.Import) bool { return strings.HasSuffix(i.Module, `\Models\`+name) })
}

// isPHP reports whether a class is derived from one of a library with one of some names, directly or through others; a base
// may be imported under another name.
func (p *Project) isPHP(name string, bases ...string) bool { return p.isPHPBelow(name, bases, 0) }

func (p *Project) isPHPBelow(name string, bases []string, depth int) bool {
	return depth <= maxSteps && slices.ContainsFunc(p.classes[name], func(c Class) bool {
		return slices.ContainsFunc(c.Symbol.Bases, func(b string) bool {
			if b = Last(b); slices.Contains(bases, b) {
				return true
			}
			for i := range c.File.Imports {
				if imp := &c.File.Imports[i]; len(imp.Aliases) > 0 && imp.Aliases[0] == b {
					b = Last(imp.Module)
				}
			}
			return slices.Contains(bases, b) || b != name && p.isPHPBelow(b, bases, depth+1)
		})
	})
}

// bound adds the refusal of parameters that are models in the path: Laravel looks them up.
func (x *laravelReader) bound(e *Endpoint, params []code.Param) {
	names := pathParameters(e.Path)
	for _, param := range params {
		in := slices.ContainsFunc(names, func(n string) bool {
			n, _, _ = strings.Cut(n, ":")
			return strings.EqualFold(strings.ReplaceAll(n, "_", ""), strings.ReplaceAll(param.Name, "_", ""))
		})
		kind := Last(param.Type)
		if in && (x.laravelModel(kind) || x.libraryModel(e.Handler.At.File, kind)) && !strings.HasPrefix(param.Type, "?") {
			step := Step{Kind: Dependency, Name: kind, At: e.Handler.At}
			step.Refusals = []Refusal{{Answer: Answer{Status: 404, Error: "ModelNotFoundException", At: e.Handler.At}}}
			e.Chain = append(e.Chain, step)
		}
	}
	slices.SortStableFunc(e.Chain, func(a, b Step) int { return laravelRank(&a) - laravelRank(&b) }) // permissions ask for models
}

// laravelRank is the order of steps that Laravel sorts: the permissions of a route come after its models.
func laravelRank(s *Step) int {
	if s.Kind == Middleware {
		if name, _, _ := strings.Cut(s.Name, ":"); name == "can" || name == "Authorize" {
			return 2
		}
		return 0
	}
	return 1
}
