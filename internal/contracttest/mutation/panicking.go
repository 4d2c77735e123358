package mutation

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// Panicking returns the text of a file of Go in which every function panics when it is called; the same text if it cannot be read.
func Panicking(text []byte) []byte {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return text
	}
	var out []byte
	at := 0
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		body := set.Position(fn.Body.Lbrace).Offset + 1
		out = append(append(out, text[at:body]...), ` panic("broken"); `...)
		at = body
	}
	return append(out, text[at:]...)
}
