package cases

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

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
			c.by, c.calls, c.steps = fn, fn.calls, fn.steps
			return
		}
	}
}

// maxHelpers is how deep calls to a test's helpers are followed.
const maxHelpers = 4

// touched returns the module's symbols that a test uses, those in its own body first.
func (t *testFile) touched(c *Case) []touch {
	s := t.scope(strings.TrimSuffix(c.owner(), "."))
	if c.by != nil {
		s = t.inside(c.by)
	}
	for _, step := range c.above() {
		s.assign(step.Text)
	}
	for _, step := range c.steps {
		s.assign(step.Text)
	}
	w := &walk{file: t, seen: map[string]bool{}, at: map[*declared]bool{}}
	w.calls(s, c.calls, 0)
	w.handed(s, c.steps)
	slices.SortStableFunc(w.out, func(a, b touch) int { return boolOrder(b.direct) - boolOrder(a.direct) })
	return w.out
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

// scope returns the scope of a function of the file, given the name of its owner.
func (t *testFile) scope(owner string) *scope {
	return &scope{surface: t.surface, imports: t.imports, dotted: t.dotted, vars: map[string]meaning{}, self: t.surface.typeNamed(owner)}
}

// walk follows the calls of a test into helpers.
type walk struct {
	file *testFile
	seen map[string]bool // functions of the file
	at   map[*declared]bool
	out  []touch
}

func (w *walk) calls(s *scope, calls []code.Call, depth int) {
	for _, c := range calls {
		d := s.resolve(w.file, c)
		switch {
		case d == nil:
		case w.file.module.exports(d):
			if !w.at[d] {
				w.at[d] = true
				w.out = append(w.out, touch{d, depth == 0, c})
			}
		case depth < maxHelpers && !w.seen[d.name]:
			w.seen[d.name] = true
			if fn := w.file.functions[d.name]; fn != nil && w.file.Test {
				w.calls(w.file.inside(fn), fn.calls, depth+1)
			}
		}
	}
}

// handed adds functions that a test passes as arguments.
func (w *walk) handed(s *scope, steps []code.Step) {
	for _, step := range steps {
		_, args, ok := strings.Cut(step.Text, "(")
		if !ok {
			continue
		}
		for _, arg := range splitArgs(strings.TrimSuffix(args, ")")) {
			if strings.TrimFunc(arg, func(c rune) bool { return isNameRune(c) || c == '.' || c == ':' }) != "" || nameAt(arg) == "" {
				continue
			}
			if m := s.eval(arg); m.is == isFunction && isCallable(m.d) && w.file.module.exports(m.d) && !w.at[m.d] {
				w.at[m.d] = true
				w.out = append(w.out, touch{m.d, true, code.Call{Name: LastName(m.d.name), Line: step.Line}})
			}
		}
	}
}

// inside returns the scope of a function: its parameters and variables.
func (t *testFile) inside(fn *function) *scope {
	s := t.scope(ownerOf(fn.name))
	for _, p := range fn.sym.Params {
		if p.Type != "" {
			s.vars[p.Name] = s.typed(p.Type)
		}
	}
	for _, step := range fn.steps {
		s.assign(step.Text)
	}
	return s
}

// ownerOf returns the qualified name without its last part; "" at top level.
func ownerOf(name string) string { return name[:max(0, strings.LastIndexByte(name, '.'))] }

// exports reports whether a declaration is usable from outside.
func (s *surface) exports(d *declared) bool { return slices.Contains(s.byLast[LastName(d.name)], d) }

// resolve returns the declaration that a call refers to, or nil if the text does not show it.
func (s *scope) resolve(t *testFile, c code.Call) *declared {
	if c.Receiver == "" {
		return s.bare(t, c)
	}
	m := s.eval(c.Receiver)
	if strings.HasPrefix(c.Receiver, "…") {
		m = meaning{}
	}
	if m.is == isUnknown {
		return s.guess(c)
	}
	if m = s.memberOf(m, c.Name); m.is == isFunction || m.is == isType {
		return m.d
	}
	return nil
}

// bare resolves a call without a receiver.
func (s *scope) bare(t *testFile, c code.Call) *declared {
	if m, local := s.vars[c.Name]; local {
		if m.is != isType && m.is != isFunction {
			return nil
		}
		return m.d // under an alias
	}
	if m, ok := s.imports[c.Name]; ok && m.is != isForeign {
		return m.d
	}
	if s.self != nil {
		if d := s.member(s.self, c.Name); d != nil {
			return d
		}
	}
	d := s.topLevel(c.Name)
	if d == nil && c.New {
		d = s.typeNamed(c.Name)
	}
	if d == nil || s.module(d) && !t.sees() {
		return nil
	}
	return d
}

// module reports whether a declaration belongs to the module, not to the test's file.
func (s *scope) module(d *declared) bool {
	return s.around != nil && s.top[d.name] != d
}

// sees reports whether unqualified names of the module are visible in a file without importing
// them.
func (t *testFile) sees() bool {
	switch {
	case t.Language == "go" && strings.HasSuffix(t.Package, "_test"):
		return slices.ContainsFunc(t.Imports, func(i code.Import) bool { return i.Namespace == "." })
	case importsNames(t.Language):
		return len(t.Imports) == 0 || slices.ContainsFunc(t.Imports, func(i code.Import) bool { return slices.Contains(i.Named, "*") })
	}
	return true
}

// leastWord is the length of a distinctive word; the "to" of to_a is not one.
const leastWord = 3

// guess resolves a method call on an unknown receiver to the only method of the module with
// that name, if the name has several words and is therefore unlikely to be ambiguous.
func (s *scope) guess(c code.Call) *declared {
	words := strings.Fields(wordsOf(c.Name))
	if long := slices.DeleteFunc(words, func(w string) bool { return len(w) < leastWord }); len(long) < 2 {
		return nil
	}
	module := s.surface
	for module.around != nil {
		module = module.around
	}
	list := module.byLast[c.Name]
	if len(list) != 1 || !strings.Contains(list[0].name, ".") || !isCallable(list[0]) {
		return nil
	}
	return list[0]
}
