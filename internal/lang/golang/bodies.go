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

// bodyReader reads the function bodies of a file.
type bodyReader struct {
	*reader
	out     *code.Bodies
	around  []ast.Node // the path from the declaration to the current node
	weights map[string]int
	open    []core.OpenUse
}

// readBodies fills the file's Bodies.
func (g *reader) readBodies(f *ast.File) {
	if g.File.Facts != nil {
		return
	}
	b := &bodyReader{reader: g, out: &code.Bodies{}, weights: map[string]int{}}
	for _, d := range f.Decls {
		g.each(d, func(n ast.Node) bool {
			if n == nil {
				b.around = b.around[:len(b.around)-1]
				return true
			}
			b.visit(n)
			b.transition(n)
			b.around = append(b.around, n)
			return true
		})
	}
	b.outputs(f)
	for _, s := range g.Spans {
		if n := b.weights[s.Name]; n > 0 {
			delete(b.weights, s.Name)
			first, last := g.Line(s.Start), g.Line(max(s.Start, s.End-1))
			b.out.Complexity = append(b.out.Complexity, code.Complexity{Symbol: s.Name, Branches: n, Lines: last - first + 1, Line: first})
		}
	}
	g.File.Bodies = b.out
}

func (b *bodyReader) visit(n ast.Node) {
	if weight := branchesOf(n); weight > 0 {
		b.weights[b.in(n)] += weight
	}
	switch n := n.(type) {
	case *ast.SwitchStmt:
		b.choice(n, n.Tag, n.Body)
	case *ast.ReturnStmt:
		b.returnedError(n)
	case *ast.CallExpr:
		b.call(n)
	case *ast.CompositeLit:
		if n.Type != nil {
			b.use(n, n.Type, b.arguments(n.Elts))
		}
	case *ast.BasicLit:
		if n.Kind == token.STRING {
			b.out.Tables = append(b.out.Tables, core.SQLTables(n.Value, b.in(n), b.line(b.pos(n)))...)
		}
	case *ast.GoStmt:
		b.out.Resources = append(b.out.Resources, code.ResourceUse{In: b.in(n), Kind: "goroutine", Text: "go", Line: b.line(b.pos(n))})
	case *ast.ChanType:
		b.out.Resources = append(b.out.Resources, b.channel(n)...)
	}
	if stmt, ok := n.(ast.Stmt); ok && b.File.Test {
		b.step(stmt)
	}
}

// branchesOf returns the number of branches that a node adds.
func branchesOf(n ast.Node) int {
	switch n := n.(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.CommClause:
		return 1
	case *ast.CaseClause:
		return min(len(n.List), 1)
	case *ast.BinaryExpr:
		if n.Op == token.LAND || n.Op == token.LOR {
			return 1
		}
	}
	return 0
}

func (b *bodyReader) in(n ast.Node) string { return b.Enclosing(b.offset(b.pos(n))) }

// returnedError records an error that is created or named in a return statement.
func (b *bodyReader) returnedError(n *ast.ReturnStmt) {
	if len(n.Results) == 0 {
		return
	}
	last := ast.Unparen(n.Results[len(n.Results)-1])
	if u, ok := last.(*ast.UnaryExpr); ok && u.Op == token.AND {
		last = u.X
	}
	name := ""
	switch x := last.(type) {
	case *ast.CallExpr:
		name = srctext.OneLine(b.text(x.Fun))
	case *ast.CompositeLit:
		name = srctext.OneLine(b.text(x.Type))
	case *ast.Ident, *ast.SelectorExpr:
		name = srctext.OneLine(b.text(x))
	}
	if isGoError(name) {
		b.refusal(n, code.Fails, name, last)
	}
}

// isGoError reports whether name is that of an error or of a function that creates one.
func isGoError(name string) bool {
	base := name[strings.LastIndexByte(name, '.')+1:]
	return name == "errors.New" || name == "fmt.Errorf" || strings.HasSuffix(base, "Error") || strings.HasSuffix(base, "Errorf") ||
		strings.HasPrefix(base, "Err") && len(base) > len("Err") || strings.HasPrefix(base, "err") && len(base) > 3 && ast.IsExported(base[3:])
}

func (b *bodyReader) refusal(n ast.Node, kind code.GuardKind, name string, given ast.Node) {
	f := code.Guard{In: b.in(n), Kind: kind, Error: name, When: b.conditions(n), Line: b.line(b.pos(n))}
	joined := false // concatenated with other text
	b.each(given, func(part ast.Node) bool {
		if sum, ok := part.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
			joined = true
		}
		if lit, ok := part.(*ast.BasicLit); ok && f.Message == "" && lit.Kind == token.STRING {
			if text := literal(lit); text != "" {
				f.Message, f.Line = srctext.ClipBody(text), b.line(b.pos(lit))
				if joined {
					f.Message += "…"
				}
			}
		}
		return f.Message == ""
	})
	b.out.Guards = append(b.out.Guards, f)
}

// literal returns the content of a single-line string literal; "" for others.
func literal(lit *ast.BasicLit) string {
	if len(lit.Value) < 2 || strings.Contains(lit.Value, "\n") {
		return ""
	}
	return lit.Value[1 : len(lit.Value)-1]
}

// conditions returns the conditions under which n runs, the outermost first.
func (b *bodyReader) conditions(n ast.Node) []string {
	start := 0
	b.Meter().Add(len(b.around))
	for i, a := range b.around {
		switch a.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			start = i
		}
	}
	var out []string
	for _, a := range b.around[start:] {
		switch a := a.(type) {
		case *ast.IfStmt:
			text := srctext.ClipBody(srctext.OneLine(b.text(a.Cond)))
			switch {
			case a.Else != nil && b.pos(a.Else) <= b.pos(n) && b.endPos(n) <= b.endPos(a.Else):
				if _, chained := a.Else.(*ast.IfStmt); !chained {
					out = append(out, "not ("+text+")")
				}
			case b.pos(a.Body) <= b.pos(n):
				out = append(out, text)
			}
		case *ast.CaseClause:
			out = append(out, b.caseText(a)...)
		}
	}
	return out
}

