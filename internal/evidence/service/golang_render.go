package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// renderModule is the package with which services on chi write answers.
const renderModule = "github.com/go-chi/render"

// renderAnswered reads what functions of go-chi/render answer: render.Render(w, r, ErrNotFound), render.JSON(w, r, v) after
// render.Status(r, 201), render.NoContent(w, r). Their status is 200 if nothing sets another one.
func renderAnswered(p *Project, at Site) (Answer, bool) {
	v := at.Stmt.Value
	if v == nil || v.Kind != code.ValueCall || !slices.ContainsFunc(at.File.Imports, func(i code.Import) bool { return i.Module == renderModule }) {
		return Answer{}, false
	}
	switch v.Text {
	case "render.NoContent":
		return Answer{Status: 204}, true
	case "render.JSON", "render.XML", "render.HTML", "render.PlainText", "render.Data", "render.Respond":
		return Answer{Status: p.renderStatus(at)}, true
	case "render.Render":
		return p.rendered(at, v.Arg(2))
	}
	return Answer{}, false
}

// renderStatus returns the status that render.Status sets before a statement, since the answer before it; 200 if none does.
func (p *Project) renderStatus(at Site) int {
	if at.Body == nil {
		return 200
	}
	status := 200
	for c := range p.CallsIn(at.File.Path, at.Body.Line, at.Stmt.Line) {
		of, name := c.Of()
		switch {
		case of != "render":
		case name == "Status":
			status = p.Status(at.File.Path, c.Value.Arg(1))
		case c.Line < at.Stmt.Line:
			status = 200
		}
	}
	return status
}

// rendered returns the answer that a Renderer of the project gives: an object whose method Render sets the status to one of
// its fields, or which leaves it as it is.
func (p *Project) rendered(at Site, v *code.Value) (Answer, bool) {
	object, ok := p.rendererOf(at.File.Path, v, 0)
	if !ok {
		return Answer{}, false
	}
	field := p.statusField(object)
	if field == "" {
		return Answer{Status: p.renderStatus(at)}, true
	}
	a := Answer{Status: p.Status(object.File, object.Named(field))}
	for i := range object.Args {
		if f := &object.Args[i]; f.Kind == code.ValueString && f.Text != "" {
			a.Message = f.Text
			break
		}
	}
	return a, a.Status > 0
}

// rendererOf returns the object of the project that a value is: a literal, a variable that holds one, or what a function
// returns.
func (p *Project) rendererOf(file string, v *code.Value, depth int) (Given, bool) {
	switch {
	case v == nil || depth > maxSteps:
	case v.Kind == code.ValueObject:
		return Given{file, v}, true
	case v.Kind == code.ValueName:
		if b, ok := p.bound(file, v); ok {
			return p.rendererOf(b.File.Path, &b.Value, depth+1)
		}
	case v.Kind == code.ValueCall:
		n := p.NodeOf(file, v.Text, v.Line)
		if n == nil || !IsFunction(n) {
			break
		}
		result, ok := p.returnedBy(n, v)
		if !ok {
			break
		}
		if result.Kind == code.ValueName { // made before the return statement
			for _, u := range p.File(n.File).Bodies.Calls {
				if u.In == n.Path() && u.To == result.Text && u.Value.Kind == code.ValueObject {
					return Given{n.File, &u.Value}, true
				}
			}
		}
		return p.rendererOf(result.File, result.Value, depth+1)
	}
	return Given{}, false
}

// returnedBy returns what a function returns, also one that makes an error.
func (p *Project) returnedBy(n *resolve.Node, call *code.Value) (Given, bool) {
	if result, ok := p.Result(n, call); ok {
		return result, true
	}
	body := p.Body(n)
	if body == nil || len(body.Stmts) == 0 {
		return Given{}, false
	}
	last := &body.Stmts[len(body.Stmts)-1]
	if last.Op != code.StmtError || last.Exit == nil {
		return Given{}, false
	}
	return Given{n.File, &last.Exit.Value}, true
}

// statusField returns the field that the method Render of an object's type gives to render.Status; "" for none.
func (p *Project) statusField(object Given) string {
	for _, c := range p.classes[Last(strings.TrimLeft(object.Text, "*&"))] {
		if c.File.Language != "go" {
			continue
		}
		for _, f := range p.Files {
			for _, n := range p.Links.Linked(f.Path) {
				if f.Language != "go" || n.Name != "Render" || !IsFunction(n) || Last(n.Owner()) != c.Symbol.Name {
					continue
				}
				for set := range p.CallsIn(n.File, n.StartLine, n.EndLine) {
					if v := set.Value.Arg(1); set.Value.Text == "render.Status" && v != nil {
						return Last(v.Text)
					}
				}
			}
		}
	}
	return ""
}
