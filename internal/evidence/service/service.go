// Package service finds what a web service answers: its endpoints with their inputs, their success, and their refusals in
// the order in which they are checked. The unit is the closure of a route: middleware, dependencies, the handler, and what
// these call in the whole project. The entry point is [Find].
//
// A framework is a row in the table below, in a file of its own: it says which calls and annotations register routes, in
// which order steps run, and what raises and answers mean. The rest is common to all.
package service

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/database"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/evidence/settings"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Endpoint is an operation that a service serves.
type Endpoint struct {
	Framework string
	Method    string // "GET"; "" for any
	Path      string // with the prefixes of the routers around; parameters as the framework writes them
	Name      string // of the route, if the framework names routes; else ""
	Handler   Step
	Chain     []Step // what runs before the handler, in order
	Inputs    []Input
	Success   []Answer
	Bodies    []Body             // of the successes whose fields are known; set by [Find]
	Declared  bool               // Success has the status of results whose statement gives none
	Refusals  []Refusal          // in the order in which they are checked; set by [Find]
	Stored    []Access           // what is done to the database, each once; set by [Find]
	Hazards   []Hazard           // what that may lead to; set by [Find]
	Tables    []*database.Table  // those of Stored that the project declares; set by [Find]
	At        Place              // of the registration
	Shadowed  *Place             // an earlier route that takes its requests; nil for none
	Handlers  []Handler          // of errors of this endpoint, before those of the project; the first that fits is used
	Requests  []Request          // that tests send to it; set by [Join]
	Settings  []settings.Setting // those of the programs that serve it that its steps reach; set by [Find]
	// Guards are the steps that refuse callers with 401 or 403, in order, without those that run for another one.
	Guards []string

	limited    []string // the parameters of the path that do not take every text, where the path does not say so
	unclear    []int    // the statuses of successes whose bodies differ, or are changed after the model
	registered *Call    // of Express and the like, until the endpoint is finished
}

// Place is a line of a file.
type Place struct {
	File string
	Line int
}

// Step is a function that takes part in answering a request.
type Step struct {
	Kind string        // one of the kinds below
	Name string        // of the function or class, as written
	Node *resolve.Node // nil if it is not in the project
	Body *code.Body    // a function literal in the file of At, if Node is nil
	At   Place         // where the step is named
	// For is the step that runs this one for itself: the dependency that has it; "" for none.
	For string
	// Absent is the header without which the framework refuses a request at this step; "" for none.
	Absent string
	// Below is the path at and below which the step runs; "" for everywhere. A "*" is any part, at the end any rest.
	Below string
	// Refusals are those that the framework itself makes at this step, before those that are found in Node.
	Refusals []Refusal
	// Fallback is the status of errors of Node whose status is not constant; 0 for none.
	Fallback int
	// False and True are the parameters of the factory of a step that are given these constants.
	False, True []string
}

// The kinds of steps.
const (
	Middleware = "middleware"
	Dependency = "dependency" // also guards, filters, permissions
	Validation = "validation" // of the inputs by their schema
	Handling   = "handler"
)

// Input is a value that a request carries.
type Input struct {
	In       string // "path", "query", "header", "cookie", "body", "form"
	Name     string // a field of a body with the path to it: "article.title"
	Type     string // as written; "" if it is not known
	Required bool
	Default  string   // as written; "" for none
	Limits   []string // as written: "ge=1"
	At       Place
}

// Answer is a response.
type Answer struct {
	Status  int    // 0 if it is not constant
	Code    string // instead of Status, the code of a protocol that has names for them: "NOT_FOUND" of gRPC; else ""
	Body    string // the type or model of the body; "" if it is not known
	Error   string // the class of the error that led to it; "" for none
	Message string // the text that it says; "" for none
	At      Place
}

// Body is the body of a success.
type Body struct {
	Type   string  // as written; "" if it has no name
	Status int     // of the success
	Fields []Input // "article.title", "articles[].title"
	At     Place   // of the type
}

// Refusal is an answer with an error status and when it is given.
type Refusal struct {
	Answer
	When    []paths.Term // all must hold; none if that is not known or it is unconditional
	Partial bool         // there are further conditions
	Step    string       // the kind of the step that refuses
	By      string       // the name of that step
	In      string       // qualified name of the function that refuses; "" for the framework
	// Unhandled is set if no handler is registered for the error, so that the framework answers with its own status.
	Unhandled bool
}

// Guard reports whether a refusal says that the caller may not: 401 or 403, or the codes that mean these.
func (r *Refusal) Guard() bool {
	return r.Status == 401 || r.Status == 403 || r.Code == "UNAUTHENTICATED" || r.Code == "PERMISSION_DENIED"
}

