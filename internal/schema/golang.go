package schema

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Go: the output of encoding/json. A nil pointer, slice or map is null unless omitempty or
// omitzero omits it.

func goData(_ *book, t *decl) bool {
	return t.Kind == code.Struct && slices.ContainsFunc(t.Members, func(m code.Symbol) bool {
		_, ok := jsonTag(&m)
		return ok
	})
}

func goDefine(s scope) (object, bool) {
	switch {
	case goHas(s.decl.Symbol, "MarshalJSON"):
		return unknown("its MarshalJSON writes it"), true
	case goHas(s.decl.Symbol, "MarshalText"):
		return typed("string"), true
	case s.decl.Kind == code.Struct:
		return goStruct(s), true
	case s.decl.Kind != code.Type || s.decl.Value == "":
		return nil, false
	}
	if values := s.goConstants(); len(values) > 0 {
		return enum(values), true
	}
	return s.of(s.decl.Value), true
}

func goHas(s *code.Symbol, method string) bool {
	return slices.ContainsFunc(s.Members, func(m code.Symbol) bool { return m.Name == method && m.Kind == code.Method })
}

// goConstants returns the values of a named type's constants, none for bits, which may be
// combined.
func (s scope) goConstants() []any {
	var out []any
	for _, c := range s.consts[s.decl.Name] {
		if c.File == "" || s.find(s.decl.Name, "go", c.File) != s.decl {
			continue
		}
		v, ok := literal(goValue(c.Value))
		if !ok || strings.Contains(c.Value, "<<") {
			return nil
		}
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// goValue substitutes iota in "iota + 1 (iota = 2)".
func goValue(text string) string {
	expression, n, ok := strings.Cut(text, " (iota = ")
	if !ok {
		return text
	}
	return substitute(expression, map[string]string{"iota": strings.TrimSuffix(n, ")")})
}

// goKnown are types of other packages with a known JSON form.
var goKnown = map[string]object{
	"time.Time": formatted("date-time"), "time.Duration": typed("integer"), "json.RawMessage": anything(),
	"json.Number": typed("number"), "big.Int": typed("integer"), "big.Float": typed("string"), "netip.Addr": typed("string"),
	"netip.Prefix": typed("string"), "net.IP": typed("string"), "uuid.UUID": formatted("uuid"),
	"string": typed("string"), "bool": typed("boolean"), "float32": typed("number"), "float64": typed("number"),
	"any": anything(), "int": typed("integer"), "int8": typed("integer"), "int16": typed("integer"), "int32": typed("integer"),
	"int64": typed("integer"), "rune": typed("integer"), "uint": natural(), "uint8": natural(), "byte": natural(),
	"uint16": natural(), "uint32": natural(), "uint64": natural(), "uintptr": natural(),
}

func natural() object { return object{{"type", "integer"}, {"minimum", 0}} }

func goType(s scope, text string) object {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return unknown(text)
	}
	return s.goExpr(e)
}

func (s scope) goExpr(e ast.Expr) object {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return s.goExpr(e.X)
	case *ast.StarExpr:
		return nullable(s.goExpr(e.X))
	case *ast.ArrayType:
		return s.goArray(e)
	case *ast.MapType:
		return nullable(mapOf(s.goExpr(e.Value)))
	case *ast.StructType:
		return structure(goMerge(s.goFields(e, 0)), nil)
	case *ast.InterfaceType:
		return anything()
	case *ast.IndexExpr:
		return s.goNamed(e.X, e.Index)
	case *ast.IndexListExpr:
		return s.goNamed(e.X, e.Indices...)
	case *ast.Ident, *ast.SelectorExpr:
		return s.goNamed(e)
	}
	return unknown(types.ExprString(e))
}

func (s scope) goArray(e *ast.ArrayType) object {
	if e.Len == nil {
		if name := types.ExprString(e.Elt); name == "byte" || name == "uint8" {
			return object{{"type", []string{"string", "null"}}, {"contentEncoding", "base64"}}
		}
		return nullable(arrayOf(s.goExpr(e.Elt)))
	}
	out := arrayOf(s.goExpr(e.Elt))
	if n, ok := literal(types.ExprString(e.Len)); ok {
		out = append(out, member{"minItems", n}, member{"maxItems", n})
	}
	return out
}

func (s scope) goNamed(e ast.Expr, args ...ast.Expr) object {
	name := types.ExprString(e)
	if known, ok := goKnown[name]; ok && s.find(name, "go", s.decl.File) == nil {
		return known
	}
	text := name
	var texts []string
	for _, a := range args {
		texts = append(texts, types.ExprString(a))
	}
	if len(texts) > 0 {
		text += "[" + strings.Join(texts, ", ") + "]"
	}
	return s.named(name, texts, text)
}

// goFields returns the fields of a struct within another type.
func (s scope) goFields(e *ast.StructType, depth int) []goField {
	var out []goField
	for _, f := range e.Fields.List {
		text := types.ExprString(f.Type)
		var tags []string
		if f.Tag != nil {
			tags = []string{f.Tag.Value}
		}
		for _, name := range f.Names {
			m := code.Symbol{Name: name.Name, Kind: code.Property, Exported: token.IsExported(name.Name), Returns: text, Decorators: tags}
			out = append(out, s.goField(&m, depth)...)
		}
		if len(f.Names) == 0 {
			name := strings.TrimPrefix(text, "*")
			name = identifier(name[strings.LastIndexByte(name, '.')+1:])
			m := code.Symbol{Name: name, Kind: code.Embedded, Exported: token.IsExported(name), Returns: text, Decorators: tags}
			out = append(out, s.goField(&m, depth)...)
		}
	}
	return out
}
