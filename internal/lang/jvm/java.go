// Package jvm reads Java, Kotlin and Scala with tree-sitter's grammars: declarations,
// imports, calls, facts and the tests of JUnit, TestNG, Kotest, ScalaTest and others.
// Its entries are [Java], [Kotlin] and [Scala], rows for the table of languages. Files
// are named after their language; what the three share is in the files of Java. Kotlin
// and Scala are rewritten by package repair before they are parsed.
package jvm

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// javaEntry reports whether s is a main method that the launcher accepts (JLS 12.1):
// public static void main(String[]), or any main in a file without a class.
func javaEntry(_ *code.File, owner string, s *code.Symbol) bool {
	if s.Name != "main" || s.Returns != "void" || len(s.Params) > 1 {
		return false
	}
	if owner == "" {
		return s.Kind == code.Function
	}
	return s.Static && s.Visibility == code.Public && len(s.Params) == 1 && strings.Contains(s.Params[0].Type, "String")
}

// Java is the language row of Java.
var Java = &core.Language{
	Name: "java", Extensions: []string{".java"}, FolderIsModule: true,
	Grammar: syntax.Java, Shape: javaShape, Imports: []string{"import_declaration"},
	Read: readJava, Call: javaCall, Tests: javaTests, TestPath: isJavaTest, Entry: javaEntry, Facts: javaFacts, Types: javaTypeRules,
	Repair: core.PatchTokens(
		"import module/",                     // import module java.base
		"; super/_uper (", "} super/_uper (", // statements before super(…)
		"; this/_his (", "} this/_his (",
		"instanceof * ./_ * (", "instanceof * ./_ * ./_ * (", // Outer.Point(int x)
		"case * ./_ * (", "case * ./_ * ./_ * (",
		"import * ./; public", "import * . * ./; public", "import * . * . * ./; public", // incomplete import
		"import * ./; import", "import * . * ./; import", "import * . * . * ./; import",
	),
	Bodies: javaBodies, Steps: javaSteps,
}

// javaReader reads the declarations of a Java file.
type javaReader struct{ *core.Reader }

// javaScope is the scope of a declaration.
type javaScope struct {
	owner string    // qualified name of the enclosing type, or ""
	of    code.Kind // kind of that type: members of an interface are public; "" at top level
	enum  bool      // that type is an enum: its constructors are private
}

func readJava(r *core.Reader) {
	r.CloseBrackets()
	j := &javaReader{r}
	r.File.Symbols = j.declarations(r.Root(), javaScope{})
}

// declarations reads the declarations in a file or in the body of a type.
func (j *javaReader) declarations(body syntax.Node, s javaScope) []code.Symbol {
	var out []code.Symbol
	for n := range body.NamedSeq() {
		out = append(out, j.declaration(n, s)...)
	}
	return out
}

func (j *javaReader) declaration(n syntax.Node, s javaScope) []code.Symbol {
	switch n.Kind() {
	case "package_declaration":
		j.packageClause(n)
	case "import_declaration":
		j.importDeclaration(n)
	case "module_declaration":
		return core.NamedSymbol(j.module(n))
	case "class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration":
		return core.NamedSymbol(j.typeDeclaration(n, s))
	case "enum_constant":
		return core.NamedSymbol(j.enumConstant(n, s))
	case "method_declaration", "annotation_type_element_declaration":
		return core.NamedSymbol(j.method(n, s))
	case "constructor_declaration", "compact_constructor_declaration":
		return core.NamedSymbol(j.constructor(n, s))
	case "field_declaration", "constant_declaration":
		return j.fields(n, s)
	case "local_variable_declaration": // in a file without a class
		if n.Parent().Is("program") {
			return j.fields(n, s)
		}
	case "enum_body_declarations":
		return j.declarations(n, s)
	case "ERROR":
		if !core.TooDeep(s.owner) {
			return j.declarations(n, s)
		}
	}
	return nil
}

// packageClause reads the package's name and, in package-info.java, its doc.
func (j *javaReader) packageClause(n syntax.Node) {
	j.File.Package = n.Child("scoped_identifier", "identifier").Text()
	if path.Base(j.File.Path) == "package-info.java" {
		j.File.Doc = javadoc(n)
	}
}

func (j *javaReader) importDeclaration(n syntax.Node) {
	text := srctext.OneLine(strings.TrimSuffix(n.Text(), ";"))
	imp := code.Import{Kind: code.StaticImport, Line: n.Line(), Module: n.Child("scoped_identifier", "identifier").Text()}
	if strings.HasSuffix(text, ".") { // incomplete: it is still being typed
		j.File.ParseErrors = append(j.File.ParseErrors, code.ParseError{
			Line: n.Line(), Column: n.Column(), Message: "unfinished " + srctext.QuoteShort(text),
		})
		return
	}
	if imp.Module == "" || n.HasError() {
		return
	}
	name := ""
	switch {
	case strings.HasPrefix(text, "import module "):
		name = "*"
	case n.Has("asterisk"):
		name = "*"
	default:
		name = imp.Module[strings.LastIndexByte(imp.Module, '.')+1:]
		if n.Has("static") {
			imp.Module = strings.TrimSuffix(imp.Module, "."+name)
		}
	}
	imp.Named = []string{name}
	j.File.Imports = append(j.File.Imports, imp)
}

