package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
)

// maxHelped is the maximum number of acts of a called function that are claimed in place of the call.
const maxHelped = 3

// mayBeHelped reports whether a statement calls a function by its plain name, which may act for the caller.
func (a *actor) mayBeHelped(s *code.Stmt) bool {
	return (s.Op == code.StmtCall && !a.used[s] || s.Op == code.StmtReturn) && s.Value != nil && s.Value.Kind == code.ValueCall &&
		isName(s.Value.Text) && !a.given(s.Value.Text) && !isLogging(s.Value.Text)
}

// helped returns what a function does that is called: its acts with the arguments in place of its parameters. If these depend
// on conditions, or on what only the function knows, it is the call as written.
func (m *Module) helped(a *actor, s *code.Stmt) []step {
	f, helper, local := m.helper(a, s.Value)
	if helper == nil {
		return nil
	}
	inner := newActor(&m.reader, f, helper, nil)
	bound := bindings{args: map[string]*code.Value{}, unknown: map[string]bool{}}
	bound.read(helper, s.Value)
	inner.params = a.passed(&bound, helper, local)
	inner.own = inner.params
	if local {
		inner.own = append(slices.Clone(a.own), inner.params...)
	}
	out, plain := inner.told(&bound, s.Op == code.StmtReturn)
	if len(out) == 0 || plain && len(out) <= maxHelped {
		return out
	}
	if text := written(s.Value, a.file.Language); text != "" {
		return []step{{role: Called, name: callee(s.Value), text: text, more: argumentOrigins(a.body, a.file.Language, s)}}
	}
	return nil
}

// told returns the acts of a called function in the words of its caller, and whether it always does them and these words tell
// all. Answers that it only returns count if the caller returns them.
func (a *actor) told(bound *bindings, passedOn bool) (out []step, plain bool) {
	plain = true
	for _, p := range a.reader.Statements(a.file.Whole.Functions, a.body, func(s *code.Stmt) bool { return a.isAct(s) || a.mayAnswer(s) }) {
		s, ok := a.answer(&p)
		var known bool
		switch {
		case ok && s.returned && !passedOn:
			continue
		case ok:
			known = a.putAnswer(&s, &p, bound)
		case a.isAct(p.Stmt):
			var put code.Value
			put, known = bound.put(p.Stmt.Value)
			s = step{role: Called, name: callee(&put), text: written(&put, a.file.Language)}
		default:
			continue
		}
		out = append(out, s)
		plain = plain && known && s.text != "" && len(p.When) == 0 && !p.Partial && p.Use.Kind != code.UseArgument
	}
	return out, plain
}

// putAnswer says an answer of a called function in the words of its caller; it reports whether these tell all.
func (a *actor) putAnswer(s *step, p *paths.Place, bound *bindings) bool {
	value, status := p.Stmt.Value, (*code.Value)(nil)
	if p.Stmt.Op == code.StmtAnswer {
		value, status = &p.Stmt.Answer.Value, p.Exit.Given
	} else {
		status, _ = a.responds(p.Stmt)
	}
	put, known := bound.put(value)
	s.text = written(&put, a.file.Language)
	if s.name == "" && status != nil {
		if given, ok := bound.put(status); ok {
			s.name = statusGivenBy(&given)
		}
	}
	if text := messageGiven(&put); text != "" {
		s.more = text
	} else if bound.mentioned(s.more) {
		s.more = ""
	}
	return known
}

// passed returns the names that mean in a called function what the caller is given: the parameters that it passes and, of a
// function declared in the caller, the caller's own.
func (a *actor) passed(bound *bindings, helper *code.Body, local bool) []string {
	var out []string
	for _, p := range helper.Params {
		if v := bound.args[p]; v != nil && v.Kind == code.ValueName {
			if root, _ := rootOf(v.Text); a.given(root) {
				out = append(out, p)
			}
		}
	}
	for _, p := range a.params {
		if local && !slices.Contains(helper.Params, p) && !bound.unknown[p] {
			out = append(out, p)
		}
	}
	return out
}

// helper returns the function of the module that a call by a plain name calls, and whether it is declared in the functions
// around the call; nil for others and if several have the name.
func (m *Module) helper(a *actor, call *code.Value) (f *code.File, helper *code.Body, local bool) {
	for i := range a.file.Whole.Functions {
		b := &a.file.Whole.Functions[i]
		if b.Name != call.Text || b.In != a.body.In || b == a.body || !surrounds(around(a.file, b), a.body) {
			continue
		}
		if helper != nil {
			return nil, nil, false
		}
		helper = b
	}
	if helper != nil {
		return a.file, helper, true
	}
	f, helper = m.called(a, call)
	return f, helper, false
}

