package golang

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// returned reads a return statement. It is an error exit if the last result is created or
// named as an error.
func (f *flowReader) returned(n *ast.ReturnStmt) []code.Stmt {
	s := code.Stmt{Op: code.StmtReturn, Line: f.line(f.pos(n))}
	for _, x := range n.Results {
		f.closures(x, code.Use{Kind: code.UseReturned})
	}
	if len(n.Results) == 0 {
		return []code.Stmt{s}
	}
	last := n.Results[len(n.Results)-1]
	for _, x := range n.Results[:len(n.Results)-1] {
		s.Beside = append(s.Beside, srctext.OneLine(f.textStart(x, srctext.MaxReceiver)))
	}
	v := f.value(last, 0)
	s.Value = &v
	if f.Parts&core.Calls != 0 {
		s.Source = f.source(n.Results)
	}
	if _, x := errorOf(last); x != nil {
		s = code.Stmt{Op: code.StmtError, Exit: &code.Exit{Kind: code.Fails, Error: srctext.OneLine(f.text(x)), Value: v}, Line: s.Line, Beside: s.Beside}
	}
	return []code.Stmt{s}
}

// source returns what is returned, as written on one line; "" if that is long.
func (f *flowReader) source(list []ast.Expr) string {
	var out []string
	for _, x := range list {
		text := srctext.OneLine(f.textStart(x, srctext.MaxReceiver))
		if len(f.text(x)) > 2*srctext.MaxReceiver || text == "" || len(text) >= srctext.MaxReceiver {
			return ""
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// errorOf returns the name of the error that a result is, or of the function that creates it;
// nil if the result is not created or named as an error.
func errorOf(result ast.Expr) (name string, x ast.Expr) {
	x = ast.Unparen(result)
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.AND {
		x = u.X
	}
	switch n := x.(type) {
	case *ast.CallExpr:
		x = n.Fun
	case *ast.CompositeLit:
		x = n.Type
	case *ast.Ident, *ast.SelectorExpr:
	default:
		return "", nil
	}
	if name = baseName(x); isGoError(name) {
		return name, x
	}
	return "", nil
}

// baseName returns the name of a variable, function or type, with its package for those of
// the standard library that create errors; "" if it has none.
func baseName(x ast.Expr) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		if pkg, ok := x.X.(*ast.Ident); ok && pkg.Name == "errors" {
			return pkg.Name + "." + x.Sel.Name
		}
		return x.Sel.Name
	case *ast.IndexExpr:
		return baseName(x.X)
	}
	return ""
}

// isGoError reports whether name is that of an error or of a function that creates one.
func isGoError(name string) bool {
	base := name[strings.LastIndexByte(name, '.')+1:]
	return name == "errors.New" || strings.HasSuffix(base, "Error") || strings.HasSuffix(base, "Errorf") ||
		strings.HasPrefix(base, "Err") && len(base) > len("Err") || strings.HasPrefix(base, "err") && len(base) > 3 && ast.IsExported(base[3:])
}

// value reads an expression as far as it shows what an exit says.
func (f *flowReader) value(x ast.Expr, depth int) code.Value {
	x = ast.Unparen(x)
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.AND {
		x = u.X
	}
	v := code.Value{Line: f.line(f.pos(x))}
	if depth > code.MaxValueDepth {
		return v
	}
	switch x := x.(type) {
	case *ast.BasicLit:
		v.Kind, v.Text = code.ValueNumber, x.Value
		if x.Kind == token.STRING {
			v.Kind, v.Text = code.ValueString, f.literal(x)
		}
	case *ast.Ident, *ast.SelectorExpr:
		v.Text = srctext.OneLine(f.textStart(x, srctext.MaxReceiver))
		if !strings.ContainsAny(v.Text, "({[") {
			v.Kind = code.ValueName
		}
	case *ast.CallExpr:
		v.Kind, v.Text = code.ValueCall, srctext.OneLine(f.textStart(x.Fun, srctext.MaxReceiver))
		v.Args = f.values(x.Args, depth)
	case *ast.CompositeLit:
		v.Kind, v.Text = code.ValueObject, srctext.OneLine(f.textStart(x, srctext.MaxReceiver))
		if x.Type != nil {
			v.Text = srctext.OneLine(f.text(x.Type))
		}
		v.Args = f.values(x.Elts, depth)
	case *ast.FuncLit:
		v.Kind, v.Text = code.ValueFunction, strconv.Itoa(f.offset(f.pos(x)))
	case *ast.BinaryExpr:
		v.Args = f.values([]ast.Expr{x.X, x.Y}, depth)
		markParts(v.Args, x.Op)
		if f.Parts&core.Calls != 0 {
			v.Text = srctext.ClipBody(srctext.OneLine(f.textStart(x, srctext.MaxReceiver)))
		}
	}
	return v
}

// literal returns the content of a string literal, in full length if calls are asked for.
func (f *flowReader) literal(x *ast.BasicLit) string {
	if f.Parts&core.Calls == 0 {
		return srctext.ClipBody(literal(x))
	}
	text := x.Value[1 : len(x.Value)-1]
	if whole, err := strconv.Unquote(x.Value); err == nil {
		text = whole
	}
	return srctext.ClipLong(text)
}

// markParts marks texts that are concatenated with others.
func markParts(list []code.Value, op token.Token) {
	for i := range list {
		if a := &list[i]; a.Kind == code.ValueString && a.Text != "" && op == token.ADD {
			a.Text += "…"
		}
	}
}

func (f *flowReader) values(list []ast.Expr, depth int) []code.Value {
	most := code.MaxValueArgs
	if f.Parts&core.Calls != 0 {
		most = code.MaxWholeArgs
	}
	list = list[:min(len(list), most)]
	out := slices.Grow([]code.Value(nil), len(list))
	for _, x := range list {
		name := ""
		if pair, ok := x.(*ast.KeyValueExpr); ok {
			switch key := pair.Key.(type) {
			case *ast.Ident:
				name = key.Name
			case *ast.BasicLit: // of a map
				name, _ = strconv.Unquote(key.Value)
			}
			x = pair.Value
		}
		v := f.value(x, depth+1)
		v.Name = name
		out = append(out, v)
	}
	return out
}

// literal returns the content of a single-line string literal; "" for others.
func literal(lit *ast.BasicLit) string {
	if len(lit.Value) < 2 || strings.Contains(lit.Value, "\n") {
		return ""
	}
	return lit.Value[1 : len(lit.Value)-1]
}
