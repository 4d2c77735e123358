package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
)

// leastPicked is the least number of branches of a choice that is a table: fewer are a sentence of their own.
const leastPicked = 3

// picks finds the choices of exported functions, and of the functions that they return: which of several values a variable
// or the result is, by nested conditions.
func (m *Module) picks(found func(Claim)) {
	known := map[string]bool{}
	once := func(c Claim) {
		c.Kind = Choice
		if id := c.ID(); !known[id] {
			known[id] = true
			found(c)
		}
	}
	for _, f := range m.Files {
		if f.Whole == nil || m.stopped() {
			continue
		}
		for i := range f.Whole.Functions {
			body := &f.Whole.Functions[i]
			of := m.function(f.Path, body.In, body.Line)
			spans := m.returnedOf(f)
			later := slices.ContainsFunc(spans, func(s span) bool { return s.body == body })
			if of == nil || m.exported[of] == "" || !later && isNested(f, body) {
				continue
			}
			p := picker{Module: m, file: f, body: body, later: later, found: once}
			p.block(body.Stmts)
			if !later {
				p.results()
			}
		}
	}
}

// picker finds the choices of one body.
type picker struct {
	*Module
	file  *code.File
	body  *code.Body
	later bool
	found func(Claim)
}

// block looks for choices in a list of statements.
func (p *picker) block(list []code.Stmt) {
	for i := range list {
		s := &list[i]
		if s.Op == code.StmtIf || s.Op == code.StmtSwitch {
			leaves, exclusive := assignedIn(s)
			for _, name := range namesOf(leaves) {
				if own := leavesOf(leaves, name); exclusive[name] && len(own) >= leastPicked && p.matters(name, lastLine(list[i:i+1])) {
					p.claim(name, s, own)
				}
			}
			if len(leaves) > 0 {
				continue
			}
		}
		if s.Op == code.StmtClosure {
			continue
		}
		p.block(s.Body)
		p.block(s.Else)
		for j := range s.Arms {
			p.block(s.Arms[j].Body)
		}
	}
}

// matters reports whether a variable is a member of something, or is read after a line.
func (p *picker) matters(name string, line int) bool {
	if strings.ContainsAny(name, ".@>") {
		return true
	}
	read := false
	code.AllStmts(p.body.Stmts, func(s *code.Stmt) {
		if s.Line <= line || read {
			return
		}
		read = s.Cond != nil && s.Cond.Mentions(name)
		for _, v := range []*code.Value{s.Value, exitValue(s)} {
			if v != nil {
				v.All(func(part *code.Value) bool {
					read = read || part.Kind != code.ValueString && code.Mentions(part.Text, name)
					return !read
				})
			}
		}
	})
	return read
}

func exitValue(s *code.Stmt) *code.Value {
	if s.Exit == nil {
		return nil
	}
	return &s.Exit.Value
}

// assignedIn returns the assignments in the branches of a statement. Exclusive says of a variable that only one of its
// assignments runs.
func assignedIn(s *code.Stmt) (leaves []*code.Stmt, exclusive map[string]bool) {
	exclusive = map[string]bool{}
	twice := map[string]bool{}
	leaves = branches(s, twice)
	for _, name := range namesOf(leaves) {
		exclusive[name] = !twice[name]
	}
	return leaves, exclusive
}

// branches returns the assignments in the branches of a statement, and notes the variables that one branch assigns twice, or
// in a loop, a closure or below a try statement.
func branches(s *code.Stmt, twice map[string]bool) []*code.Stmt {
	var out []*code.Stmt
	lists := [][]code.Stmt{s.Body, s.Else}
	for i := range s.Arms {
		lists = append(lists, s.Arms[i].Body)
		if s.Arms[i].Falls {
			code.AllStmts(s.Arms[i].Body, func(s *code.Stmt) { twice[s.Text] = true })
		}
	}
	for _, list := range lists {
		var seen []string
		for i := range list {
			t := &list[i]
			var found []*code.Stmt
			switch t.Op {
			case code.StmtAssign:
				found = []*code.Stmt{t}
				if values := chosenBefore(list, i); values != nil {
					found = values
				}
				for name := range strings.SplitSeq(t.Text, ",") {
					twice[strings.TrimSpace(name)] = twice[strings.TrimSpace(name)] || name != t.Text || t.Value == nil
				}
			case code.StmtIf, code.StmtSwitch, code.StmtBlock:
				found = branches(t, twice)
			case code.StmtLoop, code.StmtTry, code.StmtClosure, code.StmtSelect:
				code.AllStmts([]code.Stmt{*t}, func(s *code.Stmt) { twice[s.Text] = true })
			default:
			}
			for _, name := range namesOf(found) {
				twice[name] = twice[name] || slices.Contains(seen, name)
				seen = append(seen, name)
			}
			out = append(out, found...)
		}
	}
	return out
}

