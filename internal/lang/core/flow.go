package core

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Construct says what a kind of node means for control flow.
type Construct uint8

// The constructs. Nodes of other kinds are read for the constructs inside them.
const (
	FlowFunction   Construct = iota + 1 // a function or closure, a body of its own
	FlowIf                              // fields condition, consequence or body, alternative
	FlowUnless                          // the same with a condition that must be false
	FlowIfModifier                      // fields body, condition
	FlowUnlessModifier
	FlowFor   // a loop over elements, or with a counter
	FlowWhile // fields condition, body
	FlowUntil
	FlowDo      // runs its body at least once
	FlowForever // a loop without a condition
	FlowSwitch  // see [SwitchRule]
	FlowTry
	FlowReturn
	FlowThrow
	FlowBreak
	FlowNext
	FlowAssign
	FlowStatement // an expression as a statement
	FlowOperator  // may be a short-circuit operator
	FlowVariant   // code that is compiled on a condition; field alternative
	FlowSpecial   // read by BodyRules.Special
)

// SwitchRule describes a switch or match.
type SwitchRule struct {
	On    string // field or kind of the subject
	First bool   // the subject is the first node, without a field
	Arms  Set    // kinds of the nodes that hold the statements of a case
	Label string // field or kind of the values of a case
	Guard string // field or kind of a case's condition
	Falls Set    // kinds of cases that continue with the next one unless they jump
}

// FlowReader reads the control flow of function bodies.
type FlowReader struct {
	*BodyReader
	depth  int // of nested nodes
	bodies int // of nested functions
}

// maxFlowDepth is the maximum nesting of nodes that is read of a function.
const maxFlowDepth = 600

// function reads the body of a function or closure, and of those inside it. A closure that is
// an argument is a statement of the function around it.
func (f *FlowReader) function(n syntax.Node) []code.Stmt {
	body := code.Body{In: f.Enclosing(n.Start()), Line: n.Line(), Open: isOpen(n), Bare: f.Rules.Bare}
	body.Use, body.Name = f.useOf(n)
	if body.Use.Kind == code.UseArgument && f.bodies > 0 {
		s := code.Stmt{Op: code.StmtClosure, Text: body.Use.Of, Body: f.Inside(n), Line: n.Line()}
		if f.Parts&Calls != 0 {
			s.Body = f.withResult(n, s.Body)
			body.Stmts, body.Params, body.End, body.At = s.Body, parameterNames(n), n.EndLine(), n.Start()
			body.Types, s.Params = parameterTypes(n), body.Params
			f.out.Functions = append(f.out.Functions, body) // also by itself: it may be the handler of a route
		}
		if f.Rules.Blocks[n.Kind()] {
			s.Label = blockCall(n, s.Body)
		}
		return []code.Stmt{s}
	}
	f.bodies++
	at := len(f.out.Functions)
	f.out.Functions = append(f.out.Functions, code.Body{})
	body.Stmts = f.Inside(n)
	body.Stmts = f.withResult(n, body.Stmts)
	f.bodies--
	if f.Parts&Calls == 0 {
		body.Prune()
	} else {
		body.Params, body.End, body.At = parameterNames(n), n.EndLine(), n.Start()
	}
	if f.Parts&Calls != 0 && f.Parts&Whole != 0 && f.bodies == 0 {
		body.Outline = f.outline(n)
	}
	f.out.Functions[at] = body
	return nil
}

// withResult returns the statements of a function with a return, if its body is a call that is its result.
func (f *FlowReader) withResult(n syntax.Node, list []code.Stmt) []code.Stmt {
	result := n.Field("body")
	if f.Rules.Result != nil && f.Parts&Calls != 0 {
		if result = f.Rules.Result(n); !result.Ok() || endsInError(list) && f.Rules.Flow[result.Kind()] != 0 {
			return list
		}
	} else if !f.Rules.Calls[result.Kind()] && (f.Parts&Calls == 0 || !f.Rules.Values[result.Kind()]) || !onlyAnswers(list) {
		return append(list, f.arrowResult(n, result)...)
	}
	v := f.value(result, 0)
	s := code.Stmt{Op: code.StmtReturn, Value: &v, Line: result.Line()}
	return append(append(list, f.source(&s, result)...), s)
}

