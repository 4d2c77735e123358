package golang

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// use records a call or struct literal that has a string literal among its arguments.
func (b *bodyReader) use(n, callee ast.Expr, args []code.Argument) {
	if !core.HasPlain(args) || b.offset(b.endPos(callee))-b.offset(b.pos(callee)) > srctext.LongReceiver {
		return
	}
	of := srctext.OneLine(b.text(callee))
	if len(of) > srctext.MaxReceiver {
		return
	}
	u := code.TextUse{In: b.in(n), Of: of, Args: args, To: b.assigned(n), Line: b.line(b.pos(n))}
	from := b.pos(n)
	switch n := n.(type) {
	case *ast.CallExpr:
		from = n.Lparen
	case *ast.CompositeLit:
		from = n.Lbrace
	}
	b.open, u.Within = core.WithinUse(b.open, int(b.pos(n)))
	b.out.Texts = append(b.out.Texts, u)
	b.open = append(b.open, core.OpenUse{From: int(from), End: int(b.endPos(n)), Number: len(b.out.Texts), Start: int(b.pos(n)), Within: u.Within})
}

// arguments returns the first arguments of a call, or elements of a literal, if one of them is
// a string literal.
func (b *bodyReader) arguments(list []ast.Expr) []code.Argument {
	var out []code.Argument
	list = list[:min(len(list), core.MaxArgs)]
	if !slices.ContainsFunc(list, isText) {
		return nil
	}
	for _, x := range list {
		a := code.Argument{}
		if pair, ok := x.(*ast.KeyValueExpr); ok {
			key, isName := pair.Key.(*ast.Ident)
			if !isName {
				continue
			}
			a.Name, x = key.Name, pair.Value
		}
		a.Line = b.line(b.pos(x))
		if lit, ok := x.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			a.Text, a.Plain = srctext.ClipBody(literal(lit)), true
		} else {
			a.Text = srctext.ClipBody(srctext.OneLine(strings.ToValidUTF8(b.textStart(x, 2*srctext.MaxBodyText), "")))
		}
		out = append(out, a)
	}
	return out
}

// isText reports whether an argument or an element is a string literal.
func isText(x ast.Expr) bool {
	if pair, ok := x.(*ast.KeyValueExpr); ok {
		x = pair.Value
	}
	lit, ok := x.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING
}

// textStart returns at most the first size bytes of an expression's text.
func (g *reader) textStart(x ast.Expr, size int) string {
	from, to := g.offset(g.pos(x)), g.offset(g.endPos(x))
	if to-from <= size {
		return g.text(x)
	}
	g.Meter().Bytes(size)
	text := g.Head(from, from+size, "")
	return text[:min(len(text), size)]
}

// assigned returns the variable that the value of n is assigned to; "" for none.
func (b *bodyReader) assigned(n ast.Expr) string {
	if len(b.around) == 0 {
		return ""
	}
	around := b.around
	if u, ok := around[len(around)-1].(*ast.UnaryExpr); ok && u.Op == token.AND && len(around) > 1 {
		n, around = u, around[:len(around)-1]
	}
	var to ast.Expr
	switch p := around[len(around)-1].(type) {
	case *ast.AssignStmt:
		for i, x := range p.Rhs {
			if x == n && i < len(p.Lhs) {
				to = p.Lhs[i]
			}
		}
	case *ast.ValueSpec:
		for i, x := range p.Values {
			if x == n && i < len(p.Names) {
				to = p.Names[i]
			}
		}
	}
	if to == nil {
		return ""
	}
	return srctext.OneLine(b.text(to))
}

// channel returns the channel created by a call of make.
func (b *bodyReader) channel(n *ast.ChanType) []code.ResourceUse {
	if len(b.around) == 0 {
		return nil
	}
	call, ok := b.around[len(b.around)-1].(*ast.CallExpr)
	if !ok {
		return nil
	}
	if f, isName := call.Fun.(*ast.Ident); !isName || f.Name != "make" || call.Args[0] != ast.Expr(n) {
		return nil
	}
	return []code.ResourceUse{{In: b.in(n), Kind: "channel", Text: srctext.OneLine(b.text(n)), Line: b.line(b.pos(n))}}
}
