// Package golang reads Go with go/parser. The language is [Go]. Broken files are read
// declaration by declaration.
package golang

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// entry reports whether s is the function main of a package main.
func entry(f *code.File, owner string, s *code.Symbol) bool {
	return f.Package == "main" && !f.Test && owner == "" && s.Name == "main" && s.Kind == code.Function
}

// Go is the Go language, read with go/parser.
var Go = &core.Language{
	Name: "go", Extensions: []string{".go"}, FolderIsModule: true, Parse: parseGo, Type: TypeOf,
	Entry:    entry,
	TestPath: func(file string) bool { return strings.HasSuffix(file, "_test.go") },
}

// reader reads one Go file.
type reader struct {
	*core.Reader     // for spans, heads and errors; its tree has a source but no nodes
	size         int // of the text whose positions are read: the file, or a part of it
	shift        int // added to its offsets; not 0 for a part of the file
	tokens       []shapeToken
	// starts and ends are the cached positions of nodes that are expensive to compute.
	starts, ends map[ast.Node]token.Pos
	types        map[string]int               // type name -> index in file.Symbols
	tables       map[string]*ast.CompositeLit // variables of a test file with table rows
}

func parseGo(f *code.File, src []byte, parts core.Parts, m *syntax.Meter) error {
	f.Parser = "go/parser"
	g := &reader{
		Reader: textReader(f, src, parts, m), size: len(src), types: map[string]int{},
		starts: map[ast.Node]token.Pos{}, ends: map[ast.Node]token.Pos{},
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ParseComments|parser.AllErrors|parser.SkipObjectResolution)
	if parsed == nil {
		return err
	}
	if parts&core.Hashes != 0 || err != nil {
		g.tokens, f.Digest.Commas, f.Digest.Semicolons = shapeTokens(src, m)
	}
	f.Package = parsed.Name.Name
	f.Doc = groupText(parsed.Doc)
	f.Generated = ast.IsGenerated(parsed)
	f.Constraint = buildConstraint(f.Path, parsed)
	if err == nil || len(g.chunks()) == 0 {
		g.readWhole(parsed, err)
	} else {
		g.readBroken(parsed, err)
	}
	core.MarkBroken(f)
	return nil
}

// readWhole reads a file from a single parse.
func (g *reader) readWhole(parsed *ast.File, err error) {
	for _, d := range parsed.Decls {
		g.declaration(d)
	}
	g.methods(parsed.Decls)
	g.SortSpans()
	g.errors(err, len(g.Source), "")
	g.inspect(parsed)
	g.SetBodies(func() *code.Bodies { return g.bodies(parsed) })
	facts := g.facts()
	facts.declarations(parsed.Decls)
	facts.end()
	g.digest(parsed)
}

// readBroken reads a file in parts. The errors before the first declaration are kept.
func (g *reader) readBroken(parsed *ast.File, err error) {
	first := g.chunks()[0]
	if list, ok := errors.AsType[scanner.ErrorList](err); ok {
		list = slices.DeleteFunc(slices.Clone(list), func(e *scanner.Error) bool { return e.Pos.Offset >= first })
		g.errors(list, len(g.Source), "")
	}
	g.readChunks()
	g.digest(&ast.File{Name: parsed.Name, Comments: parsed.Comments})
}

// declaration reads a declaration other than a method; methods are read after all types.
func (g *reader) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.GenDecl:
		switch d.Tok {
		case token.IMPORT:
			for _, s := range d.Specs {
				g.importSpec(s.(*ast.ImportSpec))
			}
		case token.TYPE:
			for _, s := range d.Specs {
				g.typeSpec(d, s.(*ast.TypeSpec))
			}
		case token.CONST, token.VAR:
			g.values(d)
		default: // broken text
		}
	case *ast.FuncDecl:
		if d.Recv == nil && d.Name.Name != "_" {
			sym := g.function(d, code.Function, d.Name.Name, "")
			g.File.Symbols = append(g.File.Symbols, sym)
		}
	}
}

func (g *reader) importSpec(s *ast.ImportSpec) {
	imp := code.Import{
		Module: strings.Trim(s.Path.Value, "\"`"), Kind: code.StaticImport, Line: g.line(g.pos(s)),
	}
	imp.Relative = strings.HasPrefix(imp.Module, ".")
	if s.Name != nil {
		imp.Namespace = s.Name.Name
	}
	g.File.Imports = append(g.File.Imports, imp)
}

