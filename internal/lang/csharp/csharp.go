// Package csharp reads C# with tree-sitter. The language is [CSharp]; package repair rewrites
// syntax that is newer than the grammar.
package csharp

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/csharp/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// CSharp is the C# language.
var CSharp = &core.Language{
	Name: "csharp", Extensions: []string{".cs", ".csx"}, FolderIsModule: true,
	Grammar: syntax.CSharp, Shape: shape, Imports: []string{"using_directive", "extern_alias_directive"},
	Source: core.PartlyHiddenSource(repair.Rewrite), Read: readFile, Call: callSite, Tests: tests, TestPath: isTestFile, Entry: isEntry, Facts: factRules,
	Bodies: bodyRules, Steps: steps, Types: typeRules,
}

// reader reads C#'s declarations.
type reader struct {
	*core.Reader
	entry bool // a top-level statement was found
}

// declScope is the context of a declaration.
type declScope struct {
	owner string    // qualified name of the enclosing type, or ""
	of    code.Kind // kind of the enclosing type; "" outside types
	space string    // the enclosing namespace, if it is not that of the file
}

func readFile(r *core.Reader) {
	hidden := r.Patched
	r.CloseBrackets()
	r.Patched = hidden
	for _, h := range hidden {
		if h.Name != "" {
			h.Name += " " + srctext.QuoteShort(string(r.Source[h.Start:h.End]))
			r.Unread = append(r.Unread, h)
		}
	}
	c := &reader{Reader: r}
	c.File.Package = filePackage(r.Root())
	list := c.declarations(r.Root(), "", declScope{})
	c.File.Symbols = mergeSymbols(list)
}

// filePackage returns the namespace of a file: the first one that declares a type, else the
// first one.
func filePackage(root syntax.Node) string {
	first := ""
	for n := range root.NamedSeq() {
		switch n.Kind() {
		case "file_scoped_namespace_declaration":
			return srctext.OneLine(n.Field("name").Text())
		case "namespace_declaration":
			name, declares := declaringSpace(n)
			if declares {
				return name
			}
			if first == "" {
				first = name
			}
		}
	}
	return first
}

// declaringSpace returns the name of the first namespace in n, itself included, that declares
// a type.
func declaringSpace(n syntax.Node) (name string, declares bool) {
	for range core.MaxNesting {
		name = srctext.Join(name, srctext.OneLine(n.Field("name").Text()))
		var next syntax.Node
		for c := range n.Field("body").NamedSeq() {
			switch {
			case c.Is("namespace_declaration") && !next.Ok():
				next = c
			case strings.HasSuffix(c.Kind(), "_declaration") && !c.Is("namespace_declaration"):
				return name, true
			}
		}
		if !next.Ok() {
			break
		}
		n = next
	}
	return name, false
}

// declarations reads the declarations in a file, a namespace or the body of a type. space is
// the namespace.
func (c *reader) declarations(body syntax.Node, space string, s declScope) []code.Symbol {
	var out []code.Symbol
	for n := range body.NamedSeq() {
		switch n.Kind() {
		case "file_scoped_namespace_declaration":
			space = srctext.Join(space, srctext.OneLine(n.Field("name").Text()))
			s.space = c.foreign(space)
		case "namespace_declaration":
			inside := srctext.Join(space, srctext.OneLine(n.Field("name").Text()))
			if strings.Count(inside, ".") < core.MaxNesting {
				out = append(out, c.declarations(n.Field("body"), inside, declScope{space: c.foreign(inside)})...)
			}
		case "ERROR":
			if n.Is("ERROR") && !core.TooDeep(s.owner) && !n.Parent().Is("ERROR") {
				out = append(out, c.declarations(n, space, s)...)
			}
		default:
			out = c.declaration(out, n, s)
		}
	}
	return out
}

// foreign returns the namespace, or "" if it is that of the file.
func (c *reader) foreign(space string) string {
	if space == c.File.Package {
		return ""
	}
	return space
}

// declaration appends the symbols that n declares.
func (c *reader) declaration(out []code.Symbol, n syntax.Node, s declScope) []code.Symbol {
	var sym code.Symbol
	switch n.Kind() {
	case "using_directive", "extern_alias_directive":
		c.using(n)
	case "global_statement":
		c.statement(n)
	case "class_declaration", "struct_declaration", "interface_declaration", "enum_declaration", "record_declaration":
		sym = c.typeDeclaration(n, s)
	case "delegate_declaration":
		sym = c.delegate(n, s)
	case "enum_member_declaration":
		sym = c.enumMember(n, s)
	case "method_declaration", "operator_declaration", "conversion_operator_declaration", "destructor_declaration":
		sym = c.method(n, s)
	case "constructor_declaration":
		sym = c.constructor(n, s)
	case "property_declaration", "indexer_declaration", "event_declaration":
		sym = c.property(n, s)
	case "field_declaration", "event_field_declaration":
		return c.fields(out, n, s)
	}
	if sym.Name == "" {
		return out
	}
	return append(out, sym)
}

