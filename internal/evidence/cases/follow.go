package cases

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/reach"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// touch is a use of an export of the module.
type touch struct {
	*declared
	distance int // 0 in the test's own body; see [reach.Reached]
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

// touched returns the module's symbols that a test reaches, nearest first.
func (c *Case) touched() []touch {
	e := c.file.exports
	t := reach.Test{File: c.file.Path, Span: resolve.Span{First: c.Line, Last: c.EndLine}}
	for _, inner := range c.inner {
		t.Inner = append(t.Inner, resolve.Span{First: inner.Line, Last: inner.EndLine})
	}
	if c.by != nil {
		t.Span, t.Inner = resolve.Span{First: c.by.sym.StartLine, Last: c.by.sym.EndLine}, nil
	}
	var out []touch
	at := map[*declared]bool{}
	c.reached, c.ran = e.finder.Of(t)
	for _, r := range c.reached {
		for _, d := range e.used(r.Node) {
			if !at[d] && (r.Called || isFunction(d.sym)) {
				at[d] = true
				out = append(out, touch{d, r.Distance, r.As, r.Selected})
			}
		}
	}
	return out
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
