package jvm

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var kotlinBodies = &core.BodyRules{
	Flow: map[string]core.Construct{
		"function_declaration": core.FlowFunction, "secondary_constructor": core.FlowFunction,
		"anonymous_function": core.FlowFunction, "getter": core.FlowFunction, "setter": core.FlowFunction,
		"lambda_literal": core.FlowFunction,
		"if_expression":  core.FlowSpecial, "jump_expression": core.FlowSpecial,
		"for_statement":      core.FlowFor,
		"while_statement":    core.FlowWhile,
		"do_while_statement": core.FlowDo,
		"when_expression":    core.FlowSwitch,
		"try_expression":     core.FlowTry,
		"assignment":         core.FlowAssign, "property_declaration": core.FlowAssign,
		"conjunction_expression": core.FlowOperator, "disjunction_expression": core.FlowOperator,
		"elvis_expression": core.FlowOperator,
	},
	Switches: map[string]core.SwitchRule{"when_expression": {On: "when_subject", Arms: core.SetOf("when_entry"), Label: "when_condition"}},
	Bare:     true,
	Handlers: core.SetOf("catch_block"),
	Branches: core.SetOf("if_expression", "for_statement", "while_statement", "do_while_statement", "when_entry", "catch_block",
		"elvis_expression"),
	Texts:   core.SetOf("string_literal"),
	Calls:   core.SetOf("call_expression"),
	Marks:   core.SetOf("annotation"),
	Result:  kotlinResult,
	Special: kotlinFlow,
	Cond:    kotlinSigned,
	Refusal: kotlinRefusal,
}

// kotlinResult returns the expression that a function is, or with which a lambda ends.
func kotlinResult(n syntax.Node) syntax.Node {
	body := n.Child("function_body")
	if n.Is("lambda_literal") {
		body = syntax.LastNamedChild(n)
		if body.Is("statements") {
			body = syntax.LastNamedChild(body)
		}
		if body.Is("lambda_parameters", "jump_expression", "assignment", "property_declaration") {
			return syntax.Node{}
		}
		return body
	}
	if !body.Begins("=") {
		return syntax.Node{}
	}
	return syntax.LastNamedChild(body)
}

// kotlinFlow reads an if or a jump.
func kotlinFlow(f *core.FlowReader, n syntax.Node) ([]code.Stmt, bool) {
	if n.Is("if_expression") {
		var then, other syntax.Node
		for c := range n.NamedSeq() {
			switch word := n.Child("else"); {
			case c == n.First():
			case word.Ok() && word.Start() < c.Start():
				other = c
			default:
				then = c
			}
		}
		return f.Branch(n, n.First(), false, then, []syntax.Node{other}), true
	}
	word, _, _ := strings.Cut(n.Head(len("continue@")), " ")
	switch word, _, at := strings.Cut(word, "@"); strings.TrimSpace(word) {
	case "break":
		return f.Jump(n, core.FlowBreak), true
	case "continue":
		return f.Jump(n, core.FlowNext), true
	case "return":
		if at { // from a lambda
			return f.Jump(n, core.FlowReturn), true
		}
		return f.Jump(n, core.FlowReturn), true
	}
	return nil, false
}

// kotlinSigned reads a condition with a sign, after which the grammar takes all that
// follows as the operand: "a == -1 && b" as "a == -(1 && b)".
func kotlinSigned(_ *core.FlowReader, n syntax.Node) (code.Cond, bool) {
	for inner := n; inner.Ok() && inner.End() == n.End() && !inner.Is("parenthesized_expression"); inner = syntax.LastNamedChild(inner) {
		if inner.Is("prefix_expression") && inner.First().Is("conjunction_expression", "disjunction_expression") {
			return core.CondText(n.Text()), true
		}
	}
	return code.Cond{}, false
}

// kotlinChecks maps functions that throw if a condition on their arguments is false to
// the thrown type.
var kotlinChecks = map[string]string{
	"require": "IllegalArgumentException", "requireNotNull": "IllegalArgumentException",
	"check": "IllegalStateException", "checkNotNull": "IllegalStateException",
}

func kotlinRefusal(n syntax.Node) core.EarlyExit {
	if n.Is("jump_expression") && n.Begins("throw") {
		return core.EarlyExit{Kind: code.Throws, Given: n.First()}
	}
	inside := n.First()
	if !n.Is("call_expression") || n.Parent().Is("call_expression") && n.Parent().First() == n {
		return core.EarlyExit{}
	}
	g := core.EarlyExit{Kind: code.Throws, Given: n.Child("call_suffix")}
	if inside.Is("simple_identifier") { // without a message
		inside, g.Given = n, n.First()
	}
	name, args := inside.First(), inside.Child("call_suffix").Child("value_arguments")
	if !name.Is("simple_identifier") {
		return core.EarlyExit{}
	}
	word := name.Text()
	if word == "error" && inside == n && args.First().First().Is("string_literal") {
		return core.EarlyExit{Kind: code.Throws, Given: args, Err: "IllegalStateException", By: word}
	}
	if g.Err = kotlinChecks[word]; g.Err == "" || !args.First().Ok() {
		return core.EarlyExit{}
	}
	if lambda := g.Given.First().First(); lambda.Is("lambda_literal") { // makes the message
		g.Given = syntax.LastNamedChild(lambda.Child("statements"))
	}
	g.By, g.When = word, &core.Check{On: args.First().First(), Null: strings.HasSuffix(word, "NotNull")}
	return g
}

var kotlinSteps = &core.StepRule{
	Blocks: core.SetOf("statements"),
	Others: core.SetOf("function_declaration", "class_declaration", "if_expression", "for_statement", "while_statement", "when_expression", "try_expression"),
}
