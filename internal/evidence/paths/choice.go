package paths

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// choice follows a switch, a match or a select.
func (w *walker) choice(s *code.Stmt, p path) result {
	conds := w.armConds(s)
	r := ending()
	var on arms
	var changed []change // by the cases, of which only one runs
	fallen := never()    // the condition under which the case before continues here
	for i := range s.Arms {
		a := &s.Arms[i]
		reached := or(conds[i], fallen)
		body, goesOn, made := w.arm(s, a, p.with(reached), &r)
		changed = append(changed, made...)
		r.leaves = or(r.leaves, and(reached, body.leaves))
		fallen = never()
		if a.Falls && i+1 < len(s.Arms) && !isNever(body.ends) {
			if fallen = and(reached, body.ends); !body.breaks {
				continue
			}
			goesOn = cond{}
		}
		on.add(a, reached, goesOn)
	}
	w.changes = append(w.changes, changed...)
	switch {
	case len(on.blocked) == 0:
	case s.Op == code.StmtSelect:
		r.ends = cond{}
	case on.byDefault:
		r.ends = or(merged(on.through)...)
	default:
		r.ends = and(merged(on.blocked)...)
	}
	return r
}

// arm follows one case; goesOn is the condition under which control goes on after the switch.
func (w *walker) arm(s *code.Stmt, a *code.Arm, p path, r *result) (body result, goesOn cond, made []change) {
	before := len(w.changes)
	body = w.block(a.Body, p)
	goesOn = body.ends
	if body.breaks {
		goesOn = not(body.leaves)
	}
	if !a.Falls || isNever(body.ends) { // else the next case sees the changes
		made = w.apart(before, body)
	}
	if isNever(goesOn) {
		r.passed = append(r.passed, body.passed...)
	}
	for _, l := range body.labels {
		if l == s.Label && l != "" {
			goesOn = cond{}
		} else {
			r.labels = append(r.labels, l)
		}
	}
	return body, goesOn, made
}

// arms collects how control goes on after the cases of a switch.
type arms struct {
	through   []cond // the conditions of cases that go on
	blocked   []cond // the negated conditions of those that do not
	byDefault bool   // the default case does not
}

func (x *arms) add(a *code.Arm, reached, goesOn cond) {
	x.byDefault = x.byDefault || a.Default && isNever(goesOn)
	if !isNever(goesOn) {
		x.through = append(x.through, and(reached, goesOn))
	}
	if !isAlways(goesOn) {
		x.blocked = append(x.blocked, or(not(reached), goesOn))
	}
}

// armConds returns the condition of each case.
func (w *walker) armConds(s *code.Stmt) []cond {
	list := make([]cond, len(s.Arms))
	var before []cond // negated, in the order of the source
	others := always()
	for i := range s.Arms {
		a := &s.Arms[i]
		if a.Default {
			continue
		}
		c := w.labelCond(s, a)
		if a.Guard != nil {
			c = and(c, read(a.Guard, w.clock))
		}
		list[i] = c
		if s.Op == code.StmtSelect {
			continue
		}
		if s.Text == "" {
			list[i] = and(append(append([]cond(nil), before...), c)...)
		} else if a.Guard == nil {
			list[i] = and(append(append([]cond(nil), overlapping(before, c)...), c)...)
		}
		before = append(before, not(c))
	}
	if s.Op != code.StmtSelect {
		others = and(merged(before)...)
	} else if len(s.Arms) > 1 {
		others = cond{} // no case is ready
	}
	for i := range s.Arms {
		if a := &s.Arms[i]; a.Default {
			list[i] = others
			if a.Guard != nil {
				list[i] = and(others, read(a.Guard, w.clock))
			}
		}
	}
	return list
}

// overlapping returns the conditions of earlier cases with the same pattern and a guard.
func overlapping(before []cond, c cond) []cond {
	var out []cond
	for _, b := range before {
		if b.op == code.CondOr && len(b.args) > 0 && equal(b.args[0], not(c)) {
			out = append(out, or(b.args[1:]...))
		}
	}
	return out
}

func (w *walker) labelCond(s *code.Stmt, a *code.Arm) cond {
	if len(a.Conds) > 0 {
		list := make([]cond, len(a.Conds))
		for i := range a.Conds {
			list[i] = read(&a.Conds[i], w.clock)
		}
		return or(list...)
	}
	return cond{op: code.CondIs, of: s.Text, text: strings.Join(a.Labels, ", "), at: w.clock}
}

// merged joins conditions on one subject: "x is not A" and "x is not B" become
// "x is not A, B".
func merged(list []cond) []cond {
	var out []cond
	for _, c := range list {
		n := len(out)
		if n > 0 && c.op == out[n-1].op {
			last := &out[n-1]
			if c.op == code.CondIs && c.of == last.of {
				last.text += ", " + c.text
				continue
			}
			if c.op == code.CondNot && c.args[0].op == code.CondIs && last.args[0].op == code.CondIs && c.args[0].of == last.args[0].of {
				is := last.args[0]
				is.text += ", " + c.args[0].text
				last.args = []cond{is}
				continue
			}
		}
		out = append(out, c)
	}
	return out
}