// methods adds methods to the types of this file. Methods of other types are separate symbols
// named "Type.Method".
func (g *reader) methods(decls []ast.Decl) {
	for _, d := range decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv == nil || f.Name.Name == "_" {
			continue
		}
		owner := receiverType(f.Recv)
		if owner == "" {
			continue
		}
		sym := g.function(f, code.Method, f.Name.Name, owner)
		sym.Receiver = g.text(f.Recv)
		if i, ok := g.types[owner]; ok {
			g.File.Symbols[i].Members = append(g.File.Symbols[i].Members, sym)
			continue
		}
		sym.Name = srctext.Join(owner, sym.Name)
		sym.Exported = sym.Exported && ast.IsExported(owner)
		g.File.Symbols = append(g.File.Symbols, sym)
	}
}

// receiverType returns the name of a method's receiver type.
func receiverType(recv *ast.FieldList) string {
	if len(recv.List) == 0 {
		return ""
	}
	t := recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// line returns the line of a position in the file itself; //line comments are ignored.
func (g *reader) line(p token.Pos) int { return g.Line(g.offset(p)) }

func (g *reader) offset(p token.Pos) int {
	if !p.IsValid() {
		return 0
	}
	at := int(p) - 1 // the base of a file set with one file is 1
	if at > g.size { // of a node that the parser made up
		at = 0
	}
	return min(max(at+g.shift, 0), len(g.Source))
}

// text returns a node's source with multi-line texts dedented.
func (g *reader) text(n ast.Node) string {
	if n == nil {
		return ""
	}
	from, to := g.offset(g.pos(n)), g.offset(g.endPos(n))
	g.Meter().Bytes(to - from)
	return g.Head(from, to, "")
}

// begin returns a symbol for n.
func (g *reader) begin(n ast.Node, name string, kind code.Kind, owner string, docs ...*ast.CommentGroup) code.Symbol {
	sym := code.Symbol{Name: name, Kind: kind, Exported: ast.IsExported(name), Visibility: code.Private}
	if sym.Exported {
		sym.Visibility = code.Public
	}
	for _, doc := range docs {
		if sym.Doc = groupText(doc); sym.Doc != "" {
			break
		}
	}
	from, to := g.offset(g.pos(n)), g.end(n)
	sym.StartLine, sym.EndLine, sym.NameLine = g.Line(from), g.Line(max(from, to-1)), g.line(g.namePos(n))
	g.Spans = append(g.Spans, core.Span{Start: from, End: to, Name: srctext.Join(owner, name)})
	return sym
}

// namePos returns the position of the name that a node declares.
func (g *reader) namePos(n ast.Node) token.Pos {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Name.Pos()
	case *ast.TypeSpec:
		return n.Name.Pos()
	case *ast.ValueSpec:
		return n.Names[0].Pos()
	}
	return g.pos(n) // an identifier, or a field
}

// end returns the end of a node. In broken text, a node without its closing bracket ends after
// its last parsed part.
func (g *reader) end(n ast.Node) int {
	from, to := g.offset(g.pos(n)), g.offset(g.endPos(n))
	if to > from {
		return to
	}
	g.each(n, func(part ast.Node) bool {
		if part != nil {
			to = max(to, g.offset(g.pos(part))+1)
		}
		return true
	})
	return min(to, len(g.Source))
}

// groupText returns a comment's text; "" for an unterminated comment in broken text, for which
// go/ast panics.
func groupText(group *ast.CommentGroup) string {
	if group == nil {
		return ""
	}
	for _, c := range group.List {
		if strings.HasPrefix(c.Text, "/*") && (len(c.Text) < len("/**/") || !strings.HasSuffix(c.Text, "*/")) {
			return ""
		}
	}
	return strings.TrimSpace(group.Text())
}

// errors adds the parser's errors to the file. Positions are at most end. An error outside all
// symbols affects the one called name, if it is not "".
func (g *reader) errors(err error, end int, name string) {
	list, ok := errors.AsType[scanner.ErrorList](err)
	if !ok {
		return
	}
	for _, e := range list {
		if len(g.File.ParseErrors) >= core.MaxParseErrors {
			return
		}
		at := min(max(e.Pos.Offset+g.shift, 0), end)
		affected := g.Touched(at, at)
		if len(affected) == 0 && name != "" {
			affected = []string{name}
		}
		g.File.ParseErrors = append(g.File.ParseErrors, code.ParseError{
			Line: g.Line(at), Column: g.Column(at), Message: e.Msg, Affected: affected,
		})
	}
}
