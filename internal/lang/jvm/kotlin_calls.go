package jvm

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

func kotlinCall(n syntax.Node) (code.Call, bool) {
	switch n.Kind() {
	case "call_expression":
		return kotlinCallee(n.First())
	case "constructor_invocation": // of a superclass, or of a delegate
		if !n.Parent().Is("delegation_specifier") {
			return code.Call{}, false
		}
		name := n.First().Child("type_identifier")
		for c := range n.First().NamedSeq() {
			if c.Is("type_identifier") {
				name = c
			}
		}
		return newCall(name, srctext.ClipReceiver(textBefore(n.First(), name))), true
	case "constructor_delegation_call":
		word := n.Child("this", "super").Text()
		return code.Call{Name: word, Line: n.Line()}, word != ""
	}
	return code.Call{}, false
}

// textBefore returns the text of n before its child part, without the dot in between.
func textBefore(n, part syntax.Node) string {
	return srctext.OneLine(strings.TrimRight(n.Text()[:part.Start()-n.Start()], ". \t\r\n"))
}

// kotlinCallee returns the call of the function that an expression names.
func kotlinCallee(n syntax.Node) (code.Call, bool) {
	switch n.Kind() {
	case "simple_identifier":
		return newCall(n, ""), true
	case "navigation_expression":
		name := n.Child("navigation_suffix").Child("simple_identifier")
		if !name.Ok() {
			return code.Call{}, false
		}
		return newCall(name, kotlinReceiver(n.First())), true
	}
	return code.Call{}, false
}

// kotlinReceiver is [core.Receiver] for long chains of calls: it reads only the end of
// the text.
func kotlinReceiver(n syntax.Node) string {
	return srctext.ClipReceiver(srctext.OneLine(n.Tail(srctext.LongReceiver)))
}

// newCall returns a call of a name. It is a constructor call if the name begins with an
// upper-case letter, because Kotlin has no keyword for that.
func newCall(name syntax.Node, receiver string) code.Call {
	text := name.Text()
	first, _ := utf8.DecodeRuneInString(text)
	return code.Call{Name: text, Receiver: receiver, Line: name.Line(), New: unicode.IsUpper(first)}
}
