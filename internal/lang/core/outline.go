package core

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// outliner reads what a function does in the order of the source: each statement as written, each condition, loop, choice and
// handler with the statements in it.
type outliner struct {
	*FlowReader
	depth  int
	failed bool // there is a statement that cannot be read so
}

// maxOutline is the maximum nesting of an outline, and the longest statement that it holds, in bytes.
const (
	maxOutline     = 60
	maxOutlineText = 600
)

// containers are the kinds of nodes that hold statements and are none themselves.
var containers = SetOf(
	"block", "statement_block", "compound_statement", "body_statement", "block_body", "then", "else", "do", "statements",
	"control_structure_body", "function_body", "else_clause", "unsafe_block", "finally_clause", "finally_block", "ensure", "code_block", "constructor_body",
)

// outline returns the outline of a function; nil if it cannot be told whole.
func (f *FlowReader) outline(n syntax.Node) []code.Stmt {
	o := &outliner{FlowReader: f}
	list := o.function(n)
	if o.failed {
		return nil
	}
	return list
}

// function reads the body of a function.
func (o *outliner) function(n syntax.Node) []code.Stmt {
	body := n.Field("body")
	for c := range n.NamedSeq() {
		if !body.Ok() && (containers[c.Kind()] || arrows[n.Kind()] && syntax.LastNamedChild(n) == c) {
			body = c
		}
	}
	switch {
	case !body.Ok():
		return nil
	case containers[body.Kind()] && body.Begins("="): // Kotlin
		if value := syntax.LastNamedChild(body); value.Ok() {
			return o.result(value)
		}
		return nil
	case containers[body.Kind()]:
		return o.list(body)
	case body.Begins("=>") && body.First().Ok(): // C#
		return o.result(syntax.LastNamedChild(body))
	case o.isCompound(body):
		return o.statement(body)
	}
	return []code.Stmt{{Op: code.StmtReturn, Source: o.text(body, nil), Line: body.Line()}}
}

// result reads the expression that is what a function returns.
func (o *outliner) result(n syntax.Node) []code.Stmt {
	if o.isCompound(n) && o.Rules.Flow[n.Kind()] != 0 {
		return o.statement(n)
	}
	s := o.leaf(n)
	if s.Op == code.StmtCall {
		s.Op = code.StmtReturn
	}
	return []code.Stmt{s}
}

// list reads the statements in a node.
func (o *outliner) list(n syntax.Node) []code.Stmt {
	if !n.Ok() {
		return nil
	}
	if !containers[n.Kind()] {
		return o.statement(n)
	}
	if handled := n.Is("body_statement", "begin") && o.handles(n); handled {
		return []code.Stmt{o.try(n)}
	}
	var out []code.Stmt
	for c := range n.NamedSeq() {
		if !syntax.IsComment(c.Kind()) {
			out = append(out, o.statement(c)...)
		}
	}
	return out
}

// handles reports whether a node has handlers of its own.
func (o *outliner) handles(n syntax.Node) bool {
	for c := range n.NamedSeq() {
		if o.Rules.Handlers[c.Kind()] || c.Is("ensure", "finally_clause", "finally_block") {
			return true
		}
	}
	return false
}

// statement reads one statement.
func (o *outliner) statement(n syntax.Node) []code.Stmt {
	if o.depth++; o.depth > maxOutline {
		o.failed = true
	}
	defer func() { o.depth-- }()
	if o.failed || syntax.IsComment(n.Kind()) {
		return nil
	}
	c := o.Rules.Flow[n.Kind()]
	switch {
	case c == FlowStatement && o.Rules.Texts[n.First().Kind()]: // documentation
		return nil
	case c == FlowStatement && o.isCompound(n.First()) && n.First() == syntax.LastNamedChild(n):
		return o.statement(n.First())
	case containers[n.Kind()]:
		return o.list(n)
	case !o.isCompound(n):
		return []code.Stmt{o.leaf(n)}
	case c == FlowFunction:
		return []code.Stmt{o.closure(n)}
	case c == FlowVariant:
		o.failed = true
		return nil
	}
	return o.compound(n, c)
}

// compound reads a statement with statements in it.
func (o *outliner) compound(n syntax.Node, c Construct) []code.Stmt {
	s := code.Stmt{Line: n.Line()}
	switch c {
	case FlowIf, FlowUnless:
		return o.branch(n, c == FlowUnless)
	case FlowIfModifier, FlowUnlessModifier:
		s.Op, s.Body = code.StmtIf, o.list(n.Field("body"))
		o.condition(&s, n.Field("condition"), c == FlowUnlessModifier)
	case FlowFor, FlowWhile, FlowUntil, FlowForever, FlowDo:
		s = o.loop(n, c)
	case FlowSwitch:
		s = o.choice(n)
	case FlowTry:
		if !o.handles(n) {
			return o.listed(n)
		}
		s = o.try(n)
	case FlowSpecial:
		if s, ok := o.special(n); ok {
			return []code.Stmt{s}
		}
		return []code.Stmt{o.leaf(n)}
	default:
		return []code.Stmt{o.leaf(n)}
	}
	return []code.Stmt{s}
}

// listed reads the parts of a node that holds statements and perhaps others.
func (o *outliner) listed(n syntax.Node) []code.Stmt {
	var out []code.Stmt
	for c := range n.NamedSeq() {
		out = append(out, o.statement(c)...)
	}
	return out
}

func (o *outliner) negate(c code.Cond, negative bool) code.Cond {
	if c.Op == code.CondUnknown {
		o.failed = true
	}
	if negative {
		return Not(c)
	}
	return c
}

