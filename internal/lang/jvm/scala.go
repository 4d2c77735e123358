package jvm

import (
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/jvm/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Scala is the language row of Scala 2 and 3. Comments cite sections of the Scala 3
// reference ("Reference") and of the Scala 2.13 language specification (SLS).
var Scala = &core.Language{
	Name: "scala", Extensions: []string{".scala", ".sc", ".sbt"}, FolderIsModule: true,
	Grammar: syntax.Scala, Shape: scalaShape, Imports: []string{"import_declaration"}, Source: repair.ScalaSource,
	Read: readScala, Call: scalaCall, Tests: scalaTests, TestPath: isScalaTest, Entry: scalaEntry,
	Facts:  scalaFacts,
	Bodies: scalaBodies, Steps: scalaSteps, Types: scalaTypeRules,
}

// scalaReader reads the declarations of a Scala file.
type scalaReader struct {
	*core.Reader
	pkg string // package of the current declarations
}

// scalaScope is the scope of a declaration.
type scalaScope struct {
	owner  string    // qualified name of the enclosing template, or ""
	of     code.Kind // kind of that template; "" at top level
	static bool      // that template is an object: its members need no instance
}

func readScala(r *core.Reader) {
	s := &scalaReader{Reader: r}
	r.File.Symbols = scalaMerge(s.declarations(r.Root(), scalaScope{}))
	s.imports()
	s.script()
}

// declarations reads the declarations in a file or template.
func (s *scalaReader) declarations(body syntax.Node, scope scalaScope) []code.Symbol {
	var out []code.Symbol
	for n := range body.NamedSeq() {
		out = append(out, s.declaration(n, scope)...)
	}
	return out
}

func (s *scalaReader) declaration(n syntax.Node, scope scalaScope) []code.Symbol {
	switch n.Kind() {
	case "package_clause":
		return s.packageClause(n)
	case "package_object":
		return core.NamedSymbol(s.template(n, scope))
	case "class_definition", "trait_definition", "object_definition", "enum_definition":
		switch keyword(n).Short() {
		case "given":
			return core.NamedSymbol(s.givenTemplate(n, scope))
		case "package":
			return s.packageClause(n)
		}
		return core.NamedSymbol(s.template(n, scope))
	case "enum_case_definitions":
		return s.enumCases(n, scope)
	case "function_definition", "function_declaration":
		if keyword(n).TextIs("given") {
			return core.NamedSymbol(s.givenValue(n, scope))
		}
		return core.NamedSymbol(s.method(n, scope))
	case "given_definition":
		return core.NamedSymbol(s.givenValue(n, scope))
	case "val_definition", "val_declaration", "var_definition", "var_declaration":
		return s.values(n, scope)
	case "type_definition":
		return core.NamedSymbol(s.typeMember(n, scope))
	case "extension_definition":
		return s.extension(n, scope)
	case "ERROR", "template_body", "enum_body":
		if !core.TooDeep(scope.owner) {
			return s.declarations(n, scope)
		}
	}
	return nil
}

// packageClause reads "package a.b", which applies to the rest of the file, and
// "package a.b { … }". Names in a package other than the file's are qualified.
func (s *scalaReader) packageClause(n syntax.Node) []code.Symbol {
	outer := s.pkg
	body := n.Child("template_body")
	name := n.Field("name").Text()
	if n.Is("object_definition") { // in the braces of another package
		name = string(s.Source[n.Field("name").Start():max(body.Start(), n.Field("name").End())])
	}
	s.pkg = srctext.Join(s.pkg, strings.ReplaceAll(srctext.OneLine(name), " ", ""))
	if s.File.Package == "" || !body.Ok() && s.File.Package == outer && len(s.Spans) == 0 {
		s.File.Package = s.pkg
	}
	if !body.Ok() {
		return nil
	}
	list := s.declarations(body, scalaScope{})
	s.pkg = outer
	return list
}

// qualified returns the name of a top-level declaration.
func (s *scalaReader) qualified(name string, scope scalaScope) string {
	if scope.owner != "" || s.pkg == s.File.Package || name == "" {
		return name
	}
	return srctext.Join(s.pkg, name)
}

// keyword returns the keyword of a declaration: class, def, val, given.
func keyword(n syntax.Node) syntax.Node {
	return n.Child("class", "trait", "object", "enum", "def", "val", "var", "type", "given", "case")
}

// begin returns a symbol with the modifiers, annotations and doc of n.
func (s *scalaReader) begin(n syntax.Node, name string, kind code.Kind, scope scalaScope) code.Symbol {
	sym := code.Symbol{Name: s.qualified(name, scope), Kind: kind, Static: scope.static, Doc: s.scaladoc(n.Start())}
	for c := range n.Children() {
		if c.Is("annotation") {
			sym.Decorators = append(sym.Decorators, srctext.OneLine(c.Text()))
			continue
		}
		if !syntax.IsComment(c.Kind()) {
			break
		}
	}
	words := n.Child("modifiers")
	sym.Abstract = words.Has("abstract")
	sym.Visibility = scalaVisibility(words.Child("access_modifier"))
	if n.Is("enum_definition") { // the parser did not see its modifiers
		from := s.start(n)
		sym.Doc = s.scaladoc(from)
		sym.Visibility = writtenVisibility(string(s.Source[from:keyword(n).Start()]))
	}
	sym.Exported = sym.Visibility == code.Public || sym.Visibility == code.Protected
	return sym
}

// scalaVisibility returns the visibility of a modifier by SLS 5.2. private[C] is
// visible in C, which is usually a package.
func scalaVisibility(modifier syntax.Node) code.Visibility {
	scope := modifier.Child("access_qualifier").First().Text()
	switch {
	case modifier.Has("protected") && scope != "this":
		return code.Protected
	case modifier.Has("private") && scope != "" && scope != "this":
		return code.Package
	case modifier.Ok():
		return code.Private
	}
	return code.Public
}

// writtenVisibility returns the visibility in the text of modifiers.
func writtenVisibility(modifiers string) code.Visibility {
	compact := strings.Join(strings.Fields(modifiers), "")
	switch {
	case strings.Contains(compact, "protected"):
		return code.Protected
	case strings.Contains(compact, "private[this]"):
		return code.Private
	case strings.Contains(compact, "private["):
		return code.Package
	case strings.Contains(compact, "private"):
		return code.Private
	}
	return code.Public
}

// scaladoc returns the nearest documentation comment before offset, if only blanks and
// other comments are in between.
func (s *scalaReader) scaladoc(offset int) string {
	i := sort.Search(len(s.Docs), func(i int) bool { return s.Docs[i].Start >= offset }) - 1
	if i < 0 || s.Docs[i].End > offset || !onlyComments(s.Source[s.Docs[i].End:offset]) {
		return ""
	}
	return srctext.BlockComment(string(s.Source[s.Docs[i].Start:s.Docs[i].End]))
}

// onlyComments reports whether text consists of blanks and comments. It may contain
// modifiers that were hidden from the parser, such as soft modifiers.
func onlyComments(text []byte) bool {
	l := repair.ScalaLexer{Text: text}
	for l.Blanks(); l.At < len(text); l.Blanks() {
		start := l.At
		if l.Next(); !repair.NewModifiers[string(text[start:l.At])] {
			return false
		}
	}
	return true
}

// start returns the offset of a declaration after its annotations, including the
// modifiers that were hidden from the parser.
func (s *scalaReader) start(n syntax.Node) int {
	at := n.Start()
	for c := range n.Children() {
		if !c.Is("annotation") && !syntax.IsComment(c.Kind()) {
			at = c.Start()
			break
		}
	}
	return s.hiddenModifiers(at)
}

// hiddenModifiers returns the offset of the modifiers before at that were hidden from
// the parser, or at if there are none.
func (s *scalaReader) hiddenModifiers(at int) int {
	i := sort.Search(len(s.Patched), func(i int) bool { return s.Patched[i].Start >= at }) - 1
	from := at
	for ; i >= 0 && isBlank(s.Source[s.Patched[i].End:from]); i-- {
		word := string(s.Source[s.Patched[i].Start:s.Patched[i].End])
		from = s.Patched[i].Start
		if repair.ScalaModifiers[word] {
			at = from
		} else if word != "]" && word != "[" && !srctext.NameByte(word[0]) || word == "match" {
			break
		}
	}
	return at
}

// end returns the end of a declaration, including text hidden from the parser: a
// capture set, the cases of a match type.
func (s *scalaReader) end(n syntax.Node) int {
	at, lines := n.End(), false
	i := sort.Search(len(s.Patched), func(i int) bool { return s.Patched[i].Start >= at })
	for ; i < len(s.Patched); i++ {
		between := string(s.Source[at:s.Patched[i].Start])
		if strings.TrimSpace(between) != "" && !onlyComments([]byte(between)) || !lines && strings.Contains(between, "\n") {
			break
		}
		lines = lines || string(s.Source[s.Patched[i].Start:s.Patched[i].End]) == "match"
		at = s.Patched[i].End
	}
	return at
}

func isBlank(text []byte) bool { return strings.TrimSpace(string(text)) == "" }

// scalaAnnotations returns the annotations before the modifiers of n.
func scalaAnnotations(n syntax.Node) []syntax.Node {
	var out []syntax.Node
	for c := range n.Children() {
		switch {
		case c.Is("annotation"):
			out = append(out, c)
		case !syntax.IsComment(c.Kind()):
			return out
		}
	}
	return out
}

// signature sets the text and the hashes of n, whose interface ends at end. Only body,
// which may be the zero node, is excluded from the hash.
func (s *scalaReader) signature(sym *code.Symbol, n, body syntax.Node, end int) {
	start := s.start(n)
	sym.Signature = s.Head(start, end, "")
	sym.SignatureHash = s.Hash(n, append(scalaAnnotations(n), body)...)
	sym.BodyHash = s.BodyHash(body)
	sym.StartLine = s.Line(start)
}

// headEnd returns the end of a declaration's interface: before its body and the sign
// before that.
func headEnd(body syntax.Node, end int) int {
	if !body.Ok() {
		return end
	}
	if before := body.Previous(); before.Is("=") {
		return before.Start()
	}
	return body.Start()
}

// isScalaTest reports whether file matches sbt's test folders or the usual names of
// test classes.
func isScalaTest(file string) bool {
	stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
	ends := []string{"Spec", "Test", "Suite", "Tests", "Specs", "Suites"}
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(stem, end) }) ||
		strings.Contains("/"+file, "/src/test/") || strings.Contains("/"+file, "/src/it/")
}
