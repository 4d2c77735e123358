package repair

import "github.com/reverse-spec/reverse-spec/internal/lang/core"

// calledTarget rewrites the parentheses of a call that is assigned to (it returns a reference)
// as square brackets: At(i) = x. end is the index of the closing parenthesis.
func (w *rewriter) calledTarget(end int) {
	open := w.partner(end)
	switch before := w.text(open - 1); {
	case open < 0 || before == "var" || before == "in" || before == "return" || before == "foreach":
	case !w.isWord(open-1) && before != ">":
	case end == open+1 && w.tokens[end].End()-w.tokens[open].Start() == len("()"):
		w.show(open, ".")
		w.show(end, "_")
	default:
		w.square(open)
	}
}

// square rewrites parentheses as square brackets.
func (w *rewriter) square(open int) {
	if end := w.partner(open); end > open+1 {
		w.show(open, "[")
		w.show(end, "]")
	}
}

// indirection rewrites the operand of an indirection operator if it is more than a name and
// its members, which is all that the grammar accepts.
func (w *rewriter) indirection(i int) {
	if !w.unary(i) {
		return
	}
	operand := i + 1
	for cast := operand; w.text(cast) == "("; cast = operand { // *(int*)p
		end := w.partner(cast)
		if end < 0 || w.text(end-1) != "*" || !w.beginsOperand(end+1) {
			break
		}
		operand = end + 1
	}
	cast := operand > i+1
	switch text := w.text(operand); {
	case text == "(":
		w.show(i, "_")
		w.hide(i+1, operand)
		w.square(operand)
	case text == "++" || text == "--":
		w.hide(i, operand+1)
	case w.isWord(operand):
		last := w.chain(operand)
		if step := w.text(last + 1); step == "++" || step == "--" {
			w.show(last+1, "._")
		}
		if cast {
			w.hide(i, operand)
		}
	case cast:
		w.hide(i, operand)
	}
}

// unary reports whether the operator at i has no left operand.
func (w *rewriter) unary(i int) bool {
	before := w.text(i - 1)
	switch {
	case w.isWord(i - 1):
		return beforeOperand[before]
	case before == ")":
		open := w.partner(i - 1)
		return beforeCondition[w.text(open-1)] || i-1-open == 2 && numeric[w.text(i-2)] // a cast
	case i == 0 || before == "]" || before == ">" || before == "++" || before == "--":
		return false
	}
	return w.tokens[i-1].Kind == signToken
}

var (
	// beforeOperand are the words before an operand.
	beforeOperand = core.SetOf("return", "in", "ref", "case", "out", "else", "do")
	// beforeCondition are the words of statements before parentheses.
	beforeCondition = core.SetOf("if", "while", "for", "foreach", "fixed", "lock", "using")
	// numeric are common element types of pointers.
	numeric = core.SetOf("byte", "sbyte", "short", "ushort", "int", "uint", "long", "ulong", "char", "float", "double", "nint", "nuint")
)

// beginsOperand reports whether the operand of a cast begins at i.
func (w *rewriter) beginsOperand(i int) bool {
	text := w.text(i)
	return w.isWord(i) && text != "is" && text != "as" || text == "(" || text == "&" || text == "*"
}

// chain returns the index of the last token of a name and its members: p.a[i].f(x).
func (w *rewriter) chain(i int) int {
	for {
		switch next := w.text(i + 1); {
		case next == "[" || next == "(":
			end := w.partner(i + 1)
			if end < 0 {
				return i
			}
			i = end
		case (next == "." || next == "->") && w.isWord(i+2):
			i += 2
		default:
			return i
		}
	}
}
