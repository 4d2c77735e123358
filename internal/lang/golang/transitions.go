package golang

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// transition records an assignment of a constant where an enclosing condition says that the variable
// held another constant.
func (b *bodyReader) transition(statement ast.Node) {
	n, ok := statement.(*ast.AssignStmt)
	if !ok || n.Tok != token.ASSIGN || len(n.Lhs) != 1 || len(n.Rhs) != 1 {
		return
	}
	of, to := srctext.OneLine(b.text(n.Lhs[0])), srctext.OneLine(b.text(n.Rhs[0]))
	if !core.IsConstantPath(to) {
		return
	}
	m := code.Transition{In: b.in(n), Of: of, To: to, Line: b.line(b.pos(n))}
	for i, a := range slices.Backward(b.around) {
		b.Meter().Add(1)
		switch a := a.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return
		case *ast.CaseClause:
			if m.From = b.casesOn(b.around[i-2], a, of); m.When == "" && len(m.From) == 0 {
				m.When = cmp.Or(strings.Join(b.caseText(a), ""), "anything else")
			}
		case *ast.IfStmt:
			m.From = b.ifIs(a, n, of, &m.When)
		}
		if len(m.From) > 0 {
			b.out.Transitions = append(b.out.Transitions, m)
			return
		}
	}
}

// casesOn returns the values of a case if the switch is on the variable of.
func (b *bodyReader) casesOn(statement ast.Node, c *ast.CaseClause, of string) []string {
	s, ok := statement.(*ast.SwitchStmt)
	if !ok || s.Tag == nil || srctext.OneLine(b.text(s.Tag)) != of {
		return nil
	}
	var list []string
	for _, x := range c.List {
		list = append(list, srctext.OneLine(b.text(x)))
	}
	return list
}

// ifIs returns the constants that the if statement says the variable of equals in the branch
// inner. If its condition is about something else and *when is empty, it sets *when to the
// condition.
func (b *bodyReader) ifIs(s *ast.IfStmt, inner ast.Node, of string, when *string) []string {
	text := srctext.ClipBody(srctext.OneLine(b.text(s.Cond)))
	if b.pos(inner) < b.pos(s.Body) {
		return nil
	}
	if s.Else != nil && b.pos(s.Else) <= b.pos(inner) {
		if _, chained := s.Else.(*ast.IfStmt); *when == "" && !chained {
			*when = "not (" + text + ")"
		}
		return nil
	}
	for open := []ast.Expr{s.Cond}; len(open) > 0; open = open[1:] {
		x, ok := ast.Unparen(open[0]).(*ast.BinaryExpr)
		switch {
		case !ok:
		case x.Op == token.LAND:
			open = append(open, x.X, x.Y)
		case x.Op == token.EQL && srctext.OneLine(b.text(x.X)) == of && core.IsConstantPath(srctext.OneLine(b.text(x.Y))):
			return []string{srctext.OneLine(b.text(x.Y))}
		}
	}
	if *when == "" {
		*when = text
	}
	return nil
}
