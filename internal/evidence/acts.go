package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// acts finds what exported functions, and the functions that they return, do to what they are given: the calls of parameters
// and of their methods whose result is not used, in order.
func (m *Module) acts(found func(Claim)) {
	for _, f := range m.Files {
		if f.Whole == nil || m.stopped() {
			continue
		}
		for i := range f.Whole.Functions {
			m.actsOf(f, &f.Whole.Functions[i], found)
		}
	}
}

// maxActs is the maximum number of acts of a function that are claimed: one with more is no simple sequence.
const maxActs = 16

// actsOf finds the acts of one body.
func (m *Module) actsOf(f *code.File, body *code.Body, found func(Claim)) {
	of := m.function(f.Path, body.In, body.Line)
	spans := m.returnedOf(f)
	at := slices.IndexFunc(spans, func(s span) bool { return s.body == body })
	if !m.isUsers(of, body) || at < 0 && isNested(f, body) {
		return
	}
	a := newActor(&m.reader, f, body, body.Params)
	if at >= 0 {
		a.params, a.later = spans[at].params, true
	}
	a.ownClosures(body)
	var list []Claim
	for _, p := range m.reader.Statements(f.Whole.Functions, body, a.isStep) {
		later := a.later || m.later(f, body.In, p.Stmt.Line)
		if (p.Use.Kind == code.UseArgument || p.Stmt.Op != code.StmtCall) && !later || m.registers(f.Path, p.Stmt.Line) {
			continue
		}
		when := Condition{All: m.withOrigins(f, body.In, p.Stmt.Line, m.withValues(of, p.When)), Partial: p.Partial, Later: later}
		for _, s := range m.stepsAt(a, &p, later) {
			list = append(list, Claim{Kind: Effect, Subject: body.In, Name: s.name, Role: s.role, Values: []string{s.text}, Text: s.more, When: []Condition{when}, At: []Place{{f.Path, p.Stmt.Line, ""}}})
		}
	}
	if len(list) <= maxActs {
		for _, c := range list {
			found(c)
		}
	}
}

// isUsers reports whether a body is that of a function which users call, other than a constructor.
func (m *Module) isUsers(of *resolve.Node, body *code.Body) bool {
	return of != nil && m.exported[of] != "" && !isConstructor(body.In)
}

// argumentOrigins returns where the variables come from that a call is given, "a = f(); b = g()"; "" for none.
func argumentOrigins(body *code.Body, language string, s *code.Stmt) string {
	var out []string
	for i := range s.Value.Args {
		if v := &s.Value.Args[i]; v.Kind == code.ValueName && isName(v.Text) {
			if text := originOf(body, language, v.Text, s.Line); text != "" {
				out = append(out, text)
			}
		}
	}
	return strings.Join(out, "; ")
}

// registers reports whether a line is the place of a route or topic, which has a claim of its own.
func (m *Module) registers(file string, line int) bool {
	return slices.ContainsFunc(m.claimed, func(c Claim) bool {
		return (c.Kind == Route || c.Kind == Topic || c.Kind == Service) && slices.ContainsFunc(c.At, func(p Place) bool { return p.File == file && p.Line == line })
	})
}

// actor selects the acts of a body.
type actor struct {
	reader  *paths.Reader
	file    *code.File
	body    *code.Body
	params  []string
	own     []string            // the parameters of the function itself, not of those around it
	used    map[*code.Stmt]bool // calls whose result is used
	answers map[*code.Stmt]sent
	later   bool
	bare    bool // a name by itself may be a call: Ruby
}

// newActor returns the actor of a body that is given some parameters.
func newActor(r *paths.Reader, f *code.File, body *code.Body, params []string) *actor {
	return &actor{reader: r, file: f, body: body, params: params, own: body.Params, used: usedCalls(body.Stmts), answers: sentAnswers(body.Stmts), bare: f.Language == "ruby"}
}

// ownClosures adds the parameters of the closures in a body of which a handler is made.
func (a *actor) ownClosures(body *code.Body) {
	code.AllStmts(body.Stmts, func(s *code.Stmt) {
		if s.Op == code.StmtClosure && makesHandler(s.Text) {
			a.own, a.params = slices.Concat(a.own, s.Params), slices.Concat(a.params, s.Params)
		}
	})
}

// isStep reports whether a statement may be an act, an answer, or the call of a function that acts.
func (a *actor) isStep(s *code.Stmt) bool {
	return a.isAct(s) || a.mayAnswer(s) || a.mayBeHelped(s) || a.reported(s) != ""
}

// step is one act or answer.
type step struct {
	role, name, text, more string // as in a [Claim]
	returned               bool   // an answer that the function returns
}

// stepsAt returns what a statement does: what it answers, what it does to what the function is given, or what the called
// function does.
func (m *Module) stepsAt(a *actor, p *paths.Place, later bool) []step {
	if later {
		if s, ok := a.answer(p); ok {
			return []step{s}
		}
	}
	if a.isAct(p.Stmt) {
		text := written(p.Stmt.Value, a.file.Language)
		if (text == "" || strings.Contains(text, "…")) && p.Stmt.Source != "" {
			text = unbroken.Replace(p.Stmt.Source)
		}
		if text != "" {
			return []step{{role: Called, name: callee(p.Stmt.Value), text: text, more: argumentOrigins(a.body, a.file.Language, p.Stmt)}}
		}
		return nil
	}
	if text := a.reported(p.Stmt); text != "" {
		return []step{{role: Called, name: callee(p.Stmt.Value), text: text}}
	}
	if later && a.mayBeHelped(p.Stmt) {
		return m.helped(a, p.Stmt)
	}
	return nil
}

