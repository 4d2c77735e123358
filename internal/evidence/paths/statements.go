package paths

import "github.com/reverse-spec/reverse-spec/internal/code"

// Place is a statement with its path condition.
type Place struct {
	Stmt    *code.Stmt
	Use     code.Use // of the function or of the closure around the statement
	When    []Term   // all must hold; none if the statement is always reached
	Partial bool     // there are conditions that no term expresses
	Exit    *Exit    // what the statement ends the function with, or answers; nil if it is neither
	Try     []Guard  // the try statements around, innermost last
}

// Guard is a try statement around a place. A place in one of its handlers has no guard of it.
type Guard struct {
	Arms []code.Arm
}

// Reader reads bodies, and keeps what the functions of their files always do. The zero value has none. It is not safe for concurrent use.
type Reader struct{ modules map[*code.Body]*module } // by the first body of the file

// Statements returns the statements of a body of a file that wanted selects, in the order of the source.
func (r *Reader) Statements(file []code.Body, body *code.Body, wanted func(s *code.Stmt) bool) []Place {
	var out []Place
	w := &walker{module: r.module(file), body: body, use: body.Use, assigned: func(*code.Stmt, path) {}}
	at := map[*code.Stmt]int{}
	w.reached = func(s *code.Stmt, p path) {
		if !wanted(s) {
			return
		}
		if _, known := at[s]; known {
			return
		}
		place := Place{Stmt: s, Use: w.use}
		place.When, place.Partial = w.terms(p)
		for _, arms := range w.handlers {
			place.Try = append(place.Try, Guard{arms})
		}
		at[s] = len(out)
		out = append(out, place)
	}
	w.exited = func(s *code.Stmt, x *Exit) {
		if i, known := at[s]; known {
			out[i].Exit = x
		}
	}
	w.block(body.Stmts, path{})
	return out
}

// module returns what is known of the functions of a file.
func (r *Reader) module(file []code.Body) *module {
	if len(file) == 0 {
		return newModule(nil)
	}
	m := r.modules[&file[0]]
	if m == nil {
		m = newModule([][]code.Body{file})
		if r.modules == nil {
			r.modules = map[*code.Body]*module{}
		}
		r.modules[&file[0]] = m
	}
	return m
}
