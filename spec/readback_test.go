package spec_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// block is a declaration of section 3 with its place.
type block struct{ heading, language, text string }

// blocks returns the declarations in section 3: the fenced texts before the diagrams, except
// the JSON Schema.
func blocks(section string) []block {
	section, _, _ = strings.Cut(section, "\n### 3.2")
	section, _, _ = strings.Cut(section, "\n### 3.3")
	var out []block
	heading, fence := "", ""
	for row := range strings.Lines(section) {
		row = strings.TrimSuffix(row, "\n")
		ticks := row[:len(row)-len(strings.TrimLeft(row, "`"))]
		switch {
		case fence == "" && strings.HasPrefix(row, "#### "):
			heading = row
		case fence == "" && len(ticks) >= 3:
			fence = ticks
			out = append(out, block{heading: heading, language: strings.TrimLeft(row, "`")})
		case fence != "" && row == fence:
			fence = ""
		case fence != "" && (strings.HasPrefix(row, "// @ ") || strings.HasPrefix(row, "# @ ")):
			place, _, _ := strings.Cut(strings.TrimLeft(row, "/# @"), " ")
			out = append(out, block{heading: place, language: out[len(out)-1].language})
		case fence != "":
			out[len(out)-1].text += row + "\n"
		}
	}
	return slices.DeleteFunc(out, func(b block) bool { return b.text == "" })
}

// bare matches a value without type and initialiser.
var bare = regexp.MustCompile(`(?m)^var \w+$`)

// readBack parses section 3 of a Go package's spec with Go's own parser, in the form of
// [checked].
func readBack(t *testing.T, section string, renames map[string]map[string]string) map[string]string {
	t.Helper()
	r := reading{said: map[string]string{}, renames: renames}
	for _, b := range blocks(section) {
		if b.language != "go" {
			t.Errorf("%s: a block of %q", b.heading, b.language)
			continue
		}
		text := bare.ReplaceAllString(b.text, "$0 = 0") // large initialisers are omitted
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+text, parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%s is no Go: %v\n%s", b.heading, err, b.text)
		}
		for _, d := range f.Decls {
			r.declaration(d)
		}
	}
	return r.said
}

// reading is a parsed section.
type reading struct {
	said    map[string]string
	renames map[string]map[string]string // see importNames
}

func (r *reading) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name, kind := d.Name.Name, "function "
		if d.Recv != nil {
			name, kind = receiverOf(d.Recv.List[0].Type)+"."+name, "method "
		}
		r.said[name] = kind + r.signature(d.Type)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, id := range s.Names {
					r.said[id.Name] = map[token.Token]string{token.CONST: "const", token.VAR: "variable"}[d.Tok]
				}
			case *ast.TypeSpec:
				r.said[s.Name.Name] = "type"
				r.members(s.Name.Name, s.Type)
			}
		}
	}
}

// receiverOf returns the name of a receiver's type.
func receiverOf(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiverOf(x.X)
	case *ast.IndexExpr:
		return receiverOf(x.X)
	case *ast.IndexListExpr:
		return receiverOf(x.X)
	}
	return types.ExprString(x)
}

func (r *reading) members(owner string, x ast.Expr) {
	switch x := x.(type) {
	case *ast.StructType:
		for _, f := range x.Fields.List {
			names := f.Names
			if len(names) == 0 {
				base := receiverOf(f.Type)
				names = []*ast.Ident{{Name: base[strings.LastIndexByte(base, '.')+1:]}}
			}
			for _, id := range names {
				r.said[owner+"."+id.Name] = "field " + r.text(f.Type)
			}
		}
	case *ast.InterfaceType:
		for _, f := range x.Methods.List {
			if typ, ok := f.Type.(*ast.FuncType); ok {
				r.said[owner+"."+f.Names[0].Name] = "method " + r.signature(typ)
			}
		}
	}
}

func (r *reading) signature(f *ast.FuncType) string {
	return "(" + strings.Join(r.list(f.Params), ",") + ")" + squeeze(joined(r.list(f.Results)))
}

// list returns the types of parameters or results, one per name.
func (r *reading) list(fields *ast.FieldList) []string {
	var out []string
	if fields == nil {
		return nil
	}
	for _, f := range fields.List {
		for range max(len(f.Names), 1) {
			out = append(out, r.text(f.Type))
		}
	}
	return out
}

// text returns a type in the format of go/types.
func (r *reading) text(x ast.Expr) string {
	text := ungrouped(types.ExprString(x))
	for _, names := range r.renames {
		for from, to := range names {
			text = regexp.MustCompile(`\b`+from+`\.`).ReplaceAllString(text, to+".")
		}
	}
	return squeeze(text)
}
