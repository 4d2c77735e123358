package core

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// maxSource limits what a function returns, as written, in bytes.
const maxSource = 120

// maxBroken is [maxSource] of an expression on several lines, with its indentation.
const maxBroken = 8 * maxSource

// sourceText returns an expression on one line, without parentheses around it; "" if it is long. What a formatter breaks over
// lines is the same expression.
func sourceText(n syntax.Node) string {
	for n.Is("parenthesized_expression") && n.First().Ok() && syntax.LastNamedChild(n) == n.First() {
		n = n.First()
	}
	if n.End()-n.Start() > maxBroken {
		return ""
	}
	text := n.Text()
	if strings.Contains(text, "\n") {
		text = srctext.OneLine(wrapped.ReplaceAllString(text, "$1$2"))
	}
	if len(text) > maxSource {
		return ""
	}
	return text
}

// source notes what a return returns. If that depends on a condition inside it, the statements before it say so.
func (f *FlowReader) source(s *code.Stmt, n syntax.Node) []code.Stmt {
	if f.Parts&Calls == 0 {
		return nil
	}
	if out := f.chosen(n, "", 0); out != nil {
		return out
	}
	s.Source = sourceText(n)
	return nil
}

// choices are the fields of the parts of an expression that chooses one of two values: the condition and the values.
var choices = [][3]string{{"condition", "consequence", "alternative"}, {"condition", "body", "alternative"}, {"condition", "if_true", "if_false"}}

// maxChosen limits the nesting of such expressions.
const maxChosen = 6

// chosen returns the values of an expression that chooses one of two, each under its condition, as what is returned or
// assigned to a variable; nil for others.
func (f *FlowReader) chosen(n syntax.Node, to string, depth int) []code.Stmt {
	n = unwrapped(n)
	condition, then, other := chosenParts(n)
	if f.Parts&Calls == 0 || !other.Ok() || depth > maxChosen {
		return nil
	}
	cond := f.Cond(condition)
	return []code.Stmt{{Op: code.StmtIf, Cond: &cond, Line: n.Line(), Body: f.choiceOf(then, to, depth), Else: f.choiceOf(other, to, depth)}}
}

func (f *FlowReader) choiceOf(n syntax.Node, to string, depth int) []code.Stmt {
	if out := f.chosen(n, to, depth+1); out != nil {
		return out
	}
	v := f.value(n, 0)
	return []code.Stmt{{Op: code.StmtResult, Text: to, Value: &v, Source: sourceText(unwrapped(n)), Line: n.Line()}}
}

// unwrapped returns the expression in brackets.
func unwrapped(n syntax.Node) syntax.Node {
	for n.Is("parenthesized_expression", "expression_list", "argument_list") {
		inner := n.First()
		if !inner.Ok() || syntax.LastNamedChild(n) != inner {
			break
		}
		n = inner
	}
	return n
}

// chosenParts returns the condition and the two values of an expression that chooses one; zero Nodes for others.
func chosenParts(n syntax.Node) (condition, then, other syntax.Node) {
	if !conditionals[n.Kind()] {
		return syntax.Node{}, syntax.Node{}, syntax.Node{}
	}
	for _, fields := range choices {
		condition, then, other = n.Field(fields[0]), n.Field(fields[1]), n.Field(fields[2])
		if condition.Ok() && then.Ok() && other.Ok() {
			return condition, then, other
		}
	}
	if list := slices.Collect(n.NamedSeq()); len(list) == 3 && !condition.Ok() { // Python: the value first
		return list[1], list[0], list[2]
	}
	return syntax.Node{}, syntax.Node{}, syntax.Node{}
}

// withTail adds to the statements of an expression that it is what its function returns, in languages where a body's last
// expression is.
func (f *FlowReader) withTail(n syntax.Node, list []code.Stmt) []code.Stmt {
	if f.Parts&Calls == 0 || f.Rules.Tail == nil || !n.Named() || f.Rules.Flow[n.Kind()] != 0 && f.Rules.Flow[n.Kind()] != FlowSpecial && f.Rules.Flow[n.Kind()] != FlowOperator && !conditionals[n.Kind()] || !f.Rules.Tail(n) {
		return list
	}
	if len(list) > 0 {
		switch list[len(list)-1].Op {
		case code.StmtError, code.StmtReturn, code.StmtAnswer, code.StmtUnknown:
			return list
		default:
		}
	}
	if out := f.chosen(n, "", 0); out != nil {
		return append(list, out...)
	}
	v := f.value(n, 0)
	return append(list, code.Stmt{Op: code.StmtResult, Value: &v, Source: sourceText(n), Line: n.Line()})
}

// arrows are the kinds of functions whose body may be an expression.
var arrows = SetOf("arrow_function", "lambda", "lambda_expression")

// arrowResult returns what a function whose body is an expression returns; nothing for other functions.
func (f *FlowReader) arrowResult(n, body syntax.Node) []code.Stmt {
	if f.Parts&Calls == 0 || !arrows[n.Kind()] || !body.Ok() || body.Is("statement_block", "block") {
		return nil
	}
	return f.choiceOf(body, "", 0)
}
