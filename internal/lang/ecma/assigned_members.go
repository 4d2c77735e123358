package ecma

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// chain returns the targets of a chain of assignments, x = y = v, and the value v.
func chain(n syntax.Node) (targets []syntax.Node, value syntax.Node) {
	for n.Is("assignment_expression") {
		targets = append(targets, n.Field("left"))
		n = n.Field("right")
	}
	return targets, n
}

// isModuleExports reports whether an assignment to n sets what a CommonJS file exports.
func isModuleExports(n syntax.Node) bool { return n.TextIs("module.exports") }

// assignedMembers reads x.f = function … and x.prototype.f = function …, which give the variable, function or class x
// of the file a member.
func (e *Declarations) assignedMembers(x syntax.Node, s scope) {
	targets, value := chain(x)
	if !isFunction(value) {
		return
	}
	for _, left := range targets {
		object := left.Field("object")
		made := object.Is("member_expression") && object.Field("property").TextIs("prototype")
		if made {
			object = object.Field("object")
		}
		if !left.Is("member_expression") || !object.Is("identifier") {
			continue
		}
		sym := e.member(x, left.Field("property").Text(), code.Method, object.Text())
		sym.Doc, sym.Static = docText(s.doc), !made
		e.callable(&sym, value)
		e.signature(&sym, x, value.Field("body"))
		if e.members == nil {
			e.members = map[string][]code.Symbol{}
		}
		e.members[object.Text()] = append(e.members[object.Text()], sym)
	}
}

// attach gives the symbols the members that are assigned to them. A member that is declared counts, not the assignment.
func (e *Declarations) attach(list []code.Symbol) {
	for i := range list {
		s := &list[i]
		for _, m := range e.members[s.Name] {
			if s.Kind != code.Class && s.Kind != code.Function {
				m.Static = false
			}
			if !slices.ContainsFunc(s.Members, func(known code.Symbol) bool { return known.Name == m.Name }) {
				s.Members = append(s.Members, m)
			}
		}
	}
}
