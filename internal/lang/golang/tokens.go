package golang

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"sort"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// textReader is a reader of a text without a syntax tree.
func textReader(f *code.File, src []byte, m *syntax.Meter) *core.Reader {
	return &core.Reader{Tree: syntax.Text(src, m), File: f, Length: len(src)}
}

// goToken is one token of the normalised text: comments, the semicolons that
// newlines stand for and trailing commas are left out.
type goToken struct {
	offset int
	text   string
}

// goTokens scans src once; hashes of any part are made from what it returns. It
// counts trailing commas and written semicolons, which are left out.
func goTokens(src []byte, m *syntax.Meter) (out []goToken, commas, semicolons int) {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	s.Init(file, src, nil, 0)
	out = make([]goToken, 0, len(src)/4)
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
		out = append(out, goToken{file.Offset(pos), text})
	}
}

func closes(t token.Token) bool {
	return t == token.RPAREN || t == token.RBRACE || t == token.RBRACK
}

// hash returns the hash of the tokens between two bytes.
func (g *goReader) hash(from, to int) string {
	return core.ShortHash(g.appendTokens(nil, from, to))
}

func (g *goReader) appendTokens(out []byte, from, to int) []byte {
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

// hashOf hashes an expression; "" for none.
func (g *goReader) hashOf(x ast.Expr) string {
	if x == nil {
		return ""
	}
	return g.hash(g.offset(g.pos(x)), g.offset(g.endPos(x)))
}

// digest fills the file's digest.
func (g *goReader) digest(f *ast.File) {
	var comments, imports strings.Builder
	for _, group := range f.Comments {
		for _, c := range group.List {
			for row := range strings.Lines(c.Text) {
				comments.WriteString(core.OneLine(strings.Trim(row, "/* \t\r\n")) + " ")
			}
		}
	}
	from := 0
	var tokens []byte
	for _, d := range f.Decls { // none for a broken file
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
	d.Comments, d.Imports = core.ShortHash([]byte(comments.String())), core.ShortHash([]byte(imports.String()))
	d.Tokens = core.ShortHash(tokens)
}
