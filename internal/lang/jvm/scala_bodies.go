package jvm

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var scalaBodies = &core.BodyRules{
	Functions: core.SetOf("function_definition"),
	Throws:    core.SetOf("throw_expression"),
	Ifs:       core.SetOf("if_expression"),
	Branches:  core.SetOf("if_expression", "for_expression", "while_expression", "do_while_expression", "case_clause"),
	Texts:     core.SetOf("string", "interpolated_string_expression"),
	Calls:     core.SetOf("call_expression", "instance_expression"),
	Choices:   map[string]core.ChoiceRule{"match_expression": {On: "value", Arm: "case_clause", Label: "pattern"}},
	Groups:    core.SetOf("case_clause"),
	Around: func(_ *core.BodyReader, p, _ syntax.Node) string {
		if p.Is("case_clause") && p.Parent().Parent().Is("catch_clause") {
			return "catch " + srctext.OneLine(p.Field("pattern").Text())
		}
		return ""
	},
	Refusal: scalaRefusal,
}

func scalaRefusal(n syntax.Node) core.EarlyExit {
	if !n.Is("call_expression") {
		return core.EarlyExit{}
	}
	args := syntax.NamedChildren(n.Field("arguments"))
	switch n.Field("function").Short() {
	case "require":
		if len(args) == 2 {
			return core.EarlyExit{Kind: code.Throws, Given: args[1], Err: "IllegalArgumentException", By: "require", When: srctext.Negated(args[0].Text())}
		}
	case "sys.error":
		return core.EarlyExit{Kind: code.Throws, Given: n.Field("arguments"), Err: "RuntimeException", By: "error"}
	}
	return core.EarlyExit{}
}

var scalaSteps = &core.StepRule{
	Blocks: core.SetOf("block", "indented_block"),
	Others: core.SetOf("function_definition", "class_definition", "object_definition", "import_declaration", "if_expression", "for_expression", "while_expression", "match_expression", "try_expression", "case_clause"),
}