// isAct reports whether a statement is a call of a parameter, or of a method of one. One whose result is used is only if the
// parameter itself is called.
func (a *actor) isAct(s *code.Stmt) bool {
	if s.Value == nil || s.Value.Kind != code.ValueCall || s.Op == code.StmtCall && a.used[s] {
		return false
	}
	root, rest := rootOf(s.Value.Text)
	if !a.given(root) || isLogging(s.Value.Text) {
		return false
	}
	switch s.Op {
	case code.StmtCall:
		return rest == "" && !a.bare || rest != "" && changesState(s.Value.Text)
	case code.StmtReturn, code.StmtAssign:
		return rest == "" && !a.bare || slices.Contains(handing, lastName(s.Value.Text))
	default:
		return false
	}
}

// reports are the last names of functions that end what is done with a message, or warn.
var reports = []string{"fail", "xfail", "skip", "abort", "die", "bail", "warn", "warn_explicit", "trigger_error", "deprecate"}

// reported returns the call by which a statement reports something to users, with the first line of its message; "" for
// others.
func (a *actor) reported(s *code.Stmt) string {
	if s.Op != code.StmtCall || s.Value == nil || s.Value.Kind != code.ValueCall || isLogging(s.Value.Text) {
		return ""
	}
	name := callee(s.Value)
	if owner := name[:max(strings.LastIndexAny(name, ".:>\\"), 0)]; !slices.Contains(reports, name[strings.LastIndexAny(name, ".:>\\")+1:]) || slices.Contains(selves, owner) {
		return ""
	}
	text := written(s.Value, a.file.Language)
	if len(s.Value.Args) == 0 || s.Value.Args[0].Kind != code.ValueString {
		return text
	}
	message, _, more := strings.Cut(strings.ReplaceAll(s.Value.Args[0].Text, `\n`, "\n"), "\n")
	if !more && len(text) > len(name)+len("(…)") {
		return text
	}
	return name + "(" + quoted(strings.TrimSuffix(message, "…")+"…", a.file.Language) + ")"
}

// handing are the names of methods that hand a request on.
var handing = []string{"call", "handle", "proceed", "process", "ServeHTTP", "RoundTrip", "invoke", "next"}

// effectVerbs begin the names of methods that are called for what they change.
var effectVerbs = strings.Fields(`accept add answer append attach begin call cancel clear close commit complete consume count decrement delete destroy detach dispatch
 emit end enqueue enter error exit fail fire flush handle header increment insert invoke json leave lock next notify on onto open pipe pop post prepend proceed process
 publish push put raise redirect register reject release remove render reply report reset resolve respond rewind rollback run save schedule seek send serve set shift
 signal start status stop store subscribe throw trigger truncate unlock unregister unset unshift unsubscribe update use vary wait warn write yield`)

// changesState reports whether a method is called for what it changes, by the first word of its name.
func changesState(name string) bool {
	words := nameWords(name[strings.LastIndexAny(name, ".>:")+1:])
	return len(words) > 0 && !strings.HasSuffix(name, "?") && slices.Contains(effectVerbs, strings.TrimRight(words[0], "!"))
}

// isNested reports whether a body is inside another one of the same symbol.
func isNested(f *code.File, body *code.Body) bool {
	return body.Use.Kind != "" || body.Name != "" || slices.ContainsFunc(f.Whole.Functions, func(b code.Body) bool {
		return b.In == body.In && b.Line <= body.Line && body.End <= b.End && b.At < body.At && b.End > 0
	})
}

// given reports whether a name is that of a parameter.
func (a *actor) given(name string) bool {
	return name != "" && !slices.Contains(selves, name) && slices.ContainsFunc(a.params, func(p string) bool { return strings.TrimLeft(p, "$*&.") == name })
}

// rootOf splits a callee after its first name.
func rootOf(text string) (root, rest string) {
	text = strings.TrimLeft(text, "$*&(")
	end := strings.IndexFunc(text, func(c rune) bool {
		return c == '.' || c == '-' || c == ':' || c == '(' || c == '?' || c == '[' || c == '!'
	})
	if end < 0 {
		return text, ""
	}
	return text[:end], text[end:]
}

// isLogging reports whether a call only writes a log.
func isLogging(name string) bool {
	return slices.ContainsFunc(nameWords(name), func(w string) bool { return w == "log" || w == "logger" || w == "console" || w == "debug" })
}

// usedCalls returns the calls whose result the next statement uses: an assignment or a return of them.
func usedCalls(list []code.Stmt) map[*code.Stmt]bool {
	out := map[*code.Stmt]bool{}
	markUsed(list, out)
	return out
}

func markUsed(list []code.Stmt, out map[*code.Stmt]bool) {
	for i := range list {
		s := &list[i]
		if s.Op == code.StmtCall && s.Value != nil && i+1 < len(list) {
			next := &list[i+1]
			if (next.Op == code.StmtAssign || next.Op == code.StmtReturn || next.Op == code.StmtError) && mentionsCall(next, s.Value) {
				out[s] = true
			}
		}
		markUsed(s.Body, out)
		markUsed(s.Else, out)
		for j := range s.Arms {
			markUsed(s.Arms[j].Body, out)
		}
	}
}

// mentionsCall reports whether the value of a statement is a call or has it.
func mentionsCall(s *code.Stmt, call *code.Value) bool {
	v := s.Value
	if s.Exit != nil {
		v = &s.Exit.Value
	}
	if v == nil {
		return false
	}
	found := false
	v.All(func(part *code.Value) bool {
		found = found || part.Kind == code.ValueCall && cmp.Compare(part.Text, call.Text) == 0 && part.Line == call.Line
		return !found
	})
	return found
}
