package golang

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

func (g *reader) function(d *ast.FuncDecl, kind code.Kind, name, owner string) code.Symbol {
	sym := g.begin(d, name, kind, owner, d.Doc)
	from, to := g.offset(g.pos(d.Type)), g.offset(g.endPos(d))
	sym.StartLine = g.Line(from)
	if d.Body != nil {
		sym.BodyHash = g.hash(g.offset(g.pos(d.Body)), to)
		to = g.offset(g.pos(d.Body))
	}
	sym.Signature = g.Head(from, to, "")
	sym.SignatureHash = g.hash(from, to)
	g.funcType(&sym, d.Type)
	return sym
}

// funcType sets the type parameters, parameters and results of a symbol.
func (g *reader) funcType(sym *code.Symbol, t *ast.FuncType) {
	sym.TypeParameters = g.typeParams(t.TypeParams)
	for _, p := range g.fields(t.Params) {
		_, variadic := p.expr.(*ast.Ellipsis)
		sym.Params = append(sym.Params, code.Param{Name: p.name, Type: g.text(p.expr), Variadic: variadic})
	}
	var results []string
	for _, r := range g.fields(t.Results) {
		results = append(results, g.text(r.expr))
	}
	sym.Returns = strings.Join(results, ", ")
	if len(results) > 1 {
		sym.Returns = "(" + sym.Returns + ")"
	}
}

// field is one name of a field list and its type.
type field struct {
	name string
	expr ast.Expr
	at   *ast.Field
	id   *ast.Ident
}

// fields splits "a, b int" into names; an unnamed field has the name "".
func (g *reader) fields(list *ast.FieldList) []field {
	var out []field
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		if f.Type == nil {
			continue
		}
		if len(f.Names) == 0 {
			out = append(out, field{"", f.Type, f, nil})
		}
		for _, id := range f.Names {
			out = append(out, field{id.Name, f.Type, f, id})
		}
	}
	return out
}

func (g *reader) typeParams(list *ast.FieldList) []string {
	var out []string
	for _, f := range g.fields(list) {
		out = append(out, f.name+" "+g.text(f.expr))
	}
	return out
}

func (g *reader) typeSpec(d *ast.GenDecl, s *ast.TypeSpec) {
	if s.Name.Name == "_" || s.Type == nil {
		return
	}
	sym := g.begin(s, s.Name.Name, code.TypeDef, "", s.Doc, groupDoc(d), s.Comment)
	if len(d.Specs) == 1 && !d.Lparen.IsValid() {
		sym.StartLine = g.line(g.pos(d))
	}
	from, to := g.offset(g.pos(s)), g.offset(g.endPos(s.Type))
	owner := s.Name.Name
	switch t := s.Type.(type) {
	case *ast.StructType:
		sym.Kind = code.Struct
		to = g.offset(t.Struct) + len("struct")
		sym.Members = g.structFields(t, owner)
	case *ast.InterfaceType:
		sym.Kind = code.Interface
		to = g.offset(t.Interface) + len("interface")
		sym.Members = g.interfaceMethods(t, owner)
	default:
		sym.Value = g.text(s.Type)
	}
	to = min(to, len(g.Source))
	sym.Signature = "type " + g.Head(from, to, "")
	sym.SignatureHash = g.hash(from, to)
	sym.TypeParameters = g.typeParams(s.TypeParams)
	for _, m := range sym.Members {
		if m.Kind == code.Embedded {
			sym.Bases = append(sym.Bases, m.Signature)
		}
	}
	g.types[owner] = len(g.File.Symbols)
	g.File.Symbols = append(g.File.Symbols, sym)
}

// groupDoc returns the comment of a declaration with a single spec.
func groupDoc(d *ast.GenDecl) *ast.CommentGroup {
	if len(d.Specs) == 1 {
		return d.Doc
	}
	return nil
}

func (g *reader) structFields(t *ast.StructType, owner string) []code.Symbol {
	var out []code.Symbol
	for _, f := range g.fields(t.Fields) {
		name, kind := f.name, code.Property
		var at ast.Node = f.id
		if f.id == nil {
			name, kind, at = embeddedName(f.expr), code.Embedded, f.at
		}
		if name == "" || name == "_" {
			continue
		}
		sym := g.begin(at, name, kind, owner, f.at.Doc, f.at.Comment)
		sym.Returns = g.text(f.expr)
		sym.Signature = strings.TrimSpace(f.name + " " + sym.Returns)
		sym.EndLine = g.line(g.endPos(f.expr))
		hash := name + "\x00" + g.hashOf(f.expr)
		if f.at.Tag != nil {
			sym.Decorators = []string{f.at.Tag.Value}
			sym.Signature += " " + f.at.Tag.Value
			hash += "\x00" + f.at.Tag.Value
		}
		sym.SignatureHash = srctext.ShortHash([]byte(hash))
		out = append(out, sym)
	}
	return out
}

