package lang

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var rustBodies = &bodyRules{
	functions: setOf("function_item", "closure_expression"),
	ifs:       setOf("if_expression"),
	branches:  setOf("if_expression", "for_expression", "while_expression", "loop_expression", "match_arm"),
	texts:     setOf("string_literal", "raw_string_literal"),
	calls:     setOf("call_expression"),
	choices:   map[string]choiceRule{"match_expression": {"value", "match_arm", "pattern"}},
	groups:    setOf("match_arm"),
	refusal:   rustRefusal,
	scope:     "::",
	lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		if name := n.Field("macro").Text(); name == "env" || name == "option_env" {
			return name + "!", []syntax.Node{n.Child("token_tree").Child("string_literal")}
		}
		return "", nil
	},
}

var phpBodies = &bodyRules{
	functions: setOf("function_definition", "method_declaration", "anonymous_function_creation_expression", "arrow_function"),
	throws:    setOf("throw_expression", "throw_statement"),
	ifs:       setOf("if_statement", "else_if_clause"),
	tries:     setOf("try_statement"),
	handlers:  setOf("catch_clause"),
	branches: setOf("if_statement", "else_if_clause", "for_statement", "foreach_statement", "while_statement", "do_statement",
		"case_statement", "catch_clause", "conditional_expression", "match_conditional_expression"),
	texts: setOf("string", "encapsed_string"),
	calls: setOf("function_call_expression", "member_call_expression", "nullsafe_member_call_expression",
		"scoped_call_expression", "object_creation_expression"),
	choices: map[string]choiceRule{
		"switch_statement": {"condition", "case_statement", "value"},
		"match_expression": {"condition", "match_conditional_expression", "conditional_expressions"},
	},
	groups: setOf("case_statement", "default_statement", "match_conditional_expression", "match_default_expression"),
	around: coalesced,
	scope:  `\`,
	lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		if parts := inner(n); n.Is("subscript_expression") && len(parts) == 2 && parts[0].Says("$_ENV") {
			return "$_ENV", parts[1:]
		}
		return "", nil
	},
}

// coalesced tells what stands behind ??.
func coalesced(_ *bodyReader, p, n syntax.Node) string {
	if p.Is("binary_expression") && p.Field("operator").Says("??") && n.FieldName() == "right" {
		return words(p.Field("left").Text()) + " is null"
	}
	return ""
}

var rubyBodies = &bodyRules{
	functions: setOf("method", "singleton_method"),
	tries:     setOf("begin", "body_statement"),
	handlers:  setOf("rescue"),
	branches: setOf("if", "unless", "elsif", "if_modifier", "unless_modifier", "when", "while", "until", "for", "rescue",
		"conditional"),
	texts:   setOf("string"),
	calls:   setOf("call"),
	choices: map[string]choiceRule{"case": {"value", "when", "pattern"}},
	groups:  setOf("when"),
	scope:   "::",
	around:  rubyAround,
	refusal: rubyRefusal,
	catchesAll: func(head string) bool {
		return strings.ToLower(head) == head
	},
	lookup: func(n syntax.Node) (of string, names []syntax.Node) {
		if n.Is("element_reference") && n.Field("object").Says("ENV") {
			return "ENV", []syntax.Node{n.Child("string")}
		}
		return "", nil
	},
}

// rubyAround tells the conditions of Ruby, whose words stand before and behind.
func rubyAround(b *bodyReader, p, n syntax.Node) string {
	isElse := n.FieldName() == "alternative"
	condition := p.Field("condition")
	switch p.Kind() {
	case "if", "elsif", "conditional", "unless":
		if n == condition {
			return ""
		}
		if isElse != p.Is("unless") {
			return negated(condition.Text())
		}
		return unparenthesised(words(condition.Text()))
	case "if_modifier":
		if n != condition {
			return unparenthesised(words(condition.Text()))
		}
	case "unless_modifier":
		if n != condition {
			return negated(condition.Text())
		}
	case "binary":
		return rubyOperand(p, n)
	case "else":
		if choice := p.Parent(); choice.Is("case") {
			return strings.TrimSpace(looked(choice, b.rules.choices["case"]) + " is anything else")
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
		return negated(left.Text())
	case operator == "&&" || operator == "and":
		return unparenthesised(words(left.Text()))
	}
	return ""
}

func rubyRefusal(n syntax.Node) givesUp {
	if !n.Is("call") || n.Field("receiver").Ok() || !n.Field("method").Is("identifier") {
		return givesUp{}
	}
	args := n.Field("arguments")
	if word := n.Field("method").Text(); word != "raise" && word != "fail" || !args.Ok() {
		return givesUp{}
	}
	g := givesUp{kind: code.Throws, given: args}
	switch first := args.First(); first.Kind() {
	case "constant", "scope_resolution":
		g.err = words(first.Text())
	case "string":
		g.err, g.by = "RuntimeError", n.Field("method").Text()
	case "call":
		call, _ := rubyCall(first)
		g.err = strings.TrimPrefix(call.Receiver+"::"+call.Name, "::")
	default:
		return givesUp{}
	}
	return g
}

var kotlinBodies = &bodyRules{
	functions: setOf("function_declaration", "secondary_constructor", "anonymous_function", "getter", "setter"),
	tries:     setOf("try_expression"),
	handlers:  setOf("catch_block"),
	branches: setOf("if_expression", "for_statement", "while_statement", "do_while_statement", "when_entry", "catch_block",
		"elvis_expression"),
	texts:   setOf("string_literal"),
	calls:   setOf("call_expression"),
	choices: map[string]choiceRule{"when_expression": {"when_subject", "when_entry", "when_condition"}},
	groups:  setOf("when_entry"),
	around:  kotlinAround,
	refusal: kotlinRefusal,
}

func kotlinAround(_ *bodyReader, p, n syntax.Node) string {
	first := p.First()
	switch {
	case n == first:
	case p.Is("elvis_expression"):
		return words(first.Text()) + " == null"
	case p.Is("if_expression"):
		if word := p.Child("else"); word.Ok() && word.Start() < n.Start() {
			return negated(first.Text())
		}
		return unparenthesised(words(first.Text()))
	}
	return ""
}

// kotlinChecks are the functions that throw unless what they are given is so.
var kotlinChecks = map[string]string{
	"require": "IllegalArgumentException", "requireNotNull": "IllegalArgumentException",
	"check": "IllegalStateException", "checkNotNull": "IllegalStateException",
}

func kotlinRefusal(n syntax.Node) givesUp {
	if n.Is("jump_expression") && n.Begins("throw") {
		return givesUp{kind: code.Throws, given: n.First()}
	}
	inside := n.First()
	if !n.Is("call_expression") || n.Parent().Is("call_expression") && n.Parent().First() == n {
		return givesUp{}
	}
	g := givesUp{kind: code.Throws, given: n.Child("call_suffix")}
	if inside.Is("simple_identifier") { // without a message of its own
		inside, g.given = n, n.First()
	}
	name, args := inside.First(), inside.Child("call_suffix").Child("value_arguments")
	if !name.Is("simple_identifier") {
		return givesUp{}
	}
	word := name.Text()
	if word == "error" && inside == n && args.First().First().Is("string_literal") {
		return givesUp{kind: code.Throws, given: args, err: "IllegalStateException", by: word}
	}
	if g.err = kotlinChecks[word]; g.err == "" || !args.First().Ok() {
		return givesUp{}
	}
	g.by, g.when = word, negated(args.First().Text())
	if strings.HasSuffix(word, "NotNull") {
		g.when = words(args.First().Text()) + " == null"
	}
	return g
}

// javaChecks are the methods that throw unless what they are given is so.
var javaChecks = map[string]string{
	"checkArgument": "IllegalArgumentException", "checkState": "IllegalStateException",
	"checkNotNull": "NullPointerException", "requireNonNull": "NullPointerException",
}

func javaRefusal(n syntax.Node) givesUp {
	if !n.Is("method_invocation") {
		return givesUp{}
	}
	name, args := n.Field("name").Text(), inner(n.Field("arguments"))
	err := javaChecks[name]
	if err == "" || len(args) == 0 {
		return givesUp{}
	}
	g := givesUp{kind: code.Throws, given: n.Field("name"), err: err, by: name, when: negated(args[0].Text())}
	if err == "NullPointerException" {
		g.when = words(args[0].Text()) + " == null"
	}
	if len(args) > 1 {
		g.given = args[1]
	}
	return g
}
