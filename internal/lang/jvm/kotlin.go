package jvm

import (
	"bytes"
	"path"
	"sort"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/jvm/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Kotlin is the language row of Kotlin.
var Kotlin = &core.Language{
	Name: "kotlin", Extensions: []string{".kt", ".kts"}, FolderIsModule: true,
	Grammar: syntax.Kotlin, Shape: kotlinShape, Imports: []string{"import_list", "import_header"},
	Source: core.PartlyHiddenSource(rewriteKotlin), Read: readKotlin, Call: kotlinCall, Tests: kotlinTests, TestPath: isKotlinTest,
	Entry: kotlinEntry, Facts: kotlinFacts,
	Bodies: kotlinBodies, Steps: kotlinSteps, Types: kotlinTypeRules,
}

// rewriteKotlin rewrites a file before it is parsed, because the grammar misreads much
// of the language without an error.
func rewriteKotlin(r *core.Reader, text []byte) (rewritten []byte, hidden []core.Span) {
	k := repair.RewriteKotlin(text)
	r.Unread = append(r.Unread, k.Unread...)
	r.File.Digest.Commas += k.Commas
	r.File.Digest.Semicolons += k.Semicolons
	return k.Rewritten, k.Hidden
}

// kotlinReader reads the declarations of a Kotlin file.
type kotlinReader struct {
	*core.Reader
	comments []syntax.Node // block comments in order
}

// kotlinScope is the scope of a declaration.
type kotlinScope struct {
	owner  string    // qualified name of the enclosing type, or ""
	of     code.Kind // kind of that type; "" at top level
	static bool      // that type is an object
	hidden bool      // that type is a private companion
}

// maxOpen is the maximum number of open brackets at the end of a truncated text. More
// of them are mistakes, and closing them all costs the grammar much memory.
const maxOpen = 16

func readKotlin(r *core.Reader) {
	if len(syntax.Unclosed(r.Root())) <= maxOpen {
		r.CloseBrackets()
	}
	k := &kotlinReader{Reader: r}
	for n := range r.Root().Descendants() {
		if n.Is("multiline_comment") {
			k.comments = append(k.comments, n)
		}
	}
	k.head(r.Root())
	r.File.Symbols = kotlinMerge(k.declarations(r.Root(), kotlinScope{}))
	if strings.HasSuffix(r.File.Path, ".kts") {
		k.script()
	}
}

// kotlinMerge merges overloads.
func kotlinMerge(list []code.Symbol) []code.Symbol {
	return core.MergeSame(list, func(a, b *code.Symbol) bool {
		return a.Static == b.Static && isKtCallable(a) && isKtCallable(b)
	}, nil)
}

func isKtCallable(s *code.Symbol) bool {
	return s.Kind == code.Function || s.Kind == code.Method || s.Kind == code.Constructor
}

// head reads the package and the imports.
func (k *kotlinReader) head(root syntax.Node) {
	k.File.Package = root.Child("package_header").Child("identifier").Text()
	for n := range root.Children() {
		switch {
		case n.Is("import_list"):
			for c := range n.NamedSeq() {
				k.importHeader(c)
			}
		case n.Is("import_header"):
			k.importHeader(n)
		case n.Is("jump_expression") && n.Begins("import "):
			k.lateImport(n)
		}
	}
}

func (k *kotlinReader) importHeader(n syntax.Node) {
	module := n.Child("identifier").Text()
	end := n.Child("identifier").End()
	typed := !n.Has("wildcard_import") && end < len(k.Source) && k.Source[end] == '.' // incomplete: it is still being typed
	if module == "" || n.HasError() || typed {
		return
	}
	imp := code.Import{Kind: code.StaticImport, Line: n.Line(), Module: module, Named: []string{lastPart(module)}}
	if n.Has("wildcard_import") {
		imp.Named = []string{"*"}
	}
	if alias := n.Child("import_alias").First(); alias.Ok() {
		imp.Aliases = []string{alias.Text()}
	}
	k.File.Imports = append(k.File.Imports, imp)
}

// lateImport reads an import after the first statement of a script.
func (k *kotlinReader) lateImport(n syntax.Node) {
	module, alias, _ := strings.Cut(strings.TrimPrefix(srctext.OneLine(n.Text()), "import "), " as ")
	imp := code.Import{Kind: code.StaticImport, Line: n.Line(), Module: module, Named: []string{lastPart(module)}}
	if alias != "" {
		imp.Aliases = []string{alias}
	}
	imp.Module = strings.TrimSuffix(module, ".*")
	k.File.Imports = append(k.File.Imports, imp)
}

// script records the first statement of a script as its entry point.
func (k *kotlinReader) script() {
	for n := range k.Root().NamedSeq() {
		if !n.Is("file_annotation", "package_header", "import_list", "import_header", "shebang_line", "ERROR") {
			k.File.Entries = append(k.File.Entries, code.Entry{Line: n.Line()})
			return
		}
	}
}

// kotlinEntry reports whether the JVM's launcher starts the function s: main at top
// level or, with @JvmStatic, in an object.
func kotlinEntry(_ *code.File, owner string, s *code.Symbol) bool {
	if s.Name != "main" || len(s.Params) > 1 {
		return false
	}
	if owner == "" {
		return s.Kind == code.Function && s.Receiver == "" && s.Visibility != code.Private
	}
	for _, d := range s.Decorators {
		if s.Static && s.Kind == code.Method && lastPart(strings.TrimPrefix(d, "@")) == "JvmStatic" {
			return true
		}
	}
	return false
}

// isKotlinTest reports whether file matches Gradle's test source sets (src/test,
// src/commonTest) or the class names that test plugins run.
func isKotlinTest(file string) bool {
	stem := strings.TrimSuffix(strings.TrimSuffix(path.Base(file), ".kt"), ".kts")
	for _, end := range []string{"Test", "Tests", "Spec"} {
		if strings.HasSuffix(stem, end) && path.Ext(file) == ".kt" {
			return true
		}
	}
	rest := "/" + file
	for {
		_, after, ok := strings.Cut(rest, "/src/")
		if !ok {
			return false
		}
		set, _, inside := strings.Cut(after, "/")
		if inside && (set == "test" || strings.HasSuffix(set, "Test")) {
			return true
		}
		rest = "/" + after
	}
}

// doc returns the KDoc before n: the nearest /** comment, if only other comments are in
// between.
func (k *kotlinReader) doc(n syntax.Node) string {
	at := n.Start()
	i := sort.Search(len(k.comments), func(i int) bool { return k.comments[i].Start() >= at })
	for i--; i >= 0; i-- {
		c := k.comments[i]
		if c.End() > at || !onlyLineComments(k.Source[c.End():at]) {
			return ""
		}
		if text := c.Text(); strings.HasPrefix(text, "/**") && text != "/**/" {
			return srctext.BlockComment(text)
		}
		at = c.Start()
	}
	return ""
}

// onlyLineComments reports whether text consists of blanks and line comments.
func onlyLineComments(text []byte) bool {
	for row := range bytes.Lines(text) {
		if row = bytes.TrimSpace(row); len(row) > 0 && !bytes.HasPrefix(row, []byte("//")) {
			return false
		}
	}
	return true
}
