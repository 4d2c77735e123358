package jvm

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var scalaBodies = &core.BodyRules{
	Flow: map[string]core.Construct{
		"function_definition": core.FlowFunction, "lambda_expression": core.FlowFunction,
		"if_expression":       core.FlowIf,
		"for_expression":      core.FlowFor,
		"while_expression":    core.FlowWhile,
		"do_while_expression": core.FlowDo,
		"match_expression":    core.FlowSwitch,
		"try_expression":      core.FlowSpecial,
		"return_expression":   core.FlowReturn,
		"throw_expression":    core.FlowThrow,
		"val_definition":      core.FlowAssign, "var_definition": core.FlowAssign, "assignment_expression": core.FlowAssign,
		"infix_expression": core.FlowOperator,
	},
	Switches: map[string]core.SwitchRule{"match_expression": scalaCaseRule},
	Branches: core.SetOf("if_expression", "for_expression", "while_expression", "do_while_expression", "case_clause"),
	Texts:    core.SetOf("string", "interpolated_string_expression"),
	Calls:    core.SetOf("call_expression", "instance_expression"),
	Special:  scalaHandlers,
	Bare:     true,
	Refusal:  scalaRefusal,
}

// scalaCaseRule are the cases of a match, and those of a catch.
var scalaCaseRule = core.SwitchRule{On: "value", Arms: core.SetOf("case_clause"), Label: "pattern", Guard: "guard"}

// scalaHandlers reads a try, whose handlers are cases.
func scalaHandlers(f *core.FlowReader, n syntax.Node) ([]code.Stmt, bool) {
	handlers := n.Child("catch_clause")
	if !handlers.Ok() {
		return nil, false
	}
	s := code.Stmt{Op: code.StmtTry, Body: f.Stmts(n.Field("body")), Arms: f.Arms(handlers, scalaCaseRule, false), Line: n.Line()}
	out := []code.Stmt{s}
	if last := n.Child("finally_clause"); last.Ok() {
		out = append(out, f.Inside(last)...)
	}
	return out, true
}

func scalaRefusal(n syntax.Node) core.EarlyExit {
	if !n.Is("call_expression") {
		return core.EarlyExit{}
	}
	args := syntax.NamedChildren(n.Field("arguments"))
	switch n.Field("function").Short() {
	case "require":
		if len(args) == 2 {
			return core.EarlyExit{Kind: code.Throws, Given: args[1], Err: "IllegalArgumentException", By: "require", When: &core.Check{On: args[0]}}
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