// statement records the first top-level statement as an entry point.
func (c *reader) statement(n syntax.Node) {
	if c.entry || n.HasError() || n.First().Is("local_function_statement", "empty_statement") {
		return
	}
	c.entry = true
	c.File.Entries = append(c.File.Entries, code.Entry{Line: n.Line()})
}

// using reads a using directive (ECMA-334, 14.5) or an extern alias. An alias of an unnamed
// type, such as a tuple, is not an import.
func (c *reader) using(n syntax.Node) {
	imp := code.Import{Kind: code.StaticImport, Line: n.Line(), Reexport: n.Has("global")}
	alias := n.Field("name")
	switch {
	case n.Is("extern_alias_directive"):
		imp.Module, imp.Namespace = alias.Text(), alias.Text()
	case alias.Ok() && n.Has("="):
		imp.Module, imp.Namespace = plainName(syntax.LastNamedChild(n)), alias.Text()
	default:
		imp.Module, imp.Named = plainName(syntax.LastNamedChild(n)), []string{"*"}
	}
	if imp.Module != "" && !n.HasError() {
		c.File.Imports = append(c.File.Imports, imp)
	}
}

// plainName returns the name of a namespace or type without type arguments and global::; ""
// for an unnamed type.
func plainName(n syntax.Node) string {
	if !n.Is("identifier", "generic_name", "qualified_name", "alias_qualified_name") {
		return ""
	}
	var b strings.Builder
	jump := 0
	for c := range n.Descendants() {
		switch {
		case c.Index() < jump:
		case c.Is("type_argument_list"):
			jump = c.After()
		case c.Leaf() && !syntax.IsComment(c.Kind()):
			b.WriteString(c.Text())
		}
	}
	return strings.TrimPrefix(b.String(), "global::")
}

// begin returns a symbol with its modifiers, attributes and doc.
func (c *reader) begin(n syntax.Node, name string, kind code.Kind, s declScope) code.Symbol {
	sym := code.Symbol{Name: name, Kind: kind, Doc: doc(n), Decorators: attributes(n)}
	marks := modifiers(n)
	has := func(word string) bool { return slices.Contains(marks, word) }
	sym.Abstract, sym.Static = has("abstract"), has("static") || has("const")
	sym.Readonly, sym.Async = has("readonly") || has("const"), has("async")
	sym.Visibility = visibility(marks, s)
	sym.Exported = sym.Visibility != code.Private
	return sym
}

// modifiers returns the modifiers of a declaration as written.
func modifiers(n syntax.Node) []string { return syntax.Texts(syntax.ChildrenOf(n, "modifier")) }

// visibility returns the declared accessibility (ECMA-334, 7.5.2) in the terms of
// package code. What the assembly can access has package visibility, whether or not derived
// types can access it as well.
func visibility(marks []string, s declScope) code.Visibility {
	has := func(word string) bool { return slices.Contains(marks, word) }
	switch {
	case has("public"):
		return code.Public
	case has("protected") && has("private"):
		return code.Package
	case has("protected"):
		return code.Protected
	case has("internal"):
		return code.Package
	case has("private") || has("file"):
		return code.Private
	case s.of == code.Interface || s.of == code.Enum:
		return code.Public
	case s.of == "":
		return code.Package
	}
	return code.Private
}

// isTestFile reports whether a path is that of a test project or file, by its name.
func isTestFile(file string) bool {
	stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
	if strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests") {
		return true
	}
	for folder := range strings.SplitSeq(path.Dir(file), "/") {
		low := strings.ToLower(folder)
		last := low[strings.LastIndexByte(low, '.')+1:]
		if last == "test" || last == "tests" || strings.HasSuffix(folder, "Test") || strings.HasSuffix(folder, "Tests") {
			return true
		}
	}
	return false
}

// isEntry reports whether s is a method at which a program may start (ECMA-334, 7.1).
func isEntry(f *code.File, owner string, s *code.Symbol) bool {
	if s.Name != "Main" || s.Kind != code.Method || !s.Static || owner == "" || f.Test {
		return false
	}
	for _, o := range s.Overloads {
		if startsProgram(o.Params, o.Returns) {
			return true
		}
	}
	return startsProgram(s.Params, s.Returns)
}

func startsProgram(params []code.Param, returns string) bool {
	fits := len(params) == 0 || len(params) == 1 && strings.TrimSuffix(params[0].Type, "?") == "string[]"
	result := returns[strings.LastIndexByte(returns, '.')+1:]
	return fits && slices.Contains([]string{"void", "int", "Task", "Task<int>"}, result)
}
