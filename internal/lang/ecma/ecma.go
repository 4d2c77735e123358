package ecma

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Declarations reads the declarations of a TypeScript or JavaScript program.
type Declarations struct {
	*core.Reader
	Exported map[string][]string      // local name -> names in export lists; may include "default"
	listed   []listedName             // in namespaces
	offered  string                   // the name in export = Name
	explicit bool                     // the file has an export list or export assignment
	module   bool                     // the file has an import or export
	members  map[string][]code.Symbol // assigned to a variable, function or class of the file, by its name
}

// scope is the context of a declaration.
type scope struct {
	owner    string // qualified name of the enclosing namespace, or ""
	exported bool   // under an export statement
	isDef    bool   // under export default
	ambient  bool   // in a .d.ts file or under declare
	doc      syntax.Node
	outer    syntax.Node // the statement, including export and decorators
}

// Read reads the declarations and imports of a program.
func Read(r *core.Reader) {
	e := &Declarations{Reader: r, Exported: map[string][]string{}}
	ambient := strings.Contains(r.File.Path, ".d.") && strings.Contains(r.Lang.Extensions[0], "ts")
	list := e.statements(r.Root(), scope{ambient: ambient})
	if ambient && e.module && !e.explicit {
		exportAll(list)
	}
	list = core.MergeSame(list, sameEntity, implementsOverloads(list))
	e.attach(list)
	e.File.Symbols = e.applyExports(list)
	e.File.Doc = e.moduleDoc()
}

// statements reads the declarations of a program or namespace body.
func (e *Declarations) statements(body syntax.Node, s scope) []code.Symbol {
	var out []code.Symbol
	for n := range body.NamedSeq() {
		s.outer, s.doc = n, docBefore(n)
		out = append(out, e.statement(n, s)...)
	}
	return out
}

func (e *Declarations) statement(n syntax.Node, s scope) []code.Symbol {
	switch n.Kind() {
	case "import_statement":
		e.module = true
		e.importStatement(n)
	case "export_statement":
		e.module = true
		return e.exportStatement(n, s)
	case "ambient_declaration":
		s.ambient = true
		var out []code.Symbol
		for d := range n.NamedSeq() {
			if d.Is("statement_block") { // declare global
				continue
			}
			out = append(out, e.declaration(d, s)...)
		}
		return out
	case "expression_statement":
		return e.expressionStatement(n, s)
	case "if_statement", "ERROR":
		return e.broken(n, s)
	default:
		return e.declaration(n, s)
	}
	return nil
}

// broken reads the complete declarations inside an ERROR node.
func (e *Declarations) broken(n syntax.Node, s scope) []code.Symbol {
	if n.Kind() != "ERROR" {
		return nil
	}
	return e.statements(n, scope{owner: s.owner, ambient: s.ambient})
}

// expressionStatement reads expression statements that are declarations: namespaces
// (expressions in the grammar) and CommonJS exports.
func (e *Declarations) expressionStatement(n syntax.Node, s scope) []code.Symbol {
	x := n.First()
	switch x.Kind() {
	case "internal_module":
		return e.declaration(x, s)
	case "assignment_expression":
		if s.owner == "" {
			e.assignedMembers(x, s)
			return e.commonJS(x, s)
		}
	}
	return nil
}

// declaration reads one declaration without its export and declare keywords.
func (e *Declarations) declaration(n syntax.Node, s scope) []code.Symbol {
	switch n.Kind() {
	case "class_declaration", "abstract_class_declaration", "class":
		return core.NamedSymbol(e.class(n, s))
	case "function_declaration", "generator_function_declaration", "function_signature", "function_expression", "generator_function":
		return core.NamedSymbol(e.function(n, s))
	case "interface_declaration":
		return core.NamedSymbol(e.interfaceType(n, s))
	case "type_alias_declaration":
		return core.NamedSymbol(e.typeAlias(n, s))
	case "enum_declaration":
		return core.NamedSymbol(e.enum(n, s))
	case "lexical_declaration", "variable_declaration":
		return e.variables(n, s)
	case "module", "internal_module":
		return e.namespace(n, s)
	case "import_alias":
		return core.NamedSymbol(e.simple(n, n.First(), code.Variable, s))
	}
	return nil
}

