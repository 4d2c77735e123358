// Package swift reads Swift.
package swift

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/swift/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Swift is the row of Swift.
var Swift = &core.Language{
	Name: "swift", Extensions: []string{".swift", ".swiftinterface"},
	Grammar: syntax.Swift, Shape: swiftShape, Imports: []string{"import_declaration"},
	Source: core.RewrittenSource(repair.Rewrite), Read: readSwift, Call: swiftCall, Tests: swiftTests, TestPath: isSwiftTest, Facts: swiftFacts, Entry: swiftEntry,
	Bodies: swiftBodies, Steps: swiftSteps,
}

// swiftReader reads Swift's declarations: which there are, and what is in them, by
// the tree; how they are written, by the tokens.
type swiftReader struct {
	*core.Reader
	text *repair.SourceText
}

// swiftScope is where a declaration stands.
type swiftScope struct {
	owner  string          // qualified name of the type around, or ""
	of     code.Kind       // its kind; "" at top level
	usual  code.Visibility // of what says nothing about its own
	around code.Visibility // of the type around
}

func readSwift(r *core.Reader) {
	s := &swiftReader{r, repair.NewSourceText(r.Source)}
	r.CloseBrackets()
	s.isolate()
	s.settle()
	list := s.declarations(r.Root(), swiftScope{usual: code.Package})
	r.File.Symbols = s.overloads(s.extended(list))
	s.statements()
}

// declarations reads what a file or the body of a type declares.
func (s *swiftReader) declarations(body syntax.Node, scope swiftScope) []code.Symbol {
	var out []code.Symbol
	for n := range body.Inner() {
		out = append(out, s.declaration(n, scope)...)
	}
	return out
}

func (s *swiftReader) declaration(n syntax.Node, scope swiftScope) []code.Symbol {
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
func (s *swiftReader) importDeclaration(n syntax.Node) {
	h := s.head(n)
	names := dottedPath(s.text, h.keyword+1, h.end)
	if h.word != "import" || len(names) == 0 {
		return
	}
	imp := code.Import{Module: strings.Join(names, "."), Named: []string{"*"}, Kind: code.StaticImport, Line: s.Line(s.text.Tokens[h.keyword].Start())}
	if swiftImportKinds[s.text.Word(h.keyword+1)] && len(names) > 2 {
		last := len(names) - 1
		imp.Module, imp.Named = strings.Join(names[1:last], "."), names[last:]
	}
	imp.Reexport = h.modifiers["public"] || h.modifiers["open"]
	for _, a := range h.attributes(s.text) {
		imp.Reexport = imp.Reexport || a == "@_exported"
	}
	s.File.Imports = append(s.File.Imports, imp)
}

// swiftImportKinds say what kind of declaration an import names.
var swiftImportKinds = core.SetOf("typealias", "struct", "class", "enum", "protocol", "let", "var", "func")

// begin starts a symbol: what its modifiers, attributes and doc say.
func (s *swiftReader) begin(h swiftDeclaration, name string, kind code.Kind, scope swiftScope) code.Symbol {
	sym := code.Symbol{Name: name, Kind: kind, Doc: s.doc(h.first), Decorators: h.attributes(s.text)}
	sym.Visibility = h.visibility(scope)
	sym.Exported = sym.Visibility != code.Private
	sym.Static = h.modifiers["static"] || h.modifiers["class"]
	sym.Optional = h.modifiers["optional"]
	sym.Abstract = scope.of == code.Interface
	return sym
}

// visibility is who may use what a head declares. open is public; internal, which
// needs not be said, reaches through the module as package reaches through the
// package.
func (h *swiftDeclaration) visibility(scope swiftScope) code.Visibility {
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

// isSwiftTest follows the folders of the package manager and the names that Xcode
// gives to the files of test targets.
func isSwiftTest(file string) bool {
	stem := strings.TrimSuffix(path.Base(file), ".swift")
	for _, end := range []string{"Test", "Tests", "Spec"} {
		if strings.HasSuffix(stem, end) && stem != end {
			return true
		}
	}
	return strings.Contains("/"+file, "/Tests/")
}

// swiftEntry tells the types that the program starts with.
func swiftEntry(_ *code.File, _ string, sym *code.Symbol) bool {
	for _, a := range sym.Decorators {
		if a == "@main" || a == "@UIApplicationMain" || a == "@NSApplicationMain" {
			return true
		}
	}
	return false
}

// statements notes the first statement of a program that is a file: main.swift, a
// script.
func (s *swiftReader) statements() {
	for n := range s.Root().Inner() {
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
