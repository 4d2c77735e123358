package service

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

var fastify = Framework{
	Name: "Fastify", Languages: ecmaLanguages, Imports: []string{"fastify"},
	Events: routerEvents(&fastifyRouters), Errors: routerErrors(&fastifyRouters), Answered: fastifyAnswered, Called: checksCalled, Passes: true, Unhandled: 500,
	Join: ecmaJoin, Finish: ecmaInputs, Applies: appliesToMethod, Settle: assumeSuccess,
}

// fastifyAnswered reads reply.code(201) before a result, too.
func fastifyAnswered(p *Project, at Site) (Answer, bool) {
	if a, ok := ecmaAnswered(p, at); ok {
		return a, true
	}
	a := at.Stmt.Answer
	if a == nil || !a.Sets || !hasResponse(at.File, at.Body, a.On) {
		return Answer{}, false
	}
	status := p.Status(at.File.Path, a.Value.Arg(0))
	return Answer{Status: status}, status > 0
}

// fastify reads the methods of Fastify.
func (r *routerReader) fastify(c Call, on Object, name string) {
	args := c.Value.Args
	switch {
	case name == "route" && len(args) > 0:
		r.routeObject(c, on)
	case name == "register":
		r.plugin(c, on)
	case name == "addHook" && len(args) > 1:
		r.out = append(r.out, Event{On: on, Steps: r.ecmaSteps(c.File, Middleware, args[1:])})
	case name == "setErrorHandler":
		r.errors = append(r.errors, r.ecmaSteps(c.File, Middleware, args)...)
	}
}

// fastifyRoute reads fastify.get(path, { preHandler, schema }, handler).
func (r *routerReader) fastifyRoute(c Call, on Object, verb string, paths []string, args []code.Value) {
	steps := r.hooks(c.File, &args[0])
	handler := &args[len(args)-1]
	steps = append(steps, r.ecmaSteps(c.File, Middleware, []code.Value{*handler})...)
	for _, path := range paths {
		r.add(c, on, verb, path, steps, handler)
	}
}

// hooks returns the steps of the options of a Fastify route, in the order in which they run.
func (r *routerReader) hooks(f *code.File, options *code.Value) []Step {
	at, def := r.definition(f, options)
	if def == nil {
		return nil
	}
	var out []Step
	for _, name := range []string{"onRequest", "preParsing", "preValidation"} {
		if v := def.Named(name); v != nil {
			out = append(out, r.ecmaSteps(at, Middleware, []code.Value{*v})...)
		}
	}
	if v := def.Named("schema"); v != nil && v.Named("body", "querystring", "query", "params", "headers") != nil {
		place := Place{at.Path, v.Line}
		out = append(out, Step{Kind: Validation, Name: "schema", At: place, Refusals: []Refusal{{Answer: Answer{Status: 400, At: place}}}})
	}
	if v := def.Named("preHandler"); v != nil {
		out = append(out, r.ecmaSteps(at, Middleware, []code.Value{*v})...)
	}
	return out
}

// routeObject reads fastify.route({ method, url, handler }).
func (r *routerReader) routeObject(c Call, on Object) {
	args := c.Value.Args
	at, def := r.definition(c.File, &args[len(args)-1])
	if def == nil {
		return
	}
	method, url, handler := def.Named("method"), def.Named("url", "path"), def.Named("handler")
	if method == nil || url == nil || handler == nil {
		return
	}
	path, ok := r.Text(at.Path, url)
	if !ok {
		return
	}
	methods := []code.Value{*method}
	if method.Kind == code.ValueOther {
		methods = method.Args
	}
	steps := append(r.hooks(at, def), r.ecmaSteps(at, Middleware, []code.Value{*handler})...)
	for _, m := range methods {
		r.add(c, on, strings.ToUpper(m.Text), path, steps, handler)
	}
}

// plugged notes the first parameters of plugins as routers.
func (r *routerReader) plugged(chain []Call) {
	if !r.kind.register {
		return
	}
	for _, c := range chain {
		if _, name := c.Of(); name != "register" {
			continue
		}
		for _, p := range r.plugins(c) {
			if _, known := r.objects[p.Child]; !known {
				r.objects[p.Child] = false
			}
		}
	}
}

// plugin reads fastify.register(plugin, { prefix }).
func (r *routerReader) plugin(c Call, on Object) {
	for _, p := range r.plugins(c) {
		p.On = on
		r.out = append(r.out, p)
	}
}

// plugins returns the routers that a registration mounts: the first parameter of a function, or of those of the files in a folder.
func (r *routerReader) plugins(c Call) []Event {
	args := c.Value.Args
	if chainArg(c) {
		args = args[1:]
	}
	if len(args) == 0 {
		return nil
	}
	var options code.Value
	if len(args) > 1 {
		options = args[1]
	}
	if module := r.moduleOf(c.File, args[0].Text); module == "@fastify/autoload" || module == "fastify-autoload" {
		return r.autoloaded(c.File, &options)
	}
	var out []Event
	prefix, _ := r.Text(c.File.Path, options.Named("prefix"))
	steps := r.ecmaSteps(c.File, Middleware, args[:1])
	if f := r.requiredFile(c.File, &args[0]); f != nil {
		steps = r.exportedWhole(f)
	}
	for _, s := range steps {
		if o, ok := r.parameterObject(s); ok {
			out = append(out, Event{Child: o, Prefix: prefix})
		}
	}
	return out
}

