package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

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
	returns bool  // an answer that is the function's result
	open    Parts // what the function's callers give
}

// reader reads the endpoints of one framework.
type reader struct {
	*Project
	framework *Framework
	handlers  []Handler
	memo      *memo
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
	return r.memo.of(n, func() []outcome { return r.function(n) })
}

// function reads the outcomes of a function and of those that it returns.
func (r *reader) function(n *resolve.Node) []outcome {
	file := r.File(n.File)
	body := r.bodyOf(n)
	if file == nil || body == nil {
		return nil
	}
	list := r.walk(file, n, body)
	if slices.Contains(ecmaLanguages, file.Language) { // the functions that it returns are called by someone
		for _, b := range returnedBodies(r.Project, n) {
			list = append(list, r.literal(n.File, b)...)
		}
		return list
	}
	for _, b := range factoryBodies(file, n, body) {
		list = append(list, r.walk(file, n, b)...)
	}
	return list
}

// factoryBodies returns the function literals that a function returns: handlers and middleware.
func factoryBodies(file *code.File, n *resolve.Node, body *code.Body) []*code.Body {
	if n == nil || slices.Contains(ecmaLanguages, file.Language) {
		return nil
	}
	var out []*code.Body
	for i := range file.Bodies.Functions {
		if b := &file.Bodies.Functions[i]; b.In == n.Path() && b != body && b.Use.Kind == code.UseReturned {
			out = append(out, b)
		}
	}
	return out
}

// literal returns the outcomes of a function literal.
func (r *reader) literal(file string, body *code.Body) []outcome {
	if r.depth > maxDepth {
		return nil
	}
	return r.memo.of(body, func() []outcome { return r.walk(r.File(file), nil, body) })
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
	switch {
	case s.Body != nil:
		return r.literal(s.At.File, s.Body)
	case s.Node == nil && (s.Kind == Validation || len(s.Refusals) > 0): // of the framework
		return nil
	case s.Node == nil:
		return r.closure(s)
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
	places := r.Project.bodies.Statements(file.Bodies.Functions, body, func(*code.Stmt) bool { return true })
	slices.SortStableFunc(places, func(a, b paths.Place) int { return a.Stmt.Line - b.Stmt.Line }) // a closure comes before its statement
	calls := r.callsOf(file.Path, n, body)
	for _, b := range factoryBodies(file, n, body) { // these are walked by themselves
		if b.Line > body.Line {
			calls = slices.DeleteFunc(calls, func(u resolve.Use) bool { return u.Line >= b.Line && u.Line <= b.End })
		}
	}
	for i := range places {
		next := body.Line + 1<<20
		if i+1 < len(places) {
			next = places[i+1].Stmt.Line
		}
		site := Site{file, n, body, places[i]}
		for len(calls) > 0 && (calls[0].Line < next || i == len(places)-1) {
			if calls[0].Line >= body.Line && (body.Use.Kind != code.UseArgument || calls[0].Line < next) {
				if calls[0].Rule != resolve.Implementation || !r.isStub(calls[0].To) {
					out = append(out, r.called(site, calls[0].To)...)
				}
			}
			calls = calls[1:]
		}
		out = append(out, r.own(site)...)
	}
	return out
}

// isStub reports whether a function does nothing but say that it is not implemented. Such an implementation of an interface is
// not what a service uses.
func (r *reader) isStub(n *resolve.Node) bool {
	body := r.bodyOf(n)
	if body == nil || len(body.Stmts) != 1 || body.Stmts[0].Op != code.StmtError {
		return false
	}
	switch Last(body.Stmts[0].Exit.Error) {
	case "NotImplementedException", "NotSupportedException", "UnsupportedOperationException", "NotImplementedError":
		return true
	}
	return false
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
				ended := site
				ended.Partial = ended.Partial || asserts(call)
				out = append(out, outcome{Answer: a, class: a.Error, site: ended})
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
		return r.thrown(site)
	}
	if s.Op == code.StmtAnswer && s.Answer.Passes {
		return passed(site)
	}
	if makesError(site) {
		return r.made(site)
	}
	if r.framework.Answered == nil || !r.mayAnswer(s.Op) {
		return outcome{}, false
	}
	a, ok := r.framework.Answered(r.Project, site)
	open := r.open(site)
	if !ok && open.Status == nil {
		return outcome{}, false
	}
	if a.At == (Place{}) {
		a.At = site.Where()
	}
	return outcome{Answer: a, site: site, returns: s.Op == code.StmtReturn, open: open}, true
}

