package golang

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// inspect finds calls, tests and notes.
func (g *reader) inspect(f *ast.File) {
	if g.Parts&core.Bare != 0 {
		return
	}
	if g.File.Test {
		g.readTables(f)
	}
	for _, d := range f.Decls {
		first := len(g.File.Calls)
		bound := core.Set{}
		g.each(d, func(n ast.Node) bool {
			bindNames(bound, n)
			if call, ok := n.(*ast.CallExpr); ok {
				g.call(call)
			}
			return true
		})
		if fn, ok := d.(*ast.FuncDecl); ok {
			for i := range g.File.Calls[first:] {
				c := &g.File.Calls[first+i]
				c.Local = c.Receiver == "" && bound[c.Name] && c.Name != fn.Name.Name
			}
		}
		if fn, ok := d.(*ast.FuncDecl); ok && g.File.Test {
			g.tests(fn)
		}
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			line := g.line(g.pos(c))
			for row := range strings.Lines(c.Text) {
				if note, ok := core.NoteIn(strings.Trim(row, "/* \t\r\n")); ok {
					note.Line = line
					g.File.Notes = append(g.File.Notes, note)
				}
				line++
			}
		}
	}
}

// bindNames adds the names that a statement or a parameter list binds.
func bindNames(bound core.Set, n ast.Node) {
	var names []ast.Expr
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			names = n.Lhs
		}
	case *ast.RangeStmt:
		names = []ast.Expr{n.Key, n.Value}
	case *ast.ValueSpec:
		for _, id := range n.Names {
			bound[id.Name] = true
		}
	case *ast.Field:
		for _, id := range n.Names {
			bound[id.Name] = true
		}
	}
	for _, x := range names {
		if id, ok := x.(*ast.Ident); ok {
			bound[id.Name] = true
		}
	}
}

func (g *reader) call(n *ast.CallExpr) {
	c := code.Call{Line: g.line(g.pos(n))}
	fun := ast.Unparen(n.Fun)
	switch x := fun.(type) { // f[int](…)
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	switch x := fun.(type) {
	case *ast.Ident:
		if builtins[x.Name] {
			return
		}
		c.Name = x.Name
	case *ast.SelectorExpr:
		c.Name = x.Sel.Name
		c.Receiver = g.receiverText(x.X)
		c.Line = g.line(x.Sel.Pos())
	default:
		return
	}
	if c.Name == "_" || c.Name == "" {
		return
	}
	c.In = g.Enclosing(g.offset(g.pos(n)))
	g.File.Calls = append(g.File.Calls, c)
}

// receiverText returns the text of an expression like [core.Receiver].
func (g *reader) receiverText(x ast.Expr) string {
	from, to := g.offset(g.pos(x)), g.offset(g.endPos(x))
	if to-from <= srctext.LongReceiver {
		return srctext.ClipReceiver(srctext.OneLine(g.text(x)))
	}
	g.Meter().Bytes(srctext.LongReceiver)
	return srctext.ClipReceiver(srctext.OneLine(string(g.Source[to-srctext.LongReceiver : to])))
}

// builtins are written like function calls but are not recorded: built-in functions, and
// predeclared types as conversions.
var builtins = core.SetOf(
	"append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new",
	"panic", "print", "println", "real", "recover", "bool", "byte", "complex64", "complex128", "error", "float32",
	"float64", "int", "int8", "int16", "int32", "int64", "rune", "string", "uint", "uint8", "uint16", "uint32",
	"uint64", "uintptr", "any",
)

// tests adds a test function and its subtests with literal names.
func (g *reader) tests(fn *ast.FuncDecl) {
	name := fn.Name.Name
	if fn.Recv != nil || !isGoTest(name) {
		return
	}
	g.test(name, fn)
	if fn.Body == nil {
		return
	}
	g.each(fn.Body, func(n ast.Node) bool {
		if title, ok := subtest(n); ok {
			g.test(name+" > "+title, n)
		}
		return true
	})
}

func (g *reader) test(name string, n ast.Node) {
	g.File.Tests = append(g.File.Tests, code.Test{
		Name: name, Line: g.line(g.pos(n)), EndLine: g.line(g.endPos(n)), Rows: g.rows(n), Runner: "go test",
	})
}

// subtest returns the title of t.Run("title", …).
func subtest(n ast.Node) (title string, ok bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return "", false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	lit, isLit := call.Args[0].(*ast.BasicLit)
	if !ok || sel.Sel.Name != "Run" || !isLit || lit.Kind != token.STRING {
		return "", false
	}
	title, err := strconv.Unquote(lit.Value)
	return title, err == nil
}

func isGoTest(name string) bool {
	for _, prefix := range []string{"Test", "Fuzz", "Example"} {
		rest, ok := strings.CutPrefix(name, prefix)
		if ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z') && name != "TestMain" {
			return true
		}
	}
	return false
}