// Framework is how a web framework is read. Functions may be nil.
type Framework struct {
	Name      string
	Languages []string
	Imports   []string // prefixes of modules; a file that imports one uses the framework
	// Serving reports whether a file with such an import answers requests, if the module is there for clients too; nil for
	// every file.
	Serving func(f *code.File) bool
	// Events returns the registrations of the framework's routes, in the order in which they run.
	Events func(p *Project) []Event
	// Join joins the prefix of a router and a path; nil for [JoinPath].
	Join func(prefix, path string) string
	// Raised returns the answer to an error that is thrown; ok is false for an error that the framework does not know.
	Raised func(p *Project, at Site, made *code.Value) (Answer, bool)
	// Answered returns the answer that a statement gives, a return or a call; ok is false for others.
	Answered func(p *Project, at Site) (Answer, bool)
	// Parts returns the values of the answer of a statement that Answered knows: callers may give them. It may be nil.
	Parts func(at Site) Parts
	// Called returns the answer that a call inside a statement may give instead of a result: get_or_404(…). Its Error is
	// the class of the error that carries it through the callers.
	Called func(p *Project, at Site, call *code.Value) (Answer, bool)
	// Follows returns functions of the project that a call inside a statement leads to by the framework: the methods of a
	// schema that validate.
	Follows func(p *Project, at Site, call *code.Value) []*resolve.Node
	// Handlers returns the handlers that are registered for errors.
	Handlers func(p *Project) []Handler
	// Passes says that called functions may answer for their callers: they are given the response.
	Passes bool
	// Values says that errors are results, not exceptions: callers decide what becomes of them.
	Values bool
	// Unhandled is the status for an error without a handler; 0 if errors do not reach the framework.
	Unhandled int
	// Errors returns the function that says how the application answers an error, by its class and the call that makes it
	// (nil if it is not known), given what is known of the answer. It replaces Raised and Handlers.
	Errors func(p *Project, read func(s *Step) []Ending) func(at Site, class string, made *code.Value, a Answer) Answer
	// Applies reports whether an outcome with these conditions is possible for an endpoint.
	Applies func(e *Endpoint, when []paths.Term) bool
	// Settle completes an endpoint whose refusals are known.
	Settle func(p *Project, e *Endpoint)
	// Leaks says that the steps of a mounted router also run before routes that are registered after it, if the path fits.
	Leaks bool
	// Assigns says that an assignment may answer: of the status of the response.
	Assigns bool
	// Closest says that of several routes that fit a request the most specific one takes it, not the first.
	Closest bool
	// Serves reports whether a file takes part without an import.
	Serves func(f *code.File) bool
	// Body returns the body of a success, as far as it is known. It may be nil.
	Body func(p *Project, e *Endpoint, a *Answer) Body
	// Finish completes an endpoint of the framework whose Chain is known: steps of the framework, inputs, success.
	Finish func(p *Project, e *Endpoint)
}

// frameworks has a row for each web framework.
func frameworks() []Framework {
	return append([]Framework{
		fastapi, flask, django, rails, laravel, axum, actix,
		express, hono, koa, fastify, nest, next, spring, aspnet, grpc,
	}, goFrameworks()...)
}

// Uses reports whether a file uses a framework of the table to answer requests.
func Uses(f *code.File) bool {
	return slices.ContainsFunc(frameworks(), func(w Framework) bool { return w.uses(f) })
}

// uses reports whether a file uses the framework to answer requests.
func (w *Framework) uses(f *code.File) bool {
	if w.Serves != nil && w.Serves(f) {
		return true
	}
	return slices.Contains(w.Languages, f.Language) && (w.Serving == nil || w.Serving(f)) && slices.ContainsFunc(f.Imports, func(i code.Import) bool {
		return slices.ContainsFunc(w.Imports, func(prefix string) bool {
			rest, ok := strings.CutPrefix(i.Module, prefix)
			return ok && (rest == "" || strings.ContainsAny(rest[:1], "./:-"))
		})
	})
}

// frameworkPackages are the names of packages of frameworks where these are not how files import them.
var frameworkPackages = []string{
	"djangorestframework", "grpcio", "laravel/framework", "org.springframework.boot:spring-boot-starter-web", "org.springframework.boot:spring-boot-starter-webflux",
}

// Required reports whether the innermost package around a target depends on a web framework, other than for development.
func Required(m *manifest.Manifests, target string) bool {
	if m == nil {
		return false
	}
	list := m.Packages()
	at := manifest.Deepest(list, func(p manifest.Package) string { return path.Dir(p.Manifest) }, target+"/x")
	return at >= 0 && slices.ContainsFunc(list, func(p manifest.Package) bool { // a folder may have several manifests
		return path.Dir(p.Manifest) == path.Dir(list[at].Manifest) && slices.ContainsFunc(p.Dependencies, func(d manifest.Dependency) bool {
			return !d.Dev && isFramework(d.Name)
		})
	})
}

// isFramework reports whether a package is one of a framework.
func isFramework(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(frameworkPackages, name) || slices.ContainsFunc(frameworks(), func(w Framework) bool {
		return slices.ContainsFunc(w.Imports, func(prefix string) bool {
			rest, ok := strings.CutPrefix(name, strings.ToLower(prefix))
			return ok && (rest == "" || rest[0] == '/' || rest[0] == '.')
		})
	})
}

// Find returns the endpoints of a project, by framework and in the order of registration.
func Find(p *Project) []Endpoint {
	var out []Endpoint
	loaded := sync.OnceValue(func() *loader { return newLoader(p) })
	for _, w := range frameworks() {
		if w.Events == nil || !slices.ContainsFunc(p.Files, w.uses) {
			continue
		}
		r := &reader{Project: p, framework: &w, memo: newMemo()}
		if w.Handlers != nil {
			r.handlers = w.Handlers(p)
		}
		if w.Errors != nil {
			r.errors = w.Errors(p, r.endings)
		}
		list := compose(w.Events(p), w.join, w.Leaks)
		for i := range list {
			e := &list[i]
			e.Framework = w.Name
			if w.Finish != nil {
				w.Finish(p, e)
			}
			r.refusals(e)
			r.bodies(e)
			r.accesses(e)
			e.Settings = loaded().reachedBy(e)
		}
		if !w.Closest {
			shadow(list)
		}
		out = append(out, list...)
	}
	return out
}

func (w *Framework) join(prefix, path string) string {
	if w.Join != nil {
		return w.Join(prefix, path)
	}
	return JoinPath(prefix, path)
}

// JoinPath joins two parts of a path with one slash; an empty part adds none.
func JoinPath(prefix, path string) string {
	switch {
	case path == "":
		return prefix
	case prefix == "":
		return "/" + strings.TrimLeft(path, "/")
	}
	return strings.TrimRight(prefix, "/") + "/" + strings.TrimLeft(path, "/")
}
