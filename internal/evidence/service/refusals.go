package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Handler is what answers an error that reaches the framework.
type Handler struct {
	Class  string        // the name of the error's class; it also handles derived classes
	Node   *resolve.Node // the function; nil if Answer is known
	Answer Answer
	Keeps  bool       // the status is that of the error
	Body   *code.Body // instead of Node: a function literal in File
	File   string
}

// Parts are the values of an answer that are not constant.
type Parts struct {
	Status, Message *code.Value
}

// refusals sets the refusals of an endpoint, and the successes that its own statements show.
func (r *reader) refusals(e *Endpoint) {
	var found []Step
	for _, s := range append(slices.Clone(e.Chain), e.Handler) {
		if r.refusalsOf(e, &s) && s.Name != "" {
			found = append(found, s)
		}
	}
	e.guards(found)
	if r.framework.Settle != nil {
		r.framework.Settle(r.Project, e)
	}
}

// refusalsOf adds what a step answers to an endpoint; it reports whether the step refuses callers.
func (r *reader) refusalsOf(e *Endpoint, s *Step) (guards bool) {
	for _, f := range s.Refusals {
		f.Step, f.By, f.Answer = s.Kind, s.Name, r.finalAnswer(e, f.Answer)
		guards = guards || f.Guard()
		e.refuse(f)
	}
	for _, o := range r.outcomesOf(s) {
		if !s.never(o.site.When) {
			guards = r.add(e, s, o) || guards
		}
	}
	return guards
}

// finalAnswer returns the answer to an error that the framework itself makes: the application's own rule for errors
// may change the answer, and a registered handler its status.
func (r *reader) finalAnswer(e *Endpoint, a Answer) Answer {
	if a.Error != "" && r.errors != nil {
		a = r.errors(Site{}, a.Error, nil, a)
	}
	h := r.handlerOf(e, a.Error)
	if a.Error == "" || h == nil || h.Keeps {
		return a
	}
	for _, answer := range r.handled(h) {
		if answer.class == "" && answer.Status >= 400 {
			a.Status = answer.Status
		}
	}
	return a
}

// guards sets the guards of an endpoint: those that do not run for another one.
func (e *Endpoint) guards(list []Step) {
	for _, s := range list {
		inner := slices.ContainsFunc(list, func(o Step) bool { return o.Name == s.For && s.For != "" })
		if !inner && !slices.Contains(e.Guards, s.Name) {
			e.Guards = append(e.Guards, s.Name)
		}
	}
}

// closure returns the outcomes of a step that is a function literal among the arguments of a call in a function.
func (r *reader) closure(s *Step) []outcome {
	file := r.File(s.At.File)
	if file == nil {
		return nil
	}
	for i := range file.Bodies.Functions {
		around := &file.Bodies.Functions[i]
		var body *code.Body
		code.AllStmts(around.Stmts, func(stmt *code.Stmt) {
			if stmt.Op == code.StmtClosure && stmt.Line == s.At.Line && body == nil {
				body = &code.Body{In: around.In, Use: code.Use{Kind: code.UseArgument}, Stmts: stmt.Body, Line: stmt.Line}
			}
		})
		if n := r.Links.Find(file.Path, around.In, around.Line); body != nil && n != nil {
			return r.walk(file, n, body)
		}
	}
	return nil
}

// never reports whether a condition cannot hold, given the constants that a step was made with.
func (s *Step) never(when []paths.Term) bool {
	return slices.ContainsFunc(when, func(t paths.Term) bool {
		text := t.String()
		return slices.Contains(s.False, text) || strings.HasPrefix(text, "!") && slices.Contains(s.True, strings.Trim(text, "!()"))
	})
}

