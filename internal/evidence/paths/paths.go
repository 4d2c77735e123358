// Package paths works out under which condition a function ends with an error: the path
// condition of each exit, from the control flow in [code.Body]. A path condition is a
// conjunction of terms: the conditions around the exit, and the negated conditions of the
// exits before it. The entry point is [Exits]. The package knows no syntax; texts are those
// of the source.
package paths

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Exit is a place where a function ends with an error.
type Exit struct {
	In    string // the enclosing symbol, "Type.method"
	Use   code.Use
	Kind  code.ExitKind
	Error string // the type constructed, the variable returned, or the function that builds the error
	By    string // the call or macro that raises the error when Error does not name it; else ""
	// Message is the message text as written between its quotes; concatenated parts are "…".
	// "" if there is none.
	Message string
	Status  string // the HTTP status or the code, where it is a literal; else ""
	// Details are the other texts that the error is made with.
	Details []string
	Line    int // of the statement
	// MessageLine is the line of the message; 0 if it is elsewhere.
	MessageLine int
	// MessagePart is the literal on that line, if the message is made of several.
	MessagePart string
	When        []Term // all must hold; none if the exit is unconditional
	// Partial is set if there are conditions that no term expresses: the terms are necessary,
	// not sufficient.
	Partial bool
	// Value is the error as the function makes it, also if a variable holds it.
	Value *code.Value
	// Call is the call of the module's own function that makes or raises the error; nil if the statement does.
	Call *code.Value
	// PassesOn is set if the exit only returns the error of another call.
	PassesOn bool
	// Answer is set if it is no error: the function answers a request. Status is then that of the answer, of any
	// class; "" if it is not given or not constant. Given is the status as written; nil if the framework's default
	// applies.
	Answer *code.Answer
	Given  *code.Value
	// Beside are the results beside the error, as written; Go only.
	Beside []string
}

// Term is one condition.
type Term struct {
	Text  string `json:"text"`
	Where string `json:"where,omitempty"` // the assignment of a variable in the text, as written; "" if not needed
	// Origin is the assignments of a variable in the text that are not right before it; "" if they are not known.
	Origin string `json:"origin,omitempty"`
	// Cond is the condition that Text writes, in negation normal form; nil if only its text is known.
	Cond *code.Cond `json:"-"`
}

// String returns the term as text.
func (t Term) String() string {
	if t.Where == "" {
		return t.Text
	}
	return t.Text + " where " + t.Where
}

// Exits returns the error exits of each file of a module, in the order of their bodies. An error that is assigned to a
// variable is one if every way from there ends with a return of the variable.
func Exits(files [][]code.Body) [][]Exit {
	m := newModule(files)
	out := make([][]Exit, len(files))
	for i, bodies := range files {
		for j := range bodies {
			w := &walker{module: m, body: &bodies[j], use: bodies[j].Use}
			w.assigned = w.kept
			w.block(bodies[j].Stmts, path{})
			out[i] = append(out[i], slices.DeleteFunc(w.out, func(x Exit) bool { return x.Answer != nil })...)
		}
	}
	return out
}

// walker follows the paths through one body.
type walker struct {
	module   *module
	body     *code.Body
	use      code.Use // of the function or of the closure inside it
	out      []Exit
	changes  []change
	clock    int
	handlers [][]code.Arm // of the try statements around, innermost last
	bindings []binding
	assigned func(s *code.Stmt, p path)  // called for every assignment
	reached  func(s *code.Stmt, p path)  // called for every statement; may be nil
	exited   func(s *code.Stmt, x *Exit) // called for every error exit; may be nil
}

// change is an assignment.
type change struct {
	name string
	at   int
}

// path is the conditions under which a statement is reached.
type path struct {
	steps   []cond
	partial bool
}

// with returns the path after a further condition.
func (p path) with(c cond) path {
	out := path{append([]cond(nil), p.steps...), p.partial}
	switch {
	case isUnknown(c):
		out.partial = true
	case c.op == code.CondAnd:
		for _, a := range c.args {
			out = out.with(a)
		}
	default:
		out.steps = append(out.steps, c)
	}
	if len(out.steps) > maxSteps {
		out.steps, out.partial = out.steps[len(out.steps)-maxSteps:], true
	}
	return out
}

// maxSteps is the maximum number of conditions kept of a path.
const maxSteps = 24

// result says how control leaves a list of statements. Its conditions are relative to the
// start of the list.
type result struct {
	ends   cond // the end is reached
	leaves cond // the function is left, or a loop around
	breaks bool // the nearest loop or switch may be left
	labels []string
	passed []string // the error variables that the list ends by passing on
}

