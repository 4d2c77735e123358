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

// given returns an outcome of a function with what the call at a site gives to its open parts.
func (r *reader) given(o outcome, site Site, callee *resolve.Node) outcome {
	if o.open == (Parts{}) {
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
	if status != nil {
		if g := args[parameterName(status)]; g.Value != nil {
			o.Status = cmp.Or(r.Status(g.File, g.Value), StatusNamed(g.Text))
			if o.Status == 0 {
				o.open.Status = g.Value
			}
		}
	}
	if message != nil {
		if g := args[parameterName(message)]; g.Value != nil {
			g.Value = messagePart(g.Value)
			o.Message = cmp.Or(o.Message, r.textOf(g))
			if r.isParameter(site, g.Value) {
				o.open.Message = g.Value
			}
		}
	}
	return o
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