// add adds an outcome of a step to an endpoint; it reports whether that refuses callers.
func (r *reader) add(e *Endpoint, s *Step, o outcome) (guards bool) {
	if r.framework.Applies != nil && !r.framework.Applies(e, o.site.When) {
		return false
	}
	f := Refusal{Answer: o.Answer, When: r.causes(s, &o.site), Partial: o.site.Partial, Step: s.Kind, By: s.Name}
	if o.site.Function != nil {
		f.In = o.site.Function.Path()
	}
	if o.class != "" {
		a, ok := r.answered(e, o, s)
		if !ok {
			if r.framework.Unhandled == 0 || !r.isKnown(o.class) {
				return false
			}
			a.Status, f.Unhandled = r.framework.Unhandled, true
		}
		f.Answer = a
	} else if f.Status == 0 && o.open.Status != nil { // it is up to a caller that is not known
		return false
	}
	if f.refuses(o.class) {
		e.refuse(f)
		return f.Guard()
	}
	if s.Kind == Handling {
		e.succeed(f.Answer)
	}
	return false
}

// refuses reports whether an answer is one to an error, of a class if one led to it.
func (f *Refusal) refuses(class string) bool {
	if f.Code != "" {
		f.Error = "" // the function that makes it is no class
		return f.Code != "OK"
	}
	return f.Status >= 400 || f.Status == 0 && class != ""
}

// succeed adds a success, unless the endpoint has one with its status.
func (e *Endpoint) succeed(a Answer) {
	if e.Declared && a.Status == 200 {
		return
	}
	if at := slices.IndexFunc(e.Success, func(b Answer) bool { return a.Status == b.Status }); at >= 0 {
		if e.Success[at].At != a.At {
			e.unclear = append(e.unclear, a.Status)
		}
		return
	}
	e.Success = append(e.Success, a)
}

// answered returns the answer to an error, by the framework's own rule for errors if it has one.
func (r *reader) answered(e *Endpoint, o outcome, s *Step) (Answer, bool) {
	if r.errors != nil {
		return r.errors(o.site, o.class, o.made, o.Answer), true
	}
	return r.answerTo(e, o, s)
}

// handled returns the outcomes of a handler.
func (r *reader) handled(h *Handler) []outcome {
	if h.Body != nil {
		return r.literal(h.File, h.Body)
	}
	return r.outcomes(h.Node)
}

// answerTo returns the answer to an error: that of a registered handler, or of the framework for its own errors.
func (r *reader) answerTo(e *Endpoint, o outcome, s *Step) (Answer, bool) {
	a, known := r.raised(o, s)
	h := r.handlerOf(e, o.class)
	if h == nil {
		return a, known
	}
	if o.made != nil {
		own := r.ErrorAnswer(o.site.File.Path, o.made)
		a.Status, a.Message = cmp.Or(a.Status, own.Status), cmp.Or(a.Message, own.Message)
	}
	if h.Node == nil && h.Body == nil {
		if !h.Keeps || a.Status == 0 {
			a.Status = h.Answer.Status
		}
		return a, true
	}
	for _, answer := range r.handled(h) {
		if answer.class == "" && answer.Status > 0 {
			a.Status = answer.Status
			if r.framework.Parts != nil { // its texts are those of the answer
				a.Message = cmp.Or(answer.Message, a.Message)
			}
			return a, true
		}
	}
	return a, known || a.Status > 0
}

// raised returns the answer of the framework to an error; false for errors that are not its own.
func (r *reader) raised(o outcome, s *Step) (Answer, bool) {
	a := o.Answer
	if o.made == nil {
		return a, a.Status > 0 || a.Code != ""
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
	if made.Status == 0 && made.Code == "" {
		made.Status = cmp.Or(r.ErrorAnswer(o.site.File.Path, o.made).Status, s.Fallback)
	}
	return made, true
}

// handlerOf returns the handler for errors of a class: the first of the endpoint that fits, or that of the closest base; nil
// for none.
func (r *reader) handlerOf(e *Endpoint, class string) *Handler {
	for i := range e.Handlers {
		if r.IsA(class, e.Handlers[i].Class) {
			return &e.Handlers[i]
		}
	}
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
