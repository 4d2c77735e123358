package cfamily

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// callSite returns the call at n: f(x), o.f(x), p->f(x), n::f(x), f<T>(x), new T(x), T{x}, and
// the object declarations T x(y) and T x{y}.
func callSite(n syntax.Node) (code.Call, bool) {
	switch n.Kind() {
	case "call_expression":
		call, ok := called(n.Field("function"))
		return call, ok && !notCalls[call.Name] && !n.Parent().Parent().Is("attribute_specifier")
	case "declaration":
		return declared(n)
	case "new_expression":
		return constructorCall(n.Field("type"))
	case "compound_literal_expression":
		if t := n.Field("type"); !t.Is("type_descriptor") { // a C cast in parentheses
			return constructorCall(t)
		}
	case "init_declarator":
		if n.Field("value").Is("argument_list", "initializer_list") {
			if t := n.Parent().Field("type"); t.Is("type_identifier", "qualified_identifier", "template_type") && constructed(n) {
				return constructorCall(t)
			}
		}
	}
	return code.Call{}, false
}

// notCalls are words that the C grammar parses as functions.
var notCalls = core.SetOf("static_assert", "_Static_assert", "defined", "sizeof", "alignof", "typeof", "__attribute__", "decltype", "_BitInt", "else", "if", "while", "for", "switch", "return", "catch")

// declared reads T x(y) in a function body. The grammar parses it as a function declaration,
// but there it is practically always an object.
func declared(n syntax.Node) (code.Call, bool) {
	t, d := n.Field("type"), n.Field("declarator")
	if !n.Parent().Is("compound_statement") || !d.Is("function_declarator") || !d.Field("declarator").Is("identifier") ||
		!t.Is("type_identifier", "qualified_identifier", "template_type") || !d.Field("parameters").First().Ok() {
		return code.Call{}, false
	}
	return constructorCall(t)
}

// constructed reports whether a declarator creates an object of the type before it: T x(y) or
// T x{y}, but not T *x{y} or T x = {y}.
func constructed(n syntax.Node) bool {
	return n.Field("declarator").Is("identifier") && !n.Has("=")
}

// called returns the call of the expression f.
func called(f syntax.Node) (code.Call, bool) {
	for f.Is("parenthesized_expression") {
		f = f.First()
	}
	switch f.Kind() {
	case "identifier", "field_identifier":
		return code.Call{Name: calledName(f.Text()), Line: f.Line()}, true
	case "template_function", "template_method":
		return called(f.Field("name"))
	case "pointer_expression": // (*f)(x)
		return called(f.Field("argument"))
	case "field_expression":
		return memberCall(f)
	case "qualified_identifier":
		return qualifiedCall(f)
	case "dependent_name":
		return called(f.First())
	case "operator_name":
		return code.Call{Name: operatorName(f.Text()), Line: f.Line()}, true
	}
	return code.Call{}, false
}

// memberCall returns the call of o.f or p->f.
func memberCall(f syntax.Node) (code.Call, bool) {
	field := f.Field("field")
	for field.Is("dependent_name", "dependent_field_identifier") {
		field = field.First()
	}
	call, ok := called(field)
	if !ok && field.Ok() { // p->~T()
		call, ok = code.Call{Name: strings.Join(strings.Fields(field.Text()), ""), Line: field.Line()}, true
	}
	call.Receiver = core.Receiver(f.Field("argument"))
	return call, ok
}

// calledName returns a name in canonical spelling. The name of an operator may have been
// rewritten as one word.
func calledName(name string) string {
	if strings.HasPrefix(name, "operator") && !isName(name) {
		return operatorName(name)
	}
	return name
}

// isName reports whether name is a word, not a piece of other text.
func isName(text string) bool {
	for i := range len(text) {
		if !srctext.NameByte(text[i]) {
			return false
		}
	}
	return true
}

// qualifiedCall returns the call of a::b::f; the receiver is a::b.
func qualifiedCall(f syntax.Node) (code.Call, bool) {
	last := f
	for last.Is("qualified_identifier") {
		last = last.Field("name")
	}
	call, ok := called(last)
	if !ok {
		call, ok = code.Call{Name: srctext.OneLine(last.Text()), Line: last.Line()}, last.Ok()
	}
	scope := strings.TrimSpace(textBetween(f, last))
	call.Receiver = srctext.ClipReceiver(srctext.OneLine(strings.TrimSpace(strings.TrimSuffix(scope, "::"))))
	return call, ok
}

// textBetween returns the text of n before its descendant last.
func textBetween(n, last syntax.Node) string {
	text := n.Text()
	return text[:max(0, min(len(text), last.Start()-n.Start()))]
}

// constructorCall returns the constructor call of a type.
func constructorCall(t syntax.Node) (code.Call, bool) {
	if t.Is("qualified_identifier") {
		call, ok := qualifiedCall(t)
		if !ok {
			return call, false
		}
		name, _, _ := strings.Cut(call.Name, "<")
		call.Name, call.New = strings.TrimSpace(name), true
		return call, call.Name != ""
	}
	for t.Is("template_type", "dependent_type") {
		if t.Is("template_type") {
			t = t.Field("name")
		} else {
			t = t.First()
		}
	}
	if !t.Is("type_identifier", "identifier") || notCalls[t.Text()] {
		return code.Call{}, false
	}
	return code.Call{Name: t.Text(), New: true, Line: t.Line()}, true
}
