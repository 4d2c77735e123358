package service

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// laravelApp is the application: a project has one set of routes.
const laravelApp = Object("laravel application")

// laravelRoute is a registered route.
type laravelRoute struct {
	method, path string
	action       Given
	controller   string // of an action that is a method's name alone
	namespace    string // before the name of a controller in a text
	made         string // the method, if a resource registers the route; else ""
	middleware   []Given
	without      []string
	limited      []string // the parameters that do not take every text
	at           Place
}

// laravelScope is what holds for the routes of a group.
type laravelScope struct {
	path, controller, namespace string
	middleware                  []Given
	without, limited            []string
}

// laravelRoutes reads the routes of a project (https://laravel.com/docs/routing).
type laravelRoutes struct {
	*Project
	mounted map[string]bool // files
	limited []string        // the parameters with a pattern in all routes
	out     []laravelRoute
	depth   int
}

// laravelLink is one call of a chain, with its own arguments.
type laravelLink struct {
	name string
	args code.Value
	call Call
}

func isLaravelRoutes(f *code.File) bool {
	return f.Language == "php" && (strings.HasPrefix(f.Path, "routes/") || strings.Contains(f.Path, "/routes/"))
}

// laravelRoutesOf returns the routes of a project: the files that a provider or bootstrap/app.php loads, in the order of the
// files, and else routes/api.php below "api" and routes/web.php.
func laravelRoutesOf(p *Project) []laravelRoute {
	x := &laravelRoutes{Project: p, mounted: map[string]bool{}}
	for _, f := range p.Files {
		if f.Language == "php" && !isLaravelRoutes(f) {
			x.provider(f)
		}
	}
	for _, f := range p.Files {
		if isLaravelRoutes(f) && !x.mounted[f.Path] {
			switch path.Base(f.Path) {
			case "api.php":
				x.file(f, laravelScope{path: "/api", middleware: []Given{laravelText(f.Path, "api")}})
			case "web.php":
				x.file(f, laravelScope{middleware: []Given{laravelText(f.Path, "web")}})
			}
		}
	}
	for i := range x.out {
		x.out[i].limited = append(slices.Clip(x.out[i].limited), x.limited...)
	}
	return x.out
}

func laravelText(file, text string) Given {
	return Given{file, &code.Value{Kind: code.ValueString, Text: text}}
}

// provider mounts the files that a file loads: Route::prefix(…)->group(base_path("routes/api.php")), withRouting(api: …).
func (x *laravelRoutes) provider(f *code.File) {
	for _, chain := range chains(f) {
		links := laravelLinks(chain)
		for _, l := range links {
			if l.name == "withRouting" {
				x.routing(f, &l.args)
			}
			if l.name == "pattern" && isLaravelRouter(chain[0]) {
				x.limited = append(x.limited, laravelLimited(&l.args)...)
			}
		}
		if last := links[len(links)-1]; last.name == "group" && isLaravelRouter(chain[0]) {
			s := laravelScope{}
			x.attributes(f, links, &s)
			for i := range last.args.Args {
				x.load(laravelFile(&last.args.Args[i]), s)
			}
		}
	}
}

// routing reads withRouting(web: …, api: …, apiPrefix: …, health: …) of Laravel 11.
func (x *laravelRoutes) routing(f *code.File, v *code.Value) {
	prefix := "/api"
	if given := v.Named("apiPrefix"); given != nil {
		prefix = JoinPath("", given.Text)
	}
	if given := v.Named("health"); given != nil && given.Kind == code.ValueString {
		x.out = append(x.out, laravelRoute{method: "GET", path: JoinPath("", given.Text), made: "health", at: Place{f.Path, given.Line}})
	}
	x.load(laravelFile(v.Named("api")), laravelScope{path: prefix, middleware: []Given{laravelText(f.Path, "api")}})
	x.load(laravelFile(v.Named("web")), laravelScope{middleware: []Given{laravelText(f.Path, "web")}})
}