// requiredFile returns the file of the project that require("./x") or import("./x.js") reads; nil for other values.
func (r *routerReader) requiredFile(f *code.File, v *code.Value) *code.File {
	if v.Kind != code.ValueCall || v.Text != "require" && v.Text != "import" || r.imports == nil {
		return nil
	}
	name, _ := r.Text(f.Path, v.Arg(0))
	for i := range f.Imports {
		if f.Imports[i].Module != name || !f.Imports[i].Relative {
			continue
		}
		for _, file := range r.imports.Target(f.Path, i).Files {
			return r.File(file)
		}
	}
	return nil
}

// moduleOf returns the module that a name is imported or required from.
func (r *routerReader) moduleOf(f *code.File, name string) string {
	if module, _ := importOf(f, name); module != "" {
		return module
	}
	if b, ok := r.Bound(f.Path, "", name); ok && b.Value.Text == "require" {
		module, _ := r.Text(f.Path, b.Value.Arg(0))
		return module
	}
	return ""
}

// autoloaded returns the plugins of a folder (https://github.com/fastify/fastify-autoload): files are served below the names of the
// folders around them, an index file stands for its folder.
func (r *routerReader) autoloaded(f *code.File, options *code.Value) []Event {
	dir := r.folder(f, options.Named("dir"))
	if dir == "" {
		return nil
	}
	prefix := ""
	if inner := options.Named("options"); inner != nil {
		prefix, _ = r.Text(f.Path, inner.Named("prefix"))
	}
	flat := options.Named("dirNameRoutePrefix")
	indexed := map[string]bool{}
	for _, file := range r.Files {
		if isIndex(file.Path) {
			indexed[path.Dir(file.Path)] = true
		}
	}
	var out []Event
	for _, file := range r.Files {
		rest, inside := strings.CutPrefix(file.Path, dir+"/")
		if !inside || file.Test || !slices.Contains(ecmaLanguages, file.Language) || indexed[path.Dir(file.Path)] && !isIndex(file.Path) {
			continue
		}
		below := path.Join("/", prefix, path.Dir(rest))
		if flat != nil && flat.Text == "false" {
			below = prefix
		}
		if own, ok := r.Bound(file.Path, "", "autoPrefix"); ok {
			text, _ := r.Text(file.Path, &own.Value)
			below = JoinPath(prefix, text)
		}
		out = append(out, r.exportedPlugins(file, strings.TrimSuffix(below, "/"))...)
	}
	return out
}

// exportedPlugins returns the plugin that a file exports, below a prefix.
func (r *routerReader) exportedPlugins(f *code.File, prefix string) (out []Event) {
	for _, s := range r.exportedWhole(f) {
		if o, ok := r.parameterObject(s); ok {
			out = append(out, Event{Child: o, Prefix: prefix})
		}
	}
	return out
}

func isIndex(file string) bool {
	name := path.Base(file)
	return strings.TrimSuffix(name, path.Ext(name)) == "index"
}

// folder returns the folder that a value names beside a file: path.join(__dirname, "routes").
func (r *routerReader) folder(f *code.File, v *code.Value) string {
	if v == nil {
		return ""
	}
	parts := []string{path.Dir(f.Path)}
	if text, ok := r.Text(f.Path, v); ok {
		return path.Join(append(parts, text)...)
	}
	for i := range v.Args {
		text, ok := r.Text(f.Path, &v.Args[i])
		switch {
		case ok:
			parts = append(parts, text)
		case i > 0:
			return ""
		}
	}
	if v.Kind != code.ValueCall || len(parts) < 2 {
		return ""
	}
	return path.Join(parts...)
}

// exportedWhole returns the function that a file exports as a whole.
func (r *routerReader) exportedWhole(f *code.File) []Step {
	for _, n := range r.Links.Linked(f.Path) {
		if n.Path() == "default" && IsFunction(n) && r.Body(n) != nil {
			return []Step{{Kind: Middleware, Node: n, At: Place{f.Path, n.Line}}}
		}
	}
	for _, name := range []string{"module.exports", "default", ""} {
		if b, ok := r.Bound(f.Path, "", name); ok {
			return r.ecmaSteps(b.File, Middleware, []code.Value{b.Value})
		}
	}
	return nil
}

// parameterObject returns the identity of the first parameter of a function.
func (r *routerReader) parameterObject(s Step) (Object, bool) {
	b := s.Body
	file := s.At.File
	if s.Node != nil {
		b, file = r.Body(s.Node), s.Node.File
	}
	if b == nil || len(b.Params) == 0 {
		return "", false
	}
	return objectOf(file, b.In, b.Params[0]), true
}