func ending() result { return result{ends: always(), leaves: never()} }

// block follows a list of statements.
func (w *walker) block(list []code.Stmt, p path) result {
	r := ending()
	bound := len(w.bindings)
	defer func() { w.leave(bound) }()
	for i := range list {
		s := w.statement(&list[i], p)
		r.leaves = or(r.leaves, and(r.ends, s.leaves))
		r.ends = and(r.ends, s.ends)
		r.breaks, r.labels = r.breaks || s.breaks, append(r.labels, s.labels...)
		if isNever(s.ends) {
			r.ends, r.passed = never(), s.passed
			break
		}
		if !isAlways(s.ends) {
			p = p.with(s.ends)
		}
	}
	return r
}

// statement follows one statement.
func (w *walker) statement(s *code.Stmt, p path) result {
	w.clock++
	if w.reached != nil {
		w.reached(s, p)
	}
	switch s.Op {
	case code.StmtBlock:
		return w.block(s.Body, p)
	case code.StmtIf:
		return w.branch(s, p)
	case code.StmtLoop:
		return w.loop(s, p)
	case code.StmtSwitch, code.StmtSelect:
		return w.choice(s, p)
	case code.StmtTry:
		return w.try(s, p)
	case code.StmtReturn:
		return w.returned(s, p)
	case code.StmtError:
		return w.exit(s, p, s.Exit, nil)
	case code.StmtBreak, code.StmtNext:
		return jump(s)
	case code.StmtAssign:
		w.assign(s)
		w.bind(s)
		w.assigned(s, p)
	case code.StmtCall:
		return w.called(s, p)
	case code.StmtAnswer:
		w.answer(s, p)
	case code.StmtClosure:
		return w.closure(s, p)
	case code.StmtUnknown:
		return result{ends: cond{}, leaves: never()}
	default: // a result: the statement after it ends the function
	}
	return ending()
}

// closure follows a closure that is an argument. One with a label may end the function around
// it, as a loop does.
func (w *walker) closure(s *code.Stmt, p path) result {
	use := w.use
	w.use = code.Use{Kind: code.UseArgument, Of: s.Text}
	body := w.block(s.Body, p)
	w.use = use
	r := ending()
	if s.Label != "" && !isNever(body.leaves) {
		around := &code.Stmt{Text: s.Label}
		r.ends, r.leaves = w.afterLoop(around, body), and(cond{op: code.CondAtom, text: "for " + s.Label, at: w.clock}, body.leaves)
	}
	return r
}

// jump is the result of a break or continue.
func jump(s *code.Stmt) result {
	r := result{ends: never(), leaves: never(), breaks: s.Op == code.StmtBreak && s.Text == ""}
	if s.Text != "" {
		r.leaves, r.labels = always(), []string{s.Text}
	}
	return r
}

// assign records the change of the variables of an assignment.
func (w *walker) assign(s *code.Stmt) {
	nameOf := code.AssignedTarget
	if w.body.Bare {
		nameOf = code.AssignedName
	}
	for name := range strings.SplitSeq(s.Text, ",") {
		if name = nameOf(name); name != "" && name != "_" {
			w.changes = append(w.changes, change{name, w.clock})
		}
	}
}

// branch follows an if statement.
func (w *walker) branch(s *code.Stmt, p path) result {
	before := len(w.changes)
	c := given(s.Cond, s, w.clock)
	then := w.block(s.Body, p.with(c))
	made := w.apart(before, then)
	other := w.block(s.Else, p.with(not(c)))
	w.changes = append(w.changes, append(made, w.apart(before, other)...)...)
	success := c // with no error to pass on
	for _, name := range then.passed {
		success = without(success, name)
	}
	r := result{breaks: then.breaks || other.breaks, labels: append(then.labels, other.labels...)}
	r.ends = chosen(success, then.ends, other.ends)
	r.leaves = or(and(success, then.leaves), and(not(c), other.leaves))
	if isNever(r.ends) {
		r.passed = append(then.passed, other.passed...)
	}
	return r
}

// apart removes the changes since there were n, those of one branch: the others do not see
// them. It returns those that matter after the branch.
func (w *walker) apart(n int, r result) []change {
	made := slices.Clone(w.changes[n:])
	w.changes = w.changes[:n]
	if isNever(r.ends) && !r.breaks && len(r.labels) == 0 {
		return nil
	}
	return made
}

