package service

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// target is an endpoint as tests address it.
type target struct {
	*Endpoint
	parts []string // of the path; hole for a parameter
	rest  bool     // anything may follow
	names []string // by which the route is named
}

// pathParameter is a part of a path that stands for a value, in the syntax of any framework.
var pathParameter = lazyregexp.New(`\(\?P?<[^)]*\)(\)|\$)?|\{[^}]*\}|<[^>]*>|\[[^\]]*\]|:[A-Za-z_]\w*(\([^)]*\))?\??|\*\w*`)

func targetsOf(list []Endpoint) []target {
	var out []target
	for i := range list {
		e := &list[i]
		if e.Shadowed != nil {
			continue
		}
		t := target{Endpoint: e, rest: strings.Contains(e.Path, "*")}
		t.parts = partsOf(pathParameter.ReplaceAllString(strings.TrimSuffix(strings.Trim(e.Path, "^"), "$"), hole))
		if t.rest && len(t.parts) > 0 && t.parts[len(t.parts)-1] == hole {
			t.parts = t.parts[:len(t.parts)-1]
		}
		t.names = e.names(t.parts)
		out = append(out, t)
	}
	return out
}

func partsOf(address string) []string {
	return strings.FieldsFunc(address, func(c rune) bool { return c == '/' })
}

// names returns the names of a route: as given, by its handler, and that of Rails' helper.
func (e *Endpoint) names(parts []string) []string {
	handler := strings.ReplaceAll(e.Handler.Name, "::", ".")
	out := []string{Last(handler)}
	if e.Name != "" {
		out = []string{e.Name, Last(e.Name)}
	}
	if e.Framework == rails.Name {
		out = append(out, stem(e.Handler.At.File)+"#"+Last(strings.ReplaceAll(handler, "#", ".")), railsHelper(parts))
	}
	if e.Framework == django.Name {
		out = append(out, routerNames(parts)...)
	}
	return out
}

// routerNames returns the names that a router of Django's REST framework may give to a route: of what it lists or shows, or of
// an action on it.
func routerNames(parts []string) []string {
	at := len(parts) - 1
	suffix := "-list"
	switch {
	case at > 0 && parts[at] == hole:
		at, suffix = at-1, "-detail"
	case at > 1 && parts[at-1] == hole:
		at, suffix = at-2, "-"+parts[at]
	}
	if at < 0 {
		return nil
	}
	return []string{singular(parts[at]) + suffix, parts[at] + suffix}
}

// railsHelper returns the name of the route as Rails makes it from its path: article_comments of /articles/:article_id/comments.
func railsHelper(parts []string) string {
	var words []string
	for i, part := range parts {
		switch {
		case part == hole:
		case i+1 < len(parts) && parts[i+1] == hole:
			words = append(words, singular(part))
		default:
			words = append(words, part)
		}
	}
	return strings.Join(words, "_")
}

// singular returns the singular of an English noun with a regular plural.
func singular(word string) string {
	switch {
	case strings.HasSuffix(word, "ies"):
		return strings.TrimSuffix(word, "ies") + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "shes"):
		return strings.TrimSuffix(word, "es")
	case strings.HasSuffix(word, "ss"):
		return word
	}
	return strings.TrimSuffix(word, "s")
}

// reversers are functions that return the path of a route by its name.
var reversers = []string{"url_path_for", "url_for", "path_for", "reverse", "reverse_lazy", "route"}

// route returns the name of the route whose path a value is; ok is false for others.
func (s *scope) route(v *code.Value, depth int) (name string, ok bool) {
	if depth > maxSteps || v.Kind != code.ValueCall && v.Kind != code.ValueName {
		return "", false
	}
	if s.file.Language == "ruby" {
		if name, ok := routeOfHelper(Last(v.Text)); ok {
			return name, true
		}
	}
	if v.Kind == code.ValueCall {
		return s.routeOfCall(v, depth)
	}
	if g, ok := s.value(v); ok {
		return g.in.route(g.Value, depth+1)
	}
	return "", false
}

// routeOfHelper returns the name of the route whose path or address a helper of Rails returns, by the helper's name.
func routeOfHelper(helper string) (name string, ok bool) {
	for _, suffix := range []string{"_path", "_url"} {
		if name, ok := strings.CutSuffix(helper, suffix); ok {
			return name, true
		}
	}
	return "", false
}

