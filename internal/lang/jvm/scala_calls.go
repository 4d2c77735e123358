package jvm

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// scalaCall reads a call: f(x), a.m(x), f[T], new A, and "a max b", a call of max on a.
// Symbolic operators are not calls, nor are methods named without arguments. Applying a
// name that begins with a capital creates an object.
func scalaCall(n syntax.Node) (code.Call, bool) {
	switch n.Kind() {
	case "call_expression":
		function := n.Field("function")
		if function.Is("generic_function") {
			function = function.Field("function")
		}
		return scalaCallee(function)
	case "generic_function":
		if n.Parent().Is("call_expression") && n.FieldName() == "function" {
			return code.Call{}, false
		}
		return scalaCallee(n.Field("function"))
	case "instance_expression":
		return scalaNew(n)
	case "infix_expression":
		operator := n.Field("operator")
		c, _ := utf8.DecodeRuneInString(operator.Text())
		if !operator.Is("identifier") || !unicode.IsLetter(c) || operator.TextIs("with") {
			return code.Call{}, false
		}
		return code.Call{Name: scalaName(operator), Receiver: core.Receiver(n.Field("left")), Line: operator.Line()}, true
	}
	return code.Call{}, false
}

// scalaCallee returns the call of the function that an expression names.
func scalaCallee(function syntax.Node) (code.Call, bool) {
	switch function.Kind() {
	case "identifier", "operator_identifier":
		name := scalaName(function)
		return code.Call{Name: name, New: capital(name), Line: function.Line()}, name != ""
	case "field_expression":
		field := function.Field("field")
		name := scalaName(field)
		return code.Call{Name: name, Receiver: core.Receiver(function.Field("value")), New: capital(name), Line: field.Line()}, name != "" && name != "match"
	}
	return code.Call{}, false
}

func capital(name string) bool {
	c, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(c)
}

// scalaNew returns the constructor call of "new a.B[C](x) with D".
func scalaNew(n syntax.Node) (code.Call, bool) {
	t := n.First()
	for t.Is("compound_type", "annotated_type", "generic_type") {
		t = t.First()
	}
	text := srctext.OneLine(t.Text())
	if t.Is("template_body", "structural_type") || text == "" {
		return code.Call{}, false
	}
	call := code.Call{Name: strings.Trim(text, "`"), New: true, Line: t.Line()}
	if i := strings.LastIndexByte(text, '.'); i >= 0 && t.Is("stable_type_identifier") {
		call.Receiver, call.Name = srctext.ClipReceiver(text[:i]), text[i+1:]
	}
	return call, true
}

// scalaEntry reports whether a program starts at the method s: one marked with @main,
// or the main method of an object.
func scalaEntry(_ *code.File, owner string, s *code.Symbol) bool {
	switch s.Kind {
	case code.Function, code.Method:
		if slices.ContainsFunc(s.Decorators, func(d string) bool {
			return d == "@main" || strings.HasPrefix(d, "@main ") || strings.HasPrefix(d, "@main(")
		}) {
			return true
		}
		return s.Name == "main" && s.Static && owner != "" && len(s.Params) == 1 && strings.HasPrefix(s.Params[0].Type, "Array[String")
	default:
	}
	return false
}

// script records the statements of a script as entry points.
func (s *scalaReader) script() {
	if !strings.HasSuffix(s.File.Path, ".sc") {
		return
	}
	for n := range s.Root().NamedSeq() {
		if !strings.HasSuffix(n.Kind(), "_definition") && !strings.HasSuffix(n.Kind(), "_declaration") && !n.Is("package_clause", "ERROR") {
			s.File.Entries = append(s.File.Entries, code.Entry{Line: n.Line()})
			return
		}
	}
}

// mainObject records an object that is a program because of the class it extends.
func (s *scalaReader) mainObject(sym *code.Symbol, owner string) {
	for _, base := range sym.Bases {
		base, _, _ = strings.Cut(base, "[")
		if slices.Contains([]string{"App", "IOApp", "IOApp.Simple", "ZIOApp", "ZIOAppDefault"}, strings.TrimPrefix(base, "scala.")) {
			s.File.Entries = append(s.File.Entries, code.Entry{Name: srctext.Join(owner, sym.Name), Line: sym.StartLine})
			return
		}
	}
}
