package service

import (
	"go/ast"
	"go/parser"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// goFields adds the fields of types of Go as inputs.
type goFields struct {
	*goInputs
	source goSource
	around []*resolve.Node // the types whose fields are being read
}

// node adds the fields of a type of the project.
func (a goFields) node(n *resolve.Node, prefix string, depth int) {
	s := a.Symbol(n)
	if s == nil || depth > maxFieldDepth {
		return
	}
	a.around = append(slices.Clone(a.around), n)
	for _, m := range s.Members {
		if m.Kind == code.Property {
			tag := ""
			if len(m.Decorators) > 0 {
				tag = m.Decorators[0]
			}
			embedded := strings.TrimPrefix(Last(m.Signature), "*") == m.Name && !strings.Contains(strings.TrimSpace(m.Signature), " ")
			a.field(n.File, m.Name, m.Returns, tag, embedded, max(m.NameLine, m.StartLine), prefix, depth)
		}
	}
}

// text adds the fields of a type as written, which begins at a line.
func (a goFields) text(file, text string, line int, prefix string, depth int) {
	x, err := parser.ParseExpr(text)
	s, ok := x.(*ast.StructType)
	if err != nil || !ok || depth > maxFieldDepth {
		return
	}
	lineOf := func(n ast.Node) int { return line + strings.Count(text[:n.Pos()-1], "\n") }
	for _, f := range s.Fields.List {
		tag, typ := "", text[f.Type.Pos()-1:f.Type.End()-1]
		if f.Tag != nil {
			tag = f.Tag.Value
		}
		if len(f.Names) == 0 {
			a.field(file, Last(strings.TrimPrefix(typ, "*")), typ, tag, true, lineOf(f), prefix, depth)
		}
		for _, name := range f.Names {
			a.field(file, name.Name, typ, tag, false, lineOf(name), prefix, depth)
		}
	}
}

// field adds a field, or those of its type if that is a struct of the project.
func (a goFields) field(file, name, typ, tag string, embedded bool, line int, prefix string, depth int) {
	tags := reflect.StructTag(strings.Trim(tag, "`"))
	given := ""
	for _, key := range a.source.tags {
		if text, ok := tags.Lookup(key); ok && given == "" {
			given, _, _ = strings.Cut(text, ",")
		}
	}
	if given == "-" || !ast.IsExported(name) {
		return
	}
	if given == "" && !embedded {
		given = name
	}
	inside := prefix
	switch {
	case given != "" && strings.Contains(typ, "[]"):
		inside += given + "[]."
	case given != "":
		inside += given + "."
	}
	element := strings.TrimLeft(typ, "*[]")
	switch n := a.typeNamed(file, element, line); {
	case strings.HasPrefix(element, "struct"):
		a.text(file, element, line, inside, depth+1)
	case n != nil && !slices.Contains(a.around, n):
		a.node(n, inside, depth+1)
	default:
		input := Input{In: a.source.in, Name: prefix + given, Type: typ, At: Place{file, line}}
		input.Required, input.Limits = goRules(tags)
		a.add(input)
	}
}

// goRules reads the rules of a field: those of validator, which Gin calls binding.
func goRules(tags reflect.StructTag) (required bool, limits []string) {
	for _, key := range []string{"binding", "validate"} {
		for rule := range strings.SplitSeq(tags.Get(key), ",") {
			switch rule {
			case "", "-", "omitempty", "dive":
			case "required", "exists":
				required = true
			default:
				limits = append(limits, rule)
			}
		}
	}
	return required, limits
}

// typeNamed returns the struct of the project that a type is; nil for other types.
func (a goFields) typeNamed(file, typ string, line int) *resolve.Node {
	if n := a.Named(file, line, line, Last(typ)); n != nil && n.IsType() && a.isStruct(n) {
		return n
	}
	if strings.Contains(typ, ".") {
		return nil
	}
	for _, f := range a.Files {
		if path.Dir(f.Path) != path.Dir(file) {
			continue
		}
		for _, n := range a.Links.Linked(f.Path) {
			if n.Path() == typ && n.IsType() && a.isStruct(n) {
				return n
			}
		}
	}
	return nil
}

// isStruct reports whether a type has fields that a body may set.
func (a goFields) isStruct(n *resolve.Node) bool {
	s := a.Symbol(n)
	if s == nil || s.Kind != code.Struct {
		return false
	}
	for _, m := range s.Members {
		if m.Kind == code.Property && m.Exported {
			return true
		}
	}
	return false
}
