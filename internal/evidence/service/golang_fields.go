package service

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// assigned returns the router that a call makes: a field is the same for all methods of its type.
func (g *goEvents) assigned(c Call) Object {
	if o := g.field(c, c.To); o != "" {
		return o
	}
	return c.Assigned()
}

// field returns the router that s.router is, a field of a type of the package; "" for other names. s itself is one if its type
// embeds a router. What nothing mounts is an application.
func (g *goEvents) field(c Call, name string) Object {
	of, field := CutLast(name)
	if of == "" {
		of, field = name, ""
	}
	owner := g.typeOf(c, of)
	if owner == "" {
		return ""
	}
	dir := path.Dir(c.File.Path)
	for _, f := range g.Files {
		if f.Language != "go" || path.Dir(f.Path) != dir {
			continue
		}
		for _, name := range g.fieldNames(field) {
			if s := g.symbols[f.Path][owner+"."+name]; s != nil && s.Kind == code.Property && g.isRouter(s.Returns) {
				return g.application(Object(f.Path + ":" + owner + "." + name))
			}
		}
	}
	return ""
}

// fieldNames returns a name of a field, or those of embedded routers if there is none.
func (g *goEvents) fieldNames(field string) []string {
	if field != "" {
		return []string{field}
	}
	return g.kind.types
}

// application adds an object once as one that serves by itself.
func (g *goEvents) application(o Object) Object {
	if !g.seen[o] {
		g.seen[o] = true
		g.out = append(g.out, Event{On: o, Root: true})
	}
	return o
}

// typeOf returns the name of the type of a receiver, of a parameter or of a variable that holds a new value of it; "" if that
// is of another package or not known.
func (g *goEvents) typeOf(c Call, name string) string {
	if name == "" || strings.ContainsAny(name, ".()") {
		return ""
	}
	typ := ""
	if s := g.symbols[c.File.Path][c.In]; s != nil {
		if words := strings.Fields(strings.Trim(s.Receiver, "()")); len(words) == 2 && words[0] == name {
			typ = words[1]
		}
		for _, p := range s.Params {
			if p.Name == name {
				typ = p.Type
			}
		}
	}
	for u := range c.AssignedTo(name) {
		if u.Value.Kind == code.ValueObject {
			typ = u.Value.Text
		}
	}
	typ, _, _ = strings.Cut(strings.TrimLeft(typ, "*&"), "[")
	if strings.ContainsAny(typ, ". (") {
		return ""
	}
	return typ
}

// continued reports whether another call is made on the result of a call.
func (g *goEvents) continued(c Call) bool {
	if g.further[c.File] == nil {
		further := map[*code.CallUse]bool{}
		for i := range c.File.Bodies.Calls {
			if after := c.File.Bodies.Calls[i].After; after > 0 {
				further[&c.File.Bodies.Calls[after-1]] = true
			}
		}
		g.further[c.File] = further
	}
	return g.further[c.File][c.CallUse]
}

// chain returns the calls of a chain from the first to this one.
func (c Call) chain() []Call {
	out := []Call{c}
	for u := c.CallUse; u.After > 0; {
		u = &c.File.Bodies.Calls[u.After-1]
		out = append([]Call{{c.File, u}}, out...)
	}
	return out
}
