package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Handler is what answers an error that reaches the framework.
type Handler struct {
	Class  string        // the name of the error's class; it also handles derived classes
	Node   *resolve.Node // the function; nil if Answer is known
	Answer Answer
	Keeps  bool // the status is that of the error
}

// Site is a statement of a function.
type Site struct {
	File     *code.File
	Function *resolve.Node // nil for a function literal
	Body     *code.Body
	paths.Place
}

// Where returns the place of the statement.
func (s Site) Where() Place { return Place{s.File.Path, s.Stmt.Line} }

// outcome is how a function may end: by an answer, or by an error that its callers see.
type outcome struct {
	Answer
	class   string // of an error; "" for an answer
	made    *code.Value
	site    Site
	returns bool // an answer that is the function's result
}

// reader reads the endpoints of one framework.
type reader struct {
	*Project
	framework *Framework
	handlers  []Handler
	known     map[*resolve.Node][]outcome
	literals  map[*code.Body][]outcome // of function literals
	depth     int
	errors    func(at Site, class string, made *code.Value, a Answer) Answer
}

// maxDepth limits how deep calls are followed.
const maxDepth = 12

// outcomes returns the outcomes of a function, with those of the functions of the project that it calls, in the order of
// the source.
func (r *reader) outcomes(n *resolve.Node) []outcome {
	if n == nil || r.depth > maxDepth {
		return nil
	}
	if list, known := r.known[n]; known {
		return list
	}
	r.known[n] = nil // of a recursion
	file := r.File(n.File)
	body := r.bodyOf(n)
	if file == nil || body == nil {
		return nil
	}
	list := r.walk(file, n, body)
	r.known[n] = list
	return list
}

// literal returns the outcomes of a function literal.
func (r *reader) literal(file string, body *code.Body) []outcome {
	if list, known := r.literals[body]; known || r.depth > maxDepth {
		return list
	}
	r.literals[body] = nil
	list := r.walk(r.File(file), nil, body)
	r.literals[body] = list
	return list
}

// Ending is an answer that a step may give, and the statement that gives it.
type Ending struct {
	Answer
	Site Site
}

// endings returns the answers of a step.
func (r *reader) endings(s *Step) []Ending {
	var out []Ending
	for _, o := range r.outcomesOf(s) {
		if o.class == "" {
			out = append(out, Ending{o.Answer, o.site})
		}
	}
	return out
}

// outcomesOf returns the outcomes of the function of a step.
func (r *reader) outcomesOf(s *Step) []outcome {
	if s.Body != nil {
		return r.literal(s.At.File, s.Body)
	}
	return r.outcomes(s.Node)
}

// callsOf returns the calls in a body, in the order of the source; n is nil for a function literal.
func (r *reader) callsOf(file string, n *resolve.Node, body *code.Body) []resolve.Use {
	if body.End == 0 || n != nil && (IsFunction(n) || n.IsType()) {
		return r.Links.Calls(n)
	}
	list := slices.Clone(r.Links.Within(file, body.Line, body.End))
	return slices.DeleteFunc(list, func(u resolve.Use) bool { return u.Type != codegraph.Calls })
}

// walk returns the outcomes of a body.
func (r *reader) walk(file *code.File, n *resolve.Node, body *code.Body) []outcome {
	r.depth++
	defer func() { r.depth-- }()
	var out []outcome
	places := paths.Statements(file.Bodies.Functions, body, func(*code.Stmt) bool { return true })
	calls := r.callsOf(file.Path, n, body)
	for i := range places {
		next := body.Line + 1<<20
		if i+1 < len(places) {
			next = places[i+1].Stmt.Line
		}
		site := Site{file, n, body, places[i]}
		for len(calls) > 0 && (calls[0].Line < next || i == len(places)-1) {
			if calls[0].Line >= body.Line {
				out = append(out, r.called(site, calls[0].To)...)
			}
			calls = calls[1:]
		}
		out = append(out, r.own(site)...)
	}
	return out
}

// bodyOf returns the body of a function, or of the constructor of a type.
func (r *reader) bodyOf(n *resolve.Node) *code.Body {
	if !n.IsType() {
		return r.Body(n)
	}
	for _, m := range r.Links.Linked(n.File) {
		if IsFunction(m) && m.Owner() == n.Path() && (m.Name == "__init__" || m.Name == "constructor" || m.Name == n.Name) {
			return r.Body(m)
		}
	}
	return nil
}

