package evidence

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// reach finds the functions that users can reach: exported ones, entry points, and those that
// they call by name within the module.
func (m *Module) reach() {
	m.reached, m.exported, m.callers = map[string]bool{}, map[string]string{}, map[string][]string{}
	calls := map[string][]string{}
	for _, f := range m.Files {
		for _, c := range f.Calls {
			caller := lastName(c.In)
			calls[caller] = append(calls[caller], c.Name)
			m.callers[c.Name] = append(m.callers[c.Name], caller)
		}
	}
	var open []string
	m.symbols(func(name string, s *code.Symbol) {
		if s.Exported {
			open = append(open, lastName(name))
			m.exported[lastName(name)] = name
		}
	})
	for _, e := range m.Merged.Entries {
		open = append(open, lastName(e.Name))
	}
	for len(open) > 0 {
		name := open[len(open)-1]
		open = open[:len(open)-1]
		if m.reached[name] {
			continue
		}
		m.reached[name] = true
		open = append(open, calls[name]...)
	}
}

// users returns the exported functions that reach an unexported one through calls by name,
// nearest first.
func (m *Module) users(name string) []string {
	if _, is := m.exported[lastName(name)]; is {
		return nil
	}
	var out []string
	seen, open := map[string]bool{}, []string{lastName(name)}
	for len(open) > 0 {
		at := open[0]
		open = open[1:]
		for _, caller := range m.callers[at] {
			if seen[caller] {
				continue
			}
			seen[caller] = true
			if full, is := m.exported[caller]; is {
				out = append(out, full)
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
