package ecma

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// factRules describe how the facts of TypeScript and JavaScript are read.
var factRules = &core.FactRules{
	Visit: func(b *core.FactBuilder, n syntax.Node) bool { return factReader{b}.visit(n) },
	Value: func(b *core.FactBuilder, n syntax.Node) code.Ref { return factReader{b}.expression(n) },
	Type:  func(b *core.FactBuilder, n syntax.Node) code.Ref { return factReader{b}.typeOf(n) },
}

// factReader reads the facts of TypeScript and JavaScript. Some constructs have a special form:
//
//   - A class is one expression, both as a value and as a type. An unnamed class is called
//     "class@" plus its line; one that is exported by default is "default".
//   - The scope of an object literal's members is an unnamed [code.SpaceScope]. It is the
//     parent of the methods' scopes, so that "this" is found, but not of those in values.
//     Bare names are not looked up in it.
//   - A name in an export list or after export default is bound under "export " plus the
//     exported name.
//   - A top-level name for a part of another value, as in const {a} = b, is a field of the
//     file.
//   - A parameter that is a pattern is called "{0}", by its position.
//   - What a CommonJS file assigns to exports is bound in the scope of the variable
//     "exports".
type factReader struct{ *core.FactBuilder }

// visit reads a statement; everything else is an expression.
func (e factReader) visit(n syntax.Node) bool {
	switch n.Kind() {
	case "import_statement", "comment", "html_comment":
	case "export_statement":
		e.export(n)
	case "import_alias":
		e.importAlias(n)
	case "ambient_declaration", "expression_statement", "labeled_statement", "else_clause", "finally_clause", "parenthesized_expression", "ERROR":
		return false
	case "statement_block":
		e.block(n)
	case "if_statement":
		e.ifStatement(n)
	case "for_in_statement":
		e.forIn(n)
	case "for_statement", "switch_body":
		e.inBlock(n, func() { e.WalkChildren(n) })
	case "catch_clause":
		e.catchClause(n)
	case "return_statement":
		e.returnStatement(n)
	default:
		return e.declaration(n)
	}
	return true
}

// declaration reads a node that binds a name, else an expression.
func (e factReader) declaration(n syntax.Node) bool {
	switch n.Kind() {
	case "lexical_declaration", "variable_declaration":
		e.variables(n)
	case "function_declaration", "generator_function_declaration", "function_signature":
		e.namedFunction(n)
	case "class_declaration", "abstract_class_declaration":
		e.classDeclaration(n)
	case "interface_declaration":
		e.interfaceDeclaration(n)
	case "type_alias_declaration":
		e.alias(n)
	case "enum_declaration":
		e.enumDeclaration(n)
	case "module", "internal_module":
		e.namespace(n)
	case "while_statement", "do_statement", "try_statement", "throw_statement", "switch_statement", "switch_case", "switch_default":
		return false
	default:
		e.Value(n)
	}
	return true
}

// inBlock calls read in a new block scope.
func (e factReader) inBlock(n syntax.Node, read func()) {
	e.OpenScope(code.BlockScope, "", n.Start(), n.End())
	read()
	e.CloseScope()
}

// block reads a block in a new scope.
func (e factReader) block(n syntax.Node) {
	e.inBlock(n, func() { e.WalkChildren(n) })
}

// exportedHere reports whether a declaration is exported, and whether by default.
func exportedHere(n syntax.Node) (exported, isDefault bool) {
	p := n.Parent()
	if p.Is("ambient_declaration") {
		p = p.Parent()
	}
	return p.Is("export_statement"), p.Is("export_statement") && p.Has("default")
}

// bind binds the name of a declaration.
func (e factReader) bind(n syntax.Node, d code.Def) {
	d.Exported, d.Default = exportedHere(n)
	e.Define(d)
}

// line returns the line of a node.
func (e factReader) line(n syntax.Node) int32 { return int32(e.Line(n.Start())) }

// export reads an export statement: a declaration, a default value, names.
func (e factReader) export(n syntax.Node) {
	for d := range n.NamedSeq() {
		if d.Is("decorator") {
			e.Walk(d)
		}
	}
	switch declaration := n.Field("declaration"); {
	case n.Field("source").Ok(), n.Child("namespace_export").Ok():
	case declaration.Ok():
		e.Walk(declaration)
	case n.Child("export_clause").Ok():
		for s := range n.Child("export_clause").NamedSeq() {
			name, alias := s.Field("name"), s.Field("alias")
			if !alias.Ok() {
				alias = name
			}
			e.exportAs(name, strings.Trim(alias.Text(), `'"`))
		}
	case n.Has("namespace"):
	default:
		e.exportValue(n)
	}
}