// endsInError reports whether statements end with an error.
func endsInError(list []code.Stmt) bool {
	return len(list) > 0 && list[len(list)-1].Op == code.StmtError
}

// onlyAnswers reports whether statements do nothing but answer a request.
func onlyAnswers(list []code.Stmt) bool {
	return !slices.ContainsFunc(list, func(s code.Stmt) bool { return s.Op != code.StmtAnswer })
}

// parameterNames returns the names of the parameters of a function; a pattern is its text, if that is short.
func parameterNames(n syntax.Node) []string {
	if one := n.Field("parameter"); one.Ok() { // x => …
		return []string{one.Short()}
	}
	list := n.Field("parameters")
	if !list.Ok() {
		return unlistedNames(n)
	}
	var out []string
	for c := range list.NamedSeq() {
		if syntax.IsComment(c.Kind()) {
			continue
		}
		for _, field := range []string{"pattern", "name", "left"} {
			if name := c.Field(field); name.Ok() {
				c = name
				break
			}
		}
		if c.Is("typed_parameter") { // of Python: name: type
			c = c.First()
		}
		out = append(out, c.Short())
	}
	return out
}

// unlistedNames returns the names of parameters that are in no field of their function: in Swift they are among its parts, the
// name in the function after the one for callers; in Kotlin in a list.
func unlistedNames(n syntax.Node) []string {
	if list := n.Child("function_value_parameters"); list.Ok() {
		n = list
	}
	var out []string
	for c := range n.NamedSeq() {
		if !c.Is("parameter") {
			continue
		}
		name := c.Field("name")
		for part := range c.NamedSeq() {
			if !name.Ok() && part.Is("simple_identifier") {
				name = part
			}
		}
		if name.Ok() {
			out = append(out, name.Short())
		}
	}
	return out
}

// parameterTypes returns the types of the parameters of a function literal; nil if none is declared.
func parameterTypes(n syntax.Node) []string {
	var out []string
	declared := false
	for c := range n.Field("parameters").NamedSeq() {
		if syntax.IsComment(c.Kind()) {
			continue
		}
		t := c.Field("type")
		declared = declared || t.Ok()
		out = append(out, srctext.OneLine(t.Text()))
	}
	if !declared {
		return nil
	}
	return out
}

// isOpen reports whether a function is declared with a word that lets others override it.
func isOpen(n syntax.Node) bool {
	head, _, _ := strings.Cut(n.Head(srctext.MaxBodyText), "(")
	for word := range strings.FieldsSeq(head) {
		if word == "virtual" || word == "open" || word == "override" || word == "abstract" {
			return true
		}
	}
	return false
}

// blockCall returns the text of the call that a block is given to, with the block's
// parameters; "" if the block does not return.
func blockCall(n syntax.Node, list []code.Stmt) string {
	returns := false
	code.AllStmts(list, func(s *code.Stmt) { returns = returns || s.Op == code.StmtReturn })
	if !returns {
		return ""
	}
	call := n.Parent()
	head := srctext.OneLine(call.Text()[:n.Start()-call.Start()])
	return srctext.ClipBody(strings.TrimSpace(head + " " + srctext.OneLine(n.Field("parameters").Text())))
}

// useOf says what becomes of a function, and returns the name that it has inside another one.
func (f *FlowReader) useOf(n syntax.Node) (code.Use, string) {
	switch name := n.Field("name"); {
	case !name.Ok() || strings.Contains(n.Kind(), "expression"):
	case f.bodies == 0 || strings.Contains(n.Kind(), "method"):
		return code.Use{}, ""
	default:
		return code.Use{Kind: code.UseAssigned, Of: name.Short()}, name.Short()
	}
	return f.useAround(n)
}