// own returns the outcome that a statement makes itself.
func (r *reader) own(site Site) []outcome {
	out := r.inner(site)
	if o, ok := r.ends(site); ok {
		out = append(out, o)
	}
	return out
}

// inner returns the outcomes of the calls inside a statement that the framework knows.
func (r *reader) inner(site Site) []outcome {
	v := site.Stmt.Value
	if r.framework.Called == nil || v == nil {
		return nil
	}
	var out []outcome
	v.All(func(call *code.Value) bool {
		if call.Kind == code.ValueCall {
			if r.framework.Follows != nil {
				for _, n := range r.framework.Follows(r.Project, site, call) {
					out = append(out, r.called(site, n)...)
				}
			}
			if a, ok := r.framework.Called(r.Project, site, call); ok && !r.caught(a.Error, site.Try) {
				if a.At == (Place{}) {
					a.At = Place{site.File.Path, call.Line}
				}
				out = append(out, outcome{Answer: a, class: a.Error, site: site})
			}
		}
		return true
	})
	return out
}

// ends returns the outcome with which a statement ends the function.
func (r *reader) ends(site Site) (outcome, bool) {
	s := site.Stmt
	if s.Op == code.StmtError {
		if site.Exit == nil || s.Exit.Kind == code.Fails && r.framework.Raised == nil { // caught on the spot
			return outcome{}, false
		}
		class := r.classOf(site, Last(site.Exit.Error))
		if site.Exit.PassesOn {
			return outcome{}, false
		}
		return outcome{Answer: Answer{Error: class, Message: site.Exit.Message, At: site.Where()}, class: class, made: site.Exit.Value, site: site}, true
	}
	if s.Op == code.StmtAnswer && s.Answer.Passes {
		return passed(site)
	}
	if r.framework.Answered == nil || s.Op != code.StmtReturn && s.Op != code.StmtCall && s.Op != code.StmtAnswer {
		return outcome{}, false
	}
	a, ok := r.framework.Answered(r.Project, site)
	if !ok {
		return outcome{}, false
	}
	if a.At == (Place{}) {
		a.At = site.Where()
	}
	return outcome{Answer: a, site: site, returns: s.Op == code.StmtReturn}, true
}

// classOf returns the class of the error that a statement throws; named is what it calls or names. A function of the project
// makes an error of the class that it constructs.
func (r *reader) classOf(site Site, named string) string {
	n := r.Node(site.File.Path, site.Exit.Value)
	for range maxSteps {
		if n == nil || !IsFunction(n) || site.Exit.Value.Kind != code.ValueCall {
			break
		}
		made := r.result(bodyStmts(r.Body(n)), nil)
		if made == nil || made.Kind != code.ValueCall {
			break
		}
		if named = Last(made.Text); named == "cls" || named == "self" {
			return Last(n.Owner())
		}
		if next := r.Node(n.File, made); next != n {
			n = next
		} else {
			break
		}
	}
	return named
}

// called returns the outcomes of a called function that the caller does not keep to itself: errors that no try statement
// around catches, and answers.
func (r *reader) called(site Site, callee *resolve.Node) []outcome {
	var out []outcome
	for _, o := range r.outcomes(callee) {
		passed := r.framework.Passes || o.returns && site.Stmt.Op == code.StmtReturn && returnsCall(site.Stmt, callee)
		if o.class == "" && !passed {
			continue
		}
		if o.class != "" && r.caught(o.class, site.Try) {
			continue
		}
		out = append(out, o)
	}
	return out
}

// returnsCall reports whether a statement returns the result of a function.
func returnsCall(s *code.Stmt, callee *resolve.Node) bool {
	return s.Value != nil && s.Value.Kind == code.ValueCall && Last(s.Value.Text) == callee.Name
}

// caught reports whether a try statement catches an error of a class.
func (r *reader) caught(class string, around []paths.Guard) bool {
	for _, guard := range slices.Backward(around) {
		for i := range guard.Arms {
			arm := &guard.Arms[i]
			if rethrows(arm) {
				continue
			}
			if arm.Default {
				return true
			}
			for _, name := range caughtNames(arm) {
				if r.IsA(class, name) {
					return true
				}
			}
		}
	}
	return false
}

