package drift

import (
	"go/ast"
	"go/parser"
	"slices"
	"strings"
)

// goWriter writes a type in canonical form.
type goWriter struct {
	types  goTypes
	folder string
	names  map[string]string // type parameters, by position
	depth  int
}

func (w goWriter) text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return w.ident(e.Name)
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			if paths := w.types.imports[x.Name]; len(paths) == 1 {
				return paths[0] + "." + e.Sel.Name
			}
		}
		return w.text(e.X) + "." + e.Sel.Name
	case *ast.ParenExpr:
		return w.text(e.X)
	case *ast.StarExpr:
		return "*" + w.text(e.X)
	case *ast.UnaryExpr:
		return e.Op.String() + w.text(e.X)
	case *ast.BinaryExpr:
		return w.text(e.X) + e.Op.String() + w.text(e.Y)
	case *ast.BasicLit:
		return e.Value
	case *ast.Ellipsis:
		return "..." + w.text(e.Elt)
	case *ast.IndexExpr:
		return w.text(e.X) + "[" + w.text(e.Index) + "]"
	case *ast.IndexListExpr:
		return w.text(e.X) + "[" + w.list(e.Indices) + "]"
	}
	return w.composite(e)
}

func (w goWriter) composite(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ArrayType:
		if e.Len == nil {
			return "[]" + w.text(e.Elt)
		}
		return "[" + w.text(e.Len) + "]" + w.text(e.Elt)
	case *ast.MapType:
		return "map[" + w.text(e.Key) + "]" + w.text(e.Value)
	case *ast.ChanType:
		return map[ast.ChanDir]string{ast.SEND: "chan<- ", ast.RECV: "<-chan ", ast.SEND | ast.RECV: "chan "}[e.Dir] + w.text(e.Value)
	case *ast.FuncType:
		return "func(" + w.fields(e.Params, ",", false) + ")" + w.fields(e.Results, ",", false)
	case *ast.StructType:
		return "struct{" + w.fields(e.Fields, ";", true) + "}"
	case *ast.InterfaceType:
		if e.Methods.NumFields() == 0 {
			return "any"
		}
		parts := strings.Split(w.fields(e.Methods, "\x00", true), "\x00")
		slices.Sort(parts)
		return "interface{" + strings.Join(parts, ";") + "}"
	}
	return "?"
}

func (w goWriter) list(list []ast.Expr) string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = w.text(e)
	}
	return strings.Join(out, ",")
}

// fields writes parameters, results, struct fields or methods, one entry per name.
func (w goWriter) fields(list *ast.FieldList, sep string, named bool) string {
	if list == nil {
		return ""
	}
	var out []string
	for _, f := range list.List {
		text := w.text(f.Type)
		if named && f.Tag != nil {
			text += " " + f.Tag.Value
		}
		for _, n := range f.Names {
			if named {
				out = append(out, n.Name+" "+text)
			} else {
				out = append(out, text)
			}
		}
		if len(f.Names) == 0 {
			out = append(out, text)
		}
	}
	return strings.Join(out, sep)
}

// ident writes a name: a type parameter by its position, an alias as its type.
func (w goWriter) ident(name string) string {
	if to, ok := w.names[name]; ok {
		return to
	}
	switch name {
	case "byte":
		return "uint8"
	case "rune":
		return "int32"
	}
	if old, ok := w.types.formerly[id(w.folder, name)]; ok {
		return old
	}
	to, ok := w.types.aliases[w.folder][name]
	if !ok || w.depth == 0 {
		return name
	}
	w.depth--
	w.names = nil
	expr, err := parser.ParseExpr(to)
	if err != nil {
		return name
	}
	return w.text(expr)
}