// useAround says what becomes of a closure by the nodes around it.
func (f *FlowReader) useAround(n syntax.Node) (code.Use, string) {
	for inner, p := n, n.Parent(); p.Ok(); inner, p = p, p.Parent() {
		switch c := f.Rules.Flow[p.Kind()]; {
		case c == FlowReturn || c == FlowFunction && inner.FieldName() == "body":
			return code.Use{Kind: code.UseReturned}, ""
		case c == FlowAssign && f.bodies == 0:
			return code.Use{}, ""
		case c == FlowAssign:
			name := f.target(p)
			return code.Use{Kind: code.UseAssigned, Of: name}, name
		case p.Is(argumentLists...) || p.Is("call_suffix") || f.Rules.Calls[p.Kind()]:
			return f.givenTo(p), ""
		case c != 0 && c != FlowStatement && c != FlowOperator && c != FlowSpecial:
			return code.Use{Kind: code.UseOther}, ""
		}
	}
	return code.Use{}, ""
}

// givenTo is the use of an argument in the list p.
func (f *FlowReader) givenTo(p syntax.Node) code.Use {
	for p.Ok() && !f.Rules.Calls[p.Kind()] {
		p = p.Parent()
	}
	call, _ := f.Lang.Call(p)
	return code.Use{Kind: code.UseArgument, Of: srctext.Join(call.Receiver, call.Name)}
}

// Inside reads the children of a node in order.
func (f *FlowReader) Inside(n syntax.Node) []code.Stmt {
	if n.Leaf() {
		return nil
	}
	var out []code.Stmt
	off, before, variant := false, syntax.Node{}, syntax.Node{}
	for c := range n.NamedSeq() {
		if f.Rules.Disables != nil && f.Rules.Disables(c) {
			off = true
			continue
		}
		if f.Rules.Variant != nil && f.Rules.Variant(c).Ok() {
			variant = f.Rules.Variant(c)
			continue
		}
		if !off {
			list := f.under(variant, c)
			if last := len(out) - 1; last >= 0 && len(list) > 0 {
				if before.Ok() && SetWhere(&out[last], &list[0]) {
					list[0].Label = f.whereText(before)
				}
				KeepWhere(&out[last], &list[0])
			}
			out, before = append(out, list...), syntax.Node{}
			if len(list) > 0 && list[len(list)-1].Op == code.StmtAssign {
				before = c
			}
		}
		off, variant = false, syntax.Node{}
	}
	return out
}

// under reads a statement that is compiled under a condition; variant is the zero Node for none.
func (f *FlowReader) under(variant, n syntax.Node) []code.Stmt {
	list := f.line(n)
	if f.Parts&Calls != 0 && f.Rules.Lines == nil && f.Rules.Calls[n.Kind()] && n.Parent().Is("statements") { // a call as a statement, without a node for that
		list = f.called(n, list)
	}
	if !variant.Ok() || len(list) == 0 {
		return list
	}
	cond := Atom(variant.Text())
	return []code.Stmt{{Op: code.StmtIf, Cond: &cond, Body: list, Line: n.Line()}}
}

// line reads a node that may be a statement by where it is.
func (f *FlowReader) line(n syntax.Node) []code.Stmt {
	if f.Parts&Calls != 0 && f.Rules.Lines[n.Parent().Kind()] && (f.Rules.Calls[n.Kind()] || f.Rules.Values[n.Kind()]) {
		return f.Value(n)
	}
	return f.Stmts(n)
}

// whereText returns the text of the assignment that a statement consists of.
func (f *FlowReader) whereText(n syntax.Node) string {
	for n.Ok() && f.Rules.Flow[n.Kind()] != FlowAssign {
		n = syntax.LastNamedChild(n)
	}
	if n.End()-n.Start() > maxAssignment {
		return ""
	}
	if text := strings.TrimRight(WhereText(n.Text()), " ;"); strings.Contains(text, "=") {
		return text
	}
	return ""
}

// WhereText returns an assignment as it is kept: on one line, with the arguments of its calls as far as there is room.
func WhereText(text string) string {
	if len(text) > maxAssignment {
		return ""
	}
	return code.ShortCalls(srctext.OneLine(text), maxWhere)
}

// Limits of the assignments that are kept, in bytes: as written, and as kept.
const (
	maxAssignment = 1000
	maxWhere      = 80
)

