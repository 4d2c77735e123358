package golang

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"sort"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// textReader returns a reader of a text without a syntax tree.
func textReader(f *code.File, src []byte, parts core.Parts, m *syntax.Meter) *core.Reader {
	return &core.Reader{Tree: syntax.Text(src, m), File: f, Parts: parts, Length: len(src)}
}

// shapeToken is a token of the normalised text. Comments, automatic semicolons and trailing
// commas are left out.
type shapeToken struct {
	offset int
	text   string
}

// shapeTokens returns the tokens of src, from which the hashes of any part are computed, and the
// numbers of trailing commas and explicit semicolons, which are left out.
func shapeTokens(src []byte, m *syntax.Meter) (out []shapeToken, commas, semicolons int) {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	s.Init(file, src, nil, 0)
	out = make([]shapeToken, 0, len(src)/4)
	for {
		m.Add(1)
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return out, commas, semicolons
		}
		if n := len(out); n > 0 && closes(tok) && (out[n-1].text == "," || out[n-1].text == ";") {
			if out[n-1].text == "," {
				commas++
			}
			out = out[:n-1]
		}
		if tok == token.SEMICOLON && lit == ";" {
			semicolons++
		}
		text := tok.String()
		switch {
		case tok == token.INT, tok == token.FLOAT, tok == token.IMAG:
			text = strings.ToLower(lit)
		case tok.IsLiteral():
			text = lit
		case tok == token.ILLEGAL:
			text = lit
		}
		out = append(out, shapeToken{file.Offset(pos), text})
	}
}

func closes(t token.Token) bool {
	return t == token.RPAREN || t == token.RBRACE || t == token.RBRACK
}

// hash returns the hash of the tokens between two offsets.
func (g *reader) hash(from, to int) string {
	if g.Parts&core.Hashes == 0 {
		return ""
	}
	return srctext.ShortHash(g.appendTokens(make([]byte, 0, max(0, to-from)*5/4), from, to))
}

func (g *reader) appendTokens(out []byte, from, to int) []byte {
	i := sort.Search(len(g.tokens), func(i int) bool { return g.tokens[i].offset >= from })
	end := sort.Search(len(g.tokens), func(i int) bool { return g.tokens[i].offset >= to })
	for end > i && (g.tokens[end-1].text == ";" || g.tokens[end-1].text == ",") {
		end--
	}
	g.Meter().Add(1 + end - i)
	for ; i < end; i++ {
		out = append(append(out, g.tokens[i].text...), 0)
	}
	return out
}

// hashOf returns the hash of an expression; "" for nil.
func (g *reader) hashOf(x ast.Expr) string {
	if x == nil {
		return ""
	}
	return g.hash(g.offset(g.pos(x)), g.offset(g.endPos(x)))
}

// digest sets the file's digest.
func (g *reader) digest(f *ast.File) {
	if g.Parts&core.Hashes == 0 {
		return
	}
	var comments, imports strings.Builder
	for _, group := range f.Comments {
		for _, c := range group.List {
			for row := range strings.Lines(c.Text) {
				comments.WriteString(srctext.OneLine(strings.Trim(row, "/* \t\r\n")) + " ")
			}
		}
	}
	from := 0
	tokens := make([]byte, 0, len(g.Source)*5/4)
	for _, d := range f.Decls { // no declarations if the file is broken
		if imp, ok := d.(*ast.GenDecl); ok && imp.Tok == token.IMPORT {
			tokens = g.appendTokens(tokens, from, g.offset(g.pos(imp)))
			from = g.offset(g.endPos(imp))
		}
	}
	tokens = g.appendTokens(tokens, from, len(g.Source)+1)
	for _, i := range g.File.Imports {
		imports.WriteString(i.Namespace + " " + i.Module + "\n")
	}
	d := &g.File.Digest
	d.Comments, d.Imports = srctext.ShortHash([]byte(comments.String())), srctext.ShortHash([]byte(imports.String()))
	d.Tokens = srctext.ShortHash(tokens)
}