// branch reads an if with its alternatives.
func (o *outliner) branch(n syntax.Node, unless bool) []code.Stmt {
	condition, then := n.Field("condition"), n.Field("consequence")
	if !then.Ok() {
		then = n.Field("body")
	}
	if !condition.Ok() {
		return []code.Stmt{o.leaf(n)}
	}
	var others []syntax.Node
	for c := range n.NamedSeq() {
		if c.FieldName() == "alternative" {
			others = append(others, c)
		}
	}
	s := code.Stmt{Op: code.StmtIf, Body: o.list(then), Else: o.alternatives(others), Line: n.Line()}
	o.condition(&s, condition, unless)
	return []code.Stmt{s}
}

// condition sets the condition of a statement; one that also assigns a variable is the Source, as written.
func (o *outliner) condition(s *code.Stmt, n syntax.Node, negative bool) {
	if len(o.parts(n)) > 0 {
		o.failed = true
		return
	}
	if o.assigns(n) {
		if s.Source = unbracketed(o.text(n, nil)); negative {
			s.Label = Unless
		}
		return
	}
	cond := o.negate(o.Cond(n), negative)
	s.Cond = &cond
}

// Unless is the Label of a condition in an outline that must not hold.
const Unless = "unless"

// assigns reports whether an expression sets a variable.
func (o *outliner) assigns(n syntax.Node) bool {
	for c := range n.Descendants() {
		if o.Rules.Flow[c.Kind()] == FlowAssign {
			return true
		}
	}
	return false
}

// alternatives reads the branches after the first one. A chain may be a list or nested.
func (o *outliner) alternatives(list []syntax.Node) []code.Stmt {
	if len(list) == 0 {
		return nil
	}
	first := list[0]
	if condition := first.Field("condition"); condition.Ok() && (len(list) > 1 || first.Is("elif_clause", "elsif", "else_if_clause")) {
		then := first.Field("consequence")
		if !then.Ok() {
			then = first.Field("body")
		}
		rest := list[1:]
		if next := first.Field("alternative"); next.Ok() && len(rest) == 0 {
			rest = []syntax.Node{next}
		}
		s := code.Stmt{Op: code.StmtIf, Body: o.list(then), Else: o.alternatives(rest), Line: first.Line()}
		o.condition(&s, condition, false)
		return []code.Stmt{s}
	}
	return o.list(first)
}

// special reads a branch that has another form than most: a condition and one or two blocks.
func (o *outliner) special(n syntax.Node) (code.Stmt, bool) {
	blocks := o.blocks(n)
	read := o.stmts(n)
	if len(blocks) == 0 || len(blocks) > 2 || len(read) == 0 {
		return code.Stmt{}, false
	}
	s := read[len(read)-1]
	if s.Op != code.StmtIf || s.Cond == nil || s.Cond.Op == code.CondUnknown || s.Line != n.Line() || len(o.conditionParts(n, blocks[0])) > 0 {
		return code.Stmt{}, false
	}
	out := code.Stmt{Op: code.StmtIf, Cond: s.Cond, Line: s.Line, Body: o.list(blocks[0])}
	switch {
	case len(blocks) > 1:
		out.Else = o.list(blocks[1])
	case len(s.Body) == 0 && len(s.Else) > 0: // guard … else
		head := JoinedLines(n.Text()[:blocks[0].Start()-n.Start()])
		head = strings.TrimSuffix(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(head), "{")), "else")
		out.Cond, out.Label, out.Source = nil, Unless, strings.TrimSpace(strings.TrimPrefix(head, "guard "))
	}
	return out, true
}

// blocks returns the blocks of a branch, of which the last may be a branch itself.
func (o *outliner) blocks(n syntax.Node) []syntax.Node {
	var out []syntax.Node
	for c := range n.NamedSeq() {
		if containers[c.Kind()] && !c.Leaf() || len(out) > 0 && c.Kind() == n.Kind() {
			out = append(out, c)
		}
	}
	return out
}

// conditionParts returns the compound parts of what is before a block.
func (o *outliner) conditionParts(n, block syntax.Node) []syntax.Node {
	var out []syntax.Node
	for c := range n.NamedSeq() {
		if c.Start() < block.Start() {
			out = append(out, o.parts(c)...)
		}
	}
	return out
}

// closure reads a function inside another one.
func (o *outliner) closure(n syntax.Node) code.Stmt {
	s := code.Stmt{Op: code.StmtClosure, Params: parameterNames(n), Line: n.Line(), Body: o.function(n)}
	if name := n.Field("name"); name.Ok() {
		s.Text = name.Short()
	}
	return s
}

// leaf reads a statement as written; functions and choices in its expressions follow.
func (o *outliner) leaf(n syntax.Node) code.Stmt {
	parts := o.parts(n)
	s := code.Stmt{Op: code.StmtCall, Source: o.text(n, parts), Line: n.Line()}
	for _, p := range parts {
		if o.Rules.Flow[p.Kind()] == FlowFunction {
			s.Body = append(s.Body, o.closure(p))
		} else {
			s.Body = append(s.Body, o.list(p)...)
		}
	}
	o.outcome(n, &s)
	return s
}

// outcome sets how a statement ends what it is in.
func (o *outliner) outcome(n syntax.Node, s *code.Stmt) {
	first, rest, _ := strings.Cut(s.Source, " ")
	switch first {
	case "return":
		s.Op, s.Source = code.StmtReturn, rest
	case "throw", "raise":
		s.Op, s.Source = code.StmtError, rest
	case "break":
		s.Op, s.Text = code.StmtBreak, rest
	case "continue", "next":
		if rest == "" || first == "continue" {
			s.Op, s.Text = code.StmtNext, rest
		}
	default:
		if o.Rules.Tail != nil && o.Rules.Flow[n.Kind()] != FlowAssign && o.Rules.Tail(n) {
			s.Op = code.StmtReturn
		}
	}
}