// SetWhere reports whether the assignment right before an if statement is of a variable in the
// condition, and notes that.
func SetWhere(assign, s *code.Stmt) bool {
	if s.Op != code.StmtIf || assign.Op != code.StmtAssign {
		return false
	}
	for name := range strings.SplitSeq(assign.Text, ",") {
		if name = code.AssignedName(name); name != "" && s.Cond.Mentions(name) {
			s.Text = assign.Text
			return true
		}
	}
	return false
}

// KeepWhere notes at an if statement about an error the assignment before the if statement right before it, which does not change it:
//
//	n, err := read()
//	if errors.Is(err, io.EOF) { return nil }
//	if err != nil { return err }
func KeepWhere(before, s *code.Stmt) {
	if s.Op != code.StmtIf || before.Op != code.StmtIf || before.Label == "" || s.Text != "" {
		return
	}
	var names []string
	for name := range strings.SplitSeq(before.Text, ",") {
		if name = code.AssignedName(name); code.IsErrorName(name) && s.Cond.Mentions(name) {
			names = append(names, name)
		}
	}
	changed := false
	code.AllStmts([]code.Stmt{*before}, func(o *code.Stmt) {
		for name := range strings.SplitSeq(o.Text, ",") {
			changed = changed || o.Op == code.StmtAssign && slices.Contains(names, code.AssignedName(name))
		}
	})
	if len(names) > 0 && !changed {
		s.Text, s.Label = before.Text, before.Label
	}
}

// Stmts reads one node.
func (f *FlowReader) Stmts(n syntax.Node) []code.Stmt {
	if !n.Ok() || n.Leaf() && f.Rules.Flow[n.Kind()] == 0 {
		return f.withTail(n, nil)
	}
	if f.depth++; f.depth > maxFlowDepth {
		f.depth--
		return []code.Stmt{{Op: code.StmtUnknown, Line: n.Line()}}
	}
	defer func() { f.depth-- }()
	return f.withTail(n, f.stmts(n))
}

func (f *FlowReader) stmts(n syntax.Node) []code.Stmt {
	if f.Rules.Refusal != nil {
		if g := f.Rules.Refusal(n); g.Kind != "" {
			return f.failing(n, g)
		}
	}
	if out, ok := f.answer(n); ok {
		return out
	}
	return f.construct(n, f.Rules.Flow[n.Kind()])
}

func (f *FlowReader) construct(n syntax.Node, c Construct) []code.Stmt {
	switch c {
	case FlowFunction:
		return f.function(n)
	case FlowIf, FlowUnless:
		return f.branch(n, c == FlowUnless)
	case FlowIfModifier, FlowUnlessModifier:
		return f.Branch(n, n.Field("condition"), c == FlowUnlessModifier, n.Field("body"), nil)
	case FlowFor, FlowWhile, FlowUntil, FlowDo, FlowForever:
		return f.loop(n, c)
	case FlowSwitch:
		return f.choice(n, f.Rules.Switches[n.Kind()])
	case FlowTry:
		return f.try(n)
	case FlowSpecial:
		if out, ok := f.Rules.Special(f, n); ok {
			return out
		}
		return f.Inside(n)
	case FlowOperator:
		return f.Operator(n)
	case FlowVariant:
		return f.variant(n)
	case FlowStatement:
		return f.Value(n.First())
	default:
	}
	return f.leaf(n, c)
}

// leaf reads a statement without statements of its own.
func (f *FlowReader) leaf(n syntax.Node, c Construct) []code.Stmt {
	switch c {
	case FlowThrow:
		return f.failing(n, EarlyExit{Kind: code.Throws, Given: n.First()})
	case FlowBreak:
		return []code.Stmt{{Op: code.StmtBreak, Text: jumpLabel(n), Line: n.Line()}}
	case FlowNext:
		return []code.Stmt{{Op: code.StmtNext, Text: jumpLabel(n), Line: n.Line()}}
	case FlowReturn:
		s := code.Stmt{Op: code.StmtReturn, Line: n.Line()}
		if given := n.First(); given.Ok() {
			v := f.value(given, 0)
			s.Value = &v
			return append(append(f.Inside(n), f.source(&s, given)...), s)
		}
		return append(f.Inside(n), s)
	case FlowAssign:
		out := f.assigned(n)
		s := code.Stmt{Op: code.StmtAssign, Text: f.target(n), Adds: addsTo(n), Line: n.Line()}
		if v := f.assignedValue(n); f.Parts&Calls != 0 && v.Ok() || f.Rules.Texts[v.Kind()] || numbers[v.Kind()] || f.isPlainName(v) || f.makesError(v) {
			value := f.value(v, 0)
			s.Value = &value
			if f.Parts&Calls != 0 {
				s.Source = sourceText(v)
			}
			out = append(out, f.chosen(v, s.Text, 0)...)
		}
		return append(append(out, s), f.answerMember(n, s.Text)...)
	default:
	}
	return f.Inside(n)
}