// caseText returns a case as conditions. In a switch without a subject, each value is a
// condition.
func (b *bodyReader) caseText(c *ast.CaseClause) []string {
	if len(c.List) == 0 {
		return nil
	}
	var list []string
	for _, x := range c.List {
		list = append(list, srctext.OneLine(b.text(x)))
	}
	text := strings.Join(list, ", ")
	for _, a := range slices.Backward(b.around) {
		s, ok := a.(*ast.SwitchStmt)
		if !ok || s.Body == nil || b.pos(s.Body) > b.pos(c) || b.endPos(c) > b.endPos(s.Body) {
			continue
		}
		if s.Tag == nil {
			return []string{srctext.ClipBody(strings.Join(list, " || "))}
		}
		return []string{srctext.ClipBody(srctext.OneLine(b.text(s.Tag)) + " is " + text)}
	}
	return []string{srctext.ClipBody("case " + text)}
}

func (b *bodyReader) call(n *ast.CallExpr) {
	if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "panic" && len(n.Args) == 1 {
		b.refusal(n, code.Panics, "panic", n.Args[0])
	}
	b.use(n, n.Fun, b.arguments(n.Args))
}

func (b *bodyReader) choice(n ast.Stmt, tag ast.Expr, body *ast.BlockStmt) {
	if tag == nil {
		return
	}
	c := code.Choice{In: b.in(n), On: srctext.ClipBody(srctext.OneLine(b.text(tag))), Line: b.line(b.pos(n))}
	for _, s := range body.List {
		clause, ok := s.(*ast.CaseClause)
		if !ok {
			continue
		}
		for _, x := range clause.List {
			if len(c.Cases) < core.MaxCases {
				c.Cases = append(c.Cases, srctext.ClipBody(srctext.OneLine(b.text(x))))
			}
		}
	}
	if len(c.Cases) > 1 {
		b.out.Choices = append(b.out.Choices, c)
	}
}

// step records a statement of a test. An if statement that fails the test is recorded by its
// condition.
func (b *bodyReader) step(n ast.Stmt) {
	s := code.Step{Line: b.line(b.pos(n))}
	switch n := n.(type) {
	case *ast.IfStmt:
		if n.Body == nil || !b.fails(n.Body) {
			return
		}
		s.FailsIf = true
		s.Text = srctext.OneLine(b.text(n.Cond))
		if n.Init != nil {
			s.Text = srctext.OneLine(b.text(n.Init)) + "; " + s.Text
		}
	case *ast.AssignStmt, *ast.DeclStmt, *ast.ExprStmt:
		if b.inHeader() || b.isFailure(n) || isSubtest(n) {
			return
		}
		s.Text = srctext.OneLine(b.withoutBodies(n))
	default:
		return
	}
	s.Text = srctext.ClipBody(s.Text)
	b.out.Steps = append(b.out.Steps, s)
}

// inHeader reports whether the current node is in the header of a statement.
func (b *bodyReader) inHeader() bool {
	if len(b.around) == 0 {
		return false
	}
	_, inBlock := b.around[len(b.around)-1].(*ast.BlockStmt)
	return !inBlock
}

// withoutBodies returns the text of a statement without the bodies of function literals, whose
// statements are steps of their own.
func (b *bodyReader) withoutBodies(n ast.Node) string {
	var bodies []core.Span
	b.each(n, func(part ast.Node) bool {
		lit, is := part.(*ast.FuncLit)
		if is {
			bodies = append(bodies, core.Span{Start: b.offset(b.pos(lit.Body)), End: b.offset(b.endPos(lit.Body))})
		}
		return !is
	})
	from := b.offset(b.pos(n))
	return core.ElideBodies(string(b.Source[from:max(from, b.offset(b.endPos(n)))]), from, bodies)
}

// isSubtest reports whether n is t.Run(…).
func isSubtest(n ast.Stmt) bool {
	x, ok := n.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Run" && len(call.Args) == 2
}

// fails reports whether a block directly fails the test.
func (b *bodyReader) fails(block *ast.BlockStmt) bool {
	return slices.ContainsFunc(block.List, b.isFailure)
}

func (b *bodyReader) isFailure(s ast.Stmt) bool {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	switch sel.Sel.Name {
	case "Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow":
		id, ok := sel.X.(*ast.Ident)
		return ok && (len(id.Name) <= 2 || id.Name == "log" && strings.HasPrefix(sel.Sel.Name, "Fatal"))
	}
	return false
}

// outputs records the output comments of examples.
func (b *bodyReader) outputs(f *ast.File) {
	if !b.File.Test {
		return
	}
	for _, group := range f.Comments {
		text := strings.TrimSpace(group.Text())
		head, rest, _ := strings.Cut(text, "\n")
		kind, same, ok := strings.Cut(head, ":")
		if !ok || !strings.EqualFold(kind, "output") && !strings.EqualFold(kind, "unordered output") {
			continue
		}
		var rows []string
		for row := range strings.Lines(strings.TrimSpace(same + "\n" + rest)) {
			rows = append(rows, strings.TrimSpace(row))
		}
		text = srctext.ClipBody("prints " + strconv.Quote(strings.Join(rows, "\n")))
		b.out.Steps = append(b.out.Steps, code.Step{Text: text, Line: b.line(b.pos(group))})
	}
}
