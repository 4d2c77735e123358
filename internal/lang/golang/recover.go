package golang

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
)

// filePrefix makes a declaration a valid file.
const filePrefix = "package p;"

// maxChunks is the maximum number of parts of a broken file.
const maxChunks = 5000

// readChunks reads a broken file declaration by declaration, so that an unclosed brace affects
// only one of them. In gofmt-formatted files, a keyword at the start of a line begins a
// declaration.
func (g *reader) readChunks() {
	starts := g.chunks()
	starts = starts[:min(len(starts), maxChunks)]
	type part struct {
		file  *ast.File
		size  int
		shift int
		err   error
		end   int    // offset of the last byte, trailing white space excluded
		name  string // the first name that it declares
	}
	var parts []part
	for i, from := range starts {
		to := len(g.Source)
		if i+1 < len(starts) {
			to = starts[i+1]
		}
		text := make([]byte, 0, len(filePrefix)+to-from)
		text = append(append(text, filePrefix...), g.Source[from:to]...)
		parsed, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments|parser.AllErrors|parser.SkipObjectResolution)
		if parsed == nil {
			continue
		}
		g.size, g.shift = len(text), from-len(filePrefix)
		before := len(g.Spans)
		for _, d := range parsed.Decls {
			g.declaration(d)
		}
		p := part{file: parsed, size: len(text), shift: g.shift, err: err}
		p.end = from + len(bytes.TrimRight(g.Source[from:to], " \t\r\n")) - 1
		if len(g.Spans) > before {
			p.name = g.Spans[before].Name
		}
		parts = append(parts, p)
	}
	for _, p := range parts { // methods are read after all types
		g.size, g.shift = p.size, p.shift
		g.methods(p.file.Decls)
	}
	g.SortSpans()
	facts := g.facts()
	for _, p := range parts {
		g.size, g.shift = p.size, p.shift
		g.errors(p.err, p.end, p.name)
		g.inspect(p.file)
		facts.declarations(p.file.Decls)
	}
	facts.end()
}

// chunks returns the offsets of the declarations with their comments. The text before the
// first is the package clause.
func (g *reader) chunks() []int {
	var out []int
	for _, t := range g.tokens {
		switch t.text {
		case "func", "type", "var", "const", "import":
			if t.offset > 0 && g.Source[t.offset-1] == '\n' {
				out = append(out, g.commentsAbove(t.offset))
			}
		}
	}
	return out
}

// commentsAbove returns the start of the // lines directly above offset.
func (g *reader) commentsAbove(offset int) int {
	for offset > 1 {
		above := bytes.LastIndexByte(g.Source[:offset-1], '\n') + 1
		if !bytes.HasPrefix(g.Source[above:offset], []byte("//")) {
			return offset
		}
		offset = above
	}
	return offset
}