// module reads module-info.java. Required modules are imports.
func (j *javaReader) module(n syntax.Node) code.Symbol {
	sym := code.Symbol{
		Name: n.Field("name").Text(), Kind: code.Module, Doc: javadoc(n), Visibility: code.Public, Exported: true,
		Decorators: javaAnnotations(n),
	}
	j.File.Doc = sym.Doc
	j.Place(&sym, n, "")
	body := n.Field("body")
	j.signature(&sym, n, body)
	for d := range body.NamedSeq() {
		if !d.Is("requires_module_directive") {
			continue
		}
		name := d.Child("scoped_identifier", "identifier").Text()
		j.File.Imports = append(j.File.Imports, code.Import{
			Module: name, Named: []string{"*"}, Kind: code.StaticImport, Line: d.Line(), Reexport: strings.Contains(d.Text(), "transitive"),
		})
	}
	return sym
}

// begin returns a symbol with the modifiers, annotations and doc of n.
func (j *javaReader) begin(n syntax.Node, name string, kind code.Kind, s javaScope) code.Symbol {
	sym := code.Symbol{Name: name, Kind: kind, Doc: javadoc(n), Decorators: javaAnnotations(n)}
	words := n.Child("modifiers")
	sym.Abstract = words.Has("abstract")
	sym.Static = words.Has("static")
	sym.Readonly = words.Has("final")
	sym.Optional = words.Has("default")
	sym.Visibility = javaVisibility(words, s)
	sym.Exported = sym.Visibility == code.Public || sym.Visibility == code.Protected
	return sym
}

func javaVisibility(words syntax.Node, s javaScope) code.Visibility {
	switch {
	case words.Has("public"):
		return code.Public
	case words.Has("protected"):
		return code.Protected
	case words.Has("private"):
		return code.Private
	case s.of == code.Interface:
		return code.Public
	}
	return code.Package
}

// signature sets the text and hash of n without its body and annotations.
func (j *javaReader) signature(sym *code.Symbol, n, body syntax.Node) {
	end := n.End()
	if body.Ok() {
		end = body.Start()
	}
	sym.Signature = j.headText(n, end)
	sym.SignatureHash = j.Hash(n, append(annotationNodes(n), body)...)
	sym.BodyHash = j.BodyHash(body)
	sym.StartLine = j.Line(j.start(n))
}

// start returns the offset of a declaration after its annotations.
func (j *javaReader) start(n syntax.Node) int {
	for c := range n.Children() {
		if !c.Is("modifiers") {
			if isAnnotation(c) || syntax.IsComment(c.Kind()) {
				continue
			}
			return c.Start()
		}
		for m := range c.Children() {
			if !isAnnotation(m) && !syntax.IsComment(m.Kind()) {
				return m.Start()
			}
		}
	}
	return n.Start()
}

// headText returns the text of a declaration up to end, without annotations.
func (j *javaReader) headText(n syntax.Node, end int) string {
	var b strings.Builder
	at := j.start(n)
	end = min(end, j.Length)
	for c := range n.Child("modifiers").Children() {
		if c.Start() < at || !isAnnotation(c) && !syntax.IsComment(c.Kind()) {
			continue
		}
		b.Write(j.Source[at:c.Start()])
		at = c.End()
		for at < end && strings.IndexByte(" \t\r\n", j.Source[at]) >= 0 {
			at++
		}
	}
	if at < end {
		b.Write(j.Source[at:end])
	}
	text := strings.TrimSpace(b.String())
	for _, mark := range []string{";", "{", "="} {
		text = strings.TrimSpace(strings.TrimSuffix(text, mark))
	}
	return j.Dedent(text, n.Start())
}

func isAnnotation(n syntax.Node) bool { return n.Is("annotation", "marker_annotation") }

// annotationNodes returns the annotations of the declaration n.
func annotationNodes(n syntax.Node) []syntax.Node {
	var out []syntax.Node
	for _, place := range []syntax.Node{n.Child("modifiers"), n} {
		for c := range place.Children() {
			if isAnnotation(c) {
				out = append(out, c)
			}
		}
	}
	return out
}

func javaAnnotations(n syntax.Node) []string { return syntax.Texts(annotationNodes(n)) }

// javadoc returns the documentation comment before n: the nearest /** comment or group
// of /// lines (JEP 467). Other comments may be in between.
func javadoc(n syntax.Node) string {
	var lines []string
	for p := n.Previous(); p.Ok(); p = p.Previous() {
		text := p.Text()
		switch {
		case !syntax.IsComment(p.Kind()):
			return strings.Join(lines, "\n")
		case strings.HasPrefix(text, "///"):
			text = strings.TrimRight(strings.TrimPrefix(text, "///"), "\r\n")
			lines = slices.Insert(lines, 0, strings.TrimPrefix(text, " "))
		case len(lines) > 0:
			return strings.Join(lines, "\n")
		case strings.HasPrefix(text, "/**") && text != "/**/":
			return srctext.BlockComment(text)
		}
	}
	return strings.Join(lines, "\n")
}

// isJavaTest reports whether file matches Maven's test folders or the class names that
// its test plugins run.
func isJavaTest(file string) bool {
	stem := strings.TrimSuffix(path.Base(file), ".java")
	for _, end := range []string{"Test", "Tests", "TestCase", "IT"} {
		if strings.HasSuffix(stem, end) {
			return true
		}
	}
	return strings.Contains("/"+file, "/src/test/")
}
