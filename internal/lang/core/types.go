package core

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// TypeRules describe how the types of a language are read.
type TypeRules struct {
	Before, After string   // what makes a declaration of the text of a type
	Arguments     []string // node kinds of lists of type arguments
	Modifiers     []string // words before the type of a parameter; each is an operator
	// Forms are the forms of node kinds. A node of another kind with one child is what the child
	// is. The named children of a node are the type's arguments.
	Forms map[string]code.TypeForm
	// Read fills in t, whose text is set, for a node that Forms does not describe. It may be nil.
	Read func(r TypeReader, n syntax.Node, t *code.Type) bool
}

// TypeOf returns the type that a text denotes. Text that is not a type of the language has the
// form [code.OtherType].
func (l *Language) TypeOf(text string) code.Type {
	text = strings.TrimSpace(text)
	t := code.Type{Form: code.OtherType, Text: text}
	switch {
	case text == "":
		return code.Type{}
	case l.Type != nil:
		return l.Type(text)
	case l.Types == nil:
		return t
	}
	if word, rest, ok := strings.Cut(text, " "); ok && slices.Contains(l.Types.Modifiers, word) {
		of := l.TypeOf(rest)
		t.Name, t.Args = word, []code.Type{of.MovedTo(len(text) - len(of.Text))}
		return t
	}
	from := len(l.Types.Before)
	tree, err := l.Grammar.Parse([]byte(l.Types.Before + text + l.Types.After))
	if err != nil {
		return t
	}
	for n := range tree.Root().Descendants() {
		if n.Start() == from && n.End() == from+len(text) && n.Named() && !n.HasError() {
			return TypeReader{l, l.Types, text}.Read(n)
		}
	}
	return t
}

// TypeReader reads the types in the text of one.
type TypeReader struct {
	language *Language
	rules    *TypeRules
	text     string
}

// TypeOf returns the type that a text within a type denotes.
func (r TypeReader) TypeOf(text string) code.Type { return r.language.TypeOf(text) }

// Read returns the type at a node; the zero Type for no node.
func (r TypeReader) Read(n syntax.Node) code.Type {
	if !n.Ok() {
		return code.Type{}
	}
	if inner, ok := sole(n); ok {
		return r.Read(inner)
	}
	t := r.Plain(n)
	if r.rules.Read != nil && r.rules.Read(r, n, &t) {
		return t
	}
	if form := r.rules.Forms[n.Kind()]; form != "" {
		t.Form = form
	}
	switch t.Form {
	case code.NamedType:
		r.named(n, &t)
	case code.LiteralType:
		t.Name = t.Text
	case code.UnionType, code.IntersectionType:
		t.Args = Alternatives(t.Form, r.ReadAll(n))
	default:
		t.Args = r.ReadAll(n)
	}
	return t
}

// Plain returns the text of a node as a type that is not read further.
func (r TypeReader) Plain(n syntax.Node) code.Type {
	at := n.Start() - len(r.rules.Before)
	return code.Type{Form: code.OtherType, Text: r.text[at : at+n.End()-n.Start()], At: at}
}

// sole returns the child that makes up all of n, perhaps between parentheses.
func sole(n syntax.Node) (syntax.Node, bool) {
	list := syntax.NamedChildren(n)
	if len(list) != 1 {
		return syntax.Node{}, false
	}
	c := list[0]
	enclosed := strings.HasPrefix(n.Kind(), "parenthesized")
	return c, enclosed || c.Start() == n.Start() && c.End() == n.End()
}

// ReadAll returns the types at the named children of a node.
func (r TypeReader) ReadAll(n syntax.Node) []code.Type {
	var out []code.Type
	for c := range n.NamedSeq() {
		out = append(out, r.Read(c))
	}
	return out
}

// named reads a name and its type arguments.
func (r TypeReader) named(n syntax.Node, t *code.Type) {
	t.Name = t.Text
	last := syntax.LastNamedChild(n)
	at := last.Start() - n.Start()
	switch {
	case !last.Ok():
	case slices.Contains(r.rules.Arguments, last.Kind()):
		t.Name, t.Args = strings.TrimSpace(t.Text[:at]), r.ReadAll(last)
	case r.rules.Forms[last.Kind()] == code.NamedType: // a.b<C> whose last part is b<C>
		part := r.Read(last)
		t.Name, t.Args = t.Text[:at]+part.Name, part.Args
	}
}

// Alternatives returns the parts of a union or intersection without nested ones.
func Alternatives(form code.TypeForm, list []code.Type) []code.Type {
	var out []code.Type
	for _, t := range list {
		if t.Form == form {
			out = append(out, t.Args...)
			continue
		}
		out = append(out, t)
	}
	return out
}
