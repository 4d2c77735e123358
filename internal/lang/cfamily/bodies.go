package cfamily

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var bodies = &core.BodyRules{
	Flow: map[string]core.Construct{
		"function_definition": core.FlowFunction, "lambda_expression": core.FlowFunction,
		"if_statement": core.FlowIf, "conditional_expression": core.FlowIf,
		"for_statement": core.FlowFor, "for_range_loop": core.FlowFor,
		"while_statement":  core.FlowWhile,
		"do_statement":     core.FlowDo,
		"switch_statement": core.FlowSwitch,
		"try_statement":    core.FlowTry,
		"return_statement": core.FlowReturn, "goto_statement": core.FlowReturn,
		"throw_statement":    core.FlowThrow,
		"break_statement":    core.FlowBreak,
		"continue_statement": core.FlowNext,
		"init_declarator":    core.FlowAssign, "assignment_expression": core.FlowAssign, "update_expression": core.FlowAssign,
		"expression_statement": core.FlowStatement,
		"binary_expression":    core.FlowOperator,
		"labeled_statement":    core.FlowSpecial,
		"preproc_if":           core.FlowVariant, "preproc_ifdef": core.FlowVariant,
	},
	Switches: map[string]core.SwitchRule{
		"switch_statement": {On: "condition", Arms: core.SetOf("case_statement"), Label: "value", Falls: core.SetOf("case_statement")},
	},
	Special: func(f *core.FlowReader, n syntax.Node) ([]code.Stmt, bool) { // goto may lead here
		return append([]code.Stmt{{Op: code.StmtUnknown, Line: n.Line()}}, f.Inside(n)...), true
	},
	Bare:     true,
	Handlers: core.SetOf("catch_clause"),
	Branches: core.SetOf("if_statement", "for_statement", "for_range_loop", "while_statement", "do_statement", "case_statement",
		"catch_clause", "conditional_expression"),
	Texts:   core.SetOf("string_literal"),
	Calls:   core.SetOf("call_expression"),
	Refusal: refusal,
	Scope:   "::",
	CatchesAll: func(head string) bool {
		return strings.Contains(head, "...")
	},
}

// errorWords are the words in the names of error codes.
var errorWords = []string{"ERR", "ERROR", "FAIL", "FAILED", "FAILURE", "INVALID", "MISUSE", "NOMEM", "CORRUPT", "OVERFLOW"}

// refusal recognises error results by the conventions of C: -EINVAL, and names in capitals
// with a word of errorWords.
func refusal(n syntax.Node) core.EarlyExit {
	if !n.Is("return_statement") {
		return core.EarlyExit{}
	}
	given := n.First()
	for given.Is("parenthesized_expression") {
		given = given.First()
	}
	name, isNumber := strings.CutPrefix(given.Head(srctext.MaxBodyText), "-")
	if !given.Is("identifier") && !isNumber || len(name) < 3 || name != strings.ToUpper(name) || strings.ContainsAny(name, " ()?") {
		return core.EarlyExit{}
	}
	parts := strings.Split(name, "_")
	isError := slices.ContainsFunc(parts, func(p string) bool { return slices.Contains(errorWords, p) })
	if isNumber && name[0] == 'E' || !isNumber && isError {
		return core.EarlyExit{Kind: code.Fails, Given: given, Err: given.Text()}
	}
	return core.EarlyExit{}
}

var steps = &core.StepRule{Kinds: core.SetOf("expression_statement", "declaration", "return_statement"), Blocks: core.SetOf("compound_statement")}
