package cfamily

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// functionDefinition reads a function with a body, or one that is defaulted, deleted or pure.
func (c *reader) functionDefinition(n, outer syntax.Node, s *declScope) []*declaration {
	d := declaratorOf(n.Field("declarator"))
	if !d.function.Ok() {
		if n.Has("pure_virtual_clause") && d.name.Ok() { // in a class, int n = 0; is parsed like this
			return []*declaration{c.variable(n, outer, n.Field("declarator"), false, s)}
		}
		return c.madeByMacro(n, outer, d, s)
	}
	return c.function(n, outer, d, s)
}

// variablesOrFunctions reads a declaration: the type that its specifiers may define, and its
// declarators.
func (c *reader) variablesOrFunctions(n, outer syntax.Node, s *declScope) []*declaration {
	t := n.Field("type")
	var tops []syntax.Node
	for top := range n.Children() {
		if top.FieldName() == "declarator" {
			tops = append(tops, top)
		}
	}
	var out []*declaration
	unnamed := t.Field("body").Ok() && !t.Field("name").Ok() && !t.Is("enum_specifier")
	if t.Field("body").Ok() && (!unnamed || len(tops) == 0) {
		out = c.typeSpecifier(t, outer, s)
	}
	for _, top := range tops {
		d := declaratorOf(top)
		switch {
		case !d.name.Ok() || top.Missing():
		case d.function.Ok():
			out = append(out, c.function(n, outer, d, s)...)
		case t.Ok() && !notNames[d.text()] && !c.inWord(d.full):
			out = append(out, c.variable(n, outer, top, len(tops) > 1, s))
		}
	}
	return out
}

// function reads the function that d declares in n.
func (c *reader) function(n, outer syntax.Node, d declarator, s *declScope) []*declaration {
	name, t := d.text(), n.Field("type")
	scope := c.qualifier(&d, outer)
	kind := c.functionKind(n, &d, scope, s)
	switch {
	case c.inWord(d.full) || !c.cpp && n.Is("function_definition") && d.headOfMacro():
		return c.madeByMacro(n, outer, d, s)
	case notNames[name] || kind == "":
		return nil
	case kind == guide:
		return []*declaration{c.guide(n, outer, d, s)}
	}
	f := c.begin(n, outer, name, kind, s)
	f.scope = scope
	f.Params = c.params(d.function.Field("parameters"), c.oldStyle(n))
	if t.Ok() {
		f.Returns = c.returnType(n, d)
	}
	f.params = overloadKey(f, d)
	body := c.bodyOf(n)
	f.Abstract = n.Has("pure_virtual_clause")
	f.Part = !body.Ok() && !f.Abstract && !n.Has("default_method_clause") && !n.Has("delete_method_clause")
	f.Static = s.owner != "" && hasSpecifier(n, "static")
	f.Async = c.async && isCoroutine(body)
	c.place(f, outer, s)
	c.head(f, n, outer, d.top, body)
	f.BodyHash = c.bodyHash(n, body)
	return []*declaration{f}
}

// guide is an internal kind for deduction guides.
const guide = code.Kind("guide")

// functionKind returns the kind of the function d; "" for a macro call in place of a
// declaration. Without a result type it is a constructor, destructor, conversion or deduction
// guide.
func (c *reader) functionKind(n syntax.Node, d *declarator, scope string, s *declScope) code.Kind {
	name := d.text()
	typed := n.Field("type").Ok() || d.name.Is("destructor_name", "operator_cast")
	switch {
	case typed && s.owner != "":
		return code.Method
	case typed || name == "main" && scope == "":
		return code.Function
	case s.owner != "" && name == s.class, scope != "" && name == plainName(scope):
		return code.Constructor
	case s.owner == "" && scope == "" && d.function.Has("trailing_return_type"):
		return guide
	}
	return ""
}

// notNames are words that appear as names in misparsed text.
var notNames = core.SetOf("if", "else", "for", "while", "do", "switch", "return", "sizeof", "int", "char", "void", "long", "short", "unsigned",
	"signed", "float", "double", "bool", "catch", "defined", "alignas", "decltype", "_BitInt", "__attribute__", "__asm__", "requires", "static_assert", "_Static_assert")

// plainName returns the last part of a qualified name without template arguments.
func plainName(name string) string {
	if i := strings.IndexByte(name, '<'); i > 0 {
		name = name[:i]
	}
	return name[strings.LastIndexByte(name, ':')+1:]
}

// guide reads a deduction guide ([temp.deduct.guide]). It is listed with the constructors of
// its class.
func (c *reader) guide(n, outer syntax.Node, d declarator, s *declScope) *declaration {
	g := c.begin(n, outer, d.text(), code.Constructor, s)
	g.Name, g.scope = d.text(), d.text()
	g.Params = c.params(d.function.Field("parameters"), nil)
	g.Returns = c.returnType(n, d)
	g.params = "->" + overloadKey(g, d)
	c.place(g, outer, s)
	c.head(g, n, outer, d.top, syntax.Node{})
	return g
}

