package cfamily

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// declaration is a declaration before the declarations of an entity are merged.
type declaration struct {
	code.Symbol
	scope   string // the qualifier of the name: "DB", "Outer::Inner"
	space   string // the enclosing namespace
	params  string // parameter types and qualifiers, which distinguish overloads
	tag     bool   // a struct, union or enum of C, which has its own name space (C11 6.2.3)
	span    int    // its index in Reader.Spans
	members []*declaration
	more    []*declaration // its overloads
}

// declScope is the context of a declaration.
type declScope struct {
	space  string          // the namespace: "leveldb::log"; "" for the global one
	owner  string          // qualified name of the enclosing class, or ""
	of     code.Kind       // kind of the enclosing class
	class  string          // its simple name, which is that of its constructors
	access code.Visibility // the current access section
	hidden bool            // in an unnamed namespace
	depth  int
}

// maxDepth is the maximum depth of nested namespaces, conditions and ERROR nodes that are
// read.
const maxDepth = 200

// declarations reads the declarations in a file, a namespace or the body of a class. An access
// section continues in and after a conditional group.
func (c *reader) declarations(body syntax.Node, s *declScope) []*declaration {
	s.depth++
	defer func() { s.depth-- }()
	if s.depth > maxDepth {
		return nil
	}
	var out []*declaration
	for n := range body.NamedSeq() {
		if len(c.blocks) > 0 && s.owner == "" {
			s.space, s.hidden = c.spaceAt(n.Start())
		}
		out = append(out, c.declaration(n, n, s)...)
	}
	return out
}

// declaration reads n. outer is n including a template head or extern "C" around it.
func (c *reader) declaration(n, outer syntax.Node, s *declScope) []*declaration {
	switch n.Kind() {
	case "template_declaration":
		return c.template(n, outer, s)
	case "friend_declaration":
		c.friend(n, s)
	case "access_specifier":
		s.access = accessOf(n)
	case "struct_specifier", "class_specifier", "union_specifier", "enum_specifier":
		return c.typeSpecifier(n, outer, s)
	case "declaration", "field_declaration":
		return c.variablesOrFunctions(n, outer, s)
	case "function_definition":
		return c.functionDefinition(n, outer, s)
	case "type_definition":
		return c.typedef(n, outer, s)
	case "alias_declaration":
		return c.alias(n, outer, s)
	case "concept_definition":
		return c.concept(n, outer, s)
	case "expression_statement":
		if s.owner == "" {
			c.initcall(n)
		}
	default:
		return c.group(n, outer, s)
	}
	return nil
}

// group reads a node that contains declarations but is not one.
func (c *reader) group(n, outer syntax.Node, s *declScope) []*declaration {
	switch n.Kind() {
	case "preproc_if", "preproc_elif":
		if n.Field("condition").TextIs("0") { // disabled
			return c.declaration(n.Field("alternative"), n.Field("alternative"), s)
		}
		return c.declarations(n, s)
	case "preproc_ifdef", "preproc_else", "preproc_elifdef", "declaration_list", "ERROR":
		return c.declarations(n, s)
	case "linkage_specification":
		if body := n.Field("body"); body.Ok() && !body.Is("declaration_list") {
			return c.declaration(body, outer, s)
		}
		return c.declarations(n.Field("body"), s)
	case "namespace_definition":
		return c.namespace(n, s)
	}
	return nil
}

// template reads the declaration after a template head.
func (c *reader) template(n, outer syntax.Node, s *declScope) []*declaration {
	for d := range n.NamedSeq() {
		if !d.Is("template_parameter_list", "requires_clause") {
			return c.declaration(d, outer, s)
		}
	}
	return nil
}

// accessOf returns the visibility of an access specifier (C++ [class.access]).
func accessOf(n syntax.Node) code.Visibility {
	switch text := n.Text(); {
	case strings.HasPrefix(text, "private"):
		return code.Private
	case strings.HasPrefix(text, "protected"):
		return code.Protected
	}
	return code.Public
}

// namespace reads a namespace. The members of an unnamed one are hidden; an inline one is not
// part of their names.
func (c *reader) namespace(n syntax.Node, s *declScope) []*declaration {
	in := *s
	name := n.Field("name")
	if !name.Ok() {
		in.hidden = true
	} else if !n.Has("inline") {
		for part := range strings.SplitSeq(name.Text(), "::") {
			part = strings.TrimSpace(part)
			if part != "" && !strings.HasPrefix(part, "inline ") {
				in.space = scoped(in.space, part)
				c.spaces[in.space] = true
			}
		}
	}
	return c.declarations(n.Field("body"), &in)
}

// friend reads a function that is defined in a class as its friend: it belongs to the
// namespace ([class.friend] 11.8.4).
func (c *reader) friend(n syntax.Node, s *declScope) {
	f := n.Child("function_definition")
	if !f.Ok() {
		return
	}
	in := declScope{space: s.space, hidden: s.hidden, depth: s.depth}
	c.friends = append(c.friends, c.functionDefinition(f, n, &in)...)
}

