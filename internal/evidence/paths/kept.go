package paths

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// kept records the new error of an assignment as an exit, if the function returns it.
func (w *walker) kept(s *code.Stmt, p path) {
	if s.Exit == nil || w.use.Kind == code.UseArgument {
		return
	}
	frames := framesOf(w.body.Stmts, s, nil)
	k := keeper{variable: s.Text}
	if frames == nil || k.inClosure(w.body.Stmts) {
		return
	}
	if !k.returns(frames) {
		if !k.collected(frames) {
			return
		}
		p.partial = true // a later round may replace it
	}
	at := *s
	at.Beside = k.beside
	w.exit(&at, p, s.Exit, nil)
}

// collected reports whether the variable is set in a loop after which the function ends with it.
func (k *keeper) collected(frames []frame) bool {
	last := &frames[0].list[len(frames[0].list)-1]
	return last.Op == code.StmtReturn && slices.ContainsFunc(frames, func(f frame) bool { return f.of != nil && f.of.Op == code.StmtLoop }) && k.result(last, last.Value) == returned
}

// frame is a list of statements with the one that is run, and the statement that the list is a part of.
type frame struct {
	list []code.Stmt
	at   int
	of   *code.Stmt
}

// framesOf returns the lists around a statement, outermost first; nil if it is not in the list, or inside a closure.
func framesOf(list []code.Stmt, s *code.Stmt, of *code.Stmt) []frame {
	for i := range list {
		t := &list[i]
		here := frame{list, i, of}
		if t == s {
			return []frame{here}
		}
		if t.Op == code.StmtClosure {
			continue
		}
		parts := [][]code.Stmt{t.Body, t.Else}
		for j := range t.Arms {
			if !t.Arms[j].Falls {
				parts = append(parts, t.Arms[j].Body)
			}
		}
		for _, part := range parts {
			if inner := framesOf(part, s, t); inner != nil {
				return append([]frame{here}, inner...)
			}
		}
	}
	return nil
}

// keeper follows a variable that holds an error.
type keeper struct {
	variable string
	beside   []string // the results beside it
}

// inClosure reports whether a closure in a list of statements assigns the variable.
func (k *keeper) inClosure(list []code.Stmt) bool {
	found := false
	code.AllStmts(list, func(s *code.Stmt) {
		if s.Op == code.StmtClosure {
			code.AllStmts(s.Body, func(s *code.Stmt) { found = found || s.Op == code.StmtAssign && k.assigned(s) })
		}
	})
	return found
}

// assigned reports whether an assignment changes the variable.
func (k *keeper) assigned(s *code.Stmt) bool {
	for name := range strings.SplitSeq(s.Text, ",") {
		if strings.TrimSpace(name) == k.variable {
			return true
		}
	}
	return false
}

// verdict is what becomes of the variable at a statement.
type verdict uint8

const (
	stays    verdict = iota // control goes on, the variable is the same
	returned                // the function returns it
	lost                    // it may be changed, or something else be returned
)

// returns reports whether every way from the innermost frame on ends with a return of the variable.
func (k *keeper) returns(frames []frame) bool {
	for level := len(frames) - 1; level >= 0; level-- {
		f := frames[level]
		var jump *code.Stmt
		for i := f.at + 1; i < len(f.list) && jump == nil; i++ {
			t := &f.list[i]
			if t.Op == code.StmtBreak {
				jump = t
				break
			}
			switch k.at(t) {
			case returned:
				return true
			case lost:
				return false
			case stays:
			}
		}
		if jump != nil {
			to := target(frames[:level+1], jump)
			if to < 0 {
				return false
			}
			level = to + 1 // go on after the statement that is left
			continue
		}
		if f.of != nil && f.of.Op == code.StmtLoop { // the next round
			return false
		}
	}
	return false
}

// target returns the index of the frame with the statement that a break leaves; -1 if it is not known.
func target(frames []frame, jump *code.Stmt) int {
	for level := len(frames) - 1; level > 0; level-- {
		of := frames[level].of
		switch of.Op {
		case code.StmtLoop, code.StmtSwitch, code.StmtSelect:
			if jump.Text == "" || jump.Text == of.Label {
				return level - 1
			}
		default:
		}
	}
	return -1
}

// at returns what becomes of the variable at a statement.
func (k *keeper) at(t *code.Stmt) verdict {
	switch t.Op {
	case code.StmtReturn:
		return k.result(t, t.Value)
	case code.StmtError:
		return k.result(t, &t.Exit.Value)
	case code.StmtAssign:
		if k.assigned(t) {
			return lost
		}
		return stays
	case code.StmtUnknown, code.StmtNext, code.StmtTry:
		return lost
	case code.StmtBlock:
		return k.all(t.Body)
	case code.StmtIf:
		switch {
		case compares(t.Cond, k.variable, "== nil"): // does not hold
			return k.all(t.Else)
		case t.Cond.Op == code.CondAtom && t.Cond.Text == k.variable+" != nil": // holds
			return k.all(t.Body)
		}
	default:
	}
	parts := [][]code.Stmt{t.Body, t.Else}
	for i := range t.Arms {
		parts = append(parts, t.Arms[i].Body)
	}
	for _, part := range parts {
		if k.all(part) == lost {
			return lost
		}
	}
	return stays // or returned in one case
}

// result returns what becomes of the variable at the end of the function.
func (k *keeper) result(t *code.Stmt, v *code.Value) verdict {
	if v == nil || v.Kind != code.ValueName || v.Text != k.variable {
		return lost
	}
	k.beside = t.Beside
	return returned
}

// all returns what becomes of the variable in a list of statements.
func (k *keeper) all(list []code.Stmt) verdict {
	for i := range list {
		if v := k.at(&list[i]); v != stays {
			return v
		}
	}
	return stays
}

// compares reports whether a condition can hold only if a comparison of a variable does.
func compares(c *code.Cond, variable, with string) bool {
	switch c.Op {
	case code.CondAtom:
		return c.Text == variable+" "+with
	case code.CondAnd:
		return slices.ContainsFunc(c.Args, func(a code.Cond) bool { return compares(&a, variable, with) })
	default:
		return false
	}
}
