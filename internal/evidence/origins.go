package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
)

// Limits of what is said of where a value comes from: the assignments of a variable, and their length in bytes.
const (
	maxOrigins = 2
	maxOrigin  = 70
)

// withOrigins notes where the variables in conditions come from, where that is a call: the function is small enough to say
// all their values.
func (m *Module) withOrigins(f *code.File, in string, line int, terms []paths.Term) []paths.Term {
	body := bodyAround(f, in, line)
	if body == nil {
		return terms
	}
	for i := range terms {
		t := &terms[i]
		if t.Cond == nil || t.Where != "" {
			continue
		}
		var seen []string
		eachVariable(t.Cond, func(name string) {
			if len(seen) == maxOrigins {
				return
			}
			if text := cmp.Or(originOf(body, f.Language, name, line), definedAround(f, in, line, name)); text != "" && !slices.Contains(seen, text) {
				seen = append(seen, text)
			}
		})
		t.Origin = strings.Join(seen, "; ")
	}
	return terms
}

// definedAround returns the one assignment of a variable before a line, "a = b", in the innermost body of a symbol that assigns
// it; "" if it is not known, or is a parameter.
func definedAround(f *code.File, in string, line int, name string) string {
	var around []*code.Body
	for i := range f.Whole.Functions {
		if b := &f.Whole.Functions[i]; b.In == in && b.Line <= line && line <= b.End {
			around = append(around, b)
		}
	}
	slices.SortStableFunc(around, func(a, b *code.Body) int { return cmp.Compare(b.At, a.At) }) // the innermost first
	for _, b := range around {
		n := namesOfBody(b, f.Language)
		list := n.assigned[name]
		if slices.Contains(n.params, name) || len(list) > 1 {
			return ""
		}
		if len(list) == 0 {
			continue
		}
		value := n.definition(list[0], name)
		if value == "" || list[0].Line >= line || n.changed(name, line) {
			return ""
		}
		return name + " = " + value
	}
	return ""
}

// bodyAround returns the innermost whole body of a symbol that has a line; nil if it is not known.
func bodyAround(f *code.File, in string, line int) *code.Body {
	if f.Whole == nil {
		return nil
	}
	var out *code.Body
	for i := range f.Whole.Functions {
		if b := &f.Whole.Functions[i]; b.In == in && b.Line <= line && line <= b.End && (out == nil || b.Line >= out.Line) {
			out = b
		}
	}
	return out
}

// eachVariable calls see for the plain names that the atoms of a condition are about: what they begin with.
func eachVariable(c *code.Cond, see func(name string)) {
	switch c.Op {
	case code.CondAtom, code.CondIs:
		text := c.Text
		if c.Op == code.CondIs {
			text = c.Of
		}
		text = strings.TrimLeft(text, "!( ")
		end := 0
		for end < len(text) && (isName(text[end:end+1]) || text[end] == '$') {
			end++
		}
		if rest := strings.TrimSpace(text[end:]); end > 0 && (rest == "" || strings.ContainsRune("=!<>)", rune(rest[0])) || strings.HasPrefix(rest, "is ") || strings.HasPrefix(rest, "in ") || strings.HasPrefix(rest, "not in ")) {
			see(text[:end])
		}
	default:
		for i := range c.Args {
			eachVariable(&c.Args[i], see)
		}
	}
}

// originOf returns the assignments of a variable before a line, "p = a; p = b()"; "" if there are none or many, if one is not
// known, or if none is a call.
func originOf(body *code.Body, language, name string, line int) string {
	o := origin{name: name, line: line, language: language}
	code.AllStmts(body.Stmts, o.see)
	if o.unknown || !o.calls || len(o.values) > maxOrigins {
		return ""
	}
	return strings.Join(o.values, "; ")
}

// origin collects the assignments of a variable.
type origin struct {
	name, language string
	line           int
	values         []string
	unknown, calls bool
}

// see reads one statement.
func (o *origin) see(s *code.Stmt) {
	if s.Op == code.StmtLoop && code.Mentions(s.Text, o.name) {
		o.unknown = true
	}
	if s.Op != code.StmtAssign || !assigns(s, o.name) || o.declares(s) {
		return
	}
	text := written(s.Value, o.language)
	known := text != "" && len(text) <= maxOrigin && s.Text == o.name && s.Line <= o.line
	o.unknown = o.unknown || !known || code.Mentions(text, o.name) || strings.Contains(text, "; ")
	o.calls = o.calls || s.Value != nil && s.Value.Kind == code.ValueCall
	o.values = append(o.values, o.name+" = "+text)
}

// declares reports whether an assignment only declares the variable, without a value.
func (o *origin) declares(s *code.Stmt) bool {
	return s.Value == nil && s.Line < o.line && s.Text == o.name && len(o.values) == 0
}
