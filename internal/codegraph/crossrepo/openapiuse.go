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
		key := s.repo.prefix + s.contract.Path + s.of
		i, known := at[key]
		if !known {
			i = len(o.routes)
			at[key] = i
			o.routes = append(o.routes, newRoute(s))
		}
		o.routes[i].of = append(o.routes[i].of, s)
		if isOperationID(s.Name) {
			o.ids[normalizeName(s.Name)] = append(o.ids[normalizeName(s.Name)], s)
		}
	}
	return o.match
}

// isOperationID reports whether the name of an operation is an id that tells which is meant.
func isOperationID(name string) bool { return words(name) > 1 && !strings.Contains(name, "/") }

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

// operationID is the rule of a call of a function that is called as an operation, and no more.
const operationID = "operation-id"

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
		rule := operationID
		if v.callsGenerated(c) {
			rule = "generated"
		}
		for _, s := range operations {
			out = append(out, use{s, c.line, store.VirtualCalls, rule, min(exact, nameConfidence(len(operations))), passesAll(c, s), c.name, rule == operationID})
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
	p, ok := pathIn(l.text)
	if !ok {
		return nil
	}
	routes := o.closest(p)
	if len(routes) == 0 {
		return nil
	}
	methods, requested := v.methodsAt(l.line), false
	if name, client, ok := v.annotation(l); ok {
		if !client {
			return nil
		}
		methods, requested = methodOf(name), true
	} else if v.declares(l) {
		return nil
	}
	requested = requested || len(methods) > 0 || p.hosted || v.requests(l.line)
	var out []use
	for _, r := range routes {
		exact, rule := r.fit(p)
		if !requested && !r.based(p) {
			exact = fuzzyName // without a sign of a request
		}
		out = append(out, r.operations(l, methods, exact, rule)...)
	}
	return out
}

// operations returns the uses of a route's operations by a path, beside HTTP methods if there are any.
func (r *route) operations(l literal, methods []string, exact float64, rule string) []use {
	var out []use
	for _, s := range r.of {
		similarity := unknown / float64(len(r.of))
		if len(methods) > 0 {
			if !slices.Contains(methods, s.Kind) {
				continue
			}
			similarity = fits
		}
		out = append(out, use{s, l.line, store.VirtualCalls, rule, exact, similarity, l.text, len(r.segments) < 2})
	}
	return out
}

// closest returns the routes that a path fits: of those of one contract, those with the fewest parameters.
func (o *openAPIUses) closest(p textPath) []*route {
	most, fitting := map[*Contract]int{}, []*route{}
	for i := range o.routes {
		r := &o.routes[i]
		if exact, _ := r.fit(p); exact > 0 {
			most[r.of[0].contract] = max(most[r.of[0].contract], r.fixed)
			fitting = append(fitting, r)
		}
	}
	return slices.DeleteFunc(fitting, func(r *route) bool { return r.fixed < most[r.of[0].contract] })
}

// based reports whether a path begins with the route's base.
func (r *route) based(p textPath) bool {
	return len(r.base) > 0 && len(p.parts) >= len(r.base)+len(r.segments)-1 && slices.Equal(p.parts[:len(r.base)], r.base)
}

// fit returns how well a path matches a route.
func (r *route) fit(p textPath) (exact float64, rule string) {
	if r.fixed == 0 {
		return 0, ""
	}
	parts := p.parts
	if p.open && len(r.segments) > 0 && r.segments[len(r.segments)-1] == parameter {
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
	if n := len(r.base) - front; n >= 0 && slices.Equal(parts[:front], r.base[n:]) {
		return true // whole, or without the first segments: a server's code and its tests leave its own place out
	}
	return !slices.ContainsFunc(parts[:front], func(p string) bool { return p != parameter })
}

// textPath is the path in a text.
type textPath struct {
	parts  []string
	open   bool // the text ends in a slash, so that more may be appended
	hosted bool // a host, or what is put in for one, precedes it
}

// pathIn returns the path in a text, without host and query. Values inserted at run time become parameters.
func pathIn(text string) (p textPath, ok bool) {
	text = fill(text)
	if _, rest, found := strings.Cut(text, "://"); found {
		_, rest, found = strings.Cut(rest, "/")
		if !found {
			return p, false
		}
		text, p.hosted = "/"+rest, true
	}
	text, _, _ = strings.Cut(text, "?")
	if strings.HasPrefix(text, filled) && strings.Contains(text, "/") { // the host
		text, p.hosted = text[strings.IndexByte(text, '/'):], true
	}
	if !strings.HasPrefix(text, "/") || strings.ContainsAny(text, " \t\n<>\\,;|*") {
		return p, false
	}
	for _, part := range segments(text) {
		if strings.Contains(part, filled) || strings.HasPrefix(part, ":") {
			part = parameter
		}
		p.parts = append(p.parts, part)
	}
	p.open = strings.HasSuffix(text, "/") && len(p.parts) > 0
	return p, len(p.parts) > 0
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
		if name == "del" {
			name = "delete" // a reserved word
		}
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
