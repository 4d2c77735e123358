package ruby

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var bodyRules = &core.BodyRules{
	Flow: map[string]core.Construct{
		"method": core.FlowFunction, "singleton_method": core.FlowFunction, "lambda": core.FlowFunction,
		"block": core.FlowFunction, "do_block": core.FlowFunction,
		"if": core.FlowIf, "elsif": core.FlowIf, "conditional": core.FlowIf,
		"unless":          core.FlowUnless,
		"if_modifier":     core.FlowIfModifier,
		"unless_modifier": core.FlowUnlessModifier,
		"for":             core.FlowFor,
		"while":           core.FlowWhile,
		"until":           core.FlowUntil,
		"case":            core.FlowSwitch,
		"begin":           core.FlowTry, "body_statement": core.FlowTry,
		"return":     core.FlowReturn,
		"break":      core.FlowBreak,
		"next":       core.FlowNext,
		"assignment": core.FlowAssign, "operator_assignment": core.FlowAssign,
		"binary":     core.FlowSpecial,
		"identifier": core.FlowSpecial,
	},
	Switches: map[string]core.SwitchRule{"case": {On: "value", Arms: core.SetOf("when", "else"), Label: "pattern"}},
	Blocks:   core.SetOf("block", "do_block"),
	Handlers: core.SetOf("rescue"),
	Branches: core.SetOf("if", "unless", "elsif", "if_modifier", "unless_modifier", "when", "while", "until", "for", "rescue",
		"conditional"),
	Texts:   core.SetOf("string"),
	Calls:   core.SetOf("call"),
	Scope:   "::",
	Refusal: refusal,
	Special: nameOrOperator,
	Lines:   statements,
	Tail:    isTail,
	CatchesAll: func(head string) bool {
		return strings.ToLower(head) == head
	},
	Lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		if n.Is("element_reference") && n.Field("object").TextIs("ENV") {
			return "ENV", []syntax.Node{n.Child("string")}
		}
		return "", nil
	},
}

// statements are the kinds of nodes whose parts are statements.
var statements = core.SetOf("body_statement", "block_body", "then", "else", "begin", "ensure")

// isTail reports whether an expression is what its method returns.
func isTail(n syntax.Node) bool {
	if syntax.IsComment(n.Kind()) || statements[n.Kind()] || n.Is("when", "elsif", "rescue", "if_modifier", "unless_modifier") {
		return false
	}
	for p := n.Parent(); p.Ok(); n, p = p, p.Parent() {
		switch p.Kind() {
		case "method", "singleton_method":
			return n.FieldName() == "body"
		case "if", "unless", "elsif", "if_modifier", "unless_modifier":
			if n.FieldName() == "condition" {
				return false
			}
		case "case":
			if n.FieldName() == "value" {
				return false
			}
		case "when", "rescue":
			if n.FieldName() != "body" {
				return false
			}
		case "body_statement", "begin", "then", "else":
			if !n.Is("rescue") && lastStatement(p) != n {
				return false
			}
		default:
			return false
		}
	}
	return false
}

// lastStatement returns the last statement of a body, before its handlers.
func lastStatement(n syntax.Node) syntax.Node {
	var out syntax.Node
	for c := range n.NamedSeq() {
		switch {
		case c.Is("else") && out.Ok(): // the result if nothing is raised
			return c
		case !syntax.IsComment(c.Kind()) && !c.Is("rescue", "ensure"):
			out = c
		}
	}
	return out
}

// nameOrOperator reads names and binary expressions.
func nameOrOperator(f *core.FlowReader, n syntax.Node) ([]code.Stmt, bool) {
	if n.Is("binary") {
		return operator(f, n), true
	}
	return bareCall(f, n), true
}

// operator reads a binary expression. The call in "render(…) and return" is a statement, not a condition.
func operator(f *core.FlowReader, n syntax.Node) []code.Stmt {
	left, right := n.Field("left"), n.Field("right")
	if word := n.Field("operator").Text(); f.Parts&core.Calls == 0 || word != "and" && word != "&&" || !left.Is("call") || !right.Is("return", "next") {
		return f.Operator(n)
	}
	return append(f.Value(left), f.Stmts(right)...)
}

// bareCall reads a name that is a statement: a call without arguments, or a variable.
func bareCall(f *core.FlowReader, n syntax.Node) []code.Stmt {
	all := f.Parts&core.Calls != 0
	modified := all && n.Parent().Is("if_modifier", "unless_modifier") && n.FieldName() == "body"
	if !all && !code.MayFail(n.Text()) || !modified && !statements[n.Parent().Kind()] {
		return nil
	}
	v := code.Value{Kind: code.ValueCall, Text: n.Text(), Line: n.Line()}
	return []code.Stmt{{Op: code.StmtCall, Text: v.Text, Value: &v, Line: v.Line}}
}

func refusal(n syntax.Node) core.EarlyExit {
	if !n.Is("call") || n.Field("receiver").Ok() || !n.Field("method").Is("identifier") {
		return core.EarlyExit{}
	}
	args := n.Field("arguments")
	if word := n.Field("method").Text(); word != "raise" && word != "fail" || !args.Ok() {
		return core.EarlyExit{}
	}
	g := core.EarlyExit{Kind: code.Throws, Given: args}
	switch first := args.First(); first.Kind() {
	case "constant", "scope_resolution":
		g.Err = srctext.OneLine(first.Text())
	case "string":
		g.Err, g.By = "RuntimeError", n.Field("method").Text()
	case "call":
		call, _ := callOf(first)
		g.Err = strings.TrimPrefix(call.Receiver+"::"+call.Name, "::")
	default:
		return core.EarlyExit{}
	}
	return g
}

var steps = &core.StepRule{
	Blocks: core.SetOf("body_statement", "block_body", "then", "else"),
	Others: core.SetOf("method", "class", "module", "if", "unless", "while", "until", "case", "begin", "for"),
}
