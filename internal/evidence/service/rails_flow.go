package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// mayRender reports whether an action may end without an answer of its own: then its view is rendered.
func (x *railsReader) mayRender(n *resolve.Node) bool {
	body := x.Body(n)
	if body == nil {
		return true
	}
	f := railsFlow{railsReader: x, file: n.File}
	return f.list(body.Stmts) || f.left
}

// railsFlow follows the statements of a method up to its answers.
type railsFlow struct {
	*railsReader
	file string
	left bool // a return leaves the method without an answer
}

// list reports whether control may go on after statements without an answer.
func (f *railsFlow) list(list []code.Stmt) bool {
	for i := range list {
		if !f.goesOn(&list[i]) {
			return false
		}
	}
	return true
}

func (f *railsFlow) goesOn(s *code.Stmt) bool {
	switch s.Op {
	case code.StmtError:
		return false
	case code.StmtCall:
		return !f.answers(s)
	case code.StmtReturn:
		f.left = f.left || !f.answers(s)
		return false
	case code.StmtIf:
		return f.branch(s)
	case code.StmtTry:
		body := f.list(s.Body) && f.list(s.Else)
		return f.arms(s) || body
	case code.StmtSwitch:
		return f.arms(s) || !slices.ContainsFunc(s.Arms, func(a code.Arm) bool { return a.Default })
	case code.StmtClosure:
		if s.Text == "respond_to" {
			return f.formats(s.Body)
		}
		return f.list(s.Body)
	case code.StmtBlock:
		return f.list(s.Body)
	default:
		return true
	}
}

// branch reports whether control may go on after an if statement.
func (f *railsFlow) branch(s *code.Stmt) bool {
	left := f.left
	then, others := f.list(s.Body), f.list(s.Else)
	if f.asks(s.Cond, s.Line) { // the method that it asks has answered if it says no
		f.left = left
		return then && others
	}
	return then || others
}

// asks reports whether a condition calls a method of the project that may answer.
func (f *railsFlow) asks(c *code.Cond, line int) bool {
	if c == nil {
		return false
	}
	if n := f.railsNode(f.file, &code.Value{Kind: code.ValueCall, Text: c.Text, Line: line}); c.Op == code.CondAtom && n != nil && IsFunction(n) {
		found := false
		code.AllStmts(bodyStmts(f.Body(n)), func(s *code.Stmt) {
			inner := railsFlow{railsReader: f.railsReader, file: n.File}
			found = found || inner.answers(s)
		})
		return found
	}
	return slices.ContainsFunc(c.Args, func(part code.Cond) bool { return f.asks(&part, line) })
}

// arms reports whether control may go on after one of the arms of a statement.
func (f *railsFlow) arms(s *code.Stmt) bool {
	goesOn := false
	for i := range s.Arms {
		goesOn = f.list(s.Arms[i].Body) || goesOn
	}
	return goesOn
}

// formats reports whether one of the formats of respond_to has no answer of its own.
func (f *railsFlow) formats(list []code.Stmt) bool {
	goesOn := false
	given := map[int]bool{} // lines of blocks
	for i := range list {
		s := &list[i]
		switch {
		case s.Op == code.StmtClosure:
			given[s.Line] = true
			goesOn = f.list(s.Body) || goesOn
		case s.Op == code.StmtCall && !given[s.Line]:
			goesOn = true
		}
	}
	return goesOn
}

// answers reports whether a call answers the request, itself or in a method of the project that always does.
func (f *railsFlow) answers(s *code.Stmt) bool {
	v := railsCallOf(s)
	if v == nil {
		return false
	}
	_, known := railsAnswers[v.Text]
	if known || v.Text == "respond_with" || strings.HasPrefix(v.Text, "request_http_") {
		return true
	}
	n := f.railsNode(f.file, v)
	if n == nil || !IsFunction(n) || f.depth > maxSteps {
		return false
	}
	f.depth++
	defer func() { f.depth-- }()
	return !f.mayRender(n)
}

// rubyNode returns what a call means; nil if it is not of the project. A call without a receiver is one of self.
func (p *Project) rubyNode(file string, call *code.Value) *resolve.Node {
	if n := p.Node(file, call); n != nil {
		return n
	}
	if before, name := CutLast(call.Text); before == "" || before == "self" {
		return p.Named(file, call.Line, call.Line, name)
	}
	return nil
}
