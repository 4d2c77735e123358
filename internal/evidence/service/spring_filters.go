package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// filterMethods are the methods of filters and interceptors that may answer a request instead of passing it on.
var filterMethods = map[string]string{
	"OncePerRequestFilter": "doFilterInternal", "GenericFilterBean": "doFilter", "Filter": "doFilter", "HandlerInterceptor": "preHandle",
	"HandlerInterceptorAdapter": "preHandle", "WebFilter": "filter",
}

// readFilters returns the steps of the filters and interceptors of the project that may refuse a request themselves.
func (r *springReader) readFilters() []Step {
	var out []Step
	for _, f := range r.Files {
		if !slices.Contains(jvmLanguages, f.Language) {
			continue
		}
		for _, n := range r.Links.Linked(f.Path) {
			c := r.ofClass(n)
			if !n.IsType() || c == nil || c.Symbol.Kind == code.Interface {
				continue
			}
			for _, base := range c.Symbol.Bases {
				method := filterMethods[Last(strings.TrimSpace(base))]
				for _, m := range r.methodsOf(c) {
					if m.Name == method && method != "" && r.mayAnswer(f, m.StartLine, m.EndLine) {
						out = append(out, Step{Kind: Middleware, Name: c.Path, Node: m, At: Place{m.File, m.Line}})
					}
				}
			}
		}
	}
	return out
}

// mayAnswer reports whether lines of a file answer a request with an error.
func (r *springReader) mayAnswer(f *code.File, first, last int) bool {
	for c := range r.CallsIn(f.Path, first, last) {
		if name := Last(c.Value.Text); (name == "sendError" || name == "setStatus") && r.Status(f.Path, c.Value.Arg(0)) >= 400 {
			return true
		}
	}
	return false
}
