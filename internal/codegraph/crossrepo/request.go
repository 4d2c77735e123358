package crossrepo

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// annotation returns the name of the decorator that a path is in. Client is set if it is one of an interface, which declares what others
// serve.
func (v *view) annotation(l literal) (name string, client, ok bool) {
	for _, n := range v.nodes {
		for _, d := range n.Decorators {
			if strings.Contains(d, "/") && v.decorates(d, l.text) {
				name, _, _ = strings.Cut(strings.TrimLeft(d, "@[#"), "(")
				return name, v.inInterface(n.StartLine, n.EndLine), true
			}
		}
	}
	return "", false, false
}

// methodOf returns the HTTP method that begins the name of a decorator: "GetMapping".
func methodOf(name string) []string {
	for method := range httpMethods {
		if strings.HasPrefix(strings.ToLower(lastPart(name)), method) {
			return []string{method}
		}
	}
	return nil
}

// declares reports whether a path in code is that of a route which the code itself serves: it is passed with a function that handles it.
func (v *view) declares(l literal) bool {
	for i := range v.code.Facts.Exprs {
		e := &v.code.Facts.Exprs[i]
		if e.Op == code.OpCall && (int(e.Line) == l.line || int(e.Line) == l.line-1) && v.handles(e, l.line) {
			return true
		}
	}
	return false
}

// decorates reports whether a decorator has a text.
func (v *view) decorates(decorator, text string) bool {
	return slices.ContainsFunc(literals(decorator, v.code.Language), func(l literal) bool { return reduced(l.text) == text })
}

// inInterface reports whether lines are those of an interface or of one of its members.
func (v *view) inInterface(start, end int) bool {
	for _, n := range v.nodes {
		if n.Label == codegraph.LabelInterface && n.StartLine <= start && end <= n.EndLine {
			return true
		}
	}
	return false
}

// handles reports whether a call passes a text and then, on its line or after it, a function.
func (v *view) handles(call *code.Expr, line int) bool {
	text := false
	for _, arg := range call.Args {
		a := &v.code.Facts.Exprs[arg]
		switch {
		case a.Op == code.OpLit && a.Name == "string":
			text = true
		case text && (v.begins(a, line) || v.isFunction(a, line)):
			return true
		}
	}
	return false
}

// begins reports whether an argument is a function that is written on a line or after it.
func (v *view) begins(arg *code.Expr, line int) bool {
	scopes := v.code.Facts.Scopes
	return arg.Op == code.OpFunc && int(arg.N) < len(scopes) && int(scopes[arg.N].Line) >= line
}

// isFunction reports whether an argument names a function or method.
func (v *view) isFunction(arg *code.Expr, line int) bool {
	if arg.Op != code.OpName && arg.Op != code.OpSelect {
		return false
	}
	for i := range v.result.Edges {
		e := &v.result.Edges[i]
		if e.Type != codegraph.References || e.To < 0 || e.Line < line || e.Line > line+reach {
			continue
		}
		if symbols := v.joint.symbols(e.Path); e.To < len(symbols) && symbols[e.To].Name == arg.Name &&
			(symbols[e.To].Label == codegraph.LabelFunction || symbols[e.To].Label == codegraph.LabelMethod) {
			return true
		}
	}
	return false
}

// Parts of names that are signs of a request, and of a way through an application's own pages.
var (
	requesting = []string{"fetch", "request", "http", "url", "uri", "endpoint", "ajax", "axios", "rest", "client", "api"}
	navigating = []string{"rout", "navigat", "redirect", "link", "href", "history"}
)

// has reports whether a name has one of some parts.
func has(name string, parts []string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
}

// requests reports whether the names on a line are a sign of a request.
func (v *view) requests(line int) bool {
	found := false
	for i := range v.code.Facts.Exprs {
		e := &v.code.Facts.Exprs[i]
		if int(e.Line) != line {
			continue
		}
		if has(e.Name, navigating) {
			return false
		}
		found = found || has(e.Name, requesting)
	}
	for i := range v.code.Facts.Scopes {
		for _, d := range v.code.Facts.Scopes[i].Defs {
			found = found || int(d.Line) == line && has(d.Name, requesting)
		}
	}
	return found
}
