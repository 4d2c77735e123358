package paths

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Transition is an assignment of a constant to a value whose previous value is known: inside a case of a switch on that
// value, or below a comparison with it. State machines are written this way.
type Transition struct {
	In   string   // the enclosing symbol
	Of   string   // the value, without a leading "this." or the like
	From []string // as written; several if the case lists several
	To   string   // as written
	When string   // the condition inside the case; "" if none
	Line int      // of the assignment
}

// Transitions returns the transitions in the bodies of a file.
func Transitions(bodies []code.Body) []Transition {
	var out []Transition
	m := newModule(nil)
	for i := range bodies {
		w := &walker{module: m, body: &bodies[i]}
		w.assigned = func(s *code.Stmt, p path) {
			if t, ok := transition(s, p); ok {
				t.In = bodies[i].In
				out = append(out, t)
			}
		}
		w.block(bodies[i].Stmts, path{})
	}
	return out
}

// transition returns the transition that an assignment makes.
func transition(s *code.Stmt, p path) (Transition, bool) {
	t := Transition{Of: bareState(s.Text), Line: s.Line}
	if s.Value == nil {
		return t, false
	}
	switch s.Value.Kind {
	case code.ValueName:
		t.To = s.Value.Text
	case code.ValueString:
		t.To = `"` + s.Value.Text + `"`
	default:
	}
	if !isConstant(t.To) {
		return t, false
	}
	for i, step := range slices.Backward(p.steps) {
		if t.From = equalTo(step, t.Of); len(t.From) > 0 {
			inside := always()
			for _, s := range p.steps[i+1:] {
				inside = and(inside, s)
			}
			t.When = textOf(inside)
			return t, true
		}
	}
	return t, false
}

// equalTo returns the constants that a condition says a value is one of; nil for other
// conditions.
func equalTo(c cond, of string) []string {
	if c.op == code.CondIs && bareState(c.of) == of {
		var list []string
		for value := range strings.FieldsFuncSeq(c.text, func(c rune) bool { return c == ',' || c == '|' }) {
			value, _, _ = strings.Cut(value, "(") // without the pattern's fields
			list = append(list, strings.TrimSpace(value))
		}
		return list
	}
	if c.op != code.CondAtom {
		return nil
	}
	for _, operator := range []string{" === ", " == ", " is "} {
		left, right, found := strings.Cut(c.text, operator)
		if found && bareState(left) == of && isConstant(right) {
			return []string{right}
		}
	}
	return nil
}

// bareState returns the name of a member without "this." or its equivalent.
func bareState(name string) string {
	for _, self := range []string{"this.", "self.", "this->", "$this->"} {
		if rest, ok := strings.CutPrefix(name, self); ok {
			return rest
		}
	}
	return name
}

// isConstant reports whether text may be the name of a constant, qualified or not, or is a
// short quoted string.
func isConstant(text string) bool {
	if n := len(text); n > 2 && n < 40 && (text[0] == '\'' || text[0] == '"') {
		return text[n-1] == text[0]
	}
	if text == "" || text[0] >= '0' && text[0] <= '9' || slices.Contains(notStates, text) {
		return false
	}
	for i := range len(text) {
		if c := text[i]; !isNameByte(c) && c != '.' && c != ':' {
			return false
		}
	}
	return true
}

// notStates are the names of values that are not states.
var notStates = []string{"true", "false", "null", "None", "True", "False", "undefined", "nil"}

func isNameByte(c byte) bool {
	return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
