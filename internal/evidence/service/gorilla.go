package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

var gorillaRouters = goRouters{
	makes: map[string]bool{"mux.NewRouter": true}, types: []string{"Router"}, chained: true,
}

// gorilla reads a whole chain of calls at its last one: a route, a router below a prefix, or middleware.
func (g *goEvents) gorilla(c Call) {
	if g.continued(c) {
		return
	}
	links := c.chain()
	receiver, name := links[0].Of()
	if name == "Use" {
		if on := g.object(links[0], receiver); on != "" {
			g.out = append(g.out, Event{On: on, Steps: g.steps(c, c.Value.Args)})
		}
		return
	}
	r := gorillaRoute{events: g}
	for _, link := range links {
		r.read(link)
	}
	var on Object
	if r.handler != nil || r.router {
		on = g.object(links[0], receiver)
	}
	switch {
	case on == "":
		g.gives(c, name)
	case r.router && r.unknown:
		g.mountChild(c, on, unknownPath)
	case r.router:
		g.mountChild(c, on, r.path)
	case r.unknown: // nothing true can be said of it
	default:
		if len(r.methods) == 0 {
			r.methods = []string{""}
		}
		for _, method := range r.methods {
			g.endpoint(c, on, &Endpoint{Method: method, Path: r.path, Inputs: slices.Clone(r.inputs)}, r.handler, nil)
		}
	}
}

// gorillaRoute is what the calls of a chain say of a route.
type gorillaRoute struct {
	events  *goEvents
	methods []string
	path    string
	inputs  []Input
	handler *code.Value
	router  bool // the chain ends in a router below the path
	unknown bool // a path or a method is not constant: for _, route := range routes
}

// read reads one call of a chain.
func (r *gorillaRoute) read(c Call) {
	file := c.File.Path
	text := func(v *code.Value) string {
		s, ok := r.events.Text(file, v)
		r.unknown = r.unknown || !ok
		return s
	}
	switch _, name := c.Of(); name {
	case "Methods":
		for i := range c.Value.Args {
			v := &c.Value.Args[i]
			text, constant := r.events.Text(file, v)
			method := methodNamed(v, text, constant)
			r.methods, r.unknown = append(r.methods, method), r.unknown || method == ""
		}
	case "Path", "PathPrefix":
		r.path += text(c.Value.Arg(0))
		if name == "PathPrefix" && strings.HasSuffix(r.path, "/") {
			r.path += "*"
		}
	case "HandleFunc", "Handle":
		r.path, r.handler = r.path+text(c.Value.Arg(0)), c.Value.Arg(1)
	case "HandlerFunc", "Handler":
		r.handler = c.Value.Arg(0)
	case "Queries":
		for i := 0; i < len(c.Value.Args); i += 2 {
			name, _ := r.events.Text(file, &c.Value.Args[i])
			r.inputs = append(r.inputs, Input{In: "query", Name: name, Type: "string", Required: true, At: c.Place()})
		}
	case "Subrouter":
		r.router, r.path = true, strings.TrimSuffix(strings.TrimSuffix(r.path, "*"), "/")
	}
}

// mountChild mounts the router that a call returns: it is given to a variable, a field or a function.
func (g *goEvents) mountChild(c Call, on Object, prefix string) {
	var child Object
	if around, ok := c.Around(); ok && c.To == "" {
		for i := range around.Value.Args {
			if a := &around.Value.Args[i]; a.Kind == code.ValueCall && a.Text == c.Value.Text && a.Line == c.Value.Line {
				child = g.taken(around, i)
			}
		}
	} else if c.To != "" {
		child = g.assigned(c)
	}
	if child != "" {
		g.seen[child] = true
		g.out = append(g.out, Event{On: on, Child: child, Prefix: prefix})
	}
}
