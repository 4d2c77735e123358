package golang

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// options records what a node of a file other than a test shows about the values that users give, and about errors.
func (b *bodyReader) options(n ast.Node) {
	switch n := n.(type) {
	case *ast.CompositeLit:
		b.literal(n)
	case *ast.CallExpr:
		b.firstOf(n)
	case *ast.SelectorExpr:
		b.members[n.Sel.Name] = true
	case *ast.IfStmt:
		b.fallback(n)
	case *ast.Ident:
		b.name(n)
	case *ast.BinaryExpr:
		b.compared(n)
	case *ast.FuncDecl:
		b.predicate(n)
	}
}

// literal records a composite literal of a named type with the names of its fields.
func (b *bodyReader) literal(n *ast.CompositeLit) {
	if n.Type == nil {
		return
	}
	switch n.Type.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
	default:
		return
	}
	l := code.Literal{In: b.in(n), Of: srctext.OneLine(b.text(n.Type)), Line: b.line(b.pos(n))}
	for _, x := range n.Elts {
		pair, ok := x.(*ast.KeyValueExpr)
		if !ok {
			return
		}
		key, ok := pair.Key.(*ast.Ident)
		if !ok {
			return
		}
		l.Fields = append(l.Fields, b.field(key.Name, pair.Value))
	}
	b.out.Literals = append(b.out.Literals, l)
}

// field reads a field of a literal. Texts keep their quotes; a long value is "".
func (b *bodyReader) field(name string, value ast.Expr) code.Argument {
	a := code.Argument{Name: name, Text: b.short(value), Line: b.line(b.pos(value))}
	_, a.Plain = ast.Unparen(value).(*ast.BasicLit)
	return a
}

// short returns an expression on one line; "" if it is long.
func (b *bodyReader) short(x ast.Expr) string {
	if b.offset(b.endPos(x))-b.offset(b.pos(x)) > code.MaxDefault {
		return ""
	}
	return srctext.OneLine(b.text(x))
}

// fallback records the value of an if statement that does nothing but replace the zero value of a variable or field:
// if o.Timeout == 0 { o.Timeout = time.Second }.
func (b *bodyReader) fallback(n *ast.IfStmt) {
	if n.Init != nil || n.Else != nil || n.Body == nil || len(n.Body.List) != 1 {
		return
	}
	set, ok := n.Body.List[0].(*ast.AssignStmt)
	if !ok || set.Tok != token.ASSIGN || len(set.Lhs) != 1 || len(set.Rhs) != 1 {
		return
	}
	of := b.short(set.Lhs[0])
	if isZeroTest(n.Cond, of, b.short) {
		b.missing(n, of, set.Rhs[0])
	}
}

// isZeroTest reports whether a condition compares an expression with the zero value of its type.
func isZeroTest(cond ast.Expr, of string, text func(ast.Expr) string) bool {
	switch x := ast.Unparen(cond).(type) {
	case *ast.BinaryExpr:
		if x.Op != token.EQL && x.Op != token.LEQ || text(x.X) != of {
			return false
		}
		switch text(x.Y) {
		case "0", `""`, "``":
			return true
		case "nil":
			return x.Op == token.EQL
		}
	case *ast.UnaryExpr:
		return x.Op == token.NOT && text(x.X) == of
	}
	return false
}

// firstOf records the last argument of cmp.Or.
func (b *bodyReader) firstOf(n *ast.CallExpr) {
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Or" || len(n.Args) != 2 {
		return
	}
	if pkg, is := sel.X.(*ast.Ident); is && pkg.Name == "cmp" {
		b.missing(n, b.short(n.Args[0]), n.Args[1])
	}
}

// missing records the value that replaces a missing one.
func (b *bodyReader) missing(n ast.Node, of string, value ast.Expr) {
	text := b.short(value)
	if of == "" || text == "" || strings.ContainsAny(of, " ([{") {
		return
	}
	b.out.Fallbacks = append(b.out.Fallbacks, code.Fallback{In: b.in(n), Of: of, Value: text, Line: b.line(b.pos(value))})
}

// name records the use of an error by its name.
func (b *bodyReader) name(n *ast.Ident) {
	if len(n.Name) < len("err?") || !strings.EqualFold(n.Name[:3], "err") {
		return
	}
	if len(b.around) > 0 {
		if spec, is := b.around[len(b.around)-1].(*ast.ValueSpec); is && slices.Contains(spec.Names, n) {
			return
		}
	}
	b.errors[n.Name] = true
}

// compared records a member that is compared with nil.
func (b *bodyReader) compared(n *ast.BinaryExpr) {
	if id, ok := n.Y.(*ast.Ident); ok && id.Name == "nil" {
		if sel, ok := ast.Unparen(n.X).(*ast.SelectorExpr); ok {
			b.checked[sel.Sel.Name] = true
		}
	}
}

// predicate records a function that does nothing but return a condition.
func (b *bodyReader) predicate(n *ast.FuncDecl) {
	if n.Body == nil || len(n.Body.List) != 1 || n.Type.Results == nil || len(n.Type.Results.List) != 1 {
		return
	}
	if result, ok := n.Type.Results.List[0].Type.(*ast.Ident); !ok || result.Name != "bool" {
		return
	}
	if r, ok := n.Body.List[0].(*ast.ReturnStmt); ok && len(r.Results) == 1 {
		p := code.Predicate{In: b.Enclosing(b.offset(b.pos(n.Name))), Cond: b.flow.cond(r.Results[0]), Line: b.line(b.pos(r))}
		b.out.Predicates = append(b.out.Predicates, p)
	}
}
