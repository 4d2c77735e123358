package repair

import "github.com/reverse-spec/reverse-spec/internal/lang/core"

// calledTarget shows the arguments of a call that is assigned to, for it returns a
// reference, in square brackets: At(i) = x. end is the index of their bracket.
func (w *csharpRewriter) calledTarget(end int) {
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

// square shows round brackets as square ones.
func (w *csharpRewriter) square(open int) {
	if end := w.partner(open); end > open+1 {
		w.show(open, "[")
		w.show(end, "]")
	}
}

// indirection rewrites what stands behind an operator for indirection, when it is
// more than a name and its parts, which is all that the grammar knows.
func (w *csharpRewriter) indirection(i int) {
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

// unary reports whether the operator at i has no operand before it.
func (w *csharpRewriter) unary(i int) bool {
	before := w.text(i - 1)
	switch {
	case w.isWord(i - 1):
		return csharpBeforeOperand[before]
	case before == ")":
		open := w.partner(i - 1)
		return csharpBeforeCondition[w.text(open-1)] || i-1-open == 2 && csharpNumeric[w.text(i-2)] // a cast
	case i == 0 || before == "]" || before == ">" || before == "++" || before == "--":
		return false
	}
	return w.tokens[i-1].Kind == csharpSign
}

var (
	// csharpBeforeOperand are the words that an operand follows.
	csharpBeforeOperand = core.SetOf("return", "in", "ref", "case", "out", "else", "do")
	// csharpBeforeCondition are the words of statements that brackets follow.
	csharpBeforeCondition = core.SetOf("if", "while", "for", "foreach", "fixed", "lock", "using")
	// csharpNumeric are the types that pointers most often point to.
	csharpNumeric = core.SetOf("byte", "sbyte", "short", "ushort", "int", "uint", "long", "ulong", "char", "float", "double", "nint", "nuint")
)

// beginsOperand reports whether an operand of a cast begins at i.
func (w *csharpRewriter) beginsOperand(i int) bool {
	text := w.text(i)
	return w.isWord(i) && text != "is" && text != "as" || text == "(" || text == "&" || text == "*"
}

// chain returns the index of the last token of a name with its parts: p.a[i].f(x).
func (w *csharpRewriter) chain(i int) int {
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
