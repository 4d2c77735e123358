package core

import (
	"regexp"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Cond reads a condition.
func (f *FlowReader) Cond(n syntax.Node) code.Cond { return f.cond(n, 0) }

// maxCondDepth is the maximum nesting of a condition; what is deeper is text.
const maxCondDepth = 40

func (f *FlowReader) cond(n syntax.Node, depth int) code.Cond {
	if !n.Ok() {
		return code.Cond{}
	}
	if f.Rules.Cond != nil {
		if c, ok := f.Rules.Cond(f, n); ok {
			return c
		}
	}
	if depth > maxCondDepth {
		return Atom(n.Head(2 * srctext.MaxBodyText))
	}
	if n.Is("parenthesized_expression", "condition_clause", "parenthesized_statements") {
		if first := n.First(); first.Ok() && closes(first) {
			return f.cond(first, depth+1)
		}
	}
	if left, right, word := operands(n); word != "" && word != "??" && word != "?:" {
		op := code.CondAnd
		if word == "||" || word == "or" {
			op = code.CondOr
		}
		return Joined(op, f.cond(left, depth+1), f.cond(right, depth+1))
	}
	if operand := negated(n); operand.Ok() {
		return Not(f.cond(operand, depth+1))
	}
	return plain(n.Head(2 * srctext.MaxBodyText))
}

// closes reports whether at most one token follows a node within its parent, comments apart.
func closes(n syntax.Node) bool {
	count := 0
	for c := n.Next(); c.Ok(); c = c.Next() {
		if !syntax.IsComment(c.Kind()) {
			count++
		}
	}
	return count < 2
}

// plain returns the condition of a text that has no parts by its syntax tree.
func plain(text string) code.Cond {
	switch operand, negative := strings.CutPrefix(text, "!"); {
	case misread(text):
		return code.Cond{}
	case negative && len(splitOutside(operand, " ")) == 1: // Swift's grammar takes "!a.b" as a member of "!a"
		return Not(Atom(operand))
	}
	return Atom(text)
}

// misread reports whether a text that is not a conjunction or disjunction by its syntax tree has an
// operator of one outside brackets: the grammar has bound it to an operand.
func misread(text string) bool {
	for at, depth := range srctext.Brackets([]byte(text), 0) {
		if depth == 0 && (strings.HasPrefix(text[at:], "&& ") || strings.HasPrefix(text[at:], "|| ")) {
			return true
		}
	}
	return false
}

// negated returns the operand of a negation; the zero Node for other nodes.
func negated(n syntax.Node) syntax.Node {
	for c := range n.Children() {
		if text := c.Short(); text != "!" && text != "not" {
			return syntax.Node{}
		}
		for operand := c.Next(); operand.Ok(); operand = operand.Next() {
			if operand.Named() && !operand.Next().Ok() {
				return operand
			}
		}
		return syntax.Node{}
	}
	return syntax.Node{}
}

// Atom returns a condition that is a text.
func Atom(text string) code.Cond {
	if strings.Contains(text, "\n") {
		text = wrapped.ReplaceAllString(text, "$1$2")
	}
	return code.Cond{Op: code.CondAtom, Text: srctext.ClipBody(srctext.Unparenthesised(srctext.OneLine(text)))}
}

// wrapped are the line breaks right inside of brackets, with the comma before the last one.
var wrapped = regexp.MustCompile(`([(\[])\s*\n\s*|,?\s*\n\s*([)\]])`)

// CondText reads a condition from its text, where the grammar misreads it.
func CondText(text string) code.Cond {
	text = strings.TrimSpace(text)
	for _, by := range []struct {
		word string
		op   code.CondOp
	}{{"||", code.CondOr}, {"&&", code.CondAnd}} {
		if parts := splitOutside(text, by.word); len(parts) > 1 {
			list := make([]code.Cond, len(parts))
			for i, part := range parts {
				list[i] = CondText(part)
			}
			return Joined(by.op, list...)
		}
	}
	if inner := srctext.Unparenthesised(text); inner != text {
		return CondText(inner)
	}
	if operand, ok := strings.CutPrefix(text, "!"); ok && len(splitOutside(operand, " ")) == 1 {
		return Not(CondText(operand))
	}
	return Atom(text)
}

// splitOutside splits a text at an operator outside brackets and quotes.
func splitOutside(text, operator string) []string {
	var parts []string
	from := 0
	for i, depth := range srctext.Brackets([]byte(text), 0) {
		if depth == 0 && i >= from && strings.HasPrefix(text[i:], operator) {
			parts = append(parts, text[from:i])
			from = i + len(operator)
		}
	}
	return append(parts, text[from:])
}

// Not returns the negation of a condition.
func Not(c code.Cond) code.Cond {
	if c.Op == code.CondNot {
		return c.Args[0]
	}
	return code.Cond{Op: code.CondNot, Args: []code.Cond{c}}
}

// Joined returns a conjunction or disjunction.
func Joined(op code.CondOp, list ...code.Cond) code.Cond {
	var args []code.Cond
	for _, c := range list {
		if c.Op == op {
			args = append(args, c.Args...)
		} else {
			args = append(args, c)
		}
	}
	if len(args) == 1 {
		return args[0]
	}
	return code.Cond{Op: op, Args: args}
}
