package swift

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var bodies = &core.BodyRules{
	Flow: map[string]core.Construct{
		"function_declaration": core.FlowFunction, "init_declaration": core.FlowFunction, "deinit_declaration": core.FlowFunction,
		"lambda_literal": core.FlowFunction, "computed_property": core.FlowFunction, "subscript_declaration": core.FlowFunction,
		"if_statement": core.FlowSpecial, "guard_statement": core.FlowSpecial, "ternary_expression": core.FlowSpecial,
		"control_transfer_statement": core.FlowSpecial,
		"for_statement":              core.FlowFor,
		"while_statement":            core.FlowSpecial,
		"repeat_while_statement":     core.FlowDo,
		"switch_statement":           core.FlowSwitch,
		"do_statement":               core.FlowTry,
		"assignment":                 core.FlowAssign, "property_declaration": core.FlowAssign,
		"conjunction_expression": core.FlowOperator, "disjunction_expression": core.FlowOperator,
		"nil_coalescing_expression": core.FlowOperator,
	},
	Switches: map[string]core.SwitchRule{"switch_statement": {On: "expr", Arms: core.SetOf("switch_entry"), Label: "switch_pattern", Guard: "where_keyword"}},
	Bare:     true,
	Tail:     isTail,
	Handlers: core.SetOf("catch_block"),
	Branches: core.SetOf("if_statement", "guard_statement", "for_statement", "while_statement", "repeat_while_statement",
		"switch_entry", "catch_block", "ternary_expression"),
	Texts:   core.SetOf("line_string_literal"),
	Calls:   core.SetOf("call_expression"),
	Special: flow,
	Refusal: refusal,
	Lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		args := n.Child("call_suffix").Child("value_arguments")
		if !n.Is("call_expression") || !args.Has("[") || !n.First().Ends("processInfo.environment") {
			return "", nil
		}
		return n.First().Text(), []syntax.Node{args.First().Child("line_string_literal")}
	},
	CatchesAll: func(head string) bool {
		return !strings.Contains(head, " as ") && !strings.Contains(head, " is ") && !strings.Contains(head, ".")
	},
}

// isTail reports whether an expression is the only statement of a function or of a property's getter.
func isTail(n syntax.Node) bool {
	if syntax.IsComment(n.Kind()) || strings.HasSuffix(n.Kind(), "declaration") {
		return false
	}
	list := n.Parent()
	if !list.Is("statements") {
		return false
	}
	for c := range list.NamedSeq() {
		if c != n && !syntax.IsComment(c.Kind()) {
			return false
		}
	}
	around := list.Parent()
	return around.Is("computed_property", "computed_getter") || around.Is("function_body") && around.Parent().Is("function_declaration")
}

// flow reads conditions, of which there may be several, and jumps.
func flow(f *core.FlowReader, n syntax.Node) ([]code.Stmt, bool) {
	switch n.Kind() {
	case "if_statement", "guard_statement":
		return branch(f, n), true
	case "while_statement":
		out := branch(f, n)
		loop := &out[len(out)-1]
		loop.Op, loop.Label = code.StmtLoop, f.LoopLabel(n)
		if loop.Cond.Text == "true" {
			loop.Cond = nil
		}
		return out, true
	case "ternary_expression":
		return f.Branch(n, n.Field("condition"), false, n.Field("if_true"), []syntax.Node{n.Field("if_false")}), true
	}
	word, _, _ := strings.Cut(n.Head(len("continue ")), " ")
	switch strings.TrimSpace(word) {
	case "break":
		return f.Jump(n, core.FlowBreak), true
	case "continue":
		return f.Jump(n, core.FlowNext), true
	}
	return f.Jump(n, core.FlowReturn), true
}

// branch reads an if or guard, or the parts of a while.
func branch(f *core.FlowReader, n syntax.Node) []code.Stmt {
	s := code.Stmt{Op: code.StmtIf, Line: n.Line()}
	var parts, terms []code.Cond
	var out []code.Stmt
	binds, isElse := syntax.Node{}, n.Is("guard_statement")
	var pattern syntax.Node
	for c := range n.Children() {
		switch {
		case c.Is("statements") && !isElse:
			s.Body = append(s.Body, f.Inside(c)...)
		case c.Is("statements"):
			s.Else = append(s.Else, f.Inside(c)...)
		case c.Is("if_statement"):
			s.Else = f.Stmts(c)
		case c.TextIs("else"):
			isElse = true
		case c.TextIs(","):
			parts, pattern = append(parts, bound(terms, pattern, binds)...), syntax.Node{}
			terms, binds = nil, syntax.Node{}
		case c.Is("value_binding_pattern") && !pattern.Ok(), c.TextIs("case"):
			pattern = c
		case c.TextIs("="):
			binds, terms = c, nil
		case c.FieldName() == "bound_identifier" || !c.Named():
		case c.FieldName() == "condition":
			out = append(out, f.Stmts(c)...)
			terms = append(terms, f.Cond(c))
		}
	}
	parts = append(parts, bound(terms, pattern, binds)...)
	cond := core.Joined(code.CondAnd, parts...)
	s.Cond = &cond
	return append(out, s)
}

// bound returns the conditions of one part of an if or guard: "let x = y" is a pattern.
func bound(terms []code.Cond, pattern, equals syntax.Node) []code.Cond {
	if !pattern.Ok() {
		return terms
	}
	name := pattern.Next()
	is := code.Cond{Op: code.CondIs, Of: name.Text(), Text: pattern.Text() + " " + name.Text()}
	if pattern.TextIs("case") {
		is.Text = name.Text()
	}
	if equals.Ok() && len(terms) > 0 {
		around := pattern.Parent()
		text := around.Text()[pattern.Start()-around.Start() : equals.Start()-around.Start()]
		is.Of, is.Text = terms[len(terms)-1].Text, strings.TrimPrefix(core.Atom(text).Text, "case ")
	}
	return []code.Cond{is}
}

func refusal(n syntax.Node) core.EarlyExit {
	if n.Is("control_transfer_statement") && n.Has("throw_keyword") {
		parts := syntax.NamedChildren(n)
		return core.EarlyExit{Kind: code.Throws, Given: parts[len(parts)-1]}
	}
	if !n.Is("call_expression") || !n.First().Is("simple_identifier") {
		return core.EarlyExit{}
	}
	args := syntax.NamedChildren(n.Child("call_suffix").Child("value_arguments"))
	switch name := n.First().Text(); {
	case name == "fatalError" || name == "preconditionFailure":
		return core.EarlyExit{Kind: code.Panics, Given: n}
	case name == "precondition" && len(args) > 1:
		return core.EarlyExit{Kind: code.Panics, Given: args[1], Err: name, When: &core.Check{On: args[0]}}
	}
	return core.EarlyExit{}
}

var stepRule = &core.StepRule{
	Blocks: core.SetOf("statements"),
	Others: core.SetOf("function_declaration", "class_declaration", "if_statement", "for_statement", "while_statement", "guard_statement", "do_statement", "switch_statement"),
}
