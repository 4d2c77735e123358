package ruby

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var bodyRules = &core.BodyRules{
	Functions: core.SetOf("method", "singleton_method"),
	Tries:     core.SetOf("begin", "body_statement"),
	Handlers:  core.SetOf("rescue"),
	Branches: core.SetOf("if", "unless", "elsif", "if_modifier", "unless_modifier", "when", "while", "until", "for", "rescue",
		"conditional"),
	Texts:   core.SetOf("string"),
	Calls:   core.SetOf("call"),
	Choices: map[string]core.ChoiceRule{"case": {On: "value", Arm: "when", Label: "pattern"}},
	Groups:  core.SetOf("when"),
	Scope:   "::",
	Around:  conditionAround,
	Refusal: refusal,
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

// conditionAround returns the condition under which n runs inside p. In Ruby the
// keyword may follow the statement.
func conditionAround(b *core.BodyReader, p, n syntax.Node) string {
	isElse := n.FieldName() == "alternative"
	condition := p.Field("condition")
	switch p.Kind() {
	case "if", "elsif", "conditional", "unless":
		if n == condition {
			return ""
		}
		if isElse != p.Is("unless") {
			return srctext.Negated(condition.Text())
		}
		return srctext.Unparenthesised(srctext.OneLine(condition.Text()))
	case "if_modifier":
		if n != condition {
			return srctext.Unparenthesised(srctext.OneLine(condition.Text()))
		}
	case "unless_modifier":
		if n != condition {
			return srctext.Negated(condition.Text())
		}
	case "binary":
		return operand(p, n)
	case "else":
		if choice := p.Parent(); choice.Is("case") {
			return strings.TrimSpace(core.SwitchSubject(choice, b.Rules.Choices["case"]) + " is anything else")
		}
	}
	return ""
}

// operand returns the condition under which the right operand of a logical operator
// runs.
func operand(p, n syntax.Node) string {
	left := p.Field("left")
	switch operator := p.Field("operator").Text(); {
	case n == left:
	case operator == "||" || operator == "or":
		return srctext.Negated(left.Text())
	case operator == "&&" || operator == "and":
		return srctext.Unparenthesised(srctext.OneLine(left.Text()))
	}
	return ""
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