// begin returns a symbol for the declaration n called name.
func (e *Declarations) begin(n, name syntax.Node, kind code.Kind, s scope) code.Symbol {
	sym := code.Symbol{Name: strings.Trim(name.Text(), `'"`), Kind: kind, Exported: s.exported, Default: s.isDef}
	if sym.Name == "" && s.isDef {
		sym.Name = "default"
	}
	sym.Doc = docText(s.doc)
	sym.Decorators = append(syntax.Texts(syntax.ChildrenOf(s.outer, "decorator")), syntax.Texts(childrenOther(n, s.outer, "decorator"))...)
	sym.Visibility = code.Private
	if s.exported {
		sym.Visibility = code.Public
	}
	e.Place(&sym, n, s.owner)
	sym.StartLine = e.Line(e.start(n))
	return sym
}

// start returns the offset of a declaration after its decorators.
func (e *Declarations) start(n syntax.Node) int {
	for c := range n.Children() {
		if c.Kind() != "decorator" && !syntax.IsComment(c.Kind()) {
			return c.Start()
		}
	}
	return n.Start()
}

// signature sets the text and hash of n without its body and decorators.
func (e *Declarations) signature(sym *code.Symbol, n, body syntax.Node) {
	end := n.End()
	if body.Ok() {
		end = body.Start()
	}
	sym.SignatureHash = e.Lang.Shape.Hash(n, append(syntax.ChildrenOf(n, "decorator"), body)...)
	if bad := errorBefore(n, end); bad.Ok() { // the text after an error is not reliable
		sym.SignatureHash = srctext.ShortHash(plainLetters(e.Source[e.start(n):end]))
		end = bad.Start()
		sym.Params, sym.Returns, sym.TypeParameters = nil, "", nil
	}
	sym.Signature = e.Head(e.start(n), end, "; { =>")
	sym.BodyHash = e.BodyShapeHash(body)
}

// plainLetters returns a text without layout, to compare text that could not be parsed.
func plainLetters(text []byte) []byte {
	return bytes.Map(func(c rune) rune {
		if strings.ContainsRune(" \t\r\n,;|()'\"", c) {
			return -1
		}
		return c
	}, text)
}

// errorBefore returns the first error in n that starts before an offset.
func errorBefore(n syntax.Node, offset int) syntax.Node {
	if !n.HasError() {
		return syntax.Node{}
	}
	for c := range n.Descendants() {
		if c.Start() >= offset {
			return syntax.Node{}
		}
		if c.Is("ERROR") || c.Missing() {
			return c
		}
	}
	return syntax.Node{}
}

func (e *Declarations) simple(n, name syntax.Node, kind code.Kind, s scope) code.Symbol {
	sym := e.begin(n, name, kind, s)
	e.signature(&sym, n, syntax.Node{})
	return sym
}

func (e *Declarations) function(n syntax.Node, s scope) code.Symbol {
	sym := e.begin(n, n.Field("name"), code.Function, s)
	e.callable(&sym, n)
	e.signature(&sym, n, n.Field("body"))
	return sym
}

// callable sets the properties that functions and methods share.
func (e *Declarations) callable(sym *code.Symbol, n syntax.Node) {
	sym.TypeParameters = core.TypeParameters(n)
	sym.Params = e.params(n.Field("parameters"))
	if p := n.Field("parameter"); p.Ok() { // x => …
		sym.Params = []code.Param{{Name: p.Text()}}
	}
	sym.Returns = annotation(n.Field("return_type"))
	if sym.Returns == "" {
		sym.Returns = annotation(n.Field("type"))
	}
	sym.Async = n.Has("async")
}

func (e *Declarations) interfaceType(n syntax.Node, s scope) code.Symbol {
	sym := e.begin(n, n.Field("name"), code.Interface, s)
	sym.TypeParameters = core.TypeParameters(n)
	sym.Bases = syntax.Texts(syntax.NamedChildren(n.Child("extends_type_clause", "extends_clause")))
	body := n.Field("body")
	e.signature(&sym, n, body)
	sym.BodyHash = ""
	sym.Members = e.Members(body, srctext.Join(s.owner, sym.Name), code.Interface)
	return sym
}

func (e *Declarations) typeAlias(n syntax.Node, s scope) code.Symbol {
	sym := e.simple(n, n.Field("name"), code.TypeDef, s)
	sym.TypeParameters = core.TypeParameters(n)
	value := n.Field("value")
	sym.Value = value.Text()
	if value.Is("object_type") && !core.TooDeep(s.owner) {
		sym.Members = e.Members(value, srctext.Join(s.owner, sym.Name), code.TypeDef)
	}
	return sym
}

