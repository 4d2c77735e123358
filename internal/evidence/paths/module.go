package paths

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// module knows what some functions of a module do, by their names.
type module struct {
	helpers map[string]helper
}

// helper is a function that always does one thing. Both fields are nil if several functions
// have its name.
type helper struct {
	exit  *code.Exit  // the error that it ends with
	makes *code.Value // the call that it returns
}

// newModule finds the helpers in the files of a module.
func newModule(files [][]code.Body) *module {
	m := &module{helpers: map[string]helper{}}
	for _, bodies := range files {
		for i := range bodies {
			b := &bodies[i]
			name := b.Name
			if name == "" && b.Use.Kind == "" {
				name = lastName(b.In)
			}
			if name == "" {
				continue
			}
			h := helperOf(b)
			if _, known := m.helpers[name]; known || b.Open || h.exit != nil && isAbstract[lastName(h.exit.Error)] {
				h = helper{}
			}
			m.helpers[name] = h
		}
	}
	return m
}

// isAbstract are the errors of functions that are made to be overridden.
var isAbstract = map[string]bool{"NotImplementedError": true, "NotImplementedException": true, "AbstractMethodError": true}

// helperOf returns what a body always does.
func helperOf(b *code.Body) helper {
	for i := range b.Stmts {
		switch s := &b.Stmts[i]; s.Op {
		case code.StmtAssign, code.StmtCall:
		case code.StmtError:
			if s.Exit.Kind != code.Fails {
				return helper{exit: s.Exit}
			}
			return helper{}
		case code.StmtReturn:
			if s.Value != nil && s.Value.Kind == code.ValueCall {
				return helper{makes: s.Value}
			}
			return helper{}
		default:
			if mayLeave(s) {
				return helper{}
			}
		}
	}
	return helper{}
}

// mayLeave reports whether a statement may end its function.
func mayLeave(s *code.Stmt) bool {
	found := false
	code.AllStmts([]code.Stmt{*s}, func(s *code.Stmt) {
		found = found || s.Op == code.StmtReturn || s.Op == code.StmtError || s.Op == code.StmtUnknown
	})
	return found
}

// of returns what the called function always does, if it is one of the module: a function
// called without a receiver, or on the object itself.
func (m *module) of(call *code.Value) helper {
	name := lastName(call.Text)
	switch call.Text[:len(call.Text)-len(name)] {
	case "", "self.", "this.", "$this.", "static.", "Self.", "cls.":
		return m.helpers[name]
	}
	return helper{}
}

func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
