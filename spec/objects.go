package spec

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
)

// made is an object that a test makes.
type made struct {
	by   string // the expression
	line int
}

// objectsOf returns the objects that a test makes, by the variables that hold them, without variables that are assigned twice.
func objectsOf(acts cases.Acts) map[string]made {
	out := map[string]made{}
	for _, s := range slices.Concat(acts.Given, acts.When) {
		name, value, ok := cases.Assigned(beforeError(s.Text))
		if !ok {
			continue
		}
		if _, twice := out[name]; twice || !strings.HasSuffix(value, ")") || len(value) > maxExampleText/2 {
			value = ""
		}
		out[name] = made{value, s.Line}
	}
	return out
}

// lastFirst returns the variables that hold objects, those that were made last first.
func lastFirst(objects map[string]made) []string {
	return slices.SortedFunc(maps.Keys(objects), func(a, b string) int {
		return cmp.Or(cmp.Compare(objects[b].line, objects[a].line), strings.Compare(a, b))
	})
}

// withObjects writes in place of the variables in a check how their objects were made; false if something may have changed one
// since, so that the check says nothing about a new one.
func (m *material) withObjects(text string, line int, acts cases.Acts, objects map[string]made) (string, bool) {
	for _, name := range lastFirst(objects) { // what one is made of may name earlier ones
		o := objects[name]
		if o.by == "" || !code.Mentions(text, name) {
			continue
		}
		for _, s := range slices.Concat(acts.Given, acts.When, acts.Then) {
			if s.Line > o.line && s.Line < line && !m.onlyAsks(s.Text, name) {
				return "", false
			}
		}
		text = code.ReplaceName(text, name, o.by)
	}
	return text, true
}

// onlyAsks reports whether a statement does nothing with an object but call methods that do not change it.
func (m *material) onlyAsks(text, name string) bool {
	for code.Mentions(text, name) {
		at := strings.Index(text, name)
		rest := text[at+len(name):]
		for _, sep := range []string{".", "->", "::"} {
			if method, ok := strings.CutPrefix(rest, sep); ok {
				end := strings.IndexFunc(method, func(r rune) bool { return r != '_' && r != '?' && !isLetterOrDigit(r) })
				if end <= 0 || !m.leavesReceiver(method[:end], map[string]bool{}) {
					return false
				}
				rest = method
				break
			}
		}
		if rest == text[at+len(name):] && (at == 0 || !isWordByte(text[at-1])) {
			return false
		}
		text = rest
	}
	return true
}

func isLetterOrDigit(r rune) bool { return r < 0x80 && isWordByte(byte(r)) }

// receivers are what a method calls its object, where that has to be said.
var receivers = []string{"self.", "this.", "$this->", "@"}

// leavesReceiver reports whether no method of the module with a name is seen to write to its object, nor any that it calls.
func (m *material) leavesReceiver(method string, asked map[string]bool) bool {
	if asked[method] {
		return true
	}
	asked[method] = true
	found := false
	for _, f := range m.tree.Files {
		if f.Test || f.Whole == nil {
			continue
		}
		for i := range f.Whole.Functions {
			b := &f.Whole.Functions[i]
			if _, own := cutOwner(b.In); own != method || b.Name != "" {
				continue
			}
			if found = true; b.Bare || writes(b.Stmts) || !m.callsLeave(f, b, asked) {
				return false
			}
		}
	}
	return found
}

// writes reports whether statements set a member of the object.
func writes(list []code.Stmt) bool {
	found := false
	code.AllStmts(list, func(s *code.Stmt) {
		found = found || s.Op == code.StmtAssign && slices.ContainsFunc(receivers, func(r string) bool { return strings.HasPrefix(s.Text, r) || strings.Contains(s.Text, " "+r) })
	})
	return found
}

// callsLeave reports whether what a method calls leaves the object as it is.
func (m *material) callsLeave(f *code.File, b *code.Body, asked map[string]bool) bool {
	for i := range f.Whole.Calls {
		c := &f.Whole.Calls[i]
		if c.In != b.In {
			continue
		}
		name, own := c.Value.Text, !strings.ContainsAny(c.Value.Text, ".>:")
		for _, r := range receivers {
			if rest, ok := strings.CutPrefix(name, r); ok {
				if strings.ContainsAny(rest, ".>") { // of a member
					return false
				}
				name, own = rest, true
			}
		}
		if own && m.declares(name) && !m.leavesReceiver(name, asked) {
			return false
		}
	}
	return true
}

// declares reports whether the module has a method of a name.
func (m *material) declares(method string) bool {
	return slices.ContainsFunc(m.tree.Files, func(f *code.File) bool {
		return f.Whole != nil && slices.ContainsFunc(f.Whole.Functions, func(b code.Body) bool {
			owner, own := cutOwner(b.In)
			return owner != "" && own == method
		})
	})
}
