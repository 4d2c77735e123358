package jvm

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var kotlinBodies = &core.BodyRules{
	Functions: core.SetOf("function_declaration", "secondary_constructor", "anonymous_function", "getter", "setter"),
	Tries:     core.SetOf("try_expression"),
	Handlers:  core.SetOf("catch_block"),
	Branches: core.SetOf("if_expression", "for_statement", "while_statement", "do_while_statement", "when_entry", "catch_block",
		"elvis_expression"),
	Texts:   core.SetOf("string_literal"),
	Calls:   core.SetOf("call_expression"),
	Choices: map[string]core.ChoiceRule{"when_expression": {On: "when_subject", Arm: "when_entry", Label: "when_condition"}},
	Groups:  core.SetOf("when_entry"),
	Around:  kotlinAround,
	Refusal: kotlinRefusal,
}

func kotlinAround(_ *core.BodyReader, p, n syntax.Node) string {
	first := p.First()
	switch {
	case n == first:
	case p.Is("elvis_expression"):
		return srctext.OneLine(first.Text()) + " == null"
	case p.Is("if_expression"):
		if word := p.Child("else"); word.Ok() && word.Start() < n.Start() {
			return srctext.Negated(first.Text())
		}
		return srctext.Unparenthesised(srctext.OneLine(first.Text()))
	}
	return ""
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
	g.By, g.When = word, srctext.Negated(args.First().Text())
	if strings.HasSuffix(word, "NotNull") {
		g.When = srctext.OneLine(args.First().Text()) + " == null"
	}
	return g
}

var kotlinSteps = &core.StepRule{
	Blocks: core.SetOf("statements"),
	Others: core.SetOf("function_declaration", "class_declaration", "if_expression", "for_statement", "while_statement", "when_expression", "try_expression"),
}
