package rust

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// refusal returns the early exit at n: a panic or an error result.
func refusal(n syntax.Node) core.EarlyExit {
	switch n.Kind() {
	case "macro_invocation":
		switch strings.TrimPrefix(n.Field("macro").Text(), "anyhow::") {
		case "panic", "unimplemented", "unreachable", "todo":
			return core.EarlyExit{Kind: code.Panics, Given: n}
		case "bail":
			return core.EarlyExit{Kind: code.Fails, Given: n}
		case "ensure":
			return check(n, code.Fails)
		case "assert":
			return check(n, code.Panics)
		}
	case "call_expression":
		if n.Field("function").TextIs("Err") {
			return core.EarlyExit{Kind: code.Fails, Given: n.Field("arguments").First()}
		}
	}
	return core.EarlyExit{}
}

// check returns the early exit of a macro that fails unless its first argument
// holds. The macro needs a message.
func check(n syntax.Node, kind code.GuardKind) core.EarlyExit {
	tokens := n.Child("token_tree")
	from := tokens.Start() + 1
	for c := range tokens.Children() {
		if next := c.Next(); c.TextIs(",") && next.Is("string_literal") {
			when := tokens.Text()[from-tokens.Start() : c.Start()-tokens.Start()]
			return core.EarlyExit{Kind: kind, Given: next, Err: n.Field("macro").Text() + "!", When: srctext.Negated(when)}
		}
	}
	return core.EarlyExit{}
}

var bodyRules = &core.BodyRules{
	Functions: core.SetOf("function_item", "closure_expression"),
	Ifs:       core.SetOf("if_expression"),
	Branches:  core.SetOf("if_expression", "for_expression", "while_expression", "loop_expression", "match_arm"),
	Texts:     core.SetOf("string_literal", "raw_string_literal"),
	Calls:     core.SetOf("call_expression"),
	Choices:   map[string]core.ChoiceRule{"match_expression": {On: "value", Arm: "match_arm", Label: "pattern"}},
	Groups:    core.SetOf("match_arm"),
	Refusal:   refusal,
	Scope:     "::",
	Lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		if name := n.Field("macro").Text(); name == "env" || name == "option_env" {
			return name + "!", []syntax.Node{n.Child("token_tree").Child("string_literal")}
		}
		return "", nil
	},
}

var steps = &core.StepRule{
	Kinds:  core.SetOf("expression_statement", "let_declaration"),
	Blocks: core.SetOf("block"),
}