// rethrows reports whether a handler throws again what it caught, without conditions.
func rethrows(arm *code.Arm) bool {
	n := len(arm.Body)
	if n == 0 {
		return false
	}
	last := &arm.Body[n-1]
	if last.Op == code.StmtReturn && n > 1 && arm.Body[n-2].Op == code.StmtAnswer { // return next(err)
		last = &arm.Body[n-2]
	}
	switch last.Op {
	case code.StmtReturn:
		return last.Text == code.Rethrow
	case code.StmtAnswer:
		return last.Answer.Passes && namesCaught(&last.Answer.Value, arm)
	case code.StmtError:
		return last.Exit.Kind == code.Throws && namesCaught(&last.Exit.Value, arm)
	default:
		return false
	}
}

// namesCaught reports whether a value is, or is called with, what a handler caught, by its name in the handler's head.
func namesCaught(v *code.Value, arm *code.Arm) bool {
	if v.Kind == code.ValueCall && len(v.Args) > 0 {
		v = &v.Args[len(v.Args)-1]
	}
	return v.Kind == code.ValueName && slices.Contains(arm.Labels, v.Text)
}

// passed returns the error that a statement hands to the framework: next(new NotFound()).
func passed(site Site) (outcome, bool) {
	v := site.Stmt.Answer.Value.Arg(0)
	if v == nil || v.Kind != code.ValueCall {
		return outcome{}, false
	}
	a := Answer{Error: Last(v.Text), At: site.Where()}
	if site.Exit != nil {
		a.Message = site.Exit.Message
	}
	return outcome{Answer: a, class: a.Error, made: v, site: site}, true
}

// caughtNames returns the last names of the classes that a handler catches.
func caughtNames(arm *code.Arm) []string {
	var out []string
	for _, label := range arm.Labels {
		label, _, _ = strings.Cut(label, " as ")
		for name := range strings.FieldsFuncSeq(label, func(c rune) bool { return strings.ContainsRune(" (),|&*", c) }) {
			out = append(out, Last(name))
		}
	}
	return out
}

// IsA reports whether a class is another one or derived from it, by name: as the project declares them, and the languages.
func (p *Project) IsA(class, base string) bool {
	seen := map[string]bool{}
	open := []string{class}
	for len(open) > 0 {
		at := open[0]
		open = open[1:]
		if at == base {
			return true
		}
		if seen[at] {
			continue
		}
		seen[at] = true
		if up := builtinBases[at]; up != "" {
			open = append(open, up)
		}
		for _, c := range p.classes[at] {
			for _, b := range c.Symbol.Bases {
				name, _, _ := strings.Cut(b, "(")
				name, _, _ = strings.Cut(name, "<")
				open = append(open, Last(strings.TrimSpace(name)))
			}
			if len(c.Symbol.Bases) == 0 && errorLike(at) {
				open = append(open, "Exception")
			}
		}
		if len(p.classes[at]) == 0 && builtinBases[at] == "" && errorLike(at) {
			open = append(open, "Exception")
		}
	}
	return false
}

// isKnown reports whether all bases of a class are known: declared in the project, or the language's own. What becomes of
// others is up to the library that declares them.
func (p *Project) isKnown(class string) bool { return p.isKnownBelow(class, 0) }

func (p *Project) isKnownBelow(class string, depth int) bool {
	if depth > maxSteps {
		return false
	}
	if class == "BaseException" || builtinBases[class] != "" {
		return true
	}
	for _, c := range p.classes[class] {
		for _, b := range c.Symbol.Bases {
			name, _, _ := strings.Cut(b, "(")
			name, _, _ = strings.Cut(name, "<")
			if !p.isKnownBelow(Last(strings.TrimSpace(name)), depth+1) {
				return false
			}
		}
	}
	return len(p.classes[class]) > 0
}

func errorLike(name string) bool {
	return strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception") || name == "HTTPException"
}

// builtinBases are the bases of the languages' own exceptions.
var builtinBases = map[string]string{
	"Exception": "BaseException", "KeyError": "LookupError", "IndexError": "LookupError", "LookupError": "Exception",
	"ValueError": "Exception", "TypeError": "Exception", "UnicodeDecodeError": "ValueError", "JSONDecodeError": "ValueError",
	"RuntimeException": "Exception", "IllegalArgumentException": "RuntimeException", "IllegalStateException": "RuntimeException",
	"NoSuchElementException": "RuntimeException", "ZeroDivisionError": "ArithmeticError", "ArithmeticError": "Exception",
	"NotImplementedError": "RuntimeError", "RuntimeError": "Exception", "FileNotFoundError": "OSError", "OSError": "Exception",
}