// laravelFile returns the path of a routes' file that a value names, with "…" for what is computed; "" for none.
func laravelFile(v *code.Value) string {
	if v != nil && v.Kind == code.ValueCall && Last(v.Text) == "base_path" {
		v = v.Arg(0)
	}
	formatted := v != nil && v.Kind == code.ValueCall && Last(v.Text) == "sprintf"
	if formatted {
		v = v.Arg(0)
	}
	if v == nil || v.Kind != code.ValueString || !strings.HasSuffix(v.Text, ".php") {
		return ""
	}
	text := phpVariable.ReplaceAllString(v.Text, "…")
	if formatted {
		text = phpVerb.ReplaceAllString(text, "…")
	}
	if i := strings.LastIndex(text, "routes/"); i >= 0 {
		return text[i:]
	}
	return strings.TrimLeft(text, "…/.")
}

// phpVariable is a variable inside a text in double quotes: "{$name}" or "$name". phpVerb is what sprintf replaces.
var (
	phpVariable = lazyregexp.New(`\{\$(\w+)[^}]*\}|\$(\w+)`)
	phpVerb     = lazyregexp.New(`%[sd]`)
)

// load reads the file with a path at its end; of a name that is computed in part, all files in its folder that fit and no other call loads.
func (x *laravelRoutes) load(name string, s laravelScope) {
	if name == "" {
		return
	}
	if strings.Contains(name, "…") {
		for _, f := range x.Files {
			if isLaravelRoutes(f) && !x.mounted[f.Path] && laravelFits(name, f.Path) {
				x.file(f, s)
			}
		}
		return
	}
	for _, f := range x.Files {
		if f.Path == name || strings.HasSuffix(f.Path, "/"+name) {
			x.file(f, s)
			return
		}
	}
}

// laravelFits reports whether a file may be the one that a name means in which "…" is computed; at least a part of the file's own
// name is given.
func laravelFits(name, file string) bool {
	if strings.Trim(strings.TrimSuffix(path.Base(name), ".php"), "….") == "" {
		return false
	}
	parts := strings.Split(name, "/")
	have := strings.Split(file, "/")
	if len(have) < len(parts) {
		return false
	}
	fits, err := path.Match(strings.ReplaceAll(name, "…", "*"), strings.Join(have[len(have)-len(parts):], "/"))
	return err == nil && fits
}

func (x *laravelRoutes) file(f *code.File, s laravelScope) {
	x.mounted[f.Path] = true
	if x.depth++; x.depth <= maxMounts {
		x.list(f, 0, 0, 1<<30, s)
	}
	x.depth--
}

// laravelLinks splits a chain into its calls; the argument that stands for the calls before is left out.
func laravelLinks(chain []Call) []laravelLink {
	var out []laravelLink
	for i, c := range chain {
		l := laravelLink{Last(c.Value.Text), c.Value, c}
		if i > 0 && len(l.args.Args) > 0 {
			l.args.Args = l.args.Args[1:]
		}
		out = append(out, l)
	}
	return out
}

// isLaravelRouter reports whether a chain begins at the router.
func isLaravelRouter(c Call) bool {
	receiver, _ := c.Of()
	switch Last(receiver) {
	case "Route", "$router", "$route":
		return true
	}
	return false
}

// list reads the routes inside a group, by the number of its call and its lines.
func (x *laravelRoutes) list(f *code.File, within, first, last int, s laravelScope) {
	var inner [][2]int // lines of groups
	for _, chain := range chains(f) {
		end := chain[len(chain)-1]
		if end.Within == within && end.Line >= first && end.Line <= last && isLaravelRouter(chain[0]) {
			x.chain(f, chain, s, &inner)
		}
	}
	for i := range f.Imports {
		imp := &f.Imports[i]
		inside := slices.ContainsFunc(inner, func(l [2]int) bool { return l[0] <= imp.Line && imp.Line <= l[1] })
		if !imp.Relative || imp.Line < first || imp.Line > last || inside {
			continue
		}
		if required := x.File(path.Join(path.Dir(f.Path), imp.Module)); required != nil && isLaravelRoutes(required) {
			x.file(required, s)
		}
	}
}