// addsTo reports whether an assignment adds to the value of the variable: x += v, $x .= v.
func addsTo(n syntax.Node) bool {
	for c := range n.Children() {
		switch c.Short() {
		case "+=", ".=":
			return true
		}
	}
	return false
}

// assigned reads the value of an assignment, which some operators compute on a condition.
func (f *FlowReader) assigned(n syntax.Node) []code.Stmt {
	out := f.Value(f.assignedValue(n))
	word := ""
	for c := range n.Children() {
		if text := c.Short(); len(out) > 0 && (text == "||=" || text == "&&=" || text == "??=") {
			word = text
		}
	}
	if word == "" {
		return out
	}
	cond := Atom(f.target(n))
	switch word {
	case "||=":
		cond = Not(cond)
	case "??=":
		cond = code.Cond{Op: code.CondIs, Of: cond.Text, Text: "null"}
	}
	return []code.Stmt{{Op: code.StmtIf, Cond: &cond, Body: out, Line: n.Line()}}
}

// makesError reports whether an expression may construct an error, by the name of the type.
func (f *FlowReader) makesError(n syntax.Node) bool {
	if !f.Rules.Calls[n.Kind()] {
		return false
	}
	call, ok := f.Lang.Call(n)
	return ok && code.MayFail(call.Name)
}

func jumpLabel(n syntax.Node) string {
	if label := n.First(); label.Ok() {
		return label.Short()
	}
	return ""
}

// shortText returns the text of a node on one line, "" if it is long.
func shortText(n syntax.Node) string {
	if n.End()-n.Start() > maxWhere {
		return ""
	}
	return strings.TrimRight(srctext.OneLine(n.Text()), " ;")
}

// target returns the variable that an assignment changes.
func (f *FlowReader) target(n syntax.Node) string {
	for _, field := range []string{"name", "left", "pattern", "declarator", "target", "argument"} {
		if to := n.Field(field); to.Ok() {
			return shortText(to)
		}
	}
	if to := n.Child("variable_declaration"); to.Ok() && n.Is("property_declaration") { // Kotlin: after its modifiers
		return shortText(to.First())
	}
	return shortText(n.First())
}

// assignedValue returns the value of an assignment.
func (f *FlowReader) assignedValue(n syntax.Node) syntax.Node {
	for _, field := range []string{"value", "right"} {
		if v := n.Field(field); v.Ok() {
			return v
		}
	}
	if last := syntax.LastNamedChild(n); last != n.First() {
		return last
	}
	return syntax.Node{}
}

// Value reads an expression whose value is not used, or that is the value of a branch: a call in it may never return.
func (f *FlowReader) Value(n syntax.Node) []code.Stmt {
	return f.called(n, f.Stmts(n))
}

// called adds the call that an expression is to its statements.
func (f *FlowReader) called(n syntax.Node, out []code.Stmt) []code.Stmt {
	for n.Is("await_expression", "await", "parenthesized_expression", "try_expression") {
		n = n.First()
	}
	if f.Parts&Calls != 0 && f.Rules.Values[n.Kind()] {
		v := f.value(n, 0)
		return append(out, code.Stmt{Op: code.StmtCall, Value: &v, Line: n.Line()})
	}
	if !f.Rules.Calls[n.Kind()] {
		return out
	}
	call, ok := f.Lang.Call(n)
	if !ok || len(out) > 0 && (out[len(out)-1].Op == code.StmtError || out[len(out)-1].Op == code.StmtAnswer) {
		return out
	}
	switch call.Receiver {
	case "", "self", "this", "$this", "Self", "static":
	default:
		if !MayNeverReturn[call.Name] && f.Parts&Calls == 0 {
			return out
		}
	}
	v := f.value(n, 0)
	s := code.Stmt{Op: code.StmtCall, Text: srctext.Join(call.Receiver, call.Name), Value: &v, Line: n.Line()}
	if f.Parts&Calls != 0 {
		s.Source = sourceText(n)
	}
	return append(out, s)
}

