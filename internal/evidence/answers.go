package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
)

// sent says how a call that makes an answer gives it to the client.
type sent struct {
	how sending
	to  string // what it is assigned to
}

// sending is a way in which answers are given to clients.
type sending int

const (
	keptBack sending = iota // its result is used for something else
	atOnce                  // by itself
	returned                // as the result of the function
	assigned                // as a member of something
)

// sentAnswers returns how the statements that answer requests send their answers.
func sentAnswers(list []code.Stmt) map[*code.Stmt]sent {
	out := map[*code.Stmt]sent{}
	eachList(list, func(list []code.Stmt) {
		for i := range list {
			if s := &list[i]; s.Op == code.StmtAnswer {
				out[s] = sent{how: atOnce}
				if i+1 < len(list) {
					out[s] = sentBy(&s.Answer.Value, &list[i+1])
				}
			}
		}
	})
	return out
}

// eachList calls see for a list of statements and for those inside them.
func eachList(list []code.Stmt, see func(list []code.Stmt)) {
	see(list)
	for i := range list {
		s := &list[i]
		eachList(s.Body, see)
		eachList(s.Else, see)
		for j := range s.Arms {
			eachList(s.Arms[j].Body, see)
		}
	}
}

// sentBy returns what the next statement does with an answer.
func sentBy(call *code.Value, next *code.Stmt) sent {
	is := next.Value != nil && next.Value.Kind == code.ValueCall && next.Value.Text == call.Text && next.Value.Line == call.Line
	switch {
	case is && next.Op == code.StmtReturn:
		return sent{how: returned}
	case is && next.Op == code.StmtAssign && (strings.HasSuffix(next.Text, ".res") || strings.HasSuffix(next.Text, ".response")):
		return sent{assigned, next.Text}
	case call.Kind == code.ValueCall && mentionsCall(next, call):
		return sent{}
	}
	return sent{how: atOnce}
}

// mayAnswer reports whether a statement may answer a request.
func (a *actor) mayAnswer(s *code.Stmt) bool {
	switch s.Op {
	case code.StmtAnswer:
		return a.answers[s].how != keptBack && !s.Answer.Sets && !s.Answer.Passes
	case code.StmtCall, code.StmtReturn:
		_, ok := a.responds(s)
		return ok
	default:
		return false
	}
}

// responds returns the status of the answer that a call is, in languages whose answers are calls like others.
func (a *actor) responds(s *code.Stmt) (status *code.Value, ok bool) {
	if s.Value == nil || s.Value.Kind != code.ValueCall || s.Op == code.StmtCall && (a.file.Language != "go" || a.used[s]) {
		return nil, false
	}
	status, ok = service.GivenStatus(a.file.Language, s.Value)
	if !ok || a.file.Language != "go" {
		return status, ok
	}
	root, _ := rootOf(s.Value.Text)
	if root != "http" {
		return status, status != nil && statusGivenBy(status) != "" && slices.Contains(a.own, root)
	}
	to := s.Value.Arg(0)
	return status, to != nil && to.Kind == code.ValueName && slices.Contains(a.own, to.Text)
}

// answer returns the answer that a statement gives.
func (a *actor) answer(p *paths.Place) (step, bool) {
	s := p.Stmt
	if !a.mayAnswer(s) {
		return step{}, false
	}
	if s.Op == code.StmtAnswer {
		return a.answered(p)
	}
	status, _ := a.responds(s)
	return step{Answered, statusGivenBy(status), written(s.Value, a.file.Language), messageGiven(s.Value), s.Op == code.StmtReturn}, true
}

// answered returns the answer of a statement that its language knows as one: of a parameter with a status, or a new response.
func (a *actor) answered(p *paths.Place) (step, bool) {
	s, x := p.Stmt, p.Exit
	if x == nil || x.Answer == nil || !a.sends(s, x) {
		return step{}, false
	}
	text := written(&s.Answer.Value, a.file.Language)
	if s.Answer.Value.Kind != code.ValueCall {
		text = s.Answer.On + "." + s.Answer.By
	}
	return step{Answered, x.Status, text, strings.TrimSuffix(x.Message, "…"), a.answers[s].how == returned}, text != ""
}

// sends reports whether an answer goes to the client of the function: a new response that it returns or assigns to a member of a
// parameter, or a parameter with a status.
func (a *actor) sends(s *code.Stmt, x *paths.Exit) bool {
	by := a.answers[s]
	if s.Answer.On == "" {
		owner, _ := rootOf(by.to)
		return by.how == returned || by.how == assigned && slices.Contains(a.own, owner)
	}
	owner, rest := rootOf(s.Answer.On)
	return x.Given != nil && slices.Contains(a.own, owner) && (rest == "" || rest == ".res" || rest == ".response")
}

// statusGivenBy returns the HTTP status that a value is; "" if it is not constant.
func statusGivenBy(v *code.Value) string {
	switch {
	case v == nil:
		return ""
	case v.Kind == code.ValueNumber:
		return paths.AnyStatus(v.Text)
	case v.Kind == code.ValueName:
		return paths.StatusNamed(v.Text)
	case v.Kind == code.ValueString: // "403 Forbidden"
		number, _, _ := strings.Cut(v.Text, " ")
		return paths.AnyStatus(number)
	}
	return ""
}

// messageGiven returns the text that a response is made with; "" for none.
func messageGiven(call *code.Value) string {
	for i := range min(len(call.Args), 2) {
		if a := &call.Args[i]; a.Kind == code.ValueString && !strings.Contains(a.Text, "…") && (a.Name == "" || a.Name == "content") && paths.AnyStatus(a.Text[:min(3, len(a.Text))]) == "" {
			return a.Text
		}
	}
	return ""
}