// bodyOf returns the part after the head of a definition. It includes the initialisers of a
// constructor.
func (c *reader) bodyOf(n syntax.Node) syntax.Node {
	return n.Child("field_initializer_list", "try_statement", "constructor_try_statement", "compound_statement")
}

func (c *reader) bodyHash(n, body syntax.Node) string {
	if !body.Ok() {
		return ""
	}
	sum := c.BodyHash(body)
	for m := range n.Children() {
		if m.Start() >= body.End() && m.Named() && !syntax.IsComment(m.Kind()) {
			sum = srctext.ShortHash([]byte(sum + c.BodyHash(m)))
		}
	}
	return sum
}

// head fills the signature of what n declares with the declarator top: the text from outer to
// the body without other declarators.
func (c *reader) head(d *declaration, n, outer, top, body syntax.Node) {
	end, cut := outer.End(), ";"
	if body.Ok() {
		end, cut = body.Start(), ": ="
	}
	skip, several := c.others(n, outer, top)
	for m := range n.Children() { // the body and the nodes after it
		if body.Ok() && m.Start() >= body.Start() {
			skip = append(skip, m)
		}
	}
	d.SignatureHash = c.Hash(outer, skip...)
	if several {
		c.ownSignature(d, n, outer, top, c.declaratorEnd(top), cut)
		return
	}
	d.Signature = c.pieces(start(outer), end, n.Field("type").Field("body"), cut)
	if n.HasError() && !body.Ok() { // unparsed text is not part of the head
		d.Signature, _, _ = strings.Cut(d.Signature, "{")
		d.Signature = strings.TrimSpace(d.Signature)
	}
}

// others returns the parts of n that do not belong to the declarator top: other declarators,
// attributes and the body of a type; and whether there are other declarators.
func (c *reader) others(n, outer, top syntax.Node) (skip []syntax.Node, several bool) {
	skip = attributeNodes(outer, n)
	for m := range n.Children() {
		if m.FieldName() == "declarator" && (m.Start() > top.Start() || m.End() < top.End()) {
			skip, several = append(skip, m), true
		}
	}
	if body := n.Field("type").Field("body"); body.Ok() {
		skip = append(skip, body)
	}
	return skip, several
}

// ownSignature fills the signature of one of several declarators: the shared specifiers, and
// its own text up to end.
func (c *reader) ownSignature(d *declaration, n, outer, top syntax.Node, end int, cut string) {
	_, specifiers := c.specified(n, top.Start())
	d.Signature = c.pieces(start(outer), specifiers, n.Field("type").Field("body"), "") + " " + c.Head(top.Start(), end, cut)
}

// declaratorEnd returns the end of a declarator with its width and value.
func (c *reader) declaratorEnd(top syntax.Node) int {
	end := top.End()
	if top.Parent().Is("init_declarator") {
		top = top.Parent()
		end = top.End()
	}
	next := top.Next()
	for ; next.Ok() && !next.Is(",", ";") && next.FieldName() != "declarator"; next = next.Next() {
		end = next.End()
	}
	if value := strings.TrimRight(c.between(top, next), " \t\r\n"); end == top.End() && c.hiddenValue(top) != "" {
		end += len(value)
	}
	return end
}

// pieces returns the text between two offsets without the body in it.
func (c *reader) pieces(from, to int, body syntax.Node, cut string) string {
	if !body.Ok() || body.Start() < from || body.End() > to {
		return c.Head(from, to, cut)
	}
	before := c.Head(from, body.Start(), "{")
	after := c.Head(body.End(), to, cut)
	return strings.TrimSpace(before + " " + after)
}

// overloadKey returns a key that differs between overloads: the parameter types without names,
// and the qualifiers of the object.
func overloadKey(f *declaration, d declarator) string {
	var b strings.Builder
	for _, p := range f.Params {
		for field := range strings.FieldsSeq(p.Type) {
			if field != "const" && field != "struct" && field != "class" && field != "typename" {
				b.WriteString(field[strings.LastIndexByte(field, ':')+1:])
			}
		}
		b.WriteByte(',')
	}
	for m := range d.function.Children() {
		if m.Is("type_qualifier", "ref_qualifier") {
			b.WriteString(m.Text())
		}
	}
	return b.String()
}

// isCoroutine reports whether a body suspends ([dcl.fct.def.coroutine]), lambdas in it not
// counted.
func isCoroutine(body syntax.Node) bool {
	jump := 0
	for n := range body.Descendants() {
		switch {
		case n.Index() < jump:
		case n.Is("lambda_expression"):
			jump = n.After()
		case n.Is("co_await", "co_yield", "co_return", "co_await_expression", "co_return_statement", "co_yield_statement"):
			return true
		}
	}
	return false
}