// routeOfCall returns the name of the route whose path a call returns: that of a framework, or that of a function of the test.
func (s *scope) routeOfCall(v *code.Value, depth int) (name string, ok bool) {
	if args := positional(v); slices.Contains(reversers, Last(v.Text)) && len(args) > 0 {
		return s.text(args[0])
	}
	n := s.Node(s.file.Path, v)
	if n == nil || !IsFunction(n) {
		return "", false
	}
	if g, ok := s.returned(n, v); ok && g.Value != v {
		return g.in.route(g.Value, depth+1)
	}
	return "", false
}

// endpoint returns the endpoint that answers a request; nil if there is none, or if it cannot be told.
func (t *tester) endpoint(x *sending) *Endpoint {
	var best []*target
	score := 0
	for i := range t.targets {
		e := &t.targets[i]
		if e.Method != "" && e.Method != x.method {
			continue
		}
		fit := 0
		if x.named != "" {
			if path.Ext(e.At.File) == path.Ext(x.at.File) { // names are of one program
				fit = e.answersName(x.named)
			}
		} else {
			fit = e.answers(x.path)
		}
		switch {
		case fit == 0 || fit < score:
		case fit > score:
			best, score = []*target{e}, fit
		default:
			best = append(best, e)
		}
	}
	if x.named != "" && score == fitsLast && len(best) > 1 {
		return nil
	}
	return nearest(best, x.at.File)
}

// nearest returns the endpoint of a list that is registered nearest to a file; nil if several are as near.
func nearest(list []*target, file string) *Endpoint {
	most, out := -1, (*Endpoint)(nil)
	for _, t := range list {
		switch n := nearness(t.At.File, file); {
		case n > most:
			most, out = n, t.Endpoint
		case n == most && out != nil && (out.Path != t.Path || out.At.File != t.At.File):
			out = nil
		}
	}
	return out
}

// nearness returns how near the path of a test is to that of code: by the folders that they share from the root, and by the
// name of the next one, as in Todo.Api and Todo.Api.Tests.
func nearness(file, test string) int {
	x, y := strings.Split(path.Dir(file), "/"), strings.Split(path.Dir(test), "/")
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	if n < min(len(x), len(y)) && strings.HasPrefix(y[n], x[n]) {
		return 2*n + 1
	}
	return 2 * n
}

// answersName returns how well a name is that of the route; 0 if it is not.
func (t *target) answersName(name string) int {
	for i, own := range t.names {
		if own == name {
			return fitsName - min(i, 1)
		}
	}
	group, last := CutLast(name)
	switch {
	case !slices.Contains(t.names, last):
		return 0
	case group != "" && (slices.Contains(partsOf(path.Dir(t.Handler.At.File)), Last(group)) || strings.HasPrefix(strings.ToLower(stem(t.Handler.At.File)), singular(Last(group)))):
		return fitsLast + 1
	}
	return fitsLast
}

// The weights of how a name fits: by its last part alone, or as a whole.
const (
	fitsLast = 1
	fitsName = 4
)

// The weights of how a path fits: a longer constant part counts more, a path with all parts more than the end of one.
const (
	fitsConstant = 2
	fitsWhole    = 1000
)

// answers returns how well a path fits the route; 0 if it does not.
func (t *target) answers(address string) int {
	rest, open := strings.CutPrefix(address, hole)
	parts := partsOf(rest)
	if open && (rest == "" || rest[0] != '/') {
		if address != hole {
			parts = partsOf(address)
		}
		open = false
	}
	if fit := fits(t.parts, parts, t.rest); fit > 0 && !open {
		return fitsWhole + fit
	}
	left := len(t.parts) - len(parts)
	if left < 0 || len(parts) == 0 || left == 0 && !open || t.rest || slices.Contains(t.parts[:left], hole) {
		return 0
	}
	if fit := fits(t.parts[left:], parts, false); fit > len(parts) { // at least one constant part
		return fit
	}
	return 0
}

// fits returns how well the parts of an address fit those of a route; 0 if they do not.
func fits(route, parts []string, rest bool) int {
	if len(route) != len(parts) && (!rest || len(parts) < len(route)) {
		return 0
	}
	sum := 1
	for i, part := range route {
		switch {
		case part == parts[i] && part != hole:
			sum += fitsConstant
		case !strings.Contains(part, hole):
			return 0
		default:
			sum++
		}
	}
	return sum
}
