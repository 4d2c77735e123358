package ecma

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

func (e *Declarations) class(n syntax.Node, s scope) code.Symbol {
	sym := e.begin(n, n.Field("name"), code.Class, s)
	sym.TypeParameters = core.TypeParameters(n)
	sym.Abstract = n.Is("abstract_class_declaration")
	heritage := n.Child("class_heritage")
	for c := range heritage.NamedSeq() {
		if c.Is("extends_clause") {
			sym.Bases = append(sym.Bases, strings.TrimSpace(strings.TrimPrefix(c.Text(), "extends")))
			continue
		}
		if c.Is("implements_clause") {
			sym.Bases = append(sym.Bases, syntax.Texts(syntax.NamedChildren(c))...)
			continue
		}
		sym.Bases = append(sym.Bases, c.Text())
	}
	body := n.Field("body")
	e.signature(&sym, n, body)
	sym.BodyHash = ""
	if !core.TooDeep(s.owner) {
		sym.Members = e.Members(body, srctext.Join(s.owner, sym.Name), code.Class)
	}
	return sym
}

// Members reads the body of a class, an interface or an object type.
func (e *Declarations) Members(body syntax.Node, owner string, of code.Kind) []code.Symbol {
	var out []code.Symbol
	for n := range body.NamedSeq() {
		switch n.Kind() {
		case "index_signature": // a mapped type's [K in keyof T] has no member name
			if !n.Child("mapped_type_clause").Ok() {
				out = append(out, e.property(n, owner))
			}
		case "method_definition", "method_signature", "abstract_method_signature",
			"call_signature", "construct_signature":
			m := e.method(n, owner, of)
			out = append(out, m)
			if m.Kind == code.Constructor {
				out = append(out, e.parameterProperties(n, owner)...)
			}
		case "public_field_definition", "field_definition", "property_signature":
			out = append(out, e.property(n, owner))
		}
	}
	return core.MergeSame(out, sameMember, implementsOverloads(out))
}

// sameMember reports whether two members are overloads of a method.
func sameMember(a, b *code.Symbol) bool {
	return a.Kind == b.Kind && a.Static == b.Static && (a.Kind == code.Method || a.Kind == code.Constructor)
}

func (e *Declarations) method(n syntax.Node, owner string, of code.Kind) code.Symbol {
	sym := e.member(n, methodName(n), methodKind(n, of), owner)
	e.callable(&sym, n)
	sym.Abstract = sym.Abstract || n.Is("abstract_method_signature")
	e.signature(&sym, n, n.Field("body"))
	return sym
}

func methodName(n syntax.Node) string {
	switch n.Kind() {
	case "call_signature":
		return "()"
	case "construct_signature":
		return "new"
	}
	return strings.Trim(n.Field("name").Text(), `'"`)
}

func methodKind(n syntax.Node, of code.Kind) code.Kind {
	switch {
	case n.Has("get"):
		return code.Getter
	case n.Has("set"):
		return code.Setter
	case of == code.Class && methodName(n) == "constructor", n.Is("construct_signature"):
		return code.Constructor
	}
	return code.Method
}

// member returns a symbol for a member with its modifiers.
func (e *Declarations) member(n syntax.Node, name string, kind code.Kind, owner string) code.Symbol {
	sym := code.Symbol{Name: name, Kind: kind, Visibility: code.Public, Doc: docText(docBefore(n))}
	if v := n.Child("accessibility_modifier").Text(); v != "" {
		sym.Visibility = code.Visibility(v)
	}
	if strings.HasPrefix(name, "#") {
		sym.Visibility = code.Private
	}
	sym.Exported = sym.Visibility != code.Private
	sym.Static = n.Has("static")
	sym.Abstract = n.Has("abstract")
	sym.Readonly = n.Has("readonly")
	sym.Optional = n.Has("?")
	sym.Decorators = e.memberDecorators(n)
	e.Place(&sym, n, owner)
	sym.StartLine = e.Line(e.start(n))
	return sym
}

// memberDecorators returns the decorators inside n and those that the grammar makes siblings
// before it.
func (e *Declarations) memberDecorators(n syntax.Node) []string {
	var before []string
	for p := n.Previous(); p.Is("decorator") || syntax.IsComment(p.Kind()); p = p.Previous() {
		if p.Is("decorator") {
			before = append([]string{p.Text()}, before...)
		}
	}
	return append(before, syntax.Texts(syntax.ChildrenOf(n, "decorator"))...)
}

func (e *Declarations) property(n syntax.Node, owner string) code.Symbol {
	name := n.Field("name")
	if !name.Ok() {
		name = n.Field("property")
	}
	text := strings.Trim(name.Text(), `'"`)
	if n.Is("index_signature") {
		text = "[" + n.Field("index_type").Text() + "]"
	}
	value := n.Field("value")
	if value.Is("arrow_function", "function_expression") {
		sym := e.member(n, text, code.Method, owner)
		e.callable(&sym, value)
		e.signature(&sym, n, value.Field("body"))
		return sym
	}
	sym := e.member(n, text, code.Property, owner)
	sym.Returns = annotation(n.Field("type"))
	e.valued(&sym, n, value)
	return sym
}

