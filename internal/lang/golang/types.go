package golang

import (
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// TypeOf returns the type that an expression denotes.
func TypeOf(text string) code.Type {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return code.Type{Form: code.OtherType, Text: text}
	}
	return typeText(text).Read(e)
}

// typeText is the text that expressions were parsed from.
type typeText string

// TypeAt returns the type at an expression in a text that was parsed by itself.
func TypeAt(text string, e ast.Expr) code.Type { return typeText(text).Read(e) }

// Read returns the type at an expression.
func (s typeText) Read(e ast.Expr) code.Type {
	if p, ok := e.(*ast.ParenExpr); ok {
		return s.Read(p.X)
	}
	from, to := int(e.Pos())-1, int(e.End())-1
	t := code.Type{Form: code.OtherType, Text: string(s[max(from, 0):min(to, len(s))]), At: from}
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		t.Form, t.Name = code.NamedType, t.Text
	case *ast.BasicLit:
		t.Form, t.Name = code.LiteralType, t.Text
	case *ast.IndexExpr:
		s.generic(&t, e.X, e.Index)
	case *ast.IndexListExpr:
		s.generic(&t, e.X, e.Indices...)
	case *ast.StarExpr:
		t.Form, t.Args = code.PointerType, s.list(e.X)
	case *ast.ArrayType:
		t.Form, t.Args = code.ListType, s.list(e.Elt)
		if e.Len != nil {
			t.Args = s.list(e.Elt, e.Len)
		}
	case *ast.MapType:
		t.Form, t.Args = code.MapType, s.list(e.Key, e.Value)
	default:
		s.composite(e, &t)
	}
	return t
}

// composite reads types with fields, and operators.
func (s typeText) composite(e ast.Expr, t *code.Type) {
	switch e := e.(type) {
	case *ast.ChanType:
		t.Name = map[ast.ChanDir]string{ast.SEND: "chan<-", ast.RECV: "<-chan", ast.SEND | ast.RECV: "chan"}[e.Dir]
		t.Args = s.list(e.Value)
	case *ast.Ellipsis:
		t.Name, t.Args = "...", s.list(e.Elt)
	case *ast.UnaryExpr:
		t.Name, t.Args = e.Op.String(), s.list(e.X)
	case *ast.BinaryExpr:
		s.binary(e, t)
	case *ast.FuncType:
		t.Form, t.Fields = code.FuncType, s.fields(e.Params)
		for _, f := range s.fields(e.Results) {
			t.Args = append(t.Args, f.Type)
		}
	case *ast.StructType:
		t.Form, t.Name, t.Fields = code.ObjectType, "struct", s.fields(e.Fields)
	case *ast.InterfaceType:
		t.Form, t.Name, t.Fields = code.ObjectType, "interface", s.fields(e.Methods)
		for i := range t.Fields {
			t.Fields[i].Method = !t.Fields[i].Embedded
		}
	}
}

// binary reads a union of a constraint, or the arithmetic of an array's length.
func (s typeText) binary(e *ast.BinaryExpr, t *code.Type) {
	t.Name = e.Op.String()
	if e.Op == token.OR {
		t.Form, t.Name = code.UnionType, ""
	}
	for _, part := range s.list(e.X, e.Y) {
		if part.Form == code.UnionType && t.Form == code.UnionType {
			t.Args = append(t.Args, part.Args...)
			continue
		}
		t.Args = append(t.Args, part)
	}
}

func (s typeText) generic(t *code.Type, of ast.Expr, args ...ast.Expr) {
	t.Form, t.Name, t.Args = code.NamedType, s.Read(of).Text, s.list(args...)
}

func (s typeText) list(list ...ast.Expr) []code.Type {
	var out []code.Type
	for _, e := range list {
		out = append(out, s.Read(e))
	}
	return out
}

// fields reads parameters, results, struct fields or methods, one for each name.
func (s typeText) fields(list *ast.FieldList) []code.TypeField {
	if list == nil {
		return nil
	}
	var out []code.TypeField
	for _, f := range list.List {
		one := code.TypeField{Type: s.Read(f.Type), Embedded: len(f.Names) == 0}
		if f.Tag != nil {
			one.Tag = f.Tag.Value
		}
		for _, name := range f.Names {
			one.Name = name.Name
			out = append(out, one)
		}
		if one.Embedded {
			out = append(out, one)
		}
	}
	return out
}
