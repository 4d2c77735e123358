package service

import (
	"slices"
	"strings"
)

// Object identifies a router, application or controller: the variable that holds it.
type Object string

// Event is one registration. Exactly one of Route, Child and neither is set: a route on the object, another object below
// a prefix, or what holds for the object itself.
type Event struct {
	On     Object
	Route  *Endpoint // its Path is relative to the object's
	Child  Object
	Prefix string // of Child, or of the object itself
	// Steps run before the route, before those of the child, or before those of all later events of the object. With
	// First they also run before earlier ones.
	Steps []Step
	First bool
	Below string // of Steps: the path below that of the object at which they run; "" for everywhere
	Root  bool   // the object is an application: it is served without being a child
}

// maxMounts limits the nesting of routers.
const maxMounts = 12

// composer joins routes with the routers around them.
type composer struct {
	events map[Object][]Event
	join   func(prefix, path string) string
	leaks  bool
	passed []Step // if leaks: those of all routers so far
	out    []Endpoint
}

// compose returns the endpoints in the order of registration. A route of an object that nothing mounts is served at the
// object's own prefix, unless there is an application.
func compose(events []Event, join func(prefix, path string) string, leaks bool) []Endpoint {
	c := &composer{events: map[Object][]Event{}, join: join, leaks: leaks}
	var objects []Object
	mounted, roots := map[Object]bool{}, map[Object]bool{}
	for _, e := range events {
		if c.events[e.On] == nil {
			objects = append(objects, e.On)
		}
		c.events[e.On] = append(c.events[e.On], e)
		mounted[e.Child] = true
		roots[e.On] = roots[e.On] || e.Root
	}
	for _, o := range objects {
		if roots[o] && !mounted[o] {
			c.passed = nil
			c.walk(o, "", nil, nil)
		}
	}
	if len(c.out) > 0 {
		return c.out
	}
	for _, o := range objects {
		if !mounted[o] {
			c.passed = nil
			c.walk(o, "", nil, nil)
		}
	}
	return c.out
}

// walk adds the routes of an object below a prefix.
func (c *composer) walk(o Object, prefix string, steps []Step, around []Object) {
	if len(around) > maxMounts || slices.Contains(around, o) {
		return
	}
	around = append(slices.Clone(around), o)
	steps = slices.Clone(steps)
	for _, e := range c.events[o] {
		if e.Route != nil || e.Child != "" {
			continue
		}
		prefix = c.join(prefix, e.Prefix)
		if e.First {
			steps = append(steps, e.Steps...)
		}
	}
	for _, e := range c.events[o] {
		switch {
		case e.Route != nil:
			r := *e.Route
			r.Path = c.join(prefix, r.Path)
			r.Chain = slices.Concat(onPath(c.passed, r.Path), onPath(steps, r.Path), e.Steps, r.Chain)
			c.out = append(c.out, r)
		case c.leaks && e.Child != "":
			c.pass(e.Steps, c.join(prefix, e.Prefix))
			c.walk(e.Child, c.join(prefix, e.Prefix), nil, around)
		case c.leaks:
			c.pass(e.Steps, c.join(prefix, e.Below))
		case e.Child != "":
			c.walk(e.Child, c.join(prefix, e.Prefix), slices.Concat(steps, e.Steps), around)
		case !e.First:
			steps = append(steps, e.Steps...)
		}
	}
}

// pass adds steps that run for all later routes at and below a path.
func (c *composer) pass(steps []Step, below string) {
	for _, s := range steps {
		s.Below = below
		c.passed = append(c.passed, s)
	}
}

// onPath returns the steps that run for a path.
func onPath(steps []Step, path string) []Step {
	return slices.DeleteFunc(slices.Clone(steps), func(s Step) bool { return !below(s.Below, path) })
}

// below reports whether a path is at or below a pattern.
func below(pattern, path string) bool {
	a, b := strings.FieldsFunc(pattern, isSlash), strings.FieldsFunc(path, isSlash)
	for i, part := range a {
		switch {
		case part == "*" && i == len(a)-1:
			return true
		case i >= len(b):
			return false
		case part != b[i] && part != "*" && part != "(.*)" && !isParameter(part):
			return false
		}
	}
	return true
}

func isSlash(c rune) bool { return c == '/' }

// shadow marks the endpoints whose requests an earlier one takes: of the same method, with a parameter where this one has a
// fixed part.
func shadow(list []Endpoint) {
	for i := range list {
		for j := range i {
			if (list[j].Method == list[i].Method || list[j].Method == "") && covers(&list[j], list[i].Path) {
				at := list[j].At
				list[i].Shadowed = &at
				break
			}
		}
	}
}

// covers reports whether every request for path also fits the path of an endpoint.
func covers(e *Endpoint, path string) bool {
	a, b := strings.Split(e.Path, "/"), strings.Split(path, "/")
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && (!isParameter(a[i]) || strings.ContainsAny(a[i][1:], ":({") || slices.Contains(e.limited, strings.Trim(a[i], ":{}<>"))) {
			return false
		}
	}
	return true
}

// isParameter reports whether a part of a path is a parameter alone: "{id}", ":id", "<id>".
func isParameter(part string) bool {
	return len(part) > 1 && (part[0] == ':' || part[0] == '{' && part[len(part)-1] == '}' || part[0] == '<' && part[len(part)-1] == '>')
}
