package cases

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// touch is a use of an export of the module.
type touch struct {
	*declared
	direct bool // in the test's own body
	// what the test writes
	as       string // the name
	selected bool   // after a receiver
}

// delegate uses the body of a function in the file if the test does nothing but call it.
func (c *Case) delegate() {
	own := slices.DeleteFunc(slices.Clone(c.steps), isNoise)
	if len(own) != 1 || len(c.inner) > 0 || isAssertion(own[0]) {
		return
	}
	_, rest, ok := strings.Cut(own[0].Text, "(")
	if !ok {
		return
	}
	names := append([]string{nameAt(own[0].Text)}, splitArgs(strings.TrimSuffix(rest, ")"))...)
	slices.Reverse(names) // for run(t, testGet) this is testGet
	for _, name := range names {
		if fn := c.file.functions[name]; fn != nil && c.file.Test && len(fn.steps) > 1 && !c.holds(fn.sym.StartLine) {
			c.by, c.steps = fn, fn.steps
			return
		}
	}
}

// maxHelpers is how deep calls to a test's helpers are followed.
const maxHelpers = 4

// walk follows the uses of a test into helpers.
type walk struct {
	*exports
	seen map[*resolve.Node]bool // helpers
	at   map[*declared]bool
	out  []touch
}

// touched returns the module's symbols that a test uses, those in its own body first.
func (c *Case) touched() []touch {
	w := &walk{exports: c.file.exports, seen: map[*resolve.Node]bool{}, at: map[*declared]bool{}}
	first, last := c.Line, c.EndLine
	if c.by != nil {
		first, last = c.by.sym.StartLine, c.by.sym.EndLine
	}
	own := w.links.Within(c.file.Path, first, last)
	if c.by == nil && len(c.inner) > 0 {
		own = slices.DeleteFunc(slices.Clone(own), func(u resolve.Use) bool {
			return slices.ContainsFunc(c.inner, func(inner *Case) bool { return inner.holds(u.Line) })
		})
	}
	w.follow(own, 0)
	slices.SortStableFunc(w.out, func(a, b touch) int { return boolOrder(b.direct) - boolOrder(a.direct) })
	return w.out
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

// follow adds what some uses are of, and follows helpers: functions of test files.
func (w *walk) follow(uses []resolve.Use, depth int) {
	for _, u := range uses {
		called := u.Type == codegraph.Calls || u.Rule == resolve.Held
		if !called && (u.Type != codegraph.References || u.To.IsType()) || u.Rule == resolve.Implementation {
			continue
		}
		if u.To.Test && depth < maxHelpers && !w.seen[u.To] {
			w.seen[u.To] = true
			w.follow(w.inside(u.To), depth+1)
		}
		for _, d := range w.used(u.To) {
			if !w.at[d] && (called || isFunction(d.sym)) {
				w.at[d] = true
				w.out = append(w.out, touch{d, depth == 0, u.Name, u.Selected})
			}
		}
	}
}

// inside returns the uses in a function, with those in the functions and classes in it, or by the fields of a class.
func (w *walk) inside(n *resolve.Node) []resolve.Use {
	if n.IsType() {
		return w.links.Uses(n)
	}
	return w.links.Within(n.File, n.StartLine, n.EndLine)
}

// isFunction reports whether a symbol has a body that runs when it is used.
func isFunction(s *code.Symbol) bool {
	switch s.Kind {
	case code.Function, code.Method, code.Constructor, code.Macro, code.Getter, code.Setter:
		return true
	default:
		return false
	}
}

// ownerOf returns the qualified name without its last part; "" at top level.
func ownerOf(name string) string { return name[:max(0, strings.LastIndexByte(name, '.'))] }