// around returns the innermost body of the same symbol that has another one in it; nil for none.
func around(f *code.File, b *code.Body) *code.Body {
	var out *code.Body
	for i := range f.Whole.Functions {
		if o := &f.Whole.Functions[i]; o != b && o.In == b.In && surrounds(o, b) && (out == nil || o.At > out.At) {
			out = o
		}
	}
	return out
}

// surrounds reports whether a body is another one or has it in it.
func surrounds(o, b *code.Body) bool {
	return o != nil && (o == b || o.At < b.At && b.End <= o.End)
}

// called returns the body of the function of the module, without a receiver, that a call means.
func (m *Module) called(a *actor, call *code.Value) (*code.File, *code.Body) {
	of := m.function(a.file.Path, a.body.In, a.body.Line)
	for _, n := range m.links.Linked(a.file.Path) {
		if n.Outer() != of {
			continue
		}
		for _, u := range m.links.Calls(n) {
			to := u.To
			if u.Line != call.Line || u.Name != call.Text || u.Selected || to.Owner() != "" || !m.files[to.File] {
				continue
			}
			return m.bodyOf(to.File, to.Path())
		}
	}
	return nil, nil
}

// bodyOf returns the body of the only function of a file with a name.
func (m *Module) bodyOf(file, name string) (f *code.File, body *code.Body) {
	for _, f = range m.Files {
		if f.Path != file || f.Whole == nil {
			continue
		}
		for i := range f.Whole.Functions {
			b := &f.Whole.Functions[i]
			if b.In != name || isNested(f, b) {
				continue
			}
			if body != nil {
				return nil, nil
			}
			body = b
		}
		return f, body
	}
	return nil, nil
}

// bindings are what the names in a called function are for its caller.
type bindings struct {
	args    map[string]*code.Value
	unknown map[string]bool // variables of the function, and parameters that are not given or that it changes
}

// read reads the parameters and variables of a called function.
func (b *bindings) read(helper *code.Body, call *code.Value) {
	named := slices.ContainsFunc(call.Args, func(v code.Value) bool {
		return v.Name != "" || strings.HasPrefix(v.Text, "...") || strings.HasPrefix(v.Text, "*")
	})
	for i, p := range helper.Params {
		if i < len(call.Args) && !named && isName(p) {
			b.args[p] = &call.Args[i]
		} else {
			b.unknown[p] = true
		}
	}
	code.AllStmts(helper.Stmts, func(s *code.Stmt) {
		if s.Op != code.StmtAssign {
			return
		}
		for name := range strings.SplitSeq(s.Text, ",") {
			if name = strings.TrimSpace(name); isName(name) {
				b.unknown[name] = true
				delete(b.args, name)
			}
		}
	})
}

// put returns a value of a called function with the arguments in place of its parameters; it reports whether all is known.
func (b *bindings) put(v *code.Value) (code.Value, bool) {
	out := *v
	ok := true
	switch v.Kind {
	case code.ValueName, code.ValueCall:
		root, rest := rootOf(v.Text)
		if arg := b.args[root]; arg != nil && v.Kind == code.ValueName && v.Text == root {
			out = *arg
			out.Name = v.Name
			return out, true
		} else if arg != nil {
			ok = arg.Kind == code.ValueName && strings.HasPrefix(v.Text, root)
			out.Text = arg.Text + rest
		}
		ok = ok && !b.unknown[root] && !b.mentioned(rest)
	case code.ValueNumber, code.ValueFunction:
	case code.ValueString:
		ok = !strings.ContainsAny(v.Text, "{") || !b.mentioned(v.Text)
	default:
		ok = !b.mentioned(v.Text)
	}
	out.Args = slices.Clone(v.Args)
	for i := range out.Args {
		var known bool
		out.Args[i], known = b.put(&v.Args[i])
		ok = ok && known
	}
	return out, ok
}

// mentioned reports whether a text names a parameter or variable of the function.
func (b *bindings) mentioned(text string) bool {
	for name := range b.args {
		if code.Mentions(text, name) {
			return true
		}
	}
	for name := range b.unknown {
		if code.Mentions(text, name) {
			return true
		}
	}
	return false
}