// embeddedName returns the field name of an embedded type.
func embeddedName(t ast.Expr) string {
	switch x := t.(type) {
	case *ast.StarExpr:
		return embeddedName(x.X)
	case *ast.ParenExpr:
		return embeddedName(x.X)
	case *ast.IndexExpr:
		return embeddedName(x.X)
	case *ast.IndexListExpr:
		return embeddedName(x.X)
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.Ident:
		return x.Name
	}
	return ""
}

func (g *reader) interfaceMethods(t *ast.InterfaceType, owner string) []code.Symbol {
	var out []code.Symbol
	for _, f := range g.fields(t.Methods) {
		if fn, ok := f.expr.(*ast.FuncType); ok && f.id != nil {
			sym := g.begin(f.at, f.name, code.Method, owner, f.at.Doc, f.at.Comment)
			sym.Signature = g.text(f.at)
			sym.SignatureHash = g.hash(g.offset(g.pos(f.id)), g.offset(g.endPos(fn)))
			g.funcType(&sym, fn)
			sym.Abstract = true
			out = append(out, sym)
			continue
		}
		text := g.text(f.expr)
		sym := g.begin(f.at, text, code.Embedded, owner, f.at.Doc, f.at.Comment)
		name := embeddedName(f.expr)
		if name == "" || ast.IsExported(name) || isPredeclared(name) {
			sym.Exported, sym.Visibility = true, code.Public
		}
		sym.Signature, sym.SignatureHash = text, g.hashOf(f.expr)
		out = append(out, sym)
	}
	return out
}

func isPredeclared(name string) bool {
	return name == "error" || name == "comparable" || name == "any"
}

// values reads a const or var declaration. Constants without a value repeat the previous one.
func (g *reader) values(d *ast.GenDecl) {
	var last *ast.ValueSpec
	for i, s := range d.Specs {
		v := s.(*ast.ValueSpec)
		from := v
		if d.Tok == token.CONST && len(v.Values) == 0 && v.Type == nil && last != nil {
			from = last
		} else {
			last = v
		}
		for j, id := range v.Names {
			if id.Name != "_" {
				g.File.Symbols = append(g.File.Symbols, g.value(d, v, from, id, j, i))
			}
		}
	}
}

// value reads the j-th name of the spec v; its type and value are in from, and iota is index.
func (g *reader) value(d *ast.GenDecl, v, from *ast.ValueSpec, id *ast.Ident, j, index int) code.Symbol {
	kind := code.Variable
	if d.Tok == token.CONST {
		kind = code.Const
	}
	var at ast.Node = v
	if len(v.Names) > 1 {
		at = id
	}
	sym := g.begin(at, id.Name, kind, "", v.Doc, groupDoc(d), v.Comment)
	sym.Signature = d.Tok.String() + " " + id.Name
	if from.Type != nil {
		sym.Returns = g.text(from.Type)
	}
	if v.Type != nil {
		sym.Signature += " " + sym.Returns
	}
	hash := id.Name + "\x00" + g.hashOf(from.Type)
	if j < len(from.Values) && len(from.Values) == len(from.Names) {
		g.setValue(&sym, from.Values[j], from == v, index)
	}
	sym.SignatureHash = srctext.ShortHash([]byte(hash))
	return sym
}

// setValue sets a symbol's value. It includes the value of iota, since an inserted constant
// changes those after it.
func (g *reader) setValue(sym *code.Symbol, value ast.Expr, written bool, index int) {
	sym.BodyHash = g.hashOf(value)
	text := srctext.OneLine(g.text(value))
	if len(text) > core.LongValue {
		return
	}
	if written {
		sym.Signature += " = " + g.text(value)
	}
	if sym.Kind == code.Const && usesIota(value) {
		text = fmt.Sprintf("%s (iota = %d)", text, index)
		sym.BodyHash = srctext.ShortHash([]byte(sym.BodyHash + text))
	}
	sym.Value = text
}

func usesIota(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "iota"
		return !found
	})
	return found
}
