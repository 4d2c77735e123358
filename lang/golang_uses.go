package lang

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// use notes a call or a literal of a struct that is given a text.
func (b *goBodies) use(n ast.Expr, of string, args []code.Argument) {
	if len(of) > maxReceiver || !hasPlain(args) {
		return
	}
	u := code.TextUse{In: b.in(n), Of: of, Args: args, To: b.assigned(n), Line: b.line(n.Pos())}
	from := n.Pos()
	switch n := n.(type) {
	case *ast.CallExpr:
		from = n.Lparen
	case *ast.CompositeLit:
		from = n.Lbrace
	}
	b.open, u.Within = withinUse(b.open, int(n.Pos()))
	b.out.Texts = append(b.out.Texts, u)
	b.open = append(b.open, openUse{int(from), int(n.End()), len(b.out.Texts)})
}

// arguments returns the first arguments of a call, or elements of a literal.
func (b *goBodies) arguments(list []ast.Expr) []code.Argument {
	var out []code.Argument
	for _, x := range list[:min(len(list), maxArgs)] {
		a := code.Argument{}
		if pair, ok := x.(*ast.KeyValueExpr); ok {
			key, isName := pair.Key.(*ast.Ident)
			if !isName {
				continue
			}
			a.Name, x = key.Name, pair.Value
		}
		a.Line = b.line(x.Pos())
		if lit, ok := x.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			a.Text, a.Plain = clipBody(goLiteral(lit)), true
		} else {
			text := b.text(x)
			a.Text = clipBody(words(strings.ToValidUTF8(text[:min(len(text), 2*maxBodyText)], "")))
		}
		out = append(out, a)
	}
	return out
}

// assigned is the variable that is given the value of n; "" for none.
func (b *goBodies) assigned(n ast.Expr) string {
	if len(b.around) == 0 {
		return ""
	}
	var to ast.Expr
	switch p := b.around[len(b.around)-1].(type) {
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
	return words(b.text(to))
}

// channel notes the channel that a call of make with a type makes.
func (b *goBodies) channel(n *ast.ChanType) []code.Taken {
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
	return []code.Taken{{In: b.in(n), Kind: "channel", Text: words(b.text(n)), Line: b.line(n.Pos())}}
}
