package crossrepo

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// openAPIUses finds uses of operations by path and by id.
type openAPIUses struct {
	routes []route
	ids    map[string][]*contractSymbol // normalised operationId -> operations
}

// route is a path with its operations.
type route struct {
	segments []string // "" for a path parameter
	base     []string // optional segments before them
	fixed    int      // number of segments that are not parameters
	of       []*contractSymbol
}

func openAPIMatcher(symbols []*contractSymbol) matcher {
	o := &openAPIUses{ids: map[string][]*contractSymbol{}}
	at := map[string]int{}
	for _, s := range symbols {
		key := s.repo.prefix + s.file + s.of
		i, known := at[key]
		if !known {
			i = len(o.routes)
			at[key] = i
			o.routes = append(o.routes, newRoute(s))
		}
		o.routes[i].of = append(o.routes[i].of, s)
		if words(s.Name) > 1 && !strings.Contains(s.Name, "/") {
			o.ids[normalizeName(s.Name)] = append(o.ids[normalizeName(s.Name)], s)
		}
	}
	return o.match
}

func newRoute(s *contractSymbol) route {
	r := route{segments: segments(s.of), base: segments(s.base)}
	for i, part := range r.segments {
		if strings.HasPrefix(part, "{") {
			r.segments[i] = parameter
		}
		if r.segments[i] != parameter {
			r.fixed++
		}
	}
	return r
}

// parameter stands for a segment that is a path parameter or computed at run time.
const parameter = ""

// segments splits a path.
func segments(path string) []string {
	path = strings.Trim(path, "/")
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

// words counts the words of a name in any common naming style.
func words(name string) int {
	n, inside := 0, false
	for _, r := range name {
		switch {
		case r == '_' || r == '-' || r == '.':
			inside = false
		case r >= 'A' && r <= 'Z' || !inside:
			n, inside = n+1, true
		}
	}
	return n
}

func (o *openAPIUses) match(v *view) []use {
	if v.code == nil || v.code.Generated || v.code.Facts == nil {
		return nil
	}
	out := o.calls(v)
	for _, l := range v.literals {
		out = append(out, o.path(v, l)...)
	}
	return out
}

// suffixes are appended to an operationId by generators.
var suffixes = []string{"withresponse", "withhttpinfo", "withbody", "async", "raw", "sync"}

// calls finds calls of functions named like an operation, unless the repository declares such a function itself.
func (o *openAPIUses) calls(v *view) []use {
	var out []use
	for _, c := range v.calls() {
		name, exact := normalizeName(c.name), float64(exactName)
		operations := o.ids[name]
		for _, end := range suffixes {
			if stem, ok := strings.CutSuffix(name, end); ok && len(operations) == 0 {
				operations, exact = o.ids[stem], prefixName
			}
		}
		if len(operations) == 0 || v.isOwn(c) {
			continue
		}
		for _, s := range operations {
			out = append(out, use{s, c.line, store.VirtualCalls, "operation-id", min(exact, nameConfidence(len(operations))), passesAll(c, s)})
		}
	}
	return out
}

// passesAll returns how certain it is that a call passes all required parameters: one object may hold several.
func passesAll(c called, s *contractSymbol) float64 {
	switch {
	case len(c.args) >= len(s.params):
		return fits
	case len(c.args) > 0:
		return unknown
	}
	return unfit
}

// path finds the operations of a path in a string literal.
func (o *openAPIUses) path(v *view, l literal) []use {
	parts, open, ok := pathIn(l.text)
	if !ok {
		return nil
	}
	var out []use
	methods := v.methodsAt(l.line)
	for i := range o.routes {
		r := &o.routes[i]
		exact, rule := r.fit(parts, open)
		if exact == 0 {
			continue
		}
		if exact < exactName && len(methods) == 0 {
			exact = fuzzyName // a single word, without a sign of a request
		}
		for _, s := range r.of {
			similarity := unknown / float64(len(r.of))
			if len(methods) > 0 {
				if !slices.Contains(methods, s.Kind) {
					continue
				}
				similarity = fits
			}
			out = append(out, use{s, l.line, store.VirtualCalls, rule, exact, similarity})
		}
	}
	return out
}

// fit returns how well the segments of a path match a route. Open is set if more segments may follow.
func (r *route) fit(parts []string, open bool) (exact float64, rule string) {
	if r.fixed == 0 {
		return 0, ""
	}
	if open && len(r.segments) > 0 && r.segments[len(r.segments)-1] == parameter {
		if before := append(slices.Clone(parts), parameter); r.ends(before) {
			return prefixName, "path-prefix"
		}
	}
	if !r.ends(parts) {
		return 0, ""
	}
	if len(r.segments) == 1 && len(parts) == 1 {
		return prefixName, "path-word" // many services have a path "/health"
	}
	return exactName, "path"
}

// ends reports whether the segments end in the route, preceded by its base or a computed value.
func (r *route) ends(parts []string) bool {
	front := len(parts) - len(r.segments)
	if front < 0 {
		return false
	}
	for i, s := range r.segments {
		if s != parameter && s != parts[front+i] {
			return false
		}
	}
	if slices.Equal(parts[:front], r.base) {
		return true
	}
	return !slices.ContainsFunc(parts[:front], func(p string) bool { return p != parameter })
}

// pathIn returns the segments of the path in a text, without host and query. Values inserted at run time become
// parameters. Open is set if the text ends in a slash, so that more may be appended.
func pathIn(text string) (parts []string, open, ok bool) {
	text = fill(text)
	if _, rest, found := strings.Cut(text, "://"); found {
		_, rest, found = strings.Cut(rest, "/")
		if !found {
			return nil, false, false
		}
		text = "/" + rest
	}
	text, _, _ = strings.Cut(text, "?")
	if strings.HasPrefix(text, filled) && strings.Contains(text, "/") { // the host
		text = text[strings.IndexByte(text, '/'):]
	}
	if !strings.HasPrefix(text, "/") || strings.ContainsAny(text, " \t\n<>\\,;|*") {
		return nil, false, false
	}
	for _, part := range segments(text) {
		if strings.Contains(part, filled) || strings.HasPrefix(part, ":") {
			part = parameter
		}
		parts = append(parts, part)
	}
	return parts, strings.HasSuffix(text, "/") && len(parts) > 0, len(parts) > 0
}

// filled replaces a value that is inserted at run time.
const filled = "\x00"

// fill replaces the placeholders of a text: "${x}", "{x}", "#{x}", "%s".
func fill(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case (c == '$' || c == '#') && i+1 < len(text) && text[i+1] == '{':
		case c == '{':
			end := strings.IndexByte(text[i:], '}')
			if end < 0 {
				return b.String() + filled
			}
			b.WriteString(filled)
			i += end
		case c == '%' && i+1 < len(text) && strings.IndexByte("svdqxi", text[i+1]) >= 0:
			b.WriteString(filled)
			i++
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// reach is the number of lines after a path on which its HTTP method may appear.
const reach = 3

// methodsAt returns the HTTP methods named near a path: by a call on the line, or by a literal near it.
func (v *view) methodsAt(line int) []string {
	var out []string
	add := func(name string) {
		name = strings.TrimPrefix(strings.ToLower(name), "method")
		if httpMethods[name] && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	facts := v.code.Facts
	for i := range facts.Exprs {
		if e := &facts.Exprs[i]; int(e.Line) == line {
			add(e.Name)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, l := range v.literals {
		if l.line >= line && l.line <= line+reach && l.text == strings.ToUpper(l.text) {
			add(l.text)
		}
	}
	return out
}
