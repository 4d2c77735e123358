package golang

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// maxOutlineText is the length of the longest statement of an outline, in bytes.
const maxOutlineText = 600

// outliner reads what a function does in the order of the source; see [code.Body].
type outliner struct {
	*flowReader
	failed bool // there is a statement that cannot be read so
}

// outline returns the outline of a function; nil if it cannot be told whole.
func (f *flowReader) outline(block *ast.BlockStmt) []code.Stmt {
	o := &outliner{flowReader: f}
	list := o.list(block.List)
	if o.failed {
		return nil
	}
	return list
}

func (o *outliner) list(list []ast.Stmt) []code.Stmt {
	var out []code.Stmt
	for _, n := range list {
		out = append(out, o.statement(n)...)
	}
	return out
}

func (o *outliner) block(b *ast.BlockStmt) []code.Stmt {
	if b == nil {
		return nil
	}
	return o.list(b.List)
}

func (o *outliner) statement(n ast.Stmt) []code.Stmt {
	if n == nil || o.failed {
		return nil
	}
	line := o.line(o.pos(n))
	switch n := n.(type) {
	case *ast.BlockStmt:
		return o.block(n)
	case *ast.LabeledStmt:
		return o.labelled(n)
	case *ast.IfStmt:
		out := o.before(n.Init, n.Cond)
		cond := o.cond(n.Cond)
		return append(out, code.Stmt{Op: code.StmtIf, Cond: &cond, Body: o.block(n.Body), Else: o.statement(n.Else), Line: line})
	case *ast.ForStmt:
		return []code.Stmt{o.loop(n, line)}
	case *ast.RangeStmt:
		return []code.Stmt{{Op: code.StmtLoop, Text: o.joined(n.For+3, n.Body.Lbrace), Body: o.block(n.Body), Line: line}}
	case *ast.SwitchStmt:
		s := code.Stmt{Op: code.StmtSwitch, Line: line}
		if n.Tag != nil {
			s.Text = o.source(n.Tag)
		}
		return append(o.before(n.Init, n.Tag), o.arms(s, n.Body))
	case *ast.TypeSwitchStmt:
		return append(o.before(n.Init, nil), o.arms(code.Stmt{Op: code.StmtSwitch, Text: o.source(n.Assign), Line: line}, n.Body))
	case *ast.SelectStmt:
		return []code.Stmt{o.arms(code.Stmt{Op: code.StmtSelect, Line: line}, n.Body)}
	case *ast.EmptyStmt:
		return nil
	}
	return []code.Stmt{o.simple(n, line)}
}

func (o *outliner) loop(n *ast.ForStmt, line int) code.Stmt {
	s := code.Stmt{Op: code.StmtLoop, Body: o.block(n.Body), Line: line}
	if n.Init != nil || n.Post != nil {
		s.Text = o.joined(n.For+3, n.Body.Lbrace)
	} else if n.Cond != nil {
		cond := o.cond(n.Cond)
		s.Cond = &cond
	}
	return s
}

// before reads the statement before a condition, which holds no function.
func (o *outliner) before(init ast.Stmt, condition ast.Expr) []code.Stmt {
	if condition != nil && len(o.literals(condition)) > 0 {
		o.failed = true
	}
	return o.statement(init)
}

func (o *outliner) labelled(n *ast.LabeledStmt) []code.Stmt {
	out := o.statement(n.Stmt)
	if len(out) != 1 || out[0].Op != code.StmtLoop && out[0].Op != code.StmtSwitch && out[0].Op != code.StmtSelect {
		o.failed = true // goto may lead here
		return nil
	}
	out[0].Label = n.Label.Name
	return out
}

// arms reads the cases of a statement.
func (o *outliner) arms(s code.Stmt, body *ast.BlockStmt) code.Stmt {
	for _, clause := range body.List {
		a := o.arm(clause, s.Text == "")
		switch n := clause.(type) {
		case *ast.CaseClause:
			list := n.Body
			if a.Falls {
				list = list[:len(list)-1]
			}
			a.Body = o.list(list)
		case *ast.CommClause:
			a.Body = o.list(n.Body)
		}
		s.Arms = append(s.Arms, a)
	}
	return s
}

// simple reads a statement without statements of its own, except in the functions in its expressions.
func (o *outliner) simple(n ast.Stmt, line int) code.Stmt {
	s := code.Stmt{Op: code.StmtCall, Line: line}
	literals := o.literals(n)
	s.Source = o.source(n)
	for _, l := range literals {
		s.Body = append(s.Body, code.Stmt{Op: code.StmtClosure, Params: paramNames(l), Body: o.block(l.Body), Line: o.line(o.pos(l))})
	}
	switch n := n.(type) {
	case *ast.ReturnStmt:
		s.Op, s.Source = code.StmtReturn, strings.TrimPrefix(strings.TrimPrefix(s.Source, "return"), " ")
	case *ast.BranchStmt:
		if n.Label != nil {
			s.Text = n.Label.Name
		}
		switch n.Tok {
		case token.BREAK:
			s.Op = code.StmtBreak
		case token.CONTINUE:
			s.Op = code.StmtNext
		default:
			o.failed = true
		}
	}
	return s
}

// literals returns the outermost function literals in a node.
func (o *outliner) literals(n ast.Node) []*ast.FuncLit {
	var out []*ast.FuncLit
	o.each(n, func(n ast.Node) bool {
		l, ok := n.(*ast.FuncLit)
		if ok {
			out = append(out, l)
		}
		return !ok
	})
	return out
}

// source returns a node as written, on one line, with "…" for the function literals in it.
func (o *outliner) source(n ast.Node) string {
	o.each(n, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && strings.Contains(l.Value, "\n") {
			o.failed = true // its lines matter
		}
		return true
	})
	var b strings.Builder
	at := o.pos(n)
	for _, l := range o.literals(n) {
		b.WriteString(o.textBetween(at, o.pos(l)))
		b.WriteString("…")
		at = o.endPos(l)
	}
	b.WriteString(o.textBetween(at, o.endPos(n)))
	text := core.JoinedLines(b.String())
	if len(text) > maxOutlineText || strings.Contains(text, "//") && strings.Contains(b.String(), "\n") { // perhaps a comment
		o.failed = true
	}
	return strings.TrimSpace(text)
}

// joined returns the code between two positions on one line.
func (o *outliner) joined(from, to token.Pos) string {
	return strings.TrimSpace(core.JoinedLines(o.textBetween(from, to)))
}

func (o *outliner) textBetween(from, to token.Pos) string {
	return string(o.Source[o.offset(from):max(o.offset(from), o.offset(to))])
}