// chosenBefore returns the values that an assignment chooses from by a condition inside it; nil for others.
func chosenBefore(list []code.Stmt, at int) []*code.Stmt {
	if at == 0 || list[at-1].Op != code.StmtIf {
		return nil
	}
	var out []*code.Stmt
	code.AllStmts(list[at-1:at], func(s *code.Stmt) {
		if s.Op == code.StmtResult && s.Text == list[at].Text && s.Text != "" {
			out = append(out, s)
		}
	})
	return out
}

// namesOf returns the variables of assignments, once each.
func namesOf(list []*code.Stmt) []string {
	var out []string
	for _, s := range list {
		if s.Value != nil && !strings.ContainsAny(s.Text, ",[({ ") && s.Text != "" && s.Text != "_" && !slices.Contains(out, s.Text) {
			out = append(out, s.Text)
		}
	}
	return out
}

func leavesOf(list []*code.Stmt, name string) []*code.Stmt {
	return slices.DeleteFunc(slices.Clone(list), func(s *code.Stmt) bool { return s.Text != name })
}

// claim claims the values of a variable in the branches of a statement.
func (p *picker) claim(name string, around *code.Stmt, leaves []*code.Stmt) {
	c := Claim{Subject: p.body.In, Name: name, Role: Picked}
	var base []paths.Term
	of := p.function(p.file.Path, p.body.In, p.body.Line)
	calls, constants := 0, 0
	for _, at := range p.reader.Statements(p.file.Whole.Functions, p.body, func(s *code.Stmt) bool { return s == around || slices.Contains(leaves, s) }) {
		if at.Stmt == around {
			base = at.When
			continue
		}
		text := written(at.Stmt.Value, p.file.Language)
		if text == "" || at.Partial {
			return // a table without one of its rows is not true
		}
		switch at.Stmt.Value.Kind {
		case code.ValueCall:
			calls++
		case code.ValueString, code.ValueNumber:
			constants++
		default:
		}
		c.Values = append(c.Values, text)
		c.When = append(c.When, Condition{All: p.withValues(of, beyond(at.When, base)), Later: p.later})
		c.At = append(c.At, Place{p.file.Path, at.Stmt.Line, ""})
	}
	if len(c.When) >= leastPicked && 2*(calls+constants) > len(c.When) && distinctValues(c.Values) > 1 {
		p.found(c)
	}
}

// beyond returns the terms that are not among those around.
func beyond(list, around []paths.Term) []paths.Term {
	return slices.DeleteFunc(slices.Clone(list), func(t paths.Term) bool {
		return slices.ContainsFunc(around, func(o paths.Term) bool { return o.Text == t.Text && o.Where == t.Where })
	})
}

func distinctValues(list []string) int {
	return len(slices.Compact(slices.Sorted(slices.Values(list))))
}

// results claims the results of a function all of whose results are constants.
func (p *picker) results() {
	var leaves []*code.Stmt
	fixed := true
	code.AllStmts(p.body.Stmts, func(s *code.Stmt) {
		switch s.Op {
		case code.StmtReturn:
			fixed = fixed && s.Value != nil && len(s.Beside) == 0 && isConstantValue(s.Value)
			leaves = append(leaves, s)
		case code.StmtClosure, code.StmtUnknown, code.StmtLoop:
			fixed = false
		default:
		}
	})
	if !fixed || len(leaves) < leastPicked {
		return
	}
	c := Claim{Subject: p.body.In, Role: Picked}
	of := p.function(p.file.Path, p.body.In, p.body.Line)
	for _, at := range p.reader.Statements(p.file.Whole.Functions, p.body, func(s *code.Stmt) bool { return slices.Contains(leaves, s) }) {
		text := written(at.Stmt.Value, p.file.Language)
		if text == "" || at.Partial {
			return
		}
		c.Values = append(c.Values, text)
		c.When = append(c.When, Condition{All: p.withValues(of, at.When)})
		c.At = append(c.At, Place{p.file.Path, at.Stmt.Line, ""})
	}
	if len(c.When) == len(leaves) && distinctValues(c.Values) > 2 {
		p.found(c)
	}
}

// isConstantValue reports whether a value is a literal or the name of a constant.
func isConstantValue(v *code.Value) bool {
	switch v.Kind {
	case code.ValueString, code.ValueNumber:
		return true
	case code.ValueName:
		last := v.Text[strings.LastIndexAny(v.Text, ".:")+1:]
		return last != "" && last[0] >= 'A' && last[0] <= 'Z' && last != v.Text || slices.Contains(fixedWords, v.Text)
	default:
		return false
	}
}