// variable reads a variable, a field of a class, or a constant.
func (c *reader) variable(n, outer, top syntax.Node, several bool, s *declScope) *declaration {
	d := declaratorOf(top)
	constant := c.isConstant(n, d)
	kind := code.Variable
	switch {
	case s.owner != "":
		kind = code.Property
	case constant:
		kind = code.Const
	}
	v := c.begin(n, outer, d.text(), kind, s)
	v.scope, v.Readonly = c.qualifier(&d, outer), constant
	v.Static = s.owner != "" && hasSpecifier(n, "static")
	v.Returns = c.objectType(n, d)
	value := top.Field("value")
	if !value.Ok() && (top.Next().Is("=", "bitfield_clause") || !several) {
		value = n.Field("default_value")
	}
	v.Value, v.BodyHash = valueText(value), c.BodyHash(value)
	if zero := n.Child("pure_virtual_clause"); zero.Ok() {
		value = zero
		v.Value, v.BodyHash = "0", srctext.ShortHash([]byte("0\x00")) // like a literal
	}
	if hidden := c.hiddenValue(top); !value.Ok() && hidden != "" {
		v.Value, v.BodyHash = hidden, srctext.ShortHash([]byte(hidden))
	}
	v.Part = !value.Ok() && isDeclaredOnly(n, outer, v.Static)
	placed := outer
	if several {
		placed, v.Doc = top, c.docOf(outer, top)
	}
	c.place(v, placed, s)
	c.valued(v, n, outer, d.top, value)
	if t := n.Field("type"); t.Field("body").Ok() && !t.Field("name").Ok() && !t.Is("enum_specifier") {
		v.members = c.members(t, v.Name, kind, s)
	}
	return v
}

// between returns the text between two nodes.
func (c *reader) between(a, b syntax.Node) string {
	if !b.Ok() || a.End() > b.Start() {
		return ""
	}
	return string(c.Source[a.End():b.Start()])
}

// hiddenValue returns the value of a member that was hidden from the parser.
func (c *reader) hiddenValue(top syntax.Node) string {
	if !top.Parent().Is("field_declaration") {
		return ""
	}
	end := top
	for n := top.Next(); n.Is("bitfield_clause"); n = n.Next() {
		end = n
	}
	text := c.between(end, end.Next())
	if text = strings.TrimSpace(text); !strings.HasPrefix(text, "=") && !strings.HasPrefix(text, "{") || c.Rewritten[end.End()] != ' ' && c.Rewritten[end.End()] != '\n' {
		return ""
	}
	text = srctext.OneLine(strings.TrimSpace(strings.TrimPrefix(text, "=")))
	if len(text) > core.LongValue || strings.Contains(text, "//") || strings.HasPrefix(text, ",") || strings.HasPrefix(text, "/*") {
		return ""
	}
	return text
}

// valueText returns a value as part of a signature; "" for a long one.
func valueText(n syntax.Node) string {
	const most = 4096 // in bytes, white space included
	if n.End()-n.Start() > most {
		return ""
	}
	return core.PlainValue(n)
}

// isDeclaredOnly reports whether a variable is defined elsewhere: an extern one, a static
// member that is not inline ([class.static.data]).
func isDeclaredOnly(n, outer syntax.Node, member bool) bool {
	if member {
		return !hasSpecifier(n, "inline") && !hasSpecifier(n, "constexpr")
	}
	return hasSpecifier(n, "extern") || outer.Is("linkage_specification")
}

// valued fills the signature of a variable. A short value is in the text but not in the hash.
func (c *reader) valued(v *declaration, n, outer, top, value syntax.Node) {
	skip, several := c.others(n, outer, top)
	v.SignatureHash = c.Hash(outer, append(skip, value)...)
	end, cut := outer.End(), ";"
	if several {
		end = c.declaratorEnd(top)
	}
	if value.Ok() && v.Value == "" {
		end, cut = value.Start(), "="
	}
	if several {
		c.ownSignature(v, n, outer, top, end, cut)
		return
	}
	v.Signature = c.pieces(start(outer), end, n.Field("type").Field("body"), cut)
}

// isConstant reports whether an object is const: const applies to the pointer next to its
// name, or to the specifiers if there is no pointer.
func (c *reader) isConstant(n syntax.Node, d declarator) bool {
	if hasSpecifier(n, "constexpr") {
		return true
	}
	if d.layer.Ok() {
		for q := range d.layer.Children() {
			if q.Is("type_qualifier") && q.TextIs("const") {
				return true
			}
		}
		return false
	}
	return hasSpecifier(n, "const")
}