// MayNeverReturn are the last names of library functions that end the program.
var MayNeverReturn = SetOf("exit", "Exit", "_exit", "abort", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln", "Goexit", "FailFast", "terminate")

// branch reads an if statement or a conditional expression.
func (f *FlowReader) branch(n syntax.Node, unless bool) []code.Stmt {
	condition := n.Field("condition")
	if !condition.Ok() {
		return f.Inside(n)
	}
	then := n.Field("consequence")
	if !then.Ok() {
		then = n.Field("body")
	}
	var others []syntax.Node
	for c := range n.NamedSeq() {
		if c.FieldName() == "alternative" {
			others = append(others, c)
		}
	}
	return f.Branch(n, condition, unless, then, others)
}

// Branch reads an if with the parts given.
func (f *FlowReader) Branch(n, condition syntax.Node, unless bool, then syntax.Node, others []syntax.Node) []code.Stmt {
	cond := f.Cond(condition)
	if unless {
		cond = Not(cond)
	}
	out := f.Stmts(condition)
	s := code.Stmt{Op: code.StmtIf, Cond: &cond, Line: n.Line(), Body: f.Value(then), Else: f.alternatives(others)}
	if len(s.Body)+len(s.Else) == 0 {
		return out
	}
	return append(out, s)
}

// variant reads code that is compiled on a condition, which is not known.
func (f *FlowReader) variant(n syntax.Node) []code.Stmt {
	s := code.Stmt{Op: code.StmtIf, Cond: &code.Cond{}, Line: n.Line()}
	for c := range n.NamedSeq() {
		switch c.FieldName() {
		case "condition", "name":
		case "alternative":
			s.Else = append(s.Else, f.Stmts(c)...)
		default:
			s.Body = append(s.Body, f.Stmts(c)...)
		}
	}
	return []code.Stmt{s}
}

// alternatives reads the branches after the first one. A chain may be a list or nested.
func (f *FlowReader) alternatives(list []syntax.Node) []code.Stmt {
	if len(list) == 0 {
		return nil
	}
	first := list[0]
	if condition := first.Field("condition"); len(list) > 1 && condition.Ok() {
		then := first.Field("consequence")
		if !then.Ok() {
			then = first.Field("body")
		}
		return f.Branch(first, condition, false, then, list[1:])
	}
	return f.Value(first)
}

// loop reads a loop.
func (f *FlowReader) loop(n syntax.Node, c Construct) []code.Stmt {
	body := n.Field("body")
	if !body.Ok() {
		body = syntax.LastNamedChild(n)
	}
	s := code.Stmt{Op: code.StmtLoop, Line: n.Line(), Label: f.LoopLabel(n)}
	condition := n.Field("condition")
	switch {
	case c == FlowFor:
		s.Text = f.loopHeader(n, body)
	case c != FlowForever && c != FlowDo && condition.Ok():
		if cond := f.Cond(condition); cond.Op != code.CondAtom || !always[cond.Text] {
			if c == FlowUntil {
				cond = Not(cond)
			}
			s.Cond = &cond
		}
	}
	for part := range n.NamedSeq() {
		switch {
		case part == body:
			s.Body = append(s.Body, f.Inside(body)...)
		case part.FieldName() == "alternative":
			s.Else = f.Inside(part)
		case part.Leaf():
		default:
			s.Body = append(s.Body, f.Stmts(part)...)
		}
	}
	return []code.Stmt{s}
}

// always are the conditions of endless loops.
var always = SetOf("true", "True", "1", "TRUE")

// LoopLabel returns the label of a loop, "" if it has none.
func (f *FlowReader) LoopLabel(n syntax.Node) string {
	if p := n.Parent(); p.Is("labeled_statement", "labeled_expression", "labelled_statement") {
		return cmp.Or(p.Field("label").Short(), p.First().Short())
	}
	return strings.TrimSuffix(n.Child("label").Short(), ":")
}

// loopHeader returns the text of a loop between its keyword and its body.
func (f *FlowReader) loopHeader(n, body syntax.Node) string {
	end := body.Start()
	for c := range n.Children() { // comments between the head and the body
		if syntax.IsComment(c.Kind()) && c.Start() < end {
			end = c.Start()
		}
	}
	text := srctext.OneLine(n.Text()[:max(0, end-n.Start())])
	if i := strings.Index(text, "for"); i >= 0 {
		text = strings.TrimPrefix(strings.TrimPrefix(text[i+len("for"):], "each"), " await")
	}
	text = strings.TrimSuffix(strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), ":{")), " do")
	return srctext.ClipBody(srctext.Unparenthesised(strings.TrimSpace(text)))
}