// chain reads one chain of calls: a group, a route, a resource.
func (x *laravelRoutes) chain(f *code.File, chain []Call, s laravelScope, inner *[][2]int) {
	links := laravelLinks(chain)
	s.middleware = slices.Clone(s.middleware)
	for i, l := range links {
		switch {
		case l.name == "group":
			x.attributes(f, links[:i+1], &s)
			x.group(f, l, s, inner)
			return
		case laravelVerbs[l.name] != nil || l.name == "match":
			x.attributes(f, links, &s)
			x.verb(f, l, s)
			return
		case laravelResources[l.name]:
			x.attributes(f, links, &s)
			x.resources(f, l, links[i+1:], s)
			return
		}
	}
}

// attributes adds what the calls of a chain say of its routes.
func (x *laravelRoutes) attributes(f *code.File, links []laravelLink, s *laravelScope) {
	for _, l := range links {
		switch l.name {
		case "prefix":
			s.path = JoinPath(s.path, laravelPath(l.args.Arg(0)))
		case "middleware":
			s.middleware = append(s.middleware, laravelList(f.Path, &l.args)...)
		case "can":
			if v := l.args.Arg(0); v != nil {
				s.middleware = append(s.middleware, laravelText(f.Path, "can:"+v.Text))
			}
		case "withoutMiddleware":
			for _, g := range laravelList(f.Path, &l.args) {
				s.without = append(s.without, laravelName(g.Value))
			}
		case "controller":
			s.controller = laravelName(l.args.Arg(0))
		case "namespace":
			s.namespace = laravelNamespace(s.namespace, l.args.Arg(0))
		case "group":
			x.options(f, l.args.Arg(0), s)
		default:
			if strings.HasPrefix(l.name, "where") {
				s.limited = append(slices.Clip(s.limited), laravelLimited(&l.args)...)
			}
		}
	}
}

// options adds the options of Route::group(["prefix" => …, "middleware" => …], …).
func (x *laravelRoutes) options(f *code.File, v *code.Value, s *laravelScope) {
	if v == nil || v.Kind != code.ValueObject {
		return
	}
	if given := v.Named("prefix"); given != nil {
		s.path = JoinPath(s.path, laravelPath(given))
	}
	if given := v.Named("middleware"); given != nil {
		s.middleware = append(s.middleware, laravelList(f.Path, &code.Value{Args: []code.Value{*given}})...)
	}
	if given := v.Named("namespace"); given != nil {
		s.namespace = laravelNamespace(s.namespace, given)
	}
	if given := v.Named("controller"); given != nil {
		s.controller = laravelName(given)
	}
}

// laravelLimited returns the parameters that where("id", "[0-9]+"), where(["id" => "[0-9]+"]), whereNumber("id") and the like limit.
func laravelLimited(args *code.Value) []string {
	first := args.Arg(0)
	switch {
	case first == nil:
		return nil
	case first.Kind == code.ValueString:
		return []string{first.Text}
	case first.Kind != code.ValueObject:
		return nil
	}
	var out []string
	for i := range first.Args {
		out = append(out, cmp.Or(first.Args[i].Name, first.Args[i].Text))
	}
	return out
}

