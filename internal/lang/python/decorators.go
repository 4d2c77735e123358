package python

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// decorate sets the decorators of sym, and the modifiers and kind that they imply.
func decorate(sym *code.Symbol, decorators []syntax.Node, s symbolScope) {
	for _, d := range decorators {
		x := d.First()
		if !x.Ok() {
			continue
		}
		sym.Decorators = append(sym.Decorators, decoratorText(d))
		name := decoratorName(x)
		sym.Abstract = sym.Abstract || strings.HasPrefix(name, "abstract")
		if s.class == "" || sym.Kind == code.Class {
			continue
		}
		switch {
		case name == "staticmethod", name == "classmethod", name == "abstractstaticmethod", name == "abstractclassmethod":
			sym.Static = true
		case strings.HasSuffix(name, "property"), name == "getter":
			sym.Kind = code.Getter
		case name == "setter", name == "deleter":
			sym.Kind = code.Setter
		}
	}
}

// decoratorText returns the source of a decorator without surrounding blanks and
// comments.
func decoratorText(decorator syntax.Node) string { return "@" + decorator.First().Text() }

// decoratorName returns the last name of a decorator: "setter" of @x.setter.
func decoratorName(x syntax.Node) string {
	for x.Is("call", "parenthesized_expression") {
		if x.Is("call") {
			x = x.Field("function")
			continue
		}
		x = x.First()
	}
	if x.Is("attribute") {
		x = x.Field("attribute")
	}
	if !x.Is("identifier") {
		return ""
	}
	return x.Text()
}

func isStaticMethod(decorator syntax.Node) bool {
	return strings.HasSuffix(decoratorName(decorator.First()), "staticmethod")
}