// scoped qualifies a name by a namespace.
func scoped(space, name string) string {
	if space == "" || name == "" {
		return name
	}
	return space + "::" + name
}

// begin returns a declaration with its doc, attributes and visibility. Its modifiers are the
// words before the declarator of n.
func (c *reader) begin(n, outer syntax.Node, name string, kind code.Kind, s *declScope) *declaration {
	d := &declaration{space: s.space}
	d.Name, d.Kind = name, kind
	if s.owner == "" {
		d.Name = scoped(s.space, name)
	}
	d.Doc, d.Decorators = c.doc(outer), append(c.hiddenMacros(outer), attributesOf(outer, n)...)
	d.TypeParameters = templateParameters(outer, n)
	d.Visibility = c.visibility(n, kind, s)
	d.Exported = d.Visibility == code.Public || d.Visibility == code.Protected
	return d
}

// visibility returns the visibility of a declaration. In a namespace it depends on linkage:
// what other files can name is public. A type in a file that is never included cannot be named
// elsewhere.
func (c *reader) visibility(n syntax.Node, kind code.Kind, s *declScope) code.Visibility {
	switch {
	case s.owner != "" && s.access != "":
		return s.access
	case s.owner != "":
		return code.Public
	case c.module:
		if c.isExported(n.Start()) {
			return code.Public
		}
		return code.Private
	case s.hidden:
		return code.Private
	case c.header:
		return code.Public
	case kind == code.Function || kind == code.Variable || kind == code.Const:
		if !hasSpecifier(n, "static") && (kind != code.Const || !c.cpp || hasSpecifier(n, "extern")) {
			return code.Public
		}
	}
	return code.Private
}

// place records the range of a declaration, which is that of n.
func (c *reader) place(d *declaration, n syntax.Node, s *declScope) {
	d.span = len(c.Spans)
	c.Place(&d.Symbol, n, s.owner)
	d.StartLine = c.Line(start(n))
}

// attributeKinds are the kinds of attributes: [[standard]], __attribute__((gnu)),
// __declspec(microsoft).
var attributeKinds = core.SetOf("attribute_declaration", "attribute_specifier", "ms_declspec_modifier")

// start returns the offset of a declaration after its leading attributes.
func start(n syntax.Node) int {
	for n.Ok() {
		var first syntax.Node
		for c := range n.Children() {
			if !attributeKinds[c.Kind()] && !syntax.IsComment(c.Kind()) {
				first = c
				break
			}
		}
		if !first.Ok() || !first.Is("declaration", "function_definition", "field_declaration", "struct_specifier", "class_specifier", "union_specifier") {
			return max(n.Start(), first.Start())
		}
		n = first
	}
	return 0
}

// attributeNodes returns the attributes of a declaration and of the declaration around it.
func attributeNodes(outer, n syntax.Node) []syntax.Node {
	var out []syntax.Node
	for m := outer; m.Ok() && m.Index() <= n.Index(); {
		var next syntax.Node
		for c := range m.Children() {
			switch {
			case attributeKinds[c.Kind()]:
				out = append(out, c)
			case c.Index() <= n.Index() && n.Index() < c.After():
				next = c
			case m == n && c.Is("function_declarator", "pointer_declarator", "reference_declarator", "attributed_declarator", "init_declarator"):
				out = append(out, declaratorAttributes(c)...)
			}
		}
		if m == n {
			break
		}
		m = next
	}
	return out
}

// declaratorAttributes returns the attributes in a declarator without those of its parameters.
func declaratorAttributes(d syntax.Node) []syntax.Node {
	var out []syntax.Node
	for d.Ok() {
		for c := range d.Children() {
			if attributeKinds[c.Kind()] {
				out = append(out, c)
			}
		}
		d = innerDeclarator(d)
	}
	return out
}

func attributesOf(outer, n syntax.Node) []string {
	var out []string
	for _, a := range attributeNodes(outer, n) {
		out = append(out, srctext.OneLine(a.Text()))
	}
	return out
}

// inWord reports whether a node begins inside a word of the source, where a macro call was
// rewritten for the parser.
func (c *reader) inWord(n syntax.Node) bool {
	at := n.Start()
	return at > 0 && at < len(c.Source) && srctext.NameByte(c.Source[at-1]) && srctext.NameByte(c.Source[at])
}

// templateParameters returns the parameters of the last template head from outer to n. The
// heads before it belong to the enclosing classes.
func templateParameters(outer, n syntax.Node) []string {
	var out []string
	for t := outer; t.Is("template_declaration") && t != n; {
		out = nil
		for p := range t.Field("parameters").NamedSeq() {
			out = append(out, srctext.OneLine(p.Text()))
		}
		t = templated(t)
	}
	return out
}

// templated returns the declaration after a template head.
func templated(t syntax.Node) syntax.Node {
	var last syntax.Node
	for c := range t.NamedSeq() {
		last = c
	}
	return last
}

// hasSpecifier reports whether n has the specifier word before its declarators.
func hasSpecifier(n syntax.Node, word string) bool {
	for c := range n.Children() {
		if c.FieldName() == "declarator" {
			return false
		}
		if c.Text() == word {
			return true
		}
	}
	return false
}
