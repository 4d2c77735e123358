package jvm

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

func javaCall(n syntax.Node) (code.Call, bool) {
	switch n.Kind() {
	case "method_invocation":
		name := n.Field("name")
		object := n.Field("object")
		text := core.Receiver(object)
		if n.Has("super") && !object.Is("super") { // Outer.super.run()
			text = strings.TrimPrefix(text+".super", ".")
		}
		return code.Call{Name: name.Text(), Receiver: text, Line: name.Line()}, name.Ok()
	case "object_creation_expression":
		return javaNew(n.Field("type"))
	case "explicit_constructor_invocation":
		name := n.Field("constructor").Text()
		return code.Call{Name: name, Receiver: core.Receiver(n.Field("object"))}, name != ""
	}
	return code.Call{}, false
}

// javaNew returns the constructor call of a type.
func javaNew(t syntax.Node) (code.Call, bool) {
	for t.Is("generic_type", "annotated_type") {
		t = lastType(t)
	}
	call := code.Call{Name: t.Text(), New: true}
	if t.Is("scoped_type_identifier") {
		parts := syntax.NamedChildren(t)
		call.Name = parts[len(parts)-1].Text()
		call.Receiver = core.Receiver(parts[0])
	}
	return call, call.Name != ""
}

// lastType returns the type in a node that adds arguments or annotations to it.
func lastType(n syntax.Node) syntax.Node {
	var out syntax.Node
	for c := range n.NamedSeq() {
		if !c.Is("type_arguments") && !isAnnotation(c) {
			out = c
		}
	}
	return out
}

// junitMarks are the annotations of test methods in JUnit 4 and 5 and TestNG.
var junitMarks = []string{"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"}

// javaTests finds test methods by their annotations, and those of JUnit 3 by their
// names.
func javaTests(r *core.Reader) { junit(r, r.File.Symbols, "", false) }

func junit(r *core.Reader, list []code.Symbol, around string, isCase bool) {
	for _, s := range list {
		byName := isCase && strings.HasPrefix(s.Name, "test") && s.Visibility == code.Public && len(s.Params) == 0
		if s.Kind == code.Method && (byName || slices.ContainsFunc(s.Decorators, isTestMark)) {
			r.File.Tests = append(r.File.Tests, code.Test{Name: around + s.Name, Line: s.StartLine, EndLine: s.EndLine, Runner: "junit"})
		}
		extends := s.Kind == code.Class && r.File.Test && slices.ContainsFunc(s.Bases, func(b string) bool { return strings.HasSuffix(b, "TestCase") })
		junit(r, s.Members, around+s.Name+" > ", extends)
	}
}

func isTestMark(annotation string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(annotation, "@"), "(")
	name = strings.TrimSpace(name)
	return slices.Contains(junitMarks, lastPart(name))
}

// lastPart returns the last part of a qualified name.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