// try reads a statement with handlers.
func (f *FlowReader) try(n syntax.Node) []code.Stmt {
	s := code.Stmt{Op: code.StmtTry, Line: n.Line()}
	var after []code.Stmt
	for c := range n.NamedSeq() {
		switch {
		case f.Rules.Handlers[c.Kind()]:
			head := headOf(c)
			_, caught, _ := strings.Cut(head, " ")
			arm := code.Arm{Labels: []string{srctext.ClipBody(srctext.Unparenthesised(strings.TrimSpace(caught)))}, Body: f.Inside(c)}
			arm.Default = caught == "" || f.Rules.CatchesAll != nil && f.Rules.CatchesAll(head)
			s.Arms = append(s.Arms, arm)
		case c.Is("finally_clause", "finally_block", "ensure"):
			after = f.Inside(c)
		case c.Is("else_clause", "else"):
			s.Else = f.Inside(c)
		default:
			s.Body = append(s.Body, f.line(c)...)
		}
	}
	if len(s.Arms) == 0 {
		return append(s.Body, after...)
	}
	return append([]code.Stmt{s}, after...)
}

// headOf returns the text of a handler before its body.
func headOf(handler syntax.Node) string {
	end := handler.End()
	for c := range handler.Children() {
		if syntax.IsComment(c.Kind()) || c.FieldName() == "body" || c.Is("block", "compound_statement", "statement_block", "statements", "then") {
			end = c.Start()
			break
		}
	}
	text := handler.Text()[:end-handler.Start()]
	return strings.TrimRight(srctext.OneLine(text), " {:")
}

// Operator reads a binary expression; its right operand may run on a condition.
func (f *FlowReader) Operator(n syntax.Node) []code.Stmt {
	left, right, word := operands(n)
	if word == "" {
		return f.Inside(n)
	}
	out := f.Stmts(left)
	if f.Parts&Calls != 0 && f.Rules.Lines != nil {
		out = f.Value(left)
	}
	then := f.Value(right)
	if len(then) == 0 {
		return out
	}
	cond := f.Cond(left)
	switch word {
	case "||", "or":
		cond = Not(cond)
	case "??", "?:":
		cond = code.Cond{Op: code.CondIs, Of: cond.Text, Text: "null"}
	}
	return append(out, code.Stmt{Op: code.StmtIf, Cond: &cond, Body: then, Line: right.Line()})
}

// operands returns the operands of a short-circuit operator; word is "" for other nodes.
func operands(n syntax.Node) (left, right syntax.Node, word string) {
	for c := range n.Children() {
		switch {
		case !c.Named() || c.FieldName() == "operator":
			if text := c.Short(); shortCircuit[text] {
				word = text
			}
		case syntax.IsComment(c.Kind()):
		case word == "":
			left = c
		default:
			right = c
		}
	}
	if !left.Ok() || !right.Ok() {
		word = ""
	}
	return left, right, word
}

var shortCircuit = SetOf("&&", "||", "and", "or", "??", "?:")

// Jump reads a jump of the given kind.
func (f *FlowReader) Jump(n syntax.Node, c Construct) []code.Stmt { return f.leaf(n, c) }
