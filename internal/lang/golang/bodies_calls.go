package golang

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// record adds a call or a literal of a composite type to the result, if these are asked for.
func (b *bodyReader) record(n ast.Node) {
	if b.Parts&core.Calls == 0 {
		return
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		b.recordCall(n, n.Lparen, b.flow.value(n, 0))
	case *ast.CompositeLit:
		if of := b.literalType(n); of != nil {
			v := b.flow.value(n, 0)
			v.Text = srctext.OneLine(b.textStart(of, srctext.MaxReceiver))
			b.recordCall(n, n.Lbrace, v)
			if _, is := of.(*ast.StructType); is {
				b.local(b.assigned(n), of)
			}
		}
	case *ast.GenDecl:
		if len(b.around) == 0 {
			b.bindings(n)
		}
	case *ast.TypeSpec:
		b.local(n.Name.Name, n.Type)
	case *ast.ValueSpec:
		for _, name := range n.Names {
			b.local(name.Name, n.Type)
		}
	}
}

// maxLocal is the longest text of a local type, in bytes.
const maxLocal = 8 << 10

// local adds a type or a variable of a function with its type as written.
func (b *bodyReader) local(name string, typ ast.Expr) {
	if typ == nil || name == "" || b.in(typ) == "" || b.topLevel() || b.offset(b.endPos(typ))-b.offset(b.pos(typ)) > maxLocal {
		return
	}
	b.out.Locals = append(b.out.Locals, code.Local{In: b.in(typ), Name: name, Type: b.text(typ), Line: b.line(b.pos(typ))})
}

// topLevel reports whether the current node is part of a declaration outside of functions.
func (b *bodyReader) topLevel() bool {
	return len(b.around) == 0 || !slices.ContainsFunc(b.around, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return true
		}
		return false
	})
}

func (b *bodyReader) recordCall(n ast.Expr, from token.Pos, v code.Value) {
	use := code.CallUse{In: b.in(n), To: b.assigned(n), Value: v, Line: b.line(b.pos(n))}
	start := int(b.pos(n))
	b.calls, use.Within = core.WithinUse(b.calls, start)
	b.out.Calls = append(b.out.Calls, use)
	core.Chain(b.out, b.calls, start)
	b.calls = append(b.calls, core.OpenUse{From: int(from), End: int(b.endPos(n)), Number: len(b.out.Calls), Start: start, Within: use.Within})
}

// literalType returns the type of a composite literal: as written, or else that of the elements of the literal around
// it; nil if it has none.
func (b *bodyReader) literalType(n *ast.CompositeLit) ast.Expr {
	if n.Type != nil || len(b.around) == 0 {
		return n.Type
	}
	outer, ok := b.around[len(b.around)-1].(*ast.CompositeLit)
	if pair, is := b.around[len(b.around)-1].(*ast.KeyValueExpr); is && len(b.around) > 1 && pair.Value == ast.Expr(n) {
		outer, ok = b.around[len(b.around)-2].(*ast.CompositeLit)
	}
	if !ok || outer.Type == nil {
		return nil
	}
	var of ast.Expr
	switch t := outer.Type.(type) {
	case *ast.ArrayType:
		of = t.Elt
	case *ast.MapType:
		of = t.Value
	}
	if star, is := of.(*ast.StarExpr); is {
		of = star.X
	}
	return of
}

// bindings adds the values of constants and variables of the package.
func (b *bodyReader) bindings(d *ast.GenDecl) {
	for _, s := range d.Specs {
		spec, ok := s.(*ast.ValueSpec)
		if !ok || len(spec.Names) != len(spec.Values) {
			continue
		}
		for i, name := range spec.Names {
			b.out.Bindings = append(b.out.Bindings, code.Binding{Name: name.Name, Value: b.flow.value(spec.Values[i], 0), Line: b.line(b.pos(name))})
		}
	}
}
