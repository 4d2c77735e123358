package golang

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"sort"
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
	calls   []core.OpenUse // of Calls
	flow    *flowReader
	members map[string]bool // selected names
	errors  map[string]bool // names of errors
	checked map[string]bool // names of members that are compared with nil

	comments []*ast.CommentGroup // of the file
	known    int                 // the offset where the last lookup ends: those in it are its rows
}

// bodies reads the bodies with what g.Parts ask for.
func (g *reader) bodies(f *ast.File) *code.Bodies {
	b := &bodyReader{reader: g, out: &code.Bodies{}, weights: map[string]int{}, members: map[string]bool{}, errors: map[string]bool{}, checked: map[string]bool{}, comments: f.Comments}
	flow := &flowReader{reader: g, out: b.out}
	b.flow = flow
	for _, d := range f.Decls {
		flow.declaration(d)
		g.each(d, func(n ast.Node) bool {
			if n == nil {
				b.around = b.around[:len(b.around)-1]
				return true
			}
			b.visit(n)
			b.record(n)
			b.around = append(b.around, n)
			return true
		})
	}
	b.out.Functions = slices.DeleteFunc(b.out.Functions, code.Body.Empty)
	b.outputs(f)
	for _, s := range g.Spans {
		if n := b.weights[s.Name]; n > 0 {
			delete(b.weights, s.Name)
			first, last := g.Line(s.Start), g.Line(max(s.Start, s.End-1))
			b.out.Complexity = append(b.out.Complexity, code.Complexity{Symbol: s.Name, Branches: n, Lines: last - first + 1, Line: first})
		}
	}
	b.out.Selected, b.out.Named, b.out.Checked = sorted(b.members), sorted(b.errors), sorted(b.checked)
	return b.out
}

func sorted(names map[string]bool) []string { return slices.Sorted(maps.Keys(names)) }

func (b *bodyReader) visit(n ast.Node) {
	if weight := branchesOf(n); weight > 0 {
		b.weights[b.in(n)] += weight
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		b.use(n, n.Fun, b.arguments(n.Args))
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
	if !b.File.Test {
		b.options(n)
		b.lookup(n)
		return
	}
	b.rowsOf(n)
	if stmt, ok := n.(ast.Stmt); ok {
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

// step records a statement of a test. An if statement that fails the test is recorded by its
// condition.
func (b *bodyReader) step(n ast.Stmt) {
	s := code.Step{Line: b.line(b.pos(n)), End: b.line(b.endPos(n)), Nested: b.nested()}
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
	case *ast.DeferStmt:
		b.out.Deferred = append(b.out.Deferred, s.Line)
		return
	case *ast.AssignStmt, *ast.DeclStmt, *ast.ExprStmt, *ast.IncDecStmt:
		if b.inHeader() || b.isFailure(n) || isSubtest(n) {
			return
		}
		s.Text = srctext.OneLine(b.withoutBodies(n))
	default:
		return
	}
	s.Text = srctext.ClipStep(s.Text)
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
	return core.ElideBodies(b.withoutComments(n), b.offset(b.pos(n)), bodies)
}

// withoutComments returns the text of a statement with spaces instead of comments.
func (b *bodyReader) withoutComments(n ast.Node) string {
	from := b.offset(b.pos(n))
	text := slices.Clone(b.Source[from:max(from, b.offset(b.endPos(n)))])
	first := sort.Search(len(b.comments), func(i int) bool { return b.offset(b.pos(b.comments[i])) >= from })
	for _, group := range b.comments[first:] {
		at := b.offset(b.pos(group))
		if at >= from+len(text) {
			break
		}
		srctext.Blank(text[at-from : min(b.offset(b.endPos(group))-from, len(text))])
	}
	return string(text)
}

// nested reports whether the current node is in a function literal other than that of a subtest.
func (b *bodyReader) nested() bool {
	for i, n := range b.around {
		if _, is := n.(*ast.FuncLit); !is || i == 0 {
			continue
		}
		if call, is := b.around[i-1].(*ast.CallExpr); !is || !isSubtest(&ast.ExprStmt{X: call}) {
			return true
		}
	}
	return false
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
		if last := b.in(group); strings.HasPrefix(last, "Fuzz") {
			b.out.Remarks = append(b.out.Remarks, code.Remark{Text: srctext.OneLine(text), Line: b.line(b.endPos(group))})
		}
		head, rest, _ := strings.Cut(text, "\n")
		kind, same, ok := strings.Cut(head, ":")
		if !ok || !strings.EqualFold(kind, "output") && !strings.EqualFold(kind, "unordered output") {
			continue
		}
		var rows []string
		for row := range strings.Lines(strings.TrimSpace(same + "\n" + rest)) {
			rows = append(rows, strings.TrimSpace(row))
		}
		text = srctext.ClipStep("prints " + strconv.Quote(strings.Join(rows, "\n")))
		b.out.Steps = append(b.out.Steps, code.Step{Text: text, Line: b.line(b.pos(group)), End: b.line(b.endPos(group))})
	}
}