// parameterProperties returns the properties that constructor parameters declare with a
// modifier.
func (e *Declarations) parameterProperties(constructor syntax.Node, owner string) []code.Symbol {
	var out []code.Symbol
	for p := range constructor.Field("parameters").NamedSeq() {
		if !p.Child("accessibility_modifier", "readonly", "override_modifier").Ok() {
			continue
		}
		sym := e.member(p, p.Field("pattern").Text(), code.Property, owner)
		sym.Optional = p.Is("optional_parameter")
		sym.Returns = annotation(p.Field("type"))
		e.signature(&sym, p, syntax.Node{})
		out = append(out, sym)
	}
	return out
}

// params reads a parameter list of either grammar.
func (e *Declarations) params(list syntax.Node) []code.Param {
	var out []code.Param
	for n := range list.NamedSeq() {
		p := code.Param{Type: annotation(n.Field("type"))}
		pattern := n
		switch n.Kind() {
		case "required_parameter", "optional_parameter":
			pattern = n.Field("pattern")
			p.Default = n.Field("value").Text()
			p.Optional = n.Is("optional_parameter") || p.Default != ""
		case "assignment_pattern":
			pattern = n.Field("left")
			p.Default, p.Optional = n.Field("right").Text(), true
		case "decorator", "ERROR":
			continue
		}
		if pattern.Is("this") {
			continue
		}
		if pattern.Is("rest_pattern") {
			p.Variadic = true
			pattern = pattern.First()
		}
		p.Name = srctext.OneLine(pattern.Text())
		out = append(out, p)
	}
	return out
}

// variables reads const, let and var: one symbol for each name.
func (e *Declarations) variables(n syntax.Node, s scope) []code.Symbol {
	keyword := n.Field("kind").Text()
	kind := code.Variable
	if keyword == "const" {
		kind = code.Const
	}
	if keyword == "" {
		keyword = "var"
	}
	var out []code.Symbol
	for d := range n.NamedSeq() {
		if !d.Is("variable_declarator") {
			continue
		}
		if name := d.Field("name"); !name.Is("identifier") {
			out = append(out, e.pattern(d, name, kind, keyword, s)...)
			continue
		}
		out = append(out, e.variable(d, kind, keyword, s))
	}
	return out
}

// valued sets the value of a declaration. A short value is in the signature's text, but no
// value is in its hash.
func (e *Declarations) valued(sym *code.Symbol, n, value syntax.Node) {
	e.signature(sym, n, value)
	if !value.Ok() {
		return
	}
	sym.Signature = strings.TrimSpace(strings.TrimSuffix(sym.Signature, "="))
	if sym.Value = core.ShortValue(value); sym.Value != "" {
		sym.Signature = e.Head(e.start(n), n.End(), ";")
	}
}

// assigned sets a symbol to the value assigned to n: a function, a class or another value.
func (e *Declarations) assigned(sym *code.Symbol, n, value syntax.Node, owner string) {
	switch {
	case value.Is("arrow_function", "function_expression", "generator_function"):
		sym.Kind = code.Function
		e.callable(sym, value)
		e.signature(sym, n, value.Field("body"))
	case value.Is("class"):
		sym.Kind = code.Class
		e.signature(sym, n, value.Field("body"))
		sym.BodyHash = ""
		sym.Members = e.Members(value.Field("body"), owner, code.Class)
	default:
		e.valued(sym, n, value)
		sym.Members = e.objectMembers(value, owner)
	}
}

func (e *Declarations) variable(d syntax.Node, kind code.Kind, keyword string, s scope) code.Symbol {
	value := d.Field("value")
	for value.Is("parenthesized_expression") {
		value = value.First()
	}
	targets, value := chain(value)
	sym := e.begin(d, d.Field("name"), kind, s)
	if s.owner == "" && slices.ContainsFunc(targets, isModuleExports) {
		e.Exported[sym.Name] = append(e.Exported[sym.Name], "default")
	}
	owner := srctext.Join(s.owner, sym.Name)
	e.assigned(&sym, d, value, owner)
	if sym.Kind != code.Function {
		sym.Returns = annotation(d.Field("type"))
	}
	sym.Signature = keyword + " " + sym.Signature
	return sym
}

// objectMembers returns the functions of an object literal, a common form of a module.
func (e *Declarations) objectMembers(object syntax.Node, owner string) []code.Symbol {
	var out []code.Symbol
	for object.Is("as_expression", "satisfies_expression", "parenthesized_expression") {
		object = object.First()
	}
	if !object.Is("object") {
		return nil
	}
	for n := range object.NamedSeq() {
		value := n.Field("value")
		switch {
		case n.Is("method_definition"):
			out = append(out, e.method(n, owner, code.Variable))
		case n.Is("pair") && value.Is("arrow_function", "function_expression"):
			sym := e.member(n, strings.Trim(n.Field("key").Text(), `'"`), code.Method, owner)
			e.callable(&sym, value)
			e.signature(&sym, n, value.Field("body"))
			out = append(out, sym)
		}
	}
	return out
}

// pattern reads a destructuring declaration.
func (e *Declarations) pattern(d, pattern syntax.Node, kind code.Kind, keyword string, s scope) []code.Symbol {
	var out []code.Symbol
	for n := range pattern.Descendants() {
		bound := n.Is("shorthand_property_identifier_pattern") ||
			n.Is("identifier") && n.FieldName() != "right" && !n.Parent().Is("call_expression", "arguments", "member_expression")
		if !bound {
			continue
		}
		sym := e.begin(n, n, kind, s)
		sym.Signature = keyword + " " + n.Text()
		sym.SignatureHash = e.Lang.Shape.Hash(pattern)
		sym.BodyHash = e.BodyShapeHash(d.Field("value"))
		out = append(out, sym)
	}
	return out
}