// thrown returns the error that a statement throws, unless it is caught on the spot.
func (r *reader) thrown(site Site) (outcome, bool) {
	s := site.Stmt
	if site.Exit == nil || s.Exit.Kind == code.Fails && r.framework.Raised == nil { // caught on the spot
		return outcome{}, false
	}
	class := r.classOf(site, Last(site.Exit.Error))
	if site.Exit.PassesOn {
		return outcome{}, false
	}
	return outcome{Answer: Answer{Error: class, Message: site.Exit.Message, At: site.Where()}, class: class, made: site.Exit.Value, site: site}, true
}

// mayAnswer reports whether statements of a kind may answer a request.
func (r *reader) mayAnswer(op code.StmtOp) bool {
	switch op {
	case code.StmtReturn, code.StmtCall, code.StmtAnswer:
		return true
	case code.StmtAssign:
		return r.framework.Assigns
	default:
		return false
	}
}

// called returns the outcomes of a called function that the caller does not keep to itself: errors that no try statement
// around catches, and answers.
func (r *reader) called(site Site, callee *resolve.Node) []outcome {
	var out []outcome
	for _, o := range r.outcomes(callee) {
		passed := r.framework.Passes && o.class == "" || o.returns && site.Stmt.Op == code.StmtReturn && returnsCall(site.Stmt, callee)
		if o.class == "" && !passed {
			continue
		}
		if o.class != "" && (r.caught(o.class, site.Try) || r.framework.Values && !r.passesResult(site, callee)) {
			continue
		}
		out = append(out, r.given(o, site, callee))
	}
	return out
}

// passesResult reports whether the error that a called function results in is the caller's too: the statement returns it, or in Go,
// where errors are assigned, a statement after it does.
func (r *reader) passesResult(site Site, callee *resolve.Node) bool {
	if site.File.Language != "go" {
		return returnsCall(site.Stmt, callee)
	}
	if site.Stmt.Op == code.StmtReturn || site.Stmt.Op == code.StmtError {
		v := endOf(site.Stmt)
		return v != nil && v.Kind == code.ValueCall && Last(v.Text) == callee.Name
	}
	passes := false
	code.AllStmts(bodyStmts(site.Body), func(s *code.Stmt) {
		if s.Op == code.StmtIf && strings.Contains(s.Label, callee.Name+"(") && len(s.Body) > 0 {
			v := endOf(&s.Body[len(s.Body)-1])
			passes = passes || v != nil && v.Kind == code.ValueName && code.IsErrorName(v.Text)
		}
	})
	return passes
}

// endOf returns the last result of a return, or the error of a statement; nil for other statements.
func endOf(s *code.Stmt) *code.Value {
	switch {
	case s.Op == code.StmtError && s.Exit != nil:
		return &s.Exit.Value
	case s.Op == code.StmtReturn:
		return s.Value
	}
	return nil
}

// returnsCall reports whether a statement returns the result of a function.
func returnsCall(s *code.Stmt, callee *resolve.Node) bool {
	return s.Value != nil && s.Value.Kind == code.ValueCall && Last(s.Value.Text) == callee.Name
}

// makesError reports whether a function literal that is an argument has a new error as its result, for the called function
// to throw: () => new NotFound().
func makesError(site Site) bool {
	v := site.Stmt.Value
	if site.Stmt.Op != code.StmtReturn || site.Use.Kind != code.UseArgument || v == nil || v.Kind != code.ValueCall {
		return false
	}
	switch of := Last(site.Use.Of); of {
	case "map", "flatMap", "forEach", "filter", "reduce": // errors as elements of a list
		return false
	default:
		return errorLike(Last(v.Text)) || strings.HasPrefix(of, "orElseThrow")
	}
}

// made returns the error that a function literal makes as its result.
func (r *reader) made(site Site) (outcome, bool) {
	v := site.Stmt.Value
	a := Answer{Error: Last(v.Text), At: site.Where()}
	for i := range v.Args {
		if text, ok := r.Text(site.File.Path, &v.Args[i]); ok && a.Message == "" {
			a.Message = text
		}
	}
	return outcome{Answer: a, class: a.Error, made: v, site: site}, true
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
