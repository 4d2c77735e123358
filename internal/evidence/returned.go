package evidence

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// span is the lines of a function that another one returns: a middleware, a decorator, a handler. It runs later than the
// function around it, and again and again.
type span struct {
	in          string // the function that returns it
	first, last int
	body        *code.Body // nil for one that is read as a part of the body around it
	params      []string   // of the functions around it
}

func (s *span) has(line int) bool { return s.first <= line && line <= s.last }

// returnedOf returns the functions in a file that others return.
func (m *Module) returnedOf(f *code.File) []span {
	if list, known := m.returned[f.Path]; known || f.Whole == nil {
		return list
	}
	var out []span
	all := f.Whole.Functions
	for i := range all {
		r := returns{all: all, around: &all[i]}
		r.block(all[i].Stmts)
		out = append(out, r.out...)
	}
	if m.returned == nil {
		m.returned = map[string][]span{}
	}
	m.returned[f.Path] = out
	return out
}

// later reports whether a line is in a function that the symbol around it returns.
func (m *Module) later(f *code.File, in string, line int) bool {
	return slices.ContainsFunc(m.returnedOf(f), func(s span) bool { return s.in == in && s.has(line) })
}

// returns finds the functions that one body returns.
type returns struct {
	all      []code.Body
	around   *code.Body
	closures []*code.Stmt
	out      []span
}

// block follows a list of statements, without those of closures.
func (r *returns) block(list []code.Stmt) {
	for i := range list {
		s := &list[i]
		switch s.Op {
		case code.StmtClosure:
			r.closures = append(r.closures, s)
			continue
		case code.StmtReturn:
			r.value(s.Value)
		default:
		}
		r.block(s.Body)
		r.block(s.Else)
		for j := range s.Arms {
			r.block(s.Arms[j].Body)
		}
	}
}

// value adds the function that a returned value is.
func (r *returns) value(v *code.Value) {
	if v == nil {
		return
	}
	switch v.Kind {
	case code.ValueFunction:
		at, _ := strconv.Atoi(v.Text)
		r.add(func(b *code.Body) bool { return b.At == at })
	case code.ValueName:
		r.add(func(b *code.Body) bool { return b.Name == v.Text })
	case code.ValueCall:
		if !makesHandler(v.Text) {
			return
		}
		for _, s := range r.closures {
			if s.Text == v.Text && s.Line >= v.Line {
				r.out = append(r.out, span{in: r.around.In, first: s.Line, last: lastLine(s.Body), params: r.around.Params})
				return
			}
		}
		for i := range v.Args {
			r.value(&v.Args[i])
		}
	default:
	}
}

// add adds the body inside this one that is selected.
func (r *returns) add(is func(b *code.Body) bool) {
	for i := range r.all {
		if b := &r.all[i]; b != r.around && b.In == r.around.In && b.Line >= r.around.Line && b.End <= r.around.End && is(b) {
			r.out = append(r.out, span{in: b.In, first: b.Line, last: b.End, body: b, params: slices.Concat(r.around.Params, b.Params)})
		}
	}
}

// handlerMakers end the names of functions and types that make a handler of a function and do not call it.
var handlerMakers = []string{"handlerfunc", "handler", "middleware", "middlewarefunc", "wraps"}

func makesHandler(name string) bool {
	name = strings.ToLower(lastName(name))
	return slices.ContainsFunc(handlerMakers, func(end string) bool { return strings.HasSuffix(name, end) })
}

// lastLine returns the last line of statements; 0 for none.
func lastLine(list []code.Stmt) int {
	last := 0
	code.AllStmts(list, func(s *code.Stmt) { last = max(last, s.Line) })
	return last
}
