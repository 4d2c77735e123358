// Package swift reads Swift with tree-sitter's grammar and a tokenizer of its own:
// declarations, imports, calls, facts and the tests of XCTest and Swift Testing. Its
// entry is [Swift], the row for the table of languages. Source is rewritten by package
// repair before it is parsed.
package swift

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/swift/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Swift is the language row.
var Swift = &core.Language{
	Name: "swift", Extensions: []string{".swift", ".swiftinterface"},
	Grammar: syntax.Swift, Shape: shape, Imports: []string{"import_declaration"},
	Source: core.RewrittenSource(repair.Rewrite), Read: read, Call: callOf, Tests: tests, TestPath: isTestPath, Facts: facts, Entry: isEntry,
	Bodies: bodies, Steps: stepRule, Types: typeRules,
}

// symbolReader reads the declarations of a file. Their structure comes from the tree,
// their text from the tokens.
type symbolReader struct {
	*core.Reader
	text *repair.SourceText
}

// symbolScope is the scope of a declaration.
type symbolScope struct {
	owner  string          // qualified name of the enclosing type, or ""
	of     code.Kind       // kind of that type; "" at top level
	usual  code.Visibility // default visibility of members
	around code.Visibility // visibility of the enclosing type
}

func read(r *core.Reader) {
	s := &symbolReader{r, repair.NewSourceText(r.Source)}
	r.CloseBrackets()
	s.isolate()
	s.settle()
	list := s.declarations(r.Root(), symbolScope{usual: code.Package})
	r.File.Symbols = s.overloads(s.extended(list))
	s.statements()
}

// declarations reads the declarations in a file or in the body of a type.
func (s *symbolReader) declarations(body syntax.Node, scope symbolScope) []code.Symbol {
	var out []code.Symbol
	for n := range body.NamedSeq() {
		out = append(out, s.declaration(n, scope)...)
	}
	return out
}

func (s *symbolReader) declaration(n syntax.Node, scope symbolScope) []code.Symbol {
	switch n.Kind() {
	case "import_declaration":
		s.importDeclaration(n)
	case "class_declaration", "protocol_declaration":
		return core.NamedSymbol(s.typeDeclaration(n, scope))
	case "function_declaration", "protocol_function_declaration", "init_declaration", "deinit_declaration", "subscript_declaration", "macro_declaration":
		return core.NamedSymbol(s.function(n, scope))
	case "property_declaration", "protocol_property_declaration":
		return s.properties(n, scope)
	case "enum_entry":
		return s.enumCases(n, scope)
	case "typealias_declaration", "associatedtype_declaration":
		return core.NamedSymbol(s.alias(n, scope))
	case "operator_declaration", "precedence_group_declaration":
		return core.NamedSymbol(s.operator(n, scope))
	case "ERROR":
		if !core.TooDeep(scope.owner) {
			return s.declarations(n, scope)
		}
	}
	return nil
}

// importDeclaration reads an import: import A, import struct A.B.
func (s *symbolReader) importDeclaration(n syntax.Node) {
	h := s.head(n)
	names := dottedPath(s.text, h.keyword+1, h.end)
	if h.word != "import" || len(names) == 0 {
		return
	}
	imp := code.Import{Module: strings.Join(names, "."), Named: []string{"*"}, Kind: code.StaticImport, Line: s.Line(s.text.Tokens[h.keyword].Start())}
	if importKinds[s.text.Word(h.keyword+1)] && len(names) > 2 {
		last := len(names) - 1
		imp.Module, imp.Named = strings.Join(names[1:last], "."), names[last:]
	}
	imp.Reexport = h.modifiers["public"] || h.modifiers["open"]
	for _, a := range h.attributes(s.text) {
		imp.Reexport = imp.Reexport || a == "@_exported"
	}
	s.File.Imports = append(s.File.Imports, imp)
}

// importKinds are the keywords for the kind of an imported declaration.
var importKinds = core.SetOf("typealias", "struct", "class", "enum", "protocol", "let", "var", "func")

// begin returns a symbol with the modifiers, attributes and doc of a head.
func (s *symbolReader) begin(h declarationHead, name string, kind code.Kind, scope symbolScope) code.Symbol {
	sym := code.Symbol{Name: name, Kind: kind, Doc: s.doc(h.first), Decorators: h.attributes(s.text)}
	sym.Visibility = h.visibility(scope)
	sym.Exported = sym.Visibility != code.Private
	sym.Static = h.modifiers["static"] || h.modifiers["class"]
	sym.Optional = h.modifiers["optional"]
	sym.Abstract = scope.of == code.Interface
	return sym
}

// visibility returns the visibility of a declaration. open counts as public. internal,
// the default, and package are both code.Package.
func (h *declarationHead) visibility(scope symbolScope) code.Visibility {
	switch {
	case h.modifiers["private"] || h.modifiers["fileprivate"]:
		return code.Private
	case h.modifiers["public"] || h.modifiers["open"]:
		return code.Public
	case h.modifiers["internal"] || h.modifiers["package"]:
		return code.Package
	}
	return scope.usual
}

// isTestPath reports whether file matches the package manager's test folders or
// Xcode's names for files of test targets.
func isTestPath(file string) bool {
	stem := strings.TrimSuffix(path.Base(file), ".swift")
	for _, end := range []string{"Test", "Tests", "Spec"} {
		if strings.HasSuffix(stem, end) && stem != end {
			return true
		}
	}
	return strings.Contains("/"+file, "/Tests/")
}

// isEntry reports whether the program starts at the type sym.
func isEntry(_ *code.File, _ string, sym *code.Symbol) bool {
	for _, a := range sym.Decorators {
		if a == "@main" || a == "@UIApplicationMain" || a == "@NSApplicationMain" {
			return true
		}
	}
	return false
}

// statements records the first statement of a file that is a program: main.swift or a
// script.
func (s *symbolReader) statements() {
	for n := range s.Root().NamedSeq() {
		switch {
		case strings.HasSuffix(n.Kind(), "_declaration"), n.Is("directive", "diagnostic", "shebang_line", "ERROR"):
		case !n.Begins("#") && !n.HasError():
			s.File.Entries = append(s.File.Entries, code.Entry{Line: n.Line()})
			return
		}
	}
	if path.Base(s.File.Path) == "main.swift" {
		s.File.Entries = append(s.File.Entries, code.Entry{Line: 1})
	}
}
