package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// decorator is a decorator of a function or class: the call if it has arguments.
type decorator struct {
	name string // as written: "auth.login_required"
	call *code.Value
	line int
}

// decorators returns the decorators of a function or class in the order in which they run.
func (p *Project) decorators(n *resolve.Node) []decorator {
	var calls []Call
	for c := range p.CallsIn(n.File, n.StartLine-len(n.Decorators)-1, n.Line) {
		if c.Mark && c.Within == 0 {
			calls = append(calls, c)
		}
	}
	var out []decorator
	for _, text := range n.Decorators {
		name, _, called := strings.Cut(strings.TrimSpace(strings.TrimPrefix(text, "@")), "(")
		d := decorator{name: strings.TrimSpace(name), line: n.Line}
		if at := slices.IndexFunc(calls, func(c Call) bool { return c.Value.Text == d.name }); called && at >= 0 {
			d.call, d.line = &calls[at].Value, calls[at].Line
			calls = slices.Delete(calls, at, at+1)
		}
		out = append(out, d)
	}
	return out
}

// isTrue reports whether there is a value and it is True.
func isTrue(v *code.Value) bool { return v != nil && v.Text == "True" }

// wrappers returns the functions inside a decorator of the project, which run around what it decorates.
func (p *Project) wrappers(n *resolve.Node) []*resolve.Node {
	var out []*resolve.Node
	for _, inner := range p.Links.Linked(n.File) {
		if IsFunction(inner) && inner != n && inner.StartLine > n.StartLine && inner.EndLine <= n.EndLine {
			out = append(out, inner)
		}
	}
	return out
}

// method returns a method of a class of the project, declared in it or in a base; nil if there is none.
func (p *Project) method(c *Class, name string) *resolve.Node { return p.methodBelow(c, name, 0) }

func (p *Project) methodBelow(c *Class, name string, depth int) *resolve.Node {
	if c == nil || depth > maxSteps {
		return nil
	}
	for _, m := range p.Links.Linked(c.File.Path) {
		if IsFunction(m) && m.Owner() == c.Path && m.Name == name {
			return m
		}
	}
	for _, base := range c.Symbol.Bases {
		if b := p.class(c.File.Path, base); b != nil && b.Symbol != c.Symbol {
			if m := p.methodBelow(b, name, depth+1); m != nil {
				return m
			}
		}
	}
	return nil
}

// attribute returns the value of a field of a class, given in it or in a base; false if there is none.
func (p *Project) attribute(c *Class, name string) (Given, bool) {
	return p.attributeBelow(c, name, 0)
}

func (p *Project) attributeBelow(c *Class, name string, depth int) (Given, bool) {
	if c == nil || depth > maxSteps {
		return Given{}, false
	}
	for i := range c.File.Bodies.Bindings {
		if b := &c.File.Bodies.Bindings[i]; b.Name == name && (b.In == c.Path || b.In == c.Path+"."+name) {
			return Given{c.File.Path, &b.Value}, true
		}
	}
	for _, base := range c.Symbol.Bases {
		if b := p.class(c.File.Path, base); b != nil && b.Symbol != c.Symbol {
			if v, ok := p.attributeBelow(b, name, depth+1); ok {
				return v, true
			}
		}
	}
	return Given{}, false
}

// names returns the parts of a list or tuple, or the value itself if it is none.
func (g Given) names() []Given {
	if g.Value == nil {
		return nil
	}
	if g.Kind != code.ValueOther {
		return []Given{g}
	}
	var out []Given
	for i := range g.Args {
		out = append(out, Given{g.File, &g.Args[i]})
	}
	return out
}

// ofClass returns the class that a node is; nil for others.
func (p *Project) ofClass(n *resolve.Node) *Class {
	for i := range p.classes[n.Name] {
		if c := &p.classes[n.Name][i]; c.File.Path == n.File && c.Path == n.Path() {
			return c
		}
	}
	return nil
}

// returnedStatus returns the status in return value, status of Python frameworks; 0 if there is none.
func returnedStatus(p *Project, file string, v *code.Value) int {
	if v == nil || v.Kind != code.ValueOther || v.Text != "" || len(v.Args) < 2 || len(v.Args) > 3 {
		return 0
	}
	return p.Status(file, &v.Args[1])
}

// assignedStatus returns the status that a function gives to the response in a variable: response.status_code = 404; 0 for
// none.
func assignedStatus(p *Project, at Site, variable string) int {
	status := 0
	body := p.Body(at.Function)
	if body == nil || variable == "" {
		return 0
	}
	code.AllStmts(body.Stmts, func(s *code.Stmt) {
		if s.Op == code.StmtAssign && s.Text == variable+".status_code" && s.Line <= at.Stmt.Line {
			status = p.Status(at.File.Path, s.Value)
		}
	})
	return status
}

// unknownStatus reports whether a function gives a response in a variable a status that is not constant.
func unknownStatus(p *Project, at Site, variable string) bool {
	found := false
	if body := p.Body(at.Function); body != nil {
		code.AllStmts(body.Stmts, func(s *code.Stmt) { found = found || s.Op == code.StmtAssign && s.Text == variable+".status_code" })
	}
	return found
}
