package lang

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var rustBodies = &BodyRules{
	Functions: SetOf("function_item", "closure_expression"),
	Ifs:       SetOf("if_expression"),
	Branches:  SetOf("if_expression", "for_expression", "while_expression", "loop_expression", "match_arm"),
	Texts:     SetOf("string_literal", "raw_string_literal"),
	Calls:     SetOf("call_expression"),
	Choices:   map[string]ChoiceRule{"match_expression": {On: "value", Arm: "match_arm", Label: "pattern"}},
	Groups:    SetOf("match_arm"),
	Refusal:   rustRefusal,
	Scope:     "::",
	Lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		if name := n.Field("macro").Text(); name == "env" || name == "option_env" {
			return name + "!", []syntax.Node{n.Child("token_tree").Child("string_literal")}
		}
		return "", nil
	},
}

var phpBodies = &BodyRules{
	Functions: SetOf("function_definition", "method_declaration", "anonymous_function_creation_expression", "arrow_function"),
	Throws:    SetOf("throw_expression", "throw_statement"),
	Ifs:       SetOf("if_statement", "else_if_clause"),
	Tries:     SetOf("try_statement"),
	Handlers:  SetOf("catch_clause"),
	Branches: SetOf("if_statement", "else_if_clause", "for_statement", "foreach_statement", "while_statement", "do_statement",
		"case_statement", "catch_clause", "conditional_expression", "match_conditional_expression"),
	Texts: SetOf("string", "encapsed_string"),
	Calls: SetOf("function_call_expression", "member_call_expression", "nullsafe_member_call_expression",
		"scoped_call_expression", "object_creation_expression"),
	Choices: map[string]ChoiceRule{
		"switch_statement": {On: "condition", Arm: "case_statement", Label: "value"},
		"match_expression": {On: "condition", Arm: "match_conditional_expression", Label: "conditional_expressions"},
	},
	Groups: SetOf("case_statement", "default_statement", "match_conditional_expression", "match_default_expression"),
	Around: coalesced,
	Scope:  `\`,
	Lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		if parts := NamedChildren(n); n.Is("subscript_expression") && len(parts) == 2 && parts[0].Says("$_ENV") {
			return "$_ENV", parts[1:]
		}
		return "", nil
	},
}

// coalesced tells what stands behind ??.
func coalesced(_ *BodyReader, p, n syntax.Node) string {
	if p.Is("binary_expression") && p.Field("operator").Says("??") && n.FieldName() == "right" {
		return OneLine(p.Field("left").Text()) + " is null"
	}
	return ""
}

var rubyBodies = &BodyRules{
	Functions: SetOf("method", "singleton_method"),
	Tries:     SetOf("begin", "body_statement"),
	Handlers:  SetOf("rescue"),
	Branches: SetOf("if", "unless", "elsif", "if_modifier", "unless_modifier", "when", "while", "until", "for", "rescue",
		"conditional"),
	Texts:   SetOf("string"),
	Calls:   SetOf("call"),
	Choices: map[string]ChoiceRule{"case": {On: "value", Arm: "when", Label: "pattern"}},
	Groups:  SetOf("when"),
	Scope:   "::",
	Around:  rubyAround,
	Refusal: rubyRefusal,
	CatchesAll: func(head string) bool {
		return strings.ToLower(head) == head
	},
	Lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		if n.Is("element_reference") && n.Field("object").Says("ENV") {
			return "ENV", []syntax.Node{n.Child("string")}
		}
		return "", nil
	},
}

// rubyAround tells the conditions of Ruby, whose words stand before and behind.
func rubyAround(b *BodyReader, p, n syntax.Node) string {
	isElse := n.FieldName() == "alternative"
	condition := p.Field("condition")
	switch p.Kind() {
	case "if", "elsif", "conditional", "unless":
		if n == condition {
			return ""
		}
		if isElse != p.Is("unless") {
			return Negated(condition.Text())
		}
		return Unparenthesised(OneLine(condition.Text()))
	case "if_modifier":
		if n != condition {
			return Unparenthesised(OneLine(condition.Text()))
		}
	case "unless_modifier":
		if n != condition {
			return Negated(condition.Text())
		}
	case "binary":
		return rubyOperand(p, n)
	case "else":
		if choice := p.Parent(); choice.Is("case") {
			return strings.TrimSpace(SwitchSubject(choice, b.Rules.Choices["case"]) + " is anything else")
		}
	}
	return ""
}

// rubyOperand tells the condition of what stands behind and, or and their signs.
func rubyOperand(p, n syntax.Node) string {
	left := p.Field("left")
	switch operator := p.Field("operator").Text(); {
	case n == left:
	case operator == "||" || operator == "or":
		return Negated(left.Text())
	case operator == "&&" || operator == "and":
		return Unparenthesised(OneLine(left.Text()))
	}
	return ""
}

func rubyRefusal(n syntax.Node) EarlyExit {
	if !n.Is("call") || n.Field("receiver").Ok() || !n.Field("method").Is("identifier") {
		return EarlyExit{}
	}
	args := n.Field("arguments")
	if word := n.Field("method").Text(); word != "raise" && word != "fail" || !args.Ok() {
		return EarlyExit{}
	}
	g := EarlyExit{Kind: code.Throws, Given: args}
	switch first := args.First(); first.Kind() {
	case "constant", "scope_resolution":
		g.Err = OneLine(first.Text())
	case "string":
		g.Err, g.By = "RuntimeError", n.Field("method").Text()
	case "call":
		call, _ := rubyCall(first)
		g.Err = strings.TrimPrefix(call.Receiver+"::"+call.Name, "::")
	default:
		return EarlyExit{}
	}
	return g
}

var kotlinBodies = &BodyRules{
	Functions: SetOf("function_declaration", "secondary_constructor", "anonymous_function", "getter", "setter"),
	Tries:     SetOf("try_expression"),
	Handlers:  SetOf("catch_block"),
	Branches: SetOf("if_expression", "for_statement", "while_statement", "do_while_statement", "when_entry", "catch_block",
		"elvis_expression"),
	Texts:   SetOf("string_literal"),
	Calls:   SetOf("call_expression"),
	Choices: map[string]ChoiceRule{"when_expression": {On: "when_subject", Arm: "when_entry", Label: "when_condition"}},
	Groups:  SetOf("when_entry"),
	Around:  kotlinAround,
	Refusal: kotlinRefusal,
}

func kotlinAround(_ *BodyReader, p, n syntax.Node) string {
	first := p.First()
	switch {
	case n == first:
	case p.Is("elvis_expression"):
		return OneLine(first.Text()) + " == null"
	case p.Is("if_expression"):
		if word := p.Child("else"); word.Ok() && word.Start() < n.Start() {
			return Negated(first.Text())
		}
		return Unparenthesised(OneLine(first.Text()))
	}
	return ""
}

// kotlinChecks are the functions that throw unless what they are given is so.
var kotlinChecks = map[string]string{
	"require": "IllegalArgumentException", "requireNotNull": "IllegalArgumentException",
	"check": "IllegalStateException", "checkNotNull": "IllegalStateException",
}

func kotlinRefusal(n syntax.Node) EarlyExit {
	if n.Is("jump_expression") && n.Begins("throw") {
		return EarlyExit{Kind: code.Throws, Given: n.First()}
	}
	inside := n.First()
	if !n.Is("call_expression") || n.Parent().Is("call_expression") && n.Parent().First() == n {
		return EarlyExit{}
	}
	g := EarlyExit{Kind: code.Throws, Given: n.Child("call_suffix")}
	if inside.Is("simple_identifier") { // without a message of its own
		inside, g.Given = n, n.First()
	}
	name, args := inside.First(), inside.Child("call_suffix").Child("value_arguments")
	if !name.Is("simple_identifier") {
		return EarlyExit{}
	}
	word := name.Text()
	if word == "error" && inside == n && args.First().First().Is("string_literal") {
		return EarlyExit{Kind: code.Throws, Given: args, Err: "IllegalStateException", By: word}
	}
	if g.Err = kotlinChecks[word]; g.Err == "" || !args.First().Ok() {
		return EarlyExit{}
	}
	g.By, g.When = word, Negated(args.First().Text())
	if strings.HasSuffix(word, "NotNull") {
		g.When = OneLine(args.First().Text()) + " == null"
	}
	return g
}

// javaChecks are the methods that throw unless what they are given is so.
var javaChecks = map[string]string{
	"checkArgument": "IllegalArgumentException", "checkState": "IllegalStateException",
	"checkNotNull": "NullPointerException", "requireNonNull": "NullPointerException",
}

func javaRefusal(n syntax.Node) EarlyExit {
	if !n.Is("method_invocation") {
		return EarlyExit{}
	}
	name, args := n.Field("name").Text(), NamedChildren(n.Field("arguments"))
	err := javaChecks[name]
	if err == "" || len(args) == 0 {
		return EarlyExit{}
	}
	g := EarlyExit{Kind: code.Throws, Given: n.Field("name"), Err: err, By: name, When: Negated(args[0].Text())}
	if err == "NullPointerException" {
		g.When = OneLine(args[0].Text()) + " == null"
	}
	if len(args) > 1 {
		g.Given = args[1]
	}
	return g
}
