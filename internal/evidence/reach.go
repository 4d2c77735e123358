package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// reach finds the functions that users can reach: exported ones, entry points, the statements of files, and what those
// call or name within the module.
func (m *Module) reach() {
	m.reached, m.exported, m.callers = map[*resolve.Node]bool{}, map[*resolve.Node]string{}, map[*resolve.Node][]*resolve.Node{}
	uses := map[*resolve.Node][]*resolve.Node{}
	var open []*resolve.Node
	for _, f := range m.Files {
		for _, n := range m.links.Linked(f.Path) {
			for _, u := range m.links.Uses(n) {
				if from, to := n.Outer(), u.To.Outer(); from != to && (u.Type == codegraph.Calls || u.Type == codegraph.References) {
					uses[from] = append(uses[from], to)
					m.callers[to] = append(m.callers[to], from)
				}
			}
		}
		for _, e := range append([]code.Entry{{}}, f.Entries...) {
			open = append(open, m.links.Find(f.Path, e.Name, e.Line))
		}
		walk("", f.Symbols, func(name string, s *code.Symbol) {
			if n := m.links.Find(f.Path, name, s.StartLine); n != nil && s.Exported {
				m.exported[n] = name
				open = append(open, n)
			}
		})
	}
	for len(open) > 0 {
		n := open[len(open)-1]
		open = open[:len(open)-1]
		if n != nil && !m.reached[n] {
			m.reached[n] = true
			open = append(open, uses[n]...)
		}
	}
}

// function returns the function that contains a line, given the symbol that encloses it; nil if it is not known.
func (m *Module) function(file, symbol string, line int) *resolve.Node {
	n := m.links.Find(file, symbol, line)
	if n == nil {
		return nil
	}
	return n.Outer()
}

// users returns the exported functions that reach an unexported one, nearest first.
func (m *Module) users(of *resolve.Node) []string {
	if m.exported[of] != "" {
		return nil
	}
	var out []string
	seen, open := map[*resolve.Node]bool{}, []*resolve.Node{of}
	for len(open) > 0 {
		at := open[0]
		open = open[1:]
		for _, caller := range m.callers[at] {
			if seen[caller] {
				continue
			}
			seen[caller] = true
			if full := m.exported[caller]; full != "" && !caller.IsType() {
				if !slices.Contains(out, full) {
					out = append(out, full)
				}
				continue
			}
			open = append(open, caller)
		}
	}
	return out
}

// cutLast splits a qualified name before its last part.
func cutLast(name string) (owner, last string) {
	last = lastName(name)
	return strings.TrimSuffix(strings.TrimSuffix(name, last), "."), last
}

// lastName returns the last part of a qualified name.
func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