func (e *Declarations) enum(n syntax.Node, s scope) code.Symbol {
	sym := e.begin(n, n.Field("name"), code.Enum, s)
	body := n.Field("body")
	e.signature(&sym, n, body)
	sym.BodyHash = ""
	owner := srctext.Join(s.owner, sym.Name)
	for m := range body.NamedSeq() {
		name, value := m, syntax.Node{}
		if m.Is("enum_assignment") {
			name, value = m.Field("name"), m.Field("value")
		}
		member := code.Symbol{
			Name: strings.Trim(name.Text(), `'"`), Kind: code.EnumMember, Visibility: code.Public, Exported: true,
			Signature: m.Text(), SignatureHash: e.Lang.Shape.Hash(name), Doc: docText(docBefore(m)),
			Value: core.ShortValue(value), BodyHash: e.BodyShapeHash(value),
		}
		e.Place(&member, m, owner)
		sym.Members = append(sym.Members, member)
	}
	return sym
}

func (e *Declarations) namespace(n syntax.Node, s scope) []code.Symbol {
	if core.TooDeep(s.owner) {
		return nil
	}
	sym := e.begin(n, n.Field("name"), code.Module, s)
	body := n.Field("body")
	e.signature(&sym, n, body)
	sym.BodyHash = ""
	if n.Field("name").Is("string") { // declare module "x": declarations of another module
		sym.Exported, sym.Visibility = false, code.Private
	}
	list := e.statements(body, scope{owner: srctext.Join(s.owner, sym.Name), ambient: s.ambient})
	if s.ambient {
		exportAll(list)
	}
	sym.Members = core.MergeSame(list, sameEntity, implementsOverloads(list))
	return []code.Symbol{sym}
}

func exportAll(list []code.Symbol) {
	for i := range list {
		if list[i].Kind != code.Module || !strings.ContainsAny(list[i].Signature, `'"`) {
			list[i].Exported, list[i].Visibility = true, code.Public
		}
	}
}

// sameEntity merges all declarations of one name: TypeScript merges them, and to importers an
// exported name is one name.
func sameEntity(_, _ *code.Symbol) bool { return true }

// implementsOverloads returns a function that reports whether a declaration of list implements
// overloads: it has a body and follows others of its name and kind. An interface of the same
// name does not hide a function.
func implementsOverloads(list []code.Symbol) func(s *code.Symbol) bool {
	type declared struct {
		name string
		kind code.Kind
	}
	seen := map[declared]bool{}
	hidden := map[*code.Symbol]bool{}
	for i := range list {
		s := &list[i]
		if s.Kind != code.Function && s.Kind != code.Method && s.Kind != code.Constructor {
			continue
		}
		of := declared{s.Name, s.Kind}
		hidden[s] = s.BodyHash != "" && seen[of]
		seen[of] = true
	}
	return func(s *code.Symbol) bool { return hidden[s] }
}

// annotation returns a type annotation without its colon.
func annotation(n syntax.Node) string {
	return strings.TrimSpace(strings.TrimPrefix(n.Text(), ":"))
}

// childrenOther returns the children of n of a kind, unless n is other, whose children were
// already read.
func childrenOther(n, other syntax.Node, kind string) []syntax.Node {
	if n == other {
		return nil
	}
	return syntax.ChildrenOf(n, kind)
}

// docBefore returns the /** comment directly before n, skipping decorators.
func docBefore(n syntax.Node) syntax.Node {
	for p := n.Previous(); p.Ok(); p = p.Previous() {
		switch {
		case p.Is("decorator", ";", ","):
			continue
		case syntax.IsComment(p.Kind()) && p.Begins("/**"):
			return p
		case syntax.IsComment(p.Kind()) && p.Begins("//") && n.Line()-p.EndLine() <= 1:
			continue // a lint directive may be between
		}
		return syntax.Node{}
	}
	return syntax.Node{}
}

func docText(n syntax.Node) string {
	if !n.Ok() {
		return ""
	}
	return srctext.BlockComment(n.Text())
}

// moduleDoc returns a leading /** comment that does not belong to a declaration.
func (e *Declarations) moduleDoc() string {
	for n := range e.Root().Children() {
		text := n.Text()
		if !syntax.IsComment(n.Kind()) {
			return ""
		}
		if !strings.HasPrefix(text, "/**") {
			continue
		}
		low := strings.ToLower(text)
		if strings.Contains(low, "license") || strings.Contains(low, "copyright") {
			continue
		}
		next := e.At(n.After())
		tagged := slices.ContainsFunc([]string{"@module", "@file", "@packagedocumentation"}, func(tag string) bool { return strings.Contains(low, tag) })
		if tagged || next.Is("import_statement", "comment") || next.Line() > n.EndLine()+1 {
			return srctext.BlockComment(text)
		}
		return ""
	}
	return ""
}
