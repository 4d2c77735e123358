package csharp

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

func callSite(n syntax.Node) (code.Call, bool) {
	switch n.Kind() {
	case "invocation_expression":
		if n.Parent().Is("constant_pattern") { // a positional pattern
			return code.Call{}, false
		}
		return invocation(n.Field("function"))
	case "element_access_expression": // a call in an assignment target was rewritten as an element access
		if n.Field("subscript").Begins("(") {
			return invocation(n.Field("expression"))
		}
	case "member_access_expression": // the same without arguments
		if n.Field("name").TextIs(")") {
			return invocation(n.Field("expression"))
		}
	case "object_creation_expression":
		return newCall(n.Field("type"))
	case "implicit_object_creation_expression":
		call, ok := newCall(newType(n))
		call.Line = n.Line()
		return call, ok
	case "constructor_initializer":
		return code.Call{Name: n.Child("base", "this").Text()}, true
	case "argument_list":
		if n.Parent().Is("base_list", "primary_constructor_base_type") { // class A(int x) : B(x)
			return newCall(n.Previous())
		}
	}
	return code.Call{}, false
}

// invocation returns the call of the expression before the arguments. An expression
// without a name, such as an element that is a delegate, is not a call site.
func invocation(function syntax.Node) (code.Call, bool) {
	name, on := function, syntax.Node{}
	switch function.Kind() {
	case "member_access_expression":
		name, on = function.Field("name"), function.Field("expression")
	case "conditional_access_expression":
		name, on = function.Child("member_binding_expression").Field("name"), function.Field("condition")
	case "alias_qualified_name":
		name, on = function.Field("name"), function.Field("alias")
	}
	call := code.Call{Receiver: core.Receiver(on), Line: name.Line()}
	switch name.Kind() {
	case "identifier":
		call.Name = name.Text()
	case "generic_name":
		call.Name = name.First().Text()
	}
	if !on.Ok() && call.Name == "nameof" {
		return code.Call{}, false
	}
	return call, call.Name != "" && call.Name != "*"
}

// newCall returns the constructor call of a type.
func newCall(t syntax.Node) (code.Call, bool) {
	call := code.Call{New: true, Line: t.Line()}
	for t.Is("nullable_type") {
		t = t.Field("type")
	}
	switch t.Kind() {
	case "qualified_name":
		call.Receiver = core.Receiver(t.Field("qualifier"))
		t = t.Field("name")
	case "alias_qualified_name":
		call.Receiver = core.Receiver(t.Field("alias"))
		t = t.Field("name")
	}
	switch t.Kind() {
	case "generic_name":
		call.Name = t.First().Text()
	case "identifier", "predefined_type":
		call.Name = t.Text()
	}
	return call, call.Name != "" && call.Name != "var"
}

// newType returns the type that new() creates if it is the value of a variable, field or
// property with a declared type; else the zero Node.
func newType(n syntax.Node) syntax.Node {
	around := n.Parent()
	switch around.Kind() {
	case "variable_declarator":
		return around.Parent().Field("type")
	case "property_declaration":
		return around.Field("type")
	case "arrow_expression_clause":
		if around.Parent().Is("property_declaration", "indexer_declaration") {
			return around.Parent().Field("type")
		}
	}
	return syntax.Node{}
}

// testAttributes are the attributes of test methods in xUnit, NUnit, MSTest and TUnit.
var testAttributes = []string{
	"Fact", "Theory", "Test", "TestCase", "TestCaseSource", "TestMethod", "DataTestMethod",
	"SkippableFact", "SkippableTheory", "StaFact", "WpfFact", "UIFact",
}

// tests finds test methods by their attributes.
func tests(r *core.Reader) { testsIn(r, r.File.Symbols, "") }

func testsIn(r *core.Reader, list []code.Symbol, around string) {
	for _, s := range list {
		if s.Kind == code.Method && slices.ContainsFunc(s.Decorators, isTestAttribute) {
			r.File.Tests = append(r.File.Tests, code.Test{Name: around + s.Name, Line: s.StartLine, EndLine: s.EndLine, Runner: "dotnet test"})
		}
		testsIn(r, s.Members, around+s.Name+" > ")
	}
}

func isTestAttribute(attribute string) bool {
	name, _, _ := strings.Cut(strings.Trim(attribute, "[]"), "(")
	name = strings.TrimSpace(name)
	name = strings.TrimSuffix(name[strings.LastIndexAny(name, ".:")+1:], "Attribute")
	return slices.Contains(testAttributes, name)
}