// refusals sets the refusals of an endpoint, and the successes that its own statements show.
func (r *reader) refusals(e *Endpoint) {
	for _, s := range append(slices.Clone(e.Chain), e.Handler) {
		for _, f := range s.Refusals {
			f.Step, f.By = s.Kind, s.Name
			if h := r.handlerOf(f.Error); f.Error != "" && h != nil && !h.Keeps {
				for _, answer := range r.outcomes(h.Node) {
					if answer.class == "" && answer.Status >= 400 {
						f.Status = answer.Status
					}
				}
			}
			e.refuse(f)
		}
		for _, o := range r.outcomesOf(&s) {
			r.add(e, &s, o)
		}
	}
	if r.framework.Settle != nil {
		r.framework.Settle(r.Project, e)
	}
}

// add adds an outcome of a step to an endpoint.
func (r *reader) add(e *Endpoint, s *Step, o outcome) {
	f := Refusal{Answer: o.Answer, When: o.site.When, Partial: o.site.Partial, Step: s.Kind, By: s.Name}
	if o.site.Function != nil {
		f.In = o.site.Function.Path()
	}
	if o.class != "" {
		a, ok := r.answerTo(o, s)
		if !ok {
			if r.framework.Unhandled == 0 || !r.isKnown(o.class) {
				return
			}
			a.Status, f.Unhandled = r.framework.Unhandled, true
		}
		f.Answer = a
	}
	if f.Status >= 400 || f.Status == 0 && o.class != "" {
		e.refuse(f)
		return
	}
	if e.Declared && f.Status == 200 {
		return
	}
	if s.Kind == Handling && !slices.ContainsFunc(e.Success, func(a Answer) bool { return a.Status == f.Status }) {
		e.Success = append(e.Success, f.Answer)
	}
}

// answerTo returns the answer to an error: that of a registered handler, or of the framework for its own errors.
func (r *reader) answerTo(o outcome, s *Step) (Answer, bool) {
	if r.errors != nil {
		return r.errors(o.site, o.class, o.made, o.Answer), true
	}
	a, known := r.raised(o, s)
	h := r.handlerOf(o.class)
	if h == nil {
		return a, known
	}
	if o.made != nil {
		own := r.ErrorAnswer(o.site.File.Path, o.made)
		a.Status, a.Message = cmp.Or(a.Status, own.Status), cmp.Or(a.Message, own.Message)
	}
	if h.Node == nil {
		if !h.Keeps || a.Status == 0 {
			a.Status = h.Answer.Status
		}
		return a, true
	}
	for _, answer := range r.outcomes(h.Node) {
		if answer.class == "" && answer.Status > 0 {
			a.Status = answer.Status
			return a, true
		}
	}
	return a, known || a.Status > 0
}

// raised returns the answer of the framework to an error; false for errors that are not its own.
func (r *reader) raised(o outcome, s *Step) (Answer, bool) {
	a := o.Answer
	if o.made == nil {
		return a, a.Status > 0
	}
	if r.framework.Raised == nil {
		return a, false
	}
	made, ok := r.framework.Raised(r.Project, o.site, o.made)
	if !ok {
		return a, false
	}
	made.Error, made.At = a.Error, a.At
	made.Message = cmp.Or(made.Message, a.Message)
	if made.Status == 0 {
		made.Status = cmp.Or(r.ErrorAnswer(o.site.File.Path, o.made).Status, s.Fallback)
	}
	return made, true
}

// handlerOf returns the handler for errors of a class: that of the closest base; nil for none.
func (r *reader) handlerOf(class string) *Handler {
	best := -1
	for i, h := range r.handlers {
		if r.IsA(class, h.Class) && (best < 0 || r.IsA(h.Class, r.handlers[best].Class)) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	return &r.handlers[best]
}

// refuse adds a refusal, unless the endpoint has it.
func (e *Endpoint) refuse(f Refusal) {
	if !slices.ContainsFunc(e.Refusals, func(g Refusal) bool { return g.Answer == f.Answer && g.In == f.In }) {
		e.Refusals = append(e.Refusals, f)
	}
}
