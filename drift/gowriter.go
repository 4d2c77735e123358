package drift

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/golang"
)

// goWriter writes a type in canonical form.
type goWriter struct {
	types  goTypes
	folder string
	value  string            // the value whose expressions are written by [goWriter.at]
	names  map[string]string // type parameters, by position
	depth  int
}

// at writes the type at an expression of the value.
func (w goWriter) at(e ast.Expr) string { return w.text(golang.TypeAt(w.value, e)) }

func (w goWriter) text(t code.Type) string {
	switch t.Form {
	case code.NamedType:
		if len(t.Args) > 0 {
			return w.name(t) + "[" + w.list(t.Args, ",") + "]"
		}
		return w.name(t)
	case code.LiteralType:
		return t.Name
	case code.PointerType:
		return "*" + w.text(t.Args[0])
	case code.ListType:
		return "[" + w.list(t.Args[1:], "") + "]" + w.text(t.Args[0])
	case code.MapType:
		return "map[" + w.text(t.Args[0]) + "]" + w.text(t.Args[1])
	case code.FuncType:
		return "func(" + strings.Join(w.fields(t, false), ",") + ")" + w.list(t.Args, ",")
	case code.ObjectType:
		return w.object(t)
	case code.UnionType:
		return w.list(t.Args, "|")
	default:
		return w.operator(t)
	}
}

// operator writes ~T, chan T, and the arithmetic of an array's length.
func (w goWriter) operator(t code.Type) string {
	switch {
	case len(t.Args) == 0:
		return squeeze(t.Text)
	case len(t.Args) > 1:
		return w.list(t.Args, t.Name)
	case strings.HasPrefix(t.Name, "chan"), strings.HasPrefix(t.Name, "<-"):
		return t.Name + " " + w.text(t.Args[0])
	}
	return t.Name + w.text(t.Args[0])
}

func (w goWriter) object(t code.Type) string {
	parts := w.fields(t, true)
	switch {
	case t.Name == "struct":
	case len(parts) == 0:
		return "any"
	default:
		slices.Sort(parts)
	}
	return t.Name + "{" + strings.Join(parts, ";") + "}"
}

func (w goWriter) list(list []code.Type, separator string) string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = w.text(t)
	}
	return strings.Join(out, separator)
}

// fields writes parameters, struct fields or methods.
func (w goWriter) fields(t code.Type, named bool) []string {
	var out []string
	for _, f := range t.Fields {
		text := w.text(f.Type)
		if named && f.Tag != "" {
			text += " " + f.Tag
		}
		if named && !f.Embedded {
			text = f.Name + " " + text
		}
		out = append(out, text)
	}
	return out
}

// name writes a name: a type parameter by its position, an alias as its type, a package by its
// import path.
func (w goWriter) name(t code.Type) string {
	if pkg := strings.TrimSuffix(t.Qualifier(), "."); pkg != "" {
		if paths := w.types.importedAs(w.folder, pkg); len(paths) == 1 {
			pkg = paths[0]
		}
		return pkg + "." + t.Last()
	}
	if to, ok := w.names[t.Name]; ok {
		return to
	}
	switch t.Name {
	case "byte":
		return "uint8"
	case "rune":
		return "int32"
	}
	if old, ok := w.types.formerly[id(w.folder, t.Name)]; ok {
		return old
	}
	to, ok := w.types.aliases[w.folder][t.Name]
	if !ok || w.depth == 0 {
		return t.Name
	}
	w.depth--
	w.names = nil
	return w.text(to)
}
