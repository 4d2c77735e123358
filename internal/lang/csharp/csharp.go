// Package csharp reads C#.
package csharp

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/csharp/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// CSharp is the row of C#.
var CSharp = &core.Language{
	Name: "csharp", Extensions: []string{".cs", ".csx"}, FolderIsModule: true,
	Grammar: syntax.CSharp, Shape: csharpShape, Imports: []string{"using_directive", "extern_alias_directive"},
	Source: core.PartlyHiddenSource(repair.Rewrite), Read: readCSharp, Call: csharpCall, Tests: csharpTests, TestPath: isCSharpTest, Entry: csharpEntry, Facts: csharpFacts,
	Bodies: csharpBodies, Steps: csharpSteps,
}

// csharpReader reads C#'s declarations.
type csharpReader struct {
	*core.Reader
	entry bool // a top-level statement was seen
}

// csharpScope is where a declaration stands.
type csharpScope struct {
	owner string    // qualified name of the type around, or ""
	of    code.Kind // its kind; "" outside types
	space string    // the namespace around, when it is not the file's
}

func readCSharp(r *core.Reader) {
	hidden := r.Patched
	r.CloseBrackets()
	r.Patched = hidden
	for _, h := range hidden {
		if h.Name != "" {
			h.Name += " " + core.QuoteShort(string(r.Source[h.Start:h.End]))
			r.Unread = append(r.Unread, h)
		}
	}
	c := &csharpReader{Reader: r}
	c.File.Package = csharpPackage(r.Root())
	list := c.declarations(r.Root(), "", csharpScope{})
	c.File.Symbols = joinCSharp(list)
}

// csharpPackage returns the namespace of a file: the first that declares a type,
// else the first.
func csharpPackage(root syntax.Node) string {
	first := ""
	for n := range root.Inner() {
		switch n.Kind() {
		case "file_scoped_namespace_declaration":
			return core.OneLine(n.Field("name").Text())
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

// declaringSpace follows a namespace to the first one in it that declares a type.
func declaringSpace(n syntax.Node) (name string, declares bool) {
	for range core.MaxNesting {
		name = core.Join(name, core.OneLine(n.Field("name").Text()))
		var next syntax.Node
		for c := range n.Field("body").Inner() {
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

// declarations reads what a file, a namespace or the body of a type declares.
// space is the namespace.
func (c *csharpReader) declarations(body syntax.Node, space string, s csharpScope) []code.Symbol {
	var out []code.Symbol
	for n := range body.Inner() {
		switch n.Kind() {
		case "file_scoped_namespace_declaration":
			space = core.Join(space, core.OneLine(n.Field("name").Text()))
			s.space = c.foreign(space)
		case "namespace_declaration":
			inside := core.Join(space, core.OneLine(n.Field("name").Text()))
			if strings.Count(inside, ".") < core.MaxNesting {
				out = append(out, c.declarations(n.Field("body"), inside, csharpScope{space: c.foreign(inside)})...)
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

// foreign returns the namespace if it is not the file's.
func (c *csharpReader) foreign(space string) string {
	if space == c.File.Package {
		return ""
	}
	return space
}

// declaration appends what n declares.
func (c *csharpReader) declaration(out []code.Symbol, n syntax.Node, s csharpScope) []code.Symbol {
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

// statement notes the first of the statements that are a program by themselves.
func (c *csharpReader) statement(n syntax.Node) {
	if c.entry || n.HasError() || n.First().Is("local_function_statement", "empty_statement") {
		return
	}
	c.entry = true
	c.File.Entries = append(c.File.Entries, code.Entry{Line: n.Line()})
}

// using reads a using directive (ECMA-334, 14.5) or an extern alias. An alias of
// a type without a name, such as a tuple, is no import.
func (c *csharpReader) using(n syntax.Node) {
	imp := code.Import{Kind: code.StaticImport, Line: n.Line(), Reexport: n.Has("global")}
	alias := n.Field("name")
	switch {
	case n.Is("extern_alias_directive"):
		imp.Module, imp.Namespace = alias.Text(), alias.Text()
	case alias.Ok() && n.Has("="):
		imp.Module, imp.Namespace = csharpName(core.LastNamedChild(n)), alias.Text()
	default:
		imp.Module, imp.Named = csharpName(core.LastNamedChild(n)), []string{"*"}
	}
	if imp.Module != "" && !n.HasError() {
		c.File.Imports = append(c.File.Imports, imp)
	}
}

// csharpName returns the name of a namespace or type without type arguments and
// without global::; "" for a type that has none.
func csharpName(n syntax.Node) string {
	if !n.Is("identifier", "generic_name", "qualified_name", "alias_qualified_name") {
		return ""
	}
	var b strings.Builder
	jump := 0
	for c := range n.Within() {
		switch {
		case c.Index() < jump:
		case c.Is("type_argument_list"):
			jump = c.After()
		case c.Leaf() && !core.IsComment(c.Kind()):
			b.WriteString(c.Text())
		}
	}
	return strings.TrimPrefix(b.String(), "global::")
}

// begin starts a symbol: what its modifiers, attributes and doc say.
func (c *csharpReader) begin(n syntax.Node, name string, kind code.Kind, s csharpScope) code.Symbol {
	sym := code.Symbol{Name: name, Kind: kind, Doc: csharpDoc(n), Decorators: csharpAttributes(n)}
	marks := csharpModifiers(n)
	has := func(word string) bool { return slices.Contains(marks, word) }
	sym.Abstract, sym.Static = has("abstract"), has("static") || has("const")
	sym.Readonly, sym.Async = has("readonly") || has("const"), has("async")
	sym.Visibility = csharpVisibility(marks, s)
	sym.Exported = sym.Visibility != code.Private
	return sym
}

// csharpModifiers returns the modifiers of a declaration as written.
func csharpModifiers(n syntax.Node) []string { return core.Texts(core.ChildrenOf(n, "modifier")) }

// csharpVisibility is the declared accessibility (ECMA-334, 7.5.2) in the terms of
// all languages: what the assembly may use is the package's, whether or not
// derived types alone may.
func csharpVisibility(marks []string, s csharpScope) code.Visibility {
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

// isCSharpTest follows the names of test projects and of the files in them.
func isCSharpTest(file string) bool {
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

// csharpEntry tells the methods that a program may start at (ECMA-334, 7.1).
func csharpEntry(f *code.File, owner string, s *code.Symbol) bool {
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
