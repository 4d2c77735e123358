package swift

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var bodies = &core.BodyRules{
	Functions: core.SetOf("function_declaration", "init_declaration", "deinit_declaration", "lambda_literal", "computed_property",
		"subscript_declaration"),
	Tries:    core.SetOf("do_statement"),
	Handlers: core.SetOf("catch_block"),
	Branches: core.SetOf("if_statement", "guard_statement", "for_statement", "while_statement", "repeat_while_statement",
		"switch_entry", "catch_block", "ternary_expression"),
	Texts:   core.SetOf("line_string_literal"),
	Calls:   core.SetOf("call_expression"),
	Choices: map[string]core.ChoiceRule{"switch_statement": {On: "expr", Arm: "switch_entry", Label: "switch_pattern"}},
	Groups:  core.SetOf("switch_entry"),
	Around:  conditionsAround,
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

// conditionsAround returns the conditions of the if or guard around n, of which there
// may be several.
func conditionsAround(_ *core.BodyReader, p, n syntax.Node) string {
	if !p.Is("if_statement", "guard_statement") || !n.Is("statements", "if_statement") {
		return ""
	}
	end := p.Child("{", "statements", "else")
	from := p.Field("condition")
	if !from.Ok() || !end.Ok() || end.Start() < from.Start() {
		return ""
	}
	text := p.Text()[from.Start()-p.Start() : end.Start()-p.Start()]
	word := p.Child("else")
	if word.Ok() && word.Start() < n.Start() { // also guard's
		return srctext.Negated(text)
	}
	return srctext.Unparenthesised(srctext.OneLine(text))
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
		return core.EarlyExit{Kind: code.Panics, Given: args[1], Err: name, When: srctext.Negated(args[0].Text())}
	}
	return core.EarlyExit{}
}

var stepRule = &core.StepRule{
	Blocks: core.SetOf("statements"),
	Others: core.SetOf("function_declaration", "class_declaration", "if_statement", "for_statement", "while_statement", "guard_statement", "do_statement", "switch_statement"),
}