// chosen returns the condition that then holds if c does, and other if not.
func chosen(c, then, other cond) cond {
	switch {
	case isAlways(then) && isAlways(other):
		return always()
	case isAlways(other):
		return or(not(c), then)
	case isAlways(then):
		return or(c, other)
	}
	return or(and(c, then), and(not(c), other))
}

// loop follows a loop.
func (w *walker) loop(s *code.Stmt, p path) result {
	w.carried(s.Body)
	w.clock++
	header := w.header(s)
	body := w.block(s.Body, p.with(header))
	r := ending()
	for _, l := range body.labels {
		if l != s.Label || l == "" {
			r.labels = append(r.labels, l)
		} else {
			body.breaks = true
		}
	}
	r.ends, r.leaves = w.afterLoop(s, body), and(header, body.leaves)
	if isNever(r.ends) && !isNever(r.leaves) { // an endless loop that leaves
		r.leaves = always()
	}
	w.clock++
	if len(s.Else) > 0 { // runs unless the loop was left by break
		through := r.ends
		if body.breaks {
			through = cond{}
		}
		other := w.block(s.Else, p.with(through))
		r.leaves = or(r.leaves, and(through, other.leaves))
		if !isAlways(r.ends) || !isAlways(other.ends) {
			r.ends = cond{}
		}
	}
	return r
}

// carried records what the body of a loop may have changed in an earlier round.
func (w *walker) carried(list []code.Stmt) {
	if leavesLoop(list) {
		return
	}
	for i := range list {
		s := &list[i]
		if s.Op == code.StmtAssign {
			w.assign(s)
		}
		w.carried(s.Body)
		w.carried(s.Else)
		for j := range s.Arms {
			w.carried(s.Arms[j].Body)
		}
	}
}

// leavesLoop reports whether a list of statements ends with its function in every case.
func leavesLoop(list []code.Stmt) bool {
	if len(list) == 0 || list[len(list)-1].Op != code.StmtReturn && list[len(list)-1].Op != code.StmtError {
		return false
	}
	jumps := false
	code.AllStmts(list, func(s *code.Stmt) { jumps = jumps || s.Op == code.StmtBreak || s.Op == code.StmtNext })
	return !jumps
}

// afterLoop returns the condition under which control goes on after a loop.
func (w *walker) afterLoop(s *code.Stmt, body result) cond {
	switch {
	case s.Text == "" && s.Cond == nil && !body.breaks:
		return never()
	case isNever(body.leaves):
		return always()
	case body.breaks || s.Text == "" || hasUnknown(body.leaves):
		return cond{}
	}
	none := cond{op: code.CondAtom, text: "no " + s.Text, at: w.clock}
	if !isAlways(body.leaves) {
		none.text += ": " + textOf(body.leaves)
	}
	return none
}

// header returns the condition of a loop.
func (w *walker) header(s *code.Stmt) cond {
	switch {
	case s.Text != "":
		return cond{op: code.CondAtom, text: "for " + s.Text, at: w.clock}
	case s.Cond != nil:
		return read(s.Cond, w.clock)
	}
	return always()
}

// try follows a statement with handlers.
func (w *walker) try(s *code.Stmt, p path) result {
	w.handlers = append(w.handlers, s.Arms)
	r := w.block(s.Body, p)
	w.handlers = w.handlers[:len(w.handlers)-1]
	if len(s.Else) > 0 {
		other := w.block(s.Else, p.with(r.ends))
		r.leaves = or(r.leaves, and(r.ends, other.leaves))
		r.ends, r.breaks, r.labels = and(r.ends, other.ends), r.breaks || other.breaks, append(r.labels, other.labels...)
	}
	inBody := r.leaves
	left := true // whether all handlers leave
	goesOn := r.ends
	for i := range s.Arms {
		a := &s.Arms[i]
		text := strings.TrimSpace("catch " + strings.Join(a.Labels, ", "))
		c := cond{op: code.CondAtom, text: text, at: w.clock}
		if a.Guard != nil {
			c = and(c, read(a.Guard, w.clock))
		}
		h := w.block(a.Body, p.with(c))
		left = left && isAlways(h.leaves)
		goesOn = or(goesOn, and(c, h.ends))
		r.leaves = or(r.leaves, and(c, h.leaves))
		r.breaks, r.labels = r.breaks || h.breaks, append(r.labels, h.labels...)
	}
	r.ends = goesOn
	if !left && !isNever(inBody) {
		r.leaves = cond{}
	}
	return r
}
