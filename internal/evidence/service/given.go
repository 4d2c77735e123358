package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// open returns the parts of the answer of a statement that are parameters of the function around: its callers give them.
func (r *reader) open(site Site) Parts {
	var out Parts
	if r.framework.Parts == nil || site.Function == nil {
		return out
	}
	parts := r.framework.Parts(site)
	if r.isParameter(site, parts.Status) {
		out.Status = parts.Status
	}
	if r.isParameter(site, parts.Message) {
		out.Message = parts.Message
	}
	return out
}

// isParameter reports whether a value is a parameter of the function of a site.
func (r *reader) isParameter(site Site, v *code.Value) bool {
	s := r.Symbol(site.Function)
	return s != nil && v != nil && v.Kind == code.ValueName && slices.ContainsFunc(s.Params, func(p code.Param) bool { return p.Name == parameterName(v) })
}

// parameterName returns the name of a parameter in a value, without the mark of a variable.
func parameterName(v *code.Value) string { return strings.TrimPrefix(v.Text, "$") }

// given returns an outcome of a function with what the call at a site gives to its open parts. An answer that a function always
// gives is given where it is called.
func (r *reader) given(o outcome, site Site, callee *resolve.Node) outcome {
	if o.open == (Parts{}) {
		if o.class == "" && o.site.Function == callee && len(o.site.When) == 0 && !o.site.Partial {
			o.site, o.At = site, site.Where()
		}
		return o
	}
	call := callOf(site.Stmt, callee.Name)
	if call == nil {
		return o
	}
	e := errorReader{Project: r.Project}
	args := e.bind(callee, site.File.Path, call, nil)
	status, message := o.open.Status, o.open.Message
	o.open, o.site, o.At = Parts{}, site, site.Where()
	if g := givenAs(args, status); g.Value != nil {
		o.Status = cmp.Or(r.Status(g.File, g.Value), StatusNamed(g.Text))
		if o.Status == 0 {
			o.open.Status = g.Value
		}
		if message == nil && o.Message == "" && site.File.Language == "go" {
			r.said(&o, site, call, callee)
		}
	}
	if g := givenAs(args, message); g.Value != nil {
		g.Value = r.partOf(site, g.Value)
		o.Message = cmp.Or(o.Message, r.textOf(g))
		if r.isParameter(site, g.Value) {
			o.open.Message = g.Value
		}
	}
	return o
}

// givenAs returns the argument for a parameter; a Given without a value for none.
func givenAs(args map[string]Given, parameter *code.Value) Given {
	if parameter == nil {
		return Given{}
	}
	return args[parameterName(parameter)]
}

// said reads what a function of Go that answers with a given status is given besides: a text, or an object with one, or a parameter of
// the function around that its callers give.
func (r *reader) said(o *outcome, site Site, call *code.Value, callee *resolve.Node) {
	s := r.Symbol(callee)
	for i := range call.Args {
		if s == nil || i >= len(s.Params) || isGoRequest(s.Params[i]) || s.Params[i].Type == "int" {
			continue
		}
		v := r.partOf(site, &call.Args[i])
		if o.Message = r.textOf(Given{site.File.Path, v}); o.Message != "" {
			return
		}
		if r.isParameter(site, v) {
			o.open.Message = v
		}
	}
}

// partOf is messagePart, also of a local variable of Go.
func (r *reader) partOf(site Site, v *code.Value) *code.Value {
	v = messagePart(v)
	if v == nil || v.Kind != code.ValueName || site.File.Language != "go" || r.isParameter(site, v) {
		return v
	}
	out := v
	code.AllStmts(bodyStmts(site.Body), func(s *code.Stmt) {
		if s.Op == code.StmtAssign && s.Line < site.Stmt.Line && s.Text == v.Text && s.Value != nil {
			out = s.Value
		}
	})
	return messagePart(out)
}

// messagePart returns the part of a body that says what is wrong.
func messagePart(v *code.Value) *code.Value {
	for v != nil && (v.Kind == code.ValueObject || v.Kind == code.ValueOther) && len(v.Args) > 0 {
		inner := v.Named(messageNames...)
		if inner == nil {
			inner = &v.Args[0]
		}
		v = inner
	}
	return v
}

// textOf returns the text that a value is or begins with; that of a call is not known.
func (r *reader) textOf(g Given) string {
	if text, ok := r.Text(g.File, g.Value); ok || g.Kind == code.ValueCall {
		return text
	}
	return firstText(g.Value)
}

// callOf returns the call of a function in a statement; nil for none.
func callOf(s *code.Stmt, name string) *code.Value {
	var out *code.Value
	find := func(v *code.Value) bool {
		if v.Kind == code.ValueCall && Last(v.Text) == name {
			out = v
		}
		return out == nil
	}
	switch {
	case s.Value != nil:
		s.Value.All(find)
	case s.Answer != nil:
		s.Answer.Value.All(find)
	}
	return out
}
