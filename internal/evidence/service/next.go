package service

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// next reads the handlers of Next.js: exported functions named after HTTP methods in app/**/route.ts, and default exports
// in pages/api (https://nextjs.org/docs/app/building-your-application/routing/route-handlers).
var next = Framework{
	Name: "Next.js", Languages: ecmaLanguages, Serves: func(f *code.File) bool { return nextPath(f.Path) != "" },
	Events: nextEvents, Errors: nextErrors, Answered: ecmaAnswered, Unhandled: 500,
	Finish: ecmaInputs, Applies: appliesToMethod, Settle: func(p *Project, e *Endpoint) {
		if e.Handler.Node != nil || e.Handler.Body != nil {
			assumeSuccess(p, e)
		}
	},
}

// nextMethods are the names of exported handlers.
var nextMethods = []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"}

// nextPath returns the path that a file serves; "" if it serves none.
func nextPath(file string) string {
	ext := path.Ext(file)
	if !slices.Contains([]string{".ts", ".js", ".tsx", ".jsx", ".mjs", ".mts"}, ext) || strings.HasSuffix(file, ".d.ts") {
		return ""
	}
	parts := strings.Split(strings.TrimSuffix(file, ext), "/")
	n := len(parts)
	if app := slices.Index(parts, "app"); app >= 0 && parts[n-1] == "route" {
		return nextJoin(parts[app+1 : n-1])
	}
	pages := slices.Index(parts, "pages")
	if pages < 0 || pages+2 >= n+1 || pages+1 >= n || parts[pages+1] != "api" {
		return ""
	}
	if parts[n-1] == "index" {
		n--
	}
	return nextJoin(parts[pages+1 : n])
}

// nextJoin joins the folders of a route: groups and slots are no part of the path.
func nextJoin(parts []string) string {
	var kept []string
	for _, part := range parts {
		switch {
		case strings.HasPrefix(part, "(") && strings.HasSuffix(part, ")"), strings.HasPrefix(part, "@"):
		case strings.HasPrefix(part, "_"):
			return ""
		default:
			kept = append(kept, part)
		}
	}
	return "/" + strings.Join(kept, "/")
}

func nextEvents(p *Project) []Event {
	const app = Object("next")
	out := []Event{{On: app, Root: true}}
	for _, f := range p.Files {
		served := nextPath(f.Path)
		if served == "" || slices.ContainsFunc(f.Imports, func(i code.Import) bool { return i.Module == "hono" || strings.HasPrefix(i.Module, "hono/") }) || // serves it
			!slices.Contains(ecmaLanguages, f.Language) {
			continue
		}
		add := func(method string, s Step) {
			s.Kind = Handling
			out = append(out, Event{On: app, Route: &Endpoint{Method: method, Path: served, Handler: s, At: s.At}})
		}
		if strings.HasPrefix(path.Base(f.Path), "route.") {
			for _, n := range p.Links.Nodes(f.Path) {
				if slices.Contains(nextMethods, n.Name) && n.Path() == n.Name {
					add(n.Name, p.nextHandler(f, n))
				}
			}
			continue
		}
		handler := p.nextDefault(f)
		if handler.At == (Place{}) {
			continue
		}
		methods := p.nextMethodsOf(&handler)
		for _, method := range methods {
			add(method, handler)
		}
		if len(methods) == 0 {
			add("", handler)
		}
	}
	return out
}

// nextHandler returns the step of an exported function, or of a variable with one.
func (p *Project) nextHandler(f *code.File, n *resolve.Node) Step {
	if IsFunction(n) {
		return Step{Name: n.Name, Node: n, At: Place{f.Path, n.Line}}
	}
	if b, ok := p.Bound(f.Path, "", n.Name); ok {
		if steps := p.ecmaSteps(f, Handling, []code.Value{b.Value}); len(steps) > 0 {
			return steps[len(steps)-1]
		}
	}
	return Step{Name: n.Name, At: Place{f.Path, n.Line}}
}

// nextDefault returns the step of the default export of a file; the zero Step if it has none.
func (p *Project) nextDefault(f *code.File) Step {
	for _, d := range f.Facts.Scopes[0].Defs {
		if !d.Default && d.Name != "export default" {
			continue
		}
		x := &f.Facts.Exprs[d.Value]
		name := d.Name
		if d.Name == "export default" {
			name = x.Name
		}
		line := max(int(d.Line), 1)
		for _, n := range p.Links.Nodes(f.Path) {
			if n.Name == name && n.Path() == name {
				return p.nextHandler(f, n)
			}
		}
		return Step{Name: name, At: Place{f.Path, line}}
	}
	return Step{}
}

// nextMethodsOf returns the methods that a handler tells apart.
func (p *Project) nextMethodsOf(s *Step) []string {
	body := s.Body
	if s.Node != nil {
		body = p.Body(s.Node)
	}
	var out []string
	add := func(text string) {
		for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return c < 'A' || c > 'Z' }) {
			if slices.Contains(nextMethods, word) && !slices.Contains(out, word) {
				out = append(out, word)
			}
		}
	}
	code.AllStmts(bodyStmts(body), func(s *code.Stmt) {
		if s.Op == code.StmtIf && s.Cond != nil {
			eachAtom(s.Cond, func(text string) {
				if strings.Contains(text, "method") {
					add(text)
				}
			})
		}
		if s.Op == code.StmtSwitch && strings.Contains(s.Text, "method") {
			for i := range s.Arms {
				add(strings.Join(s.Arms[i].Labels, " "))
			}
		}
	})
	return out
}

// eachAtom calls see for the texts of a condition.
func eachAtom(c *code.Cond, see func(text string)) {
	if c.Text != "" {
		see(c.Of + " " + c.Text)
	}
	for i := range c.Args {
		eachAtom(&c.Args[i], see)
	}
}

// nextErrors answers every error with 500.
func nextErrors(*Project, func(s *Step) []Ending) func(at Site, class string, made *code.Value, a Answer) Answer {
	return func(_ Site, _ string, _ *code.Value, a Answer) Answer {
		a.Status = 500
		return a
	}
}
