package core

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// AnswerRule describes a function that answers a request: where its status is.
type AnswerRule struct {
	Status int    // the position of the status among the positional arguments, from 1; [AnyArgument]; 0 for none
	Field  string // the field of an object argument after the first, or the keyword, with the status; "" for none
	Fixed  string // the status that the function always has, such as "404"
	Least  int    // the minimum number of arguments; calls with fewer are something else
	Most   int    // the maximum number of arguments; 0 for any
	Sets   bool   // it sends nothing, but sets the status of the answers after it
	Passes bool   // it hands an error to the framework's handler of errors
	Bare   bool   // it has no receiver
}

// AnyArgument is the position of a status that is recognised by its form: a number or constant.
const AnyArgument = -1

// FindAnswer returns the answer that a call is, by a table of functions; ok is false for other calls. The call is
// given with all its arguments. If the receiver is itself a call, as in a chain, that call is the first of them.
func FindAnswer(rules map[string]AnswerRule, call code.Value) (a code.Answer, ok bool) {
	name := call.Text[strings.LastIndexByte(call.Text, '.')+1:]
	receiver := strings.TrimSuffix(call.Text[:len(call.Text)-len(name)], ".")
	rule, ok := rules[call.Text]
	if !ok {
		if rule, ok = rules[name]; !ok || rule.Bare != (receiver == "") {
			return a, false
		}
	}
	args, before := call.Args, code.Answer{}
	if strings.Contains(receiver, "(") {
		if len(args) == 0 || args[0].Kind != code.ValueCall {
			return a, false
		}
		if before, ok = FindAnswer(rules, args[0]); !ok {
			before = chainOf(rules, args[0])
		}
		receiver, args = before.On, args[1:]
	}
	if len(args) < rule.Least || rule.Most > 0 && len(args) > rule.Most {
		return a, false
	}
	a = code.Answer{On: receiver, By: strings.TrimPrefix(before.By+"."+name, "."), Sets: rule.Sets, Passes: rule.Passes, Value: call}
	if a.Status = rule.status(args); a.Status == nil {
		a.Status = before.Status
	}
	return a, true
}

// chainOf reads the calls of a chain that are no answers themselves, such as res.set("a", "b"), for the answers
// before them.
func chainOf(rules map[string]AnswerRule, call code.Value) code.Answer {
	name := call.Text[strings.LastIndexByte(call.Text, '.')+1:]
	receiver := strings.TrimSuffix(call.Text[:len(call.Text)-len(name)], ".")
	if !strings.Contains(receiver, "(") {
		return code.Answer{On: receiver}
	}
	if len(call.Args) == 0 || call.Args[0].Kind != code.ValueCall {
		return code.Answer{}
	}
	if a, ok := FindAnswer(rules, call.Args[0]); ok {
		return a
	}
	return chainOf(rules, call.Args[0])
}

// status returns the status among the arguments of a call; nil if there is none.
func (r *AnswerRule) status(args []code.Value) *code.Value {
	if r.Fixed != "" {
		return &code.Value{Kind: code.ValueNumber, Text: r.Fixed}
	}
	at := 0
	for i := range args {
		a := &args[i]
		if r.Field != "" && i > 0 && a.Kind == code.ValueObject {
			for j := range a.Args {
				if a.Args[j].Name == r.Field {
					return &a.Args[j]
				}
			}
		}
		if r.Field != "" && a.Name == r.Field {
			return a
		}
		if a.Name != "" {
			continue
		}
		at++
		if at == r.Status || r.Status == AnyArgument && isStatus(a) {
			return a
		}
	}
	return nil
}

// isStatus reports whether an argument has the form of a status: a number of three digits, or a constant whose
// qualifier names statuses.
func isStatus(v *code.Value) bool {
	if v.Kind == code.ValueNumber {
		return len(v.Text) == len("200")
	}
	return v.Kind == code.ValueName && strings.Contains(strings.ToLower(v.Text), "status")
}

// answer reads a call that answers a request; ok is false for other nodes. Answers are read on request, as all calls.
func (f *FlowReader) answer(n syntax.Node) (out []code.Stmt, ok bool) {
	if f.Parts&Calls == 0 || len(f.Rules.Answers) == 0 || !f.Rules.Calls[n.Kind()] {
		return nil, false
	}
	call, ok := f.Lang.Call(n)
	if _, known := f.Rules.Answers[call.Name]; !ok || !known && !f.knows(call) {
		return nil, false
	}
	a, ok := FindAnswer(f.Rules.Answers, f.value(n, 0))
	if !ok {
		return nil, false
	}
	out = f.Inside(argumentsOf(n))
	return append(out, code.Stmt{Op: code.StmtAnswer, Answer: &a, Line: n.Line()}), true
}

// knows reports whether a call is an answer by its name with the receiver.
func (f *FlowReader) knows(call code.Call) bool {
	_, known := f.Rules.Answers[srctext.Join(call.Receiver, call.Name)]
	return known
}

// answerMember reads an assignment of the answer's body, such as ctx.body = x.
func (f *FlowReader) answerMember(n syntax.Node, target string) []code.Stmt {
	dot := strings.LastIndexByte(target, '.')
	if f.Parts&Calls == 0 || dot < 0 || !f.Rules.AnswerMembers[target[dot+1:]] {
		return nil
	}
	a := &code.Answer{On: target[:dot], By: target[dot+1:]}
	if v := f.assignedValue(n); v.Ok() {
		a.Value = f.value(v, 0)
	}
	return []code.Stmt{{Op: code.StmtAnswer, Answer: a, Line: n.Line()}}
}