// exportValue reads export default <expression> and export = <expression>.
func (e factReader) exportValue(n syntax.Node) {
	v := n.Field("value")
	if !v.Ok() {
		v = n.First()
	}
	switch {
	case v.Is("identifier"):
		e.exportAs(v, "default")
	case v.Is("class"):
		e.classNamed(v, defaultName(v), n)
	case isFunction(v):
		e.functionIn(e.Scope, v, v, defaultName(v), code.Def{Line: e.line(v), Exported: true, Default: true})
	case v.Ok():
		e.setVariable("default", v, code.Def{Line: e.line(v), Exported: true, Default: true})
	}
}

// defaultName returns the name of the default export in its file.
func defaultName(n syntax.Node) string {
	if name := n.Field("name"); name.Ok() {
		return name.Text()
	}
	return "default"
}

// exportAs records the exported name of a name.
func (e factReader) exportAs(n syntax.Node, as string) {
	ref := e.Name(n.Text(), n.Start())
	e.Define(code.Def{Name: "export " + as, Kind: code.DefField, Value: ref, Line: e.line(n), Exported: true})
}

// importAlias reads import x = a.b.
func (e factReader) importAlias(n syntax.Node) {
	parts := syntax.NamedChildren(n)
	if len(parts) == 2 {
		exported, _ := exportedHere(n)
		e.Define(code.Def{Name: parts[0].Text(), Kind: code.DefAlias, Type: e.entity(parts[1]), Line: e.line(n), Exported: exported})
	}
}

// entity returns the expression of a dotted name: of a namespace, a type or a value.
func (e factReader) entity(n syntax.Node) code.Ref {
	switch n.Kind() {
	case "nested_identifier", "member_expression":
		p := n.Field("property")
		return e.Select(e.entity(n.Field("object")), p.Text(), p.Start())
	case "nested_type_identifier":
		p := n.Field("name")
		return e.Select(e.entity(n.Field("module")), p.Text(), p.Start())
	case "identifier", "type_identifier":
		return e.Name(n.Text(), n.Start())
	}
	return 0
}

// namespace reads a namespace. Of declare module "x", only the contents are read.
func (e factReader) namespace(n syntax.Node) {
	name := n.Field("name")
	outer := n
	if n.Parent().Is("expression_statement") {
		outer = n.Parent()
	}
	e.spaces(outer, n, strings.Split(name.Text(), "."), name)
}

// spaces opens the nested namespaces a.b.c and reads the body in the last one.
func (e factReader) spaces(outer, n syntax.Node, names []string, at syntax.Node) {
	scope := e.OpenScope(code.SpaceScope, names[0], n.Start(), n.End())
	if at.Is("string") { // another module
		e.Scopes[scope].Name = strings.Trim(at.Text(), `'"`)
	} else {
		d := code.Def{Name: names[0], Kind: code.DefSpace, Scope: scope, Line: e.line(at)}
		d.Exported, _ = exportedHere(outer)
		e.DefineIn(e.Scopes[scope].Parent, d)
		e.Symbol(scope, at.Start())
	}
	if len(names) > 1 {
		e.spaces(n, n, names[1:], at)
	} else {
		e.WalkChildren(n.Field("body"))
	}
	e.CloseScope()
}

// enumDeclaration reads an enum and its members.
func (e factReader) enumDeclaration(n syntax.Node) {
	name := n.Field("name")
	scope := e.OpenScope(code.TypeScope, name.Text(), n.Start(), n.End())
	e.Symbol(scope, name.Start())
	for m := range n.Field("body").NamedSeq() {
		member := m
		if m.Is("enum_assignment") {
			member = m.Field("name")
			e.Value(m.Field("value"))
		}
		e.Define(code.Def{Name: strings.Trim(member.Text(), `'"`), Kind: code.DefMember, Line: e.line(member), Static: true})
	}
	e.CloseScope()
	e.bind(n, code.Def{Name: name.Text(), Kind: code.DefType, Scope: scope, Line: e.line(name)})
}

// unwrapped returns the expression inside parentheses, casts and the like.
func unwrapped(n syntax.Node) syntax.Node {
	for n.Is("parenthesized_expression", "non_null_expression", "satisfies_expression") {
		n = n.First()
	}
	return n
}

// functionValue returns a value without casts, and the type of a cast if the value is a
// function.
func (e factReader) functionValue(n syntax.Node) (syntax.Node, code.Ref) {
	v := unwrapped(n)
	if v.Is("as_expression") {
		if f, typ := unwrapped(v.First()), syntax.LastNamedChild(v); isFunction(f) {
			return f, e.Type(typ)
		}
	}
	return v, 0
}

// isFunction reports whether n is a function expression.
func isFunction(n syntax.Node) bool {
	return n.Is("arrow_function", "function_expression", "generator_function", "function")
}
