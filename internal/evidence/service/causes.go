package service

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
)

// What the Where of a term says of an error that is caught: what raised it.
const (
	CauseCall   = "try "    // followed by the called function
	CauseAbsent = "absent " // followed by the header that the request does not have
	CauseParts  = "parts "  // followed by a number and the text that does not have so many parts
)

// causes returns the conditions of a statement; those that an error is caught say what raises it, if one call may.
func (r *reader) causes(s *Step, site *Site) []paths.Term {
	if site.Body == nil || !slices.ContainsFunc(site.When, isCaught) {
		return site.When
	}
	out := slices.Clone(site.When)
	for i := range out {
		if out[i].Where == "" && isCaught(out[i]) {
			out[i].Where = r.cause(s, site)
		}
	}
	return out
}

// isCaught reports whether a term says that an error is caught.
func isCaught(t paths.Term) bool { return strings.HasPrefix(t.Text, "catch ") }

// cause returns what raises the error that the handler around a statement catches; "" if it cannot be told.
func (r *reader) cause(s *Step, site *Site) string {
	try := handlerAround(site.Body.Stmts, site.Stmt)
	if try == nil {
		return ""
	}
	var calls []*code.Value
	targets := ""
	code.AllStmts(try.Body, func(stmt *code.Stmt) {
		if stmt.Value == nil || stmt.Op == code.StmtError {
			return
		}
		if stmt.Op == code.StmtAssign {
			targets = stmt.Text
		}
		stmt.Value.All(func(v *code.Value) bool {
			if v.Kind == code.ValueCall && !slices.ContainsFunc(calls, func(c *code.Value) bool { return holdsCall(c, v) }) {
				calls = append(calls, v)
			}
			return true
		})
	})
	if len(calls) != 1 {
		return ""
	}
	before, name := CutLast(calls[0].Text)
	switch {
	case s.Absent != "" && before == "super()":
		return CauseAbsent + s.Absent
	case site.File.Language == "python" && name == "split" && strings.Contains(targets, ","):
		return CauseParts + strconv.Itoa(strings.Count(targets, ",")+1) + " " + before
	}
	return CauseCall + calls[0].Text
}

// holdsCall reports whether a call is another one or inside it.
func holdsCall(v, inner *code.Value) bool {
	found := false
	v.All(func(p *code.Value) bool {
		found = found || p.Kind == code.ValueCall && p.Text == inner.Text && p.Line == inner.Line
		return !found
	})
	return found
}

// handlerAround returns the innermost try statement of which a handler contains a statement; nil for none.
func handlerAround(list []code.Stmt, inner *code.Stmt) *code.Stmt {
	var out *code.Stmt
	code.AllStmts(list, func(stmt *code.Stmt) {
		if stmt.Op != code.StmtTry {
			return
		}
		for i := range stmt.Arms {
			code.AllStmts(stmt.Arms[i].Body, func(s *code.Stmt) {
				if s == inner {
					out = stmt
				}
			})
		}
	})
	return out
}