func laravelNamespace(around string, v *code.Value) string {
	if v == nil || v.Kind != code.ValueString {
		return around
	}
	return strings.TrimPrefix(around+`\`+strings.Trim(v.Text, `\`), `\`)
}

// laravelPath returns the text of a path without what is computed; a variable in it is written as a parameter.
func laravelPath(v *code.Value) string {
	if v == nil || v.Kind != code.ValueString {
		return ""
	}
	return strings.ReplaceAll(phpVariable.ReplaceAllString(strings.Trim(v.Text, "/"), "{$1$2}"), "…", "")
}

// laravelList returns the values of a list of arguments, also if they are in one array.
func laravelList(file string, args *code.Value) []Given {
	var out []Given
	for i := range args.Args {
		a := &args.Args[i]
		if a.Kind == code.ValueObject {
			out = append(out, laravelList(file, a)...)
		} else if a.Name == "" || a.Kind == code.ValueString || a.Kind == code.ValueName {
			out = append(out, Given{file, a})
		}
	}
	return out
}

// laravelName returns the name that a text or Class::class is.
func laravelName(v *code.Value) string {
	if v == nil || v.Kind != code.ValueString && v.Kind != code.ValueName {
		return ""
	}
	return strings.TrimSuffix(v.Text, "::class")
}

// group reads a group: a closure, or a file.
func (x *laravelRoutes) group(f *code.File, l laravelLink, s laravelScope, inner *[][2]int) {
	for i := range l.args.Args {
		a := &l.args.Args[i]
		if body := literalBody(f, a); body != nil {
			*inner = append(*inner, [2]int{body.Line, body.End})
			for at := range f.Bodies.Calls {
				if &f.Bodies.Calls[at] == l.call.CallUse {
					x.list(f, at+1, body.Line, body.End, s)
				}
			}
			return
		}
		x.load(laravelFile(a), s)
	}
}

// laravelVerbs are the methods of a route by the call that registers it.
var laravelVerbs = map[string][]string{
	"get": {"GET"}, "post": {"POST"}, "put": {"PUT"}, "patch": {"PATCH"}, "delete": {"DELETE"}, "options": {"OPTIONS"}, "any": {""},
	"view": {"GET"}, "redirect": {""}, "permanentRedirect": {""}, "fallback": {"GET"},
}

// laravelResources are the calls that register several routes.
var laravelResources = map[string]bool{
	"resource": true, "apiResource": true, "resources": true, "apiResources": true, "singleton": true, "apiSingleton": true,
}

// verb reads Route::get(path, action) and Route::match(methods, path, action).
func (x *laravelRoutes) verb(f *code.File, l laravelLink, s laravelScope) {
	args, methods := l.args.Args, laravelVerbs[l.name]
	switch {
	case l.name == "match" && len(args) > 0:
		methods = nil
		for i := range args[0].Args {
			methods = append(methods, strings.ToUpper(args[0].Args[i].Text))
		}
		args = args[1:]
	case l.name == "fallback":
		args = append([]code.Value{{Kind: code.ValueString, Text: "{fallbackPlaceholder}"}}, args...)
	}
	if len(args) == 0 || args[0].Kind != code.ValueString {
		return
	}
	r := laravelRoute{path: JoinPath(s.path, laravelPath(&args[0])), controller: s.controller, namespace: s.namespace, middleware: s.middleware, without: s.without, limited: s.limited, at: l.call.Place()}
	if len(args) > 1 && l.name != "view" && !strings.HasSuffix(strings.ToLower(l.name), "redirect") {
		r.action = Given{f.Path, &args[1]}
	} else {
		r.made = l.name
	}
	for _, m := range phpVariable.FindAllStringSubmatch(args[0].Text, -1) { // stands for some texts, as in a loop
		r.limited = append(slices.Clip(r.limited), cmp.Or(m[1], m[2]))
	}
	for _, r.method = range methods {
		x.out = append(x.out, r)
	}
}

// laravelActions are the actions of a resource in the order in which they are registered.
var laravelActions = []railsAction{
	{"index", "GET", 'c'},
	{"create", "GET", 'n'},
	{"store", "POST", 'c'},
	{"show", "GET", 'm'},
	{"edit", "GET", 'e'},
	{"update", "PUT", 'm'},
	{"update", "PATCH", 'm'},
	{"destroy", "DELETE", 'm'},
}

// resources reads Route::resource(name, controller, options) and its relatives.
func (x *laravelRoutes) resources(f *code.File, l laravelLink, after []laravelLink, s laravelScope) {
	api := strings.HasPrefix(l.name, "api")
	if strings.HasSuffix(l.name, "s") { // name => controller, …
		if list := l.args.Arg(0); list != nil {
			for i := range list.Args {
				x.resource(l, after, s, list.Args[i].Name, Given{f.Path, &list.Args[i]}, api)
			}
		}
		return
	}
	if name, controller := l.args.Arg(0), l.args.Arg(1); name != nil && controller != nil {
		x.resource(l, after, s, name.Text, Given{f.Path, controller}, api)
	}
}

// resource adds the routes of one resource.
func (x *laravelRoutes) resource(l laravelLink, after []laravelLink, s laravelScope, name string, controller Given, api bool) {
	options := laravelOptions(after, l.args.Arg(2))
	single := strings.HasSuffix(strings.ToLower(l.name), "singleton")
	collection, member := laravelResourcePaths(s.path, strings.Trim(name, "/"), options)
	if single {
		member = collection
	}
	for _, a := range laravelActions {
		only, except := options["only"], options["except"]
		if api && (a.on == 'n' || a.on == 'e') || len(only) > 0 && !slices.Contains(only, a.name) || slices.Contains(except, a.name) {
			continue
		}
		if single && !laravelSingle(a, options) {
			continue
		}
		at := map[byte]string{'c': collection, 'n': collection + "/create", 'e': member + "/edit", 'm': member}[a.on]
		x.out = append(x.out, laravelRoute{
			method: a.method, path: at, action: controller, made: a.name, namespace: s.namespace, middleware: s.middleware, without: s.without, limited: s.limited, at: l.call.Place(),
		})
	}
}

// laravelSingle reports whether a singleton has an action.
func laravelSingle(a railsAction, options map[string][]string) bool {
	switch {
	case a.on == 'c' && a.name == "index":
		return false
	case a.on == 'c' || a.on == 'n':
		return len(options["creatable"]) > 0
	case a.name == "destroy":
		return len(options["destroyable"])+len(options["creatable"]) > 0
	}
	return true
}

// laravelOptions returns the options of a resource: those of an array, and of the calls after it.
func laravelOptions(after []laravelLink, array *code.Value) map[string][]string {
	out := map[string][]string{}
	add := func(name string, v *code.Value) {
		for _, g := range laravelList("", v) {
			if g.Name != "" {
				out[name+" "+g.Name] = []string{g.Text}
			} else {
				out[name] = append(out[name], g.Text)
			}
		}
	}
	for i := range after {
		add(after[i].name, &after[i].args)
		if name := after[i].name; name == "shallow" || name == "creatable" || name == "destroyable" {
			out[name] = []string{"true"}
		}
	}
	if array != nil && array.Kind == code.ValueObject {
		for i := range array.Args {
			add(array.Args[i].Name, &code.Value{Args: []code.Value{array.Args[i]}})
		}
	}
	return out
}

// laravelResourcePaths returns the paths of a resource, "posts.comments" being below its parent, and of one of its objects.
func laravelResourcePaths(prefix, name string, options map[string][]string) (collection, member string) {
	parts := strings.Split(name, ".")
	parameter := func(part string) string {
		if given := options["parameters "+part]; len(given) > 0 {
			return "{" + given[0] + "}"
		}
		return "{" + strings.ReplaceAll(railsSingular(part[strings.LastIndexByte(part, '/')+1:]), "-", "_") + "}"
	}
	last := parts[len(parts)-1]
	collection = prefix
	for _, part := range parts[:len(parts)-1] {
		collection = JoinPath(collection, part+"/"+parameter(part))
	}
	collection = JoinPath(collection, last)
	if member = collection; len(options["shallow"]) > 0 {
		member = JoinPath(prefix, last)
	}
	return collection, JoinPath(member, parameter(last))
}
