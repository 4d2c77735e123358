package evidence

import (
	"cmp"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// LookupArrow separates the keys of a row of a [Lookup] from its value.
const LookupArrow = " → "

// lookups finds the tables and patterns by which code that users reach decides: word lists, mappings, switches from constants
// to constants, regular expressions.
var lookups = Rule{
	Kind: Lookup,
	find: func(m *Module, found func(Claim)) {
		m.bodies(func(f *code.File, b *code.Bodies) {
			for i := range b.Lookups {
				m.lookup(f, &b.Lookups[i], found)
			}
			for i := range b.Functions {
				m.switches(f, &b.Functions[i], found)
			}
		})
	},
}

// lookup claims a table if exported behaviour depends on it.
func (m *Module) lookup(f *code.File, l *code.Lookup, found func(Claim)) {
	node, name := m.holder(f, l)
	subject := l.In
	switch {
	case node == nil && m.isMember(f, l): // of an exported type: no function holds it
		name = ""
	case node == nil || !m.reached[node]:
		return
	default:
		subject = cmp.Or(node.Path(), l.In)
	}
	if sym := m.symbol(f.Path, subject, l.Line); sym != nil && sym.Kind == code.Enum { // its members are in the interface
		return
	}
	claim := Claim{Subject: subject, Name: name, Role: string(l.Kind), At: []Place{{f.Path, l.Line, ""}}}
	if node != nil {
		claim.From = m.users(node)
	}
	if claim.Subject == claim.Name {
		claim.Name = ""
	}
	for _, r := range l.Rows {
		text := r.Value
		if len(r.Keys) > 0 {
			text = strings.Join(r.Keys, ", ") + LookupArrow + text
		}
		claim.Values = append(claim.Values, text)
	}
	if says(claim.Values, l.Kind, name != "") {
		claim.Text = m.summary(f.Path, subject, l.Line)
		found(claim)
	}
}

// isMember reports whether a table is the value of an exported member of a type.
func (m *Module) isMember(f *code.File, l *code.Lookup) bool {
	if l.In == "" || l.Name == "" || lastName(l.In) != l.Name {
		return false
	}
	s := m.symbol(f.Path, l.In, l.Line)
	return s != nil && s.Exported && s.Kind != code.Enum && (s.Value == "" || len(s.Value) > maxConstant)
}

// summary returns the first sentence of the documentation of a symbol that is not exported: that of others is in the
// interface.
func (m *Module) summary(file, name string, line int) string {
	s := m.symbol(file, name, line)
	if s == nil || s.Exported {
		return ""
	}
	text, _, _ := strings.Cut(strings.Join(strings.Fields(s.Doc), " "), ". ")
	return strings.TrimSuffix(text, ".")
}

// holder returns the symbol whose behaviour a table decides, and the name of the table in it.
func (m *Module) holder(f *code.File, l *code.Lookup) (node *resolve.Node, name string) {
	if l.In != "" {
		return m.function(f.Path, l.In, l.Line), l.Name
	}
	for i := range f.Symbols {
		if s := &f.Symbols[i]; s.StartLine <= l.Line && l.Line <= s.EndLine {
			return m.links.Find(f.Path, s.Name, s.StartLine), l.Name
		}
	}
	return nil, ""
}

// leastPattern is the length from which a pattern says something.
const leastPattern = 6

// leastUnnamed is the number of rows from which a list without a name of its own is a table.
const leastUnnamed = 3

// says reports whether a table has values: literals, not only names that are declared elsewhere.
func says(rows []string, kind code.LookupKind, named bool) bool {
	switch {
	case kind == code.LookupPattern:
		return len(rows) == 1 && len(rows[0]) >= leastPattern && !strings.Contains(rows[0], "${") && !strings.Contains(rows[0], "#{") // made of others
	case kind == code.LookupList && !named && len(rows) < leastUnnamed: // part of a condition, which says it
		return false
	}
	literals := 0
	for _, r := range rows {
		if strings.ContainsAny(r, "\"'`:0123456789") || r[0] == '.' { // or a member of the type of the elements
			literals++
		}
	}
	return 2*literals >= len(rows) && (kind == code.LookupMap || len(rows) > 2 || strings.ContainsAny(rows[0], "\"'`."))
}

// switches claims the switch statements that map constants to constants.
func (m *Module) switches(f *code.File, body *code.Body, found func(Claim)) {
	code.AllStmts(body.Stmts, func(s *code.Stmt) {
		rows := mapped(s)
		if rows == nil {
			return
		}
		node := m.function(f.Path, body.In, s.Line)
		if node == nil || !m.reached[node] {
			return
		}
		subject := cmp.Or(node.Path(), body.In)
		found(Claim{Subject: subject, Name: s.Text, Role: Switch, Values: rows, From: m.users(node), Text: m.summary(f.Path, subject, s.Line), At: []Place{{f.Path, s.Line, ""}}})
	})
}

// Switch is the role of a [Lookup] that is a switch statement.
const Switch = "switch"

// LookupOthers is what stands for the other values in a row of a switch.
const LookupOthers = "*"

// mapped returns the rows of a switch whose arms do nothing but return a constant; nil for others.
func mapped(s *code.Stmt) []string {
	if s.Op != code.StmtSwitch || s.Text == "" || len(s.Arms) < 1 {
		return nil
	}
	var out, waiting []string
	labels := 0
	for i := range s.Arms {
		arm := &s.Arms[i]
		labels += len(arm.Labels)
		keys := append(waiting, arm.Labels...)
		waiting = nil
		if arm.Default {
			keys = []string{LookupOthers}
		}
		switch {
		case arm.Guard != nil || len(arm.Conds) > 0:
			return nil
		case arm.Falls && len(arm.Body) == 0:
			waiting = keys
			continue
		case len(arm.Body) != 1 || arm.Body[0].Op != code.StmtReturn || arm.Body[0].Value == nil:
			return nil
		}
		value, ok := constantText(arm.Body[0].Value)
		if !ok {
			return nil
		}
		out = append(out, strings.Join(keys, ", ")+LookupArrow+value)
	}
	if labels < 2 {
		return nil
	}
	return out
}

// constantText returns a value that is a literal or a name.
func constantText(v *code.Value) (string, bool) {
	switch v.Kind {
	case code.ValueString:
		return `"` + v.Text + `"`, true
	case code.ValueNumber, code.ValueName:
		return v.Text, v.Text != ""
	default:
		return "", false
	}
}
